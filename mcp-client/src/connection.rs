//! A connection to one server: it is made, kept, lost and made again, and carries requests meanwhile.
//!
//! [`Connection::run`] is the only future that lives as long as the connection; calls and reads are futures of their
//! own beside it. All of them belong to one thread.

mod call;
mod keep;
mod lists;
mod make;
mod prompts;
mod resources;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use async_lock::{Mutex, RwLock, Semaphore};
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::future::AbortHandle;
use serde_json::Value;

use crate::cache::Cache;
use crate::failure::Failure;
use crate::greeting::Greeting;
use crate::limits::{Limit, Limits};
use crate::offer::{List, Offer};
use crate::phase::{Journal, Phase, State, Step};
use crate::revision::Eras;
use crate::wire::{Address, Answer, Ask, Notice, Session, Wire};
use crate::world::World;

pub use call::{CallFailure, Outcome, Stop, StopRegistration, ToolAnswer};
pub use prompts::{Completion, PromptMessage, PromptText, Whose};
pub use resources::Contents;

/// The time that the notification of a stopped call may take, and a session to be ended, in milliseconds.
const COURTESY_MS: u64 = 2_000;

/// A change that a view may show.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// State, phase or latency.
    State,
    /// A list of the server.
    List(List),
    /// A resource, by its address.
    Resource(String),
    /// A line of the server's log.
    Log(Value),
}

/// The receiver of changes.
pub type OnChange = Rc<dyn Fn(Change)>;

/// A connection as a view shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionView {
    /// The state.
    pub state: State,
    /// The newest steps, oldest first.
    pub steps: Vec<Step>,
    /// The server's description of itself, while there is a connection.
    pub greeting: Option<Greeting>,
    /// The time of the last health check, in milliseconds.
    pub latency_ms: Option<u64>,
}

/// The settings of a connection.
#[derive(Clone)]
pub struct Settings {
    /// The name that the person gave the server.
    pub name: String,
    /// The place.
    pub address: Address,
    /// The eras that are tried.
    pub eras: Eras,
    /// The limits, which hold for all that begins after a change.
    pub limits: Rc<Cell<Limits>>,
}

/// A connection; clones share it.
#[derive(Clone)]
pub struct Connection(Rc<Inner>);

struct Inner {
    settings: Settings,
    world: World,
    wire: Wire,
    notices: RefCell<UnboundedReceiver<Notice>>,
    on_change: OnChange,
    /// The turns of all connections: so many are made at a time.
    turns: Rc<Semaphore>,
    now: RefCell<Now>,
    cache: RefCell<Cache<Contents>>,
    /// The addresses of the resources whose changes are wanted.
    subscribed: RefCell<BTreeSet<String>>,
    /// Locked while a session is made, so that several calls make only one.
    making: Mutex<()>,
    /// Read by everything that runs, written by who waits for its end.
    running: RwLock<()>,
    calls: RefCell<BTreeMap<u64, AbortHandle>>,
    /// Ends `run`, and the stream of notifications.
    run: RefCell<Option<AbortHandle>>,
    stream: RefCell<Option<AbortHandle>>,
    is_closing: Cell<bool>,
    /// Whether the server may be gone.
    is_suspect: Cell<bool>,
    /// Whether the lists and subscriptions belong to an earlier session.
    is_stale: Cell<bool>,
}

#[derive(Default)]
struct Now {
    state: State,
    journal: Journal,
    session: Option<Session>,
    greeting: Option<Greeting>,
    offer: Offer,
    latency_ms: Option<u64>,
}

impl Connection {
    /// A connection that nobody has asked for yet.
    #[must_use]
    pub fn new(settings: Settings, world: World, turns: Rc<Semaphore>, on_change: OnChange) -> Connection {
        let (sender, notices) = unbounded();
        Connection(Rc::new(Inner {
            wire: Wire::new(world.clone(), settings.address.clone(), settings.limits.clone(), sender),
            settings,
            world,
            notices: RefCell::new(notices),
            on_change,
            turns,
            now: RefCell::default(),
            cache: RefCell::default(),
            subscribed: RefCell::default(),
            making: Mutex::new(()),
            running: RwLock::new(()),
            calls: RefCell::default(),
            run: RefCell::default(),
            stream: RefCell::default(),
            is_closing: Cell::new(false),
            is_suspect: Cell::new(false),
            is_stale: Cell::new(false),
        }))
    }

