//! Failures of requests to the kernel, below everything that makes or judges one.

use std::time::Duration;

/// Whether repeating a request can do harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Changes nothing: the request may be retried.
    Read,
    /// Changes something: the request is never retried, and an unknown outcome is reported as such (B-033).
    Write,
}

/// The reason why the kernel did not carry out a request (B-084).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelError {
    /// Nothing listens at the address.
    Refused,
    /// The listener could not be verified as the kernel, for this reason; nothing was sent.
    Untrusted(&'static str),
    /// No answer within the deadline.
    TimedOut,
    /// The connection broke; for a write the outcome is unknown.
    Broken(Nature),
    /// HTTP 401: the token is wrong or missing.
    Unauthorized,
    /// HTTP 403: the kernel does not allow this caller to do this.
    Forbidden,
    /// HTTP 429, with the time to wait if the kernel named one.
    TooMany(Option<Duration>),
    /// Another HTTP status that is not a success.
    Status(u16),
    /// A refusal with the kernel's own code and message.
    Code(i64, String),
    /// The document is being indexed; it may exist in a moment.
    Indexing,
    /// Success without the required data: usually a panic inside the kernel (B-085).
    NoData(&'static str),
    /// An answer whose shape is not the endpoint's.
    Malformed(&'static str),
    /// An answer longer than this many bytes, of which no more was read.
    TooLong(usize),
}
