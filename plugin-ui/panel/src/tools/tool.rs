//! The card of a tool: its box over its actions, what it costs, and the actions, made when they are first shown.

use leptos::prelude::*;
use puppy_core::find::actions_of;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Tool};
use puppy_ui_parts::{Check, Icon, Space, coded, yes};
use puppy_ui_web::state::tri::Tri;
use puppy_ui_web::words::{actions, fill, grouped};

use super::action::ActionRow;
use super::toolbox::Toolbox;

#[component]
pub(super) fn ToolCard(toolbox: Toolbox, tool: Tool) -> AnyView {
    let store = toolbox.store;
    // The search may lead to one of its actions.
    let is_wanted = store.wanted.with_untracked(|it| it.split('.').next() == Some(tool.name()));
    let chosen = RwSignal::new(is_wanted);
    Effect::watch(move || toolbox.unfolded.get(), move |is, _, _| chosen.set(*is), false);
    let is_open = Memo::new(move |_| chosen.get() || toolbox.is_filtered());
    // Once they are made they stay: filters and folds only hide them.
    let is_made = Memo::new(move |made: Option<&bool>| made.copied().unwrap_or_default() || is_open.get());
    let rows = move || {
        let row = |place| Some(view! { <ActionRow toolbox place spec=*ACTIONS.get(place)?/> });
        places_of(tool).filter_map(row).collect_view()
    };
    let list = format!("pup-actions-{}", tool.name());
    let is_shown = move || toolbox.picks.with(|it| places_of(tool).any(|at| it.shows(at)));
    view! {
        <div class="config-items pup-tool-card" class:fn__none=move || !is_shown()>
            <div
                class="fn__flex b3-label config-item pup-tool-row"
                class:pup-changed=move || store.switches.with(|draft| draft.is_changed(tool, None))
                role="row"
                attr:aria-level="1"
                aria-expanded=move || yes(is_open.get())
                data-row=tool.name()
            >
                <span class="fn__flex-center" role="gridcell">
                    <button
                        class="pup-fold"
                        type="button"
                        aria-controls=list.clone()
                        aria-label=fill(store.words.fold, &[("name", tool.name())])
                        data-cell="0"
                        tabindex="-1"
                        aria-expanded=move || yes(is_open.get())
                        on:click=move |_| chosen.update(|it| *it = !*it)
                    >
                        <Icon symbol="iconRight"/>
                    </button>
                </span>
                <Head toolbox tool/>
                <Space/>
                <ToolSwitch toolbox tool/>
            </div>
            <div
                class="pup-actions"
                class:fn__none=move || !is_open.get()
                id=list
                role="rowgroup"
                aria-label=tool.name()
            >
                <div>
                    <Show when=move || is_made.get()>{rows()}</Show>
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// The names of a tool, how many of its actions are on, and its share of the costs.
#[component]
fn Head(toolbox: Toolbox, tool: Tool) -> AnyView {
    let (store, words) = (toolbox.store, toolbox.store.words);
    let wording = actions::tool(&store.lang(), tool);
    let count = move || {
        store.switches.with(|draft| {
            let (on, all) = draft.count(tool);
            if draft.tri(tool) == Tri::Off {
                words.tool_off.to_owned()
            } else {
                fill(words.actions_on, &[("n", &on.to_string()), ("all", &all.to_string())])
            }
        })
    };
    let cost = move || {
        let cost = toolbox.costs.with(|it| it.tool(tool));
        cost.map_or_else(String::new, |it| {
            fill(toolbox.words.cost, &[("tokens", &grouped(&it.tokens.to_string()))])
        })
    };
    view! {
        <div class="fn__flex-1" role="rowheader">
            <label for=id(tool)>
                <span class="config-name">{wording.name.unwrap_or(tool.name())}</span>
                <span class="pup-own-name pup-quiet">"(" {tool.name()} ")"</span>
                <span class="pup-quiet">{count}</span>
                <span class="pup-cost pup-quiet">{cost}</span>
                <span class="b3-label__text">{coded(wording.summary)}</span>
            </label>
        </div>
    }
    .into_any()
}

/// The switch of a tool, over the switches of its actions.
#[component]
fn ToolSwitch(toolbox: Toolbox, tool: Tool) -> AnyView {
    let store = toolbox.store;
    let tri = move || store.switches.with(|draft| draft.tri(tool));
    let title = move || match tri() {
        Tri::On => toolbox.words.all_on,
        Tri::Mixed => toolbox.words.some_on,
        Tri::Off => toolbox.words.none_on,
    };
    let press = move || {
        let is = |on: bool| if on { store.draft_words.turns_on } else { store.draft_words.turns_off };
        let name = fill(is(tri() != Tri::On), &[("name", tool.name())]);
        let is_shown = move |spec: &ActionSpec| {
            place(spec).is_some_and(|at| toolbox.picks.with_untracked(|it| it.shows(at)))
        };
        toolbox.change(&name, |draft| draft.press(tool, is_shown));
    };
    view! {
        <span class="fn__flex-center" role="gridcell">
            <Check
                class="b3-switch"
                disabled=store.readonly
                is_on=move || tri().ticked()
                set=move |_| press()
                attr:id=id(tool)
                attr:data-cell="1"
                attr:tabindex="-1"
                attr:data-tool=tool.name()
                attr:title=title
            />
        </span>
    }
    .into_any()
}

fn id(tool: Tool) -> String {
    format!("pup-tool-{}", tool.name())
}

/// The places of a tool's actions.
fn places_of(tool: Tool) -> impl Iterator<Item = usize> {
    ACTIONS.iter().enumerate().filter(move |(_, spec)| spec.tool == tool).map(|(place, _)| place)
}

fn place(spec: &ActionSpec) -> Option<usize> {
    let before = places_of(spec.tool).next()?;
    actions_of(spec.tool).position(|it| it.name == spec.name).map(|at| before + at)
}
