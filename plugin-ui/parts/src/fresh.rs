//! Content that is replaced as a whole.

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
