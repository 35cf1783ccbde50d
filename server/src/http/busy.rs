//! A bound on the calls of callers without a session; each session has its own (B-141).

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde_json::json;
use tokio::sync::Semaphore;

/// Lets a call run while there is room, else answers 429; a stream of notifications is no call.
pub(super) async fn bound(State(room): State<Arc<Semaphore>>, request: Request, next: Next) -> Response {
    if !is_stateless_call(request.headers()) {
        return next.run(request).await;
    }
    let Ok(place) = room.try_acquire_owned() else {
        let error = json!({ "code": -32000, "message": "Too many calls run at once. Wait for one to end." });
        let body = Json(json!({ "jsonrpc": "2.0", "id": null, "error": error }));
        return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")], body).into_response();
    };
    let answer = next.run(request).await;
    if answer.body().is_end_stream() || answer.body().size_hint().exact().is_some() {
        return answer;
    }
    // A stream runs on: its place is free when the last of it is sent, or when nobody listens any more.
    answer.map(|body| {
        Body::from_stream(body.into_data_stream().inspect(move |_| {
            let _ = &place;
        }))
    })
}

/// Callers without a session name the method in a header; rmcp refuses those that do not.
fn is_stateless_call(headers: &HeaderMap) -> bool {
    !headers.contains_key("mcp-session-id")
        && headers.get("mcp-method").is_some_and(|method| method.as_bytes() != b"subscriptions/listen")
}