    /// The name that the person gave the server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.settings.name
    }

    /// The connection as it is now.
    #[must_use]
    pub fn shown(&self) -> ConnectionView {
        let now = self.0.now.borrow();
        ConnectionView {
            state: now.state.clone(),
            steps: now.journal.steps(),
            greeting: now.greeting.clone(),
            latency_ms: now.latency_ms,
        }
    }

    /// The state as it is now.
    #[must_use]
    pub fn state(&self) -> State {
        self.0.now.borrow().state.clone()
    }

    /// Reads what the server lists.
    pub fn with_offer<T>(&self, read: impl FnOnce(&Offer) -> T) -> T {
        read(&self.0.now.borrow().offer)
    }

    /// Checks whether the server answers, and returns the time that it took in milliseconds.
    ///
    /// # Errors
    /// The reason why it does not.
    pub async fn check(&self) -> Result<u64, Failure> {
        let _running = self.0.running.read().await;
        self.0.probe().await
    }

    /// Leaves the server: waits up to `patience_ms` for what runs, then ends the session. It does not reconnect.
    pub async fn close(&self, patience_ms: u64) {
        let inner = &self.0;
        inner.is_closing.set(true);
        if inner.world.within(patience_ms, inner.running.write()).await.is_none() {
            for call in inner.calls.borrow().values() {
                call.abort();
            }
        }
        for task in [&inner.run, &inner.stream] {
            if let Some(task) = task.take() {
                task.abort();
            }
        }
        let session = inner.now.borrow_mut().session.take();
        if let Some(session) = session {
            inner.world.within(COURTESY_MS, inner.wire.end(&session)).await;
        }
        *inner.cache.borrow_mut() = Cache::default();
        inner.subscribed.borrow_mut().clear();
        {
            let mut now = inner.now.borrow_mut();
            now.offer = Offer::default();
            now.greeting = None;
            now.latency_ms = None;
        }
        inner.step(Phase::Disconnected, None);
        inner.set(State::Closed);
    }
}

impl Inner {
    fn tell(&self, change: Change) {
        (self.on_change)(change);
    }

    fn step(&self, phase: Phase, why: Option<Failure>) {
        self.now.borrow_mut().journal.step(phase, self.world.now_ms(), why);
        self.tell(Change::State);
    }

    fn set(&self, state: State) {
        self.now.borrow_mut().state = state;
        self.tell(Change::State);
    }

    fn fail(&self, why: Failure) {
        let in_phase = self.now.borrow().journal.reached();
        self.step(Phase::Failed, Some(why.clone()));
        self.set(State::Failed { in_phase, why });
    }

    fn session(&self) -> Result<Session, Failure> {
        self.now.borrow().session.clone().ok_or(Failure::NotConnected)
    }

    /// Sends a request; a lost session is begun anew and the request repeated once (B-209). `sent` hears the id
    /// under which the request is on its way.
    async fn ask_heard(&self, ask: &Ask, mut sent: impl FnMut(&Session, u64)) -> Result<Answer, Failure> {
        let session = self.session()?;
        let id = self.wire.id();
        sent(&session, id);
        let first = self.wire.ask(&session, id, ask).await;
        let asked = match first {
            Err(Failure::NoSession) => {
                let session = self.renew(&session).await?;
                let id = self.wire.id();
                sent(&session, id);
                self.wire.ask(&session, id, ask).await
            }
            other => other,
        };
        if matches!(asked, Err(Failure::Unreachable(_) | Failure::Broken)) {
            self.suspect();
        }
        asked
    }

    /// Sends a request with the limit of calls.
    async fn ask(&self, ask: &Ask) -> Result<Answer, Failure> {
        let limit = self.limit(Limit::Call);
        let asked = self.world.within(limit, self.ask_heard(ask, |_, _| {})).await;
        asked.unwrap_or(Err(Failure::TimedOut(limit)))
    }

    /// A limit as it is now, in milliseconds.
    fn limit(&self, limit: Limit) -> u64 {
        self.settings.limits.get().ms(limit)
    }

    /// Makes `keep` look whether the server is still there.
    fn suspect(&self) {
        self.is_suspect.set(true);
        self.interrupt();
    }

    /// Ends the stream of notifications; `keep` opens another.
    fn interrupt(&self) {
        if let Some(stream) = self.stream.borrow().as_ref() {
            stream.abort();
        }
    }
}
