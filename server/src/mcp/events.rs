//! Events of the sessions' streams, kept for a while so that a client can resume after a lost connection (B-135).

mod readers;
mod stream_log;
mod tail;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::Stream;
use rmcp::model::{GetExtensions, ProgressToken, RequestId, ServerJsonRpcMessage, ServerNotification};
use rmcp::service::OriginatingRequestId;
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId};

use super::running::{RunningRequests, StartRefusal, short};
pub(super) use readers::Readers;
use stream_log::{EndedStreams, StreamLog};
use tail::RequestStream;

/// The time a client should wait before it resumes a lost stream; sent when a stream opens.
const RETRY: Duration = Duration::from_secs(3);
/// The memory for ended streams whose client left early, in bytes; beyond it the oldest are dropped.
const BROKEN: usize = 16 * 1024 * 1024;
/// The same for streams that were written in full: the client has them, unless the network lost them.
const WRITTEN: usize = 256 * 1024;

/// The streams of all sessions, and the running requests of each.
#[derive(Debug)]
pub(super) struct SessionEvents {
    /// The number of concurrent requests in one session.
    most: usize,
    all: Mutex<AllStreams>,
}

#[derive(Debug)]
struct AllStreams {
    made: u64,
    streams: HashMap<u64, StreamLog>,
    sessions: HashMap<SessionId, SessionStreams>,
    broken: EndedStreams,
    written: EndedStreams,
}

/// The streams and requests of one session.
#[derive(Debug, Default)]
struct SessionStreams {
    running: RunningRequests<RunningRequest>,
    /// The stream for messages that answer no request.
    standing: Option<u64>,
}

/// A request without an answer so far.
#[derive(Debug)]
struct RunningRequest {
    /// The stream for its answer.
    stream: u64,
    token: Option<ProgressToken>,
    /// The questions that the server sent to its client during the request.
    questions: Vec<RequestId>,
}

impl SessionStreams {
    /// The destination of a message; `None` if nobody waits for it any more.
    fn way_of(&mut self, message: &ServerJsonRpcMessage) -> Option<Destination> {
        let cause = match message {
            ServerJsonRpcMessage::Response(answer) => return self.answer(&answer.id),
            ServerJsonRpcMessage::Error(answer) => return self.answer(answer.id.as_ref()?),
            ServerJsonRpcMessage::Request(question) => {
                let cause = question.request.extensions().get::<OriginatingRequestId>();
                cause.and_then(|it| self.running.get_mut(&it.0)).map(|asked| {
                    asked.questions.push(question.id.clone());
                    asked.stream
                })
            }
            ServerJsonRpcMessage::Notification(note) => match &note.notification {
                ServerNotification::ProgressNotification(progress) => {
                    self.asked(|it| it.token.as_ref() == Some(&progress.params.progress_token))
                }
                ServerNotification::CancelledNotification(cancelled) => {
                    let question = cancelled.params.request_id.as_ref()?;
                    self.asked(|it| it.questions.contains(question))
                }
                _ => None,
            },
        };
        Some(cause.map_or(Destination::Standing, Destination::Stream))
    }

    fn answer(&mut self, request: &RequestId) -> Option<Destination> {
        self.running.get_mut(request).map(|it| Destination::Answer(it.stream))
    }

    /// The stream of the request that satisfies a predicate.
    fn asked(&self, is_it: impl Fn(&RunningRequest) -> bool) -> Option<u64> {
        self.running.known().find(|it| is_it(it)).map(|it| it.stream)
    }
}

/// The destination of a message.
#[derive(Debug, Clone, Copy)]
enum Destination {
    /// The stream of a request; this message ends it.
    Answer(u64),
    /// The stream of a request.
    Stream(u64),
    Standing,
}

impl SessionEvents {
    pub(super) fn new(most: usize) -> Arc<SessionEvents> {
        let all = AllStreams {
            made: 0,
            streams: HashMap::new(),
            sessions: HashMap::new(),
            broken: EndedStreams::up_to(BROKEN),
            written: EndedStreams::up_to(WRITTEN),
        };
        Arc::new(SessionEvents { most, all: Mutex::new(all) })
    }

