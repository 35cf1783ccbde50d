//! Stands between sidecar and SiYuan: counts requests, and gives the sidecar settings of its own.
//!
//! The person's switches, levels and coins are neither read nor written: every request for the plugin's files goes to
//! a folder that is removed afterwards.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use puppy_core::kernel::files::{STORAGE, TEMP};

use crate::kernel::Kernel;

/// The folder of the run's own settings.
pub(crate) const FOLDER: &str = "/temp/siyuan-mcp-puppy-live";

/// The places of the plugin's files, and their places during the run.
const PLACES: [(&str, &str); 2] =
    [(STORAGE, "/temp/siyuan-mcp-puppy-live/storage/"), (TEMP, "/temp/siyuan-mcp-puppy-live/temp/")];

/// The largest request that is passed on.
const LARGEST: usize = 64 << 20;

/// The path during the run of a file of the plugin.
pub(crate) fn moved(path: &str) -> String {
    PLACES.iter().fold(path.to_owned(), |path, (from, to)| path.replace(from, to))
}

/// A proxy on a free port of this machine.
pub(crate) struct Between {
    pub(crate) url: String,
    shared: Arc<ProxyState>,
}

struct ProxyState {
    kernel: Kernel,
    /// The paths of the requests that calls made.
    seen: Mutex<Vec<String>>,
}

impl Between {
    pub(crate) async fn start(kernel: Kernel) -> Result<Between, String> {
        let shared = Arc::new(ProxyState { kernel, seen: Mutex::default() });
        let none = |_| "No port is free.";
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(none)?;
        let url = format!("http://{}", listener.local_addr().map_err(none)?);
        let app = Router::new().fallback(pass_on).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(Between { url, shared })
    }

    /// The paths of the requests since the last time, without those for the plugin's own files.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn pass_on(State(shared): State<Arc<ProxyState>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let (body, own) = redirected(&body);
    let path = parts.uri.path().to_owned();
    let mut sent = shared.kernel.client.request(parts.method, format!("{}{path}", shared.kernel.url));
    for name in [header::CONTENT_TYPE, header::AUTHORIZATION] {
        if let Some(value) = parts.headers.get(&name) {
            sent = sent.header(name, value);
        }
    }
    if !own {
        shared.seen.lock().unwrap_or_else(PoisonError::into_inner).push(path);
    }
    let Ok(answer) = sent.body(body).send().await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let (status, media) = (answer.status(), answer.headers().get(header::CONTENT_TYPE).cloned());
    let Ok(bytes) = answer.bytes().await else { return StatusCode::BAD_GATEWAY.into_response() };
    let headers: HeaderMap = media.into_iter().map(|it| (header::CONTENT_TYPE, it)).collect();
    (status, headers, bytes).into_response()
}

/// The body with the places of the plugin's files replaced, and whether there was one.
fn redirected(body: &Bytes) -> (Bytes, bool) {
    let mut out = body.to_vec();
    for (from, to) in PLACES {
        let mut at = 0;
        while let Some(found) = find(out.get(at..).unwrap_or_default(), from.as_bytes()) {
            out.splice(at + found..at + found + from.len(), to.bytes());
            at += found + to.len();
        }
    }
    let own = out != body.as_ref();
    (Bytes::from(out), own)
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_plugin_are_looked_for_elsewhere() {
        let (body, own) = redirected(&Bytes::from(format!(r#"{{"path":"{STORAGE}a","other":"{TEMP}b"}}"#)));
        assert!(own);
        assert_eq!(body, format!(r#"{{"path":"{FOLDER}/storage/a","other":"{FOLDER}/temp/b"}}"#));
        let note = Bytes::from_static(b"{\"id\":\"20250101000000-aaaaaaa\"}");
        assert_eq!(redirected(&note), (note.clone(), false));
    }
}
