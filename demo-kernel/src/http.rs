//! From a connection to an endpoint and back: log, faults, access, body, envelope, static files.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use crate::answer::{Answer, FormPart, Outcome, Refusal};
use crate::bulk;
use crate::endpoints::handler::Handler;
use crate::endpoints::table;
use crate::faults::{Fault, FaultKind};
use crate::kernel::Kernel;
use crate::log::OpenRequest;
use crate::switches::Switches;

mod access;
mod files;
mod streams;
mod turns;

pub(crate) use files::content_type;
pub(crate) use turns::Turns;

/// The header by which the host page of SiYuan 3.8 names itself when it or a plugin writes a file.
const APP_ID: &str = "x-siyuan-app-id";

/// The greatest size of a request body.
const BODY_LIMIT: usize = 64 << 20;

/// Accepts connections until it is stopped; accepts none for a while after a requested restart.
pub(crate) async fn serve(listener: TcpListener, kernel: Arc<Kernel>, mut stopped: watch::Receiver<bool>) {
    let Ok(address) = listener.local_addr() else { return };
    let mut restart = kernel.restart.subscribe();
    let mut listener = Some(listener);
    loop {
        let Some(open) = &listener else {
            let gone = *restart.borrow_and_update();
            tokio::time::sleep(gone).await;
            kernel.note_start(gone / 2);
            listener = TcpListener::bind(address).await.ok();
            continue;
        };
        let stream = tokio::select! {
            accepted = open.accept() => accepted,
            _ = restart.changed() => {
                listener = None;
                continue;
            }
            _ = stopped.wait_for(|stop| *stop) => return,
        };
        // An accept may fail because the connection is already gone; the next one may succeed.
        let Ok((stream, _)) = stream else { continue };
        tokio::spawn(connection(stream, Arc::clone(&kernel), stopped.clone()));
    }
}

/// Serves one connection until it ends, a `drop` fault hits it or the kernel stops.
async fn connection(stream: TcpStream, kernel: Arc<Kernel>, mut stopped: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let cut = Arc::new(Notify::new());
    let mut restart = kernel.restart.subscribe();
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
        _ = restart.changed() => {}
        _ = stopped.wait_for(|stop| *stop) => {}
    }
}

async fn answer(request: Request, kernel: Arc<Kernel>, cut: &Notify) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    if let Some(door) = path.strip_prefix("/demo/") {
        return test_door(door, request, &kernel).await;
    }
    let (request, file) = named_file(request).await;
    let open = OpenRequest { method: method.as_str().to_owned(), path, file };
    let path = open.path.as_str();
    let counted = path.starts_with("/api/") || path.starts_with("/ws/") || path.starts_with("/es/");
    let fault = kernel.faults.take(path);
    let lasting = fault.as_ref().map(Fault::duration).unwrap_or_default();
    let kind = fault.map(|fault| fault.fault);
    if kind == Some(FaultKind::Delay) {
        kernel.log.hold(&open, lasting).await;
    }
    let mut response = match kind {
        Some(FaultKind::Drop | FaultKind::Restart) => {
            kernel.log.add(&open, 0);
            if kind == Some(FaultKind::Restart) {
                kernel.restart.send_replace(lasting);
            }
            cut.notify_one();
            return std::future::pending().await;
        }
        None | Some(FaultKind::Delay | FaultKind::Slow) if counted && kernel.is_starting() => {
            faulty(FaultKind::Starting, lasting)
        }
        None | Some(FaultKind::Delay) => route(request, Arc::clone(&kernel)).await,
        Some(FaultKind::Slow) => in_pieces(route(request, Arc::clone(&kernel)).await, lasting),
        Some(kind) => faulty(kind, lasting),
    };
    if counted {
        kernel.log.add(&open, response.status().as_u16());
    }
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// The request, and the file that it names in a JSON body, for the log.
async fn named_file(request: Request) -> (Request, Option<String>) {
    if !request.uri().path().starts_with("/api/file/") || is_form(request.headers()) {
        return (request, None);
    }
    let (head, body) = request.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, BODY_LIMIT).await else {
        return (Request::from_parts(head, Body::empty()), None);
    };
    let arguments: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let file = arguments.get("path").and_then(serde_json::Value::as_str).map(str::to_owned);
    (Request::from_parts(head, Body::from(bytes)), file)
}

