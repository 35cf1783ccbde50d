//! The activity page: what agents called, in sums, charts and a list, from the files that the servers write.

mod charts;
mod list;

use leptos::prelude::*;
use puppy_core::activity::analytics::CLEARED_FILE;
use puppy_ui_parts::{
    self as parts, Button, Card, Group, Hint, Loading, Select, Space, Trouble, once_drawn, options,
};
use puppy_ui_web::host::{self, Element, Host, Mounted};
use puppy_ui_web::readable::Readable;
use puppy_ui_web::record::{self, Record};
use puppy_ui_web::state::calls::{Calls, Filter, Only, PERIODS, Sums};
use puppy_ui_web::state::day::Clock;
use puppy_ui_web::state::panel_request::PanelRequest;
use puppy_ui_web::state::trouble::{Load, StorageTrouble};
use puppy_ui_web::words::activity::ActivityWords;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::{PanelWords, chinese, fill};

use self::charts::{Days, Top, Year};
use self::list::Recent;
use crate::room::Room;
use crate::view::Runs;

/// The time between two polls of the files, in milliseconds.
const LOOK_MS: u32 = 2_000;
/// The calls in the list.
const LISTED: usize = 50;
/// The name of the exported file.
const EXPORTED: &str = "siyuan-mcp-puppy-calls.csv";

