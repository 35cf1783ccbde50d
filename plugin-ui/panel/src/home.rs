//! The first page: the present state, and the ways to the other pages.

use crate::state::switches::SwitchDraft;
use leptos::prelude::*;
use puppy_core::activity::events::{Event, Status};
use puppy_core::kernel::api::system;
use puppy_core::kernel::ask;
use puppy_core::siyuan;
use puppy_ui_parts::{Button, Card, Group, Hint, Page, Row, Space, Trouble, legacy, show};
use puppy_ui_web::host;
use puppy_ui_web::kernel::{PageKernel, events};
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::server::{Change, Doing, HttpSettings, ServerStatus};
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::home::HomeWords;

use crate::questions;
use crate::setting_files::{read_server, save_server};
use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_web::state::trouble::Load;

/// The time between two polls of the server and of the calls, in milliseconds.
const LOOK_MS: u32 = 2_000;

/// The page's signals.
#[derive(Clone, Copy)]
struct State {
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

/// The page.
#[component]
pub(crate) fn Home() -> AnyView {
    let Some(store) = Store::here() else { return ().into_any() };
    let words = HomeWords::of(&store.lang());
    let page = State {
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
    let is_running = move || !page.is_paused.get();
    view! {
        <Page name="home" title=store.words.home note=store.readonly_note()>
            <Trouble text=why shown=move || page.trouble.get().is_some()/>
            <div class="pup-trouble pup-paused" class:fn__none=is_running role="status">{words.paused}</div>
            {legacy(&questions::home(store))}
            <Server page/>
            <May page/>
            <Calls page/>
            <Siyuan page/>
        </Page>
    }
    .into_any()
}

impl State {
    /// Polls the server, the pause and the calls until the page is left.
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
            show(self.status, bridge.server("status").await);
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

    /// Pauses or resumes all calls.
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
}

/// A button that opens another page; `what` is its name for screen readers.
#[component]
fn Way(store: Store, title: &'static str, #[prop(optional)] what: String, to: PanelPage) -> AnyView {
    let label = if what.is_empty() { title.to_owned() } else { what };
    view! {
        <Button name="go" text=title label press=move |_| store.go(to) attr:data-to=to.name()/>
    }
    .into_any()
}

#[component]
fn Server(page: State) -> AnyView {
    let (words, store) = (page.words, page.store);
    let server = ConnectionWords::of(&store.lang());
    let text = move || {
        page.status.with(|it| match it.doing {
            Doing::None => words.not_here.to_owned(),
            _ => server.status(store.words, it, page.now.get()),
        })
    };
    let is_paused = page.is_paused;
    view! {
        <Group title=server.server>
            <Card>
                <div
                    class="fn__flex b3-label config-item config-wrap"
                    data-name="state"
                    data-state=move || page.status.with(|it| Doing::word(it.doing))
                >
                    <div class="fn__flex-1">
                        <div class="config-name" role="status">
                            <span class="pup-light" aria-hidden="true"></span>
                            <span>{text}</span>
                        </div>
                    </div>
                    <Space/>
                    <span class="pup-buttons">
                        <Button
                            name="pause"
                            text=move || if is_paused.get() { words.resume } else { words.pause }
                            disabled=store.readonly
                            pressed=is_paused
                            press=move |_| page.pause(!is_paused.get_untracked())
                        />
                        <Way store title=server.clients to=PanelPage::Connection/>
                    </span>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}

#[component]
fn May(page: State) -> AnyView {
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
    let row = move |to: PanelPage, name: &'static str, text: TextProp| {
        let what = fill(words.change_what, &[("what", name)]);
        let below = view! { <Hint text role="status"/> };
        view! {
            <Row key=to.name() name below=below.into_any()><Way store title=words.change what to/></Row>
        }
    };
    view! {
        <Group title=words.may name="may">
            <Card>
                {row(PanelPage::Permissions, store.words.notebooks, levels.into())}
                {row(PanelPage::Tools, store.words.tools, actions.into())}
            </Card>
        </Group>
    }
    .into_any()
}

/// The text shown instead of numbers while their file is not read.
fn told(page: State, load: Load) -> String {
    match load {
        Load::Loading => page.store.words.loading.to_owned(),
        Load::Trouble(StorageTrouble::Silent) => page.store.words.silent.to_owned(),
        _ => page.words.unknown.to_owned(),
    }
}

#[component]
fn Calls(page: State) -> AnyView {
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
    view! {
        <Group title=words.calls>
            <Card>
                <Row key="last" name=words.last>
                    <span class="pup-last" data-name="last">{last}</span>
                </Row>
                <Row key="all" name=words.in_all>
                    <span class="pup-quiet">{page.calls}</span>
                </Row>
            </Card>
        </Group>
    }
    .into_any()
}

#[component]
fn Siyuan(page: State) -> AnyView {
    let (words, version) = (page.words, page.version);
    let is_known = move || version.with(|it| !it.is_empty());
    let siyuan = move || is_known().then(|| version.with(|it| siyuan::Siyuan::told(it)));
    let known = move || siyuan().map_or("", |it| words.known(it));
    let differences = move || siyuan().map(|it| words.differences(it).collect::<Vec<_>>().join("\n"));
    view! {
        <Group title=words.host name="siyuan" shown=is_known>
            <Card>
                <div class="b3-label config-item pup-lines">
                    <div class="config-name" data-name="version">
                        {move || version.with(|it| fill(words.version, &[("version", it)]))}
                    </div>
                    <Hint text=known/>
                    <Hint text=move || differences().unwrap_or_default() name="differences"/>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}
