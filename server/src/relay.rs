//! `siyuan-puppy stdio --connect URL`: relays one agent on stdio to a running HTTP server (B-189).
//!
//! Messages pass unchanged, in both eras. While the server is down the relay answers the greeting and lists the tools
//! itself; when the server restarts the relay sends `initialize` again, and the client notices nothing.

mod message;
mod outbox;
mod remote;
mod session;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use puppy_core::channel::Backoff;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::input::{Input, InputRead};
use crate::mcp::{Surface, offline};
use crate::stop::Stop;
use message::{Message, answers};
use outbox::Outbox;
pub use remote::Remote;
use remote::{Messages, PostResponse, Session, Trouble};
use session::RelaySession;

/// The maximum length of a line, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;
/// The longest time a cancellation waits until its request has been sent.
const SENDING: Duration = Duration::from_secs(2);
/// The number of attempts to resume a broken answer stream.
const RESUMES: u32 = 3;

/// A line from the client.
enum ClientLine {
    Nothing,
    Message(Message),
    Unreadable,
}

impl ClientLine {
    fn of(bytes: &[u8]) -> ClientLine {
        if bytes.is_empty() {
            return ClientLine::Nothing;
        }
        std::str::from_utf8(bytes)
            .ok()
            .and_then(Message::read)
            .map_or(ClientLine::Unreadable, ClientLine::Message)
    }
}

/// A request without an answer so far.
#[derive(Debug, Clone, Default)]
struct PendingRequest {
    /// Whether the request belongs to the newer era.
    newer: bool,
    /// Cancelled once the request has been sent to the server.
    sent: CancellationToken,
    /// Cancelled when the client no longer wants the answer.
    dropped: CancellationToken,
}

#[derive(Debug, Clone)]
struct Relay {
    remote: Remote,
    out: Outbox,
    sessions: RelaySession,
    running: Arc<Mutex<HashMap<String, PendingRequest>>>,
    /// The listing of the tools while the server is down.
    surface: Arc<Surface>,
}

/// Serves one client until it closes stdin or the process stops.
///
/// # Errors
/// Returns a sentence for the log if stdin cannot be read.
pub async fn serve(remote: Remote, surface: Surface, stop: Stop) -> Result<(), String> {
    let over = CancellationToken::new();
    let (out, writing) = Outbox::to(tokio::io::stdout(), over.clone());
    let writer = tokio::spawn(writing);
    let sessions = RelaySession::new(remote.clone(), out.clone());
    let relay = Relay { remote, out, sessions, running: Arc::default(), surface: Arc::new(surface) };
    let mut lines = Input::new(tokio::io::stdin(), LONGEST);
    let read = loop {
        let line = tokio::select! {
            line = lines.read() => line,
            () = stop.asked() => break Ok(()),
        };
        let took = async {
            match line {
                Ok(InputRead::Line) => match lines.take(ClientLine::of) {
                    ClientLine::Nothing => {}
                    ClientLine::Message(message) => relay.take(message).await,
                    ClientLine::Unreadable => relay.out.send(&message::unreadable()).await,
                },
                Ok(InputRead::TooLong(id)) => relay.out.send(&message::too_long(id.as_ref(), LONGEST)).await,
                Ok(InputRead::End) => return Some(Ok(())),
                Err(error) => return Some(Err(format!("stdin cannot be read: {error}"))),
            }
            None
        };
        // A client that never reads may block everything else, but not shutdown.
        let ended = tokio::select! {
            ended = took => ended,
            () = stop.asked() => Some(Ok(())),
        };
        if let Some(ended) = ended {
            break ended;
        }
    };
    let _ = tokio::time::timeout(SENDING, relay.sessions.end()).await;
    over.cancel();
    let _ = tokio::time::timeout(SENDING, writer).await;
    read
}

