//! Below the matrix: what an agent would see under the drafts, applied or not.

use crate::state::effective::{Effective, Reach, ToolReach};
use leptos::prelude::*;
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_ui_parts::{Button, Card, Group, Hint, attribute_near, fresh};
use puppy_ui_web::words::fill;

use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_web::state::trouble::Load;

/// The notebooks of a level that are named.
const NAMED: usize = 20;

/// The view of an agent: a sentence, and on request each level and each tool.
#[component]
pub(super) fn AgentView(store: Store) -> AnyView {
    let words = store.draft_words;
    let is_open = RwSignal::new(false);
    let counts = move || {
        let view = seen(store);
        let tools = view.tools().iter().filter(|it| it.offered > 0).count();
        let all = store.notebooks.with(Vec::len);
        let numbers = [view.visible(), all, view.actions(), ACTIONS.len(), tools].map(|it| it.to_string());
        let [n, all, actions, total, tools] = &numbers;
        let values = [("n", n), ("all", all), ("actions", actions), ("total", total), ("tools", tools)];
        fill(words.sees, &values.map(|(key, value)| (key, value.as_str())))
    };
    let inside = move || {
        if is_open.get() { detail(store) } else { view! { <div></div> }.into_any() }
    };
    view! {
        <Group title=words.view>
            <Card>
                <details
                    class="pup-view b3-label config-item"
                    data-name="effective"
                    on:toggle=move |event| is_open.set(attribute_near(&event, "open").is_some())
                >
                    <summary><span class="config-name">{counts}</span><Hint text=words.view_hint/></summary>
                    <div>{fresh(inside)}</div>
                </details>
            </Card>
        </Group>
    }
    .into_any()
}

/// The view of an agent under the drafts, with the default switches while the switches cannot be read.
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

/// Each level and each tool, as a function, since the body of a component follows no signals.
fn detail(store: Store) -> AnyView {
    let words = store.draft_words;
    let view = seen(store);
    let level = |level: Level| {
        let names = store.notebooks.with(|notebooks| view.names_at(level, notebooks));
        if names.is_empty() {
            return None;
        }
        let listed = words.names(&names, NAMED, store.words.list_comma);
        let n = names.len().to_string();
        let values = [("level", store.words.level(level)), ("n", &n), ("names", &listed)];
        let Reach { reads, changes, deletes } = view.reach(level);
        let [reads, changes, deletes] = [reads, changes, deletes].map(|it| it.to_string());
        let text = if level == Level::Write { words.reach_write } else { words.reach };
        let reach = fill(text, &[("reads", &reads), ("changes", &changes), ("deletes", &deletes)]);
        let reach = if level == Level::None { words.unseen.to_owned() } else { reach };
        Some(
            view! { <li data-level=level.word()><div>{fill(words.at, &values)}</div><Hint text=reach/></li> },
        )
    };
    let tool = |it: ToolReach| {
        let numbers = [it.offered, it.all, it.withheld].map(|it| it.to_string());
        let [n, all, withheld] = &numbers;
        let values = [("tool", it.tool.name()), ("n", n), ("all", all), ("withheld", withheld)];
        let text = if it.withheld > 0 { words.tool_withheld } else { words.tool };
        view! { <li data-name=it.tool.name()>{fill(text, &values)}</li> }
    };
    let to = PanelPage::Tools;
    view! {
        <div>
            <ul class="pup-view-levels">{Level::ALL.into_iter().rev().filter_map(level).collect_view()}</ul>
            <ul class="pup-view-tools">{view.tools().into_iter().map(tool).collect_view()}</ul>
            <div class="pup-buttons">
                <Button name="go" text=words.to_tools press=move |_| store.go(to) attr:data-to=to.name()/>
            </div>
        </div>
    }
    .into_any()
}
