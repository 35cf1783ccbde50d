//! The page of the playground: its module is loaded when the page is opened, and where that fails the page says so.

use puppy_plugin_ui::host;
use puppy_plugin_ui::host::el::{El, el};
use puppy_plugin_ui::host::{Playground, dom};
use puppy_plugin_ui::words::fill;
use puppy_plugin_ui::words::playground::PlaygroundWords;
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
struct Page {
    store: Store,
    load: RwSignal<Load>,
    mounted: StoredValue<Option<Playground>, LocalStorage>,
}

pub(crate) fn page(store: Store) -> El {
    let words = PlaygroundWords::of(&store.lang());
    let page = Page { store, load: RwSignal::new(Load::Coming), mounted: StoredValue::new_local(None) };
    on_cleanup(move || {
        if let Some(mounted) = page.mounted.try_update_value(Option::take).flatten() {
            mounted.leave();
        }
    });
    let place = el("div", "pup-playground");
    page.show(&place);
    let again = place.clone();
    let state = el("div", "").shows(move || {
        let why = match page.load.get() {
            Load::Here => return el("div", ""),
            Load::Coming => {
                let lines = el("div", "pup-loading").attr("role", "status");
                return lines.attr("aria-label", store.words.loading).html("<i></i><i></i><i></i>");
            }
            Load::Failed(why) => why,
        };
        let again = again.clone();
        let retry = parts::button("retry", store.words.try_again).on("click", move |event| {
            dom::focus_near(event, ".pup-panel", "[role=tab][aria-selected=true]");
            page.show(&again);
        });
        let notice = el("div", "pup-trouble").attr("role", "alert");
        notice.put(el("span", "fn__flex-1").text(&fill(words.not_loaded, &[("why", &why)]))).put(retry)
    });
    let (view, grow) = parts::page("playground", store.words.playground, store.readonly_note());
    view.put(grow.put(state).put(place))
}

impl Page {
    /// Loads the module and puts it into its place.
    fn show(self, place: &El) {
        let Some(place) = place.node().cloned() else { return };
        self.load.set(Load::Coming);
        host::spawn(async move {
            let Some(bridge) = self.store.bridge() else { return };
            match bridge.playground(&place).await {
                Ok(mounted) => {
                    // The page may have been left in the meantime.
                    if let Some(Some(late)) = self.mounted.try_set_value(Some(mounted)) {
                        late.leave();
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
