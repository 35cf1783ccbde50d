//! The panel: a side list of pages in the host's own markup, and one page at a time.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use puppy_ui_parts::{Icon, Page, fresh, hold_keys, keys, labels_of, yes};
use puppy_ui_web::host::{Element, Host, Mounted, dom};
use puppy_ui_web::words::channel::ChannelWords;
use puppy_ui_web::words::{chinese, fill};

use crate::advanced::Advanced;
use crate::home::Home;
use crate::late::{Activity, Agents, Playground};
use crate::pages::connection::Connection;
use crate::pages::help::Help;
use crate::pages::puppy::Puppy;
use crate::permissions::Permissions;
use crate::search::{self, Search};
use crate::state::page::{DraftKind, PanelPage};
use crate::store::{Drafts, Store};
use crate::tools::ToolsPage;
use crate::{channel, parts};

/// The entry of the page that is shown.
const CHOSEN: &str = "[role=tab][aria-selected=true]";

/// Mounts the panel in an element of the page, until the handle is unmounted.
pub fn mount(parent: &Element, host: &Host) -> Mounted {
    chinese::load(host.texts());
    let view = parts::mount(parent, || {
        provide_context(Store::new(host.share(), Drafts::kept()));
        view! { <Panel/> }.into_any()
    });
    if let Some(parent) = dom::html(parent) {
        dom::focus(&parent, CHOSEN);
    }
    view
}

#[component]
fn Panel() -> AnyView {
    let store = Store::here();
    store.read();
    store.watch();
    let is_searching = RwSignal::new(false);
    let labels = Memo::new(move |_| {
        let labels = |page| labels_of(move || view_of(store, page)).into_iter().map(move |it| (page, it));
        PanelPage::ALL.into_iter().flat_map(labels).collect()
    });
    let lead = keys(move |event| {
        let next = store.page.get_untracked().neighbour(&event.key());
        next.inspect(|next| store.go(*next)).is_some()
    });
    view! {
        <div
            class="pup-panel fn__flex-1 fn__flex config__panel"
            role="dialog"
            aria-modal="true"
            aria-labelledby="pup-title"
            on:keydown=hold_keys(find)
        >
            <div class="config__side b3-list b3-list--background">
                <div class="config__tab-head">
                    <div class="config__tab-title resize__move">
                        <Icon symbol="iconMCPPuppy"/>
                        <span class="b3-list-item__text" id="pup-title">{store.words.title}</span>
                    </div>
                    <Search is_open=is_searching labels/>
                </div>
                <ul
                    class="config__tab-scroll"
                    class:fn__none=is_searching
                    role="tablist"
                    aria-orientation="vertical"
                    on:keydown=lead
                >
                    {PanelPage::ALL.map(|own| view! { <Entry own/> }).collect_view()}
                </ul>
            </div>
            <div class="config__tab-wrap">{fresh(move || view_of(store, store.page.get()))}</div>
        </div>
    }
    .into_any()
}

/// A page of the panel.
fn view_of(store: Store, page: PanelPage) -> AnyView {
    match page {
        PanelPage::Home => view! { <Home/> }.into_any(),
        PanelPage::Permissions => view! { <Permissions/> }.into_any(),
        PanelPage::Tools => view! { <ToolsPage/> }.into_any(),
        PanelPage::Advanced => view! { <Advanced/> }.into_any(),
        PanelPage::Connection => plain(store, page, view! { <Connection/> }.into_any()),
        PanelPage::Agents => plain(store, page, view! { <Agents/> }.into_any()),
        PanelPage::Activity => plain(store, page, view! { <Activity/> }.into_any()),
        PanelPage::Playground => plain(store, page, view! { <Playground/> }.into_any()),
        PanelPage::Puppy => plain(store, page, view! { <Puppy/> }.into_any()),
        PanelPage::Help => plain(store, page, view! { <Help/> }.into_any()),
    }
}

/// A page without a bar.
fn plain(store: Store, page: PanelPage, content: AnyView) -> AnyView {
    view! {
        <Page name=page.name() title=page.title(store.words) note=store.readonly_note()>{content}</Page>
    }
    .into_any()
}

/// Ctrl+F leads to the search.
fn find(event: &KeyboardEvent) -> bool {
    let is_find = event.key() == "f" && (event.ctrl_key() || event.meta_key());
    if is_find {
        dom::focus_anywhere(search::FIELD);
    }
    is_find
}

/// The entry of a page in the side list.
#[component]
fn Entry(own: PanelPage) -> AnyView {
    let store = Store::here();
    let words = store.words;
    let title = own.title(words);
    let is_open = move || store.page.get() == own;
    // Changes that wait for Apply, or questions that wait for an answer.
    let (text, count) = match (own, DraftKind::of(own)) {
        (PanelPage::Home, _) => {
            let questions = RwSignal::from(channel::questions());
            let count = Signal::derive(move || questions.with(Vec::len));
            (ChannelWords::of(&store.lang()).waiting, count)
        }
        (_, Some(drafted)) => (words.unsaved, Signal::derive(move || store.changes(drafted))),
        (_, None) => (words.unsaved, Signal::stored(0)),
    };
    let label = move || match count.get() {
        0 => title.to_owned(),
        n => format!("{title}{}{}", words.list_comma, fill(text, &[("n", &n.to_string())])),
    };
    let press = keys(move |event| {
        let is_press = matches!(event.key().as_str(), "Enter" | " ");
        if is_press {
            store.show(own, false);
        }
        is_press
    });
    view! {
        <li
            class="b3-list-item"
            class:b3-list-item--focus=is_open
            role="tab"
            data-name=own.name()
            aria-selected=move || yes(is_open())
            aria-label=label
            tabindex=move || if is_open() { "0" } else { "-1" }
            on:click=move |_| store.show(own, false)
            on:keydown=press
        >
            <Icon symbol=own.symbol()/>
            <span class="b3-list-item__text">{title}</span>
            // Drawn by the styles: as a text it would be read twice, because the label has it in words.
            <span
                class="pup-number"
                class:fn__none=move || count.get() == 0
                data-n=move || count.get().to_string()
            ></span>
        </li>
    }
    .into_any()
}
