//! The bearer token: compared in constant time, told to nobody (B-136, B-137).

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use puppy_core::config::{CallSettings, CallerToken};
use puppy_core::kernel::KernelError;
use puppy_core::permission::Closed;
use subtle::ConstantTimeEq;
use tokio::sync::Mutex;

use crate::Sidecar;

/// What a caller must send as `Authorization: Bearer ...`.
#[derive(Clone)]
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

/// Lets a request pass, or answers 401 and says which setting would admit the caller (B-088).
pub(super) async fn check(
    State(token): State<Option<BearerToken>>,
    request: Request,
    next: Next,
) -> Response {
    match token {
        Some(token) if !token.admits(request.headers()) => refused(
            "This server needs the token that it was started with (SIYUAN_MCP_TOKEN or --mcp-token-file)",
        ),
        _ => next.run(request).await,
    }
}

/// The token that the settings in SiYuan ask for, where the server was started with none.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    sidecar: Sidecar,
    /// Other machines can connect: without a token nobody may.
    is_reachable: bool,
    /// What was read last; nothing until SiYuan could be asked once.
    known: Arc<Mutex<Option<Known>>>,
}

#[derive(Debug)]
struct Known {
    token: Option<BearerToken>,
    read: Instant,
}

/// How long SiYuan may take to say which token holds.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long that is believed.
const LIFE: Duration = Duration::from_secs(1);

impl Kept {
    pub(super) fn new(sidecar: Sidecar, is_reachable: bool) -> Kept {
        Kept { sidecar, is_reachable, known: Arc::default() }
    }

    /// The token of this moment, if one is asked for.
    ///
    /// # Errors
    /// When it cannot be known.
    async fn token(&self) -> Result<Due, Unknown> {
        let mut known = self.known.lock().await;
        if known.as_ref().is_none_or(|it| it.read.elapsed() >= LIFE) {
            let read = Instant::now();
            let now = tokio::time::timeout(PATIENCE, self.ask(known.is_none())).await.unwrap_or(Now::Silence);
            let before = known.as_ref().and_then(|it| it.token.clone());
            let token = match now {
                Now::Nobody(why) => return Ok(Due::Nobody(why)),
                Now::Silence if known.is_none() => return Err(Unknown),
                Now::Silence | Now::Said(CallerToken::Unknown) if before.is_some() => before,
                Now::Silence | Now::Said(CallerToken::None) => None,
                Now::Said(CallerToken::Is(text)) => Some(BearerToken::new(&text).ok_or(Unknown)?),
                Now::Said(CallerToken::Unknown) => return Err(Unknown),
            };
            *known = Some(Known { token, read });
        }
        match known.as_ref().and_then(|it| it.token.clone()) {
            None if self.is_reachable => Err(Unknown),
            None => Ok(Due::Nothing),
            Some(token) => Ok(Due::Token(token)),
        }
    }

    async fn ask(&self, is_first: bool) -> Now {
        if !is_first {
            // The one file: a kernel that is slow with all the rest holds nobody up here.
            return CallSettings::read(&self.sidecar.kernel)
                .await
                .map_or(Now::Silence, |it| Now::Said(it.token));
        }
        let policy = self.sidecar.policy().await;
        match (&policy.calls.token, &policy.grants.table) {
            (CallerToken::Unknown, Err(Closed::Kernel(why))) if !self.is_reachable => {
                Now::Nobody(why.clone())
            }
            (CallerToken::Unknown, _) => Now::Silence,
            (token, _) => Now::Said(token.clone()),
        }
    }
}

/// What a caller must show.
enum Due {
    Nothing,
    Token(BearerToken),
    /// Nobody is there who could say it, for this reason, and nothing that a caller could reach.
    Nobody(KernelError),
}

/// The mark of a request that was let in while SiYuan could not be asked for the token: every request of it to
/// SiYuan fails for the same reason, even if SiYuan would answer by now.
#[derive(Debug, Clone)]
pub(crate) struct Unasked(pub(crate) KernelError);

/// What SiYuan answered.
enum Now {
    /// Nothing at all: it does not run, or does not know us.
    Nobody(KernelError),
    /// Nothing of use.
    Silence,
    Said(CallerToken),
}

/// Nobody can say which token holds.
struct Unknown;

/// Lets a request pass by the token in SiYuan's settings; a new one holds within a second.
pub(super) async fn check_kept(
    State(kept): State<Option<Kept>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(kept) = kept else { return next.run(request).await };
    match kept.token().await {
        Ok(Due::Token(token)) if !token.admits(request.headers()) => {
            refused("This server needs the token that the settings of the plugin in SiYuan hold")
        }
        Ok(due) => {
            if let Due::Nobody(why) = due {
                request.extensions_mut().insert(Unasked(why));
            }
            next.run(request).await
        }
        Err(Unknown) => {
            let why = "The settings of the plugin in SiYuan cannot be read, so nobody knows which token holds. \
                See that SiYuan runs and mcpHttpSettings holds a token, or start siyuan-puppy with SIYUAN_MCP_TOKEN.\n";
            (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
        }
    }
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
