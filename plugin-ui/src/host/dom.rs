//! Elements of the page as the puppy uses them: text in, events out, no values of JavaScript.

use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use wasm_bindgen::JsCast;

pub use web_sys::{KeyboardEvent, PointerEvent};

/// An element.
#[derive(Debug, Clone)]
pub struct Node(web_sys::HtmlElement);

impl Node {
    /// Adds a new element, made of this HTML, as the last child. The HTML is our own, never a title.
    pub fn append(parent: &web_sys::Element, html: &str) -> Option<Node> {
        parent.insert_adjacent_html("beforeend", html).ok()?;
        Some(Node(parent.last_element_child()?.dyn_into().ok()?))
    }

    /// Every element below that matches, in order.
    pub fn all(&self, selector: &str) -> Vec<web_sys::Element> {
        let Ok(list) = self.0.query_selector_all(selector) else { return Vec::new() };
        (0..list.length()).filter_map(|at| list.item(at)?.dyn_into().ok()).collect()
    }

    /// The first element below that matches.
    pub fn find(&self, selector: &str) -> Option<web_sys::Element> {
        self.0.query_selector(selector).ok().flatten()
    }

    /// Sets an attribute, and touches nothing where it is so already.
    pub fn set(&self, name: &str, value: &str) {
        set(&self.0, name, value);
    }

    /// Sets a CSS property.
    pub fn style(&self, property: &str, value: &str) {
        let _ = self.0.style().set_property(property, value);
    }

    /// Left and top edge in the window.
    pub fn place(&self) -> (f64, f64) {
        let area = self.0.get_bounding_client_rect();
        (area.left(), area.top())
    }

    /// Takes it out of the page.
    pub fn remove(&self) {
        self.0.remove();
    }

    /// Sends every further event of a pointer here until it is lifted.
    pub fn capture(&self, pointer: i32) {
        let _ = self.0.set_pointer_capture(pointer);
    }

    /// Listens to the pointer, until the listener is dropped.
    pub fn on_pointer(&self, kind: &'static str, what: impl Fn(&PointerEvent) + 'static) -> EventListener {
        EventListener::new(&self.0, kind, move |event| {
            if let Some(event) = event.dyn_ref() {
                what(event);
            }
        })
    }

    /// Listens to the keys; what answers true is handled here and nowhere else.
    pub fn on_key(&self, what: impl Fn(&KeyboardEvent) -> bool + 'static) -> EventListener {
        let options =
            EventListenerOptions { phase: EventListenerPhase::Bubble, passive: false, ..Default::default() };
        EventListener::new_with_options(&self.0, "keydown", options, move |event| {
            if event.dyn_ref().is_some_and(&what) {
                event.prevent_default();
                event.stop_propagation();
            }
        })
    }

    /// Keeps events of a kind from the host, which would take a touch for its side menu.
    pub fn keep(&self, kind: &'static str) -> EventListener {
        EventListener::new(&self.0, kind, web_sys::Event::stop_propagation)
    }
}

/// Sets an attribute, and touches nothing where it is so already.
pub fn set(element: &web_sys::Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        let _ = element.set_attribute(name, value);
    }
}
