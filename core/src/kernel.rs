//! The only door out of core: a kernel that answers requests, a clock and random bits.
//!
//! The transport is injected ([`Kernel::send`]): the sidecar speaks HTTP, the page uses `fetch`. This module decides
//! what an answer means, once for both.

mod answer;
pub mod api;
pub mod clock;
pub mod files;
mod local;
mod non_empty;
pub mod page;
pub mod sql;

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use answer::Answer;
pub use local::{LocalError, LocalFiles};
pub use non_empty::NonEmpty;

pub use crate::kernel_error::{KernelError, Nature};

/// One route of the kernel's HTTP API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The path, such as `/api/block/getChildBlocks`.
    pub path: &'static str,
    /// Whether it may be retried.
    pub nature: Nature,
    /// Whether `code: 0, data: null` is a failure on this route (B-085).
    pub data_due: bool,
    /// The most bytes that are read of an answer, if a caller decides on its size.
    pub most: Option<usize>,
}

impl Route {
    /// A route that reads and always returns data.
    pub const fn read(path: &'static str) -> Self {
        Route { path, nature: Nature::Read, data_due: true, most: None }
    }

    /// A route that reads and may return nothing, which is an empty list.
    pub const fn optional(path: &'static str) -> Self {
        Route { path, nature: Nature::Read, data_due: false, most: None }
    }

    /// A route that writes and always returns data.
    pub const fn write(path: &'static str) -> Self {
        Route { path, nature: Nature::Write, data_due: true, most: None }
    }

    /// The same with a bound for the answer, in bytes: a longer one is an error.
    #[must_use]
    pub const fn at_most(self, most: usize) -> Self {
        Route { most: Some(most), ..self }
    }

    /// A route that writes and returns nothing but its code.
    pub const fn silent(path: &'static str) -> Self {
        Route { path, nature: Nature::Write, data_due: false, most: None }
    }
}

/// The number of routes in these lists.
pub const fn routes_in(mut parts: &[&[Route]]) -> usize {
    let mut sum = 0;
    while let Some((part, rest)) = parts.split_first() {
        sum += part.len();
        parts = rest;
    }
    sum
}

/// Joins lists of routes into one; see [`calls!`](crate::calls).
pub const fn joined<const N: usize>(mut parts: &[&[Route]]) -> [Route; N] {
    let mut all = [Route::read(""); N];
    let mut free: &mut [Route] = &mut all;
    while let Some((part, rest)) = parts.split_first() {
        let mut part = *part;
        while let Some((route, more)) = part.split_first() {
            let Some((place, behind)) = { free }.split_first_mut() else { return all };
            *place = *route;
            (part, free) = (more, behind);
        }
        parts = rest;
    }
    all
}

/// Joins several lists of routes into one at compile time, for example an action's own and those of its helpers.
#[macro_export]
macro_rules! calls {
    ($($part:expr),* $(,)?) => {{
        const PARTS: &[&[$crate::kernel::Route]] = &[$($part),*];
        const ALL: [$crate::kernel::Route; $crate::kernel::routes_in(PARTS)] = $crate::kernel::joined(PARTS);
        &ALL
    }};
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A JSON object.
    Json(Value),
    /// A file for `file/putFile`, sent as a form.
    File {
        /// The destination, relative to the workspace.
        path: String,
        /// Its content.
        bytes: Vec<u8>,
    },
}

impl Body {
    /// The part of the form that is the file.
    pub const FILE: &str = "file";

    /// The texts of the form for a file with this destination.
    pub fn form(path: &str) -> [(&'static str, &str); 2] {
        [("path", path), ("isDir", "false")]
    }
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The route.
    pub route: Route,
    /// The body.
    pub body: Body,
}

/// A request together with the type of its reply. Only the functions in [`api`] make one, so that no request lacks an
/// argument that the kernel needs.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "nothing is sent before it is asked"]
pub struct TypedRequest<R> {
    request: Request,
    reply: PhantomData<fn() -> R>,
}

impl<R> TypedRequest<R> {
    fn new(route: Route, body: Body) -> Self {
        TypedRequest { request: Request { route, body }, reply: PhantomData }
    }

    /// A JSON request. Fields that are null at the top level are left out: they are optional arguments that were not
    /// given.
    fn json(route: Route, mut body: Value) -> Self {
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        TypedRequest::new(route, Body::Json(body))
    }

    /// The route of the request.
    pub const fn route(&self) -> Route {
        self.request.route
    }

    /// Its body.
    pub(crate) const fn body(&self) -> &Body {
        &self.request.body
    }

    /// The plain request, for callers that read the raw answer.
    pub fn request(self) -> Request {
        self.request
    }
}

/// A bound for values that several threads share, where there are threads. A page has one thread, so there it is
/// empty.
#[cfg(not(target_arch = "wasm32"))]
pub trait Shared: Send + Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + Sync + ?Sized> Shared for T {}
/// A bound for values that several threads share, where there are threads. A page has one thread, so there it is
/// empty.
#[cfg(target_arch = "wasm32")]
pub trait Shared {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> Shared for T {}

/// A future that may go to another thread, where there are threads.
#[cfg(not(target_arch = "wasm32"))]
pub trait Sent: Send {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + ?Sized> Sent for T {}
/// A future that may go to another thread, where there are threads.
#[cfg(target_arch = "wasm32")]
pub trait Sent {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> Sent for T {}

/// A boxed future with an erased type.
#[cfg(not(target_arch = "wasm32"))]
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// A boxed future with an erased type.
#[cfg(target_arch = "wasm32")]
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// The facts that core cannot know by itself: clock and randomness.
pub trait Ambient: Shared {
    /// Milliseconds since 1970, UTC.
    fn now_ms(&self) -> u64;
    /// The local clock as the kernel writes it: `YYYYMMDDHHmmss`.
    fn local_digits(&self) -> String;
    /// Minutes by which local clocks are ahead of UTC at a moment, given in milliseconds since 1970. An
    /// implementation without a table of zones returns the current difference.
    fn local_offset(&self, _at_ms: i64) -> i32 {
        clock::offset(&self.local_digits(), self.now_ms())
    }
    /// 64 random bits.
    fn random(&self) -> u64;
}

/// A kernel that answers requests.
///
/// Core takes it as `&dyn Kernel`, so that pipeline and actions are compiled once, with core, and not once more in
/// every binary. A request costs milliseconds; the boxed future costs nothing measurable beside that.
pub trait Kernel: Ambient {
    /// Sends one request and returns the raw answer; retries and deadlines belong to the transport.
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>>;

    /// The files of this machine, where there are any.
    fn local_files(&self) -> Option<&dyn LocalFiles> {
        None
    }

    /// Waits, for example while the kernel settles.
    fn pause(&self, time: Duration) -> Boxed<'_, ()>;

    /// Whether changes of the person's settings are announced to this process.
    fn hears_changes(&self) -> bool {
        false
    }

    /// Tells other servers and the pages, if any can be reached, that these files of settings were written or that the
    /// list of notebooks has changed.
    fn announce(&self, _files: &[&'static str]) {}

    /// The open pages, if any can be reached.
    fn frontend(&self) -> Option<&dyn page::Frontend> {
        None
    }
}

/// Sends a request and reads its reply.
pub async fn ask<R: DeserializeOwned>(kernel: &dyn Kernel, ask: TypedRequest<R>) -> Result<R, KernelError> {
    let route = ask.route();
    kernel.send(ask.request()).await?.read(route)
}
