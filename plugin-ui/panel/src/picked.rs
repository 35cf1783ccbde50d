//! The filter and the selection that the matrix and the tools have in common.

use crate::state::matrix::Picks;
use leptos::html;
use leptos::prelude::*;
use puppy_ui_parts::Space;
use puppy_ui_web::host;
use puppy_ui_web::words::fill;

use crate::store::Store;

/// The filter's field and the number of rows that are shown.
#[component]
pub(crate) fn Filter(
    store: Store,
    picks: RwSignal<Picks>,
    label: &'static str,
    /// The number of all rows.
    all: usize,
    /// Receives the text with every key, in the form in which it is compared.
    #[prop(into)]
    find: Callback<String>,
) -> AnyView {
    let field = NodeRef::<html::Input>::new();
    // A filter that a key or a button clears is cleared here too.
    Effect::new(move || {
        let is_empty = picks.with(|it| it.text.is_empty());
        if let Some(field) = field.get().filter(|it| is_empty && !it.value().is_empty()) {
            field.set_value("");
        }
    });
    let count = move || {
        let shown = picks.with(|it| it.shown.len()).to_string();
        fill(store.words.shown, &[("n", &shown), ("all", &all.to_string())])
    };
    view! {
        <div class="pup-tools-line fn__flex">
            <input
                node_ref=field
                class="b3-text-field fn__flex-1"
                type="search"
                data-do="filter"
                placeholder=label
                aria-label=label
                on:input=move |event| {
                    find.try_run(host::plain(&event_target_value(&event)));
                }
            />
            <Space/>
            <span class="pup-quiet" role="status">{count}</span>
        </div>
    }
    .into_any()
}

/// Clears the filter through `find`, or the selection if nothing is filtered. Returns false if there is nothing to clear.
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
