//! What all parts of the playground share: the words, the bridge, and what is said of a copy.

use std::ops::Deref;

use puppy_ui_parts as parts;
use puppy_ui_parts::el::El;
use puppy_ui_web::words::playground::PlaygroundWords;

use puppy_ui_panel::pages::copying::Copies;
use puppy_ui_panel::pages::visit::Visit;

/// The room of one opened playground.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    visit: Visit,
    pub(crate) words: &'static PlaygroundWords,
    pub(crate) copies: Copies,
}

impl Deref for Room {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl Room {
    pub(crate) fn new(visit: Visit) -> Room {
        Room { visit, words: PlaygroundWords::of(&visit.lang()), copies: Copies::new(visit) }
    }

    /// A button that copies a text, and says so for a moment.
    pub(crate) fn copy_button(
        self,
        name: &'static str,
        title: &'static str,
        text: impl Fn() -> String + 'static,
    ) -> El {
        let button = parts::button("copy", "").attr("data-copy", name).says(self.copies.label(name, title));
        button.click(move || self.copies.copy(name, text()))
    }
}
