//! The level of notebooks that agents create: a setting, saved immediately.

use leptos::prelude::*;
use puppy_core::config::AccessKey;
use puppy_core::permission::Level;
use puppy_ui_parts::{Choice, once_drawn, options};
use puppy_ui_web::host;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::fill;

use crate::setting_files::{read_access, save_access};
use crate::store::Store;

/// The setting's signals.
#[derive(Clone, Copy)]
struct NewNotebookLevel {
    level: RwSignal<String>,
    /// Why it cannot be read or saved.
    trouble: RwSignal<Option<StorageTrouble>>,
}

/// The row of the setting.
#[component]
pub(super) fn MadeLevel(store: Store) -> AnyView {
    let words = store.draft_words;
    let made = NewNotebookLevel { level: RwSignal::new(String::new()), trouble: RwSignal::new(None) };
    once_drawn(move || host::spawn(made.read()));
    let set = move |chosen: String| {
        host::spawn(async move {
            let saved = save_access(AccessKey::NewNotebookLevel, &chosen).await;
            // The field shows the saved level.
            made.read().await;
            if let Err(why) = saved {
                made.trouble.try_set(Some(why));
            }
        });
    };
    let why = move || {
        let why = made.trouble.get().map(|why| store.words.why(why));
        why.map(|why| fill(store.words.not_saved, &[("why", why)])).unwrap_or_default()
    };
    view! {
        <div class="config-group">
            <div class="config-items">
                <Choice
                    key="new_notebook_level"
                    name=words.made
                    hint=words.made_hint
                    disabled=store.readonly
                    options=options(Level::ALL.map(|it| (it.word(), store.words.level(it))))
                    value=made.level
                    set
                />
            </div>
            <div
                class="pup-below b3-label__text pup-failure"
                class:fn__none=move || made.trouble.get().is_none()
                role="status"
            >
                {why}
            </div>
        </div>
    }
    .into_any()
}

impl NewNotebookLevel {
    async fn read(self) {
        match read_access().await {
            Ok(file) => {
                self.level.try_set(file.get(AccessKey::NewNotebookLevel));
                self.trouble.try_set(None);
            }
            Err(why) => {
                // As for calls: a level that cannot be read allows nothing.
                self.level.try_set(Level::None.word().to_owned());
                self.trouble.try_set(Some(why));
            }
        }
    }
}
