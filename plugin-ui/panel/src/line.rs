//! The line to the servers of agents: the page's end of the bridge, as long as the page is open.
//!
//! `page/line.js` keeps the socket and hands over what it hears; what a server asks becomes signals that the dialog, the
//! puppy's bubble and the first page follow.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::state::questions::{Attention, Question, QuestionId, Standing, Told};
use crate::state::screen;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use puppy_core::ask::words::{self as asked, Language};
use puppy_core::bridge::{APPROVE, Choice, Key, News, PageAnswer, PageEnd, PeerId, Ruling};
use puppy_core::config::{GRANTS_FILE, HTTP_FILE, MADE_FILE};
use puppy_core::kernel::page::PageRequest;
use puppy_ui_web::host::wire::{self, Wire};
use puppy_ui_web::host::{self, Mounted};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::message::Message;
use puppy_ui_web::words::bridge::BridgeWords;
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
    static LINE: RefCell<Option<Rc<Line>>> = const { RefCell::new(None) };
    static QUESTIONS: ArcRwSignal<Vec<Question>> = ArcRwSignal::new(Vec::new());
    static STANDING: ArcRwSignal<Vec<Standing>> = ArcRwSignal::new(Vec::new());
    static SERVERS: ArcRwSignal<usize> = ArcRwSignal::new(0);
}

/// The outcome of a change that was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// No server is there.
    Nowhere,
    /// This many servers obey it.
    By(usize),
    /// Some server has not answered.
    Late,
}

struct Line {
    wire: Wire,
    words: &'static BridgeWords,
    end: RefCell<PageEnd>,
    attention: RefCell<Attention>,
    told: RefCell<Told>,
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

/// Begins a line; it ends with the handle. It hears `open`, `closed`, `focus`, `denied` and `heard` with a text.
pub fn begin(wire: &Wire) -> Mounted {
    chinese::load(wire.texts());
    let line = Rc::new(Line {
        wire: wire.share(),
        words: BridgeWords::of(&wire.lang()),
        end: RefCell::new(PageEnd::new(&wire.version(), &ABILITIES, wire::is_looked_at())),
        attention: RefCell::default(),
        told: RefCell::default(),
        allowed: RefCell::default(),
        key: RefCell::default(),
        key_read: Cell::new(0),
        connection: Cell::new(0),
        is_connecting: Cell::new(false),
        timer: RefCell::default(),
    });
    LINE.set(Some(line.clone()));
    let own = line.clone();
    Mounted::new(move || own.leave()).hearing(move |what| line.told(what))
}

/// The open questions.
pub(crate) fn questions() -> ArcRwSignal<Vec<Question>> {
    QUESTIONS.with(Clone::clone)
}

/// The standing consents.
pub(crate) fn standing() -> ArcRwSignal<Vec<Standing>> {
    STANDING.with(Clone::clone)
}

/// The number of connected servers, including those that this page did not start.
pub(crate) fn servers() -> ArcRwSignal<usize> {
    SERVERS.with(Clone::clone)
}

/// The language of the page.
pub(crate) fn lang() -> String {
    LINE.with_borrow(|line| line.as_ref().map(|it| it.wire.lang())).unwrap_or_default()
}

/// Answers a question.
pub(crate) fn answer(question: &QuestionId, choice: Choice) {
    with(|line| {
        let now = wire::steady_ms();
        if choice != Choice::Deny {
            line.remember(question);
        }
        let text = line.end.borrow_mut().answer(&question.sidecar, &question.id, choice, now);
        line.send(text);
        line.look();
    });
}

/// Denies every question.
pub(crate) fn deny_all() {
    for question in questions().get_untracked() {
        answer(&question.id, Choice::Deny);
    }
}

/// Puts every question off.
pub(crate) fn put_off() {
    with(|line| {
        line.attention.borrow_mut().put_off(&line.told.borrow());
        line.look();
    });
}

/// Opens the dialog with the questions.
pub(crate) fn open_dialog() {
    with(|line| {
        line.attention.borrow_mut().open();
        line.look();
    });
}

/// Opens a document or block, and lets nothing of ours cover it; the questions stay open, in the bubble.
pub(crate) fn look_at(id: &str) {
    with(|line| {
        let (line, args) =
            (line.clone(), serde_json::json!({ "id": id, "focus": true, "zoom": false }).to_string());
        host::spawn(async move {
            let answer = line.wire.act("look", "open_document", &args).await;
            if matches!(page_answer(&answer), PageAnswer::Done(_)) {
                put_off();
                line.wire.leave();
            } else {
                line.wire.say(line.words.unopened);
            }
        });
    });
}

/// The answer of the page to a page action.
fn page_answer(json: &str) -> PageAnswer {
    serde_json::from_slice(json.as_bytes()).unwrap_or(PageAnswer::Failed)
}

/// Takes a consent back.
pub(crate) fn revoke(sidecar: &PeerId, id: &str) {
    with(|line| {
        let text = line.end.borrow_mut().revoke(sidecar, id);
        line.send(text);
    });
}

/// Tells everybody that files of settings were written, and waits until every living server obeys.
pub(crate) async fn changed(files: &[&str]) -> Held {
    let Some(line) = LINE.with_borrow(Clone::clone) else { return Held::Nowhere };
    line.show_changed(files);
    let began = wire::steady_ms();
    while line.is_connecting.get() && wire::steady_ms().saturating_sub(began) < HOLD_MS {
        host::sleep(HOLD_LOOK_MS).await;
    }
    let began = wire::steady_ms();
    let (ticket, text) = line.end.borrow_mut().changed(files, began);
    line.send(text);
    loop {
        let now = wire::steady_ms();
        let is_held = line.end.borrow_mut().holds(ticket, now);
        match line.end.borrow().sidecars(now) {
            0 if is_held => return Held::Nowhere,
            n if is_held => return Held::By(n),
            _ if now.saturating_sub(began) >= HOLD_MS => return Held::Late,
            _ => {}
        }
        host::sleep(HOLD_LOOK_MS).await;
    }
}

fn with(what: impl FnOnce(&Rc<Line>)) {
    if let Some(line) = LINE.with_borrow(Clone::clone) {
        what(&line);
    }
}

impl Line {
    /// Takes a message of `page/line.js`.
    fn told(self: &Rc<Self>, what: &str) {
        let (word, rest) = what.split_once('\n').unwrap_or((what, ""));
        match word {
            "open" => self.connect(false),
            "closed" => self.lose(),
            "focus" => {
                let text = self.end.borrow_mut().focus(wire::is_looked_at(), wire::steady_ms());
                self.send(text);
                self.look();
            }
            // The host has closed the dialog.
            "denied" => deny_all(),
            "heard" => self.hear(rest),
            _ => {}
        }
    }

