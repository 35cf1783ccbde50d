//! Errands of the puppy that the page's start does not carry: coins, names of places, a setting, a pause.

mod pause;
mod purse;
mod setting;

pub(crate) use setting::{read as settings, set};

use puppy_plugin_ui::kernel::readable::Readable;
use puppy_plugin_ui::state::errand::{Errand, PurseAnswer};

/// Runs an errand; `None` on failure.
pub(crate) async fn run(errand: &str) -> Option<String> {
    match Errand::parse(errand)? {
        Errand::Purse => purse::look().await.map(PurseAnswer::to_text),
        Errand::Buy(item) => purse::buy(item).await.map(PurseAnswer::to_text),
        Errand::Place(notebook, doc) => Readable::read().await?.names(&notebook, doc.as_deref()).await,
        Errand::Set(key, value) => set(&key, &value).await,
        Errand::Pause(is) => pause::pause(is).await,
    }
}
