//! The frame of a page with a draft: its content once it is read, a notice until then, and the bar. It knows none of
//! the pages.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use puppy_ui_parts::{Button, Loading, Page, Trouble, fresh, is_collecting, keys};
use puppy_ui_web::host::dom;
use puppy_ui_web::state::trouble::{Load, StorageTrouble};
use puppy_ui_web::words::fill;

use crate::bar::Bar;
use crate::changes;
use crate::state::page::{DraftKind, PanelPage};
use crate::store::Store;

/// The entry of the page that is shown.
const ENTRY: &str = "[role=tab][aria-selected=true]";

/// A page: its content once it is read, and a notice until then.
#[component]
pub(crate) fn Frame(
    page: PanelPage,
    drafted: DraftKind,
    load: RwSignal<Load>,
    /// The notice about a file that cannot be read.
    broken: &'static str,
    /// Builds the content.
    content: fn(Store) -> AnyView,
) -> AnyView {
    let store = Store::here();
    if is_collecting() {
        // Its rows have labels before the files are read.
        return content(store);
    }
    let words = store.words;
    let bar = Bar::new(store, drafted, load);
    let retry = move |event: MouseEvent| {
        dom::focus_near(&event, ".pup-panel", ENTRY);
        load.set(Load::Loading);
        store.read();
    };
    let area = move || {
        let why = match load.get() {
            Load::Ready => return content(store),
            Load::Loading => return view! { <Loading text=words.loading/> }.into_any(),
            Load::Trouble(StorageTrouble::Silent) => words.silent,
            Load::Trouble(StorageTrouble::Refused) => words.refused,
            Load::Trouble(StorageTrouble::Failed) => words.failed,
            Load::Trouble(StorageTrouble::Broken) => broken,
        };
        view! { <Trouble text=why><Button name="retry" text=words.try_again press=retry/></Trouble> }
            .into_any()
    };
    view! {
        <Page
            name=page.name()
            title=page.title(words)
            note=store.readonly_note()
            foot=bar.view()
            on:keydown=keys(move |event| bar.key(event))
        >
            <Left store drafted load/>
            <div>{fresh(area)}</div>
        </Page>
    }
    .into_any()
}

/// Escape in a page: it closes the panel only where nothing was left to clear.
pub(crate) fn escape(event: &KeyboardEvent, clear: impl FnOnce() -> bool) -> bool {
    let is_cleared = event.key() == "Escape" && clear();
    if is_cleared {
        event.stop_propagation();
    }
    is_cleared
}

/// The question about changes of an earlier visit.
#[component]
fn Left(store: Store, drafted: DraftKind, load: RwSignal<Load>) -> AnyView {
    let words = store.draft_words;
    let is_left = move || {
        let is = store.left(drafted).get();
        is && load.get() == Load::Ready && store.changes(drafted) > 0 && !store.readonly
    };
    let text = move || match store.changes(drafted) {
        1 => words.left_one.to_owned(),
        n => fill(words.left, &[("n", &n.to_string())]),
    };
    let answer = move |event: MouseEvent, forgets: bool| {
        dom::focus_near(&event, ".pup-panel", ENTRY);
        store.left(drafted).set(false);
        if forgets {
            changes::discard(store, drafted);
        }
    };
    view! {
        <div class="pup-trouble pup-paused" class:fn__none=move || !is_left() role="status">
            <span class="fn__flex-1">{text}</span>
            <Button name="continue" text=words.go_on press=move |event| answer(event, false)/>
            <Button name="forget" text=words.forget press=move |event| answer(event, true)/>
        </div>
    }
    .into_any()
}
