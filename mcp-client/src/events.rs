//! Server-sent events: the only file that knows the crate that parses them.

use std::io::Cursor;
use std::pin::Pin;

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use sse_stream::{Error, Sse, SseStream};

use crate::http::Body;

/// The longest time that a server may ask a client to wait before it resumes, in milliseconds.
const LONGEST_RETRY: u64 = 30_000;

/// The way in which a stream came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The server closed it.
    Closed,
    /// The connection broke, or what came is not a stream of events.
    Broken,
}

/// The position in a stream from which it can be resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// The id of the newest event.
    pub(crate) last: Option<String>,
    /// The wait before resuming that the server asked for, in milliseconds.
    pub(crate) retry: Option<u64>,
}

/// The events of one stream.
pub(crate) struct Events {
    events: Pin<Box<dyn Stream<Item = Result<Sse, Error>>>>,
    position: Position,
}

impl Events {
    /// The events of a body.
    pub(crate) fn of(body: Body) -> Events {
        let events = SseStream::from_bytes_stream(body.map_ok(Cursor::new));
        Events { events: Box::pin(events), position: Position::default() }
    }

    /// The same stream, going on from where an earlier one broke.
    pub(crate) fn after(self, position: Position) -> Events {
        Events { position, ..self }
    }

    /// The position after the newest event.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// The text of the next event that has one.
    pub(crate) async fn next(&mut self) -> Result<String, End> {
        loop {
            let event = match self.events.next().await {
                Some(Ok(event)) => event,
                Some(Err(_)) => return Err(End::Broken),
                None => return Err(End::Closed),
            };
            if let Some(id) = event.id {
                // An empty id means: there is no position any more.
                self.position.last = Some(id).filter(|it| !it.is_empty());
            }
            if let Some(retry) = event.retry {
                self.position.retry = Some(retry.min(LONGEST_RETRY));
            }
            if let Some(data) = event.data.filter(|it| !it.trim().is_empty()) {
                return Ok(data);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::BrokenBody;
    use futures_util::stream;

    fn events(chunks: &[&'static [u8]], cut: bool) -> Events {
        let chunks = chunks.iter().map(|chunk| Ok(chunk.to_vec()));
        let cut = cut.then(|| Err(BrokenBody("gone".to_owned())));
        Events::of(stream::iter(chunks.collect::<Vec<_>>().into_iter().chain(cut)).boxed_local())
    }

    /// Events arrive in pieces of any size, even in the middle of a character or of a line's end.
    #[tokio::test]
    async fn events_are_read_however_they_are_cut() {
        let text =
            "\u{feff}: hello\r\nid: 7\r\nretry: 50\r\ndata: {\"a\":\r\ndata: \"笔\"}\r\n\r\ndata:x\n\n"
                .as_bytes();
        for size in 1..text.len() {
            let pieces: Vec<&'static [u8]> = text.chunks(size).map(|it| &*it.to_vec().leak()).collect();
            let mut events = events(&pieces, false);
            assert_eq!(events.next().await.as_deref(), Ok("{\"a\":\n\"笔\"}"), "{size}");
            assert_eq!(events.position(), &Position { last: Some("7".into()), retry: Some(50) });
            assert_eq!(events.next().await.as_deref(), Ok("x"));
            assert_eq!(events.next().await, Err(End::Closed));
        }
    }

    #[tokio::test]
    async fn a_stream_that_broke_is_not_one_that_ended_and_keeps_its_position() {
        let mut first = events(&[b"id: 1\ndata: a\n\n", b"id: 2\ndata: b"], true);
        assert_eq!(first.next().await.as_deref(), Ok("a"));
        assert_eq!(first.next().await, Err(End::Broken));
        let mut second =
            events(&[b"data: b\n\nid:\nretry: 99999999\ndata: c\n\n"], false).after(first.position().clone());
        assert_eq!(second.position().last.as_deref(), Some("1"), "an unfinished event does not count");
        assert_eq!(second.next().await.as_deref(), Ok("b"));
        assert_eq!(second.next().await.as_deref(), Ok("c"));
        assert_eq!(second.position(), &Position { last: None, retry: Some(LONGEST_RETRY) });
    }
}
