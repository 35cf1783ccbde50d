//! Sessions of the older era, bounded: of too many the one unused for longest goes, and each runs so many requests.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, StreamExt, future, stream};
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{
    RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
};

use super::changes::older::Readers;
use super::events::{Events, Follower};
use super::running::Refused;
use crate::http::Limits;

type Result<T> = std::result::Result<T, LocalSessionManagerError>;
/// What a client is sent.
type Messages = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

/// Random bytes of a session's id (B-132).
const ID: usize = 24;

/// rmcp's own sessions with a limit on their number, on their requests, and with streams that can be taken up.
#[derive(Debug)]
pub(crate) struct Sessions {
    local: LocalSessionManager,
    events: Arc<Events>,
    readers: Readers,
    most: usize,
    used: Mutex<Used>,
}

/// When each session was used last, by a count that only rises.
#[derive(Debug, Default)]
struct Used {
    uses: u64,
    last: HashMap<SessionId, u64>,
}

impl Used {
    fn touch(&mut self, id: &SessionId) {
        self.uses += 1;
        self.last.insert(id.clone(), self.uses);
    }

    /// Takes out the sessions beyond the limit, the ones unused for longest.
    fn beyond(&mut self, most: usize) -> Vec<SessionId> {
        let mut gone = Vec::new();
        while self.last.len() > most {
            let Some(oldest) = self.last.iter().min_by_key(|(_, use_)| **use_).map(|(id, _)| id.clone())
            else {
                break;
            };
            self.last.remove(&oldest);
            gone.push(oldest);
        }
        gone
    }
}

impl Sessions {
    pub(crate) fn new(limits: &Limits) -> Sessions {
        let events = Events::new(limits.calls);
        let mut local = LocalSessionManager::default().with_event_store(events.clone());
        local.session_config.keep_alive = Some(limits.idle);
        // Ended streams are taken up from `events`; rmcp need not keep them too.
        local.session_config.completed_cache_ttl = Duration::ZERO;
        Sessions { local, events, readers: Readers::default(), most: limits.sessions, used: Mutex::default() }
    }

    /// Whose clients read.
    pub(super) fn readers(&self) -> Readers {
        self.readers.clone()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.used().last.len()
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a use of a session that exists; an invented id must not fill the table.
    async fn touch(&self, id: &SessionId) {
        if self.local.has_session(id).await.unwrap_or_default() {
            self.used().touch(id);
        }
    }

    async fn answer(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<Messages> {
        let ClientJsonRpcMessage::Request(request) = &message else {
            return Ok(Box::pin(self.local.create_stream(id, message).await?));
        };
        let request = request.id.clone();
        let place = match self.events.begin(id, &request) {
            Ok(place) => place,
            Err(why) => return Ok(Box::pin(stream::once(future::ready(refusal(why, request))))),
        };
        let mut messages = Box::pin(self.local.create_stream(id, message).await?);
        // The first event opens the stream and is there already; it tells which stream answers the request.
        let first = messages.next().await;
        let follower = place.answered_by(first.as_ref().and_then(|it| it.event_id.as_deref()));
        Ok(Box::pin(stream::iter(first).chain(Followed { messages, follower })))
    }
}

fn refusal(why: Refused, request: RequestId) -> ServerSseMessage {
    ServerSseMessage::from_message(ServerJsonRpcMessage::error(why.into(), Some(request)))
}

/// The messages of a stream, with a note of whether the client was sent all of them.
struct Followed<S> {
    messages: Pin<Box<S>>,
    follower: Option<Follower>,
}

impl<S: Stream<Item = ServerSseMessage>> Stream for Followed<S> {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let next = self.messages.as_mut().poll_next(cx);
        if let (Poll::Ready(None), Some(follower)) = (&next, &mut self.follower) {
            follower.reached_the_end();
        }
        next
    }
}

/// An id that nobody guesses.
fn new_id() -> Result<SessionId> {
    let mut random = [0; ID];
    getrandom::fill(&mut random).map_err(|error| {
        let error = std::io::Error::other(format!("no random numbers: {error}"));
        LocalSessionManagerError::SessionError(error.into())
    })?;
    Ok(random.map(|byte| format!("{byte:02x}")).concat().into())
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport)> {
        let id = new_id()?;
        let RestoreOutcome::Restored(transport) = self.local.restore_session(id.clone()).await? else {
            return Err(LocalSessionManagerError::SessionNotFound(id));
        };
        let gone = {
            let mut used = self.used();
            used.touch(&id);
            used.beyond(self.most)
        };
        for id in gone {
            // It may have ended by itself; then there is nothing to close.
            let _ = self.close_session(&id).await;
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<()> {
        self.used().last.remove(id);
        let closed = self.local.close_session(id).await;
        self.events.forget(id);
        closed
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.touch(id).await;
        self.answer(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<()> {
        self.touch(id).await;
        if let ClientJsonRpcMessage::Notification(note) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &note.notification
            && let Some(request) = &cancelled.params.request_id
        {
            self.events.cancelled(id, request);
        }
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.touch(id).await;
        Ok(self.readers.reading(id, self.events.standing(id)))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.touch(id).await;
        // rmcp opens streams with the id 0 where it knows no better: then nothing of the stream was seen.
        if last_event_id == "0" {
            return Ok(self.readers.reading(id, self.events.standing(id).left_stream()));
        }
        match self.events.resume(id, &last_event_id) {
            Some(messages) => Ok(self.readers.reading(id, messages.right_stream())),
            None => Err(LocalSessionManagerError::SessionError(
                rmcp::transport::streamable_http_server::session::local::SessionError::InvalidEventId,
            )),
        }
    }
}
