//! Handles requests of the puppy and of the page whose code does not load with SiYuan: names of places, coins, a setting, a
//! pause, levels in the document tree, and changes made elsewhere.

mod levels;
mod pause;
mod purse;
pub(crate) mod setting;

use crate::channel;
use crate::readable::Readable;
use puppy_ui_web::state::errand::{Errand, PurseAnswer};

/// Handles a request; `None` on failure.
pub async fn run(errand: &str) -> Option<String> {
    match Errand::parse(errand)? {
        Errand::Purse => purse::look().await.map(PurseAnswer::to_text),
        Errand::Buy(item) => purse::buy(item).await.map(PurseAnswer::to_text),
        Errand::Place(notebook, doc) => Readable::read().await?.names(&notebook, doc.as_deref()).await,
        Errand::Set(key, value) => setting::set(&key, &value).await,
        Errand::Changed(files) => {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            channel::changed(&files).await;
            None
        }
        Errand::Levels => levels::list().await,
        Errand::Level(notebook, level) => levels::set(&notebook, level).await,
        Errand::Pause(is) => pause::pause(is).await,
    }
}
