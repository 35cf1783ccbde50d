//! The connection page: the server and its settings, saved immediately, and the configuration of each client.

mod clients;
mod server;

use leptos::prelude::*;
use puppy_core::clients::{Client, ClientTransport, SnippetValues};
use puppy_ui_parts::{Copies, CopyButton, CopyLine, Hint, Link, Pre, Trouble, once_drawn, show};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::kernel::events;
use puppy_ui_web::state::address::HttpServer;
use puppy_ui_web::state::server::{HttpChange, HttpSettings, ServerPhase, ServerStatus, options};
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::fill;

use self::clients::{Assistant, Clients};
use self::server::{Log, Server, Settings};
use crate::channel;
use crate::setting_files::{read_server, save_server};
use crate::state::first_way::first_way;
use crate::store::Store;

/// The time between two polls of the server and of the calls, in milliseconds.
const LOOK_MS: u32 = 2_000;

/// The program in snippets where this page does not know its place.
const PROGRAM: &str = "/path/to/siyuan-puppy";

/// The program's downloads.
const RELEASES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/latest");

/// The key under which this device remembers the client whose configuration was taken last.
pub(crate) const CLIENT_KEY: &str = "siyuan-mcp-puppy-client";

/// The page's signals.
#[derive(Clone, Copy)]
struct ConnectionSignals {
    store: Store,
    words: &'static ConnectionWords,
    status: RwSignal<ServerStatus>,
    /// The number of connected servers, from [`channel::servers`].
    connected: RwSignal<usize>,
    /// The one over HTTP that snippets name, from [`channel::http`].
    http: RwSignal<Option<HttpServer>>,
    settings: RwSignal<HttpSettings>,
    /// Why the settings cannot be read or saved.
    trouble: RwSignal<Option<StorageTrouble>>,
    now: RwSignal<u64>,
    /// A token that was made on this page; shown until it is left.
    made: RwSignal<String>,
    client: RwSignal<Client>,
    /// The way that the person chose for it.
    chosen: RwSignal<Option<ClientTransport>>,
    /// The clients after whose choice a call arrived, on this device.
    called: RwSignal<Vec<&'static str>>,
    /// The number of calls when the client was chosen; `None` until it is known.
    calls: StoredValue<Option<u64>>,
    copies: Copies,
}

/// The content of the page.
#[component]
pub(crate) fn Connection() -> AnyView {
    let store = Store::here();
    let words = ConnectionWords::of(&store.lang());
    let find = |id: &str| Client::ALL.into_iter().find(|it| it.id() == id);
    // The first page leads to a client.
    let wanted = find(&store.wanted.get_untracked());
    let client = wanted.or_else(|| find(&host::remembered(CLIENT_KEY)?)).unwrap_or(Client::ClaudeDesktop);
    let called = Client::ALL.map(Client::id).into_iter().filter(|id| host::remembered(&key(id)).is_some());
    let page = ConnectionSignals {
        store,
        words,
        status: RwSignal::new(ServerStatus::default()),
        connected: channel::servers().into(),
        http: channel::http().into(),
        settings: RwSignal::new(HttpSettings::default()),
        trouble: RwSignal::new(None),
        now: RwSignal::new(host::now_ms()),
        made: RwSignal::new(String::new()),
        client: RwSignal::new(client),
        chosen: RwSignal::new(None),
        called: RwSignal::new(called.collect()),
        calls: StoredValue::new(None),
        copies: Copies::new(&store.lang(), store.host),
    };
    once_drawn(move || {
        page.watch();
        if wanted.is_some() {
            store.wanted.set(String::new());
            dom::focus_anywhere(".pup-clients [aria-pressed=true]");
        }
    });
    let trouble = move || match page.trouble.get() {
        None => String::new(),
        Some(StorageTrouble::Broken) => words.torn.to_owned(),
        Some(why) => format!("{} {}", words.not_saved, store.words.why(why)),
    };
    view! {
        <div>
            <Trouble text=trouble shown=move || page.trouble.get().is_some()/>
            <Server page/>
            <Clients page/>
            <Assistant page/>
            <Settings page/>
            <Log page/>
            <CopyLine copies=page.copies/>
        </div>
    }
    .into_any()
}

/// A button that copies a text; `what` names the text for screen readers.
#[component]
fn NamedCopy(
    page: ConnectionSignals,
    name: &'static str,
    #[prop(into)] what: TextProp,
    #[prop(into)] copied: Callback<(), String>,
) -> AnyView {
    let (copies, words) = (page.copies, page.words);
    let label = move || fill(words.copy_what, &[("what", &what.get())]);
    view! { <CopyButton copies name text=words.copy copied label/> }.into_any()
}

/// A text, and the button that copies it; `what` names it for screen readers.
fn copied_text(
    page: ConnectionSignals,
    name: &'static str,
    text: String,
    what: String,
    copied: Callback<(), String>,
) -> AnyView {
    copied_view(page, name, view! { <Pre text/> }.into_any(), what, copied)
}

fn copied_view(
    page: ConnectionSignals,
    name: &'static str,
    shown: AnyView,
    what: String,
    copied: Callback<(), String>,
) -> AnyView {
    view! { <div class="pup-snippet" data-name=name>{shown}<NamedCopy page name what copied/></div> }
        .into_any()
}

