//! The page of tools and actions: their switches, made from the declarations, a draft until Apply.

mod action;
mod head;
mod keys;
mod tool;
mod toolbox;

use puppy_core::find::actions_of;
use puppy_core::spec::Tool;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use reactive_graph::prelude::*;

use self::toolbox::Toolbox;
use crate::state::page::{Drafted, PanelPage};
use crate::store::Store;
use crate::{frame, parts};

pub(crate) fn page(store: Store) -> El {
    let broken = store.words.broken_switches;
    frame::frame(store, PanelPage::Tools, Drafted::Switches, store.switches_load, broken, content)
}

fn content(store: Store) -> El {
    let toolbox = Toolbox::new(store);
    let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some());
    let all = parts::button("show-all", store.draft_words.show_all).click(move || toolbox.clear());
    let none = el("div", "pup-empty").put(el("span", "").text(toolbox.words.none_shown));
    let none = none.put(parts::space()).put(all);
    let none = none.shown_if(move || toolbox.picks.with(|it| it.shown.is_empty()));
    let tree = el("div", "").attr("role", "treegrid").attr("aria-label", store.words.tools);
    let tree = tree.attr("aria-multiselectable", "true").all(tools.map(|it| tool::card(toolbox, it)));
    let held = tree.clone();
    let tree = tree.keys(move |event| keys::in_tree(toolbox, &held, event));
    let held = tree.clone();
    let tree = tree.on("focusin", move |_| keys::rove(&held)).follow(move |it| {
        toolbox.picks.track();
        toolbox.unfolded.track();
        let tree = it.clone();
        host::spawn(async move {
            // What is shown now is drawn by then.
            host::sleep(0).await;
            keys::rove(&tree);
        });
    });
    let group = parts::group(store.words.tools)
        .put(el("div", "pup-hint b3-label__text").text(store.words.tools_hint))
        .put(head::costs(toolbox))
        .put(head::filter(toolbox))
        .put(head::many(toolbox))
        .put(tree)
        .put(none);
    group.keys(move |event| frame::escape(event, || toolbox.escape()))
}
