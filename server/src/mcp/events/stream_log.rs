//! The log of one stream, and the order in which ended streams are dropped.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId};
use tokio::sync::Notify;

/// The time during which an ended stream can be resumed; 60 s are promised.
const TIME: Duration = Duration::from_secs(90);
/// The overhead of an event in bytes: its share of the stream, of the collections and of unused capacity.
const SHELL: usize = 512;
/// The number of events that a standing stream keeps.
const STANDING: usize = 64;

/// The log of one stream.
#[derive(Debug)]
pub(super) struct StreamLog {
    pub(super) session: SessionId,
    /// The request that the stream answers; `None` for the standing stream of a session.
    pub(super) request: Option<RequestId>,
    events: VecDeque<ServerSseMessage>,
    /// The position of the first of `events` among all events of the stream.
    first: u64,
    /// The position of the first event of a standing stream that was not sent to a client.
    pub(super) unsent: u64,
    pub(super) bytes: usize,
    /// Whether no more events will come.
    pub(super) is_complete: bool,
    /// Whether the client that sent the request is still connected.
    pub(super) is_followed: bool,
    pub(super) changed: Arc<Notify>,
}

impl StreamLog {
    pub(super) fn new(session: SessionId, request: Option<RequestId>) -> StreamLog {
        StreamLog {
            session,
            is_followed: request.is_some(),
            request,
            events: VecDeque::new(),
            first: 0,
            unsent: 0,
            bytes: 0,
            is_complete: false,
            changed: Arc::default(),
        }
    }

    /// Whether this is the standing stream, for messages that answer no request.
    pub(super) fn is_standing(&self) -> bool {
        self.request.is_none()
    }

    /// Appends an event under a new id and wakes the readers.
    pub(super) fn push(&mut self, number: u64, mut event: ServerSseMessage) {
        event.event_id = Some(format!("{number}-{}", self.end()));
        self.bytes += size(&event);
        self.events.push_back(event);
        if self.is_standing() && self.events.len() > STANDING {
            self.events.pop_front();
            self.first += 1;
        }
        self.changed.notify_waiters();
    }

    /// The position of the next event.
    pub(super) fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// The first event at or after a position, and the position after it.
    pub(super) fn from(&self, place: u64) -> Option<(ServerSseMessage, u64)> {
        let place = place.max(self.first);
        let event = self.events.get(usize::try_from(place - self.first).ok()?)?;
        Some((event.clone(), place + 1))
    }
}

/// Parses an event id into the number of a stream and a position in it.
pub(super) fn parse(id: &str) -> Option<(u64, u64)> {
    let (number, place) = id.split_once('-')?;
    Some((number.parse().ok()?, place.parse().ok()?))
}

/// The approximate memory of an event in bytes: its serialized form, twice that for its values, and the overhead.
fn size(event: &ServerSseMessage) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    if let Some(message) = &event.message {
        let _ = serde_json::to_writer(&mut count, message.as_ref());
    }
    3 * count.0 + size_of::<ServerSseMessage>() + size_of::<ServerJsonRpcMessage>() + SHELL
}

/// The ended streams, oldest first.
#[derive(Debug)]
pub(super) struct EndedStreams {
    most: usize,
    bytes: usize,
    order: VecDeque<(u64, usize, Instant)>,
}

impl EndedStreams {
    pub(super) fn up_to(most: usize) -> EndedStreams {
        EndedStreams { most, bytes: 0, order: VecDeque::new() }
    }

    pub(super) fn push(&mut self, number: u64, bytes: usize) {
        self.bytes += bytes;
        self.order.push_back((number, bytes, Instant::now()));
    }

    /// Removes the streams that are too old or exceed the limit, and returns their numbers.
    pub(super) fn beyond(&mut self, now: Instant) -> Vec<u64> {
        let mut gone = Vec::new();
        while let Some((number, bytes, since)) = self.order.front().copied() {
            if self.bytes <= self.most && now.duration_since(since) < TIME {
                break;
            }
            self.order.pop_front();
            self.bytes -= bytes;
            gone.push(number);
        }
        gone
    }
}
