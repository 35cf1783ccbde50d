//! The first page: the steps to the first call of an agent, and from then on the present state and the ways to the
//! other pages.

mod steps;

use crate::state::switches::SwitchDraft;
use leptos::prelude::*;
use puppy_core::activity::events::Event;
use puppy_core::kernel::api::system;
use puppy_core::kernel::ask;
use puppy_core::permission::Level;
use puppy_core::siyuan::Siyuan;
use puppy_ui_parts::{
    Button, Card, Group, Hint, Page, Row, Space, Trouble, fresh, is_collecting, label, once_drawn, show,
};
use puppy_ui_web::host;
use puppy_ui_web::kernel::{PageKernel, events};
use puppy_ui_web::state::address::HttpServer;
use puppy_ui_web::state::bubble;
use puppy_ui_web::state::calls::End;
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::server::{HttpChange, HttpSettings, ServerPhase, ServerStatus};
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::activity::ActivityWords;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::home::HomeWords;
use puppy_ui_web::words::own_agent::OwnAgentWords;
use puppy_ui_web::words::{actions, fill, grouped};

use self::steps::steps;
use crate::channel;
use crate::questions::Waiting;
use crate::setting_files::{read_server, save_server};
use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_web::state::trouble::Load;

/// The time between two polls of the server and of the calls, in milliseconds.
const LOOK_MS: u32 = 2_000;

/// The page's signals.
#[derive(Clone, Copy)]
struct HomeSignals {
    store: Store,
    words: &'static HomeWords,
    status: RwSignal<ServerStatus>,
    /// The number of connected servers.
    connected: RwSignal<usize>,
    /// The one over HTTP that is used.
    http: RwSignal<Option<HttpServer>>,
    /// Whether agents have made no call yet, and whether that is known.
    is_first: RwSignal<bool>,
    is_known: RwSignal<bool>,
    is_paused: RwSignal<bool>,
    trouble: RwSignal<Option<StorageTrouble>>,
    /// The newest call.
    last: RwSignal<Option<Event>>,
    calls: RwSignal<u64>,
    /// The version of SiYuan; empty until it is known.
    version: RwSignal<String>,
    now: RwSignal<u64>,
    /// The number of SiYuan's own tools that bypass levels while its agent asks the puppy.
    bypassing: RwSignal<usize>,
    /// Whether SiYuan's own agent asks the puppy.
    has_own_agent: RwSignal<bool>,
}

/// The page.
#[component]
pub(crate) fn Home() -> AnyView {
    let store = Store::here();
    let words = HomeWords::of(&store.lang());
    let page = HomeSignals {
        store,
        words,
        status: RwSignal::new(ServerStatus::default()),
        connected: channel::servers().into(),
        http: channel::http().into(),
        is_first: RwSignal::new(false),
        is_known: RwSignal::new(false),
        is_paused: RwSignal::new(false),
        trouble: RwSignal::new(None),
        last: RwSignal::new(None),
        calls: RwSignal::new(0),
        version: RwSignal::new(String::new()),
        now: RwSignal::new(host::now_ms()),
        bypassing: RwSignal::new(0),
        has_own_agent: RwSignal::new(false),
    };
    once_drawn(move || page.watch());
    let why = move || page.trouble.get().map_or("", |why| store.words.why(why));
    let is_running = move || !page.is_paused.get();
    let present = move || view! { <div><Server page/><May page/><Calls page/></div> }.into_any();
    let content = move || match (page.is_known.get(), page.is_first.get()) {
        (false, _) => ().into_any(),
        (_, true) => steps(page),
        _ => present(),
    };
    view! {
        <Page name="home" title=store.words.home note=store.readonly_note()>
            <Trouble text=why shown=move || page.trouble.get().is_some()/>
            <div class="pup-trouble pup-paused" class:fn__none=is_running role="status">{words.paused}</div>
            <Bypassed page/>
            <Waiting/>
            <div>{if is_collecting() { present() } else { fresh(content) }}</div>
            <div>{fresh(move || siyuan(page))}</div>
        </Page>
    }
    .into_any()
}

