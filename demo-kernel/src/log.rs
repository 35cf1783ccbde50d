//! The list of kernel requests, for tests that count them.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// One request that was answered.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// Rises by one with each request, also over a clear.
    pub seq: u64,
    /// The HTTP method.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The HTTP status; 0 where the connection was dropped.
    pub status: u16,
}

/// The requests since the start or the last clear.
#[derive(Debug, Default)]
pub(crate) struct Log(Mutex<(u64, Vec<Entry>)>);

impl Log {
    pub(crate) fn add(&self, method: &str, path: &str, status: u16) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.0 += 1;
        let seq = log.0;
        log.1.push(Entry { seq, method: method.to_owned(), path: path.to_owned(), status });
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clear();
    }
}
