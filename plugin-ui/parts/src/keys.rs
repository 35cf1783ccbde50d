//! Events that a view cannot handle with Leptos' own helpers alone.

use leptos::ev::KeyboardEvent;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement};

/// A handler of `keydown`; a key for which `heard` returns true does nothing else.
pub fn keys(heard: impl Fn(&KeyboardEvent) -> bool + 'static) -> impl Fn(KeyboardEvent) + 'static {
    move |event| {
        if heard(&event) {
            event.prevent_default();
        }
    }
}

/// Sets the box of an event: the page has already moved it by its own rules.
pub fn set_checked(event: &Event, is: bool) {
    if let Some(field) = event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok()) {
        field.set_checked(is);
    }
}

/// The value of an attribute at the target of an event, or at what is around it and not disabled.
pub fn attribute_near(event: &Event, name: &str) -> Option<String> {
    let from = event.target().and_then(|it| it.dyn_into::<Element>().ok())?;
    from.closest(&format!("[{name}]:not([disabled])")).ok().flatten()?.get_attribute(name)
}
