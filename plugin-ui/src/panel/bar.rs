//! The bar at the foot of a page: the number of waiting changes, Discard and Apply.

use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::page::PanelPage;
use crate::parts::space;
use crate::store::{Load, Saving, Store};
use puppy_plugin_ui::host::el::{El, el};
use puppy_plugin_ui::state::levels::LevelDraft;
use puppy_plugin_ui::state::switches::SwitchDraft;
use puppy_plugin_ui::words::fill;

pub(crate) fn bar(store: Store, page: PanelPage, load: RwSignal<Load>) -> El {
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
    let apply = move || {
        if !is_idle() {
            store.apply(page);
        }
    };
    let discard = move || {
        if is_idle() {
            return;
        }
        match page {
            PanelPage::Permissions => store.edit_levels(LevelDraft::discard),
            PanelPage::Tools => store.edit_switches(SwitchDraft::discard),
            PanelPage::Home | PanelPage::Connection | PanelPage::Puppy => {}
        }
        store.said.set(String::new());
    };
    let has_failed = move || matches!(store.saving.get(), Saving::Failed(_) | Saving::Elsewhere);
    let said = el("span", "pup-said").attr("role", "status").attr("aria-live", "polite");
    let said = said.put(el("span", "pup-hidden").says(move || store.said.get()));
    let said = said.put(el("span", "").says(status).class_if("pup-failure", has_failed));
    // Not `disabled`: the dialog would lose the focus as soon as there is nothing left to apply.
    let button = |class, name, title| {
        el("button", class).attr("data-do", name).text(title).is("aria-disabled", is_idle)
    };
    el("div", "pup-bar fn__flex")
        .put(said)
        .put(el("span", "fn__flex-1"))
        .put(button("b3-button b3-button--cancel", "discard", words.discard).click(discard))
        .put(space())
        .put(button("b3-button", "apply", words.apply).click(apply))
}
