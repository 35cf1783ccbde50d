//! What every page of this module knows of the panel that it is opened in.

use puppy_plugin_ui::host::{self, Bridge, dom};
use puppy_plugin_ui::state::errand::Errand;
use puppy_plugin_ui::state::page::PanelPage;
use puppy_plugin_ui::words::PanelWords;
use puppy_plugin_ui::words::late::LateWords;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;

/// One visit to a page.
#[derive(Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) panel: &'static PanelWords,
    /// The names that the panel's search knows too.
    pub(crate) names: &'static LateWords,
    /// Whether the kernel refuses every write.
    pub(crate) readonly: bool,
    bridge: StoredValue<Bridge, LocalStorage>,
}

impl Visit {
    pub(crate) fn new(bridge: &Bridge) -> Visit {
        Visit {
            panel: PanelWords::of(&bridge.lang()),
            names: LateWords::of(&bridge.lang()),
            readonly: bridge.readonly(),
            bridge: StoredValue::new_local(bridge.share()),
        }
    }

    /// The bridge, while the page is open.
    pub(crate) fn bridge(self) -> Option<Bridge> {
        self.bridge.try_with_value(Bridge::share)
    }

    /// Shows another page of the panel, as its entry in the side list does.
    pub(crate) fn go(self, to: PanelPage) {
        dom::press_anywhere(&format!(".pup-panel [role=tab][data-name={}]", to.name()));
    }

    /// Tells the servers that a file of settings was written; the panel has the line to them.
    pub(crate) fn announce(self, file: &str) {
        let Some(bridge) = self.bridge() else { return };
        let errand = Errand::Changed(vec![file.to_owned()]);
        host::spawn(async move {
            bridge.errand(&errand).await;
        });
    }

    /// The language of the page.
    pub(crate) fn lang(self) -> String {
        self.bridge.try_with_value(|it| it.lang()).unwrap_or_default()
    }
}
