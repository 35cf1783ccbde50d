//! The page of the playground, which loads when it is opened: most people never try a call there, and its client is as
//! large as the rest of the panel. If that fails, the page shows the reason and a button to try again.

use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use puppy_ui_web::host::{Playground, dom};
use puppy_ui_web::words::fill;
use reactive_graph::owner::{LocalStorage, StoredValue, on_cleanup};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts;
use crate::store::Store;

/// The progress of loading.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Load {
    Coming,
    Here,
    Failed(String),
}

#[derive(Clone, Copy)]
struct Place {
    store: Store,
    load: RwSignal<Load>,
    mounted: StoredValue<Option<Playground>, LocalStorage>,
}

/// The content of the page.
pub(crate) fn page(store: Store) -> El {
    let part = Place { store, load: RwSignal::new(Load::Coming), mounted: StoredValue::new_local(None) };
    on_cleanup(move || {
        if let Some(mounted) = part.mounted.try_update_value(Option::take).flatten() {
            mounted.leave();
        }
    });
    let place = el("div", "");
    part.show(&place);
    let again = place.clone();
    let state = el("div", "").shows(move || {
        let why = match part.load.get() {
            Load::Here => return el("div", ""),
            Load::Coming => return parts::loading(store.words.loading),
            Load::Failed(why) => why,
        };
        let again = again.clone();
        let retry = parts::button("retry", store.words.try_again).on("click", move |event| {
            dom::focus_near(event, ".pup-panel", "[role=tab][aria-selected=true]");
            part.show(&again);
        });
        let notice = el("div", "pup-trouble").attr("role", "alert");
        notice.put(el("span", "fn__flex-1").text(&fill(store.words.not_loaded, &[("why", &why)]))).put(retry)
    });
    el("div", "").put(state).put(place)
}

impl Place {
    /// Loads the module and puts the playground into its place.
    fn show(self, place: &El) {
        let Some(place) = place.node().cloned() else { return };
        self.load.set(Load::Coming);
        host::spawn(async move {
            let Some(bridge) = self.store.bridge() else { return };
            match bridge.playground(&place).await {
                Ok(mounted) => {
                    // The page may have been left in the meantime.
                    if let Some(Some(left)) = self.mounted.try_set_value(Some(mounted)) {
                        left.leave();
                    }
                    self.load.try_set(Load::Here);
                }
                Err(why) => {
                    self.load.try_set(Load::Failed(why));
                }
            }
        });
    }
}
