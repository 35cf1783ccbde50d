//! The frame of a page with a draft: its content once it is read, a notice until then, and the bar. It knows none of
//! the pages.

use puppy_plugin_ui::host::dom;
use puppy_plugin_ui::host::el::{El, el};
use puppy_plugin_ui::state::trouble::StorageTrouble;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::page::PanelPage;
use crate::store::{Load, Store};
use crate::{bar, parts};

/// A page: its content once it is read, and a notice until then.
pub(crate) fn frame(
    store: Store,
    page: PanelPage,
    load: RwSignal<Load>,
    broken: &'static str,
    content: fn(Store) -> El,
) -> El {
    let words = store.words;
    let area = el("div", "").shows(move || {
        let what = match load.get() {
            Load::Ready => return content(store),
            Load::Loading => {
                let lines = el("div", "pup-loading").attr("role", "status").attr("aria-label", words.loading);
                return lines.html("<i></i><i></i><i></i>");
            }
            Load::Trouble(StorageTrouble::Silent) => words.silent,
            Load::Trouble(StorageTrouble::Refused) => words.refused,
            Load::Trouble(StorageTrouble::Failed) => words.failed,
            Load::Trouble(StorageTrouble::Broken) => broken,
        };
        let retry = parts::button("retry", words.try_again).on("click", move |event| {
            dom::focus_near(event, ".pup-panel", "[role=tab][aria-selected=true]");
            load.set(Load::Loading);
            store.read();
        });
        let notice = el("div", "pup-trouble").attr("role", "alert");
        notice.put(el("span", "fn__flex-1").text(what)).put(retry)
    });
    let (page_view, grow) = parts::page(page.name(), page.title(words), store.readonly_note());
    page_view.put(grow.put(area)).put(bar::bar(store, page, load))
}
