//! Static files: plugins, the stage page, assets.

use std::path::{Component, Path, PathBuf};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::kernel::Kernel;

/// Folders that the real kernel serves and this one does not.
const OTHERS: [&str; 5] = ["/stage/", "/widgets/", "/emojis/", "/templates/", "/public/"];

/// The file of a path. What is no path of ours is 200 with an empty text for those who take gzip, as every browser
/// does, and 404 for others: so does the kernel.
pub(super) async fn serve(path: &str, kernel: &Kernel, zips: bool) -> Response {
    let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let file = if let Some(rest) = path.strip_prefix("/stage/build/desktop/") {
        let rest = if rest.is_empty() { "index.html" } else { rest };
        kernel.stage.as_ref().and_then(|stage| below(stage, rest))
    } else if let Some(rest) = path.strip_prefix("/plugins/") {
        below(&kernel.workspace.join("data/plugins"), rest)
    } else if let Some(rest) = path.strip_prefix("/assets/") {
        below(&kernel.workspace.join("data/assets"), rest)
    } else if let Some(rest) = path.strip_prefix("/export/") {
        below(&kernel.workspace.join("temp/export"), rest)
    } else if OTHERS.iter().any(|folder| path.starts_with(folder)) {
        None
    } else {
        let (status, text) =
            if zips { (StatusCode::OK, "") } else { (StatusCode::NOT_FOUND, "404 page not found") };
        return (status, [(header::CONTENT_TYPE, "text/plain")], text).into_response();
    };
    let read = match &file {
        Some(file) => tokio::fs::read(file).await.ok(),
        None => None,
    };
    match (read, file) {
        (Some(bytes), Some(file)) => ([(header::CONTENT_TYPE, content_type(&file))], bytes).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The MIME type by extension, with the character set for text.
pub(crate) fn content_type(file: &Path) -> String {
    match mime_guess::from_path(file).first() {
        Some(mime) if mime.type_() == "text" => format!("{mime}; charset=utf-8"),
        Some(mime) => mime.to_string(),
        None => "application/octet-stream".into(),
    }
}

/// A file below a folder, never outside.
fn below(folder: &Path, rest: &str) -> Option<PathBuf> {
    let plain = Path::new(rest).components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| folder.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn served_files_stay_below_their_folder() {
        assert!(below(Path::new("/x"), "a/b.js").is_some());
        assert!(below(Path::new("/x"), "../b.js").is_none());
        assert!(below(Path::new("/x"), "/etc/passwd").is_none());
    }

    #[test]
    fn content_types_match_file_extensions() {
        assert_eq!(content_type(Path::new("a.js")), "text/javascript; charset=utf-8");
        assert_eq!(content_type(Path::new("a.wasm")), "application/wasm");
        assert_eq!(content_type(Path::new("a.css")), "text/css; charset=utf-8");
    }
}
