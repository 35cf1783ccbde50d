//! The activity page: what agents called, in sums, charts and a list, from the files that the servers write.

mod charts;
mod list;

use crate::state::calls::{Calls, Filter, Only, PERIODS, Sums};
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_web::host;
use puppy_ui_web::state::day::Clock;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::activity::ActivityWords;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::record::{self, Record};
use crate::readable::Readable;
use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_parts::{self as parts, space};
use puppy_ui_web::state::trouble::Load;

/// The time between two looks at the files.
const LOOK_MS: u32 = 2_000;
/// The calls in the list.
const LISTED: usize = 50;
/// The name of the exported file.
const EXPORTED: &str = "siyuan-mcp-puppy-calls.csv";

/// What the page shows.
#[derive(Clone, PartialEq)]
struct Shown {
    load: Load,
    calls: Calls,
    /// Whether there are older calls than were read.
    is_cut: bool,
    filter: Filter,
    clock: Clock,
    /// The sums under the filter, in its period and over a year.
    sums: Sums,
    year: Sums,
    /// Names of places by their ids; kept while the page is open.
    names: Vec<(String, String)>,
    said: String,
}

/// The page's signals.
#[derive(Clone, Copy)]
struct Activity {
    store: Store,
    words: &'static ActivityWords,
    shown: RwSignal<Shown>,
}

/// The content of the page.
pub(crate) fn page(store: Store) -> El {
    let words = ActivityWords::of(&store.lang());
    let page = Activity { store, words, shown: RwSignal::new(Shown::new()) };
    page.watch();
    let is_ready = move || page.shown.with(|it| it.load == Load::Ready && !it.calls.calls.is_empty());
    let all = el("div", "")
        .put(tools(page))
        .put(sums(page))
        .put(charts::days(page))
        .put(charts::year(page))
        .put(charts::top(page))
        .put(list::recent(page));
    let said = el("div", "pup-hidden").attr("role", "status").attr("aria-live", "polite");
    let said = said.says(move || page.shown.with(|it| it.said.clone()));
    let group =
        parts::group(store.words.activity).put(el("div", "pup-hint b3-label__text").text(words.privacy));
    let loading = el("div", "").shows(move || match page.shown.with(|it| it.load) {
        Load::Loading => parts::loading(store.words.loading),
        Load::Ready | Load::Trouble(_) => el("div", ""),
    });
    let view = el("div", "").put(notice(page)).put(group).put(loading);
    view.put(empty(page)).put(all.shown_if(is_ready)).put(said)
}

impl Shown {
    fn new() -> Shown {
        Shown {
            load: Load::Loading,
            calls: Calls::default(),
            is_cut: false,
            filter: Filter::default(),
            clock: host::clock(),
            sums: Sums::default(),
            year: Sums::default(),
            names: Vec::new(),
            said: String::new(),
        }
    }

    fn sum_up(&mut self) {
        self.clock = host::clock();
        self.sums = Sums::of(&self.calls, &self.filter, self.clock);
        self.year = Sums::of(&self.calls, &self.filter.over_a_year(), self.clock);
    }
}

impl Activity {
    /// Looks at the files while the page is open and can be seen.
    fn watch(self) {
        host::spawn(async move {
            let mut record = Record::default();
            loop {
                if !host::is_hidden() {
                    let read = record.read().await;
                    if !self.show(read) {
                        return;
                    }
                    self.name_places().await;
                }
                host::sleep(LOOK_MS).await;
                if self.shown.try_with_untracked(|_| ()).is_none() {
                    return;
                }
            }
        });
    }

    /// Shows what was read, unless it is shown already; false once the page is left.
    fn show(self, read: Result<(Calls, bool), StorageTrouble>) -> bool {
        let load = read.as_ref().map_or_else(|why| Load::Trouble(*why), |_| Load::Ready);
        // What was read before stays where nothing can be read now.
        let (calls, is_cut) = read.unwrap_or_default();
        let is_same = self.shown.try_with_untracked(|it| {
            let is_same_day = it.clock.today() == host::clock().today();
            it.load == load && (load != Load::Ready || (is_same_day && it.calls == calls))
        });
        if is_same == Some(false) {
            self.shown.try_update(|it| {
                it.load = load;
                if load == Load::Ready {
                    (it.calls, it.is_cut) = (calls, is_cut);
                    it.sum_up();
                }
            });
        }
        is_same.is_some()
    }

