//! The bearer token: compared in constant time and never printed (B-136, B-137).

pub(super) mod agents;
pub(super) mod in_siyuan;

use std::fmt;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use puppy_core::agents::token::is_of_agent;
use subtle::ConstantTimeEq;

use crate::agent_tokens::AgentProof;

/// The token that a caller sends as `Authorization: Bearer ...`.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken(String);

impl BearerToken {
    /// Makes a token; `None` if the text is empty or not valid in a header.
    pub fn new(text: &str) -> Option<BearerToken> {
        let text = text.trim();
        let sendable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        sendable.then(|| BearerToken(text.to_owned()))
    }

    /// Whether it has the form of an agent's token.
    pub(crate) fn is_of_agent(&self) -> bool {
        is_of_agent(&self.0)
    }

    /// The header value that a caller sends.
    pub(crate) fn as_header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Whether the headers carry the token exactly once.
    fn admits(&self, headers: &HeaderMap) -> bool {
        let mut sent = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(only), None) = (sent.next(), sent.next()) else { return false };
        let Some((scheme, given)) = only.as_bytes().split_at_checked("Bearer ".len()) else { return false };
        scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(self.0.as_bytes().ct_eq(given))
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken(hidden)")
    }
}

/// Marks a request that carried the token of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentOfToken(pub(crate) AgentProof);

/// Marks a request that carried the required token.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuthorizedRequest;

/// Admits a request, or answers 401 with the setting that would admit the caller (B-088).
pub(super) async fn check(
    State(token): State<Option<BearerToken>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(token) = token.filter(|_| request.extensions().get::<AgentOfToken>().is_none()) {
        if !token.admits(request.headers()) {
            let why =
                "This server needs the token that it was started with (SIYUAN_MCP_TOKEN or --mcp-token-file)";
            return refused(why);
        }
        request.extensions_mut().insert(AuthorizedRequest);
    }
    next.run(request).await
}

fn refused(why: &str) -> Response {
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer realm=\"siyuan-puppy\"")];
    let how = format!("{why}: send it once, as the header `Authorization: Bearer <token>`.\n");
    (StatusCode::UNAUTHORIZED, challenge, how).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn admits(values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        BearerToken::new("secret").unwrap().admits(&headers)
    }

    /// B-136: only the one right token passes.
    #[test]
    fn only_the_right_token_is_admitted() {
        assert!(admits(&["Bearer secret"]) && admits(&["bearer secret"]));
        let wrong: [&[&str]; 7] = [
            &[],
            &["Bearer "],
            &["Bearer secre"],
            &["Bearer secret2"],
            &["secret"],
            &["Token secret"],
            &["Bearer secret", "Bearer secret"],
        ];
        for values in wrong {
            assert!(!admits(values), "{values:?}");
        }
        assert!(BearerToken::new(" ").is_none() && BearerToken::new("two words").is_none());
    }

    /// B-137: the token is never printed.
    #[test]
    fn bearer_token_is_never_printed() {
        assert!(!format!("{:?}", BearerToken::new("canary")).contains("canary"));
    }
}