    fn all(&self) -> MutexGuard<'_, AllStreams> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(&self, session: &SessionId) {
        self.all().sessions.insert(session.clone(), SessionStreams::default());
    }

    /// Begins a request and returns its stream. A second request with the same id is refused, because the answers could
    /// not be told apart.
    pub(super) fn begin(
        self: &Arc<Self>,
        session: &SessionId,
        request: &RequestId,
        token: Option<ProgressToken>,
    ) -> Result<RequestStream, StartRefusal> {
        short(request, token.as_ref())?;
        let mut all = self.all();
        let stream = all.made + 1;
        let running = &mut all.sessions.get_mut(session).ok_or(StartRefusal::Gone)?.running;
        running.begin(request, self.most, RunningRequest { stream, token, questions: Vec::new() })?;
        let mut log = StreamLog::new(session.clone(), Some(request.clone()));
        log.push(stream, ServerSseMessage::retry(RETRY));
        let changed = log.changed.clone();
        all.add(log);
        drop(all);
        Ok(RequestStream::new(self.clone(), stream, changed))
    }

    /// Puts a message from the server into its stream.
    pub(super) fn put(&self, session: &SessionId, message: ServerJsonRpcMessage) {
        let mut all = self.all();
        let way = all.sessions.get_mut(session).and_then(|it| it.way_of(&message));
        let number = match way {
            None => return,
            Some(Destination::Answer(number) | Destination::Stream(number)) => number,
            Some(Destination::Standing) => match all.standing(session) {
                None => return,
                Some(number) => number,
            },
        };
        if let Some(log) = all.streams.get_mut(&number) {
            log.push(number, ServerSseMessage::from_message(message));
        }
        if let Some(Destination::Answer(number)) = way {
            all.complete(number);
        }
    }

    /// Ends the stream of a cancelled request, which gets no answer that could end it.
    pub(super) fn cancelled(&self, session: &SessionId, request: &RequestId) {
        let mut all = self.all();
        let asked = all.sessions.get_mut(session).and_then(|it| it.running.cancel(request));
        if let Some(asked) = asked {
            all.complete(asked.stream);
        }
    }

    /// Drops the streams of a session.
    pub(super) fn forget(&self, session: &SessionId) {
        let mut all = self.all();
        all.sessions.remove(session);
        for (_, log) in all.streams.extract_if(|_, log| log.session == *session) {
            log.changed.notify_waiters();
        }
    }

    /// Resumes a stream after an event; `None` if the stream is gone or belongs to another session.
    pub(super) fn resume(
        self: &Arc<Self>,
        session: &SessionId,
        last: &str,
    ) -> Option<impl Stream<Item = ServerSseMessage> + Send + Sync + use<>> {
        let (number, place) = stream_log::parse(last)?;
        let is_theirs =
            self.all().streams.get(&number).is_some_and(|it| it.session == *session && place < it.end());
        is_theirs.then(|| tail::tail(self.clone(), number, Some(place + 1)))
    }

    /// The standing stream of a session, from the first unsent event.
    pub(super) fn standing(
        self: &Arc<Self>,
        session: &SessionId,
    ) -> Option<impl Stream<Item = ServerSseMessage> + Send + Sync + use<>> {
        let number = self.all().standing(session)?;
        Some(tail::tail(self.clone(), number, None))
    }

    /// Records that a client no longer reads the stream of its request, either at its end or before.
    fn released(&self, number: u64, had_all: bool) {
        let mut all = self.all();
        let Some(log) = all.streams.get_mut(&number) else { return };
        log.is_followed = false;
        if log.is_complete {
            let bytes = log.bytes;
            let ended = if had_all { &mut all.written } else { &mut all.broken };
            ended.push(number, bytes);
            all.prune();
        }
    }
}

impl AllStreams {
    fn add(&mut self, log: StreamLog) -> u64 {
        self.made += 1;
        self.streams.insert(self.made, log);
        self.made
    }

    /// The number of the standing stream, which opens on demand.
    fn standing(&mut self, session: &SessionId) -> Option<u64> {
        let known = self.sessions.get(session)?.standing;
        let number = known.unwrap_or_else(|| self.add(StreamLog::new(session.clone(), None)));
        self.sessions.get_mut(session)?.standing = Some(number);
        Some(number)
    }

    /// Marks the stream of a request as complete.
    fn complete(&mut self, number: u64) {
        let Some(log) = self.streams.get_mut(&number) else { return };
        log.is_complete = true;
        log.changed.notify_waiters();
        if let (Some(request), Some(session)) = (&log.request, self.sessions.get_mut(&log.session)) {
            session.running.end(request);
        }
        let (is_followed, bytes) = (log.is_followed, log.bytes);
        if !is_followed {
            self.broken.push(number, bytes);
            self.prune();
        }
    }

    fn prune(&mut self) {
        let now = Instant::now();
        let mut gone = self.broken.beyond(now);
        gone.append(&mut self.written.beyond(now));
        for number in gone {
            if let Some(log) = self.streams.remove(&number) {
                log.changed.notify_waiters();
            }
        }
    }
}
