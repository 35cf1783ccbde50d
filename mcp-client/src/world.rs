//! The outside of the client: who sends its requests, the clock, and chance.

use std::future::Future;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, LocalBoxFuture, select};

use crate::http::{HttpAnswer, HttpRequest, Unreachable};

/// Sends requests: over `fetch` in a page.
pub trait Transport {
    /// Sends a request. The future is ready with the head of the answer; dropping it ends the request.
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<HttpAnswer, Unreachable>>;
}

/// Time and chance.
pub trait Ambient {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Waits.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;

    /// A random number from 0 to 1.
    fn chance(&self) -> f64;
}

/// The outside as the client holds it.
#[derive(Clone)]
pub struct World {
    transport: Rc<dyn Transport>,
    ambient: Rc<dyn Ambient>,
}

impl World {
    /// The world of a page, or of a test.
    pub fn new(transport: impl Transport + 'static, ambient: impl Ambient + 'static) -> World {
        World { transport: Rc::new(transport), ambient: Rc::new(ambient) }
    }

    pub(crate) async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, Unreachable> {
        self.transport.send(request).await
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.ambient.now_ms()
    }

    pub(crate) async fn sleep(&self, ms: u64) {
        self.ambient.sleep(ms).await;
    }

    pub(crate) fn chance(&self) -> f64 {
        self.ambient.chance()
    }

    /// Runs something for a limited time; `None` when the time is over, and then it has been dropped.
    pub(crate) async fn within<T>(&self, ms: u64, what: impl Future<Output = T>) -> Option<T> {
        match select(pin!(what), self.ambient.sleep(ms)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(((), _)) => None,
        }
    }
}
