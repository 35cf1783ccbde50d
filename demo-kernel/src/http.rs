//! From a connection to an endpoint and back: log, faults, access, body, envelope, static files.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use crate::answer::{Outcome, Refusal, envelope, parse_args};
use crate::endpoints::{self, Run};
use crate::faults::{Fault, Kind};
use crate::kernel::Kernel;

mod access;
mod files;
mod streams;

pub(crate) use files::content_type;

/// No request body may be larger.
const BODY_LIMIT: usize = 64 << 20;

/// A part of a multipart form.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) file_name: Option<String>,
    pub(crate) bytes: Bytes,
}

/// Accepts connections until told to stop.
pub(crate) async fn serve(listener: TcpListener, kernel: Arc<Kernel>, mut stopped: watch::Receiver<bool>) {
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stop| *stop) => return,
        };
        // An accept may fail for a connection that is gone again; the next one may be good.
        let Ok((stream, _)) = stream else { continue };
        tokio::spawn(connection(stream, Arc::clone(&kernel), stopped.clone()));
    }
}

/// Serves one connection until it ends, a `drop` fault hits it or the kernel stops.
async fn connection(stream: TcpStream, kernel: Arc<Kernel>, mut stopped: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let cut = Arc::new(Notify::new());
    let service = {
        let cut = Arc::clone(&cut);
        hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let (kernel, cut) = (Arc::clone(&kernel), Arc::clone(&cut));
            async move { Ok::<_, std::convert::Infallible>(answer(request.map(Body::new), kernel, &cut).await) }
        })
    };
    let serving = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::select! {
        _ = serving => {}
        () = cut.notified() => {}
        _ = stopped.wait_for(|stop| *stop) => {}
    }
}

async fn answer(request: Request, kernel: Arc<Kernel>, cut: &Notify) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    if let Some(door) = path.strip_prefix("/demo/") {
        return test_door(door, request, &kernel).await;
    }
    let counted = path.starts_with("/api/") || path.starts_with("/ws/") || path.starts_with("/es/");
    let fault = kernel.faults.take(&path);
    if let Some(Fault { fault: Kind::Delay, ms, .. }) = &fault {
        tokio::time::sleep(std::time::Duration::from_millis(ms.unwrap_or(1000))).await;
    }
    let mut response = match fault.map(|f| f.fault) {
        Some(Kind::Drop) => {
            kernel.log.add(method.as_str(), &path, 0);
            cut.notify_one();
            return std::future::pending().await;
        }
        Some(kind) if kind != Kind::Delay => faulty(kind),
        _ => route(request, Arc::clone(&kernel)).await,
    };
    if counted {
        kernel.log.add(method.as_str(), &path, response.status().as_u16());
    }
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

fn faulty(kind: Kind) -> Response {
    match kind {
        Kind::Unauthorized => access::denied("Auth failed [header: Authorization]"),
        Kind::Forbidden => StatusCode::FORBIDDEN.into_response(),
        Kind::Busy => (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")]).into_response(),
        Kind::Missing => json_response(StatusCode::ACCEPTED, Err(Refusal::code(404, "file does not exist"))),
        Kind::Null => json_response(StatusCode::OK, Err(Refusal::panicked())),
        Kind::Empty => StatusCode::OK.into_response(),
        Kind::Broken | Kind::Delay | Kind::Drop => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The doors for tests; they are no part of SiYuan.
async fn test_door(door: &str, request: Request, kernel: &Kernel) -> Response {
    match (request.method().as_str(), door) {
        ("GET", "log") => axum::Json(kernel.log.entries()).into_response(),
        ("POST", "log/clear") => {
            kernel.log.clear();
            StatusCode::NO_CONTENT.into_response()
        }
        ("POST", "faults") => match axum::Json::<Vec<Fault>>::from_request(request, &()).await {
            Ok(axum::Json(faults)) => {
                kernel.faults.replace(faults);
                StatusCode::NO_CONTENT.into_response()
            }
            Err(wrong) => wrong.into_response(),
        },
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn route(request: Request, kernel: Arc<Kernel>) -> Response {
    if request.method() == Method::OPTIONS {
        return access::preflight();
    }
    let path = request.uri().path().to_owned();
    if let Err(refused) = access::check(&request, &kernel) {
        return refused;
    }
    match path.as_str() {
        "/ws/broadcast" => return streams::socket(request, Arc::clone(&kernel.channels)).await,
        "/es/broadcast/subscribe" => return streams::events(&request, &kernel.channels),
        _ => {}
    }
    let Some(endpoint) = endpoints::find(&path) else {
        if path.starts_with("/api/")
            || path.starts_with("/ws/")
            || path.starts_with("/es/")
            || path == "/upload"
        {
            return json_response(StatusCode::OK, Err(Refusal::not_here(&path)));
        }
        return files::serve(&path, &kernel).await;
    };
    let fits = request.method() == Method::POST || (endpoint.get && request.method() == Method::GET);
    if !fits {
        return (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain")], "404 page not found")
            .into_response();
    }
    call(endpoint.run, &path, request, kernel).await
}

async fn call(run: Run, path: &str, request: Request, kernel: Arc<Kernel>) -> Response {
    let headers = request.headers().clone();
    let (form, body) = match read_body(request, &headers).await {
        Ok(read) => read,
        Err(response) => return response,
    };
    let path = path.to_owned();
    let work = move || match run {
        Run::Json(f) => {
            json_response(StatusCode::OK, parse_args(&path, &body).and_then(|args| f(&kernel, &args)))
        }
        Run::Bare(f) => match parse_args(&path, &body).and_then(|args| f(&kernel, &args)) {
            Err(refusal) if refusal == Refusal::panicked() => StatusCode::OK.into_response(),
            outcome => json_response(StatusCode::OK, outcome),
        },
        Run::Lenient(f) => {
            json_response(StatusCode::OK, f(&kernel, &parse_args(&path, &body).unwrap_or_default()))
        }
        Run::Form(f) => json_response(StatusCode::OK, f(&kernel, form)),
        Run::File(f) => match parse_args(&path, &body).and_then(|args| f(&kernel, &args)) {
            Ok((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
            Err(refusal) => json_response(StatusCode::ACCEPTED, Err(refusal)),
        },
    };
    // Endpoints wait for the disk; the runtime's own threads must not.
    match tokio::task::spawn_blocking(work).await {
        Ok(response) => response,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The parts of a form, or the bytes of any other body.
async fn read_body(request: Request, headers: &HeaderMap) -> Result<(Option<Vec<Part>>, Bytes), Response> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("multipart/form-data") {
        let body = axum::body::to_bytes(request.into_body(), BODY_LIMIT).await;
        return body.map(|bytes| (None, bytes)).map_err(|_| StatusCode::PAYLOAD_TOO_LARGE.into_response());
    }
    let mut form = Multipart::from_request(request, &()).await.map_err(IntoResponse::into_response)?;
    let mut parts = Vec::new();
    while let Some(field) = form.next_field().await.map_err(IntoResponse::into_response)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let bytes = field.bytes().await.map_err(IntoResponse::into_response)?;
        parts.push(Part { name, file_name, bytes });
    }
    Ok((Some(parts), Bytes::new()))
}

/// An envelope; what this kernel does not have is HTTP 501 whatever the caller asked for.
fn json_response(status: StatusCode, outcome: Outcome) -> Response {
    let status = match &outcome {
        Err(refusal) if refusal.code == 501 => StatusCode::NOT_IMPLEMENTED,
        _ => status,
    };
    let body = envelope(outcome).to_string();
    (status, [(header::CONTENT_TYPE, "application/json; charset=utf-8")], body).into_response()
}
