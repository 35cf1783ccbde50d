//! The level of notebooks that agents create: a setting, saved at once.

use puppy_core::config::AccessKey;
use puppy_core::permission::Level;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts::{self, Label};
use crate::setting_files::{read_access, save_access};
use crate::store::Store;

/// The setting's signals.
#[derive(Clone, Copy)]
struct Made {
    level: RwSignal<String>,
    /// Why it cannot be read or saved.
    trouble: RwSignal<Option<StorageTrouble>>,
}

pub(super) fn view(store: Store) -> El {
    let words = store.draft_words;
    let made = Made { level: RwSignal::new(String::new()), trouble: RwSignal::new(None) };
    host::spawn(made.read());
    let options = Level::ALL.map(|it| (it.word(), store.words.level(it)));
    let label = Label { key: "new_notebook_level", name: words.made, hint: words.made_hint };
    let set = move |chosen: String| {
        host::spawn(async move {
            let saved = save_access(AccessKey::NewNotebookLevel, &chosen).await;
            // The field shows what holds.
            made.read().await;
            if let Err(why) = saved {
                made.trouble.try_set(Some(why));
            }
        });
    };
    let row = parts::choice(label, store.readonly, &options, move || made.level.get(), set);
    let why = move || {
        let why = made.trouble.get().map(|why| store.words.why(why));
        why.map(|why| fill(store.words.not_saved, &[("why", why)])).unwrap_or_default()
    };
    let said = el("div", "b3-label__text pup-failure").attr("role", "status").says(why);
    el("div", "config-items pup-made").put(row).put(said.shown_if(move || made.trouble.get().is_some()))
}

impl Made {
    async fn read(self) {
        match read_access().await {
            Ok(file) => {
                self.level.try_set(file.get(AccessKey::NewNotebookLevel));
                self.trouble.try_set(None);
            }
            Err(why) => {
                // As for calls: what cannot be read allows nothing.
                self.level.try_set(Level::None.word().to_owned());
                self.trouble.try_set(Some(why));
            }
        }
    }
}
