//! Helpers for events that Leptos does not provide.

use leptos::ev::KeyboardEvent;
use puppy_ui_web::host::dom;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement};

/// A handler of `keydown` that prevents the default action of a key for which `heard` returns true.
pub fn keys(heard: impl Fn(&KeyboardEvent) -> bool + 'static) -> impl Fn(KeyboardEvent) + 'static {
    move |event| {
        if heard(&event) {
            event.prevent_default();
        }
    }
}

/// A handler of `keydown` at the root of a dialog, which keeps keys from the host's hotkeys. Only Esc reaches the host,
/// which closes the dialog. Tab wraps around inside; `own` handles the dialog's own keys.
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

/// Sets the checkbox of an event, which the browser has already toggled.
pub fn set_checked(event: &Event, is: bool) {
    if let Some(field) = event.target().and_then(|it| it.dyn_into::<HtmlInputElement>().ok()) {
        field.set_checked(is);
    }
}

/// Whether the `<details>` of an event `toggle` is open now.
pub fn is_open(event: &Event) -> bool {
    let details = event.target().and_then(|it| it.dyn_into::<Element>().ok());
    details.is_some_and(|it| it.has_attribute("open"))
}

/// The value of an attribute at the target of an event, or at the nearest element around it that has it and is not
/// disabled.
pub fn attribute_near(event: &Event, name: &str) -> Option<String> {
    let from = event.target().and_then(|it| it.dyn_into::<Element>().ok())?;
    from.closest(&format!("[{name}]:not([disabled])")).ok().flatten()?.get_attribute(name)
}
