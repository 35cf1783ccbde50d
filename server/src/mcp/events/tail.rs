//! A client's view of a logged stream: the existing events from a position on, then new ones.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::{Stream, stream};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use tokio::sync::Notify;

use super::SessionEvents;

/// The result of one look at a stream.
enum PollResult {
    Event(ServerSseMessage, Option<u64>),
    Later,
    End,
}

/// Reads a stream from a position on, or from the first unsent event, so that no event is sent twice.
pub(super) fn tail(
    events: Arc<SessionEvents>,
    number: u64,
    place: Option<u64>,
) -> impl Stream<Item = ServerSseMessage> + Send + Sync + use<> {
    let changed = events.all().streams.get(&number).map(|log| log.changed.clone());
    stream::unfold((events, changed, place), move |(events, changed, place)| async move {
        let signal: Arc<Notify> = changed?;
        loop {
            let mut coming = std::pin::pin!(signal.notified());
            // From this point on no event is missed.
            coming.as_mut().enable();
            match events.look(number, place) {
                PollResult::Event(event, place) => {
                    return Some((event, (events, Some(signal.clone()), place)));
                }
                PollResult::End => return None,
                PollResult::Later => coming.await,
            }
        }
    })
}

impl SessionEvents {
    fn look(&self, number: u64, place: Option<u64>) -> PollResult {
        let mut all = self.all();
        let Some(log) = all.streams.get_mut(&number) else { return PollResult::End };
        if log.is_standing() {
            return match place.filter(|place| *place < log.unsent).and_then(|place| log.from(place)) {
                Some((event, next)) => PollResult::Event(event, Some(next)),
                None => match log.from(log.unsent) {
                    Some((event, next)) => {
                        log.unsent = next;
                        PollResult::Event(event, None)
                    }
                    None => PollResult::Later,
                },
            };
        }
        match log.from(place.unwrap_or_default()) {
            Some((event, next)) => PollResult::Event(event, Some(next)),
            None if log.is_complete => PollResult::End,
            None => PollResult::Later,
        }
    }
}

/// The stream of a request for the client that sent it; records whether the client received all of it.
pub(in crate::mcp) struct RequestStream {
    messages: Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>,
    changed: Arc<Notify>,
    events: Arc<SessionEvents>,
    number: u64,
    had_all: bool,
}

impl RequestStream {
    pub(super) fn new(events: Arc<SessionEvents>, number: u64, changed: Arc<Notify>) -> RequestStream {
        let messages = Box::pin(tail(events.clone(), number, Some(0)));
        RequestStream { messages, changed, events, number, had_all: false }
    }

    /// Signals every new event and the end.
    pub(in crate::mcp) fn changed(&self) -> Arc<Notify> {
        self.changed.clone()
    }
}

impl Stream for RequestStream {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let next = self.messages.as_mut().poll_next(cx);
        self.had_all |= matches!(next, Poll::Ready(None));
        next
    }
}

impl Drop for RequestStream {
    fn drop(&mut self) {
        self.events.released(self.number, self.had_all);
    }
}
