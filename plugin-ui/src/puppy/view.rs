//! The puppy's element in the page: built once, then only what differs is touched.

use gloo_events::EventListener;

use super::paint::{DRAWING, Picture};
use puppy_plugin_ui::host::dom::{self, Node};
use puppy_plugin_ui::host::{self, Element};
use puppy_plugin_ui::state::place::Place;
use puppy_plugin_ui::state::puppy::Scene;
use puppy_plugin_ui::words::PuppyWords;

/// Side of the box, in pixels.
pub(crate) const SIZE: i32 = 72;
const PLACE_KEY: &str = "siyuan-mcp-puppy.place";

/// The element and the parts of the drawing.
pub(crate) struct View {
    pub(crate) node: Node,
    parts: Vec<(String, Element)>,
    bubble: Option<Element>,
    count: Option<Element>,
    words: &'static PuppyWords,
}

impl View {
    /// Adds the puppy to an element of the page.
    pub(crate) fn new(parent: &Element, words: &'static PuppyWords) -> Option<View> {
        let html = format!(
            r#"<div class="pup-dog" role="button" tabindex="0" data-state="idle">{DRAWING}<span class="pup-bubble" aria-hidden="true"></span></div>"#
        );
        let node = Node::append(parent, &html)?;
        let parts = node
            .all("[data-part]")
            .into_iter()
            .filter_map(|part| Some((part.get_attribute("data-part")?, part)))
            .collect();
        let view =
            View { parts, bubble: node.find(".pup-bubble"), count: node.find(".pup-count"), words, node };
        view.put(view.remembered());
        Some(view)
    }

    /// Shows a scene.
    pub(crate) fn show(&self, scene: &Scene) {
        let picture = Picture::of(scene);
        let word = self.words.state(scene.state);
        for (name, part) in &self.parts {
            dom::set(part, "style", &picture.style(name));
        }
        if let Some(count) = self.count.as_ref().filter(|_| scene.burst > 0) {
            count.set_text_content(Some(&format!("×{}", scene.burst.min(99))));
        }
        if let Some(bubble) = &self.bubble {
            dom::set(bubble, "data-shown", if scene.bubble { "true" } else { "false" });
            if scene.bubble && bubble.text_content().as_deref() != Some(word) {
                bubble.set_text_content(Some(word));
            }
        }
        self.node.set("aria-label", &format!("{}{}{word}", self.words.puppy, self.words.comma));
        for (name, value) in picture.attributes() {
            self.node.set(name, value);
        }
    }

    /// Where it was left on this device, or its first place.
    pub(crate) fn remembered(&self) -> (i32, i32) {
        let window = host::window_size();
        let place = host::remembered(PLACE_KEY).and_then(|text| Place::parse(&text));
        place.unwrap_or_else(|| Place::first(window)).at(SIZE, window)
    }

    /// Puts its left top corner somewhere in the window.
    pub(crate) fn put(&self, at: (i32, i32)) {
        self.node.style("transform", &format!("translate({}px,{}px)", at.0, at.1));
    }

    /// Puts it somewhere and remembers that; `None` is the first place.
    pub(crate) fn settle(&self, at: Option<(i32, i32)>) {
        let window = host::window_size();
        let place = at.map_or_else(|| Place::first(window), |at| Place::of(at, SIZE, window));
        host::remember(PLACE_KEY, &place.to_text());
        self.put(place.at(SIZE, window));
    }

    /// Where it is now.
    pub(crate) fn at(&self) -> (i32, i32) {
        self.node.place()
    }

    /// Keeps touches from the host, which would open its side menu.
    pub(crate) fn shield(&self) -> [EventListener; 3] {
        ["touchstart", "touchmove", "touchend"].map(|kind| self.node.keep(kind))
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.node.remove();
    }
}
