//! The values that all parts of the playground share: the words, the bridge, and the copies.

use leptos::prelude::*;
use puppy_ui_parts::Copies;
use puppy_ui_web::host::Bridge;
use puppy_ui_web::words::PanelWords;
use puppy_ui_web::words::playground::PlaygroundWords;

/// The room of one opened playground.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) words: &'static PlaygroundWords,
    /// The texts of the panel.
    pub(crate) panel: &'static PanelWords,
    pub(crate) copies: Copies,
    /// Whether the kernel refuses every write.
    pub(crate) readonly: bool,
    bridge: StoredValue<Bridge, LocalStorage>,
}

impl Room {
    pub(crate) fn new(bridge: &Bridge) -> Room {
        let (lang, readonly) = (bridge.lang(), bridge.readonly());
        let bridge = StoredValue::new_local(bridge.share());
        Room {
            words: PlaygroundWords::of(&lang),
            panel: PanelWords::of(&lang),
            copies: Copies::new(&lang, bridge),
            readonly,
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
}
