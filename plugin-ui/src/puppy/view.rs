//! The puppy's element in the page: built once, then only what differs is touched.

use super::paint::{DRAWING, Picture};
use puppy_plugin_ui::host::Element;
use puppy_plugin_ui::host::dom::{self, Node};
use puppy_plugin_ui::state::puppy::Scene;
use puppy_plugin_ui::state::settings::Settings;
use puppy_plugin_ui::words::PuppyWords;

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
        Some(View { parts, bubble: node.find(".pup-bubble"), count: node.find(".pup-count"), words, node })
    }

    /// Shows a scene, with what the bubble says; nothing closes it.
    pub(crate) fn show(&self, scene: &Scene, says: &str) {
        let picture = Picture::of(scene);
        let word = self.words.state(scene.state);
        for (name, part) in &self.parts {
            dom::set(part, "style", &picture.style(name));
        }
        if let Some(count) = self.count.as_ref().filter(|_| scene.burst > 0) {
            count.set_text_content(Some(&format!("×{}", scene.burst.min(99))));
        }
        if let Some(bubble) = &self.bubble {
            dom::set(bubble, "data-shown", if says.is_empty() { "false" } else { "true" });
            if !says.is_empty() && bubble.text_content().as_deref() != Some(says) {
                bubble.set_text_content(Some(says));
            }
        }
        // A name that changes is read out, so it changes only for who is there.
        if !self.node.has("aria-label") || self.node.has_focus() {
            self.node.set("aria-label", &format!("{}{}{word}", self.words.puppy, self.words.comma));
        }
        for (name, value) in picture.attributes() {
            self.node.set(name, value);
        }
    }

    /// Looks as the settings say.
    pub(crate) fn dress(&self, settings: &Settings) {
        self.node.set("data-coat", settings.coat.word());
        self.node.set("data-collar", settings.collar.word());
        self.node.set("data-calm", settings.get("calm"));
        self.node.set("data-hearts", settings.get("hearts"));
    }
}
