//! The panel: a side list of pages in the host's own markup, and one page at a time.

use leptos::prelude::*;
use puppy_ui_parts::el::{self, El, KeyboardEvent, el};
use puppy_ui_parts::node;
use puppy_ui_web::host::{Bridge, Element, Mounted, dom};
use puppy_ui_web::words::bridge::BridgeWords;
use puppy_ui_web::words::{chinese, fill};

use crate::pages::{activity, connection, help, puppy};
use crate::parts::icon;
use crate::search::{self, search};
use crate::state::page::{Drafted, PanelPage};
use crate::store::{Drafts, Store};
use crate::{advanced, home, line, parts, permissions, playground, tools};

/// The entry of the page that is shown.
const CHOSEN: &str = "[role=tab][aria-selected=true]";

/// Mounts the panel in an element of the page, until the handle is unmounted.
pub fn mount(parent: &Element, bridge: &Bridge) -> Mounted {
    chinese::load(bridge.texts());
    let drafts = Drafts::kept();
    let view = el::mount(parent, || panel(Store::new(bridge.share(), drafts)));
    if let Some(parent) = dom::html(parent) {
        dom::focus(&parent, CHOSEN);
    }
    view
}

fn panel(store: Store) -> El {
    provide_context(store);
    store.read();
    store.watch();
    let words = store.words;
    let page = store.page;
    let root = el("div", "pup-panel fn__flex-1 fn__flex config__panel").attr("role", "dialog");
    let root = root.attr("aria-modal", "true").attr("aria-labelledby", "pup-title");
    let around = root.html_node();
    let list = el("ul", "config__tab-scroll").attr("role", "tablist").attr("aria-orientation", "vertical");
    let list = list.all(PanelPage::ALL.into_iter().map(|own| entry(store, page, own)));
    let list = list.keys(move |event| {
        let Some(next) = page.get_untracked().neighbour(&event.key()) else { return false };
        store.show(next, false);
        if let Some(around) = &around {
            dom::focus(around, &format!("[role=tab][data-name={}]", next.name()));
        }
        true
    });
    let title = el("div", "config__tab-title resize__move").put(icon("iconPlugin"));
    let title = title.put(el("span", "b3-list-item__text").attr("id", "pup-title").text(words.title));
    let side = el("div", "config__side b3-list b3-list--background");
    let is_searching = RwSignal::new(false);
    let head = el("div", "config__tab-head").put(title).put(search(store, is_searching));
    let side = side.put(head).put(list.shown_if(move || !is_searching.get()));
    let shown = el("div", "config__tab-wrap").shows(move || match page.get() {
        PanelPage::Home => node(view! { <home::Home/> }.into_any()),
        PanelPage::Permissions => permissions::page(store),
        PanelPage::Tools => tools::page(store),
        PanelPage::Advanced => node(view! { <advanced::Advanced/> }.into_any()),
        PanelPage::Connection => {
            plain(store, PanelPage::Connection, |_| node(view! { <connection::Connection/> }.into_any()))
        }
        PanelPage::Activity => {
            plain(store, PanelPage::Activity, |_| node(view! { <activity::Activity/> }.into_any()))
        }
        PanelPage::Playground => plain(store, PanelPage::Playground, playground::page),
        PanelPage::Puppy => plain(store, PanelPage::Puppy, |_| node(view! { <puppy::Puppy/> }.into_any())),
        PanelPage::Help => plain(store, PanelPage::Help, |_| node(view! { <help::Help/> }.into_any())),
    });
    root.holds_keys(find).put(side).put(shown)
}

/// A page without a bar.
fn plain(store: Store, page: PanelPage, content: fn(Store) -> El) -> El {
    let (view, grow) = parts::page(page.name(), page.title(store.words), store.readonly_note());
    view.put(grow.put(content(store)))
}

/// Ctrl+F leads to the search.
fn find(event: &KeyboardEvent) -> bool {
    let is_find = event.key() == "f" && (event.ctrl_key() || event.meta_key());
    if is_find {
        dom::focus_anywhere(search::FIELD);
    }
    is_find
}

fn entry(store: Store, page: RwSignal<PanelPage>, own: PanelPage) -> El {
    let words = store.words;
    let is_open = move || page.get() == own;
    let open = move || store.show(own, false);
    let title = own.title(words);
    // What waits there: changes for Apply, or questions for an answer.
    let (text, questions) = match own {
        PanelPage::Home => (BridgeWords::of(&store.lang()).waiting, Some(line::questions())),
        _ => (words.unsaved, None),
    };
    let changes = move || Drafted::of(own).map_or(0, |drafted| store.changes(drafted));
    let count = move || questions.as_ref().map_or_else(changes, |it| it.with(Vec::len));
    let (counted, shown) = (count.clone(), count.clone());
    let label = move || match count() {
        0 => title.to_owned(),
        n => format!("{title}{}{}", words.list_comma, fill(text, &[("n", &n.to_string())])),
    };
    // Drawn by the styles: as a text it would belong to the name, which says it in words.
    let number = el("span", "pup-number").has("data-n", move || counted().to_string());
    el("li", "b3-list-item")
        .attr("role", "tab")
        .attr("data-name", own.name())
        .class_if("b3-list-item--focus", is_open)
        .is("aria-selected", is_open)
        .has("aria-label", label)
        .has("tabindex", move || if is_open() { "0" } else { "-1" })
        .click(open)
        .keys(move |event| {
            let is_press = matches!(event.key().as_str(), "Enter" | " ");
            if is_press {
                open();
            }
            is_press
        })
        .put(icon(own.symbol()))
        .put(el("span", "b3-list-item__text").text(title))
        .put(number.shown_if(move || shown() > 0))
}