fn faulty(kind: FaultKind, lasting: Duration) -> Response {
    match kind {
        FaultKind::Unauthorized => access::denied("Auth failed [header: Authorization]"),
        FaultKind::Forbidden => StatusCode::FORBIDDEN.into_response(),
        FaultKind::Busy => {
            let seconds = lasting.as_secs().max(1).to_string();
            (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds)]).into_response()
        }
        FaultKind::Missing => {
            json_response(StatusCode::ACCEPTED, Err(Refusal::code(404, "file does not exist")))
        }
        FaultKind::Null => json_response(StatusCode::OK, Err(Refusal::panicked())),
        FaultKind::Empty => StatusCode::OK.into_response(),
        FaultKind::Starting => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        FaultKind::Broken | FaultKind::Delay | FaultKind::Drop | FaultKind::Slow | FaultKind::Restart => {
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// An answer whose body comes in pieces.
fn in_pieces(response: Response, lasting: Duration) -> Response {
    const PIECES: u32 = 8;
    let (head, body) = response.into_parts();
    let pieces = futures_util::stream::once(axum::body::to_bytes(body, BODY_LIMIT)).flat_map(move |bytes| {
        let bytes = bytes.unwrap_or_default();
        let length = bytes.len().div_ceil(PIECES as usize).max(1);
        let pieces: Vec<Bytes> = bytes.chunks(length).map(Bytes::copy_from_slice).collect();
        futures_util::stream::iter(pieces).then(move |piece| async move {
            tokio::time::sleep(lasting / PIECES).await;
            Ok::<_, std::convert::Infallible>(piece)
        })
    });
    Response::from_parts(head, Body::from_stream(pieces))
}

/// The endpoints for tests; they are not part of SiYuan.
async fn test_door(door: &str, request: Request, kernel: &Arc<Kernel>) -> Response {
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
        ("POST", "switches") => match axum::Json::<Switches>::from_request(request, &()).await {
            Ok(axum::Json(switches)) => match kernel.switch(switches) {
                Ok(()) => StatusCode::NO_CONTENT.into_response(),
                Err(refusal) => json_response(StatusCode::INTERNAL_SERVER_ERROR, Err(refusal)),
            },
            Err(wrong) => wrong.into_response(),
        },
        ("POST", "bulk") => match axum::Json::<Bulk>::from_request(request, &()).await {
            Ok(axum::Json(Bulk { documents, blocks })) => {
                let kernel = Arc::clone(kernel);
                let load = move || bulk::load(&kernel.store, documents, blocks).map(serde_json::Value::from);
                match tokio::task::spawn_blocking(load).await {
                    Ok(outcome) => json_response(StatusCode::OK, outcome),
                    Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                }
            }
            Err(wrong) => wrong.into_response(),
        },
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The amount that `/demo/bulk` makes.
#[derive(Debug, serde::Deserialize)]
struct Bulk {
    documents: usize,
    blocks: usize,
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
        "/ws" => return streams::page(request, &kernel).await,
        "/ws/broadcast" => return streams::socket(request, &kernel).await,
        "/es/broadcast/subscribe" => return streams::events(&request, &kernel.channels),
        _ => {}
    }
    let Some(endpoint) = table::find(&path) else {
        if path.starts_with("/api/")
            || path.starts_with("/ws/")
            || path.starts_with("/es/")
            || path == "/upload"
        {
            return json_response(StatusCode::OK, Err(Refusal::not_here(&path)));
        }
        let accepts = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
        let zips = accepts.is_some_and(|value| value.contains("gzip"));
        return files::serve(&path, &kernel, zips).await;
    };
    let fits = request.method() == Method::POST || (endpoint.get && request.method() == Method::GET);
    if !fits {
        return (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain")], "404 page not found")
            .into_response();
    }
    if let Some(refused) = access::check_role(&path, &kernel) {
        return refused;
    }
    call(endpoint.handler, &path, request, kernel).await
}

async fn call(handler: Handler, path: &str, request: Request, kernel: Arc<Kernel>) -> Response {
    let headers = request.headers().clone();
    let (mut form, mut body) = match read_body(request, &headers).await {
        Ok(read) => read,
        Err(response) => return response,
    };
    if let Some(page) = headers.get(APP_ID).filter(|_| path.starts_with("/api/file/")) {
        name_page(&mut form, &mut body, page);
    }
    let switches = kernel.switches.get();
    let _turn = if switches.one_at_a_time { kernel.turns.take(path).await } else { None };
    if switches.waits {
        tokio::time::sleep(turns::pause(path)).await;
    }
    let (is_short, path) = (turns::is_short(path), path.to_owned());
    let work = move || response(handler.answer(&kernel, &path, &body, form));
    // Handing a short read to another thread takes longer than doing it.
    if is_short {
        return work();
    }
    // The others wait for the disk; the runtime's own threads must not.
    match tokio::task::spawn_blocking(work).await {
        Ok(response) => response,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
    kind.is_some_and(|it| it.starts_with("multipart/form-data"))
}

/// The parts of a form, or the bytes of any other body.
async fn read_body(
    request: Request,
    headers: &HeaderMap,
) -> Result<(Option<Vec<FormPart>>, Bytes), Response> {
    if !is_form(headers) {
        let body = axum::body::to_bytes(request.into_body(), BODY_LIMIT).await;
        return body.map(|bytes| (None, bytes)).map_err(|_| StatusCode::PAYLOAD_TOO_LARGE.into_response());
    }
    let mut form = Multipart::from_request(request, &()).await.map_err(IntoResponse::into_response)?;
    let mut parts = Vec::new();
    while let Some(field) = form.next_field().await.map_err(IntoResponse::into_response)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let bytes = field.bytes().await.map_err(IntoResponse::into_response)?;
        parts.push(FormPart { name, file_name, bytes });
    }
    Ok((Some(parts), Bytes::new()))
}

/// Puts the page of the header into the arguments, where the kernel takes it from too.
fn name_page(form: &mut Option<Vec<FormPart>>, body: &mut Bytes, page: &HeaderValue) {
    if let Some(parts) = form {
        parts.insert(
            0,
            FormPart { name: "app".into(), file_name: None, bytes: Bytes::copy_from_slice(page.as_bytes()) },
        );
    } else if let Ok(serde_json::Value::Object(mut args)) = serde_json::from_slice(body) {
        args.insert("app".into(), page.to_str().unwrap_or_default().into());
        *body = serde_json::Value::Object(args).to_string().into();
    }
}

fn json_response(status: StatusCode, outcome: Outcome) -> Response {
    response(Answer::json(status.as_u16(), outcome))
}

fn response(answer: Answer) -> Response {
    let Answer { status, content_type, body } = answer;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if content_type.is_empty() {
        // A body of bytes would name a type of its own.
        return (status, Body::from(body)).into_response();
    }
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}
