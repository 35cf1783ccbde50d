//! The bearer token: compared in constant time, told to nobody (B-136, B-137).

pub(super) mod in_siyuan;

use std::fmt;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

/// What a caller must send as `Authorization: Bearer ...`.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken(String);

impl BearerToken {
    /// A token, unless the text is empty or could not stand in a header.
    pub fn new(text: &str) -> Option<BearerToken> {
        let text = text.trim();
        let sendable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        sendable.then(|| BearerToken(text.to_owned()))
    }

    /// As a caller sends it.
    pub(crate) fn as_header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Whether the headers carry it exactly once.
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

/// The mark of a request that carried the token which is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Authorized;

/// Lets a request pass, or answers 401 and says which setting would admit the caller (B-088).
pub(super) async fn check(
    State(token): State<Option<BearerToken>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(token) = token {
        if !token.admits(request.headers()) {
            let why =
                "This server needs the token that it was started with (SIYUAN_MCP_TOKEN or --mcp-token-file)";
            return refused(why);
        }
        request.extensions_mut().insert(Authorized);
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

    /// B-136.
    #[test]
    fn only_the_one_right_token_passes() {
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

    /// B-137.
    #[test]
    fn the_token_is_never_printed() {
        assert!(!format!("{:?}", BearerToken::new("canary")).contains("canary"));
    }
}
