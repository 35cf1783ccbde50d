//! Below the matrix: what an agent would see under the drafts, applied or not.

use crate::state::effective::{Effective, Reach, ToolReach};
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_ui_parts::el::{El, attribute_near, el};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts;
use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_web::state::trouble::Load;

/// The notebooks of a level that are named.
const NAMED: usize = 20;

/// The view of an agent: a sentence, and on request each level and each tool.
pub(super) fn view(store: Store) -> El {
    let words = store.draft_words;
    let is_open = RwSignal::new(false);
    let told = move || {
        let view = seen(store);
        let tools = view.tools().iter().filter(|it| it.offered > 0).count();
        let all = store.notebooks.with(Vec::len);
        let numbers = [view.visible(), all, view.actions(), ACTIONS.len(), tools].map(|it| it.to_string());
        let [n, all, actions, total, tools] = &numbers;
        let values = [("n", n), ("all", all), ("actions", actions), ("total", total), ("tools", tools)];
        fill(words.sees, &values.map(|(key, value)| (key, value.as_str())))
    };
    let summary = el("summary", "").put(el("span", "config-name").says(told));
    let summary = summary.put(parts::hint(words.view_hint));
    let details = el("details", "pup-view b3-label config-item").attr("data-name", "effective").put(summary);
    let details = details.on("toggle", move |event| is_open.set(attribute_near(event, "open").is_some()));
    let inside = el("div", "").shows(move || if is_open.get() { detail(store) } else { el("div", "") });
    parts::group(words.view).put(parts::card().put(details.put(inside)))
}

/// What an agent would see; the switches count as they are by default while they cannot be read.
fn seen(store: Store) -> Effective {
    let is_known = store.switches_load.get() == Load::Ready;
    store.levels.with(|levels| {
        store.notebooks.with(|notebooks| {
            store.switches.with(|switches| {
                let levels = Some((levels, notebooks.as_slice()));
                if is_known {
                    Effective::new(levels, switches.now())
                } else {
                    Effective::new(levels, &puppy_core::config::Switches::default())
                }
            })
        })
    })
}

fn detail(store: Store) -> El {
    let words = store.draft_words;
    let view = seen(store);
    let level = |level: Level| {
        let names = store.notebooks.with(|notebooks| view.names_at(level, notebooks));
        if names.is_empty() {
            return None;
        }
        let told = words.names(&names, NAMED, store.words.list_comma);
        let n = names.len().to_string();
        let values = [("level", store.words.level(level)), ("n", &n), ("names", &told)];
        let title = el("div", "").text(&fill(words.at, &values));
        let Reach { reads, changes, deletes } = view.reach(level);
        let [reads, changes, deletes] = [reads, changes, deletes].map(|it| it.to_string());
        let reach = fill(words.reach, &[("reads", &reads), ("changes", &changes), ("deletes", &deletes)]);
        let hint = parts::hint(if level == Level::None { words.unseen } else { &reach });
        Some(el("li", "").attr("data-level", level.word()).put(title).put(hint))
    };
    let levels = el("ul", "pup-view-levels").all(Level::ALL.into_iter().rev().filter_map(level));
    let tool = |it: ToolReach| {
        let numbers = [it.offered, it.all, it.withheld].map(|it| it.to_string());
        let [n, all, withheld] = &numbers;
        let values = [("tool", it.tool.name()), ("n", n), ("all", all), ("withheld", withheld)];
        let text = if it.withheld > 0 { words.tool_withheld } else { words.tool };
        el("li", "").attr("data-name", it.tool.name()).text(&fill(text, &values))
    };
    let tools = el("ul", "pup-view-tools").all(view.tools().into_iter().map(tool));
    let way = parts::button("go", words.to_tools).attr("data-to", PanelPage::Tools.name());
    let way = way.click(move || store.go(PanelPage::Tools));
    el("div", "").put(levels).put(tools).put(el("div", "pup-buttons").put(way))
}
