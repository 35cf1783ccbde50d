//! Files of the workspace; `kernel::files` reads the answers.

use serde::Deserialize;
use serde_json::Value;

use super::endpoints;
use crate::kernel::{Body, Route, TypedRequest};

endpoints! { "/api/file/";
    /// Reads a file; answers a missing one with HTTP 202 (see `files`).
    read GET_FILE get_file(path: &str) -> Value = "getFile" { "path": path };
    /// The entries of a folder; answers a missing one with code 404.
    read READ_DIR read_dir(folder: &str) -> Vec<Entry> = "readDir" { "path": folder };
    /// Removes a file or a folder.
    silent REMOVE_FILE remove_file(path: &str) -> () = "removeFile" { "path": path };
    /// Renames a file. If several callers rename the same file, one succeeds and the others are refused.
    silent RENAME_FILE rename_file(from: &str, to: &str) -> () = "renameFile" { "path": from, "newPath": to };
}

/// Writes a file and creates missing folders.
pub const PUT_FILE: Route = Route::silent("/api/file/putFile");

/// Writes a file and creates missing folders.
pub fn put_file(path: &str, bytes: Vec<u8>) -> TypedRequest<()> {
    TypedRequest::new(PUT_FILE, Body::File { path: path.to_owned(), bytes })
}

/// One entry of `readDir`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub name: String,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// The time of its last change, in seconds since 1970.
    pub updated: u64,
}
