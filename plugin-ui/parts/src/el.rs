//! Elements of the panel: made once, then kept in step with signals.
//!
//! One type for every element and one for every effect: a page costs its texts and its closures, and no more.

use any_spawner::Executor;
use gloo_events::EventListener;
use reactive_graph::effect::RenderEffect;
use reactive_graph::owner::{Owner, StoredValue};
use wasm_bindgen::{JsCast, JsValue};

use puppy_ui_web::host::{self, Mounted, dom};

pub use web_sys::{Event, KeyboardEvent};

/// An element; null where the page has none any more. Not an `Option`: chains of calls pass it on, and that would be
/// two numbers instead of one.
#[derive(Debug, Clone)]
pub struct El(web_sys::Element);

/// A new element of a tag and its classes.
pub fn el(tag: &str, class: &str) -> El {
    let made = El::of(host::document().and_then(|it| it.create_element(tag).ok()));
    if class.is_empty() { made } else { made.attr("class", class) }
}

/// A new drawing made of this SVG, which is our own, never a title.
pub fn svg(class: &str, inside: &str) -> El {
    const SPACE: Option<&str> = Some("http://www.w3.org/2000/svg");
    let made = El::of(host::document().and_then(|it| it.create_element_ns(SPACE, "svg").ok()));
    made.attr("class", class).html(inside)
}

impl El {
    pub(crate) fn of(element: Option<web_sys::Element>) -> El {
        El(element.unwrap_or_else(|| JsValue::NULL.unchecked_into()))
    }

    /// Sets an attribute.
    #[must_use]
    pub fn attr(self, name: &str, value: &str) -> El {
        if let Some(own) = self.node() {
            let _ = own.set_attribute(name, value);
        }
        self
    }

    /// Sets an attribute without a value, or leaves it out.
    #[must_use]
    pub fn flag(self, name: &str, is_set: bool) -> El {
        if is_set { self.attr(name, "") } else { self }
    }

    /// Appends a text.
    #[must_use]
    pub fn text(self, text: &str) -> El {
        if let Some(own) = self.node() {
            let _ = own.append_with_str_1(text);
        }
        self
    }

    /// Replaces what is in it. The HTML is our own, never a title.
    #[must_use]
    pub fn html(self, html: &str) -> El {
        if let Some(own) = self.node() {
            own.set_inner_html(html);
        }
        self
    }

    /// Appends an element.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "what a chain makes is not needed any more")]
    pub fn put(self, child: El) -> El {
        if let (Some(own), Some(child)) = (self.node(), child.node()) {
            let _ = own.append_child(child);
        }
        self
    }

    /// Appends elements.
    #[must_use]
    pub fn all(self, children: impl IntoIterator<Item = El>) -> El {
        children.into_iter().fold(self, El::put)
    }

    /// Keeps something of it in step with the signals that `what` reads.
    #[must_use]
    pub fn follow(self, what: impl Fn(&El) + 'static) -> El {
        self.step(Box::new(what))
    }

    /// One function, whatever follows.
    fn step(self, what: Box<dyn Fn(&El)>) -> El {
        let own = self.clone();
        keep_in_step(Box::new(move || what(&own)));
        self
    }

    /// Keeps its text in step.
    #[must_use]
    pub fn says<T: AsRef<str>>(self, text: impl Fn() -> T + 'static) -> El {
        self.follow(move |it| it.set_text(text().as_ref()))
    }

    /// Keeps an attribute in step.
    #[must_use]
    pub fn has<T: AsRef<str>>(self, name: &'static str, value: impl Fn() -> T + 'static) -> El {
        self.follow(move |it| it.set(name, value().as_ref()))
    }

    /// Keeps an attribute of yes or no in step.
    #[must_use]
    pub fn is(self, name: &'static str, value: impl Fn() -> bool + 'static) -> El {
        self.follow(move |it| it.set(name, if value() { "true" } else { "false" }))
    }

    /// Keeps a class in step.
    #[must_use]
    pub fn class_if(self, class: &'static str, is: impl Fn() -> bool + 'static) -> El {
        self.follow(move |it| it.set_class(class, is()))
    }

    /// Hides it unless `is`.
    #[must_use]
    pub fn shown_if(self, is: impl Fn() -> bool + 'static) -> El {
        self.follow(move |it| it.set_class("fn__none", !is()))
    }

    /// Keeps the value of a field in step.
    #[must_use]
    pub fn value<T: AsRef<str>>(self, value: impl Fn() -> T + 'static) -> El {
        self.follow(move |it| it.set_value(value().as_ref()))
    }

    /// Replaces what is in it whenever the signals change that `content` reads; what was in it is forgotten.
    #[must_use]
    pub fn shows(self, content: impl Fn() -> El + 'static) -> El {
        self.follow(move |it| {
            let fresh = content();
            if let (Some(own), Some(fresh)) = (it.node(), fresh.node()) {
                own.set_text_content(None);
                let _ = own.append_child(fresh);
            }
        })
    }