    /// Finds the names of listed places that are not known yet, where agents may read.
    async fn name_places(self) {
        let unknown = |it: &Shown| {
            let places = it.calls.calls.iter().filter_map(|it| it.place.clone());
            let is_unknown = |place: &(String, Option<String>)| it.name_of(place).is_none();
            places.filter(is_unknown).collect::<Vec<_>>()
        };
        let Some(places) = self.shown.try_with_untracked(unknown).filter(|it| !it.is_empty()) else { return };
        let Some(readable) = Readable::read().await else { return };
        let mut named: Vec<(String, String)> = Vec::new();
        for place in places {
            let key = key(&place);
            if !named.iter().any(|it| it.0 == key) {
                let name = readable.names(&place.0, place.1.as_deref()).await.unwrap_or_default();
                named.push((key, name));
            }
        }
        self.shown.try_update(|it| it.names.extend(named));
    }

    /// Changes the filter.
    fn edit(self, edit: impl FnOnce(&mut Filter)) {
        self.shown.update(|it| {
            edit(&mut it.filter);
            it.sum_up();
        });
    }

    fn say(self, text: String) {
        self.shown.try_update(|it| it.said = text);
    }

    fn clear(self) {
        let Some(bridge) = self.store.bridge() else { return };
        host::spawn(async move {
            if !bridge.confirm(self.words.clear_title, self.words.clear_ask).await {
                return;
            }
            let done = record::clear().await;
            let why = |why| fill(self.words.not_cleared, &[("why", self.store.words.why(why))]);
            let said = done.err().map_or_else(|| self.words.cleared.to_owned(), why);
            bridge.say(&said);
            self.say(said);
            let read = Record::default().read().await;
            self.show(read);
        });
    }

    fn export(self) {
        let text = self.shown.with_untracked(|it| it.calls.to_csv(&it.filter, it.clock));
        if let Some(bridge) = self.store.bridge() {
            bridge.save(EXPORTED, &text);
        }
    }
}

impl Shown {
    fn name_of(&self, place: &(String, Option<String>)) -> Option<&str> {
        let key = key(place);
        self.names.iter().find(|it| it.0 == key).map(|it| it.1.as_str())
    }
}

fn key((notebook, doc): &(String, Option<String>)) -> String {
    format!("{notebook} {}", doc.as_deref().unwrap_or_default())
}

/// Why nothing can be read, with a way out.
fn notice(page: Activity) -> El {
    let words = page.store.words;
    let why = move || match page.shown.with(|it| it.load) {
        Load::Loading => words.loading,
        Load::Trouble(StorageTrouble::Silent) => words.silent,
        Load::Trouble(StorageTrouble::Refused) => words.refused,
        Load::Ready | Load::Trouble(_) => words.failed,
    };
    let retry = parts::button("retry", words.try_again).click(move || {
        host::spawn(async move {
            let read = Record::default().read().await;
            page.show(read);
        });
    });
    let notice = el("div", "pup-trouble").attr("role", "alert");
    let notice = notice.put(el("span", "fn__flex-1").says(why)).put(retry);
    notice.shown_if(move || matches!(page.shown.with(|it| it.load), Load::Trouble(_)))
}

/// The state without a call, and the way to the first one.
fn empty(page: Activity) -> El {
    let connect = parts::button("connect", ConnectionWords::of(&page.store.lang()).clients);
    let connect = connect.click(move || page.store.go(PanelPage::Connection));
    let text = el("span", "fn__flex-1").text(page.words.none);
    let empty = el("div", "pup-notice").attr("data-name", "empty").put(text).put(connect);
    empty.shown_if(move || page.shown.with(|it| it.load == Load::Ready && it.calls.calls.is_empty()))
}

