//! The frame of a page with a draft: its content once it is read, a notice until then, and the bar. It knows none of
//! the pages.

use puppy_ui_parts::el::{El, KeyboardEvent, el};
use puppy_ui_web::host::dom;
use puppy_ui_web::state::trouble::StorageTrouble;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use puppy_ui_web::words::fill;

use crate::bar::Bar;
use crate::state::page::{Drafted, PanelPage};
use crate::store::Store;
use crate::{changes, parts};
use puppy_ui_web::state::trouble::Load;

/// A page: its content once it is read, and a notice until then.
pub(crate) fn frame(
    store: Store,
    page: PanelPage,
    drafted: Drafted,
    load: RwSignal<Load>,
    broken: &'static str,
    content: fn(Store) -> El,
) -> El {
    let words = store.words;
    let area = el("div", "").shows(move || {
        let what = match load.get() {
            Load::Ready => return content(store),
            Load::Loading => return parts::loading(words.loading),
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
    let bar = Bar::new(store, drafted, load);
    page_view
        .put(grow.put(left(store, drafted, load)).put(area))
        .put(bar.view())
        .keys(move |event| bar.key(event))
}

/// Escape in a page: it closes the panel only where nothing was left to clear.
pub(crate) fn escape(event: &KeyboardEvent, clear: impl FnOnce() -> bool) -> bool {
    let is_cleared = event.key() == "Escape" && clear();
    if is_cleared {
        event.stop_propagation();
    }
    is_cleared
}

/// The question about changes of an earlier visit.
fn left(store: Store, drafted: Drafted, load: RwSignal<Load>) -> El {
    let words = store.draft_words;
    let is_left = move || {
        let is = store.left(drafted).get();
        is && load.get() == Load::Ready && store.changes(drafted) > 0 && !store.readonly
    };
    let text = move || match store.changes(drafted) {
        1 => words.left_one.to_owned(),
        n => fill(words.left, &[("n", &n.to_string())]),
    };
    let answer = move |name, title| {
        parts::button(name, title).on("click", move |event| {
            dom::focus_near(event, ".pup-panel", "[role=tab][aria-selected=true]");
            store.left(drafted).set(false);
            if name == "forget" {
                changes::discard(store, drafted);
            }
        })
    };
    el("div", "pup-trouble pup-paused")
        .attr("role", "status")
        .put(el("span", "fn__flex-1").says(text))
        .put(answer("continue", words.go_on))
        .put(answer("forget", words.forget))
        .shown_if(is_left)
}
