//! The tokens of agents: a caller that shows one is known as its agent, and needs no other token.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use puppy_core::agents::token::is_of_agent;
use tokio_util::sync::CancellationToken;

use super::{AgentOfToken, AuthorizedRequest, refused};
use crate::agent_tokens::{AgentProof, ProofRefusal, TokenPlace};
use crate::http::busy::is_stream;
use crate::mcp::Sessions;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";
/// The time between two looks at whether the tokens of open sessions and streams are still in force.
const LOOK: Duration = Duration::from_millis(500);

/// The door for agents, with everything open that a token admitted.
#[derive(Debug, Clone)]
pub(in crate::http) struct AgentDoor(Arc<Admitted>);

#[derive(Debug)]
struct Admitted {
    place: TokenPlace,
    sessions: Arc<Sessions>,
    open: Mutex<OpenStreams>,
}

#[derive(Debug, Default)]
struct OpenStreams {
    streams: Vec<Weak<OpenStream>>,
    /// Whether a task looks after them.
    is_watched: bool,
}

/// A stream of an agent.
#[derive(Debug)]
struct OpenStream {
    proof: AgentProof,
    ended: CancellationToken,
}

impl AgentDoor {
    pub(in crate::http) fn new(place: TokenPlace, sessions: Arc<Sessions>) -> AgentDoor {
        AgentDoor(Arc::new(Admitted { place, sessions, open: Mutex::default() }))
    }

    fn open(&self) -> MutexGuard<'_, OpenStreams> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends streams and sessions whose tokens end.
    fn watch(&self, stream: Option<&Arc<OpenStream>>) {
        let mut open = self.open();
        open.streams.extend(stream.map(Arc::downgrade));
        if !std::mem::replace(&mut open.is_watched, true) {
            tokio::spawn(self.clone().look());
        }
    }

    async fn look(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let owners = self.0.sessions.owners();
            let streams: Vec<Arc<OpenStream>> = {
                let mut open = self.open();
                open.streams.retain(|it| it.strong_count() > 0);
                if open.streams.is_empty() && owners.is_empty() {
                    open.is_watched = false;
                    return;
                }
                open.streams.iter().filter_map(Weak::upgrade).collect()
            };
            let mut known: Vec<(AgentProof, bool)> = Vec::new();
            for proof in owners.into_iter().chain(streams.iter().map(|it| it.proof.clone())) {
                if !known.iter().any(|(it, _)| *it == proof) {
                    let holds = proof.holds();
                    known.push((proof, holds));
                }
            }
            for (proof, _) in known.iter().filter(|(_, holds)| !holds) {
                tracing::info!("the token of an agent ended; its sessions and streams end");
                self.0.sessions.close_those_of(proof);
                streams.iter().filter(|it| it.proof == *proof).for_each(|it| it.ended.cancel());
            }
        }
    }
}

/// The token of an agent in the headers of a request.
enum SentToken {
    /// There is none.
    Nothing,
    /// It is sent once.
    One(String),
    /// It is one of several, so that nobody knows which counts.
    Several,
}

fn sent(headers: &HeaderMap) -> SentToken {
    let token = |value: &header::HeaderValue| {
        let (scheme, token) = value.to_str().ok()?.split_at_checked("Bearer ".len())?;
        (scheme.eq_ignore_ascii_case("Bearer ") && is_of_agent(token)).then(|| token.to_owned())
    };
    let all: Vec<Option<String>> = headers.get_all(header::AUTHORIZATION).iter().map(token).collect();
    match all.as_slice() {
        [Some(only)] => SentToken::One(only.clone()),
        all if all.iter().any(Option::is_some) => SentToken::Several,
        _ => SentToken::Nothing,
    }
}

/// Admits a request with the token of an agent, ends its streams when the token ends, and passes all others on. A session
/// is open only to requests that are admitted as the one that began it was.
pub(in crate::http) async fn admit(
    State(door): State<AgentDoor>,
    mut request: Request,
    next: Next,
) -> Response {
    let proof = match sent(request.headers()) {
        SentToken::Nothing => None,
        SentToken::One(token) => match door.0.place.proof(&token) {
            Ok(proof) => Some(proof),
            Err(ProofRefusal::Unknown) => {
                return refused(
                    "This agent's token was revoked, or issued on another machine. Ask the person for a new one (`siyuan-puppy agents token NAME`)",
                );
            }
            Err(ProofRefusal::Unreadable) => {
                let why =
                    "The tokens of agents on this machine cannot be read. `siyuan-puppy agents` says more.\n";
                return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
            }
        },
        SentToken::Several => return refused("An agent's token must be the only one"),
    };
    let session = request.headers().get(SESSION).map(|it| it.as_bytes().to_vec());
    if let Some(owner) = session.as_deref().and_then(|it| door.0.sessions.owner(it))
        && owner != proof
    {
        let why = "Not Found: this session was begun with another token, or with none. Start a new one.\n";
        return (StatusCode::NOT_FOUND, why).into_response();
    }
    let Some(proof) = proof else { return next.run(request).await };
    let marks = request.extensions_mut();
    marks.insert(AgentOfToken(proof.clone()));
    marks.insert(AuthorizedRequest);
    let answer = next.run(request).await;
    if let Some(begun) = answer.headers().get(SESSION).filter(|_| session.is_none()) {
        door.0.sessions.own(begun.as_bytes(), proof.clone());
        door.watch(None);
    }
    if !is_stream(&answer) {
        return answer;
    }
    let stream = Arc::new(OpenStream { proof, ended: CancellationToken::new() });
    door.watch(Some(&stream));
    answer.map(|body| {
        let parts = body.into_data_stream().take_until(Box::pin(stream.ended.clone().cancelled_owned()));
        // The door forgets the stream with its last part.
        Body::from_stream(parts.inspect(move |_| _ = &stream))
    })
}