/// The filter, one control for each of its parts.
fn tools(page: Activity) -> El {
    let words = page.words;
    let period = |days: u16| match days {
        1 => words.day.to_owned(),
        365 => words.year.to_owned(),
        n => fill(page.store.words.days, &[("n", &n.to_string())]),
    };
    let periods = PERIODS.map(|days| (days.to_string(), period(days)));
    let days = select(
        page,
        words.period,
        &periods,
        |it| it.days.to_string(),
        |it, word| {
            it.days = word.parse().unwrap_or(7);
        },
    );
    let ends = [(Only::All, words.all), (Only::Done, words.only_done), (Only::Bad, words.only_bad)];
    let ends = ends.map(|(only, name)| (only.word().to_owned(), name.to_owned()));
    let ends = select(
        page,
        words.result,
        &ends,
        |it| it.only.word().to_owned(),
        |it, word| {
            it.only = Only::named(&word);
        },
    );
    let sources = ["", "http", "stdio", "cli", "panel"];
    let name = |word: &'static str| if word.is_empty() { words.all_sources } else { words.transport(word) };
    let sources = sources.map(|word| (word.to_owned(), name(word).to_owned()));
    let sources =
        select(page, words.source, &sources, |it| it.transport.clone(), |it, word| it.transport = word);
    let filter = el("input", "b3-text-field fn__flex-1").attr("type", "search").attr("data-setting", "text");
    let filter =
        filter.attr("placeholder", page.words.filter_calls).attr("aria-label", page.words.filter_calls);
    let filter = filter.on("input", move |event| {
        let text = typed(event).trim().to_lowercase();
        page.edit(|it| it.text = text);
    });
    el("div", "pup-tools-line pup-filters").put(days).put(ends).put(sources).put(filter)
}

fn select(
    page: Activity,
    label: &str,
    options: &[(String, String)],
    value: fn(&Filter) -> String,
    set: fn(&mut Filter, String),
) -> El {
    let options = options.iter().map(|(word, name)| el("option", "").attr("value", word).text(name));
    let control = el("select", "b3-select").all(options).attr("aria-label", label).attr("title", label);
    let control = control.value(move || page.shown.with(|it| value(&it.filter)));
    control.on("change", move |event| page.edit(|it| set(it, typed(event))))
}

fn sums(page: Activity) -> El {
    let words = page.words;
    let text = move || {
        page.shown.with(|it| {
            let bad = it.sums.bad_per_mille();
            let errors = format!("{}.{}", bad / 10, bad % 10);
            let [calls, ms, tokens] =
                [it.sums.calls, it.sums.average_ms(), it.sums.tokens].map(|it| it.to_string());
            fill(words.sums, &[("calls", &calls), ("errors", &errors), ("ms", &ms), ("tokens", &tokens)])
        })
    };
    let sources = move || {
        page.shown.with(|it| {
            let told = it.sums.transports().map(|(word, n)| format!("{} {n}", words.transport(word)));
            told.collect::<Vec<_>>().join(" · ")
        })
    };
    let left_out = move || {
        page.shown.with(|it| {
            let unread = fill(words.unread, &[("n", &it.calls.unread.to_string())]);
            let cut = fill(words.too_many, &[("n", &it.calls.calls.len().to_string())]);
            match (it.calls.unread > 0, it.is_cut) {
                (true, true) => format!("{unread} {cut}"),
                (true, false) => unread,
                (false, true) => cut,
                (false, false) => String::new(),
            }
        })
    };
    let told = el("div", "fn__flex-1")
        .put(el("div", "config-name").attr("role", "status").attr("data-name", "sums").says(text))
        .put(parts::hint("").says(sources))
        .put(parts::hint("").attr("data-name", "left-out").says(left_out));
    let export = parts::button("export", page.words.export_calls).click(move || page.export());
    let clear = parts::button("clear", page.words.clear).flag("disabled", page.store.readonly);
    let buttons = el("span", "pup-buttons").put(export).put(clear.click(move || page.clear()));
    let row = el("div", "fn__flex b3-label config-item config-wrap").put(told).put(space()).put(buttons);
    el("div", "config-group").put(parts::card().put(row))
}
