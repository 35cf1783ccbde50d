//! The bearer token: compared in constant time, told to nobody (B-136, B-137).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{self, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use puppy_core::config::{CallSettings, CallerToken};
use puppy_core::kernel::KernelError;
use subtle::ConstantTimeEq;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::busy::is_stream;
use crate::Sidecar;
use crate::kernel::HttpKernel;
use crate::mcp::Sessions;

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

/// Lets a request pass, or answers 401 and says which setting would admit the caller (B-088).
pub(super) async fn check(
    extract::State(token): extract::State<Option<BearerToken>>,
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
    kernel: HttpKernel,
    sessions: Arc<Sessions>,
    /// Other machines can connect: without a token nobody may.
    is_reachable: bool,
    /// How many have asked so far.
    asked: Arc<AtomicU64>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// What was read last; nothing until SiYuan could be asked once.
    known: Option<Known>,
    /// What stood in the way when SiYuan was asked last.
    trouble: Option<Trouble>,
    /// How many had asked when it had answered.
    asked: u64,
    /// Ends when another token holds than the one that is known now.
    holds: CancellationToken,
}

#[derive(Debug)]
struct Known {
    token: Option<BearerToken>,
    read: Instant,
}

/// Why SiYuan did not say which token holds.
#[derive(Debug, Clone)]
enum Trouble {
    /// It did not answer, or not so.
    Failed(KernelError),
    /// The settings are torn, or name a token that cannot be sent.
    Unreadable,
}

/// How long SiYuan may take to say which token holds.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long that is believed.
const LIFE: Duration = Duration::from_secs(1);
/// How often is asked while a stream is open and nobody else asks.
const SELDOM: Duration = Duration::from_secs(10);

impl Kept {
    pub(super) fn new(sidecar: &Sidecar, sessions: Arc<Sessions>, is_reachable: bool) -> Kept {
        // Tried once: whoever waits for the answer has a call to make, which is tried as often as any.
        let kernel = sidecar.kernel.http().tried_once();
        Kept { kernel, sessions, is_reachable, asked: Arc::default(), state: Arc::default() }
    }

    /// The token of this moment, if one is asked for. An answer that failed is for those who waited for it: the
    /// next request asks again.
    ///
    /// # Errors
    /// When it cannot be known.
    async fn token(&self) -> Result<Due, Unknown> {
        let place = self.asked.fetch_add(1, Ordering::Relaxed);
        let mut state = self.state.lock().await;
        let is_fresh =
            state.trouble.is_none() && state.known.as_ref().is_some_and(|it| it.read.elapsed() < LIFE);
        if !is_fresh && place >= state.asked {
            let read = Instant::now();
            let said = tokio::time::timeout(PATIENCE, CallSettings::read(&self.kernel)).await;
            state.trouble = match said.unwrap_or(Err(KernelError::TimedOut)).map(|it| token_of(&it.token)) {
                Ok(Ok(token)) => {
                    self.learn(&mut state, token, read);
                    None
                }
                Ok(Err(unreadable)) => Some(unreadable),
                Err(why) => Some(Trouble::Failed(why)),
            };
            state.asked = self.asked.load(Ordering::Relaxed);
        }
        let known = state.known.as_ref().map(|it| it.token.clone());
        match (known, &state.trouble) {
            // One that held holds until it is known that it does not.
            (Some(Some(token)), _) => Ok(Due::Token(token)),
            _ if self.is_reachable => Err(Unknown),
            (Some(None), None | Some(Trouble::Failed(_))) => Ok(Due::Nothing),
            (None, Some(Trouble::Failed(why))) => Ok(Due::Nobody(why.clone())),
            (_, Some(Trouble::Unreadable)) | (None, None) => Err(Unknown),
        }
    }

    /// Notes which token holds. With another one than before everything ends that was begun under that: sessions,
    /// and streams without one.
    fn learn(&self, state: &mut State, token: Option<BearerToken>, read: Instant) {
        if state.known.as_ref().is_some_and(|it| it.token != token) {
            tracing::info!("another token holds; what was begun under the one before ends");
            self.sessions.close_all();
            std::mem::take(&mut state.holds).cancel();
        }
        state.known = Some(Known { token, read });
    }

    /// Whether callers must show a token at this moment.
    pub(super) async fn asks(&self) -> bool {
        matches!(self.token().await, Ok(Due::Token(_)))
    }

    /// Is over when another token holds than at this moment.
    async fn changed(self, holds: CancellationToken) {
        loop {
            tokio::select! {
                () = holds.cancelled() => return,
                () = tokio::time::sleep(SELDOM) => drop(self.token().await),
            }
        }
    }
}

/// The token of the settings, as it can be compared.
fn token_of(kept: &CallerToken) -> Result<Option<BearerToken>, Trouble> {
    match kept {
        CallerToken::None => Ok(None),
        CallerToken::Is(text) => BearerToken::new(text).map(Some).ok_or(Trouble::Unreadable),
        CallerToken::Unknown => Err(Trouble::Unreadable),
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

/// Nobody can say which token holds.
struct Unknown;

/// Lets a request pass by the token in SiYuan's settings; a new one holds within a second.
pub(super) async fn check_kept(
    extract::State(kept): extract::State<Option<Kept>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(kept) = kept else { return next.run(request).await };
    let due = kept.token().await;
    // Whatever holds from here on, the answer ends with what held now.
    let holds = kept.state.lock().await.holds.clone();
    match due {
        Ok(Due::Token(token)) if !token.admits(request.headers()) => {
            refused("This server needs the token that the settings of the plugin in SiYuan hold")
        }
        Ok(due) => {
            if let Due::Nobody(why) = due {
                request.extensions_mut().insert(Unasked(why));
            }
            let answer = next.run(request).await;
            if !is_stream(&answer) {
                return answer;
            }
            answer.map(|body| {
                Body::from_stream(body.into_data_stream().take_until(Box::pin(kept.changed(holds))))
            })
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
