//! Values of attributes and signals.

use leptos::prelude::*;

/// A condition as the value of an attribute such as `aria-pressed`.
pub const fn yes(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// Sets a signal to a value that it does not have already, so that an unchanged field keeps what a person types in it.
pub fn show<T: PartialEq + Send + Sync + Clone + 'static>(signal: RwSignal<T>, value: T) {
    if signal.try_get_untracked().is_some_and(|it| it != value) {
        signal.try_set(value);
    }
}
