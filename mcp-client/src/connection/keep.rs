//! Keeping a connection: listening to the server, noticing that it is gone, and trying again, with an end.

use std::future::poll_fn;
use std::pin::pin;

use futures_util::StreamExt as _;
use futures_util::future::{AbortHandle, Abortable, Either, pending, select};
use serde_json::{Map, Value};

use super::{Change, Connection, Inner};
use crate::backoff::{Backoff, delay};
use crate::events::{End, Events};
use crate::failure::Failure;
use crate::limits::Limit;
use crate::offer::List;
use crate::phase::{Phase, State};
use crate::revision::Era;
use crate::wire::{Notice, Session};

/// The time for an attempt to reconnect, in milliseconds.
const TRY_MS: u64 = 15_000;
/// The time after which a connection counts as one that lasted, in milliseconds.
const STEADY_MS: u64 = 30_000;

/// The stream of a session as far as it was read.
type StreamPosition = Option<(Session, Events)>;

impl Connection {
    /// Connects, and keeps the connection until it is closed or given up. After a failure this may be called again.
    pub async fn run(&self) {
        let (handle, registration) = AbortHandle::new_pair();
        if let Some(earlier) = self.0.run.replace(Some(handle)) {
            earlier.abort();
        }
        self.0.is_closing.set(false);
        let kept = Abortable::new(self.0.keep(), registration).await;
        if let Ok(why) = kept
            && !self.0.is_closing.get()
        {
            self.0.forget().await;
            self.0.fail(why);
        }
    }
}

impl Inner {
    /// Returns the reason why the connection was given up.
    async fn keep(&self) -> Failure {
        // A server that never answered is not retried: its address may be wrong.
        if let Err(failure) = self.attempt(self.limit(Limit::Connect)).await {
            return failure;
        }
        let mut backoff = Backoff::default();
        loop {
            let since = self.world.now_ms();
            let mut why = self.watch().await;
            if self.is_closing.get() {
                return why;
            }
            self.step(Phase::Disconnected, Some(why.clone()));
            if self.world.now_ms().saturating_sub(since) >= STEADY_MS {
                backoff.reset();
            }
            loop {
                let Some(wait) = backoff.next(self.world.chance()) else { return why };
                let next_ms = self.world.now_ms().saturating_add(wait);
                self.set(State::Retrying { tries: backoff.tries(), next_ms });
                self.world.sleep(wait).await;
                if self.is_closing.get() {
                    return why;
                }
                match self.attempt(TRY_MS).await {
                    Ok(()) => break,
                    Err(failure) if failure.may_pass() => {
                        self.step(Phase::Disconnected, Some(failure.clone()));
                        why = failure;
                    }
                    Err(failure) => return failure,
                }
            }
        }
    }

    /// Hears the server until it is gone, and returns the reason.
    async fn watch(&self) -> Failure {
        match select(pin!(self.listen()), pin!(self.serve())).await {
            Either::Left((why, _)) | Either::Right((why, _)) => why,
        }
    }

    /// Handles notifications, wherever they came from.
    async fn serve(&self) -> Failure {
        while let Some(notice) = poll_fn(|cx| self.notices.borrow_mut().poll_next_unpin(cx)).await {
            self.heed(notice).await;
        }
        Failure::NotConnected
    }

    async fn heed(&self, notice: Notice) {
        for list in List::changed(&notice.method) {
            // A failure shows with the next request, or with the end of the stream.
            if self.now.borrow().greeting.as_ref().is_some_and(|it| it.has(*list))
                && let Ok(items) = self.items(*list).await
            {
                self.now.borrow_mut().offer.set(*list, items);
                self.tell(Change::List(*list));
            }
        }
        match (notice.method.as_str(), notice.params.get("uri").and_then(Value::as_str)) {
            ("notifications/resources/updated", Some(uri)) => {
                self.cache.borrow_mut().remove(uri);
                self.tell(Change::Resource(uri.to_owned()));
            }
            ("notifications/message", _) => self.tell(Change::Log(notice.params)),
            _ => {}
        }
    }

