//! The card of a tool: its box over its actions, what it costs, and the actions, made when they are first shown.

use std::cell::Cell;

use puppy_core::find::actions_of;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Tool};
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::state::tri::Tri;
use puppy_ui_web::words::{actions, fill};
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::action::{self, cell};
use super::keys::{CELL, NAME};
use super::toolbox::Toolbox;
use crate::parts::{self, space};

pub(super) fn card(toolbox: Toolbox, tool: Tool) -> El {
    let (store, words) = (toolbox.store, toolbox.store.words);
    let chosen = RwSignal::new(false);
    let is_open = move || chosen.get() || toolbox.is_filtered();
    let tri = move || store.switches.with(|draft| draft.tri(tool));
    let count = move || {
        let (on, all) = store.switches.with(|draft| draft.count(tool));
        if tri() == Tri::Off {
            words.tool_off.to_owned()
        } else {
            fill(words.actions_on, &[("n", &on.to_string()), ("all", &all.to_string())])
        }
    };
    let cost = move || {
        let cost = toolbox.costs.with(|it| it.tool(tool));
        cost.map_or_else(String::new, |it| {
            let [bytes, tokens] = [it.bytes, it.tokens].map(|it| it.to_string());
            fill(toolbox.words.cost, &[("bytes", &bytes), ("tokens", &tokens)])
        })
    };
    let (list, own) = (format!("pup-actions-{}", tool.name()), format!("pup-tool-{}", tool.name()));
    let fold = el("button", "pup-fold").attr("type", "button").attr("aria-controls", &list);
    let fold = fold.attr("aria-label", &fill(words.fold, &[("name", tool.name())]));
    let fold = fold
        .attr(CELL, "0")
        .attr("tabindex", "-1")
        .is("aria-expanded", is_open)
        .put(parts::icon("iconRight"));
    // The search may lead to one of its actions.
    let is_wanted = Cell::new(store.wanted.with_untracked(|it| it.split('.').next() == Some(tool.name())));
    let fold = fold.click(move || chosen.update(|it| *it = !*it)).follow(move |_| {
        chosen.set(toolbox.unfolded.get() || is_wanted.take());
    });
    let label = el("label", "").attr("for", &own);
    let told = actions::tool(&store.lang(), tool);
    let label = label.put(el("span", "config-name").text(tool.name()));
    let label = label.all(told.name.map(action::own_name));
    let label = label.put(el("span", "pup-quiet").says(count));
    let label = label.put(el("span", "pup-cost pup-quiet").says(cost));
    let label = label.put(el("span", "b3-label__text").text(told.summary));
    let header = el("div", "fn__flex-1").attr("role", "rowheader").put(label);
    let title = move || match tri() {
        Tri::On => toolbox.words.all_on,
        Tri::Mixed => toolbox.words.some_on,
        Tri::Off => toolbox.words.none_on,
    };
    let switch = el("input", "b3-switch").attr("type", "checkbox").attr("id", &own);
    let switch = switch
        .attr(CELL, "1")
        .attr("tabindex", "-1")
        .attr("data-tool", tool.name())
        .flag("disabled", store.readonly);
    let switch = switch.has("title", title).tri(tri).on("change", move |_| {
        let is = |on: bool| if on { store.draft_words.turns_on } else { store.draft_words.turns_off };
        let name = fill(is(tri() != Tri::On), &[("name", tool.name())]);
        let is_shown = move |spec: &ActionSpec| {
            place(spec).is_some_and(|at| toolbox.picks.with_untracked(|it| it.shows(at)))
        };
        toolbox.change(&name, |draft| draft.press(tool, is_shown));
    });
    let row = el("div", "fn__flex b3-label config-item pup-tool-row").attr("role", "row");
    let row = row.attr("aria-level", "1").is("aria-expanded", is_open).attr(NAME, tool.name());
    let row = row.class_if("pup-changed", move || store.switches.with(|draft| draft.is_changed(tool, None)));
    // Once they are made they stay: filters and folds only hide them.
    let is_made = Memo::new(move |made: Option<&bool>| made.copied().unwrap_or_default() || is_open());
    let rows =
        el("div", "pup-actions").attr("id", &list).attr("role", "rowgroup").attr("aria-label", tool.name());
    let rows = rows.shown_if(is_open).shows(move || {
        let rows = el("div", "");
        if !is_made.get() {
            return rows;
        }
        rows.all(places_of(tool).filter_map(|at| Some(action::row(toolbox, at, *ACTIONS.get(at)?))))
    });
    let card = el("div", "config-items pup-tool-card")
        .put(row.put(cell(fold)).put(header).put(space()).put(cell(switch)));
    let is_shown = move || toolbox.picks.with(|it| places_of(tool).any(|at| it.shows(at)));
    card.put(rows).shown_if(is_shown)
}

/// The places of a tool's actions.
fn places_of(tool: Tool) -> impl Iterator<Item = usize> {
    ACTIONS.iter().enumerate().filter(move |(_, spec)| spec.tool == tool).map(|(place, _)| place)
}

fn place(spec: &ActionSpec) -> Option<usize> {
    let before = places_of(spec.tool).next()?;
    actions_of(spec.tool).position(|it| it.name == spec.name).map(|at| before + at)
}
