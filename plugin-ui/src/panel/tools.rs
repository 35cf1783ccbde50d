//! The switches of tools and actions, made from the declarations.

use leptos::prelude::*;
use puppy_core::find::actions_of;
use puppy_core::permission::Level;
use puppy_core::spec::{ActionSpec, Danger, Effect, Tool};

use crate::frame;
use crate::page::PanelPage;
use crate::store::Store;
use puppy_plugin_ui::words::fill;

pub(crate) fn page(store: Store) -> impl IntoView {
    frame::frame(store, PanelPage::Tools, store.switches_load, store.words.broken_switches, move || {
        let words = store.words;
        let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some());
        view! {
            <div class="config-group">
                <div class="config-title">{words.tools}</div>
                <div class="pup-hint b3-label__text">{words.tools_hint}</div>
                {tools.map(|it| tool(store, it)).collect_view()}
            </div>
        }
        .into_any()
    })
}

fn tool(store: Store, tool: Tool) -> impl IntoView {
    let words = store.words;
    let is_open = RwSignal::new(true);
    let is_on = Memo::new(move |_| store.switches.with(|draft| draft.now().tool_is_on(tool)));
    let count = move || {
        let (on, all) = store.switches.with(|draft| draft.count(tool));
        if is_on.get() {
            fill(words.actions_on, &[("n", &on.to_string()), ("all", &all.to_string())])
        } else {
            words.tool_off.to_owned()
        }
    };
    let is_changed = move || store.switches.with(|draft| draft.is_changed(tool, None));
    let list = format!("pup-actions-{}", tool.name());
    view! {
        <div class="config-items pup-tool-card">
            <div class="fn__flex b3-label config-item pup-tool-row" class=("pup-changed", is_changed)>
                <button
                    class="pup-fold"
                    type="button"
                    aria-expanded=move || is_open.get().to_string()
                    aria-controls=list.clone()
                    aria-label=fill(words.fold, &[("name", tool.name())])
                    on:click=move |_| is_open.update(|it| *it = !*it)
                >
                    {frame::icon("iconRight")}
                </button>
                <label class="fn__flex-1" for=format!("pup-tool-{}", tool.name())>
                    <span class="config-name">{tool.name()}</span>
                    <span class="pup-quiet">{count}</span>
                    <span class="b3-label__text">{tool.purpose()}</span>
                </label>
                <span class="fn__space"></span>
                <input
                    class="b3-switch fn__flex-center"
                    type="checkbox"
                    id=format!("pup-tool-{}", tool.name())
                    data-tool=tool.name()
                    disabled=store.readonly
                    prop:checked=move || is_on.get()
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        store.edit_switches(|draft| draft.set_tool(tool, on));
                    }
                />
            </div>
            <div id=list class="pup-actions" class=("fn__none", move || !is_open.get())>
                {actions_of(tool).map(|spec| action(store, spec, is_on)).collect_view()}
            </div>
        </div>
    }
}

fn action(store: Store, spec: &'static ActionSpec, tool_is_on: Memo<bool>) -> impl IntoView {
    let is_on = Memo::new(move |_| store.switches.with(|draft| draft.now().action_switch(spec)));
    let is_changed = move || store.switches.with(|draft| draft.is_changed(spec.tool, Some(spec.name)));
    view! {
        <label class="fn__flex pup-action" class=("pup-changed", is_changed) class=("pup-dim", move || !tool_is_on.get())>
            <span class="fn__flex-1">
                <span class="pup-action-name">{spec.name}</span>
                {badges(store, spec)}
                <span class="b3-label__text">{spec.summary()}</span>
            </span>
            <span class="fn__space"></span>
            <input
                class="b3-switch fn__flex-center"
                type="checkbox"
                data-action=spec.path()
                disabled=store.readonly
                prop:checked=move || is_on.get()
                on:change=move |event| {
                    let on = event_target_checked(&event);
                    store.edit_switches(|draft| draft.set_action(spec, on));
                }
            />
        </label>
    }
}

/// The effect and the needs of an action, as words and signs: colour alone does not tell them.
fn badges(store: Store, spec: &'static ActionSpec) -> impl IntoView {
    let words = store.words;
    let chip = |colours: &'static str, text: String| {
        let class = format!("b3-chip b3-chip--small {colours}");
        view! { <span class=class>{text}</span> }
    };
    let effect = match spec.effect {
        Effect::Read | Effect::Screen => None,
        Effect::Write => Some(("b3-chip--info", "✎")),
        Effect::Destructive => Some(("b3-chip--error", "−")),
        Effect::External => Some(("b3-chip--warning", "↗")),
    };
    let dangerous = match spec.danger {
        Danger::None => None,
        Danger::Always(_) | Danger::Sometimes(_) => {
            Some(chip("b3-chip--warning", format!("⚠\u{fe0e} {}", words.dangerous)))
        }
    };
    let level = spec.level().filter(|level| *level > Level::Read);
    view! {
        <span class="pup-badges">
            {effect.map(|(colours, sign)| chip(colours, format!("{sign} {}", words.effect(spec.effect))))}
            {dangerous}
            {level.map(|it| view! { <span class="pup-quiet">{fill(words.needs, &[("level", words.level(it))])}</span> })}
            {(!spec.default_on).then(|| view! { <span class="pup-quiet">{words.off_by_default}</span> })}
        </span>
    }
}
