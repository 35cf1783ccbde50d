//! The search over all pages, in the head of the side list: pages, settings, tools, actions and notebooks.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use puppy_core::find::actions_of;
use puppy_core::id::NotebookId;
use puppy_core::spec::Tool;
use puppy_ui_parts::{Label, fresh, keys, yes};
use puppy_ui_web::host;
use puppy_ui_web::host::dom;
use puppy_ui_web::words::actions::{self, Wording};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::search::SearchWords;

use crate::state::find::Query;
use crate::state::page::{DraftKind, PanelPage};
use crate::store::Store;

/// The most hits that are listed.
const MOST: usize = 12;
/// The time between two looks for the place of a hit, and their number: its page is drawn after the choice, and may have
/// to be loaded.
const LOOK_MS: u32 = 40;
const LOOKS: u32 = 100;
/// The field, for the key that leads to it.
pub(crate) const FIELD: &str = ".pup-search input";

/// Something that was found.
#[derive(Clone, PartialEq)]
struct Hit {
    name: String,
    page: PanelPage,
    /// The selector of its control on the page; empty for the page itself.
    place: String,
    is_page: bool,
    rank: u8,
}

/// The hits so far.
struct HitList<'q> {
    query: &'q Query,
    hits: Vec<Hit>,
}

#[derive(Clone, Copy)]
struct SearchSignals {
    store: Store,
    words: &'static SearchWords,
    query: RwSignal<String>,
    /// Every hit, the best first.
    hits: Memo<Vec<Hit>>,
    /// The place of the marked hit in the list.
    marked: RwSignal<usize>,
    is_open: RwSignal<bool>,
}

/// The field and its list.
#[component]
pub(crate) fn Search(
    /// Set while something is typed, so that the list takes the place of the pages.
    is_open: RwSignal<bool>,
    /// The labels of every page.
    labels: Memo<Vec<(PanelPage, Label)>>,
) -> AnyView {
    let store = Store::here();
    let words = SearchWords::of(&store.lang());
    let (query, marked) = (RwSignal::new(String::new()), RwSignal::new(0));
    let hits = Memo::new(move |_| {
        let query = query.with(|it| Query::parse(it));
        if query.is_empty() { Vec::new() } else { labels.with(|labels| find(store, &query, labels)) }
    });
    let search = SearchSignals { store, words, query, hits, marked, is_open };
    let is_on = move || !query.with(String::is_empty);
    let input = move |event| {
        query.set(event_target_value(&event).trim_start().to_owned());
        marked.set(0);
        is_open.set(!query.with_untracked(String::is_empty));
    };
    let active = move || if is_on() { format!("pup-hit-{}", marked.get()) } else { String::new() };
    let said = move || if is_on() { search.summary() } else { String::new() };
    view! {
        <div class="pup-search">
            <input
                class="b3-text-field fn__block"
                type="search"
                role="combobox"
                placeholder=words.search
                aria-label=words.search
                aria-controls="pup-hits"
                aria-autocomplete="list"
                autocomplete="off"
                aria-expanded=move || yes(is_on())
                aria-activedescendant=active
                prop:value=query
                on:input=input
                on:keydown=keys(move |event| search.key(event))
            />
            <div>{fresh(move || search.list())}</div>
            <div class="pup-hidden" role="status" aria-live="polite">{said}</div>
        </div>
    }
    .into_any()
}

impl SearchSignals {
    fn summary(self) -> String {
        let found = self.hits.with(Vec::len);
        let (n, most) = (found.to_string(), MOST.to_string());
        match found {
            0 => self.words.no_hit.to_owned(),
            1..=MOST => fill(self.words.hits, &[("n", &n)]),
            _ => fill(self.words.hits_more, &[("n", &n), ("most", &most)]),
        }
    }

    fn list(self) -> AnyView {
        if self.query.with(String::is_empty) {
            return ().into_any();
        }
        let option = |(at, hit)| view! { <Choice search=self at hit/> };
        let options = self.hits.get().into_iter().take(MOST).enumerate().map(option).collect_view();
        view! {
            <div class="pup-quiet pup-hits-count" aria-hidden="true">{self.summary()}</div>
            <ul
                class="pup-hits"
                id="pup-hits"
                role="listbox"
                aria-label=self.words.search
            >
                {options}
            </ul>
        }
        .into_any()
    }

