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

    /// Adds a new element inside, as the last child.
    pub fn child(&self, html: &str) -> Option<Node> {
        Node::append(&self.0, html)
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

    /// Sets an attribute, unless it has that value already.
    pub fn set(&self, name: &str, value: &str) {
        set(&self.0, name, value);
    }

    /// Sets a CSS property.
    pub fn style(&self, property: &str, value: &str) {
        let _ = self.0.style().set_property(property, value);
    }

    /// Whether an attribute is there.
    pub fn has(&self, name: &str) -> bool {
        self.0.has_attribute(name)
    }

    /// Removes an attribute.
    pub fn unset(&self, name: &str) {
        let _ = self.0.remove_attribute(name);
    }

    /// Sets its text.
    pub fn text(&self, text: &str) {
        self.0.set_text_content(Some(text));
    }

    /// Puts the focus on the first element inside that matches.
    pub fn focus_in(&self, selector: &str) {
        focus(&self.0, selector);
    }

    /// Puts the focus on it.
    pub fn focus(&self) {
        let _ = self.0.focus();
    }

    /// Whether it has the focus itself.
    pub fn has_focus(&self) -> bool {
        super::document().and_then(|it| it.active_element()).as_ref() == Some(AsRef::as_ref(&self.0))
    }

    /// Whether the focus is in it, or the pointer over it.
    pub fn is_in_use(&self) -> bool {
        self.0.matches(":hover, :focus-within").unwrap_or_default()
    }

    /// Whether an event came from inside.
    pub fn holds(&self, event: &web_sys::Event) -> bool {
        event.target().and_then(|it| it.dyn_into().ok()).is_some_and(|it| self.0.contains(Some(&it)))
    }

    /// Replaces its children. The HTML is our own, never a title.
    pub fn fill(&self, html: &str) {
        self.0.set_inner_html(html);
    }

    /// Makes it a square.
    pub fn size_to(&self, side: i32) {
        self.style("width", &format!("{side}px"));
        self.style("height", &format!("{side}px"));
    }

    /// Width and height.
    pub fn size(&self) -> (i32, i32) {
        (self.0.offset_width(), self.0.offset_height())
    }

    /// Listens to clicks on elements with `data-pick` that are not disabled, until the listener is dropped.
    pub fn on_pick(&self, what: impl Fn(&str) + 'static) -> EventListener {
        EventListener::new(&self.0, "click", move |event| {
            let from = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
            let picked =
                from.and_then(|it| it.closest("[data-pick]:not([aria-disabled=true])").ok().flatten());
            if let Some(word) = picked.and_then(|it| it.get_attribute("data-pick")) {
                what(&word);
            }
        })
    }

    /// Listens to the focus coming, until the listener is dropped.
    pub fn on_focus(&self, what: impl Fn() + 'static) -> EventListener {
        EventListener::new(&self.0, "focus", move |_| what())
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
        pointer(&self.0, kind, what)
    }

    /// Listens to keys; a key for which `what` returns true is handled here and nowhere else.
    pub fn on_key(&self, what: impl Fn(&KeyboardEvent) -> bool + 'static) -> EventListener {
        let options = EventListenerOptions { phase: EventListenerPhase::Bubble, passive: false };
        EventListener::new_with_options(&self.0, "keydown", options, move |event| {
            if event.dyn_ref().is_some_and(&what) {
                event.prevent_default();
                event.stop_propagation();
            }
        })
    }

    /// Listens to requests for a context menu, by pointer or key; the browser's own does not open.
    pub fn on_menu(&self, what: impl Fn(i32, i32) + 'static) -> EventListener {
        let options = EventListenerOptions { phase: EventListenerPhase::Bubble, passive: false };
        EventListener::new_with_options(&self.0, "contextmenu", options, move |event| {
            event.prevent_default();
            event.stop_propagation();
            if let Some(event) = event.dyn_ref::<web_sys::MouseEvent>() {
                what(event.client_x(), event.client_y());
            }
        })
    }

    /// Keeps touches from the host, which would open its side menu, and from becoming clicks: the one that ends a
    /// long press would hit the menu under the finger.
    pub fn keep_touches(&self) -> [EventListener; 3] {
        let options = EventListenerOptions { phase: EventListenerPhase::Bubble, passive: false };
        ["touchstart", "touchmove", "touchend"].map(|kind| {
            EventListener::new_with_options(&self.0, kind, options, move |event| {
                event.stop_propagation();
                if kind == "touchend" && event.cancelable() {
                    event.prevent_default();
                }
            })
        })
    }
}

