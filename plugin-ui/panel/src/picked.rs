//! What the matrix and the tools have in common: a filter, and a selection of what it shows.

use crate::state::matrix::Picks;
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_web::host;
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts::space;
use crate::store::Store;

/// The filter's field and the number of rows that are shown.
pub(crate) fn filter(
    store: Store,
    picks: RwSignal<Picks>,
    label: &str,
    all: usize,
    find: impl Fn(String) + 'static,
) -> El {
    let field = el("input", "b3-text-field fn__flex-1").attr("type", "search").attr("data-do", "filter");
    let field = field.attr("placeholder", label).attr("aria-label", label);
    let field = field.on("input", move |event| find(host::plain(&typed(event))));
    // A filter that a key or a button clears is cleared here too.
    let field = field.follow(move |it| {
        if picks.with(|it| it.text.is_empty()) {
            it.clear();
        }
    });
    let all = all.to_string();
    let count = el("span", "pup-quiet").attr("role", "status").says(move || {
        let shown = picks.with(|it| it.shown.len()).to_string();
        fill(store.words.shown, &[("n", &shown), ("all", &all)])
    });
    el("div", "pup-tools-line fn__flex").put(field).put(space()).put(count)
}

/// Escape: it clears the filter, which `find` then does, or else the selection. False where there is nothing to clear.
pub(crate) fn escape(picks: RwSignal<Picks>, find: impl FnOnce(String)) -> bool {
    let (is_filtered, is_selected) =
        picks.with_untracked(|it| (!it.text.is_empty(), !it.selected.is_empty()));
    if is_filtered {
        find(String::new());
    } else if is_selected {
        picks.update(|it| it.selected.clear());
    }
    is_filtered || is_selected
}
