//! How much of the server one client can use up, over HTTP and over stdio.

use std::time::Duration;

/// What a stranger may use up.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a request.
    pub body: usize,
    /// Sessions at a time; the one unused for longest goes first.
    pub sessions: usize,
    /// How long an unused session is kept: clients seldom greet anew.
    pub idle: Duration,
    /// Calls at once in one session.
    pub calls: usize,
    /// Calls at once of all callers without a session.
    pub stateless_calls: usize,
    /// Connections at a time; further ones wait.
    pub connections: usize,
    /// Streams at a time that stay open without a call: the other connections are left for calls.
    pub streams: usize,
    /// Of these in one session, and of callers with the same token.
    pub streams_each: usize,
    /// How long a client may take nothing of what is sent to it.
    pub write_time: Duration,
    /// How long the head of a request may take, and how long a connection may stay unused.
    pub head_time: Duration,
    /// How long the body of a request may take, and a greeting in TLS.
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
