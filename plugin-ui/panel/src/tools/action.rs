//! The row of an action: what it is, what it needs, its box and its switch.

use puppy_core::permission::Level;
use puppy_core::spec::{ActionSpec, Danger, Effect};
use puppy_ui_parts::el::{El, check, el, is_checked, is_shifted};
use puppy_ui_web::state::tri::Tri;
use puppy_ui_web::words::{actions, fill};
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;

use super::keys::{CELL, NAME};
use super::toolbox::Toolbox;
use crate::parts::space;
use crate::state::page::PanelPage;

pub(super) fn row(toolbox: Toolbox, place: usize, spec: &'static ActionSpec) -> El {
    let store = toolbox.store;
    let path = spec.path();
    let id = format!("pup-action-{path}");
    let is_on = Memo::new(move |_| store.switches.with(|draft| draft.now().action_switch(spec)));
    let is_changed =
        Memo::new(move |_| store.switches.with(|draft| draft.is_changed(spec.tool, Some(spec.name))));
    let is_dim = Memo::new(move |_| store.switches.with(|draft| !draft.now().tool_is_on(spec.tool)));
    let is_withheld = Memo::new(move |_| toolbox.offer.with(|it| it.withholds(spec)));
    let names = el("label", "fn__flex-1").attr("for", &id);
    let told = actions::action(&store.lang(), spec);
    let names = names.put(el("span", "pup-action-name").text(spec.name)).all(told.name.map(own_name));
    let names = names.put(badges(toolbox, spec)).put(el("span", "b3-label__text").text(told.summary));
    let select = el("input", "pup-check").attr("type", "checkbox").flag("disabled", store.readonly);
    let select = select.attr("data-select", &path).attr(CELL, "0").attr("tabindex", "-1");
    let select = select.attr("aria-label", &fill(store.draft_words.select, &[("name", &path)]));
    let select = select.follow(move |it| {
        it.set_tri(toolbox.picks.with(|it| if it.selected.has(place) { Tri::On } else { Tri::Off }));
    });
    let select = select.on("click", move |event| {
        toolbox.picks.update(|it| it.select(place, is_shifted(event)));
        check(event, toolbox.picks.with_untracked(|it| it.selected.has(place)));
    });
    let switch = el("input", "b3-switch").attr("type", "checkbox").attr("id", &id);
    let switch = switch
        .attr(CELL, "1")
        .attr("tabindex", "-1")
        .attr("data-action", &path)
        .flag("disabled", store.readonly);
    let switch = switch.checked(move || is_on.get()).on("change", move |event| {
        let on = is_checked(event);
        let text = if on { store.draft_words.turns_on } else { store.draft_words.turns_off };
        toolbox.change(&fill(text, &[("name", &spec.path())]), |draft| draft.set_action(spec, on));
    });
    let way = el("button", "pup-link").attr("type", "button").attr("data-to", PanelPage::Permissions.name());
    let way = way.text(toolbox.words.to_levels).click(move || store.go(PanelPage::Permissions));
    let withheld = el("span", "pup-withheld pup-quiet").text(toolbox.words.withheld).text(" ").put(way);
    let withheld = withheld.shown_if(move || is_withheld.get());
    let names = el("div", "fn__flex-1").attr("role", "rowheader").put(names).put(withheld);
    el("div", "fn__flex pup-action")
        .attr("role", "row")
        .attr("aria-level", "2")
        .attr(NAME, spec.name)
        .is("aria-selected", move || toolbox.picks.with(|it| it.selected.has(place)))
        .class_if("pup-changed", move || is_changed.get())
        .class_if("pup-dim", move || is_dim.get())
        .put(cell(select))
        .put(names)
        .put(space())
        .put(cell(switch))
        .shown_if(move || toolbox.picks.with(|it| it.shows(place)))
}

/// A control as a cell of the tree.
pub(super) fn cell(control: El) -> El {
    el("span", "fn__flex-center").attr("role", "gridcell").put(control)
}

/// The name in the language of the page, behind the one that agents use.
pub(super) fn own_name(name: &str) -> El {
    el("span", "pup-own-name").text(name)
}

/// The effect and the needs of an action, as words and signs: colour alone does not tell them.
fn badges(toolbox: Toolbox, spec: &'static ActionSpec) -> El {
    let words = toolbox.store.words;
    let effect = match spec.effect {
        Effect::Read | Effect::Screen => None,
        Effect::Write => Some(("b3-chip--info", "✎")),
        Effect::Destructive => Some(("b3-chip--error", "−")),
        Effect::External => Some(("b3-chip--warning", "↗")),
    };
    let chip = |(colours, sign): (&str, &str), text: &str| {
        el("span", &format!("b3-chip b3-chip--small {colours}")).text(sign).text(" ").text(text)
    };
    let quiet = |text: &str| el("span", "pup-quiet").text(text);
    let effect = effect.map(|sign| chip(sign, words.effect(spec.effect)));
    let is_dangerous = spec.danger != Danger::None;
    let dangerous = is_dangerous.then(|| chip(("b3-chip--warning", "⚠\u{fe0e}"), words.dangerous));
    let level = spec.level().filter(|level| *level > Level::Read);
    let needs = level.map(|it| quiet(&fill(words.needs, &[("level", words.level(it))])));
    let default = (!spec.default_on).then(|| quiet(words.off_by_default));
    el("span", "pup-badges").all([effect, dangerous, needs, default].into_iter().flatten())
}
