//! The puppy's element in the page: built once, then only differences from the last picture are written.

use std::cell::RefCell;

use super::paint::{Attributes, DRAWING, Figure, Picture};
use puppy_core::agents::AgentColor;
use puppy_ui_web::host::Element;
use puppy_ui_web::host::dom::{self, Node};
use puppy_ui_web::state::scene::Scene;
use puppy_ui_web::state::settings::{Choice as _, Settings};
use puppy_ui_web::words::PuppyWords;

/// The mound of earth, which the styles show while there is one; its title is the tooltip.
const MOUND: &str = r#"<svg class="pup-mound" viewBox="0 0 32 16" aria-hidden="true"><title></title><path d="M1 15c3-3 5-11 15-11s12 8 15 11z"/><path d="M9 11l2-2m5 3l2-2m3 3l2-1" fill="none"/></svg>"#;

/// The element and the parts of the drawing.
pub(crate) struct View {
    pub(crate) node: Node,
    parts: Vec<(String, Element)>,
    bubble: Option<Element>,
    count: Option<Element>,
    words: &'static PuppyWords,
    last: RefCell<ShownPicture>,
}

/// The picture that the page shows. Only the view writes these styles and attributes, so they are never read back.
#[derive(Default)]
struct ShownPicture {
    figure: Option<Figure>,
    attributes: Option<Attributes>,
    burst: usize,
    says: String,
    mound: Option<bool>,
    bag: bool,
    collars: Vec<AgentColor>,
}

impl View {
    /// Adds the puppy to an element of the page.
    pub(crate) fn new(parent: &Element, words: &'static PuppyWords) -> Option<View> {
        let html = format!(
            r#"<div class="pup-dog" role="button" tabindex="0" data-state="idle">{DRAWING}{MOUND}<span class="pup-bubble" aria-hidden="true" data-shown="false"></span></div>"#
        );
        let node = Node::append(parent, &html)?;
        let parts = node
            .all("[data-part]")
            .into_iter()
            .filter_map(|part| Some((part.get_attribute("data-part")?, part)))
            .collect();
        let (bubble, count) = (node.find(".pup-bubble"), node.find(".pup-count"));
        if let Some(title) = node.find(".pup-mound title") {
            title.set_text_content(Some(words.mound));
        }
        Some(View { parts, bubble, count, words, last: RefCell::default(), node })
    }

    /// Shows a scene with the text of its bubble; an empty text closes the bubble.
    pub(crate) fn show(&self, scene: &Scene, says: &str) {
        let picture = Picture::of(scene);
        let mut last = self.last.borrow_mut();
        if last.figure.replace(picture.figure()) != Some(picture.figure()) {
            for (name, part) in &self.parts {
                dom::set(part, "style", &picture.style(name));
            }
        }
        if let Some(count) = self.count.as_ref().filter(|_| scene.burst > 0 && scene.burst != last.burst) {
            count.set_text_content(Some(&format!("×{}", scene.burst.min(99))));
            last.burst = scene.burst;
        }
        if let Some(bubble) = self.bubble.as_ref().filter(|_| says != last.says) {
            dom::set(bubble, "data-shown", if says.is_empty() { "false" } else { "true" });
            // A closed bubble keeps its text while it fades away.
            if !says.is_empty() {
                bubble.set_text_content(Some(says));
            }
            says.clone_into(&mut last.says);
        }
        // A screen reader reads out a name that changes, so it changes only for those who are there.
        if !self.node.has("aria-label") || self.node.has_focus() {
            let word = self.words.state(scene.state);
            let mut label = vec![self.words.puppy, word];
            label.extend((last.mound == Some(true)).then_some(self.words.mound));
            label.extend(last.bag.then_some(self.words.bag));
            self.node.set("aria-label", &label.join(self.words.comma));
        }
        let attributes = picture.attributes();
        let before = last.attributes.replace(attributes);
        for (at, (name, value)) in attributes.into_iter().enumerate() {
            if before.as_ref().and_then(|it| it.get(at)) != Some(&(name, value)) {
                self.node.set(name, value);
            }
        }
    }

    /// Shows the mound of earth or takes it away.
    pub(crate) fn show_mound(&self, is_there: bool) {
        if self.last.borrow_mut().mound.replace(is_there) != Some(is_there) {
            self.node.set("data-mound", if is_there { "true" } else { "false" });
        }
    }

    /// Whether it carries the bag of an errand.
    pub(crate) fn has_bag(&self) -> bool {
        self.last.borrow().bag
    }

    /// Gives it the bag of an errand, or takes it off.
    pub(crate) fn show_bag(&self, is_there: bool) {
        if std::mem::replace(&mut self.last.borrow_mut().bag, is_there) != is_there {
            self.node.set("data-bag", if is_there { "true" } else { "false" });
        }
    }

    /// Puts on the collars of the agents at work in place of its own.
    pub(crate) fn show_collars(&self, colors: Vec<AgentColor>) {
        let mut last = self.last.borrow_mut();
        if last.collars != colors {
            for (at, name) in ["data-agent", "data-second"].into_iter().enumerate() {
                match colors.get(at) {
                    Some(color) => self.node.set(name, color.word()),
                    None => self.node.unset(name),
                }
            }
            last.collars = colors;
        }
    }

    /// Takes size and colours from the settings.
    pub(crate) fn dress(&self, settings: &Settings) {
        self.node.set("data-coat", settings.coat.word());
        self.node.set("data-collar", settings.collar.word());
        self.node.set("data-calm", settings.get("calm"));
        self.node.set("data-hearts", settings.get("hearts"));
        // The puppy trots to the block that an agent touches, which `quiet` hides from others.
        self.node.set("data-trot", if settings.trot && !settings.quiet { "true" } else { "false" });
    }
}
