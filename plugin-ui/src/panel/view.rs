//! The panel's frame: a side list of pages in the host's own markup, and one page at a time.

use leptos::prelude::*;
use puppy_plugin_ui::host::dom;
use puppy_plugin_ui::host::{self, Bridge, Element, Mounted};

use crate::store::{Load, Page, Store};
use crate::{bar, permissions, puppy, tools};

/// Puts the panel into an element of the page, until the handle is told to unmount it.
pub(crate) fn mount(parent: &Element, bridge: &Bridge) -> Mounted {
    let Some(parent) = dom::html(parent) else { return Mounted::new(|| ()) };
    let bridge = bridge.share();
    let view = leptos::mount::mount_to(parent.clone(), move || panel(bridge));
    dom::focus(&parent, "[role=tab][aria-selected=true]");
    Mounted::new(move || drop(view))
}

const PAGES: [(Page, &str, &str); 3] = [
    (Page::Permissions, "permissions", "iconLock"),
    (Page::Tools, "tools", "iconListTree"),
    (Page::Puppy, "puppy", "iconSparkles"),
];

fn panel(bridge: Bridge) -> impl IntoView {
    let store = Store::new(bridge);
    store.read();
    let words = store.words;
    let asked = store.bridge().map(|bridge| bridge.page()).unwrap_or_default();
    let first = PAGES.iter().find(|it| it.1 == asked).map_or(Page::Permissions, |it| it.0);
    let page = RwSignal::new(first);
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
                    if let Some(next) = neighbour(page.get_untracked(), &event.key()) {
                        event.prevent_default();
                        page.set(next);
                        if let Some(root) = root.get_untracked() {
                            dom::focus(&root, "[role=tab][aria-selected=true]");
                        }
                    }
                }>
                    {PAGES.into_iter().map(|(own, name, symbol)| entry(store, page, own, name, symbol)).collect_view()}
                </ul>
            </div>
            <div class="config__tab-wrap">
                {move || match page.get() {
                    Page::Permissions => permissions::page(store).into_any(),
                    Page::Tools => tools::page(store).into_any(),
                    Page::Puppy => puppy::page(store).into_any(),
                }}
            </div>
        </div>
    }
}

fn entry(
    store: Store,
    page: RwSignal<Page>,
    own: Page,
    name: &'static str,
    symbol: &'static str,
) -> impl IntoView {
    let words = store.words;
    let is_open = move || page.get() == own;
    let title = title(store, own);
    let changes = move || changes(store, own);
    let label = move || match changes() {
        0 => title.to_owned(),
        n => {
            let unsaved = puppy_plugin_ui::words::fill(words.unsaved, &[("n", &n.to_string())]);
            format!("{title}{}{unsaved}", words.list_comma)
        }
    };
    view! {
        <li
            class="b3-list-item"
            class=("b3-list-item--focus", is_open)
            role="tab"
            data-name=name
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
            {icon(symbol)}
            <span class="b3-list-item__text">{title}</span>
            <span class="pup-number" class=("fn__none", move || changes() == 0)>{changes}</span>
        </li>
    }
}

/// The page that an arrow key leads to.
fn neighbour(page: Page, key: &str) -> Option<Page> {
    let at = PAGES.iter().position(|it| it.0 == page)?;
    let last = PAGES.len() - 1;
    let next = match key {
        "ArrowDown" => (at + 1).min(last),
        "ArrowUp" => at.saturating_sub(1),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    PAGES.get(next).map(|it| it.0)
}

fn title(store: Store, page: Page) -> &'static str {
    match page {
        Page::Permissions => store.words.permissions,
        Page::Tools => store.words.tools,
        Page::Puppy => store.words.puppy,
    }
}

/// How many changes of a page wait for Apply.
pub(crate) fn changes(store: Store, page: Page) -> usize {
    match page {
        Page::Permissions => store.levels.with(puppy_plugin_ui::state::levels::LevelDraft::len),
        Page::Tools => store.switches.with(puppy_plugin_ui::state::switches::SwitchDraft::len),
        Page::Puppy => 0,
    }
}

/// A page: what it shows once it is read, and what it says until then.
pub(crate) fn frame(
    store: Store,
    page: Page,
    load: RwSignal<Load>,
    broken: &'static str,
    content: impl Fn() -> AnyView + Send + 'static,
) -> impl IntoView {
    let words = store.words;
    let name = PAGES.iter().find(|it| it.0 == page).map_or("", |it| it.1);
    let retry = move |event: leptos::ev::MouseEvent| {
        dom::focus_near(&event, ".pup-panel", "[role=tab][aria-selected=true]");
        load.set(Load::Loading);
        store.read();
    };
    view! {
        <div class="config__tab-container pup-page" role="tabpanel" data-name=name aria-label=title(store, page)>
            <div class="pup-grow">
                {store.readonly.then(|| view! { <div class="pup-notice" role="note">{words.readonly}</div> })}
                {move || {
                    use puppy_plugin_ui::state::trouble::Trouble;
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
                        Load::Trouble(Trouble::Silent) => words.silent,
                        Load::Trouble(Trouble::Refused) => words.refused,
                        Load::Trouble(Trouble::Failed) => words.failed,
                        Load::Trouble(Trouble::Broken) => broken,
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

/// Said in the live region of the bar.
pub(crate) fn say(store: Store, text: String) {
    store.said.set(text);
}

/// Puts the focus on what a selector finds in the panel.
pub(crate) fn focus(root: &Element, selector: &str) {
    if let Some(root) = host::dom::html(root) {
        dom::focus(&root, selector);
    }
}
