//! The list of kernel requests, for tests that count them.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

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
    /// The HTTP status; 0 where the connection was dropped, 499 where the caller closed it first.
    pub status: u16,
}

/// The requests since the start or the last clear.
#[derive(Debug, Default)]
pub(crate) struct Log(Mutex<(u64, Vec<Entry>)>, Mutex<Vec<String>>);

/// A request that is held back; dropped before it is let go, its caller has closed the connection.
pub(crate) struct Held<'a> {
    log: &'a Log,
    method: &'a str,
    path: &'a str,
    closed: bool,
}

impl Held<'_> {
    pub(crate) fn let_go(mut self) {
        self.closed = false;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut held = self.log.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = held.iter().position(|path| path == self.path) {
            held.swap_remove(at);
        }
        drop(held);
        if self.closed {
            self.log.add(self.method, self.path, CLOSED);
        }
    }
}

impl Log {
    pub(crate) fn add(&self, method: &str, path: &str, status: u16) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.0 += 1;
        let seq = log.0;
        log.1.push(Entry { seq, method: method.to_owned(), path: path.to_owned(), status });
    }

    /// Notes a request that waits for its answer.
    pub(crate) fn hold<'a>(&'a self, method: &'a str, path: &'a str) -> Held<'a> {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Held { log: self, method, path, closed: true }
    }

    /// How many requests for a path are held back now.
    pub(crate) fn held(&self, path: &str) -> usize {
        let held = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().filter(|it| *it == path).count()
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clear();
    }
}