/// A command to copy.
fn copied_line(page: ConnectionSignals, name: &'static str, text: String) -> AnyView {
    let copied = text.clone();
    let word = |(at, it): (usize, &str)| {
        view! { {if at == 0 { "" } else { " " }} <span>{it.to_owned()}</span> }
    };
    let words = text.split(' ').enumerate().map(word).collect_view();
    let shown = view! { <pre class="pup-command" tabindex="0">{words}</pre> }.into_any();
    copied_view(page, name, shown, text, Callback::new(move |()| copied.clone()))
}

/// Leads to the program's downloads.
fn download(page: ConnectionSignals, then: &'static str) -> AnyView {
    let text = page.words.download.to_owned();
    view! { <Hint><Link href=RELEASES.to_owned() text target="_blank"/>" "{then}</Hint> }.into_any()
}

/// The key under which this device remembers that a client has called.
fn key(client: &str) -> String {
    format!("siyuan-mcp-puppy-called-{client}")
}

impl ConnectionSignals {
    /// Polls the server, the settings and the calls while the page is open and visible.
    fn watch(self) {
        host::spawn(async move {
            loop {
                if !host::is_hidden() {
                    self.look().await;
                    let calls = events().await.flatten().map(|it| it.total_calls);
                    self.count(calls);
                }
                if self.now.try_set(host::now_ms()).is_some() {
                    return;
                }
                host::sleep(LOOK_MS).await;
            }
        });
    }

    /// Shows the present state of the server and of its settings.
    async fn look(self) {
        let Some(host) = self.store.host() else { return };
        show(self.status, host.server("status").await);
        match read_server().await {
            Ok(settings) => {
                show(self.settings, settings);
                if self.trouble.try_get_untracked() == Some(Some(StorageTrouble::Broken)) {
                    self.trouble.try_set(None);
                }
            }
            Err(StorageTrouble::Broken) => show(self.trouble, Some(StorageTrouble::Broken)),
            // SiYuan may be restarting; the shown settings stay.
            Err(_) => {}
        }
    }

    /// Notes a call that came after the client was chosen.
    fn count(self, calls: Option<u64>) {
        let Some(calls) = calls else { return };
        let Some(before) = self.calls.try_get_value() else { return };
        if before.is_some_and(|before| calls > before)
            && let Some(client) = self.client.try_get_untracked().map(Client::id)
        {
            host::remember(&key(client), "yes");
            self.called.try_update(|all| {
                if !all.contains(&client) {
                    all.push(client);
                }
            });
        }
        self.calls.try_set_value(Some(calls));
    }

    /// The way by which the chosen client connects.
    fn way(self) -> ClientTransport {
        self.chosen.get().unwrap_or_else(|| {
            let has_program = self.status.with(|it| !it.program.is_empty());
            first_way(self.client.get(), self.http.with(Option::is_some), has_program)
        })
    }

    /// Remembers that the configuration of the client was taken, and keeps showing this way to connect it.
    fn took(self) {
        host::remember(CLIENT_KEY, self.client.get_untracked().id());
        self.chosen.set(Some(untrack(|| self.way())));
    }

    /// Saves a change.
    fn change(self, change: HttpChange) {
        if !self.store.readonly {
            host::spawn(async move {
                self.keep(&change).await;
            });
        }
    }

    /// Saves a change that a person typed; false where it makes no sense.
    fn try_change(self, change: Option<HttpChange>) -> bool {
        let makes_sense = change.is_some();
        if let Some(change) = change {
            self.change(change);
        }
        makes_sense
    }

    /// Saves a change, and returns whether that worked.
    async fn keep(self, change: &HttpChange) -> bool {
        let saved = save_server(change).await;
        self.trouble.try_set(saved.err());
        self.look().await;
        saved.is_ok()
    }

    /// Starts the server at another port.
    fn move_to(self, port: u16) {
        host::spawn(async move {
            if self.keep(&HttpChange::Port(port)).await {
                self.ask("start", ServerPhase::Starting);
            }
        });
    }

    /// Sends a request to the keeper of the server.
    fn ask(self, what: &'static str, meanwhile: ServerPhase) {
        self.status.try_update(|it| it.doing = meanwhile);
        host::spawn(async move {
            let Some(host) = self.store.host() else { return };
            show(self.status, host.server(what).await);
        });
    }

    /// Calls `what` with the values that snippets contain; `dots` masks the token.
    fn reach<T>(self, dots: bool, what: impl FnOnce(&SnippetValues<'_>) -> T) -> T {
        self.status.with(|status| {
            self.settings.with(|settings| {
                let is_running = status.doing == ServerPhase::Running;
                let url = match self.http.get() {
                    _ if is_running => status.url.clone(),
                    Some(connected) => connected.url,
                    None => settings.url(),
                };
                let token = settings.token();
                let program = if status.program.is_empty() { PROGRAM } else { &status.program };
                let options = if status.is_kept() { Vec::new() } else { options(&host::origin()) };
                what(&SnippetValues {
                    program,
                    url: &url,
                    token: if dots && !token.is_empty() { "••••••••" } else { token },
                    token_file: &status.token_file,
                    certificate: &status.certificate,
                    is_relay: is_running || (status.is_kept() && settings.autostart()),
                    options: &options,
                })
            })
        })
    }
}
