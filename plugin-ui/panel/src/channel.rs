//! The signed channel to the servers of agents: the page's end, as long as the page is open.
//!
//! `page/channel.js` keeps the socket and passes received messages on. Questions of servers become signals that the
//! dialog, the puppy's bubble and the first page follow.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::own_questions;
use crate::state::questions::{Attention, ChannelState, Question, QuestionId, StandingErrand};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use puppy_core::ask::words::{self as asked, Language};
use puppy_core::channel::{APPROVE, Choice, Key, News, OpenQuestion, PageAnswer, PageEnd, PeerId, Ruling};
use puppy_core::config::{GRANTS_FILE, HTTP_FILE, MADE_FILE};
use puppy_core::kernel::page::PageRequest;
use puppy_ui_web::host::channel::{ChannelHost, is_looked_at, secret_bytes, steady_ms};
use puppy_ui_web::host::{self, Mounted};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::address::HttpServer;
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::own_agent::PersonAnswer;
use puppy_ui_web::state::panel_request::TokenAnswer;
use puppy_ui_web::state::screen;
use puppy_ui_web::words::channel::ChannelWords;
use puppy_ui_web::words::{chinese, fill};

/// The actions of the page, and that it shows questions.
const ABILITIES: [&str; 5] = [APPROVE, "get_ui_state", "open_document", "scroll_to_block", "ask_user"];
/// The time between two readings of the key: whoever speaks with another one may have written it.
const KEY_MS: u64 = 5_000;
/// The time between two looks at what waits, and for how long still.
const LOOK_MS: u64 = 1_000;
/// The time that servers have to hold a change, and the time between two looks at whether they do.
const HOLD_MS: u64 = 5_000;
const HOLD_LOOK_MS: u32 = 5;

thread_local! {
    static CHANNEL: RefCell<Option<Rc<Channel>>> = const { RefCell::new(None) };
    static QUESTIONS: ArcRwSignal<Vec<Question>> = ArcRwSignal::new(Vec::new());
    static STANDING: ArcRwSignal<Vec<StandingErrand>> = ArcRwSignal::new(Vec::new());
    static SERVERS: ArcRwSignal<usize> = ArcRwSignal::new(0);
    static HTTP: ArcRwSignal<Option<HttpServer>> = ArcRwSignal::new(None);
}

/// The outcome of a change that was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acknowledgement {
    /// No server is there.
    Nowhere,
    /// This many servers obey it.
    By(usize),
    /// Some server has not answered.
    Late,
}

struct Channel {
    host: ChannelHost,
    words: &'static ChannelWords,
    end: RefCell<PageEnd>,
    attention: RefCell<Attention>,
    state: RefCell<ChannelState>,
    /// The deeds that this page allowed and that are not done yet, by the ids of their questions.
    allowed: RefCell<Vec<(String, String)>>,
    /// The key of the present connection.
    key: RefCell<Option<Key>>,
    key_read: Cell<u64>,
    /// Counts connections: a key that was read for an older one is not used.
    connection: Cell<u32>,
    /// Whether the socket is open, but the key not yet read.
    is_connecting: Cell<bool>,
    timer: RefCell<Option<Timeout>>,
}

/// Begins the channel; it ends with the handle. It takes `open`, `closed`, `focus`, `denied`, and `heard` with a text.
pub fn begin(host: &ChannelHost) -> Mounted {
    chinese::load(host.texts());
    let channel = Rc::new(Channel {
        host: host.share(),
        words: ChannelWords::of(&host.lang()),
        end: RefCell::new(PageEnd::new(&host.version(), &ABILITIES, is_looked_at())),
        attention: RefCell::default(),
        state: RefCell::default(),
        allowed: RefCell::default(),
        key: RefCell::default(),
        key_read: Cell::new(0),
        connection: Cell::new(0),
        is_connecting: Cell::new(false),
        timer: RefCell::default(),
    });
    CHANNEL.set(Some(channel.clone()));
    let own = channel.clone();
    Mounted::new(move || own.leave()).hearing(move |what| channel.take(what))
}

/// The open questions.
pub(crate) fn questions() -> ArcRwSignal<Vec<Question>> {
    QUESTIONS.with(Clone::clone)
}