    fn send(&self, text: Option<String>) {
        if let Some(text) = text {
            self.wire.send(&text);
        }
    }

    /// Introduces the page with the key of the workspace; `again` only if that has changed.
    fn connect(self: &Rc<Self>, again: bool) {
        let number = self.connection.get() + u32::from(!again);
        self.connection.set(number);
        self.is_connecting.set(!again);
        self.key_read.set(wire::steady_ms());
        let line = self.clone();
        host::spawn(async move {
            let kept = Key::kept(&PageKernel, Key::new(wire::secret_bytes())).await;
            if line.connection.get() != number {
                return;
            }
            line.is_connecting.set(false);
            let Ok(key) = kept else { return };
            if again && line.key.borrow().as_ref() == Some(&key) {
                return;
            }
            *line.key.borrow_mut() = Some(key.clone());
            let text = line.end.borrow_mut().connected(key, host::random_bits());
            line.send(Some(text));
            line.look();
        });
    }

    /// Reads the key again, at most every few seconds.
    fn read_key(self: &Rc<Self>) {
        if wire::steady_ms().saturating_sub(self.key_read.get()) >= KEY_MS {
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
        let text = self.end.borrow_mut().leave(wire::steady_ms());
        self.send(text);
        self.lose();
        self.timer.take();
        // Another one may have begun already.
        LINE.with_borrow_mut(|line| line.take_if(|it| Rc::ptr_eq(it, self)));
    }

    fn hear(self: &Rc<Self>, text: &str) {
        // The key could not be read when the socket was opened.
        if self.key.borrow().is_none() {
            self.read_key();
        }
        let news = self.end.borrow_mut().hear(text, wire::steady_ms());
        for news in news {
            match news {
                News::Send(text) => self.wire.send(&text),
                News::Waiting | News::Sidecars => self.look(),
                News::Changed(files) => self.show_changed(&files),
                // `changed` looks for this itself.
                News::Held => {}
                News::Call { from, request, .. } => self.act(from, &request),
                News::Cancelled { from } => self.cancel(from.1),
                News::Ruled { question, ruling } => {
                    if let Some(text) = self.outcome(&question, ruling) {
                        self.wire.say(&text);
                    }
                }
                News::Touched(it) => {
                    let [doc, block] = [it.doc, it.block].map(Option::unwrap_or_default);
                    self.wire.touched(&doc, &block, it.level.word());
                }
                News::Stirred => self.wire.tell_puppy(Message::Stir),
                News::Forged => self.read_key(),
            }
        }
    }

    /// Remembers the deed of a question that the person allows.
    fn remember(&self, question: &QuestionId) {
        let told = self.told.borrow();
        if let Some(asked) = told.questions.iter().find(|it| it.id == *question) {
            let language = Language::of(&self.wire.lang());
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
            self.wire.tell_pause();
        }
        if files.is_empty() || has(GRANTS_FILE) || has(MADE_FILE) {
            self.wire.levels();
        }
    }

    /// Does what a server asks of the page, and answers once.
    fn act(self: &Rc<Self>, from: (PeerId, String), request: &PageRequest) {
        let (action, args) = (request.action(), screen::args(request));
        let line = self.clone();
        host::spawn(async move {
            let answer = line.wire.act(&from.1, action, &args).await;
            let text = line.end.borrow_mut().answer_call(&from, page_answer(&answer));
            line.send(text);
        });
    }

    fn cancel(self: &Rc<Self>, call: String) {
        let line = self.clone();
        host::spawn(async move {
            line.wire.act(&call, "cancel", "{}").await;
        });
    }

    /// Shows what waits now, and looks again as long as a server is there: time runs out, and servers end.
    fn look(self: &Rc<Self>) {
        let now = wire::steady_ms();
        let told = Told::of(&self.end.borrow(), now, host::now_ms(), &self.told.borrow());
        let waits = !told.questions.is_empty();
        let is_over = !waits && !self.told.borrow().questions.is_empty();
        let place = self.attention.borrow_mut().shows(&told, wire::is_looked_at());
        keep(&questions(), &told.questions);
        keep(&standing(), &told.standing);
        keep(&servers(), &told.servers);
        let is_due = told.servers > 0;
        let asker = told.questions.first().map(|it| it.client.clone());
        self.told.replace(told);
        if waits || is_over {
            self.wire.tell_puppy(Message::Asked(asker.as_deref()));
        }
        self.wire.shows(place.word());
        let line = Rc::downgrade(self);
        let again = move || {
            if let Some(line) = line.upgrade() {
                line.look();
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
