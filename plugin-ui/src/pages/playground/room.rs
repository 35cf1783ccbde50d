//! What all parts of the playground share: the words, the bridge, and what is said of a copy.

use std::ops::Deref;

use puppy_plugin_ui::host;
use puppy_plugin_ui::host::el::{El, el};
use puppy_plugin_ui::parts;
use puppy_plugin_ui::words::playground::PlaygroundWords;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::visit::Visit;

/// The time for which a button says that it copied, in milliseconds.
const COPIED_MS: u32 = 2_000;

/// The room of one opened playground.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    visit: Visit,
    pub(crate) words: &'static PlaygroundWords,
    /// The name of the button that copied last, and whether that worked.
    copied: RwSignal<Option<(&'static str, bool)>>,
}

impl Deref for Room {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl Room {
    pub(crate) fn new(visit: Visit) -> Room {
        Room { visit, words: PlaygroundWords::of(&visit.lang()), copied: RwSignal::new(None) }
    }

    /// A button that copies a text, and says so for a moment.
    pub(crate) fn copy_button(
        self,
        name: &'static str,
        title: &'static str,
        text: impl Fn() -> String + 'static,
    ) -> El {
        let words = self.words;
        let label = move || match self.copied.get() {
            Some((last, true)) if last == name => words.copied,
            Some((last, false)) if last == name => words.not_copied,
            _ => title,
        };
        let button = parts::button("copy", "").attr("data-copy", name).says(label);
        button.click(move || {
            let text = text();
            host::spawn(async move {
                let Some(bridge) = self.bridge() else { return };
                let worked = bridge.copy(&text).await;
                self.copied.try_set(Some((name, worked)));
                host::sleep(COPIED_MS).await;
                if self.copied.try_get_untracked().flatten().is_some_and(|(last, _)| last == name) {
                    self.copied.try_set(None);
                }
            });
        })
    }

    /// The line that a screen reader says after a copy.
    pub(crate) fn copied_line(self) -> El {
        let words = self.words;
        let said = move || match self.copied.get() {
            Some((_, true)) => words.copied,
            Some((_, false)) => words.not_copied,
            None => "",
        };
        el("span", "pup-hidden").attr("role", "status").attr("aria-live", "polite").says(said)
    }
}
