//! Files of the workspace, read and written through the kernel despite its odd answer for a missing file.

use serde_json::Value;

use super::api::file::{self, Entry, GET_FILE};
use super::{Answer, Kernel, KernelError, ask};

/// Folder of the switches, the grants and the settings; synced to other devices.
pub const STORAGE: &str = "/data/storage/petal/siyuan-mcp-puppy/";
/// Folder of events, balance and analytics; not synced.
pub const TEMP: &str = "/temp/siyuan-mcp-puppy/";

/// The path of a file in [`STORAGE`].
pub fn stored(name: &str) -> String {
    format!("{STORAGE}{name}")
}

/// Reads a file; `None` if it does not exist (HTTP 202 with code 404, never mistaken for content: B-053).
pub async fn read(kernel: &dyn Kernel, path: &str) -> Result<Option<Vec<u8>>, KernelError> {
    let answer = kernel.send(file::get_file(path).request()).await?;
    match answer.status {
        200 => Ok(Some(answer.body)),
        202 => missing(&answer),
        _ => Err(answer.status_error().unwrap_or(KernelError::Malformed(GET_FILE.path))),
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
        None => Err(KernelError::Malformed(GET_FILE.path)),
    }
}

/// Writes a file and creates missing folders.
pub async fn write(kernel: &dyn Kernel, path: &str, bytes: Vec<u8>) -> Result<(), KernelError> {
    let ask = file::put_file(path, bytes);
    let route = ask.route();
    kernel.send(ask.request()).await?.data(route).map(drop)
}

/// The files of a folder; none if the folder does not exist.
pub async fn list(kernel: &dyn Kernel, folder: &str) -> Result<Vec<Entry>, KernelError> {
    match ask(kernel, file::read_dir(folder)).await {
        Err(KernelError::Code(404, _)) => Ok(Vec::new()),
        listed => Ok(listed?.into_iter().filter(|it| !it.is_dir).collect()),
    }
}

/// Renames a file. If several callers rename the same file, one succeeds and the others are refused.
pub async fn rename(kernel: &dyn Kernel, from: &str, to: &str) -> Result<(), KernelError> {
    let ask = file::rename_file(from, to);
    let route = ask.route();
    kernel.send(ask.request()).await?.data(route).map(drop)
}