impl HomeSignals {
    /// Polls the server, the pause and the calls until the page is left.
    fn watch(self) {
        host::spawn(async move {
            let version = ask(&PageKernel, system::version()).await.unwrap_or_default();
            self.version.try_set(version);
        });
        host::spawn(async move {
            let is_on = read_server().await.is_ok_and(|it| it.has_own_agent());
            self.has_own_agent.try_set(is_on);
            if let Some(host) = self.store.host().filter(|_| is_on) {
                let state = host.native("look").await.unwrap_or_default();
                self.bypassing.try_set(state.bypassing.len());
            }
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
        // While SiYuan does not answer, the page stays what it is.
        if let Some(file) = events().await {
            let file = file.unwrap_or_default();
            show(self.is_first, file.total_calls == 0);
            show(self.calls, file.total_calls);
            show(self.last, file.events.into_iter().max_by_key(|it| it.ts));
        }
        show(self.is_known, true);
        if let Some(host) = self.store.host() {
            show(self.status, host.server("status").await);
        }
        match read_server().await.map(|it| HttpSettings::is_paused(&it)) {
            Ok(is) => show(self.is_paused, is),
            // A file that cannot be read pauses agents as well.
            Err(StorageTrouble::Broken) => show(self.is_paused, true),
            Err(_) => {}
        }
    }

    /// The state of the server in a sentence or two.
    fn server(self) -> String {
        let connected = self.connected.get();
        self.status.with(|it| match it.doing {
            ServerPhase::None if connected == 0 => {
                let is_first = self.is_first.get();
                let text = if is_first { self.words.not_here } else { self.words.none_connected };
                let version = self.version.get();
                if version.is_empty() || !Siyuan::parse(&version).has_capabilities() {
                    return text.to_owned();
                }
                [text, " ", OwnAgentWords::of(&self.store.lang()).no_server].concat()
            }
            _ => {
                let words = ConnectionWords::of(&self.store.lang());
                let http = self.http.get();
                words.status(self.store.words, it, self.now.get(), (connected, http.as_ref()))
            }
        })
    }

    /// The number of notebooks at each level.
    fn levels(self) -> String {
        let store = self.store;
        if store.notebooks_load.get() != Load::Ready {
            return load_text(self, store.notebooks_load.get());
        }
        let ids = store.notebooks.get();
        let open = ids.iter().filter(|it| !it.encrypted).map(|it| it.id.as_str());
        let [none, r, rw, rwd] = store.levels.with(|draft| draft.counts(open));
        let locked = ids.iter().filter(|it| it.encrypted).count();
        let mut text = String::new();
        for (level, n) in Level::ALL.into_iter().zip([none + locked, r, rw, rwd]) {
            let (level, count) = (store.words.level(level), n.to_string());
            if n == ids.len() && n > 1 {
                return fill(self.words.all_at, &[("n", &count), ("level", level)]);
            }
            if n > 0 {
                let dot = if text.is_empty() { "" } else { " · " };
                text = [&text, dot, level, " ", &count].concat();
            }
        }
        text
    }

    /// Pauses or resumes all calls.
    fn pause(self, is: bool) {
        host::spawn(async move {
            let saved = save_server(&HttpChange::Paused(is)).await;
            self.trouble.try_set(saved.err());
            if saved.is_ok() {
                self.store.with_host(|host| host.tell_puppy(Message::Paused(is)));
            }
            self.look().await;
        });
    }
}

/// The warning about SiYuan's own tools.
#[component]
fn Bypassed(page: HomeSignals) -> AnyView {
    let words = OwnAgentWords::of(&page.store.lang());
    let text = move || fill(words.bypassed, &[("n", &page.bypassing.get().to_string())]);
    let is_shown = move || page.bypassing.get() != 0;
    let way = move || {
        if !is_shown() {
            return ().into_any();
        }
        view! { <Way store=page.store title=words.see to=PanelPage::Permissions/> }.into_any()
    };
    view! { <Trouble text shown=is_shown>{fresh(way)}</Trouble> }.into_any()
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
fn Server(page: HomeSignals) -> AnyView {
    let (words, store) = (page.words, page.store);
    let server = ConnectionWords::of(&store.lang());
    let is_paused = page.is_paused;
    label(words.pause, "", "[data-do=pause]");
    view! {
        <Group title=server.server>
            <Card>
                <div
                    class="fn__flex b3-label config-item config-wrap"
                    data-name="state"
                    data-state=move || page.status.with(|it| it.word(page.connected.get()))
                >
                    <div class="fn__flex-1">
                        <div class="config-name" role="status">
                            <span class="pup-light" aria-hidden="true"></span>
                            <span>{move || page.server()}</span>
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
fn May(page: HomeSignals) -> AnyView {
    let (words, store) = (page.words, page.store);
    let levels = move || page.levels();
    let switched = move || {
        if store.switches_load.get() != Load::Ready {
            return load_text(page, store.switches_load.get());
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
                {row(PanelPage::Tools, store.words.tools, switched.into())}
            </Card>
        </Group>
    }
    .into_any()
}

/// The text shown instead of numbers while their file is not read.
fn load_text(page: HomeSignals, load: Load) -> String {
    match load {
        Load::Loading => page.store.words.loading.to_owned(),
        Load::Trouble(StorageTrouble::Silent) => page.store.words.silent.to_owned(),
        _ => page.words.unknown.to_owned(),
    }
}

/// The greatest length of a client's name, in characters.
const CLIENT: usize = 40;

#[component]
fn Calls(page: HomeSignals) -> AnyView {
    let words = page.words;
    let last = move || {
        let now = page.now.get();
        page.last.with(|it| {
            let Some(event) = it else { return "–".to_owned() };
            let path = format!("{}.{}", event.tool, event.action);
            let action = actions::title(&page.store.lang(), &path);
            let time = page.store.words.time(now.saturating_sub(event.ts));
            let text = fill(words.ago, &[("action", &action), ("time", &time)]);
            let text = match event.caller() {
                Some(client) => fill(words.by, &[("client", &bubble::line(client, CLIENT)), ("what", &text)]),
                None => text,
            };
            match End::of_event(event) {
                None | Some(End::Runs | End::Done) => text,
                Some(end) => format!("{text} · {}", ActivityWords::of(&page.store.lang()).end(&end).1),
            }
        })
    };
    view! {
        <Group title=words.calls>
            <Card>
                <Row key="last" name=words.last>
                    <span class="pup-last" data-name="last">{last}</span>
                </Row>
                <Row key="all" name=words.in_all>
                    <span class="pup-last">{move || grouped(&page.calls.get().to_string())}</span>
                </Row>
            </Card>
        </Group>
    }
    .into_any()
}

/// The version of SiYuan, and what is different in it.
fn siyuan(page: HomeSignals) -> AnyView {
    let (words, version) = (page.words, page.version.get());
    if version.is_empty() {
        return ().into_any();
    }
    let siyuan = Siyuan::parse(&version);
    let differences: Vec<_> = words.differences(siyuan).collect();
    view! {
        <Group title=words.host name="siyuan">
            <Card>
                <div class="b3-label config-item pup-lines">
                    <div class="config-name" data-name="version">
                        {fill(words.version, &[("version", &version)])}
                    </div>
                    <Hint text=words.known(siyuan)/>
                    <Hint text=differences.join("\n") name="differences"/>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}
