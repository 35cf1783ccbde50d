//! The first page: what holds now, and the ways on.

use crate::state::switches::SwitchDraft;
use puppy_core::activity::events::{Event, Status};
use puppy_core::kernel::api::system;
use puppy_core::kernel::ask;
use puppy_core::siyuan::Siyuan;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use puppy_ui_web::kernel::{PageKernel, events};
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::server::{Change, Doing, HttpSettings, ServerStatus};
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::home::HomeWords;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts::{self, Label, show};
use crate::questions;
use crate::setting_files::{read_server, save_server};
use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_web::state::trouble::Load;

/// The time between two looks at the server and at the calls.
const LOOK_MS: u32 = 2_000;

/// The page's signals.
#[derive(Clone, Copy)]
struct Home {
    store: Store,
    words: &'static HomeWords,
    status: RwSignal<ServerStatus>,
    is_paused: RwSignal<bool>,
    trouble: RwSignal<Option<StorageTrouble>>,
    /// The newest call.
    last: RwSignal<Option<Event>>,
    calls: RwSignal<u64>,
    /// The version of SiYuan; empty until it is known.
    version: RwSignal<String>,
    now: RwSignal<u64>,
}

pub(crate) fn page(store: Store) -> El {
    let words = HomeWords::of(&store.lang());
    let page = Home {
        store,
        words,
        status: RwSignal::new(ServerStatus::default()),
        is_paused: RwSignal::new(false),
        trouble: RwSignal::new(None),
        last: RwSignal::new(None),
        calls: RwSignal::new(0),
        version: RwSignal::new(String::new()),
        now: RwSignal::new(host::now_ms()),
    };
    page.watch();
    let why = move || page.trouble.get().map_or("", |why| store.words.why(why));
    let trouble = el("div", "pup-trouble").attr("role", "alert").says(why);
    let paused = el("div", "pup-trouble pup-paused").attr("role", "status").text(words.paused);
    let (view, grow) = parts::page("home", store.words.home, store.readonly_note());
    view.put(
        grow.put(trouble.shown_if(move || page.trouble.get().is_some()))
            .put(paused.shown_if(move || page.is_paused.get()))
            .put(questions::home(store))
            .put(server(page))
            .put(may(page))
            .put(calls(page))
            .put(siyuan(page)),
    )
}

impl Home {
    /// Looks at everything that changes by itself until the page is left.
    fn watch(self) {
        host::spawn(async move {
            let version = ask(&PageKernel, system::version()).await.unwrap_or_default();
            self.version.try_set(version);
        });
        host::spawn(async move {
            loop {
                self.look().await;
                if self.now.try_set(host::now_ms()).is_some() {
                    return;
                }
                host::sleep(LOOK_MS).await;
            }
        });
    }

    async fn look(self) {
        if let Some(bridge) = self.store.bridge() {
            show(self.status, ServerStatus::parse(&bridge.server("status").await));
        }
        match read_server().await.map(|it| HttpSettings::is_paused(&it)) {
            Ok(is) => show(self.is_paused, is),
            // A file that cannot be read pauses agents as well.
            Err(StorageTrouble::Broken) => show(self.is_paused, true),
            Err(_) => {}
        }
        if let Some(file) = events().await.flatten() {
            show(self.calls, file.total_calls);
            show(self.last, file.events.into_iter().max_by_key(|it| it.ts));
        }
    }

    /// Pauses every call, or lets them go on.
    fn pause(self, is: bool) {
        host::spawn(async move {
            let saved = save_server(&Change::Paused(is)).await;
            self.trouble.try_set(saved.err());
            if saved.is_ok() {
                self.store.with_bridge(|bridge| bridge.tell_puppy(Message::Paused(is)));
            }
            self.look().await;
        });
    }

    /// A button that leads to another page.
    fn way(self, title: &'static str, what: &str, to: PanelPage) -> El {
        let button = parts::button("go", title).attr("data-to", to.name());
        let button = if what.is_empty() { button } else { button.attr("aria-label", what) };
        button.click(move || self.store.go(to))
    }
}

