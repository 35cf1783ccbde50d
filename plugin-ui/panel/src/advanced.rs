//! The advanced page: confirmation of dangerous calls, files and prompts, import and export of settings, and removal.

mod elsewhere;
mod removal;

use crate::state::{access, ways};
use leptos::prelude::*;
use puppy_core::config::{ACCESS_FILE, AccessFile, AccessKey, ApprovalMethod, HTTP_FILE};
use puppy_core::errands::{ErrandBounds, MOST_CHANGES, MOST_DELETES, MOST_MINUTES};
use puppy_core::kernel::files;
use puppy_ui_parts::{Button, Card, Choice, Field, Group, Page, Trouble, once_drawn, options, show};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::server::{HttpChange, HttpSettings};
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::advanced::AdvancedWords;
use puppy_ui_web::words::fill;

use self::elsewhere::Elsewhere;
use self::removal::Removal;
use crate::channel;
use crate::pages::report::Report;
use crate::setting_files::{read_access, read_server, save_access, save_server};
use crate::store::Store;

/// The rows of the ways to confirm: two that need an answer, and one that always works.
const ROWS: [&str; 3] = ["confirm", "confirm_2", "confirm_3"];

/// The page's signals.
#[derive(Clone, Copy)]
struct AdvancedSignals {
    store: Store,
    words: &'static AdvancedWords,
    /// The ways to ask that are in force.
    confirm: RwSignal<Vec<ApprovalMethod>>,
    /// The minutes that a question waits in SiYuan.
    patience: RwSignal<String>,
    /// The most changes, deletions and minutes of an errand.
    errands: [RwSignal<String>; 3],
    folder: RwSignal<String>,
    tag: RwSignal<String>,
    /// Why something cannot be read or saved; empty for nothing.
    trouble: RwSignal<String>,
    /// Whether a file is broken, so that a new one helps.
    is_torn: RwSignal<bool>,
    /// The outcome of the last import, export or reset.
    said: RwSignal<String>,
    pending: StoredValue<PendingChanges>,
}

/// The changes that are being saved.
#[derive(Default)]
struct PendingChanges {
    /// Their number.
    n: usize,
    /// Why one of them was not saved.
    failed: Option<StorageTrouble>,
}

/// The page.
#[component]
pub(crate) fn Advanced() -> AnyView {
    let store = Store::here();
    let words = AdvancedWords::of(&store.lang());
    let [patience, folder, tag, trouble, said] = [(); 5].map(|()| RwSignal::new(String::new()));
    let (confirm, is_torn) = (RwSignal::new(ways::in_force(&[])), RwSignal::new(false));
    let errands = [(); 3].map(|()| RwSignal::new(String::new()));
    let page = AdvancedSignals {
        store,
        words,
        confirm,
        patience,
        errands,
        folder,
        tag,
        trouble,
        is_torn,
        said,
        pending: StoredValue::new(PendingChanges::default()),
    };
    once_drawn(move || page.read());
    view! {
        <Page name="advanced" title=store.words.advanced note=store.readonly_note()>
            <Notice page/>
            <Dangers page/>
            <Exchange page/>
            <Elsewhere page/>
            <Report store/>
            <Removal page/>
        </Page>
    }
    .into_any()
}

impl AdvancedSignals {
    fn read(self) {
        host::spawn(self.show_files());
    }

    /// Shows the files, or why they cannot be read.
    async fn show_files(self) {
        let (http, access) = (read_server().await, read_access().await);
        // A change that was made meanwhile is newer than the files as they were read; its end reads them again.
        if self.pending.try_with_value(|it| it.n) != Some(0) {
            return;
        }
        let why = [http.as_ref().err(), access.as_ref().err()];
        self.is_torn.try_set(why.contains(&Some(&StorageTrouble::Broken)));
        self.unread(why.into_iter().flatten().next().copied());
        if let Ok(http) = http {
            show(self.confirm, ways::in_force(&http.confirm()));
            show(self.patience, http.patience().minutes.to_string());
            let ErrandBounds { most, minutes } = http.errands();
            for (field, most) in self.errands.into_iter().zip([most.changes, most.deletes, minutes]) {
                show(field, most.to_string());
            }
        }
        if let Ok(access) = access {
            // A field keeps the text that is being typed, unless the file has changed.
            show(self.folder, access.get(AccessKey::TransferFolder));
            show(self.tag, access.get(AccessKey::PromptTag));
        }
        if let Some(why) = self.pending.try_update_value(|it| it.failed.take()).flatten() {
            self.not_saved(why);
        }
    }

    fn not_saved(self, why: StorageTrouble) {
        let words = self.store.words;
        self.trouble.try_set(fill(words.not_saved, &[("why", words.why(why))]));
    }

    /// Puts a way to ask at a place; the next change builds on it, even before it is saved.
    fn set_way(self, at: usize, way: ApprovalMethod) {
        let ways = ways::put(&self.confirm.get_untracked(), at, way);
        self.confirm.set(ways.clone());
        self.set_http(HttpChange::Confirm(ways::stored(ways)));
    }

    fn set_http(self, change: HttpChange) {
        self.save(async move { save_server(&change).await });
    }