    fn key(self, event: &KeyboardEvent) -> bool {
        // A key that ends a composition belongs to the composition.
        if event.is_composing() || self.query.with_untracked(String::is_empty) {
            return false;
        }
        let last = self.hits.with_untracked(Vec::len).min(MOST).saturating_sub(1);
        let at = self.marked.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => self.marked.set((at + 1).min(last)),
            "ArrowUp" => self.marked.set(at.saturating_sub(1)),
            "Enter" => {
                if let Some(hit) = self.hits.with_untracked(|it| it.get(at).cloned()) {
                    self.go(&hit);
                }
            }
            "Escape" => {
                event.stop_propagation();
                self.close();
            }
            _ => return false,
        }
        true
    }

    fn close(self) {
        self.query.set(String::new());
        self.is_open.set(false);
    }

    /// Opens the page of a hit and leads the focus to its place there, or to the page's entry where it has none.
    fn go(self, hit: &Hit) {
        let (page, place) = (hit.page, hit.place.clone());
        self.close();
        if page == PanelPage::Tools {
            // Its tool is unfolded.
            self.store.wanted.set(hit.name.clone());
        }
        // A page with a draft may hide the place of the hit.
        self.store.show(page, DraftKind::of(page).is_some());
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
            let target = format!(".pup-page {place}");
            for _ in 0..LOOKS {
                // Whoever has moved on meanwhile is left alone.
                if !dom::focus_drawn(&format!("{entry}:focus")) {
                    return;
                }
                dom::unfold(&target);
                if dom::focus_drawn(&target) {
                    return;
                }
                host::sleep(LOOK_MS).await;
            }
        });
    }
}

/// A hit in the list.
#[component]
fn Choice(search: SearchSignals, at: usize, hit: Hit) -> AnyView {
    let is_marked = move || search.marked.get() == at;
    // The page that it is on, or that it is one.
    let kind = if hit.is_page { search.words.a_page } else { hit.page.title(search.store.words) };
    let name = hit.name.clone();
    view! {
        <li
            class="pup-hit"
            role="option"
            id=format!("pup-hit-{at}")
            aria-selected=move || yes(is_marked())
            on:click=move |_| search.go(&hit)
        >
            <span class="pup-hit-name">{name}</span>
            <span class="pup-quiet">{kind}</span>
        </li>
    }
    .into_any()
}

impl HitList<'_> {
    fn look(&mut self, page: PanelPage, name: &str, about: &str, place: &str, is_page: bool) {
        let Some(rank) = self.query.rank(name, about) else { return };
        let hit = Hit { name: name.to_owned(), page, place: place.to_owned(), is_page, rank };
        // Entries of one rank stay in the order in which they are looked at.
        let at = self.hits.partition_point(|it| it.rank <= rank);
        self.hits.insert(at, hit);
    }
}

/// Everything that matches, the best first.
fn find(store: Store, query: &Query, labels: &[(PanelPage, Label)]) -> Vec<Hit> {
    let mut found = HitList { query, hits: Vec::new() };
    let lang = store.lang();
    for page in PanelPage::ALL {
        found.look(page, page.title(store.words), "", "", true);
    }
    for (page, label) in labels {
        found.look(*page, &label.name, &label.about, &label.place, false);
    }
    for tool in Tool::ALL.into_iter().filter(|it| actions_of(*it).next().is_some()) {
        let wording = actions::tool(&lang, tool);
        let place = format!("[data-tool=\"{}\"]", tool.name());
        found.look(PanelPage::Tools, tool.name(), &about(wording), &place, false);
        for spec in actions_of(tool) {
            let (path, wording) = (spec.path(), actions::action(&lang, spec));
            let place = format!("[data-action=\"{path}\"]");
            found.look(PanelPage::Tools, &path, &about(wording), &place, false);
        }
    }
    store.notebooks.with(|all| {
        for notebook in all {
            // Ids come from a file that a person may edit; only a real one goes into a selector.
            if let Some(id) = NotebookId::parse(&notebook.id) {
                let place = format!("[data-notebook=\"{}\"] [aria-checked=true]", id.as_str());
                found.look(PanelPage::Permissions, &notebook.name, "", &place, false);
            }
        }
    });
    found.hits
}

/// The name and the summary in the language of the page.
fn about(wording: Wording) -> String {
    format!("{} {}", wording.name.unwrap_or_default(), wording.summary)
}
