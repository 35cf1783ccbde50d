//! Sessions of the older era, bounded in number and in concurrent requests; the least recently used one goes first.

mod transport;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{Stream, StreamExt, future, stream};
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, GetMeta, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManagerError, SessionError};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use tokio::sync::oneshot;

use super::events::{Readers, SessionEvents};
use super::running::StartRefusal;
use crate::agent_tokens::AgentProof;
use crate::limits::Limits;
use transport::{SessionTransport, ToService, transport};

type Result<T> = std::result::Result<T, LocalSessionManagerError>;

/// The time within which an answer is sent in one piece. After it the stream is opened first, so that a client that
/// loses it knows where to resume.
const SOON: Duration = Duration::from_millis(100);
/// The number of random bytes in a session id (B-132).
const ID: usize = 24;

/// The sessions, bounded in number and in requests, with resumable streams.
///
/// rmcp's own manager gives each session a task and five queues, and each request another queue: 75 kB per session, and
/// a call passes through eight tasks. Here a call goes straight to the session's service, and its answer straight to
/// the stream that is kept anyway.
#[derive(Debug)]
pub(crate) struct Sessions {
    events: Arc<SessionEvents>,
    readers: Readers,
    most: usize,
    idle: Duration,
    all: Mutex<AllSessions>,
}

#[derive(Debug, Default)]
struct AllSessions {
    /// A counter that rises with every use of a session.
    uses: u64,
    sessions: HashMap<SessionId, LiveSession>,
}

#[derive(Debug)]
struct LiveSession {
    last_use: u64,
    service: ToService,
    /// The token of the agent that began it.
    owner: Option<AgentProof>,
    /// The answer to the greeting, until it is taken.
    greeting: Option<oneshot::Receiver<ServerJsonRpcMessage>>,
}

impl AllSessions {
    /// Records a use of a session.
    fn touch(&mut self, id: &SessionId) -> Option<&mut LiveSession> {
        self.uses += 1;
        let session = self.sessions.get_mut(id)?;
        session.last_use = self.uses;
        Some(session)
    }

    /// The least recently used session, if there are more than `most`.
    fn beyond(&self, most: usize) -> Option<SessionId> {
        if self.sessions.len() <= most {
            return None;
        }
        self.sessions.iter().min_by_key(|(_, it)| it.last_use).map(|(id, _)| id.clone())
    }
}

impl Sessions {
    pub(crate) fn new(limits: &Limits) -> Sessions {
        let events = SessionEvents::new(limits.calls);
        Sessions {
            events,
            readers: Readers::default(),
            most: limits.sessions,
            idle: limits.idle,
            all: Mutex::default(),
        }
    }

    /// The sessions whose clients read.
    pub(super) fn readers(&self) -> Readers {
        self.readers.clone()
    }

    /// The number of sessions.
    pub(crate) fn count(&self) -> usize {
        self.all().sessions.len()
    }

    fn all(&self) -> MutexGuard<'_, AllSessions> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sender to a session's service; fetching it counts as a use.
    fn service(&self, id: &SessionId) -> Result<ToService> {
        self.all().touch(id).map(|it| it.service.clone()).ok_or_else(|| gone(id))
    }

    /// Whether a session with this id exists.
    pub(crate) fn knows(&self, id: &[u8]) -> bool {
        std::str::from_utf8(id).is_ok_and(|id| self.all().sessions.contains_key(id))
    }

    /// The token of the agent that began a session, `Some(None)` if it was begun without; `None` for no session.
    pub(crate) fn owner(&self, id: &[u8]) -> Option<Option<AgentProof>> {
        let id = std::str::from_utf8(id).ok()?;
        self.all().sessions.get(id).map(|it| it.owner.clone())
    }

    /// Notes that a session was begun with the token of an agent.
    pub(crate) fn own(&self, id: &[u8], proof: AgentProof) {
        if let Ok(id) = std::str::from_utf8(id)
            && let Some(session) = self.all().sessions.get_mut(id)
        {
            session.owner = Some(proof);
        }
    }

