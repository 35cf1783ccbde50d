//! Listeners over HTTP: WebSockets and event streams of `/ws/broadcast` and `/es/broadcast/subscribe`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message as Frame, WebSocket};
use axum::extract::{FromRequestParts, Request, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use crate::broadcast::{Channels, Seat};
use crate::kernel::Kernel;

/// The values of a name in a query.
fn values(query: &str, name: &str) -> Vec<String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let wanted = pairs.filter(|(key, _)| *key == name);
    wanted
        .map(|(_, value)| percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned())
        .collect()
}

/// A WebSocket: what is said on the channel comes in, what it sends goes to the others.
pub(super) async fn socket(request: Request, kernel: &Arc<Kernel>) -> Response {
    let (mut parts, _) = request.into_parts();
    let names = values(parts.uri.query().unwrap_or_default(), "channel");
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => {
            // The listener counts from the moment the handshake is answered.
            let (seat, kernel) = (kernel.channels.join(names.clone()), Arc::clone(kernel));
            upgrade.on_upgrade(move |socket| talk(socket, seat, names, kernel))
        }
        Err(wrong) => wrong.into_response(),
    }
}

/// The socket of a page, on which the kernel tells it of changes; what the page says is not listened to.
pub(super) async fn page(request: Request, kernel: &Arc<Kernel>) -> Response {
    let (mut parts, _) = request.into_parts();
    let app = values(parts.uri.query().unwrap_or_default(), "app");
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => {
            let (seat, kernel) = (kernel.pages.join(app), Arc::clone(kernel));
            upgrade.on_upgrade(move |socket| talk(socket, seat, Vec::new(), kernel))
        }
        Err(wrong) => wrong.into_response(),
    }
}

/// Hears and speaks until one side leaves, or the kernel restarts.
async fn talk(mut socket: WebSocket, mut seat: Seat, names: Vec<String>, kernel: Arc<Kernel>) {
    let mut restart = kernel.restart.subscribe();
    loop {
        tokio::select! {
            _ = restart.changed() => return,
            said = seat.messages.recv() => {
                let Some(said) = said else { return };
                if socket.send(Frame::Text(said.text.into())).await.is_err() {
                    return;
                }
            }
            heard = socket.recv() => match heard {
                Some(Ok(Frame::Text(text))) => names.iter().for_each(|name| {
                    kernel.channels.say(name, text.as_str(), Some(seat.id));
                }),
                Some(Ok(Frame::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            }
        }
    }
}

/// An event stream. A page must not open one: two that end in the wrong order end the real kernel.
pub(super) fn events(request: &Request, channels: &Arc<Channels>) -> Response {
    if request.headers().contains_key("sec-fetch-site") {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let query = request.uri().query().unwrap_or_default();
    let retry = values(query, "retry").first().and_then(|ms| ms.parse().ok()).map(Duration::from_millis);
    let seat = channels.join(values(query, "channel"));
    let stream = stream::unfold(seat, move |mut seat| async move {
        let said = seat.messages.recv().await?;
        let mut event = Event::default().id(said.number.to_string()).event(said.channel).data(said.text);
        if let Some(retry) = retry {
            event = event.retry(retry);
        }
        Some((Ok::<_, Infallible>(event), seat))
    });
    Sse::new(stream).into_response()
}