fn server(page: Home) -> El {
    let (words, server) = (page.words, ConnectionWords::of(&page.store.lang()));
    let text = move || {
        page.status.with(|it| match it.doing {
            Doing::None => words.not_here.to_owned(),
            _ => server.status(page.store.words, it, page.now.get()),
        })
    };
    let state = el("div", "config-name").attr("role", "status");
    let state = state.put(el("span", "pup-light").attr("aria-hidden", "true"));
    let state = state.put(el("span", "").says(text));
    let is_paused = move || page.is_paused.get();
    let pause = parts::button("pause", "")
        .flag("disabled", page.store.readonly)
        .is("aria-pressed", is_paused)
        .says(move || if is_paused() { words.resume } else { words.pause })
        .click(move || page.pause(!page.is_paused.get_untracked()));
    let buttons = el("span", "pup-buttons").put(pause);
    let buttons = buttons.put(page.way(server.clients, "", PanelPage::Connection));
    let row = el("div", "fn__flex b3-label config-item config-wrap").attr("data-name", "state");
    let row = row.has("data-state", move || page.status.with(|it| Doing::word(it.doing)));
    let row = row.put(el("div", "fn__flex-1").put(state)).put(parts::space()).put(buttons);
    parts::group(server.server).put(parts::card().put(row))
}

fn may(page: Home) -> El {
    let (words, store) = (page.words, page.store);
    let levels = move || {
        if store.notebooks_load.get() != Load::Ready {
            return told(page, store.notebooks_load.get());
        }
        let ids = store.notebooks.get();
        let open = ids.iter().filter(|it| !it.encrypted).map(|it| it.id.as_str());
        let [none, r, rw, rwd] = store.levels.with(|draft| draft.counts(open));
        let locked = ids.iter().filter(|it| it.encrypted).count();
        let [none, r, rw, rwd] = [none + locked, r, rw, rwd].map(|it| it.to_string());
        fill(words.levels, &[("none", &none), ("r", &r), ("rw", &rw), ("rwd", &rwd)])
    };
    let actions = move || {
        if store.switches_load.get() != Load::Ready {
            return told(page, store.switches_load.get());
        }
        let (on, all) = store.switches.with(SwitchDraft::in_force);
        fill(words.actions, &[("n", &on.to_string()), ("all", &all.to_string())])
    };
    let row = |to: PanelPage, name: &'static str, text: El| {
        let what = fill(words.change_what, &[("what", name)]);
        parts::row(Label { key: to.name(), name, hint: "" }, Some(text), page.way(words.change, &what, to))
    };
    let text = || parts::hint("").attr("role", "status");
    let card = parts::card()
        .put(row(PanelPage::Permissions, store.words.notebooks, text().says(levels)))
        .put(row(PanelPage::Tools, store.words.tools, text().says(actions)));
    parts::group(words.may).attr("data-name", "may").put(card)
}

/// What is said of a file that is not read.
fn told(page: Home, load: Load) -> String {
    match load {
        Load::Loading => page.store.words.loading.to_owned(),
        Load::Trouble(StorageTrouble::Silent) => page.store.words.silent.to_owned(),
        _ => page.words.unknown.to_owned(),
    }
}

fn calls(page: Home) -> El {
    let words = page.words;
    let last = move || {
        let now = page.now.get();
        page.last.with(|it| {
            let Some(event) = it else { return words.none_yet.to_owned() };
            let action = format!("{}.{}", event.tool, event.action);
            let time = page.store.words.time(now.saturating_sub(event.ts));
            let text = fill(words.ago, &[("action", &action), ("time", &time)]);
            let outcome = match event.status {
                Status::Error => words.failed,
                Status::Dangerous => words.waits,
                Status::Running | Status::Success => return text,
            };
            format!("{text} · {outcome}")
        })
    };
    let all = el("span", "pup-quiet").says(move || page.calls.get().to_string());
    let row = |key, name, text: El| parts::row(Label { key, name, hint: "" }, None, text);
    let last = el("span", "pup-last").attr("data-name", "last").says(last);
    let card = parts::card().put(row("last", words.last, last)).put(row("all", words.in_all, all));
    parts::group(words.calls).put(card)
}

fn siyuan(page: Home) -> El {
    let words = page.words;
    let told = move |text: fn(&HomeWords, Siyuan) -> String| {
        page.version.with(|it| if it.is_empty() { String::new() } else { text(words, Siyuan::told(it)) })
    };
    let version = el("div", "config-name").attr("data-name", "version");
    let version = version.says(move || page.version.with(|it| fill(words.version, &[("version", it)])));
    let known = parts::hint("").says(move || told(|words, siyuan| words.known(siyuan).to_owned()));
    let lines = parts::hint("").attr("data-name", "differences");
    let lines =
        lines.says(move || told(|words, siyuan| words.differences(siyuan).collect::<Vec<_>>().join("\n")));
    let row = el("div", "b3-label config-item pup-lines").put(version).put(known).put(lines);
    let group = parts::group(words.host).attr("data-name", "siyuan").put(parts::card().put(row));
    group.shown_if(move || page.version.with(|it| !it.is_empty()))
}
