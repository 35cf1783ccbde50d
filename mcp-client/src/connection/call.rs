//! Calls of tools: they can be stopped, have a limit, and their answer is returned byte for byte.

use std::cell::Cell;
use std::fmt;

use futures_util::future::{AbortHandle, AbortRegistration, Abortable};
use serde_json::{Map, Value};

use super::{COURTESY_MS, Connection, Inner};
use crate::content::{Piece, pieces};
use crate::failure::Failure;
use crate::greeting::object;
use crate::limits::Limit;
use crate::revision::Era;
use crate::wire::{Ask, OnProgress, Session};

/// The handle that stops a call.
#[derive(Debug, Clone)]
pub struct Stop(AbortHandle);

/// The call's end of a [`Stop`].
#[derive(Debug)]
pub struct StopRegistration(AbortRegistration);

impl Stop {
    /// Both ends.
    #[must_use]
    pub fn new() -> (Stop, StopRegistration) {
        let (handle, registration) = AbortHandle::new_pair();
        (Stop(handle), StopRegistration(registration))
    }

    /// Stops the call; does nothing once it has ended.
    pub fn stop(&self) {
        self.0.abort();
    }
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The tool answered, be it with an error of its own.
    Done(ToolAnswer),
    /// A person stopped it, or the connection was closed.
    Stopped,
    /// There is no answer.
    Failed(CallFailure),
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// The content, in order.
    pub pieces: Vec<Piece>,
    /// The structured content.
    pub structured: Option<Value>,
    /// The message as it came.
    pub raw: String,
    /// The time that it took, in milliseconds.
    pub took_ms: u64,
}

/// A call without an answer: the tool, the server, and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// The server's name.
    pub server: String,
    /// The tool's name.
    pub tool: String,
    /// The reason.
    pub why: Failure,
}

impl fmt::Display for CallFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} failed ({}). {}", self.tool, self.server, self.why.kind(), self.why)
    }
}

impl Connection {
    /// Calls a tool.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        stopping: StopRegistration,
        on_progress: OnProgress,
    ) -> Outcome {
        let inner = &self.0;
        let _running = inner.running.read().await;
        if inner.is_closing.get() {
            return Outcome::Stopped;
        }
        let known = inner.now.borrow().offer.tools.iter().find(|it| it.name == tool).cloned();
        let headers = known.map(|it| it.headers(&arguments)).unwrap_or_default();
        let params = object([("name", tool.into()), ("arguments", arguments.into())]);
        let ask = Ask { headers, on_progress: Some(on_progress), ..Ask::new("tools/call", params) };
        let registered = RegisteredCall::new(inner, stopping.0.handle());
        let began = inner.world.now_ms();
        let sent: Cell<Option<(Session, u64)>> = Cell::new(None);
        let asking = inner.ask_heard(&ask, |session, id| sent.set(Some((session.clone(), id))));
        let limit = inner.limit(Limit::Call);
        let ended = inner.world.within(limit, Abortable::new(asking, stopping.0)).await;
        drop(registered);
        let why = match ended {
            Some(Ok(Ok(answer))) => {
                return Outcome::Done(ToolAnswer {
                    is_error: answer.result.get("isError") == Some(&Value::Bool(true)),
                    pieces: pieces(answer.result.get("content").unwrap_or(&Value::Null)),
                    structured: answer.result.get("structuredContent").cloned(),
                    raw: answer.raw,
                    took_ms: inner.world.now_ms().saturating_sub(began),
                });
            }
            Some(Ok(Err(Failure::Stopped))) => return Outcome::Stopped,
            Some(Ok(Err(why))) => why,
            Some(Err(_)) => {
                inner.cancel(sent.take(), "stopped by the person").await;
                return Outcome::Stopped;
            }
            None => {
                inner.cancel(sent.take(), "no answer in time").await;
                Failure::TimedOut(limit)
            }
        };
        Outcome::Failed(CallFailure { server: self.name().to_owned(), tool: tool.to_owned(), why })
    }
}

impl Inner {
    /// Tells the server that nobody waits for an answer. In the newer era the closed stream has said so.
    async fn cancel(&self, sent: Option<(Session, u64)>, reason: &str) {
        if let Some((session, id)) = sent
            && session.revision.era() == Era::Older
        {
            let params = object([("requestId", id.into()), ("reason", reason.into())]);
            let notified = self.wire.notify(&session, "notifications/cancelled", params);
            self.world.within(COURTESY_MS, notified).await;
        }
    }
}

/// A call in the list of those that closing stops; it leaves the list when this is dropped.
struct RegisteredCall<'a> {
    inner: &'a Inner,
    key: u64,
}

impl<'a> RegisteredCall<'a> {
    fn new(inner: &'a Inner, handle: AbortHandle) -> RegisteredCall<'a> {
        let mut calls = inner.calls.borrow_mut();
        let key = calls.last_key_value().map_or(0, |(last, _)| last + 1);
        calls.insert(key, handle);
        RegisteredCall { inner, key }
    }
}

impl Drop for RegisteredCall<'_> {
    fn drop(&mut self) {
        self.inner.calls.borrow_mut().remove(&self.key);
    }
}
