//! Content that is replaced as a whole.

use leptos::prelude::*;

/// Content that is made again, and replaces the earlier one, whenever the signals change that `content` reads.
///
/// A plain closure in a view changes the elements that are there: fields keep what is typed in them, and attributes that
/// were spread on a component lose their signals. Here everything starts from the beginning.
pub fn fresh(content: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    fresh_of(Box::new(content))
}

fn fresh_of(content: Box<dyn Fn() -> AnyView + Send + Sync>) -> AnyView {
    // A closure that is given again is mounted again, by Leptos' rules.
    let view = move || {
        let mut made = Some(content());
        move || made.take().unwrap_or_else(|| ().into_any())
    };
    view.into_any()
}
