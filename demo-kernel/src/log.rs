//! The list of kernel requests, for tests that count them, and those that a test holds back.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::sync::Notify;

/// The status of a request whose caller did not wait for the answer.
const CLOSED: u16 = 499;

/// One request that has ended.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// Rises by one with each request, also over a clear.
    pub seq: u64,
    /// The HTTP method.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The file that a request to `/api/file/` names as its `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The HTTP status; 0 where the connection was dropped, 499 where the caller closed it first.
    pub status: u16,
}

/// A request that has not ended.
#[derive(Debug, Clone)]
pub(crate) struct OpenRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) file: Option<String>,
}

/// The requests since the start or the last clear.
#[derive(Debug, Default)]
pub(crate) struct Log {
    ended: Mutex<(u64, Vec<Entry>)>,
    /// The paths of those that are held back.
    held: Mutex<Vec<String>>,
    released: Notify,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    pub(crate) fn add(&self, request: &OpenRequest, status: u16) {
        let OpenRequest { method, path, file } = request.clone();
        let mut log = lock(&self.ended);
        log.0 += 1;
        let seq = log.0;
        log.1.push(Entry { seq, method, path, file, status });
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        lock(&self.ended).1.clone()
    }

    pub(crate) fn clear(&self) {
        lock(&self.ended).1.clear();
    }

    /// Holds a request back for a time, or until all are released.
    pub(crate) async fn hold(&self, request: &OpenRequest, time: Duration) {
        let mut released = std::pin::pin!(self.released.notified());
        // Every release after this line is noticed.
        released.as_mut().enable();
        lock(&self.held).push(request.path.clone());
        let mut held = DelayedRequest { log: self, request, closed: true };
        tokio::select! {
            () = tokio::time::sleep(time) => {}
            () = released => {}
        }
        held.closed = false;
    }

    /// The number of requests for a path that are held back now.
    pub(crate) fn held(&self, path: &str) -> usize {
        lock(&self.held).iter().filter(|it| *it == path).count()
    }

    pub(crate) fn release(&self) {
        self.released.notify_waiters();
    }
}

/// A request that is held back; when it goes before its time, its caller has closed the connection.
struct DelayedRequest<'a> {
    log: &'a Log,
    request: &'a OpenRequest,
    closed: bool,
}

impl Drop for DelayedRequest<'_> {
    fn drop(&mut self) {
        let mut held = lock(&self.log.held);
        if let Some(at) = held.iter().position(|path| *path == self.request.path) {
            held.swap_remove(at);
        }
        drop(held);
        if self.closed {
            self.log.add(self.request, CLOSED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn held_request_is_released_or_closed() {
        let log = Log::default();
        let request = OpenRequest { method: "POST".to_owned(), path: "/api/a".to_owned(), file: None };
        let long = Duration::from_secs(600);
        {
            let mut given_up = std::pin::pin!(log.hold(&request, long));
            assert!(futures_util::poll!(given_up.as_mut()).is_pending());
            assert_eq!((log.held("/api/a"), log.held("/api/b")), (1, 0));
        }
        let statuses: Vec<u16> = log.entries().iter().map(|it| it.status).collect();
        assert_eq!((log.held("/api/a"), statuses), (0, vec![CLOSED]));
        let mut released = std::pin::pin!(log.hold(&request, long));
        assert!(futures_util::poll!(released.as_mut()).is_pending());
        log.release();
        released.await;
        assert_eq!((log.held("/api/a"), log.entries().len()), (0, 1));
    }
}
