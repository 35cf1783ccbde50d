//! The native world of the panel's client: reqwest, the true clock, and chance that never varies.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt, StreamExt};
use puppy_mcp_client::http::{BrokenBody, HttpAnswer, HttpRequest, Method, Unreachable};
use puppy_mcp_client::world::{Ambient, Transport, World};

use crate::client::http;

struct Network(reqwest::Client);

struct Clock;

/// A world of its own for each client: connections are not shared.
pub(super) fn world() -> World {
    World::new(Network(http()), Clock)
}

impl Transport for Network {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<HttpAnswer, Unreachable>> {
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut building = self.0.request(method, &request.url);
        for (name, value) in &request.headers {
            building = building.header(name, value);
        }
        let sending = building.body(request.body.unwrap_or_default()).send();
        async move {
            let answer = sending.await.map_err(|error| Unreachable(error.to_string()))?;
            let header = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
                Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
            };
            Ok(HttpAnswer {
                status: answer.status().as_u16(),
                headers: answer.headers().iter().filter_map(header).collect(),
                body: answer
                    .bytes_stream()
                    .map(|chunk| chunk.map(|it| it.to_vec()).map_err(|error| BrokenBody(error.to_string())))
                    .boxed_local(),
            })
        }
        .boxed_local()
    }
}

impl Ambient for Clock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        u64::try_from(since.as_millis()).unwrap()
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        tokio::time::sleep(Duration::from_millis(ms)).boxed_local()
    }

    fn chance(&self) -> f64 {
        0.5
    }
}
