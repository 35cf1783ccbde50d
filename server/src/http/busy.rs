//! Bounds concurrent calls without a session, and open streams, so that connections remain for calls (B-141).
//!
//! Each session counts its own calls.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Limits;
use super::auth::{AgentOfToken, AuthorizedRequest};
use super::connections::Peer;
use super::envelope::{Envelope, RequestBody};
use crate::mcp::{InSession, Sessions};

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// The limits, with the places in use.
#[derive(Debug, Clone)]
pub(super) struct Room {
    calls: Arc<Semaphore>,
    streams: Arc<Streams>,
    sessions: Arc<Sessions>,
}

/// The open streams, counted by owner.
#[derive(Debug)]
struct Streams {
    most: usize,
    each: usize,
    open: Mutex<HashMap<Whose, usize>>,
}

/// The owner of a stream. A caller cannot invent one: an existing session, an agent, all callers with the token, or a
/// machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Whose {
    Session(Vec<u8>),
    /// The agent with this id.
    Agent(String),
    Token,
    Machine(Option<IpAddr>),
}

impl Whose {
    fn of(request: &Request) -> Whose {
        if let Some(AgentOfToken(proof)) = request.extensions().get() {
            return Whose::Agent(proof.agent().to_owned());
        }
        if request.extensions().get::<AuthorizedRequest>().is_some() {
            return Whose::Token;
        }
        Whose::Machine(request.extensions().get::<Peer>().map(|Peer(address)| address.to_canonical()))
    }
}

/// The place that a request needs.
enum Need {
    Nothing,
    /// A place of its session.
    Session,
    Call,
    Stream(Whose),
}

/// An occupied place, released on drop.
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

    /// Follows rmcp's routing: the place depends on where the message will be served, not on the session a caller
    /// claims.
    fn need(&self, request: &Request) -> Need {
        let headers = request.headers();
        let session = headers.get(SESSION).map(HeaderValue::as_bytes).filter(|id| self.sessions.knows(id));
        if request.method() == Method::GET {
            let theirs = session.map(|id| Whose::Session(id.to_vec()));
            return Need::Stream(theirs.unwrap_or_else(|| Whose::of(request)));
        }
        if request.method() != Method::POST {
            return Need::Nothing;
        }
        let body = request.extensions().get::<RequestBody>();
        match body.and_then(|RequestBody(body)| Envelope::of(body)) {
            Some(said) if said.listens() => Need::Stream(Whose::of(request)),
            Some(said) if session.is_some() && said.is_in_session(headers) => Need::Session,
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

/// Runs a request if it gets a place, and answers 429 otherwise.
pub(super) async fn bound(State(room): State<Room>, mut request: Request, next: Next) -> Response {
    let (place, why) = match room.need(&request) {
        Need::Nothing => return next.run(request).await,
        Need::Session => {
            request.extensions_mut().insert(InSession);
            return next.run(request).await;
        }
        Need::Call => (
            room.calls.clone().try_acquire_owned().ok().map(Place::Call),
            "Too many calls are running. Wait until one ends.",
        ),
        Need::Stream(whose) => {
            (room.take_stream(whose), "Too many streams are open. Close one, or wait until one ends.")
        }
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
    // A stream continues: its place is released when its last part is sent or the client has gone.
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