/// Listens to the pointer anywhere in the page, until the listener is dropped.
pub fn on_any_pointer(kind: &'static str, what: impl Fn(&PointerEvent) + 'static) -> Option<EventListener> {
    Some(pointer(&super::document()?.into(), kind, what))
}

fn pointer(
    target: &web_sys::EventTarget,
    kind: &'static str,
    what: impl Fn(&PointerEvent) + 'static,
) -> EventListener {
    EventListener::new(target, kind, move |event| {
        if let Some(event) = event.dyn_ref() {
            what(event);
        }
    })
}

/// Whether an event came from a match of a selector, or from inside of one.
pub fn is_from(event: &web_sys::Event, selector: &str) -> bool {
    let from = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    from.is_some_and(|it| it.closest(selector).ok().flatten().is_some())
}

/// Left, top, right and bottom of the caret or the selection, if there is one.
#[allow(clippy::cast_possible_truncation, reason = "pixels")]
pub fn caret() -> Option<[i32; 4]> {
    let selection = super::document()?.get_selection().ok().flatten()?;
    let range = selection.get_range_at(0).ok()?;
    let rects = range.get_client_rects()?;
    let area = rects.get(0).unwrap_or_else(|| range.get_bounding_client_rect());
    let edges = [area.left(), area.top(), area.right(), area.bottom()].map(|it| it as i32);
    (edges != [0; 4]).then_some(edges)
}

/// Sets an attribute, unless it has that value already.
pub fn set(element: &web_sys::Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        let _ = element.set_attribute(name, value);
    }
}

/// The element as one that can have the focus.
pub fn html(element: &web_sys::Element) -> Option<web_sys::HtmlElement> {
    element.dyn_ref().cloned()
}

/// Puts the focus on the first match of a selector.
pub fn focus(root: &web_sys::HtmlElement, selector: &str) {
    if let Some(element) = root.query_selector(selector).ok().flatten().as_ref().and_then(html) {
        let _ = element.focus();
    }
}

/// Whether the page has a match of a selector.
pub fn exists(selector: &str) -> bool {
    super::document().is_some_and(|it| it.query_selector(selector).ok().flatten().is_some())
}

/// Opens the folded part of the page around the first match of a selector.
pub fn unfold(selector: &str) {
    let found = super::document().and_then(|it| it.query_selector(selector).ok().flatten());
    if let Some(fold) = found.and_then(|it| it.closest("details:not([open])").ok().flatten()) {
        set(&fold, "open", "");
    }
}

/// Puts the focus on the first match of a selector in the page.
pub fn focus_anywhere(selector: &str) {
    let found = super::document().and_then(|it| it.query_selector(selector).ok().flatten());
    if let Some(element) = found.as_ref().and_then(html) {
        let _ = element.focus();
    }
}

/// Like `focus_anywhere`, but on the first match that is drawn; tells whether there is one.
pub fn focus_drawn(selector: &str) -> bool {
    let body = super::document().and_then(|it| it.body());
    let found = body.and_then(|body| drawn(&body, selector).into_iter().next());
    found.is_some_and(|it| it.focus().is_ok())
}

/// Presses the first match of a selector.
pub fn press(root: &web_sys::HtmlElement, selector: &str) {
    if let Some(found) = root.query_selector(selector).ok().flatten().as_ref().and_then(html) {
        found.click();
    }
}

