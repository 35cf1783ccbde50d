//! Stands between sidecar and kernel and writes down what a call asks of the kernel.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request as Incoming, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::Setting;
use crate::operations::Request;

/// A proxy on a free port of this machine.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    kernel: String,
    client: reqwest::Client,
    seen: Mutex<Vec<Request>>,
}

impl Recorder {
    pub(crate) async fn start(setting: &Setting) -> Recorder {
        let client = crate::http();
        let shared = Arc::new(Shared { kernel: setting.kernel.clone(), client, seen: Mutex::default() });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().fallback(forward).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Recorder { url, shared }
    }

    /// Takes the requests recorded since the last time, except those for the sidecar's own files, which no call waits
    /// for.
    pub(crate) fn take(&self) -> Vec<Request> {
        let mut seen = std::mem::take(&mut *self.shared.seen.lock().unwrap());
        seen.retain(|it| !String::from_utf8_lossy(&it.body).contains("siyuan-mcp-puppy"));
        seen
    }
}

async fn forward(State(shared): State<Arc<Shared>>, incoming: Incoming) -> Response {
    let (parts, body) = incoming.into_parts();
    let body: Bytes = to_bytes(body, usize::MAX).await.unwrap();
    let header = |name| parts.headers.get(name).and_then(|it: &axum::http::HeaderValue| it.to_str().ok());
    let media = header(header::CONTENT_TYPE).unwrap_or("application/json").to_owned();
    let path = parts.uri.path().to_owned();
    let mut post = shared.client.post(format!("{}{path}", shared.kernel)).header("content-type", &media);
    if let Some(token) = header(header::AUTHORIZATION) {
        post = post.header("authorization", token);
    }
    let Ok(answer) = post.body(body.clone()).send().await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    shared.seen.lock().unwrap().push(Request { path, media, body });
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap();
    let media = answer.headers().get("content-type").cloned();
    let bytes = answer.bytes().await.unwrap();
    let media = media.map(|it| (header::CONTENT_TYPE, it));
    (status, media.into_iter().collect::<axum::http::HeaderMap>(), bytes).into_response()
}
