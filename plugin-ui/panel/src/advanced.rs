//! The advanced page: how danger asks, files and prompts, settings from and to elsewhere, and the end of it all.

mod elsewhere;
mod removal;

use crate::state::{access, ways};
use puppy_core::config::{ACCESS_FILE, AccessFile, AccessKey, HTTP_FILE, Way};
use puppy_core::kernel::files;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::server::{Change, HttpSettings};
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::advanced::AdvancedWords;
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::line;
use crate::pages::report;
use crate::parts::{self, Label, show};
use crate::setting_files::{read_access, read_server, save_access, save_server};
use crate::store::Store;

/// The rows of the ways to ask: two that ask somebody, and one that always works.
const ROWS: [&str; 3] = ["confirm", "confirm_2", "confirm_3"];

/// The page's signals.
#[derive(Clone, Copy)]
struct Advanced {
    store: Store,
    words: &'static AdvancedWords,
    /// The ways to ask that are in force.
    confirm: RwSignal<Vec<Way>>,
    /// The minutes that a question waits in SiYuan.
    patience: RwSignal<String>,
    folder: RwSignal<String>,
    tag: RwSignal<String>,
    /// Why something cannot be read or saved; empty for nothing.
    trouble: RwSignal<String>,
    /// Whether a file is broken, so that a new one helps.
    is_torn: RwSignal<bool>,
    /// What was done last.
    said: RwSignal<String>,
}

pub(crate) fn page(store: Store) -> El {
    let words = AdvancedWords::of(&store.lang());
    let [patience, folder, tag, trouble, said] = [(); 5].map(|()| RwSignal::new(String::new()));
    let (confirm, is_torn) = (RwSignal::new(ways::in_force(&[])), RwSignal::new(false));
    let page = Advanced { store, words, confirm, patience, folder, tag, trouble, is_torn, said };
    page.read();
    let (view, grow) = parts::page("advanced", store.words.advanced, store.readonly_note());
    let grow = grow.put(notice(page)).put(danger(page)).put(exchange(page));
    view.put(grow.put(elsewhere::group(page)).put(report::group(store)).put(removal::group(page)))
}

impl Advanced {
    fn read(self) {
        host::spawn(async move {
            let (http, access) = (read_server().await, read_access().await);
            let why = [http.as_ref().err(), access.as_ref().err()];
            self.is_torn.try_set(why.contains(&Some(&StorageTrouble::Broken)));
            self.unread(why.into_iter().flatten().next().copied());
            if let Ok(http) = http {
                show(self.confirm, ways::in_force(&http.confirm()));
                show(self.patience, http.patience().minutes.to_string());
            }
            if let Ok(access) = access {
                // A field that somebody types in stays as it is, unless the file has changed.
                show(self.folder, access.get(AccessKey::TransferFolder));
                show(self.tag, access.get(AccessKey::PromptTag));
            }
        });
    }

    /// Puts a way to ask at a place; the next change builds on it, even before it is saved.
    fn set_way(self, at: usize, way: Way) {
        let before = self.confirm.get_untracked();
        let ways = ways::put(&before, at, way);
        self.confirm.set(ways.clone());
        host::spawn(async move {
            let saved = save_server(&Change::Confirm(ways::stored(ways))).await;
            if saved.is_err() {
                self.confirm.try_set(before);
            }
            self.after(saved);
        });
    }

    fn set_http(self, change: Change) {
        host::spawn(async move {
            self.after(save_server(&change).await);
        });
    }

    fn set_access(self, key: AccessKey, value: String) {
        host::spawn(async move {
            self.after(save_access(key, &value).await);
        });
    }

    /// Shows what holds now, or why a change was not saved.
    fn after(self, saved: Result<(), StorageTrouble>) {
        match saved {
            Ok(()) => self.read(),
            Err(why) => {
                let words = self.store.words;
                self.trouble.try_set(fill(words.not_saved, &[("why", words.why(why))]));
            }
        }
    }

