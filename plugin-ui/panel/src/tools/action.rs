//! The row of an action: what it is, what it needs, its box and its switch.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use puppy_core::permission::Level;
use puppy_core::spec::{ActionSpec, Danger, Effect};
use puppy_ui_parts::{Space, coded, set_checked, yes};
use puppy_ui_web::words::{actions, fill};

use super::toolbox::Toolbox;
use crate::state::page::PanelPage;

#[component]
pub(super) fn ActionRow(
    toolbox: Toolbox,
    /// The action's place in the registry.
    place: usize,
    spec: &'static ActionSpec,
) -> AnyView {
    let (store, words) = (toolbox.store, toolbox.store.draft_words);
    let (path, wording) = (spec.path(), actions::action(&store.lang(), spec));
    let id = format!("pup-action-{path}");
    let is_on = Memo::new(move |_| store.switches.with(|draft| draft.now().action_switch(spec)));
    let is_changed =
        Memo::new(move |_| store.switches.with(|draft| draft.is_changed(spec.tool, Some(spec.name))));
    let is_dim = Memo::new(move |_| store.switches.with(|draft| !draft.now().tool_is_on(spec.tool)));
    let is_withheld = Memo::new(move |_| toolbox.offer.with(|it| it.withholds(spec)));
    let is_selected = move || toolbox.picks.with(|it| it.selected.has(place));
    let select = move |event: &MouseEvent| {
        toolbox.picks.update(|it| it.select(place, event.shift_key()));
        set_checked(event, toolbox.picks.with_untracked(|it| it.selected.has(place)));
    };
    let switch = move |on: bool| {
        let text = if on { words.turns_on } else { words.turns_off };
        toolbox.change(&fill(text, &[("name", &spec.path())]), |draft| draft.set_action(spec, on));
    };
    let to = PanelPage::Permissions;
    view! {
        <div
            class="fn__flex pup-action"
            class:fn__none=move || toolbox.picks.with(|it| !it.shows(place))
            class:pup-changed=is_changed
            class:pup-dim=is_dim
            role="row"
            attr:aria-level="2"
            aria-selected=move || yes(is_selected())
            data-row=spec.name
        >
            <span class="fn__flex-center" role="gridcell">
                <input
                    class="pup-check"
                    type="checkbox"
                    disabled=store.readonly
                    data-select=path.clone()
                    data-cell="0"
                    tabindex="-1"
                    aria-label=fill(words.select, &[("name", &path)])
                    prop:checked=is_selected
                    on:click=move |event| select(&event)
                />
            </span>
            <div class="fn__flex-1" role="rowheader">
                <label class="fn__flex-1" for=id.clone()>
                    <span class="pup-action-name">{spec.name}</span>
                    {wording.name.map(own_name)}
                    {badges(toolbox, spec)}
                    <span class="b3-label__text">{coded(wording.summary)}</span>
                </label>
                <span class="pup-withheld pup-quiet" class:fn__none=move || !is_withheld.get()>
                    {toolbox.words.withheld}
                    " "
                    <button class="pup-link" type="button" data-to=to.name() on:click=move |_| store.go(to)>
                        {toolbox.words.to_levels}
                    </button>
                </span>
            </div>
            <Space/>
            <span class="fn__flex-center" role="gridcell">
                <input
                    class="b3-switch"
                    type="checkbox"
                    id=id
                    data-cell="1"
                    tabindex="-1"
                    data-action=path
                    disabled=store.readonly
                    prop:checked=is_on
                    on:change=move |event| switch(event_target_checked(&event))
                />
            </span>
        </div>
    }
    .into_any()
}

/// The name in the language of the page, after the one that agents use.
fn own_name(name: &'static str) -> AnyView {
    view! { <span class="pup-own-name">{name}</span> }.into_any()
}

/// The effect and the needs of an action, as words and signs: colour must not be the only difference.
fn badges(toolbox: Toolbox, spec: &'static ActionSpec) -> AnyView {
    let words = toolbox.store.words;
    let effect = match spec.effect {
        Effect::Read | Effect::Screen => None,
        Effect::Write => Some(("b3-chip--info", "✎")),
        Effect::Destructive => Some(("b3-chip--error", "−")),
        Effect::External => Some(("b3-chip--warning", "↗")),
    };
    let chip = |(colours, sign): (&'static str, &'static str), text: &'static str| {
        let class = format!("b3-chip b3-chip--small {colours}");
        view! { <span class=class>{sign}" "{text}</span> }.into_any()
    };
    let quiet = |text: String| view! { <span class="pup-quiet">{text}</span> }.into_any();
    let effect = effect.map(|sign| chip(sign, words.effect(spec.effect)));
    let is_dangerous = spec.danger != Danger::None;
    let dangerous = is_dangerous.then(|| chip(("b3-chip--warning", "⚠\u{fe0e}"), words.dangerous));
    let level = spec.level().filter(|level| *level > Level::Read);
    let needs = level.map(|it| quiet(fill(words.needs, &[("level", words.level(it))])));
    let default = (!spec.default_on).then(|| quiet(words.off_by_default.to_owned()));
    let badges = [effect, dangerous, needs, default].into_iter().flatten();
    view! { <span class="pup-badges">{badges.collect_view()}</span> }.into_any()
}