pub(crate) fn standing() -> ArcRwSignal<Vec<StandingErrand>> {
    STANDING.with(Clone::clone)
}

/// The number of connected servers, including those that this page did not start.
pub(crate) fn servers() -> ArcRwSignal<usize> {
    SERVERS.with(Clone::clone)
}

/// The connected HTTP server that snippets and the playground use.
pub(crate) fn http() -> ArcRwSignal<Option<HttpServer>> {
    HTTP.with(Clone::clone)
}

/// The language of the page.
pub(crate) fn lang() -> String {
    CHANNEL.with_borrow(|channel| channel.as_ref().map(|it| it.host.lang())).unwrap_or_default()
}

pub(crate) fn answer(question: &QuestionId, choice: Choice) {
    with(|channel| {
        if own_questions::answer(&question.sidecar, &question.id, choice) {
            channel.look();
            return;
        }
        let now = steady_ms();
        if choice != Choice::Deny {
            channel.remember(question);
        }
        let text = channel.end.borrow_mut().answer(&question.sidecar, &question.id, choice, now);
        channel.send(text);
        channel.look();
    });
}

/// Asks the person about a call that runs in this page, like servers do; the answer is a word.
pub(crate) async fn ask(question: &str) -> &'static str {
    let asked = serde_json::from_slice::<OpenQuestion>(question.as_bytes()).ok();
    let (Some(asked), Some(channel)) = (asked, CHANNEL.with_borrow(Clone::clone)) else {
        return PersonAnswer::Unseen.word();
    };
    host::spawn(async move { channel.look() });
    own_questions::ask(asked).await.word()
}

/// Denies every question.
pub(crate) fn deny_all() {
    for question in questions().get_untracked() {
        answer(&question.id, Choice::Deny);
    }
}

/// Puts every question off.
pub(crate) fn put_off() {
    with(|channel| {
        channel.attention.borrow_mut().put_off(&channel.state.borrow());
        channel.look();
    });
}

/// Opens the dialog with the questions.
pub(crate) fn open_dialog() {
    with(|channel| {
        channel.attention.borrow_mut().open();
        channel.look();
    });
}

/// Opens a document or block, and lets nothing of ours cover it; the questions stay open, in the bubble.
pub(crate) fn look_at(id: &str) {
    with(|channel| {
        let (channel, args) =
            (channel.clone(), serde_json::json!({ "id": id, "focus": true, "zoom": false }).to_string());
        host::spawn(async move {
            let answer = channel.host.act("look", "open_document", &args).await;
            if matches!(page_answer(&answer), PageAnswer::Done(_)) {
                put_off();
                channel.host.leave();
            } else {
                channel.host.say(channel.words.unopened);
            }
        });
    });
}

/// The answer of the page to a page action.
fn page_answer(json: &str) -> PageAnswer {
    serde_json::from_slice(json.as_bytes()).unwrap_or(PageAnswer::Failed)
}

/// Ends an errand.
pub(crate) fn revoke(sidecar: &PeerId, id: &str) {
    with(|channel| {
        let text = channel.end.borrow_mut().revoke(sidecar, id);
        channel.send(text);
    });
}

/// Ends every errand.
pub(crate) fn end_errands() {
    let all = standing().get_untracked();
    all.iter().for_each(|it| revoke(&it.sidecar, &it.id));
}

/// Notifies everybody that files of settings were written, and waits until every living server obeys.
pub(crate) async fn changed(files: &[&str]) -> Acknowledgement {
    let Some(channel) = CHANNEL.with_borrow(Clone::clone) else { return Acknowledgement::Nowhere };
    channel.show_changed(files);
    channel.connecting().await;
    let began = steady_ms();
    let (ticket, text) = channel.end.borrow_mut().changed(files, began);
    channel.send(text);
    channel.acknowledged(ticket, began).await
}

/// Sends the hash of an agent's token to the servers over HTTP, or ends the token with an empty hash.
pub(crate) async fn token(agent: &str, hash: &str) -> TokenAnswer {
    let Some(channel) = CHANNEL.with_borrow(Clone::clone) else { return TokenAnswer::Nowhere };
    channel.connecting().await;
    let began = steady_ms();
    let (ticket, servers, text) = channel.end.borrow_mut().token(agent, hash, began);
    channel.send(text);
    match channel.acknowledged(ticket, began).await {
        _ if servers == 0 => TokenAnswer::Nowhere,
        Acknowledgement::Late => TokenAnswer::Late,
        _ => TokenAnswer::Kept(http().get_untracked().map(|it| it.url).unwrap_or_default()),
    }
}

