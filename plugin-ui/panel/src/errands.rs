//! Errands of the puppy and the page that the start does not carry: names of places, a setting, a pause, levels in
//! the document tree, and what pages that load late leave to the line to the servers.

mod levels;
mod pause;
mod setting;

use crate::line;
use crate::readable::Readable;
use puppy_ui_web::state::errand::Errand;

/// Runs an errand; `None` on failure.
pub async fn run(errand: &str) -> Option<String> {
    match Errand::parse(errand)? {
        // Coins are counted by the module of the pages that load late.
        Errand::Purse | Errand::Buy(_) => None,
        Errand::Place(notebook, doc) => Readable::read().await?.names(&notebook, doc.as_deref()).await,
        Errand::Set(key, value) => setting::set(&key, &value).await,
        Errand::Changed(files) => {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            line::changed(&files).await;
            None
        }
        Errand::Levels => levels::list().await,
        Errand::Level(notebook, level) => levels::set(&notebook, level).await,
        Errand::Pause(is) => pause::pause(is).await,
    }
}
