//! What all parts of the playground share: the words, the bridge, and what is said of a copy.

use puppy_ui_parts as parts;
use puppy_ui_parts::copying::Copies;
use puppy_ui_parts::el::El;
use puppy_ui_web::host::Bridge;
use puppy_ui_web::words::PanelWords;
use puppy_ui_web::words::playground::PlaygroundWords;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;

/// The room of one opened playground.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) panel: &'static PanelWords,
    pub(crate) words: &'static PlaygroundWords,
    /// Whether the kernel refuses every write.
    pub(crate) readonly: bool,
    pub(crate) copies: Copies,
    bridge: StoredValue<Bridge, LocalStorage>,
}

impl Room {
    pub(crate) fn new(bridge: &Bridge) -> Room {
        let (lang, readonly) = (bridge.lang(), bridge.readonly());
        let bridge = StoredValue::new_local(bridge.share());
        Room {
            panel: PanelWords::of(&lang),
            words: PlaygroundWords::of(&lang),
            readonly,
            copies: Copies::new(&lang, bridge),
            bridge,
        }
    }

    /// The bridge, while the playground is open.
    pub(crate) fn bridge(self) -> Option<Bridge> {
        self.bridge.try_with_value(Bridge::share)
    }

    /// The language of the page.
    pub(crate) fn lang(self) -> String {
        self.bridge.try_with_value(|it| it.lang()).unwrap_or_default()
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
