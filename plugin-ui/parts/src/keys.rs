//! Events that a view cannot handle with Leptos' own helpers alone.

use leptos::ev::KeyboardEvent;
use puppy_ui_web::host::dom;
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

/// A handler of `keydown` at the root of a dialog: the host's hotkeys stay alive behind it. Esc alone is for the host, which
/// closes the dialog; Tab leads around inside, and `own` are the dialog's own keys.
pub fn hold_keys(own: fn(&KeyboardEvent) -> bool) -> impl Fn(KeyboardEvent) + 'static {
    keys(move |event| {
        if event.key() == "Escape" {
            return false;
        }
        event.stop_propagation();
        let root = event.current_target().and_then(|it| it.dyn_into().ok()).filter(|_| event.key() == "Tab");
        own(event) || root.is_some_and(|root| dom::wrap_focus(&root, event.shift_key()))
    })
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
