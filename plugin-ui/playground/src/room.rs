//! The values that all parts of the playground share: the words, the `Host`, and the copies.

use leptos::prelude::*;
use puppy_ui_parts::Copies;
use puppy_ui_web::host::Host;
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
    host: StoredValue<Host, LocalStorage>,
}

impl Room {
    pub(crate) fn new(host: &Host) -> Room {
        let (lang, readonly) = (host.lang(), host.readonly());
        let host = StoredValue::new_local(host.share());
        Room {
            words: PlaygroundWords::of(&lang),
            panel: PanelWords::of(&lang),
            copies: Copies::new(&lang, host),
            readonly,
            host,
        }
    }

    /// The [`Host`], while the playground is open.
    pub(crate) fn host(self) -> Option<Host> {
        self.host.try_with_value(Host::share)
    }

    /// The language of the page.
    pub(crate) fn lang(self) -> String {
        self.host.try_with_value(|it| it.lang()).unwrap_or_default()
    }
}