/// The content of the page.
#[derive(Clone, PartialEq)]
struct ShownCalls {
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
struct ActivitySignals {
    words: &'static ActivityWords,
    /// The texts of the panel.
    panel: &'static PanelWords,
    /// Whether the kernel refuses every write.
    readonly: bool,
    host: StoredValue<Host, LocalStorage>,
    shown: RwSignal<ShownCalls>,
}

/// Mounts the page in an element of the panel, until the handle is unmounted.
pub fn mount(parent: &Element, host: &Host) -> Mounted {
    chinese::load(host.texts());
    parts::mount(parent, || {
        let lang = host.lang();
        let page = ActivitySignals {
            words: ActivityWords::of(&lang),
            panel: PanelWords::of(&lang),
            readonly: host.readonly(),
            host: StoredValue::new_local(host.share()),
            shown: RwSignal::new(ShownCalls::new()),
        };
        view! { <Activity page room=Room::new(host)/> }.into_any()
    })
}

/// The content of the page.
#[component]
fn Activity(page: ActivitySignals, room: Room) -> AnyView {
    let words = page.words;
    once_drawn(move || page.watch());
    let is_ready = move || page.shown.with(|it| it.load == Load::Ready && !it.calls.calls.is_empty());
    let is_loading = move || page.shown.with(|it| it.load == Load::Loading);
    view! {
        <div>
            <Notice page/>
            <Runs room/>
            <Group title=words.calls_title>
                <div class="pup-hint b3-label__text">{words.privacy}</div>
            </Group>
            <div>
                <Show when=is_loading>
                    <Loading text=page.panel.loading/>
                </Show>
            </div>
            <Empty page/>
            <div class:fn__none=move || !is_ready()>
                <Tools page/>
                <Numbers page/>
                <Recent page/>
                <Days page/>
                <Year page/>
                <Top page/>
            </div>
            <div class="pup-hidden" role="status" aria-live="polite">
                {move || page.shown.with(|it| it.said.clone())}
            </div>
        </div>
    }
    .into_any()
}

impl ShownCalls {
    fn new() -> ShownCalls {
        ShownCalls {
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

impl ActivitySignals {
    /// The [`Host`], while the page is open.
    fn host(self) -> Option<Host> {
        self.host.try_with_value(Host::share)
    }

    /// Polls the files while the page is open and visible.
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
        // If nothing can be read now, the calls that were read before stay.
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
        let unknown = |it: &ShownCalls| {
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
        let Some(host) = self.host() else { return };
        host::spawn(async move {
            if !host.confirm(self.words.clear_title, self.words.clear_ask).await {
                return;
            }
            let tell = async || {
                host.request(&PanelRequest::Changed(vec![CLEARED_FILE.to_owned()])).await;
            };
            let done = record::clear(tell).await;
            let why = |why| fill(self.words.not_cleared, &[("why", self.panel.why(why))]);
            let said = done.err().map_or_else(|| self.words.cleared.to_owned(), why);
            host.say(&said);
            self.say(said);
            let read = Record::default().read().await;
            self.show(read);
        });
    }

    fn export(self) {
        let text = self.shown.with_untracked(|it| it.calls.to_csv(&it.filter, it.clock));
        if let Some(host) = self.host() {
            host.save(EXPORTED, &text);
        }
    }
}

impl ShownCalls {
    fn name_of(&self, place: &(String, Option<String>)) -> Option<&str> {
        let key = key(place);
        self.names.iter().find(|it| it.0 == key).map(|it| it.1.as_str())
    }
}

fn key((notebook, doc): &(String, Option<String>)) -> String {
    format!("{notebook} {}", doc.as_deref().unwrap_or_default())
}

/// The reason why nothing can be read, with a way out.
#[component]
fn Notice(page: ActivitySignals) -> AnyView {
    let words = page.panel;
    let load = move || page.shown.with(|it| it.load);
    let why = move || match load() {
        Load::Loading => words.loading,
        Load::Trouble(StorageTrouble::Silent) => words.silent,
        Load::Trouble(StorageTrouble::Refused) => words.refused,
        Load::Ready | Load::Trouble(_) => words.failed,
    };
    let retry = move || {
        host::spawn(async move {
            let read = Record::default().read().await;
            page.show(read);
        });
    };
    view! {
        <Trouble text=why shown=move || matches!(load(), Load::Trouble(_))>
            <Button name="retry" text=words.try_again press=move |_| retry()/>
        </Trouble>
    }
    .into_any()
}

/// The state without a call, and the way to the first one, which the panel around it takes.
#[component]
fn Empty(page: ActivitySignals) -> AnyView {
    let is_empty = move || page.shown.with(|it| it.load == Load::Ready && it.calls.calls.is_empty());
    let clients = page.host().map_or("", |it| ConnectionWords::of(&it.lang()).clients);
    view! {
        <div class="pup-notice" class:fn__none=move || !is_empty() data-name="empty">
            <span class="fn__flex-1">{page.words.none}</span>
            <Button name="connect" text=clients press=|_| () attr:data-go="connection"/>
        </div>
    }
    .into_any()
}

/// The filter, one control for each of its parts.
#[component]
fn Tools(page: ActivitySignals) -> AnyView {
    let words = page.words;
    let period = |days: u16| match days {
        1 => words.day.to_owned(),
        365 => words.year.to_owned(),
        n => fill(page.panel.days, &[("n", &n.to_string())]),
    };
    let periods = PERIODS.map(|days| (days.to_string(), period(days)));
    let ends = [(Only::All, words.all), (Only::Done, words.only_done), (Only::Bad, words.only_bad)];
    let ends = ends.map(|(only, name)| (only.word(), name));
    let source = |word: &'static str| if word.is_empty() { words.all_sources } else { words.transport(word) };
    let sources = ["", "http", "stdio", "cli", "panel", "siyuan"].map(|word| (word, source(word)));
    let value = move |of: fn(&Filter) -> String| move || page.shown.with(|it| of(&it.filter));
    let filter = move |event| {
        let text = event_target_value(&event).trim().to_lowercase();
        page.edit(|it| it.text = text);
    };
    view! {
        <div class="pup-tools-line pup-filters">
            <Select
                label=words.period
                title=words.period
                options=options(periods)
                value=value(|it| it.days.to_string())
                set=move |word: String| page.edit(|it| it.days = word.parse().unwrap_or(7))
            />
            <Select
                label=words.result
                title=words.result
                options=options(ends)
                value=value(|it| it.only.word().to_owned())
                set=move |word: String| page.edit(|it| it.only = Only::named(&word))
            />
            <Select
                label=words.source
                title=words.source
                options=options(sources)
                value=value(|it| it.transport.clone())
                set=move |word| page.edit(|it| it.transport = word)
            />
            <input
                class="b3-text-field fn__flex-1"
                type="search"
                data-setting="text"
                placeholder=words.filter_calls
                aria-label=words.filter_calls
                on:input=filter
            />
        </div>
    }
    .into_any()
}

/// The sums under the filter, and the buttons that export and clear the record.
#[component]
fn Numbers(page: ActivitySignals) -> AnyView {
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
            let counts = it.sums.transports().map(|(word, n)| format!("{} {n}", words.transport(word)));
            counts.collect::<Vec<_>>().join(" · ")
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
    view! {
        <div class="config-group">
            <Card>
                <div class="fn__flex b3-label config-item config-wrap">
                    <div class="fn__flex-1">
                        <div class="config-name" role="status" data-name="sums">{text}</div>
                        <Hint text=sources/>
                        <Hint text=left_out name="left-out"/>
                    </div>
                    <Space/>
                    <span class="pup-buttons">
                        <Button name="export" text=words.export_calls press=move |_| page.export()/>
                        <Button
                            name="clear"
                            text=words.clear
                            disabled=page.readonly
                            press=move |_| page.clear()
                        />
                    </span>
                </div>
            </Card>
        </div>
    }
    .into_any()
}
