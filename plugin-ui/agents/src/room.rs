//! The values that all parts of the page share, and the list of runs.

use leptos::prelude::*;
use puppy_ui_web::host::{self, Host};
use puppy_ui_web::words::PanelWords;
use puppy_ui_web::words::runs::RunsWords;
use serde_json::{Map, json};

use crate::calls;
use crate::state::list::{RunItem, RunList};

/// The number of runs that are read at a time.
const PAGE: usize = 20;
/// The maximum number of runs that one request gets.
const MOST: usize = 100;
/// The time between two looks at whether there are newer runs, in milliseconds.
const LOOK_MS: u32 = 4_000;
/// The word before the id of a run in the page that the panel was asked for; without an id it means the newest.
const WANTED: &str = "run";

/// The progress of reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RunsLoad {
    Loading,
    Ready,
    Failed(String),
}

/// The room of one opened page.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) words: &'static RunsWords,
    /// The texts of the panel.
    pub(crate) panel: &'static PanelWords,
    /// Whether the kernel refuses every write.
    pub(crate) readonly: bool,
    pub(crate) load: RwSignal<RunsLoad>,
    pub(crate) items: RwSignal<Vec<RunItem>>,
    /// The cursor of older runs.
    pub(crate) next: RwSignal<Option<String>>,
    /// Rises whenever something was put back: what is shown of documents is old then.
    pub(crate) put_back: RwSignal<u32>,
    /// The number of previews that a person looks at; the list stays as it is for them.
    pub(crate) asked: RwSignal<usize>,
    /// The run that is to be opened: an id, or empty for the newest.
    wanted: StoredValue<Option<String>>,
    host: StoredValue<Host, LocalStorage>,
}

impl Room {
    pub(crate) fn new(host: &Host) -> Room {
        let lang = host.lang();
        let page = host.page();
        let mut asked = page.split(' ').skip(1);
        let wanted = (asked.next() == Some(WANTED)).then(|| asked.next().unwrap_or_default().to_owned());
        Room {
            words: RunsWords::of(&lang),
            panel: PanelWords::of(&lang),
            readonly: host.readonly(),
            load: RwSignal::new(RunsLoad::Loading),
            items: RwSignal::new(Vec::new()),
            next: RwSignal::new(None),
            put_back: RwSignal::new(0),
            asked: RwSignal::new(0),
            wanted: StoredValue::new(wanted),
            host: StoredValue::new_local(host.share()),
        }
    }

    /// The [`Host`], while the page is open.
    pub(crate) fn host(self) -> Option<Host> {
        self.host.try_with_value(Host::share)
    }

    /// The language of the page.
    pub(crate) fn lang(self) -> String {
        self.host.try_with_value(|it| it.lang()).unwrap_or_default()
    }

    /// Whether a run is the one that the panel was opened for; true once.
    pub(crate) fn takes_wanted(self, run: &str) -> bool {
        let is_wanted = self.wanted.with_value(|it| it.as_ref().is_some_and(|it| it.is_empty() || it == run));
        if is_wanted {
            self.wanted.set_value(None);
        }
        is_wanted
    }

    /// Whether the run for which the panel was opened is not among those that are read.
    fn still_wants(self) -> bool {
        let wanted = self.wanted.try_with_value(|it| it.clone().filter(|it| !it.is_empty())).flatten();
        wanted.is_some_and(|id| self.items.with_untracked(|all| all.iter().all(|it| it.run != id)))
    }

    /// Reads the newest runs.
    pub(crate) fn read(self) {
        self.read_after(None);
    }

    /// Reads the runs again whenever their folder has changed, while the page is open and looked at.
    pub(crate) fn watch(self) {
        host::spawn(async move {
            let mut seen = calls::run_files().await;
            loop {
                host::sleep(LOOK_MS).await;
                let Some(is_asked) = self.asked.try_with_untracked(|it| *it > 0) else { return };
                if is_asked || host::is_hidden() {
                    continue;
                }
                let Some(now) = calls::run_files().await else { continue };
                if seen.as_ref().is_some_and(|it| *it != now)
                    && self.load.try_get_untracked() == Some(RunsLoad::Ready)
                {
                    self.read();
                }
                seen = Some(now);
            }
        });
    }

    /// Reads older runs.
    pub(crate) fn read_more(self) {
        if let Some(next) = self.next.get_untracked() {
            self.read_after(Some(next));
        }
    }

    fn read_after(self, cursor: Option<String>) {
        host::spawn(async move {
            let Some(host) = self.host() else { return };
            let mut arguments = Map::new();
            arguments.insert("action".to_owned(), json!("list_runs"));
            // As many as are shown, so that a run that was put back stays in sight; more on the way to one that is wanted.
            let shown = self.items.try_with_untracked(Vec::len).unwrap_or_default();
            let limit = match cursor {
                None => shown.clamp(PAGE, MOST),
                Some(_) if self.still_wants() => MOST,
                Some(_) => PAGE,
            };
            arguments.insert("limit".to_owned(), json!(limit));
            if let Some(cursor) = &cursor {
                arguments.insert("cursor".to_owned(), json!(cursor));
            }
            let answer = calls::call(&host, "system", arguments, None).await;
            match answer.and_then(|data| RunList::of(data).ok_or_else(String::new)) {
                Ok(list) => {
                    self.items.try_update(|all| {
                        if cursor.is_none() {
                            all.clear();
                        }
                        all.extend(list.items);
                    });
                    let has_more = list.next.is_some();
                    self.next.try_set(list.next);
                    self.load.try_set(RunsLoad::Ready);
                    if has_more && self.still_wants() {
                        self.read_more();
                    }
                }
                Err(why) => {
                    let why = if why.is_empty() { self.panel.silent.to_owned() } else { why };
                    self.load.try_set(RunsLoad::Failed(why));
                }
            }
        });
    }
}