    /// The tokens of agents that began the sessions.
    pub(crate) fn owners(&self) -> Vec<AgentProof> {
        self.all().sessions.values().filter_map(|it| it.owner.clone()).collect()
    }

    /// Closes the sessions that were begun with a token.
    pub(crate) fn close_those_of(&self, proof: &AgentProof) {
        let is_its = |it: &LiveSession| it.owner.as_ref() == Some(proof);
        let all: Vec<SessionId> =
            self.all().sessions.iter().filter(|(_, it)| is_its(it)).map(|(id, _)| id.clone()).collect();
        all.iter().for_each(|id| self.close(id));
    }

    pub(crate) fn close_all(&self) {
        let all: Vec<SessionId> = self.all().sessions.keys().cloned().collect();
        for id in all {
            self.close(&id);
        }
    }

    fn close(&self, id: &SessionId) {
        // The service ends when its sender is dropped.
        self.all().sessions.remove(id);
        self.events.forget(id);
    }
}

fn gone(id: &SessionId) -> LocalSessionManagerError {
    LocalSessionManagerError::SessionNotFound(id.clone())
}

fn refusal(why: StartRefusal, request: RequestId) -> ServerSseMessage {
    ServerSseMessage::from_message(ServerJsonRpcMessage::error(why.into(), Some(request)))
}

/// A session id that cannot be guessed.
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
    type Transport = SessionTransport;

    async fn create_session(&self) -> Result<(SessionId, SessionTransport)> {
        let id = new_id()?;
        self.events.open(&id);
        let (service, greeting, transport) = transport(id.clone(), self.events.clone(), self.idle);
        let beyond = {
            let mut all = self.all();
            all.sessions.insert(
                id.clone(),
                LiveSession { last_use: 0, service, owner: None, greeting: Some(greeting) },
            );
            all.touch(&id);
            all.beyond(self.most)
        };
        if let Some(oldest) = beyond {
            self.close(&oldest);
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage> {
        let greeting = self.all().touch(id).and_then(|it| it.greeting.take()).ok_or_else(|| gone(id))?;
        self.accept_message(id, message).await?;
        greeting.await.map_err(|_| SessionError::SessionServiceTerminated.into())
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool> {
        Ok(self.all().sessions.contains_key(id))
    }

    async fn close_session(&self, id: &SessionId) -> Result<()> {
        self.close(id);
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        let service = self.service(id)?;
        // Nothing awaits after the reservation: a client that disconnects now leaves no request that never ends.
        let place = service.reserve().await.map_err(|_| gone(id))?;
        let ClientJsonRpcMessage::Request(request) = &message else {
            place.send(Box::new(message));
            return Ok(stream::empty().left_stream().left_stream());
        };
        let token = request.request.get_meta().get_progress_token();
        match self.events.begin(id, &request.id, token) {
            Ok(answer) => {
                let changed = answer.changed();
                let mut news = std::pin::pin!(changed.notified());
                // From this point on nothing is missed.
                news.as_mut().enable();
                place.send(Box::new(message));
                let _ = tokio::time::timeout(SOON, news).await;
                Ok(answer.right_stream())
            }
            Err(why) => {
                let refusal = refusal(why, request.id.clone());
                Ok(stream::once(future::ready(refusal)).right_stream().left_stream())
            }
        }
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<()> {
        let service = self.service(id)?;
        if let ClientJsonRpcMessage::Notification(note) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &note.notification
            && let Some(request) = &cancelled.params.request_id
        {
            self.events.cancelled(id, request);
        }
        service.send(Box::new(message)).await.map_err(|_| gone(id))
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.service(id)?;
        let standing = self.events.standing(id).ok_or_else(|| gone(id))?;
        Ok(self.readers.reading(id, standing))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.service(id)?;
        // rmcp opens streams with the id 0 by default: the client has seen nothing of the stream.
        if last_event_id == "0" {
            let standing = self.events.standing(id).ok_or_else(|| gone(id))?;
            return Ok(self.readers.reading(id, standing.left_stream()));
        }
        let taken_up = self.events.resume(id, &last_event_id).ok_or(SessionError::InvalidEventId)?;
        Ok(self.readers.reading(id, taken_up.right_stream()))
    }
}
