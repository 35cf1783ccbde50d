//! The advanced page: how danger asks, files and prompts, settings from and to elsewhere, and the end of it all.

mod elsewhere;
mod removal;

use puppy_core::config::{ACCESS_FILE, AccessFile, AccessKey, HTTP_FILE};
use puppy_core::kernel::files;
use puppy_plugin_ui::host;
use puppy_plugin_ui::host::el::{El, el};
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::access;
use puppy_plugin_ui::state::server::{Change, HttpSettings};
use puppy_plugin_ui::state::trouble::StorageTrouble;
use puppy_plugin_ui::words::advanced::AdvancedWords;
use puppy_plugin_ui::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts::{self, Label, show};
use crate::store::Store;
use crate::{late, line, server_file};

/// The ways to ask that the page offers.
const CHOICES: [&str; 4] = ["", "approve,block", "ask,block", "block"];
/// The choice that stands for other ways in the file.
const OWN: &str = "own";

/// The page's signals.
#[derive(Clone, Copy)]
struct Advanced {
    store: Store,
    words: &'static AdvancedWords,
    /// The ways to ask, as the file says.
    confirm: RwSignal<String>,
    folder: RwSignal<String>,
    tag: RwSignal<String>,
    /// Why something cannot be read or saved.
    trouble: RwSignal<Option<StorageTrouble>>,
    /// What was done last.
    said: RwSignal<String>,
}

pub(crate) fn page(store: Store) -> El {
    let words = AdvancedWords::of(&store.lang());
    let [confirm, folder, tag, said] = [(); 4].map(|()| RwSignal::new(String::new()));
    let page = Advanced { store, words, confirm, folder, tag, trouble: RwSignal::new(None), said };
    page.read();
    let (view, grow) = parts::page("advanced", store.words.advanced, store.readonly_note());
    let grow = grow.put(notice(page)).put(danger(page)).put(exchange(page));
    view.put(grow.put(elsewhere::group(page)).put(late::part(store, "report")).put(removal::group(page)))
}

impl Advanced {
    fn read(self) {
        host::spawn(async move {
            let http = server_file::read().await;
            let access = AccessFile::read(&PageKernel).await.map_err(StorageTrouble::from);
            self.trouble.try_set(http.as_ref().err().or(access.as_ref().err()).copied());
            if let Ok(http) = http {
                show(self.confirm, http.confirm());
            }
            if let Ok(access) = access {
                // A field that somebody types in stays as it is, unless the file has changed.
                show(self.folder, access.get(AccessKey::TransferFolder));
                show(self.tag, access.get(AccessKey::PromptTag));
            }
        });
    }

    fn set_confirm(self, chosen: &str) {
        let Some(change) = Change::confirm(chosen) else { return };
        host::spawn(async move {
            let saved = server_file::save(&change).await;
            self.after(saved);
        });
    }

    fn set_access(self, key: AccessKey, value: String) {
        host::spawn(async move {
            let saved = AccessFile::save(&PageKernel, key, &value).await;
            self.after(saved.map_err(StorageTrouble::from));
            line::changed(&[ACCESS_FILE]).await;
        });
    }

    /// Shows what holds now, or why a change was not saved.
    fn after(self, saved: Result<(), StorageTrouble>) {
        match saved {
            Ok(()) => self.read(),
            Err(why) => {
                self.trouble.try_set(Some(why));
            }
        }
    }

    /// Replaces the files that cannot be read by those of a new start.
    fn start_anew(self) {
        let Some(bridge) = self.store.bridge() else { return };
        host::spawn(async move {
            if !bridge.confirm(self.words.anew, self.words.anew_ask).await {
                return;
            }
            let is_torn = |why: Option<StorageTrouble>| why == Some(StorageTrouble::Broken);
            let access = AccessFile::read(&PageKernel).await.err().map(StorageTrouble::from);
            let mut files = Vec::new();
            if is_torn(server_file::read().await.err()) {
                files.push((HTTP_FILE, HttpSettings::default().to_json()));
            }
            if is_torn(access) {
                files.push((ACCESS_FILE, AccessFile::default().to_json()));
            }
            for (name, text) in files {
                let path = format!("{}{name}", files::STORAGE);
                let saved = files::write(&PageKernel, &path, text.into_bytes()).await;
                self.trouble.try_set(saved.err().map(StorageTrouble::from));
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
    let words = page.store.words;
    let is_torn = move || page.trouble.get() == Some(StorageTrouble::Broken);
    let text = move || match page.trouble.get() {
        None => "",
        Some(StorageTrouble::Broken) => page.words.torn,
        Some(StorageTrouble::Silent) => words.why_silent,
        Some(StorageTrouble::Refused) => words.refused,
        Some(StorageTrouble::Failed) => words.failed,
    };
    let anew = parts::button("anew", page.words.anew).flag("disabled", page.store.readonly);
    let anew = anew.shown_if(is_torn).click(move || page.start_anew());
    let retry = parts::button("retry", words.try_again).click(move || page.read());
    let notice = el("div", "pup-trouble").attr("role", "alert");
    let notice = notice.put(el("span", "fn__flex-1").says(text)).put(anew).put(retry);
    notice.shown_if(move || page.trouble.get().is_some())
}

fn danger(page: Advanced) -> El {
    let words = page.words;
    let label = Advanced::label("confirm", words.confirm, words.confirm_hint);
    let names = [words.confirm_any, words.confirm_siyuan, words.confirm_ask, words.confirm_block];
    let mut options: Vec<(&str, &str)> = CHOICES.into_iter().zip(names).collect();
    options.push((OWN, ""));
    let is_own = move || page.confirm.with(|it| !CHOICES.contains(&it.as_str()));
    let value = move || if is_own() { OWN.to_owned() } else { page.confirm.get() };
    let row = parts::choice(label, page.store.readonly, &options, value, move |chosen| {
        page.set_confirm(&chosen);
    });
    // What a person wrote into the file stays a choice while it holds.
    let own = row.find("option[value=own]");
    let own = own.says(move || page.confirm.with(|it| fill(words.confirm_own, &[("ways", it)])));
    let _ = own.shown_if(is_own);
    parts::group(words.danger).put(parts::card().put(row))
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
