//! Files of the workspace through the kernel, with its odd answer for a missing one.

use serde_json::{Value, json};

use super::{Answer, Body, Kernel, KernelError, Request, api};

/// Folder of the switches, the grants and the settings; synced to other devices.
pub const STORAGE: &str = "/data/storage/petal/siyuan-mcp-puppy/";
/// Folder of events, balance and analytics; not synced.
pub const TEMP: &str = "/temp/siyuan-mcp-puppy/";

/// Reads a file; `None` when it does not exist (HTTP 202 with code 404, never taken for content: B-053).
pub async fn read(kernel: &dyn Kernel, path: &str) -> Result<Option<Vec<u8>>, KernelError> {
    let request = Request { route: api::GET_FILE.route, body: Body::Json(json!({ "path": path })) };
    let answer = kernel.send(request).await?;
    match answer.status {
        200 => Ok(Some(answer.body)),
        202 => missing(&answer),
        _ => Err(answer.status_error().unwrap_or(KernelError::Malformed(api::GET_FILE.route.path))),
    }
}

fn missing(answer: &Answer) -> Result<Option<Vec<u8>>, KernelError> {
    let envelope: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    match envelope.get("code").and_then(Value::as_i64) {
        Some(404) => Ok(None),
        Some(403) => Err(KernelError::Forbidden),
        Some(code) => {
            let message = envelope.get("msg").and_then(Value::as_str).unwrap_or_default();
            Err(KernelError::Code(code, message.to_owned()))
        }
        None => Err(KernelError::Malformed(api::GET_FILE.route.path)),
    }
}

/// Writes a file, folders included.
pub async fn write(kernel: &dyn Kernel, path: &str, bytes: Vec<u8>) -> Result<(), KernelError> {
    let route = api::PUT_FILE.route;
    let body = Body::File { path: path.to_owned(), bytes };
    kernel.send(Request { route, body }).await?.data(route).map(drop)
}