fn with(what: impl FnOnce(&Rc<Channel>)) {
    if let Some(channel) = CHANNEL.with_borrow(Clone::clone) {
        what(&channel);
    }
}

impl Channel {
    /// Takes a message of `page/channel.js`.
    fn take(self: &Rc<Self>, what: &str) {
        let (word, rest) = what.split_once('\n').unwrap_or((what, ""));
        match word {
            "open" => self.connect(false),
            "closed" => self.lose(),
            "focus" => {
                let text = self.end.borrow_mut().focus(is_looked_at(), steady_ms());
                self.send(text);
                self.look();
            }
            // The host has closed the dialog.
            "denied" => deny_all(),
            "heard" => self.receive(rest),
            _ => {}
        }
    }

    /// Waits for a connection that is being made.
    async fn connecting(&self) {
        let began = steady_ms();
        while self.is_connecting.get() && steady_ms().saturating_sub(began) < HOLD_MS {
            host::sleep(HOLD_LOOK_MS).await;
        }
    }

    /// Waits until every connected server that was notified of a change confirms it.
    async fn acknowledged(&self, ticket: u64, began: u64) -> Acknowledgement {
        loop {
            let now = steady_ms();
            let is_held = self.end.borrow_mut().holds(ticket, now);
            match self.end.borrow().sidecars(now) {
                0 if is_held => return Acknowledgement::Nowhere,
                n if is_held => return Acknowledgement::By(n),
                _ if now.saturating_sub(began) >= HOLD_MS => return Acknowledgement::Late,
                _ => {}
            }
            host::sleep(HOLD_LOOK_MS).await;
        }
    }

    fn send(&self, text: Option<String>) {
        if let Some(text) = text {
            self.host.send(&text);
        }
    }

    /// Introduces the page with the key of the workspace; `again` only if that has changed.
    fn connect(self: &Rc<Self>, again: bool) {
        let number = self.connection.get() + u32::from(!again);
        self.connection.set(number);
        self.is_connecting.set(!again);
        self.key_read.set(steady_ms());
        let channel = self.clone();
        host::spawn(async move {
            let kept = Key::kept(&PageKernel, Key::new(secret_bytes())).await;
            if channel.connection.get() != number {
                return;
            }
            channel.is_connecting.set(false);
            let Ok(key) = kept else { return };
            if again && channel.key.borrow().as_ref() == Some(&key) {
                return;
            }
            *channel.key.borrow_mut() = Some(key.clone());
            let text = channel.end.borrow_mut().connected(key, host::random_bits());
            channel.send(Some(text));
            channel.look();
        });
    }

    /// Reads the key again, at most every few seconds.
    fn read_key(self: &Rc<Self>) {
        if steady_ms().saturating_sub(self.key_read.get()) >= KEY_MS {
            self.connect(true);
        }
    }

    fn lose(self: &Rc<Self>) {
        self.connection.set(self.connection.get() + 1);
        self.is_connecting.set(false);
        self.key.take();
        self.end.borrow_mut().disconnected();
        self.look();
    }

    fn leave(self: &Rc<Self>) {
        let text = self.end.borrow_mut().leave(steady_ms());
        self.send(text);
        self.lose();
        self.timer.take();
        // Another one may have begun already.
        CHANNEL.with_borrow_mut(|channel| channel.take_if(|it| Rc::ptr_eq(it, self)));
    }

