//! Files of the workspace; `kernel::files` reads what comes of it.

use serde_json::Value;

use super::endpoints;
use crate::kernel::{Ask, Body, Route};

endpoints! { "/api/file/";
    /// Reads a file; answers a missing one with HTTP 202 (see `files`).
    read GET_FILE get_file(path: &str) -> Value = "getFile" { "path": path };
}

/// Writes a file, folders included.
pub const PUT_FILE: Route = Route::silent("/api/file/putFile");

/// Writes a file, folders included.
pub fn put_file(path: &str, bytes: Vec<u8>) -> Ask<()> {
    Ask::new(PUT_FILE, Body::File { path: path.to_owned(), bytes })
}