    fn set_access(self, key: AccessKey, value: String) {
        self.save(async move { save_access(key, &value).await });
    }

    /// Saves a change. Once no other is being saved, shows the files.
    fn save(self, change: impl Future<Output = Result<(), StorageTrouble>> + 'static) {
        self.pending.update_value(|it| it.n += 1);
        host::spawn(async move {
            let saved = change.await;
            let is_last = self.pending.try_update_value(|it| {
                it.n -= 1;
                it.failed = saved.err().or(it.failed);
                it.n == 0
            });
            if is_last == Some(true) {
                self.show_files().await;
            }
        });
    }

    /// Shows why something cannot be read.
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

    /// Replaces unreadable files with the default settings.
    fn start_over(self) {
        let Some(host) = self.store.host() else { return };
        host::spawn(async move {
            if !host.confirm(self.words.anew, self.words.anew_ask).await {
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
                    self.not_saved(why.into());
                    return;
                }
            }
            self.read();
            channel::changed(&[HTTP_FILE, ACCESS_FILE]).await;
        });
    }
}

/// The reason why something cannot be read or saved, with a way out.
#[component]
fn Notice(page: AdvancedSignals) -> AnyView {
    let store = page.store;
    view! {
        <Trouble text=move || page.trouble.get() shown=move || page.trouble.with(|it| !it.is_empty())>
            <Button
                name="anew"
                text=page.words.anew
                disabled=store.readonly
                shown=page.is_torn
                press=move |_| page.start_over()
            />
            <Button name="retry" text=store.words.try_again press=move |_| page.read()/>
        </Trouble>
    }
    .into_any()
}

#[component]
fn Dangers(page: AdvancedSignals) -> AnyView {
    let (words, readonly) = (page.words, page.store.readonly);
    view! {
        <Group title=words.danger>
            <Card>
                {ROWS.into_iter().enumerate().map(|(at, key)| view! { <Ask page at key/> }).collect_view()}
                <Field
                    key="question_minutes"
                    name=words.patience
                    hint=words.patience_hint
                    wrong=words.patience_wrong
                    disabled=readonly
                    value=page.patience
                    set=move |text: String| HttpChange::patience(&text).map(|it| page.set_http(it)).is_some()
                />
                <Bounds page/>
            </Card>
        </Group>
    }
    .into_any()
}

/// The rows of the greatest bounds of errands.
#[component]
fn Bounds(page: AdvancedSignals) -> AnyView {
    let words = page.words;
    let row = |value, key, name, hint, most, change: fn(u64) -> HttpChange| {
        let set = move |text: String| {
            HttpChange::errand_bound(&text, most, change).map(|it| page.set_http(it)).is_some()
        };
        view! {
            <Field key name hint wrong=words.errand_wrong disabled=page.store.readonly value set/>
        }
    };
    let [changes, deletes, minutes] = page.errands;
    let off = words.errand_off;
    (
        row(changes, "errand_changes", words.errand_changes, "", MOST_CHANGES, HttpChange::ErrandChanges),
        row(deletes, "errand_deletes", words.errand_deletes, "", MOST_DELETES, HttpChange::ErrandDeletes),
        row(minutes, "errand_minutes", words.errand_minutes, off, MOST_MINUTES, HttpChange::ErrandMinutes),
    )
        .into_any()
}

/// The row of the way to ask at a place.
#[component]
fn Ask(page: AdvancedSignals, at: usize, key: &'static str) -> AnyView {
    let words = page.words;
    let (name, hint) = if at == 0 { (words.confirm, words.confirm_hint) } else { (words.confirm_next, "") };
    let names = [words.by_approval, words.by_client, words.by_token, words.by_nobody];
    let way = move || page.confirm.with(|it| it.get(at).copied());
    let set = move |word: String| {
        if let Some(way) = ApprovalMethod::named(&word) {
            page.set_way(at, way);
        }
    };
    view! {
        <Choice
            key
            name
            hint
            disabled=page.store.readonly
            options=options(ApprovalMethod::ALL.map(ApprovalMethod::word).into_iter().zip(names))
            value=move || way().map(ApprovalMethod::word).unwrap_or_default().to_owned()
            set
            shown=move || way().is_some()
        />
    }
    .into_any()
}

#[component]
fn Exchange(page: AdvancedSignals) -> AnyView {
    let (words, readonly) = (page.words, page.store.readonly);
    let set = move |key: AccessKey, text: &str, is_sound: fn(&str) -> bool| {
        let is = is_sound(text.trim());
        if is {
            page.set_access(key, text.trim().to_owned());
        }
        is
    };
    view! {
        <Group title=words.files>
            <Card>
                <Field
                    key="transfer_folder"
                    name=words.folder
                    hint=words.folder_hint
                    wrong=words.folder_wrong
                    disabled=readonly
                    value=page.folder
                    set=move |text: String| set(AccessKey::TransferFolder, &text, access::is_folder)
                />
                <Field
                    key="prompt_tag"
                    name=words.tag
                    hint=words.tag_hint
                    wrong=words.tag_wrong
                    disabled=readonly
                    value=page.tag
                    set=move |text: String| set(AccessKey::PromptTag, &text, access::is_tag)
                />
            </Card>
        </Group>
    }
    .into_any()
}
