//! CORS for the admitted pages: the headers they may send and read (B-160, B-161, B-164).

use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::allowed::AdmittedOrigin;

/// The headers that a page may send.
const SENT: [&str; 8] = [
    "authorization",
    "content-type",
    "accept",
    "mcp-protocol-version",
    "mcp-session-id",
    "last-event-id",
    "mcp-method",
    "mcp-name",
];
/// The prefix of further allowed headers: arguments that a client repeats as headers.
const PARAMETER: &str = "mcp-param-";
/// The time a browser may cache the answer.
const REMEMBERED: Duration = Duration::from_secs(7_200);

/// The layer; it admits the pages that `allowed` has admitted.
pub(super) fn layer() -> CorsLayer {
    let is_admitted = |_: &HeaderValue, head: &Parts| head.extensions.get::<AdmittedOrigin>().is_some();
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(is_admitted))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(SENT.map(HeaderName::from_static))
        .expose_headers([
            HeaderName::from_static("mcp-session-id"),
            HeaderName::from_static("mcp-protocol-version"),
            header::WWW_AUTHENTICATE,
            header::RETRY_AFTER,
        ])
        .max_age(REMEMBERED)
        // Pages outside the list were already refused by the check.
        .allow_private_network(true)
}

/// Completes the answer to a preflight: it has no content and allows the requested headers named after arguments.
pub(super) async fn preflight(request: Request, next: Next) -> Response {
    let asked = (request.method() == Method::OPTIONS).then(|| parameters(request.headers()));
    let mut answer = next.run(request).await;
    let Some(asked) = asked else { return answer };
    if answer.status() == StatusCode::OK {
        *answer.status_mut() = StatusCode::NO_CONTENT;
    }
    let all: Vec<&str> = SENT.into_iter().chain(asked.iter().map(String::as_str)).collect();
    let known = answer.headers().contains_key(header::ACCESS_CONTROL_ALLOW_HEADERS);
    if let (true, false, Ok(value)) = (known, asked.is_empty(), HeaderValue::from_str(&all.join(", "))) {
        answer.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_HEADERS, value);
    }
    answer
}

/// The requested headers that are named after arguments.
fn parameters(headers: &HeaderMap) -> Vec<String> {
    let asked = headers.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter();
    let names = asked.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    names
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| name.starts_with(PARAMETER) && HeaderName::try_from(name).is_ok())
        .collect()
}
