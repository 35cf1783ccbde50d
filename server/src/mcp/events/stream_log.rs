//! One stream that is kept, and the order in which ended ones are forgotten.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId};
use tokio::sync::Notify;

/// How long a stream that has ended can be taken up again; 60 s are promised.
const TIME: Duration = Duration::from_secs(90);
/// Bytes around an event: its share of the stream, of the lists and of the memory that is asked for in steps.
const SHELL: usize = 512;
/// Events that a standing stream keeps.
const STANDING: usize = 64;

/// One stream.
#[derive(Debug)]
pub(super) struct StreamLog {
    pub(super) session: SessionId,
    /// The request that it answers; the standing stream of a session answers none.
    pub(super) request: Option<RequestId>,
    events: VecDeque<ServerSseMessage>,
    /// The place of the first of `events` among all that the stream carried.
    first: u64,
    /// The first event of a standing stream that nobody was sent.
    pub(super) unsent: u64,
    pub(super) bytes: usize,
    /// Nothing more comes.
    pub(super) is_complete: bool,
    /// The client that asked is still there.
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

    /// Whether it carries what answers no request.
    pub(super) fn is_standing(&self) -> bool {
        self.request.is_none()
    }

    /// Keeps an event under an id of its own, and wakes who waits for it.
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

    /// The place of the next event.
    pub(super) fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// The first event from a place on, with the place behind it.
    pub(super) fn from(&self, place: u64) -> Option<(ServerSseMessage, u64)> {
        let place = place.max(self.first);
        let event = self.events.get(usize::try_from(place - self.first).ok()?)?;
        Some((event.clone(), place + 1))
    }
}

/// The number of a stream and a place in it.
pub(super) fn parse(id: &str) -> Option<(u64, u64)> {
    let (number, place) = id.split_once('-')?;
    Some((number.parse().ok()?, place.parse().ok()?))
}

/// Bytes that an event takes here, about: what is sent, its values twice as large, and the shell around them.
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

/// Streams that have ended, the oldest first.
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

    /// Takes out what is too much or too old.
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
