//! The only door out of core: a kernel that answers requests, a clock and random bits.
//!
//! The transport is injected ([`Kernel::send`]): the sidecar speaks HTTP, the page `fetch`. What an
//! answer means is decided here, once, for both.

mod answer;
pub mod api;
pub mod files;
pub mod reply;
pub mod sql;

use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use answer::{Answer, KernelError};

/// Whether repeating a request can do harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Changes nothing: may be retried.
    Read,
    /// Changes something: never retried, an unknown outcome says so (B-033).
    Write,
}

/// One route of the kernel's HTTP API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The path, such as `/api/block/getChildBlocks`.
    pub path: &'static str,
    /// Whether it may be retried.
    pub nature: Nature,
    /// Whether `code: 0, data: null` is a failure here (B-085).
    pub data_due: bool,
}

/// A route together with the type of its reply.
#[derive(Debug)]
pub struct Endpoint<R> {
    /// The route.
    pub route: Route,
    reply: PhantomData<fn() -> R>,
}

impl<R> Endpoint<R> {
    /// A route that reads and always has data.
    pub const fn read(path: &'static str) -> Self {
        Self::new(path, Nature::Read, true)
    }

    /// A route that writes and always has data.
    pub const fn write(path: &'static str) -> Self {
        Self::new(path, Nature::Write, true)
    }

    const fn new(path: &'static str, nature: Nature, data_due: bool) -> Self {
        Endpoint { route: Route { path, nature, data_due }, reply: PhantomData }
    }
}

impl Endpoint<()> {
    /// A route that writes and answers nothing but its code.
    pub const fn silent(path: &'static str) -> Self {
        Self::new(path, Nature::Write, false)
    }
}

/// What is sent with a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A JSON object.
    Json(Value),
    /// A file for `file/putFile`, sent as a form.
    File {
        /// Where it goes, from the workspace.
        path: String,
        /// Its content.
        bytes: Vec<u8>,
    },
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The route.
    pub route: Route,
    /// What is sent.
    pub body: Body,
}

/// What core cannot know by itself.
pub trait Ambient {
    /// Milliseconds since 1970, UTC.
    fn now_ms(&self) -> u64;
    /// The local clock as the kernel writes it: `YYYYMMDDHHmmss`.
    fn local_digits(&self) -> String;
    /// 64 random bits.
    fn random(&self) -> u64;
}

/// A kernel that can be asked. Its futures need not be `Send`: those of a page are not.
pub trait Kernel: Ambient {
    /// Sends one request and gives the raw answer; retries and deadlines are the transport's.
    fn send(&self, request: Request) -> impl Future<Output = Result<Answer, KernelError>>;

    /// Waits, where the kernel needs a moment.
    fn pause(&self, time: Duration) -> impl Future<Output = ()>;
}

/// Asks an endpoint and reads its reply.
pub async fn ask<K: Kernel, R: DeserializeOwned>(
    kernel: &K,
    endpoint: Endpoint<R>,
    body: Value,
) -> Result<R, KernelError> {
    let route = endpoint.route;
    kernel.send(Request { route, body: Body::Json(body) }).await?.read(route)
}
