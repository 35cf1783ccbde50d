//! The switches of tools and actions, made from the declarations.

use puppy_core::find::actions_of;
use puppy_core::permission::Level;
use puppy_core::spec::{ActionSpec, Danger, Effect, Tool};
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::frame;
use crate::page::PanelPage;
use crate::parts::{self, space};
use crate::store::Store;
use puppy_plugin_ui::host::el::{El, el, is_checked};
use puppy_plugin_ui::words::{actions, fill};

pub(crate) fn page(store: Store) -> El {
    frame::frame(store, PanelPage::Tools, store.switches_load, store.words.broken_switches, |store| {
        let words = store.words;
        let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some());
        let group =
            parts::group(words.tools).put(el("div", "pup-hint b3-label__text").text(words.tools_hint));
        group.all(tools.map(|it| tool(store, it)))
    })
}

fn tool(store: Store, tool: Tool) -> El {
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
    let (list, own) = (format!("pup-actions-{}", tool.name()), format!("pup-tool-{}", tool.name()));
    let fold = el("button", "pup-fold").attr("type", "button").attr("aria-controls", &list);
    let fold = fold.attr("aria-label", &fill(words.fold, &[("name", tool.name())]));
    let fold = fold.is("aria-expanded", move || is_open.get()).put(parts::icon("iconRight"));
    let fold = fold.click(move || is_open.update(|it| *it = !*it));
    let label = el("label", "fn__flex-1").attr("for", &own);
    let told = actions::tool(&store.lang(), tool);
    let label = label.put(el("span", "config-name").text(tool.name()));
    let label = label.all(told.name.map(own_name));
    let label = label.put(el("span", "pup-quiet").says(count));
    let label = label.put(el("span", "b3-label__text").text(told.summary));
    let switch = el("input", "b3-switch fn__flex-center").attr("type", "checkbox").attr("id", &own);
    let switch = switch.attr("data-tool", tool.name()).flag("disabled", store.readonly);
    let switch = switch.checked(move || is_on.get()).on("change", move |event| {
        let on = is_checked(event);
        store.edit_switches(|draft| draft.set_tool(tool, on));
    });
    let row = el("div", "fn__flex b3-label config-item pup-tool-row");
    let row = row.class_if("pup-changed", move || store.switches.with(|draft| draft.is_changed(tool, None)));
    let rows = el("div", "pup-actions").attr("id", &list).shown_if(move || is_open.get());
    let rows = rows.all(actions_of(tool).map(|spec| action(store, spec, is_on)));
    let card = el("div", "config-items pup-tool-card");
    card.put(row.put(fold).put(label).put(space()).put(switch)).put(rows)
}

fn action(store: Store, spec: &'static ActionSpec, tool_is_on: Memo<bool>) -> El {
    let is_on = Memo::new(move |_| store.switches.with(|draft| draft.now().action_switch(spec)));
    let is_changed = move || store.switches.with(|draft| draft.is_changed(spec.tool, Some(spec.name)));
    let told = actions::action(&store.lang(), spec);
    let names = el("span", "fn__flex-1").put(el("span", "pup-action-name").text(spec.name));
    let names = names.all(told.name.map(own_name)).put(badges(store, spec));
    let names = names.put(el("span", "b3-label__text").text(told.summary));
    let switch = el("input", "b3-switch fn__flex-center").attr("type", "checkbox");
    let switch = switch.attr("data-action", &spec.path()).flag("disabled", store.readonly);
    let switch = switch.checked(move || is_on.get()).on("change", move |event| {
        let on = is_checked(event);
        store.edit_switches(|draft| draft.set_action(spec, on));
    });
    let row = el("label", "fn__flex pup-action").class_if("pup-changed", is_changed);
    row.class_if("pup-dim", move || !tool_is_on.get()).put(names).put(space()).put(switch)
}

/// The name in the language of the page, behind the one that agents use.
fn own_name(name: &str) -> El {
    el("span", "pup-own-name").text(name)
}

/// The effect and the needs of an action, as words and signs: colour alone does not tell them.
fn badges(store: Store, spec: &'static ActionSpec) -> El {
    let words = store.words;
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
