//! The page of the playground, which loads when it is opened: most people never try a call there, and its client is as
//! large as the rest of the panel. If that fails, the page shows the reason and a button to try again.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use puppy_ui_parts::{Button, Loading, Trouble, fresh};
use puppy_ui_web::host;
use puppy_ui_web::host::{Element, dom};
use puppy_ui_web::words::fill;

use crate::channel;
use crate::store::Store;

/// The progress of loading.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Load {
    Coming,
    Here,
    Failed(String),
}

#[derive(Clone, Copy)]
struct PlaygroundPlace {
    store: Store,
    load: RwSignal<Load>,
    mounted: StoredValue<Option<host::Playground>, LocalStorage>,
    /// The address of a connected server that the page may call; empty if there is none.
    address: Memo<String>,
}

/// The content of the page.
#[component]
pub(crate) fn Playground() -> AnyView {
    let store = Store::here();
    let words = store.words;
    let http: RwSignal<_> = channel::http().into();
    let near = move || http.get().filter(|it| it.is_near).map(|it| it.url).unwrap_or_default();
    let part = PlaygroundPlace {
        store,
        load: RwSignal::new(Load::Coming),
        mounted: StoredValue::new_local(None),
        address: Memo::new(move |_| near()),
    };
    on_cleanup(move || {
        if let Some(mounted) = part.mounted.try_update_value(Option::take).flatten() {
            mounted.leave();
        }
    });
    let place = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(place) = place.get() {
            part.show(place.into());
        }
    });
    Effect::new(move || {
        let address = part.address.get();
        part.mounted.with_value(|it| it.iter().for_each(|it| it.server_is_at(&address)));
    });
    let retry = move |event: MouseEvent| {
        dom::focus_near(&event, ".pup-panel", "[role=tab][aria-selected=true]");
        if let Some(place) = place.get_untracked() {
            part.show(place.into());
        }
    };
    let state = move || match part.load.get() {
        Load::Here => ().into_any(),
        Load::Coming => view! { <Loading text=words.loading/> }.into_any(),
        Load::Failed(why) => view! {
            <Trouble text=fill(words.not_loaded, &[("why", &why)])>
                <Button name="retry" text=words.try_again press=retry/>
            </Trouble>
        }
        .into_any(),
    };
    view! {
        <div>
            <div>{fresh(state)}</div>
            <div node_ref=place></div>
        </div>
    }
    .into_any()
}

impl PlaygroundPlace {
    /// Loads the module and puts the playground into its place.
    fn show(self, place: Element) {
        self.load.set(Load::Coming);
        host::spawn(async move {
            let Some(host) = self.store.host() else { return };
            match host.playground(&place).await {
                Ok(mounted) => {
                    if let Some(address) = self.address.try_get_untracked() {
                        mounted.server_is_at(&address);
                    }
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