    /// Keeps the stream of notifications open until the server is gone.
    async fn listen(&self) -> Failure {
        let mut backoff = Backoff::default();
        let mut heard: StreamPosition = None;
        loop {
            // First, so that whatever interrupts from here on ends the next stream.
            let (handle, registration) = AbortHandle::new_pair();
            self.stream.replace(Some(handle));
            if self.is_suspect.take()
                && let Err(gone) = self.reassure().await
            {
                return gone;
            }
            if self.is_stale.take()
                && let Err(gone) = self.refetch().await
            {
                return gone;
            }
            let Ok(session) = self.session() else { return Failure::NotConnected };
            let since = self.world.now_ms();
            let end = match Abortable::new(self.hear(&session, &mut heard), registration).await {
                Ok(Ok(end)) => end,
                Ok(Err(Failure::NoSession)) => match self.renew(&session).await {
                    Ok(_) => continue,
                    Err(gone) => return gone,
                },
                Ok(Err(gone)) => return gone,
                Err(_) => continue,
            };
            if self.world.now_ms().saturating_sub(since) >= STEADY_MS {
                backoff.reset();
            }
            let is_first = backoff.tries() == 0;
            let wait = backoff.next(self.world.chance()).unwrap_or(STEADY_MS);
            // A server that is gone shall be noticed at once.
            if !(is_first && end == End::Broken) {
                let asked = heard.as_ref().and_then(|(_, events)| events.position().retry);
                self.world.sleep(asked.unwrap_or(wait).max(if is_first { 0 } else { delay(0, 0.5) })).await;
            }
        }
    }

    /// Opens the stream and passes on what comes until it ends. A server without one is never heard, nor one behind the
    /// kernel, which passes on whole answers only.
    async fn hear(&self, session: &Session, heard: &mut StreamPosition) -> Result<End, Failure> {
        // This also closes the earlier stream.
        let earlier =
            heard.take().filter(|(of, _)| of == session).map(|(_, events)| events.position().clone());
        let position = earlier.filter(|_| session.revision.era() == Era::Older).unwrap_or_default();
        if self.settings.address.through_kernel {
            return pending().await;
        }
        let opened = match session.revision.era() {
            Era::Older => self.wire.listen(session, position.last.as_deref()).await,
            Era::Newer => match self.wanted() {
                Some(wanted) => self.wire.subscribe(session, wanted).await,
                None => return pending().await,
            },
        };
        match opened {
            Ok(events) => {
                let (_, events) = heard.insert((session.clone(), events.after(position)));
                Ok(self.wire.drain(session, events).await)
            }
            // A server without a stream says so in many ways; what counts is whether it answers anything.
            Err(Failure::Http { status, .. }) if status == 429 || status >= 500 => {
                self.probe().await.map(|_| End::Closed)
            }
            Err(failure) if failure.may_pass() => Err(failure),
            Err(_) => pending().await,
        }
    }

    /// The notifications that are asked for in the newer era; `None` if the server tells of nothing.
    fn wanted(&self) -> Option<Map<String, Value>> {
        let now = self.now.borrow();
        let greeting = now.greeting.as_ref()?;
        let lists = [
            (List::Tools, "toolsListChanged"),
            (List::Prompts, "promptsListChanged"),
            (List::Resources, "resourcesListChanged"),
        ];
        let subscribable = lists.into_iter().filter(|(list, _)| greeting.tells(*list));
        let mut wanted: Map<String, Value> =
            subscribable.map(|(_, key)| (key.to_owned(), true.into())).collect();
        let uris: Vec<Value> = self.subscribed.borrow().iter().map(|uri| uri.as_str().into()).collect();
        if !uris.is_empty() {
            wanted.insert("resourceSubscriptions".to_owned(), uris.into());
        }
        Some(wanted).filter(|it| !it.is_empty())
    }

    /// Asks whether the server is still there; returns an error if it is gone.
    async fn reassure(&self) -> Result<(), Failure> {
        match self.probe().await {
            Err(Failure::NoSession) => self.renew(&self.session()?).await.map(drop),
            Err(gone) if gone.may_pass() => Err(gone),
            // It answers, even if it refuses.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Fetches everything for a session that was begun anew.
    async fn refetch(&self) -> Result<(), Failure> {
        let session = self.session()?;
        match self.fetch_all(&session).await {
            Err(gone) if gone.may_pass() => return Err(gone),
            Ok(()) | Err(_) => {}
        }
        self.resubscribe(&session).await;
        Ok(())
    }
}
