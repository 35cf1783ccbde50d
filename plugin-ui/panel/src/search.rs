//! The search over all pages, in the head of the side list: pages, settings, tools, actions and notebooks.

mod index;

use crate::state::find::Query;
use puppy_ui_parts::el::{El, KeyboardEvent, el, typed};
use puppy_ui_web::host;
use puppy_ui_web::host::dom;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::search::SearchWords;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::state::page::{Drafted, PanelPage};

use crate::store::Store;
use index::Hit;

/// The most hits that are listed.
const MOST: u32 = 12;
/// The time between two looks for the place of a hit, and their number: its page is drawn after the choice, and may have
/// to be loaded.
const LOOK_MS: u32 = 40;
const LOOKS: u32 = 100;
/// The field, for the key that leads to it.
pub(crate) const FIELD: &str = ".pup-search input";

/// The search's signals.
#[derive(Clone, Copy)]
struct Search {
    store: Store,
    words: &'static SearchWords,
    query: RwSignal<String>,
    /// Every hit, the best first.
    hits: Memo<Vec<Hit>>,
    /// The place of the marked hit in the list.
    marked: RwSignal<u32>,
}

/// The field and its list; `is_open` tells whether something is typed, so that the list takes the place of the pages.
pub(crate) fn search(store: Store, is_open: RwSignal<bool>) -> El {
    let words = SearchWords::of(&store.lang());
    let query = RwSignal::new(String::new());
    let hits = Memo::new(move |_| {
        let query = query.with(|it| Query::parse(it));
        if query.is_empty() { Vec::new() } else { index::find(store, &query) }
    });
    let search = Search { store, words, query, hits, marked: RwSignal::new(0) };
    let is_on = move || !search.query.with(String::is_empty);
    let field = el("input", "b3-text-field fn__block").attr("type", "search").attr("role", "combobox");
    let field = field.attr("placeholder", words.search).attr("aria-label", words.search);
    let field =
        field.attr("aria-controls", "pup-hits").attr("aria-autocomplete", "list").attr("autocomplete", "off");
    let field = field.is("aria-expanded", is_on).value(move || search.query.get());
    let field = field.has("aria-activedescendant", move || {
        if is_on() { format!("pup-hit-{}", search.marked.get()) } else { String::new() }
    });
    let field = field.on("input", move |event| {
        search.query.set(typed(event).trim_start().to_owned());
        search.marked.set(0);
        is_open.set(is_on());
    });
    let field = field.keys(move |event| search.key(event, is_open));
    let list = el("div", "").shows(move || search.list(is_open));
    let said = el("div", "pup-hidden").attr("role", "status").attr("aria-live", "polite");
    let said = said.says(move || if is_on() { search.told(search.found()) } else { String::new() });
    el("div", "pup-search").put(field).put(list).put(said)
}

impl Search {
    fn found(self) -> u32 {
        self.hits.with(|it| u32::try_from(it.len()).unwrap_or(u32::MAX))
    }

    fn told(self, found: u32) -> String {
        let (n, most) = (found.to_string(), MOST.to_string());
        match found {
            0 => self.words.no_hit.to_owned(),
            1..=MOST => fill(self.words.hits, &[("n", &n)]),
            _ => fill(self.words.hits_more, &[("n", &n), ("most", &most)]),
        }
    }

    fn list(self, is_open: RwSignal<bool>) -> El {
        if self.query.with(String::is_empty) {
            return el("div", "");
        }
        let told = self.told(self.found());
        let told = el("div", "pup-quiet pup-hits-told").attr("aria-hidden", "true").text(&told);
        let list = el("ul", "b3-list b3-list--background").attr("id", "pup-hits").attr("role", "listbox");
        let list = list.attr("aria-label", self.words.search);
        let options = (0..MOST).zip(self.hits.get()).map(|(at, hit)| {
            let is_marked = move || self.marked.get() == at;
            let name = el("span", "b3-list-item__text").text(&hit.name);
            let kind = el("span", "b3-list-item__meta").text(hit.kind(self.store, self.words));
            el("li", "b3-list-item")
                .attr("role", "option")
                .attr("id", &format!("pup-hit-{at}"))
                .class_if("b3-list-item--focus", is_marked)
                .is("aria-selected", is_marked)
                .put(name)
                .put(kind)
                .click(move || self.go(&hit, is_open))
        });
        el("div", "").put(told).put(list.all(options))
    }

    fn key(self, event: &KeyboardEvent, is_open: RwSignal<bool>) -> bool {
        // A key that ends a composition belongs to the composition.
        if event.is_composing() || self.query.with_untracked(String::is_empty) {
            return false;
        }
        let last = self.found().min(MOST).saturating_sub(1);
        let at = self.marked.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => self.marked.set((at + 1).min(last)),
            "ArrowUp" => self.marked.set(at.saturating_sub(1)),
            "Enter" => {
                if let Some((_, hit)) = (0..MOST).zip(self.hits.get_untracked()).find(|it| it.0 == at) {
                    self.go(&hit, is_open);
                }
            }
            "Escape" => {
                event.stop_propagation();
                self.close(is_open);
            }
            _ => return false,
        }
        true
    }

    fn close(self, is_open: RwSignal<bool>) {
        self.query.set(String::new());
        is_open.set(false);
    }

    /// Opens the page of a hit and leads the focus to its place there, or to the page's entry where it has none.
    fn go(self, hit: &Hit, is_open: RwSignal<bool>) {
        let (page, place) = (hit.page, hit.place.clone());
        self.close(is_open);
        if page == PanelPage::Tools {
            // Its tool is unfolded.
            self.store.wanted.set(hit.name.clone());
        }
        // A page with a draft may hide the place of the hit.
        self.store.show(page, Drafted::of(page).is_some());
        let entry = format!(".pup-panel [role=tab][data-name={}]", page.name());
        host::spawn(async move {
            host::sleep(LOOK_MS).await;
            if page == PanelPage::Tools {
                self.store.wanted.try_set(String::new());
            }
            dom::focus_anywhere(&entry);
            if place.is_empty() {
                return;
            }
            for _ in 0..LOOKS {
                // Whoever has moved on meanwhile is left alone.
                if dom::focus_found(&format!("{entry}:focus"))
                    && dom::focus_found(&format!(".pup-page {place}"))
                {
                    return;
                }
                host::sleep(LOOK_MS).await;
            }
        });
    }
}

impl Hit {
    /// The page that it is on, or that it is one.
    fn kind(&self, store: Store, words: &SearchWords) -> &'static str {
        if self.is_page { words.a_page } else { self.page.title(store.words) }
    }
}
