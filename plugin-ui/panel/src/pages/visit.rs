//! What every page of this module knows of the panel that it is opened in.

use crate::state::page::PanelPage;
use puppy_ui_web::host::{self, Bridge, dom};
use puppy_ui_web::state::errand::Errand;
use puppy_ui_web::words::PanelWords;
use puppy_ui_web::words::late::LateWords;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;

/// One visit to a page.
#[derive(Clone, Copy)]
pub struct Visit {
    /// The texts of the panel.
    pub panel: &'static PanelWords,
    /// The names that the panel's search knows too.
    pub names: &'static LateWords,
    /// Whether the kernel refuses every write.
    pub readonly: bool,
    bridge: StoredValue<Bridge, LocalStorage>,
}

impl Visit {
    /// A visit of this panel.
    pub fn new(bridge: &Bridge) -> Visit {
        Visit {
            panel: PanelWords::of(&bridge.lang()),
            names: LateWords::of(&bridge.lang()),
            readonly: bridge.readonly(),
            bridge: StoredValue::new_local(bridge.share()),
        }
    }

    /// The bridge, while the page is open.
    pub fn bridge(self) -> Option<Bridge> {
        self.bridge.try_with_value(Bridge::share)
    }

    /// Shows another page of the panel, as its entry in the side list does.
    pub fn go(self, to: PanelPage) {
        dom::press_anywhere(&format!(".pup-panel [role=tab][data-name={}]", to.name()));
    }

    /// Tells the servers that a file of settings was written; the panel has the line to them.
    pub fn announce(self, file: &str) {
        let Some(bridge) = self.bridge() else { return };
        let errand = Errand::Changed(vec![file.to_owned()]);
        host::spawn(async move {
            bridge.errand(&errand).await;
        });
    }

    /// The language of the page.
    pub fn lang(self) -> String {
        self.bridge.try_with_value(|it| it.lang()).unwrap_or_default()
    }
}
