//! Limits on the resources that one client can use, over HTTP and over stdio.

use std::time::Duration;

/// The resources that an untrusted client may use.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum size of a request, in bytes.
    pub body: usize,
    /// The maximum number of sessions; beyond it the least recently used one ends.
    pub sessions: usize,
    /// The time an unused session is kept: clients seldom send `initialize` again.
    pub idle: Duration,
    /// The number of concurrent calls in one session.
    pub calls: usize,
    /// The number of concurrent calls of all callers without a session.
    pub stateless_calls: usize,
    /// The number of open connections; further ones wait.
    pub connections: usize,
    /// The number of streams that stay open without a call; the remaining connections are reserved for calls.
    pub streams: usize,
    /// The number of such streams in one session, and of all callers with the same token.
    pub streams_each: usize,
    /// The time after which a client that reads none of its answer is disconnected.
    pub write_time: Duration,
    /// The time allowed for the head of a request, and the time a connection may stay idle.
    pub head_time: Duration,
    /// The time allowed for the body of a request, and for a TLS handshake.
    pub body_time: Duration,
}

impl Default for Limits {
    /// B-134, B-141.
    fn default() -> Self {
        Limits {
            body: 4 * 1024 * 1024,
            sessions: 256,
            idle: Duration::from_secs(8 * 60 * 60),
            calls: 64,
            stateless_calls: 256,
            connections: 1_024,
            streams: 512,
            streams_each: 16,
            write_time: Duration::from_secs(30),
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
        }
    }
}