/// The question and the word of the button that has the focus within a match of a selector; empty ones for another
/// element there.
pub fn focused_pick(within: &str) -> Option<(String, String)> {
    let active = super::document()?.active_element()?;
    active.closest(within).ok().flatten()?;
    let question = active.closest("[data-question]").ok().flatten();
    let question = question.and_then(|it| it.get_attribute("data-question"));
    Some((question.unwrap_or_default(), active.get_attribute("data-pick").unwrap_or_default()))
}

/// Puts the focus on the first match of a selector within an ancestor of an event's target.
pub fn focus_near(event: &web_sys::Event, around: &str, selector: &str) {
    let from = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    if let Some(around) = from.and_then(|it| it.closest(around).ok().flatten()).as_ref().and_then(html) {
        focus(&around, selector);
    }
}

/// Keeps Tab inside an element: from its last stop to the first, and back. True if the focus was moved.
pub fn wrap_focus(root: &web_sys::HtmlElement, backwards: bool) -> bool {
    const STOPS: &str = "button:not([disabled]):not([tabindex='-1']), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, a[href], [tabindex='0']:not(button)";
    let stops = drawn(root, STOPS);
    let (Some(first), Some(last)) = (stops.first(), stops.last()) else { return false };
    let active = web_sys::window().and_then(|it| it.document()).and_then(|it| it.active_element());
    let is = |edge: &web_sys::HtmlElement| active.as_ref() == Some(AsRef::as_ref(edge));
    let is_inside = active.as_ref().is_some_and(|it| root.contains(Some(it)));
    let target = match (backwards, is_inside) {
        (false, true) if !is(last) => return false,
        (true, true) if !is(first) => return false,
        (false, _) => first,
        (true, _) => last,
    };
    target.focus().is_ok()
}

/// The matches of a selector inside that are drawn.
pub fn drawn(root: &web_sys::HtmlElement, selector: &str) -> Vec<web_sys::HtmlElement> {
    let mut found = matches(root, selector);
    // Elements that are not drawn have no box.
    found.retain(|it| it.get_client_rects().length() > 0);
    found
}

fn matches(root: &web_sys::HtmlElement, selector: &str) -> Vec<web_sys::HtmlElement> {
    let Ok(list) = root.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|at| list.item(at)?.dyn_into().ok()).collect()
}

/// Makes one match of a selector inside the only stop of Tab: the one with the focus, or else the one that is the stop
/// already, or the first that is drawn.
pub fn rove(root: &web_sys::HtmlElement, selector: &str) {
    let is_drawn = |it: &&web_sys::HtmlElement| it.get_client_rects().length() > 0;
    let focused = super::document().and_then(|it| it.active_element());
    let all = matches(root, selector);
    let has_focus = |it: &&web_sys::HtmlElement| focused.as_ref() == Some(AsRef::as_ref(*it));
    let is_stop = |it: &&web_sys::HtmlElement| it.get_attribute("tabindex").as_deref() == Some("0");
    let kept = all.iter().find(has_focus).or_else(|| all.iter().filter(is_stop).find(is_drawn));
    let stop = kept.or_else(|| all.iter().find(is_drawn));
    for it in &all {
        set(it, "tabindex", if Some(it) == stop { "0" } else { "-1" });
    }
}

/// The place of the focus among elements, and an attribute of what has it.
pub fn focused_among(all: &[web_sys::HtmlElement], name: &str) -> Option<(usize, String)> {
    let focused = super::document()?.active_element()?;
    let value = focused.get_attribute(name)?;
    Some((all.iter().position(|it| it.contains(Some(&focused)))?, value))
}

/// Two attributes of the element inside that has the focus, or of what is around it.
pub fn focused_in(root: &web_sys::Element, one: &str, other: &str) -> Option<(String, String)> {
    let focused = super::document()?.active_element().filter(|it| root.contains(Some(it)))?;
    let near = |name: &str| focused.closest(&format!("[{name}]")).ok().flatten()?.get_attribute(name);
    Some((near(one)?, near(other)?))
}
