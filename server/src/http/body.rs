//! Request bodies: read in full within bounds of size and time; a body that is not JSON-RPC gets an error (B-141).

use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde_json::{Value, json};

use super::envelope::RequestBody;
use crate::aside::aside;
use crate::input::Skim;

/// The number of bytes that are read and dropped before an oversized request is cut off.
const MERCY: usize = 32 * 1024 * 1024;

/// The bounds of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) size: usize,
    pub(super) time: Duration,
}

/// Reads the body of a message before any other work, so that a slow sender blocks nothing.
pub(super) async fn read(State(bounds): State<Bounds>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let asks_first = head.headers.contains_key(header::EXPECT);
    if asks_first && length(&head.headers).is_some_and(|length| length > bounds.size) {
        return too_large(bounds, None);
    }
    let bytes = match tokio::time::timeout(bounds.time, whole(body, bounds.size)).await {
        Ok(Ok(Ok(bytes))) => bytes,
        Ok(Ok(Err(dropped))) => return too_large(bounds, dropped.id().as_ref()),
        // A client that disconnected never sees this answer; one that sent broken chunks does.
        Ok(Err(_)) => {
            return (StatusCode::BAD_REQUEST, "The request body is incomplete. Send the request again.\n")
                .into_response();
        }
        Err(_) => return slow(bounds),
    };
    let is_json = says_json(&head.headers);
    let mut request = Request::from_parts(head, Body::from(bytes.clone()));
    request.extensions_mut().insert(RequestBody(bytes.clone()));
    // The message is read before anything else is done.
    let answer = aside(bytes.len(), next.run(request)).await;
    if answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json {
        return no_message(&bytes);
    }
    answer
}

/// Reads the body; of one that exceeds `size` bytes only the id of its request.
async fn whole(body: Body, size: usize) -> Result<Result<Bytes, Skim>, axum::Error> {
    let mut body = body.into_data_stream();
    let (mut all, mut length, mut dropped) = (Vec::new(), 0, None::<Skim>);
    while let Some(part) = body.next().await {
        let part = part?;
        length += part.len();
        if length <= size {
            all.extend_from_slice(&part);
            continue;
        }
        // Keeps reading and drops the data: a client that is still sending would miss the answer.
        if dropped.is_none() {
            dropped.get_or_insert_default().feed(&std::mem::take(&mut all));
        }
        dropped.get_or_insert_default().feed(&part);
        if length > size + MERCY {
            break;
        }
    }
    Ok(dropped.map_or_else(|| Ok(all.into()), Err))
}

/// The announced length in bytes.
fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Whether a body is announced as JSON; if so, its content must have been the fault.
fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn too_large(bounds: Bounds, id: Option<&Value>) -> Response {
    let why = format!("A message may have at most {} bytes. Send less at a time.", bounds.size);
    let error = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32600, "message": why } });
    (StatusCode::PAYLOAD_TOO_LARGE, [(header::CONNECTION, "close")], Json(error)).into_response()
}

fn slow(bounds: Bounds) -> Response {
    let why = format!("The request body did not arrive within {} seconds.\n", bounds.time.as_secs());
    (StatusCode::REQUEST_TIMEOUT, [(header::CONNECTION, "close")], why).into_response()
}

/// The protocol error for a body that is not JSON, or not a message.
fn no_message(bytes: &[u8]) -> Response {
    let read: Option<Value> = serde_json::from_slice(bytes).ok();
    let (code, why) = match &read {
        None => (-32700, "The body is not JSON."),
        Some(Value::Array(_)) => (-32700, "Batches are not supported. Send one message at a time."),
        Some(_) => (-32600, "The body is JSON, but not a JSON-RPC message of MCP."),
    };
    let id = read.as_ref().and_then(|it| it.get("id")).filter(|id| id.is_string() || id.is_number());
    let error = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } });
    (StatusCode::BAD_REQUEST, Json(error)).into_response()
}
