//! The older era over the relay: one hidden session, made again when the server has forgotten it.

use std::sync::{Arc, PoisonError};

use puppy_core::channel::Backoff;
use tokio::sync::Mutex;

use super::message::{self, Message};
use super::outbox::Outbox;
use super::remote::{PostResponse, Remote, Session, Trouble};

/// The client's greeting in the older era, and the current session.
#[derive(Debug, Clone)]
pub(super) struct RelaySession {
    remote: Remote,
    out: Outbox,
    greeting: Arc<std::sync::Mutex<Option<Arc<Message>>>>,
    /// Locked while a session is made, so that concurrent calls make only one.
    now: Arc<Mutex<Option<Session>>>,
}

/// The message that completes a greeting in the older era.
const GREETED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// The notification for a client that may have missed a change.
const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

impl RelaySession {
    pub(super) fn new(remote: Remote, out: Outbox) -> RelaySession {
        RelaySession { remote, out, greeting: Arc::default(), now: Arc::default() }
    }

    /// Greets the server on behalf of the client and returns its answer.
    pub(super) async fn greet(&self, greeting: Message) -> Result<String, Trouble> {
        let greeting = Arc::new(greeting);
        *self.greeting.lock().unwrap_or_else(PoisonError::into_inner) = Some(greeting.clone());
        let mut now = self.now.lock().await;
        *now = None;
        let (said, session) = self.make(&greeting).await?;
        *now = session;
        Ok(said)
    }

    /// The current session; makes one if there is none.
    pub(super) async fn current(&self) -> Result<Session, Trouble> {
        let greeting = self.greeting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let greeting = greeting.ok_or_else(|| Trouble::Refused("Send `initialize` first.".to_owned()))?;
        let mut now = self.now.lock().await;
        if let Some(session) = now.as_ref() {
            return Ok(session.clone());
        }
        let (_, session) = self.make(&greeting).await?;
        let session =
            session.ok_or_else(|| Trouble::Refused("The server did not answer `initialize`.".to_owned()))?;
        if let Some(greeted) = Message::read(GREETED) {
            self.remote.post(&greeted, Some(&session)).await?;
        }
        *now = Some(session.clone());
        // The new server may offer other tools than the ones that the client knows.
        self.out.send(CHANGED).await;
        Ok(session)
    }

    /// Forgets a session that the server no longer knows.
    pub(super) async fn lost(&self, session: &Session) {
        let mut now = self.now.lock().await;
        if now.as_ref() == Some(session) {
            *now = None;
        }
    }

    /// Ends the session, if there is one.
    pub(super) async fn end(&self) {
        if let Some(session) = self.now.lock().await.take() {
            self.remote.end(&session).await;
        }
    }

    /// Sends the greeting; the session is absent if the answer was an error.
    async fn make(&self, greeting: &Message) -> Result<(String, Option<Session>), Trouble> {
        let (answer, id) = self.remote.post(greeting, None).await?;
        let said = match (answer, greeting.id()) {
            (PostResponse::One(said), _) => said,
            (PostResponse::Many(mut messages), Some(asked)) => loop {
                let said = messages.next().await.ok_or(Trouble::Broken)?;
                if message::answers(&said, asked) {
                    break said;
                }
                self.out.send(&said).await;
            },
            _ => return Err(Trouble::Refused("The server did not answer `initialize`.".to_owned())),
        };
        let version = message::greeted_version(&said);
        Ok((said, version.map(|version| Session { id, version })))
    }

    /// Passes on unsolicited messages from the server for as long as the client lives.
    pub(super) async fn listen(&self) {
        let mut backoff = Backoff::default();
        let mut last: Option<(Session, String)> = None;
        loop {
            if let Ok(session) = self.current().await {
                // A broken stream is resumed only within the same session.
                let from = last.as_ref().filter(|(of, _)| *of == session).map(|(_, id)| id.clone());
                match self.remote.listen(&session, from.as_deref()).await {
                    Ok(mut messages) => {
                        backoff.reset();
                        while let Some(said) = messages.next().await {
                            self.out.send(&said).await;
                        }
                        last = messages.last.map(|id| (session, id)).or(last);
                    }
                    Err(Trouble::NoSession) => self.lost(&session).await,
                    Err(_) => {}
                }
            }
            tokio::time::sleep(backoff.next_wait(fastrand::f64())).await;
        }
    }
}
