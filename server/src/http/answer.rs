//! Answers of the MCP service put right: a body that is no JSON-RPC message is 400, not a wrong media type (B-141).

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Answers a body that could not be read as a protocol error.
pub(super) async fn correct(request: Request, next: Next) -> Response {
    let is_json = says_json(request.headers());
    let answer = next.run(request).await;
    if answer.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE || !is_json {
        return answer;
    }
    let error =
        json!({ "code": -32700, "message": "The body is no JSON-RPC message; send one, and no batch." });
    (StatusCode::BAD_REQUEST, Json(json!({ "jsonrpc": "2.0", "id": null, "error": error }))).into_response()
}

/// Whether a body is announced as JSON; then only its content can have been the trouble.
fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