    /// Listens to an event.
    #[must_use]
    pub fn on(self, kind: &'static str, heard: impl Fn(&Event) + 'static) -> El {
        listen(self.node(), kind, Box::new(heard));
        self
    }

    /// Listens to clicks.
    #[must_use]
    pub fn click(self, heard: impl Fn() + 'static) -> El {
        self.on("click", move |_| heard())
    }

    /// Listens to keys; a key for which `heard` returns true does nothing else.
    #[must_use]
    pub fn keys(self, heard: impl Fn(&KeyboardEvent) -> bool + 'static) -> El {
        self.on("keydown", move |event| {
            if event.dyn_ref().is_some_and(&heard) {
                event.prevent_default();
            }
        })
    }

    /// Keeps keys in a dialog: the host's hotkeys stay alive behind it. Esc alone is for the host, which closes it; Tab
    /// leads around inside, and `own` are the dialog's own keys.
    #[must_use]
    pub fn holds_keys(self, own: fn(&KeyboardEvent) -> bool) -> El {
        let root = self.html_node();
        self.keys(move |event| {
            if event.key() == "Escape" {
                return false;
            }
            event.stop_propagation();
            let root = root.as_ref().filter(|_| event.key() == "Tab");
            own(event) || root.is_some_and(|root| dom::wrap_focus(root, event.shift_key()))
        })
    }

    /// Sets an attribute, unless it has that value already.
    pub fn set(&self, name: &str, value: &str) {
        if let Some(own) = self.node() {
            dom::set(own, name, value);
        }
    }

    /// Sets its text, unless it has that text already: what a screen reader has said it does not say again.
    pub fn set_text(&self, text: &str) {
        if let Some(own) = self.node()
            && own.text_content().as_deref() != Some(text)
        {
            own.set_text_content(Some(text));
        }
    }

    /// Adds or removes a class.
    pub fn set_class(&self, class: &str, is: bool) {
        if let Some(own) = self.node() {
            let _ = own.class_list().toggle_with_force(class, is);
        }
    }

    /// Empties a field.
    pub fn clear(&self) {
        self.set_value("");
    }

    fn set_value(&self, value: &str) {
        let Some(own) = self.node() else { return };
        if let Some(field) = own.dyn_ref::<web_sys::HtmlInputElement>() {
            if field.value() != value {
                field.set_value(value);
            }
        } else if let Some(choice) = own.dyn_ref::<web_sys::HtmlSelectElement>() {
            choice.set_value(value);
        } else if let Some(text) = own.dyn_ref::<web_sys::HtmlTextAreaElement>()
            && text.value() != value
        {
            text.set_value(value);
        }
    }

    /// The first match of a selector inside.
    pub fn find(&self, selector: &str) -> El {
        El::of(self.node().and_then(|it| it.query_selector(selector).ok().flatten()))
    }

    /// The element of the page.
    pub fn node(&self) -> Option<&web_sys::Element> {
        (!self.0.is_null()).then_some(&self.0)
    }

    /// The element of the page, where it can have the focus.
    pub fn html_node(&self) -> Option<web_sys::HtmlElement> {
        self.node().and_then(dom::html)
    }
}

/// What was typed or chosen in the field of an event.
pub fn typed(event: &Event) -> String {
    let Some(target) = event.target() else { return String::new() };
    if let Some(field) = target.dyn_ref::<web_sys::HtmlInputElement>() {
        field.value()
    } else if let Some(choice) = target.dyn_ref::<web_sys::HtmlSelectElement>() {
        choice.value()
    } else {
        target
            .dyn_ref::<web_sys::HtmlTextAreaElement>()
            .map(web_sys::HtmlTextAreaElement::value)
            .unwrap_or_default()
    }
}

/// Whether the switch of an event is on.
pub fn is_checked(event: &Event) -> bool {
    let field = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
    field.is_some_and(|it| it.checked())
}

/// Runs something now and whenever the signals change that it reads, until its owner is gone.
pub fn keep_in_step(what: Box<dyn Fn()>) {
    StoredValue::new_local(RenderEffect::new(move |_| what()));
}

fn listen(element: Option<&web_sys::Element>, kind: &'static str, heard: Box<dyn Fn(&Event)>) {
    if let Some(element) = element {
        let options = gloo_events::EventListenerOptions::enable_prevent_default();
        StoredValue::new_local(EventListener::new_with_options(element, kind, options, move |event| {
            heard(event);
        }));
    }
}

/// Puts what `build` makes into an element of the page, until the handle is unmounted.
pub fn mount(parent: &web_sys::Element, build: impl FnOnce() -> El) -> Mounted {
    // It is there already when the panel is opened again.
    let _ = Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let view = owner.with(build);
    if let Some(node) = view.node() {
        let _ = parent.append_child(node);
    }
    Mounted::new(move || {
        owner.cleanup();
        if let Some(node) = view.node() {
            node.remove();
        }
    })
}
