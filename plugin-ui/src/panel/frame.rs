//! The frame of a page: notices, the bar, and the small things that pages share. It knows none of the pages.

use leptos::prelude::*;
use puppy_plugin_ui::host::{Element, dom};
use puppy_plugin_ui::state::trouble::StorageTrouble;

use crate::bar;
use crate::page::PanelPage;
use crate::store::{Load, Store};

/// A page: its content once it is read, and a notice until then.
pub(crate) fn frame(
    store: Store,
    page: PanelPage,
    load: RwSignal<Load>,
    broken: &'static str,
    content: impl Fn() -> AnyView + Send + 'static,
) -> impl IntoView {
    let words = store.words;
    let retry = move |event: leptos::ev::MouseEvent| {
        dom::focus_near(&event, ".pup-panel", "[role=tab][aria-selected=true]");
        load.set(Load::Loading);
        store.read();
    };
    view! {
        <div class="config__tab-container pup-page" role="tabpanel" data-name=page.name() aria-label=page.title(words)>
            <div class="pup-grow">
                {store.readonly.then(|| view! { <div class="pup-notice" role="note">{words.readonly}</div> })}
                {move || {
                    let what = match load.get() {
                        Load::Ready => return content(),
                        Load::Loading => {
                            return view! {
                                <div class="pup-loading" role="status" aria-label=words.loading>
                                    <i></i>
                                    <i></i>
                                    <i></i>
                                </div>
                            }
                            .into_any();
                        }
                        Load::Trouble(StorageTrouble::Silent) => words.silent,
                        Load::Trouble(StorageTrouble::Refused) => words.refused,
                        Load::Trouble(StorageTrouble::Failed) => words.failed,
                        Load::Trouble(StorageTrouble::Broken) => broken,
                    };
                    view! {
                        <div class="pup-trouble" role="alert">
                            <span class="fn__flex-1">{what}</span>
                            <button class="b3-button b3-button--outline" data-do="retry" on:click=retry>
                                {words.try_again}
                            </button>
                        </div>
                    }
                    .into_any()
                }}
            </div>
            {bar::bar(store, page, load)}
        </div>
    }
}

/// An icon of the host.
pub(crate) fn icon(symbol: &'static str) -> impl IntoView {
    // Our own names only, so this is never a person's text.
    view! { <svg class="b3-list-item__graphic" aria-hidden="true" inner_html=format!("<use href=\"#{symbol}\"></use>")></svg> }
}

/// Says something in the live region of the bar.
pub(crate) fn say(store: Store, text: String) {
    store.said.set(text);
}

/// Puts the focus on the first match of a selector in the panel.
pub(crate) fn focus(root: &Element, selector: &str) {
    if let Some(root) = dom::html(root) {
        dom::focus(&root, selector);
    }
}