impl Relay {
    /// Passes on one message. Messages whose order matters are awaited; requests run concurrently.
    async fn take(&self, message: Message) {
        match (message.method(), message.id().cloned()) {
            (Some("initialize"), Some(id)) => self.greet(message, &id).await,
            (Some("notifications/initialized"), None) => {
                self.notify(&message).await;
                let sessions = self.sessions.clone();
                tokio::spawn(async move { sessions.listen().await });
            }
            (Some(_), Some(id)) => {
                let running =
                    PendingRequest { newer: message.version().is_some(), ..PendingRequest::default() };
                self.running().insert(id.to_string(), running.clone());
                let relay = self.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        () = relay.carry(&message, &id, &running.sent) => {}
                        () = running.dropped.cancelled() => {}
                    }
                    relay.running().remove(&id.to_string());
                });
            }
            (Some(_), None) => self.cancel_or_notify(&message).await,
            // The client's answer to a question from the server.
            (None, _) => self.notify(&message).await,
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<String, PendingRequest>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn greet(&self, message: Message, id: &Value) {
        let version = message.asked_version().map(str::to_owned);
        match self.sessions.greet(message).await {
            Ok(said) => self.out.send(&said).await,
            Err(Trouble::Away) => self.answer_alone("initialize", version.as_deref(), id).await,
            Err(trouble) => self.fail(id, &trouble).await,
        }
    }

    /// Sends a message that has no answer; if that fails, the client finds out with its next request.
    async fn notify(&self, message: &Message) {
        let sent = match message.version() {
            Some(_) => self.remote.post(message, None).await.map(drop),
            None => match self.sessions.current().await {
                Ok(session) => self.remote.post(message, Some(&session)).await.map(drop),
                Err(trouble) => Err(trouble),
            },
        };
        if let Err(trouble) = sent {
            tracing::debug!("a notification was not passed on: {trouble:?}");
        }
    }

    async fn cancel_or_notify(&self, message: &Message) {
        let cancelled = message.cancels().and_then(|id| self.running().get(&id).cloned());
        match cancelled {
            // In the newer era, closing the answer stream is the cancellation.
            Some(running) if running.newer => running.dropped.cancel(),
            Some(running) => {
                // A cancellation that arrived before its request would mean nothing to the server.
                let _ = tokio::time::timeout(SENDING, running.sent.cancelled()).await;
                self.notify(message).await;
                running.dropped.cancel();
            }
            None => self.notify(message).await,
        }
    }

    /// Sends one request and delivers its answer.
    async fn carry(&self, message: &Message, id: &Value, sent: &CancellationToken) {
        let carried = match message.version() {
            Some(_) => self.carry_newer(message, id, sent).await,
            None => self.carry_older(message, id, sent).await,
        };
        match (carried, message.method()) {
            (Ok(()), _) => {}
            (Err(Trouble::Away), Some(method)) => self.answer_alone(method, None, id).await,
            (Err(trouble), _) => self.fail(id, &trouble).await,
        }
    }

    async fn carry_newer(
        &self,
        message: &Message,
        id: &Value,
        sent: &CancellationToken,
    ) -> Result<(), Trouble> {
        let mut backoff = Backoff::default();
        loop {
            let posted = self.remote.post(message, None).await;
            sent.cancel();
            let listens = message.method() == Some("subscriptions/listen");
            match posted {
                Ok((PostResponse::One(said), _)) => {
                    self.out.send(&said).await;
                    return Ok(());
                }
                Ok((PostResponse::Taken, _)) => {
                    return Err(Trouble::Refused("The server did not answer.".to_owned()));
                }
                Ok((PostResponse::Many(mut messages), _)) => {
                    backoff.reset();
                    if self.drain(&mut messages, id).await {
                        return Ok(());
                    }
                    if !listens {
                        return Err(Trouble::Broken);
                    }
                }
                Err(Trouble::Away | Trouble::Broken) if listens => {}
                Err(trouble) => return Err(trouble),
            }
            // A subscription lasts: it is opened again once the server is back.
            tokio::time::sleep(backoff.next_wait(fastrand::f64())).await;
        }
    }

    async fn carry_older(
        &self,
        message: &Message,
        id: &Value,
        sent: &CancellationToken,
    ) -> Result<(), Trouble> {
        let mut session = self.sessions.current().await?;
        let mut posted = self.remote.post(message, Some(&session)).await;
        if matches!(posted, Err(Trouble::NoSession)) {
            // The server did not know the session, so it did nothing: retry once in a new session.
            self.sessions.lost(&session).await;
            session = self.sessions.current().await?;
            posted = self.remote.post(message, Some(&session)).await;
        }
        sent.cancel();
        match posted?.0 {
            PostResponse::One(said) => {
                self.out.send(&said).await;
                Ok(())
            }
            PostResponse::Taken => Err(Trouble::Refused("The server did not answer.".to_owned())),
            PostResponse::Many(messages) => self.follow(messages, &session, id).await,
        }
    }

    /// Passes on a stream up to the answer, and resumes it where it broke.
    async fn follow(&self, mut messages: Messages, session: &Session, id: &Value) -> Result<(), Trouble> {
        let mut backoff = Backoff::default();
        for _ in 0..RESUMES {
            if self.drain(&mut messages, id).await {
                return Ok(());
            }
            let last = messages.last.take().ok_or(Trouble::Broken)?;
            tokio::time::sleep(backoff.next_wait(fastrand::f64())).await;
            messages = self.remote.listen(session, Some(&last)).await.map_err(|_| Trouble::Broken)?;
            messages.last = Some(last);
        }
        Err(Trouble::Broken)
    }

    /// Passes on messages and returns whether the answer was among them.
    async fn drain(&self, messages: &mut Messages, id: &Value) -> bool {
        while let Some(said) = messages.next().await {
            self.out.send(&said).await;
            if answers(&said, id) {
                return true;
            }
        }
        false
    }

    /// Answers without the server: only requests that need no notes.
    async fn answer_alone(&self, method: &str, version: Option<&str>, id: &Value) {
        match offline(method, version, &self.surface) {
            Some(result) => self.out.send(&message::result(id, &result)).await,
            None => self.fail(id, &Trouble::Away).await,
        }
    }

    async fn fail(&self, id: &Value, trouble: &Trouble) {
        let url = self.remote.url();
        let message_text = match trouble {
            Trouble::Away => format!(
                "Nothing listens at {url}, so nothing was done. Start `siyuan-puppy http` there, then try again."
            ),
            Trouble::Broken => format!(
                "The connection to {url} broke during this request, so it is unknown whether it was done. Read before you try again."
            ),
            Trouble::NoSession => {
                format!("The siyuan-puppy at {url} keeps no session for this client. Try again.")
            }
            Trouble::Refused(said) => said.clone(),
        };
        self.out.send(&message::error(id, &message_text)).await;
    }
}
