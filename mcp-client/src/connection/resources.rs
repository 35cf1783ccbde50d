//! Resources: read through a cache, and subscribed to.

use std::rc::Rc;

use serde_json::Value;

use super::{Connection, Inner};
use crate::content::{Piece, resource};
use crate::failure::Failure;
use crate::greeting::{Greeting, object};
use crate::revision::Era;
use crate::wire::{Ask, Session};

/// The time for which a resource is kept whose changes nobody tells of, in milliseconds.
const MOMENT_MS: u64 = 10_000;

/// The contents of a resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// The parts, in order.
    pub pieces: Vec<Piece>,
    /// The message of the protocol as it came.
    pub raw: String,
}

impl Connection {
    /// Reads a resource, or takes it from the cache.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub async fn read(&self, uri: &str) -> Result<Rc<Contents>, Failure> {
        let inner = &self.0;
        let _running = inner.running.read().await;
        let known = inner.cache.borrow_mut().get(uri, inner.world.now_ms());
        if let Some(known) = known {
            return Ok(known);
        }
        let began = inner.cache.borrow().age();
        let answer = inner.ask(&Ask::new("resources/read", object([("uri", uri.into())]))).await?;
        let parts = answer.result.get("contents").and_then(Value::as_array);
        let parts =
            parts.ok_or_else(|| Failure::Unreadable("resources/read without `contents`.".to_owned()))?;
        let contents = Rc::new(Contents { pieces: parts.iter().map(resource).collect(), raw: answer.raw });
        let ttl = answer.result.get("ttlMs").and_then(Value::as_u64);
        // Without a term a resource is kept as long as the server tells of its changes, and a moment otherwise.
        let is_subscribed = inner.subscribed.borrow().contains(uri);
        let ttl = ttl.or_else(|| (!is_subscribed).then_some(MOMENT_MS));
        let until = ttl.map(|ttl| inner.world.now_ms().saturating_add(ttl));
        inner.cache.borrow_mut().put(uri, contents.clone(), until, began);
        Ok(contents)
    }

    /// Wants to hear of a resource's changes.
    ///
    /// # Errors
    /// The reason why the server will not tell.
    pub async fn subscribe(&self, uri: &str) -> Result<(), Failure> {
        let inner = &self.0;
        let _running = inner.running.read().await;
        if !inner.now.borrow().greeting.as_ref().is_some_and(Greeting::subscribes) {
            return Err(Failure::Unreadable("The server does not tell of changed resources.".to_owned()));
        }
        if inner.session()?.revision.era() == Era::Older {
            inner.ask(&Ask::new("resources/subscribe", object([("uri", uri.into())]))).await?;
        }
        if inner.subscribed.borrow_mut().insert(uri.to_owned()) {
            inner.listen_anew();
        }
        Ok(())
    }

    /// Does not want to hear of a resource's changes any more.
    ///
    /// # Errors
    /// The reason why the server goes on telling.
    pub async fn unsubscribe(&self, uri: &str) -> Result<(), Failure> {
        let inner = &self.0;
        let _running = inner.running.read().await;
        if !inner.subscribed.borrow_mut().remove(uri) {
            return Ok(());
        }
        inner.listen_anew();
        if inner.session()?.revision.era() == Era::Older {
            inner.ask(&Ask::new("resources/unsubscribe", object([("uri", uri.into())]))).await?;
        }
        Ok(())
    }
}

impl Inner {
    /// In the newer era the stream itself says what is wanted.
    fn listen_anew(&self) {
        if self.session().is_ok_and(|it| it.revision.era() == Era::Newer) {
            self.interrupt();
        }
    }

    /// Tells a new session what is wanted, and forgets what may have changed before it.
    pub(super) async fn resubscribe(&self, session: &Session) {
        self.cache.borrow_mut().clear();
        if session.revision.era() == Era::Newer {
            return;
        }
        let wanted = self.subscribed.borrow().clone();
        for uri in wanted {
            let ask = Ask::new("resources/subscribe", object([("uri", uri.as_str().into())]));
            if let Err(Failure::Rpc(_)) = self.wire.ask(session, self.wire.id(), &ask).await {
                // It is not there any more.
                self.subscribed.borrow_mut().remove(&uri);
            }
        }
    }
}
