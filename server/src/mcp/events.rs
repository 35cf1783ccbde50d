//! What streams of sessions carried, kept for a while: a client that lost its connection takes up where it was (B-135).

mod kept;
mod tail;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use futures_util::Stream;
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage, SessionId,
};

use kept::{Ended, Kept};

use super::running::{Refused, Running};

/// Bytes of ended streams whose client went before their end; beyond it the oldest go.
const BROKEN: usize = 16 * 1024 * 1024;
/// The same of streams that were written to their end: the client has them, unless the network lost them.
const WRITTEN: usize = 256 * 1024;

/// The streams of all sessions, and the requests that run in each.
#[derive(Debug)]
pub(super) struct Events {
    /// Requests at once in one session.
    most: usize,
    all: Mutex<All>,
}

#[derive(Debug)]
struct All {
    made: u64,
    numbers: HashMap<Box<str>, u64>,
    streams: HashMap<u64, Kept>,
    running: HashMap<SessionId, Running>,
    broken: Ended,
    written: Ended,
}

impl Events {
    pub(super) fn new(most: usize) -> Arc<Events> {
        let all = All {
            made: 0,
            numbers: HashMap::new(),
            streams: HashMap::new(),
            running: HashMap::new(),
            broken: Ended::up_to(BROKEN),
            written: Ended::up_to(WRITTEN),
        };
        Arc::new(Events { most, all: Mutex::new(all) })
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a request: rmcp would leave one of two with the same id unanswered.
    pub(super) fn begin(
        self: &Arc<Self>,
        session: &SessionId,
        request: &RequestId,
    ) -> Result<Place, Refused> {
        let mut all = self.all();
        all.running.entry(session.clone()).or_default().begin(request, self.most)?;
        let owner = Some((session.clone(), request.clone()));
        Ok(Place { events: self.clone(), owner })
    }

    /// A request that its client cancelled gets no answer that could end it.
    pub(super) fn cancelled(&self, session: &SessionId, request: &RequestId) {
        let mut all = self.all();
        if let Some(running) = all.running.get_mut(session) {
            running.cancel(request);
        }
        let answers = |kept: &Kept| kept.owner.as_ref() == Some(&(session.clone(), request.clone()));
        let stream = all.streams.iter().find(|(_, kept)| !kept.is_complete && answers(kept));
        if let Some(number) = stream.map(|(number, _)| *number) {
            all.complete(number);
        }
    }

    /// Drops what a session left.
    pub(super) fn forget(&self, session: &SessionId) {
        let mut all = self.all();
        all.running.remove(session);
        let theirs = |kept: &Kept| kept.session.as_ref() == Some(session);
        let gone: Vec<u64> =
            all.streams.iter().filter(|(_, kept)| theirs(kept)).map(|(number, _)| *number).collect();
        for number in gone {
            all.remove(number);
        }
    }

    /// Takes a stream up behind an event; `None` when it is gone, or when it is another session's.
    pub(super) fn resume(
        self: &Arc<Self>,
        session: &SessionId,
        last: &str,
    ) -> Option<impl Stream<Item = ServerSseMessage> + Send + Sync + use<>> {
        let (number, place) = kept::parse(last)?;
        let is_theirs = self
            .all()
            .streams
            .get(&number)
            .is_some_and(|kept| kept.session.as_ref() == Some(session) && place < kept.end());
        is_theirs.then(|| tail::tail(self.clone(), number, Some(place + 1)))
    }

    /// The standing stream of a session, from the first event that nobody was sent.
    pub(super) fn standing(
        self: &Arc<Self>,
        session: &SessionId,
    ) -> impl Stream<Item = ServerSseMessage> + Send + Sync + use<> {
        let number = self.all().number(&standing_name(session));
        tail::tail(self.clone(), number, None)
    }

    /// A client reads the stream no more: it had all of it, or it went before.
    fn released(&self, number: u64, had_all: bool) {
        let mut all = self.all();
        let Some(kept) = all.streams.get_mut(&number) else { return };
        kept.is_followed = false;
        if kept.is_complete {
            let bytes = kept.bytes;
            let ended = if had_all { &mut all.written } else { &mut all.broken };
            ended.push(number, bytes);
            all.prune();
        } else if had_all {
            all.complete(number);
        }
    }
}

impl All {
    fn number(&mut self, name: &str) -> u64 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.made += 1;
        self.numbers.insert(name.into(), self.made);
        let session = name.strip_suffix(STANDING).map(SessionId::from);
        self.streams.insert(self.made, Kept::new(name.into(), session));
        self.made
    }