    fn receive(self: &Rc<Self>, text: &str) {
        // The key could not be read when the socket was opened.
        if self.key.borrow().is_none() {
            self.read_key();
        }
        let news = self.end.borrow_mut().receive(text, steady_ms());
        for news in news {
            match news {
                News::Send(text) => self.host.send(&text),
                News::Waiting | News::Sidecars => self.look(),
                News::Changed(files) => self.show_changed(&files),
                // `changed` looks for this itself.
                News::Held => {}
                News::Call { from, request, .. } => self.act(from, &request),
                News::Cancelled { from } => self.cancel(from.1),
                News::Ruled { question, ruling } => {
                    if let Some(text) = self.outcome(&question, ruling) {
                        self.host.say(&text);
                    }
                }
                News::Touched(it) => {
                    let [doc, block] = [it.doc, it.block].map(Option::unwrap_or_default);
                    self.host.touched(&doc, &block, it.level.word());
                }
                News::Stirred => self.host.tell_puppy(Message::Stir),
                News::Forged => self.read_key(),
            }
        }
    }

    /// Remembers the deed of a question that the person allows.
    fn remember(&self, question: &QuestionId) {
        let state = self.state.borrow();
        if let Some(asked) = state.questions.iter().find(|it| it.id == *question) {
            let language = Language::of(&self.host.lang());
            let deed = asked::flat(&asked::deed(&asked.ask, language), language);
            self.allowed.borrow_mut().push((question.id.clone(), deed));
        }
    }

    /// The message about the outcome of a question that this page answered.
    fn outcome(&self, question: &str, ruling: Ruling) -> Option<String> {
        let mut allowed = self.allowed.borrow_mut();
        let deed = allowed.iter().position(|it| it.0 == question).map(|at| allowed.swap_remove(at).1);
        match deed {
            Some(deed) if ruling == Ruling::Done => Some(fill(self.words.done, &[("deed", &deed)])),
            _ => self.words.ruling(ruling).map(str::to_owned),
        }
    }

    /// Shows what is always on the screen of changed files, or of a changed list of notebooks; the panel reads settings
    /// when it shows them.
    fn show_changed(&self, files: &[impl AsRef<str>]) {
        let has = |file: &str| files.iter().any(|it| it.as_ref() == file);
        if has(HTTP_FILE) {
            self.host.tell_pause();
        }
        if files.is_empty() || has(GRANTS_FILE) || has(MADE_FILE) {
            self.host.levels();
        }
    }

    /// Does what a server asks of the page, and answers once.
    fn act(self: &Rc<Self>, from: (PeerId, String), request: &PageRequest) {
        let (action, args) = (request.action(), screen::args(request));
        let channel = self.clone();
        host::spawn(async move {
            let answer = channel.host.act(&from.1, action, &args).await;
            let text = channel.end.borrow_mut().answer_call(&from, page_answer(&answer));
            channel.send(text);
        });
    }

    fn cancel(self: &Rc<Self>, call: String) {
        let channel = self.clone();
        host::spawn(async move {
            channel.host.act(&call, "cancel", "{}").await;
        });
    }

    /// Shows what waits now, and looks again as long as a server is there: time runs out, and servers end.
    fn look(self: &Rc<Self>) {
        let now = steady_ms();
        let times = (now, host::now_ms());
        let own = own_questions::open(now);
        let state = ChannelState::of(&self.end.borrow(), own, times, &host::origin(), &self.state.borrow());
        let waits = !state.questions.is_empty();
        let is_over = !waits && !self.state.borrow().questions.is_empty();
        let place = self.attention.borrow_mut().shows(&state, is_looked_at());
        keep(&questions(), &state.questions);
        keep(&standing(), &state.standing);
        keep(&servers(), &state.servers);
        keep(&http(), &state.http);
        let is_due = state.servers > 0 || waits;
        let asker = state.questions.first().map(|it| it.client.clone());
        let stands = !state.standing.is_empty();
        let stood = !self.state.replace(state).standing.is_empty();
        if waits || is_over {
            self.host.tell_puppy(Message::Asked(asker.as_deref()));
        }
        if stands || stood {
            self.host.tell_puppy(Message::Errand(stands));
        }
        self.host.shows(place.word());
        let channel = Rc::downgrade(self);
        let again = move || {
            if let Some(channel) = channel.upgrade() {
                channel.look();
            }
        };
        *self.timer.borrow_mut() = is_due.then(|| host::later(LOOK_MS, again));
    }
}

fn keep<T: PartialEq + Clone + Send + Sync + 'static>(signal: &ArcRwSignal<T>, now: &T) {
    if signal.with_untracked(|it| it != now) {
        signal.set(now.clone());
    }
}