    /// Says why something cannot be read.
    fn unread(self, why: Option<StorageTrouble>) {
        let words = self.store.words;
        let text = why.map_or("", |why| match why {
            StorageTrouble::Broken => self.words.torn,
            StorageTrouble::Silent => words.why_silent,
            StorageTrouble::Refused => words.refused,
            StorageTrouble::Failed => words.failed,
        });
        self.trouble.try_set(text.to_owned());
    }

    /// Replaces the files that cannot be read by those of a new start.
    fn start_anew(self) {
        let Some(bridge) = self.store.bridge() else { return };
        host::spawn(async move {
            if !bridge.confirm(self.words.anew, self.words.anew_ask).await {
                return;
            }
            let mut files = Vec::new();
            if read_server().await == Err(StorageTrouble::Broken) {
                files.push((HTTP_FILE, HttpSettings::default().to_json()));
            }
            if read_access().await == Err(StorageTrouble::Broken) {
                files.push((ACCESS_FILE, AccessFile::default().to_json()));
            }
            for (name, text) in files {
                let saved = files::write(&PageKernel, &files::stored(name), text.into_bytes()).await;
                if let Err(why) = saved {
                    self.after(Err(why.into()));
                    return;
                }
            }
            self.read();
            line::changed(&[HTTP_FILE, ACCESS_FILE]).await;
        });
    }

    fn label(key: &'static str, name: &'static str, hint: &'static str) -> Label {
        Label { key, name, hint }
    }
}

/// Why something cannot be read or saved, with a way out.
fn notice(page: Advanced) -> El {
    let anew = parts::button("anew", page.words.anew).flag("disabled", page.store.readonly);
    let anew = anew.shown_if(move || page.is_torn.get()).click(move || page.start_anew());
    let retry = parts::button("retry", page.store.words.try_again).click(move || page.read());
    let notice = el("div", "pup-trouble").attr("role", "alert");
    let notice = notice.put(el("span", "fn__flex-1").says(move || page.trouble.get())).put(anew).put(retry);
    notice.shown_if(move || page.trouble.with(|it| !it.is_empty()))
}

fn danger(page: Advanced) -> El {
    let words = page.words;
    let names = [words.by_approval, words.by_client, words.by_token, words.by_nobody];
    let options: Vec<(&str, &str)> = Way::ALL.map(Way::word).into_iter().zip(names).collect();
    let card = parts::card().all(ROWS.into_iter().enumerate().map(|(at, key)| {
        let (name, hint) =
            if at == 0 { (words.confirm, words.confirm_hint) } else { (words.confirm_next, "") };
        let way = move || page.confirm.with(|it| it.get(at).copied());
        let value = move || way().map(Way::word).unwrap_or_default().to_owned();
        let set = move |chosen: String| {
            if let Some(way) = Way::named(&chosen) {
                page.set_way(at, way);
            }
        };
        let row = parts::choice(Advanced::label(key, name, hint), page.store.readonly, &options, value, set);
        row.shown_if(move || way().is_some())
    }));
    let label = Advanced::label("question_minutes", words.patience, words.patience_hint);
    let set = move |typed: &str| Change::patience(typed).map(|it| page.set_http(it)).is_some();
    let shown = move || page.patience.get();
    let patience = parts::field(label, words.patience_wrong, page.store.readonly, shown, set);
    parts::group(words.danger).put(card.put(patience))
}

fn exchange(page: Advanced) -> El {
    let words = page.words;
    let field = |label, wrong, key, shown: RwSignal<String>, is_sound: fn(&str) -> bool| {
        let set = move |typed: &str| {
            let is = is_sound(typed.trim());
            if is {
                page.set_access(key, typed.trim().to_owned());
            }
            is
        };
        parts::field(label, wrong, page.store.readonly, move || shown.get(), set)
    };
    let folder = Advanced::label("transfer_folder", words.folder, words.folder_hint);
    let tag = Advanced::label("prompt_tag", words.tag, words.tag_hint);
    let card = parts::card()
        .put(field(folder, words.folder_wrong, AccessKey::TransferFolder, page.folder, access::is_folder))
        .put(field(tag, words.tag_wrong, AccessKey::PromptTag, page.tag, access::is_tag));
    parts::group(words.files).put(card)
}
