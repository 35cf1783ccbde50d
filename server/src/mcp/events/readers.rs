//! The sessions whose standing stream has readers, with the number of readers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{Stream, StreamExt};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The sessions with readers; the announcer waits here for a reason to poll. Clones share it.
#[derive(Debug, Clone, Default)]
pub(in crate::mcp) struct Readers(Arc<ReaderState>);

#[derive(Debug, Default)]
struct ReaderState {
    streams: Mutex<HashMap<Arc<str>, usize>>,
    /// Makes the announcer recompute its pause.
    wake: Notify,
    /// Ends the pause, so that a new listener does not wait for the end of a pause that began earlier.
    now: Notify,
}

impl Readers {
    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, usize>> {
        self.0.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wraps a stream: while it exists, its session has a reader.
    pub(in crate::mcp) fn reading<S: Stream>(
        &self,
        session: &Arc<str>,
        stream: S,
    ) -> impl Stream<Item = S::Item> + use<S> {
        *self.lock().entry(session.clone()).or_default() += 1;
        self.wake();
        let reader = Reader(self.clone(), session.clone());
        stream.map(move |item| {
            let _held = &reader;
            item
        })
    }

    /// Whether a session has a reader.
    pub(in crate::mcp) fn reads(&self, session: &str) -> bool {
        self.lock().contains_key(session)
    }

    /// Makes the announcer recompute the length of its pause.
    pub(in crate::mcp) fn wake(&self) {
        self.0.wake.notify_one();
    }

    /// Waits for [`Readers::wake`].
    pub(in crate::mcp) fn woken(&self) -> Notified<'_> {
        self.0.wake.notified()
    }

    /// Ends the pause.
    pub(in crate::mcp) fn look_now(&self) {
        self.0.now.notify_one();
    }

    /// Waits for [`Readers::look_now`].
    pub(in crate::mcp) fn asked_now(&self) -> Notified<'_> {
        self.0.now.notified()
    }
}

/// Counts as a reader until dropped.
struct Reader(Readers, Arc<str>);

impl Drop for Reader {
    fn drop(&mut self) {
        let mut all = self.0.lock();
        if let Some(count) = all.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.1);
            }
        }
    }
}
