//! The page of tools and actions: their switches, made from the declarations, a draft until Apply.

mod action;
mod head;
mod keys;
mod tool;
mod toolbox;

use leptos::html;
use leptos::prelude::*;
use puppy_core::find::actions_of;
use puppy_core::spec::Tool;
use puppy_ui_parts::{Button, Group, Space};
use puppy_ui_web::host;

use self::head::{Costs, FilterLines, ManyLine};
use self::tool::ToolCard;
use self::toolbox::Toolbox;
use crate::frame::{self, Frame};
use crate::state::page::{DraftKind, PanelPage};
use crate::store::Store;

#[component]
pub(crate) fn ToolsPage() -> AnyView {
    let store = Store::here();
    view! {
        <Frame
            page=PanelPage::Tools
            drafted=DraftKind::Switches
            load=store.switches_load
            broken=store.words.broken_switches
            content=|store| view! { <Tools store/> }.into_any()
        />
    }
    .into_any()
}

#[component]
fn Tools(store: Store) -> AnyView {
    let toolbox = Toolbox::new(store);
    let tree = NodeRef::<html::Div>::new();
    Effect::new(move || {
        toolbox.picks.track();
        toolbox.unfolded.track();
        if tree.get().is_some() {
            host::spawn(async move {
                // The rows are drawn by then.
                host::sleep(0).await;
                keys::rove(tree);
            });
        }
    });
    let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some());
    let card = move |tool: Tool| view! { <ToolCard toolbox tool/> };
    let is_any_shown = move || toolbox.picks.with(|it| !it.shown.is_empty());
    view! {
        <Group
            title=store.words.tools
            on:keydown=puppy_ui_parts::keys(move |event| frame::escape(event, || toolbox.escape()))
        >
            <div class="pup-hint b3-label__text">{store.words.tools_hint}</div>
            <Costs toolbox/>
            <FilterLines toolbox/>
            <ManyLine toolbox/>
            <div
                node_ref=tree
                role="treegrid"
                aria-label=store.words.tools
                aria-multiselectable="true"
                on:keydown=puppy_ui_parts::keys(move |event| keys::in_tree(toolbox, tree, event))
                on:focusin=move |_| keys::rove(tree)
            >
                {tools.map(card).collect_view()}
            </div>
            <div class="pup-empty" class:fn__none=is_any_shown>
                <span>{toolbox.words.none_shown}</span>
                <Space/>
                <Button name="show-all" text=store.draft_words.show_all press=move |_| toolbox.clear()/>
            </div>
        </Group>
    }
    .into_any()
}
