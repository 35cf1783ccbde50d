//! The bar at the foot of a page: the number of waiting changes, Discard and Apply.

use leptos::prelude::*;

use crate::page::PanelPage;
use crate::store::{Load, Saving, Store};
use puppy_plugin_ui::state::levels::LevelDraft;
use puppy_plugin_ui::state::switches::SwitchDraft;
use puppy_plugin_ui::words::fill;

pub(crate) fn bar(store: Store, page: PanelPage, load: RwSignal<Load>) -> impl IntoView {
    let words = store.words;
    let changes = move || store.changes(page);
    let is_idle = move || {
        changes() == 0 || store.readonly || store.saving.get() == Saving::Runs || load.get() != Load::Ready
    };
    let status = move || match store.saving.get() {
        Saving::Runs => words.applying.to_owned(),
        Saving::Done => words.applied.to_owned(),
        Saving::Elsewhere => words.applied_elsewhere.to_owned(),
        Saving::Failed(why) => fill(words.not_saved, &[("why", words.why(why))]),
        Saving::Rests => words.changes(changes()),
    };
    // Not `disabled`: the dialog would lose the focus as soon as there is nothing left to apply.
    let disabled = move || is_idle().to_string();
    let apply = move |_| {
        if !is_idle() {
            store.apply(page);
        }
    };
    let discard = move |_| {
        if is_idle() {
            return;
        }
        match page {
            PanelPage::Permissions => store.edit_levels(LevelDraft::discard),
            PanelPage::Tools => store.edit_switches(SwitchDraft::discard),
            PanelPage::Puppy => {}
        }
        store.said.set(String::new());
    };
    view! {
        <div class="pup-bar fn__flex">
            <span class="pup-said" role="status" aria-live="polite">
                <span class="pup-hidden">{move || store.said.get()}</span>
                <span class=("pup-failure", move || matches!(store.saving.get(), Saving::Failed(_) | Saving::Elsewhere))>{status}</span>
            </span>
            <span class="fn__flex-1"></span>
            <button class="b3-button b3-button--cancel" data-do="discard" aria-disabled=disabled on:click=discard>
                {words.discard}
            </button>
            <span class="fn__space"></span>
            <button class="b3-button" data-do="apply" aria-disabled=disabled on:click=apply>
                {words.apply}
            </button>
        </div>
    }
}
