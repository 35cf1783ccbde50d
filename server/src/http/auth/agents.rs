//! The tokens of agents: who presents one is known as its agent, and needs no other token.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use puppy_core::agents::token::is_of_agent;

use super::{AgentOfToken, AuthorizedRequest, refused};
use crate::agent_tokens::AgentTokens;
use crate::http::busy::is_stream;

/// The time between two looks at whether the token of an open stream still holds.
const LOOK: Duration = Duration::from_millis(500);

/// The place of the tokens; none for a user without folders, who has no agents with tokens.
#[derive(Debug, Clone)]
pub(in crate::http) struct TokenPlace(Option<Arc<PathBuf>>);

/// The reason why a token admits nobody.
enum Refusal {
    /// It was revoked, or issued on another machine.
    Unknown,
    /// The file of tokens cannot be read.
    Unreadable,
}

impl TokenPlace {
    /// The tokens in this file.
    pub(in crate::http) fn new(place: Option<PathBuf>) -> TokenPlace {
        TokenPlace(place.map(Arc::new))
    }

    fn holder(&self, token: &str) -> Result<String, Refusal> {
        let place = self.0.as_ref().ok_or(Refusal::Unknown)?;
        // The file is small and local, so that a token which was revoked holds for no request that comes later.
        let tokens = AgentTokens::read(place).map_err(|_| Refusal::Unreadable)?;
        tokens.holder(token).map(str::to_owned).ok_or(Refusal::Unknown)
    }

    /// Completes when a token does not hold any more.
    async fn ended(self, token: String) {
        while self.holder(&token).is_ok() {
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// The token of an agent that is sent exactly once; `None` for another one or none.
fn sent(headers: &HeaderMap) -> Option<String> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(only), None) = (sent.next(), sent.next()) else { return None };
    let (scheme, token) = only.to_str().ok()?.split_at_checked("Bearer ".len())?;
    (scheme.eq_ignore_ascii_case("Bearer ") && is_of_agent(token)).then(|| token.to_owned())
}

/// Admits a request with the token of an agent, ends its streams when the token ends, and passes all others on.
pub(in crate::http) async fn admit(
    State(place): State<TokenPlace>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(token) = sent(request.headers()) else { return next.run(request).await };
    match place.holder(&token) {
        Ok(agent) => {
            let marks = request.extensions_mut();
            marks.insert(AgentOfToken(agent));
            marks.insert(AuthorizedRequest);
        }
        Err(Refusal::Unknown) => {
            return refused(
                "This agent's token was revoked, or issued on another machine. Ask the person for a new one",
            );
        }
        Err(Refusal::Unreadable) => {
            let why =
                "The tokens of agents on this machine cannot be read. `siyuan-puppy agents` says more.\n";
            return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
        }
    }
    let answer = next.run(request).await;
    if !is_stream(&answer) {
        return answer;
    }
    answer.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(place.ended(token)))))
}
