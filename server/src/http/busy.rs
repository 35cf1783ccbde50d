//! Places: so many calls at once of callers without a session, each session has its own count; and so many open
//! streams, so that connections are left for calls (B-141).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Limits;
use super::envelope::{Envelope, Whole};
use crate::mcp::Sessions;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// The places there are.
#[derive(Debug, Clone)]
pub(super) struct Room {
    calls: Arc<Semaphore>,
    streams: Arc<Streams>,
    sessions: Arc<Sessions>,
}

/// Open streams, by whose they are.
#[derive(Debug)]
struct Streams {
    most: usize,
    each: usize,
    open: Mutex<HashMap<Whose, usize>>,
}

/// A session, or whoever shows the same token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Whose {
    Session(Vec<u8>),
    Token(Vec<u8>),
}

/// What a request needs.
enum Need {
    Nothing,
    Call,
    Stream(Whose),
}

/// A place that was taken; it is free when this goes.
enum Place {
    Call(#[expect(dead_code, reason = "held")] OwnedSemaphorePermit),
    Stream(Arc<Streams>, Whose),
}

impl Drop for Place {
    fn drop(&mut self) {
        let Place::Stream(streams, whose) = self else { return };
        let mut open = streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(whose) {
            *count -= 1;
            if *count == 0 {
                open.remove(whose);
            }
        }
    }
}

impl Room {
    pub(super) fn new(limits: &Limits, sessions: Arc<Sessions>) -> Room {
        let streams = Streams { most: limits.streams, each: limits.streams_each, open: Mutex::default() };
        Room { calls: Arc::new(Semaphore::new(limits.stateless_calls)), streams: Arc::new(streams), sessions }
    }

    /// Judged as rmcp judges: not by what a caller says of its session, but by where the message will be served.
    fn need(&self, request: &Request) -> Need {
        let headers = request.headers();
        let session = headers.get(SESSION).map(|it| it.as_bytes().to_vec());
        let token =
            || headers.get(header::AUTHORIZATION).map(|it| it.as_bytes().to_vec()).unwrap_or_default();
        if request.method() == Method::GET {
            return Need::Stream(session.map_or_else(|| Whose::Token(token()), Whose::Session));
        }
        if request.method() != Method::POST {
            return Need::Nothing;
        }
        let body = request.extensions().get::<Whole>();
        match body.and_then(|Whole(body)| Envelope::of(body)) {
            Some(said) if said.listens() => Need::Stream(Whose::Token(token())),
            Some(said)
                if said.is_in_session(headers) && session.is_some_and(|id| self.sessions.knows(&id)) =>
            {
                Need::Nothing
            }
            _ => Need::Call,
        }
    }

    fn take_stream(&self, whose: Whose) -> Option<Place> {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, theirs) = (open.values().sum::<usize>(), open.get(&whose).copied().unwrap_or_default());
        if all >= self.streams.most || theirs >= self.streams.each {
            return None;
        }
        open.insert(whose.clone(), theirs + 1);
        Some(Place::Stream(self.streams.clone(), whose))
    }
}

/// Lets a request run while there is a place for it, else answers 429.
pub(super) async fn bound(State(room): State<Room>, request: Request, next: Next) -> Response {
    let (place, why) = match room.need(&request) {
        Need::Nothing => return next.run(request).await,
        Need::Call => (
            room.calls.clone().try_acquire_owned().ok().map(Place::Call),
            "Too many calls run at once. Wait for one to end.",
        ),
        Need::Stream(whose) => (
            room.take_stream(whose),
            "As many streams are open as may. Close one, or wait until one has ended.",
        ),
    };
    let Some(place) = place else {
        let error = json!({ "code": -32000, "message": why });
        let body = Json(json!({ "jsonrpc": "2.0", "id": null, "error": error }));
        return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")], body).into_response();
    };
    let answer = next.run(request).await;
    if !is_stream(&answer) {
        return answer;
    }
    // A stream runs on: its place is free when the last of it is sent, or when nobody listens any more.
    answer.map(|body| {
        Body::from_stream(body.into_data_stream().inspect(move |_| {
            let _ = &place;
        }))
    })
}

/// Whether more of an answer is still to come.
pub(super) fn is_stream(answer: &Response) -> bool {
    !answer.body().is_end_stream() && answer.body().size_hint().exact().is_none()
}