    fn store(&mut self, name: &str, event: &ServerSseMessage) -> String {
        let number = self.number(name);
        let Some(kept) = self.streams.get_mut(&number) else { return String::new() };
        let id = kept.push(number, event);
        let is_answer = matches!(
            event.message.as_deref(),
            Some(ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))
        );
        if is_answer && !kept.is_standing() {
            self.complete(number);
        }
        id
    }

    /// Nothing more comes on a stream; its request has ended.
    fn complete(&mut self, number: u64) {
        let Some(kept) = self.streams.get_mut(&number) else { return };
        kept.is_complete = true;
        kept.changed.notify_waiters();
        let (owner, is_followed, bytes) = (kept.owner.clone(), kept.is_followed, kept.bytes);
        if let Some((session, request)) = owner {
            self.free(&session, &request);
        }
        if !is_followed {
            self.broken.push(number, bytes);
            self.prune();
        }
    }

    fn free(&mut self, session: &SessionId, request: &RequestId) {
        if let Some(running) = self.running.get_mut(session) {
            running.end(request);
            if running.is_empty() {
                self.running.remove(session);
            }
        }
    }

    fn prune(&mut self) {
        let now = Instant::now();
        let mut gone = self.broken.beyond(now);
        gone.append(&mut self.written.beyond(now));
        for number in gone {
            self.remove(number);
        }
    }

    fn remove(&mut self, number: u64) {
        if let Some(kept) = self.streams.remove(&number) {
            self.numbers.remove(&kept.name);
            kept.changed.notify_waiters();
        }
    }
}

/// How the names end that rmcp gives the standing streams.
const STANDING: &str = ":common";

fn standing_name(session: &SessionId) -> String {
    format!("{session}{STANDING}")
}

#[async_trait::async_trait]
impl EventStore for Events {
    async fn store_event(&self, name: &str, event: &ServerSseMessage) -> Result<String, EventStoreError> {
        Ok(self.all().store(name, event))
    }

    async fn replay_events_after(&self, _last: &str) -> Result<EventStream, EventStoreError> {
        Err("a stream is taken up in its session only".into())
    }
}

/// The place of a request that has begun.
#[derive(Debug)]
pub(super) struct Place {
    events: Arc<Events>,
    owner: Option<(SessionId, RequestId)>,
}

impl Place {
    /// Says which stream answers the request, by the id of an event on it; from then on the stream holds the place.
    pub(super) fn answered_by(mut self, event: Option<&str>) -> Option<Follower> {
        let (number, _) = kept::parse(event?)?;
        let mut all = self.events.all();
        let kept = all.streams.get_mut(&number)?;
        let (session, request) = self.owner.take()?;
        kept.session = Some(session.clone());
        kept.owner = Some((session.clone(), request.clone()));
        kept.is_followed = true;
        // It may have been answered meanwhile.
        if kept.is_complete {
            all.free(&session, &request);
        }
        drop(all);
        Some(Follower { events: self.events.clone(), number, had_all: false })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((session, request)) = &self.owner {
            self.events.all().free(session, request);
        }
    }
}

/// A client that reads a stream.
#[derive(Debug)]
pub(super) struct Follower {
    events: Arc<Events>,
    number: u64,
    had_all: bool,
}

impl Follower {
    /// The client has been sent everything.
    pub(super) fn reached_the_end(&mut self) {
        self.had_all = true;
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.events.released(self.number, self.had_all);
    }
}
