//! Views whose modules load when they are shown: the playground, whose client is as large as the rest of the panel, and the
//! agents with what they did. If that fails, the place shows the reason and a button to try again.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use puppy_ui_parts::{Button, Loading, Trouble, attribute_near, fresh, label};
use puppy_ui_web::host;
use puppy_ui_web::host::{Element, dom};
use puppy_ui_web::words::activity::ActivityWords;
use puppy_ui_web::words::agents::AgentWords;
use puppy_ui_web::words::fill;

use crate::channel;
use crate::state::page::PanelPage;
use crate::store::Store;

/// The progress of loading.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Load {
    Coming,
    Here,
    Failed(String),
}

#[derive(Clone, Copy)]
struct LatePlace {
    store: Store,
    module: &'static str,
    load: RwSignal<Load>,
    mounted: StoredValue<Option<host::LateView>, LocalStorage>,
    said: Signal<String>,
}

/// The playground, which hears the address of a connected server that the page may call; empty if there is none.
#[component]
pub(crate) fn Playground() -> AnyView {
    let http: RwSignal<_> = channel::http().into();
    let near = move || http.get().filter(|it| it.is_near).map(|it| it.url).unwrap_or_default();
    let address = Memo::new(move |_| near());
    view! { <Late module="playground" said=address/> }.into_any()
}

/// The page of agents.
#[component]
pub(crate) fn Agents() -> AnyView {
    let words = AgentWords::of(&Store::here().lang());
    label(words.add, words.new_name, "[data-do=add]");
    label(words.anyone, words.anyone_hint, "[data-agent=anyone] > summary");
    label(words.token, words.token_hint, "[data-late=agents]");
    view! { <Late module="agents" said=Signal::stored(String::new())/> }.into_any()
}

/// The page of runs and calls. Buttons in it that lead elsewhere are handled here.
#[component]
pub(crate) fn Activity() -> AnyView {
    let store = Store::here();
    let words = ActivityWords::of(&store.lang());
    label(words.undo, "", "[data-late=activity]");
    label(words.recent, words.filter_calls, "[data-setting=text]");
    label(words.export_calls, "", "[data-do=export]");
    label(words.clear, words.clear_title, "[data-do=clear]");
    let look = move |event: MouseEvent| {
        if let Some(id) = attribute_near(&event, "data-look") {
            channel::look_at(&id);
        } else if attribute_near(&event, "data-runs").is_some() {
            dom::focus_anywhere(".pup-run > summary");
        } else if let Some(page) = attribute_near(&event, "data-go") {
            store.go(PanelPage::named(&page));
        }
    };
    view! { <div on:click=look><Late module="activity" said=Signal::stored(String::new())/></div> }.into_any()
}

/// The view of a module.
#[component]
fn Late(
    /// The name of the module.
    module: &'static str,
    /// The text that the view hears, now and when it changes.
    #[prop(into)]
    said: Signal<String>,
) -> AnyView {
    let store = Store::here();
    let words = store.words;
    let part = LatePlace {
        store,
        module,
        load: RwSignal::new(Load::Coming),
        mounted: StoredValue::new_local(None),
        said,
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
        let text = part.said.get();
        part.mounted.with_value(|it| it.iter().for_each(|it| it.hear(&text)));
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
        <div data-late=module>
            <div>{fresh(state)}</div>
            <div node_ref=place></div>
        </div>
    }
    .into_any()
}

impl LatePlace {
    /// Loads the module and puts its view into the place.
    fn show(self, place: Element) {
        self.load.set(Load::Coming);
        host::spawn(async move {
            let Some(host) = self.store.host() else { return };
            match host.view(self.module, &place).await {
                Ok(mounted) => {
                    if let Some(text) = self.said.try_get_untracked() {
                        mounted.hear(&text);
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
