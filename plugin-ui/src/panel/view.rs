//! The panel: a side list of pages in the host's own markup, and one page at a time.

use leptos::prelude::*;
use puppy_plugin_ui::host::{Bridge, Element, Mounted, dom};
use puppy_plugin_ui::words::fill;

use crate::frame::icon;
use crate::page::PanelPage;
use crate::store::Store;
use crate::{permissions, puppy, tools};

/// Mounts the panel in an element of the page, until the handle is unmounted.
pub(crate) fn mount(parent: &Element, bridge: &Bridge) -> Mounted {
    let Some(parent) = dom::html(parent) else { return Mounted::new(|| ()) };
    let bridge = bridge.share();
    let view = leptos::mount::mount_to(parent.clone(), move || panel(bridge));
    dom::focus(&parent, "[role=tab][aria-selected=true]");
    Mounted::new(move || drop(view))
}

fn panel(bridge: Bridge) -> impl IntoView {
    let store = Store::new(bridge);
    store.read();
    let words = store.words;
    let asked = store.bridge().map(|bridge| bridge.page()).unwrap_or_default();
    let page = RwSignal::new(PanelPage::named(&asked));
    let root = NodeRef::<leptos::html::Div>::new();
    // The host's hotkeys stay alive behind a dialog; Esc alone is for the host, which closes it.
    let keys = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            return;
        }
        event.stop_propagation();
        if let Some(root) = root.get_untracked().filter(|_| event.key() == "Tab")
            && dom::wrap_focus(&root, event.shift_key())
        {
            event.prevent_default();
        }
    };
    view! {
        <div
            class="pup-panel fn__flex-1 fn__flex config__panel"
            role="dialog"
            aria-modal="true"
            aria-labelledby="pup-title"
            node_ref=root
            on:keydown=keys
        >
            <div class="config__side b3-list b3-list--background">
                <div class="config__tab-head">
                    <div class="config__tab-title resize__move">
                        {icon("iconPlugin")} <span id="pup-title" class="b3-list-item__text">{words.title}</span>
                    </div>
                </div>
                <ul class="config__tab-scroll" role="tablist" aria-orientation="vertical" on:keydown=move |event| {
                    if let Some(next) = page.get_untracked().neighbour(&event.key()) {
                        event.prevent_default();
                        page.set(next);
                        if let Some(root) = root.get_untracked() {
                            dom::focus(&root, "[role=tab][aria-selected=true]");
                        }
                    }
                }>
                    {PanelPage::ALL.into_iter().map(|own| entry(store, page, own)).collect_view()}
                </ul>
            </div>
            <div class="config__tab-wrap">
                {move || match page.get() {
                    PanelPage::Permissions => permissions::page(store).into_any(),
                    PanelPage::Tools => tools::page(store).into_any(),
                    PanelPage::Puppy => puppy::page(store).into_any(),
                }}
            </div>
        </div>
    }
}

fn entry(store: Store, page: RwSignal<PanelPage>, own: PanelPage) -> impl IntoView {
    let words = store.words;
    let is_open = move || page.get() == own;
    let title = own.title(words);
    let changes = move || store.changes(own);
    let label = move || match changes() {
        0 => title.to_owned(),
        n => {
            let unsaved = fill(words.unsaved, &[("n", &n.to_string())]);
            format!("{title}{}{unsaved}", words.list_comma)
        }
    };
    view! {
        <li
            class="b3-list-item"
            class=("b3-list-item--focus", is_open)
            role="tab"
            data-name=own.name()
            aria-selected=move || is_open().to_string()
            aria-label=label
            tabindex=move || if is_open() { "0" } else { "-1" }
            on:click=move |_| page.set(own)
            on:keydown=move |event| {
                if matches!(event.key().as_str(), "Enter" | " ") {
                    event.prevent_default();
                    page.set(own);
                }
            }
        >
            {icon(own.symbol())}
            <span class="b3-list-item__text">{title}</span>
            <span class="pup-number" class=("fn__none", move || changes() == 0)>{changes}</span>
        </li>
    }
}
