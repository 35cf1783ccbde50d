//! Content that is replaced as a whole, and lists whose rows stay.

use leptos::prelude::*;

/// Content that is rebuilt from scratch whenever the signals change that `content` reads.
///
/// A plain closure in a view updates the existing elements instead: fields keep their typed text, and attributes that were
/// spread on a component lose their signals.
pub fn fresh(content: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    fresh_of(Box::new(content))
}

fn fresh_of(content: Box<dyn Fn() -> AnyView + Send + Sync>) -> AnyView {
    // Leptos mounts the content again, because each run returns a new closure.
    let view = move || {
        let mut made = Some(content());
        move || made.take().unwrap_or_else(|| ().into_any())
    };
    view.into_any()
}

/// Rows of a list, each with a key. A row whose key stays keeps its elements, with the focus and the typed texts in them.
///
/// Keys are texts and rows are functions for every list, so that the comparison of keys is compiled once.
#[component]
pub fn Keyed(
    /// The key and the view of each row.
    #[prop(into)]
    rows: Signal<Vec<(String, ViewFn)>>,
) -> AnyView {
    view! { <For each=move || rows.get() key=|row| row.0.clone() children=|row| row.1.run()/> }.into_any()
}
