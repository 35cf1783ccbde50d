//! Errands of the puppy that the page's start does not carry: coins, names of places, a setting, a pause, and what
//! pages that load late leave to the line to the servers.

mod pause;
mod purse;
mod setting;

use crate::line;
use puppy_plugin_ui::kernel::readable::Readable;
use puppy_plugin_ui::state::errand::{Errand, PurseAnswer};

/// Runs an errand; `None` on failure.
pub(crate) async fn run(errand: &str) -> Option<String> {
    match Errand::parse(errand)? {
        Errand::Purse => purse::look().await.map(PurseAnswer::to_text),
        Errand::Buy(item) => purse::buy(item).await.map(PurseAnswer::to_text),
        Errand::Place(notebook, doc) => Readable::read().await?.names(&notebook, doc.as_deref()).await,
        Errand::Set(key, value) => setting::set(&key, &value).await,
        Errand::Changed(files) => {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            line::changed(&files).await;
            None
        }
        Errand::Pause(is) => pause::pause(is).await,
    }
}
