//! The token required by the settings in SiYuan, for a server that was started without one (B-136).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{self, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use puppy_core::config::{CallSettings, CallerToken};
use puppy_core::kernel::KernelError;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::{AgentOfToken, AuthorizedRequest, BearerToken, refused};
use crate::http::busy::is_stream;
use crate::kernel::HttpKernel;
use crate::mcp::Sessions;
use crate::{Sidecar, UncheckedToken};

/// The deadline for reading the token from SiYuan.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time such a reading stays valid, and the polling interval while a stream is open that was admitted without
/// asking.
const LIFE: Duration = Duration::from_secs(1);
/// The polling interval while any other stream is open and no request asks.
const SELDOM: Duration = Duration::from_secs(10);

/// The token from SiYuan's settings.
#[derive(Debug, Clone)]
pub(in crate::http) struct SettingsToken {
    kernel: HttpKernel,
    sessions: Arc<Sessions>,
    /// Whether other machines can connect; they may not without a token.
    is_reachable: bool,
    /// The number of requests that have asked so far.
    asked: Arc<AtomicU64>,
    state: Arc<Mutex<LastRead>>,
}

#[derive(Debug, Default)]
struct LastRead {
    /// The last successful reading; `None` until the first one.
    known: Option<KnownToken>,
    /// The failure of the last reading, if any.
    trouble: Option<Failure>,
    /// The end of the last reading.
    finished: Option<Instant>,
    /// The value of the request counter when the last reading finished.
    asked: u64,
    /// Cancelled when a token other than the known one comes into force.
    holds: CancellationToken,
}

#[derive(Debug)]
struct KnownToken {
    token: Option<BearerToken>,
    read: Instant,
}

/// The reason why the token in force is unknown.
#[derive(Debug, Clone)]
enum Failure {
    /// SiYuan failed to answer, or answered with something else.
    Failed(KernelError),
    /// The settings are torn, or contain a token that cannot be sent in a header.
    Unreadable,
}

/// The credential that a caller must show.
enum Due {
    Nothing,
    Token(BearerToken),
    /// SiYuan is unreachable for this reason: there is no token to check and nothing a caller could reach.
    Nobody(KernelError),
}

/// The token in force is unknown.
struct Unknown;

/// The token in force when a request was admitted; its answer ends when that token changes.
#[derive(Debug, Clone)]
struct Under(CancellationToken);

impl SettingsToken {
    pub(in crate::http) fn new(
        sidecar: &Sidecar,
        sessions: Arc<Sessions>,
        is_reachable: bool,
    ) -> SettingsToken {
        let kernel = sidecar.kernel.http().clone();
        SettingsToken { kernel, sessions, is_reachable, asked: Arc::default(), state: Arc::default() }
    }

    /// The token in force, if one is required, and a handle that is cancelled when it changes. A failed reading counts
    /// only for the requests that waited for it: the next request asks again. One that is judged a second time has just
    /// waited, and a SiYuan that hangs would make it wait twice.
    async fn due(&self, is_second: bool) -> (Result<Due, Unknown>, CancellationToken) {
        let place = self.asked.fetch_add(1, Ordering::Relaxed);
        let mut state = self.state.lock().await;
        let is_fresh =
            state.trouble.is_none() && state.known.as_ref().is_some_and(|it| it.read.elapsed() < LIFE);
        let has_just_failed = state.trouble.is_some() && state.finished.is_some_and(|it| it.elapsed() < LIFE);
        if !is_fresh && place >= state.asked && !(is_second && has_just_failed) {
            let read = Instant::now();
            let said = tokio::time::timeout(PATIENCE, CallSettings::read(&self.kernel)).await;
            state.trouble = match said.unwrap_or(Err(KernelError::TimedOut)).map(|it| token_of(&it.token)) {
                Ok(Ok(token)) => {
                    self.learn(&mut state, token, read);
                    None
                }
                Ok(Err(unreadable)) => Some(unreadable),
                Err(why) => Some(Failure::Failed(why)),
            };
            state.asked = self.asked.load(Ordering::Relaxed);
            state.finished = Some(Instant::now());
        }
        let due = match (state.known.as_ref().map(|it| it.token.clone()), &state.trouble) {
            // A token stays in force until a reading shows otherwise.
            (Some(Some(token)), _) => Ok(Due::Token(token)),
            _ if self.is_reachable => Err(Unknown),
            // An earlier reading without a token proves nothing: one may have been set since.
            (_, Some(Failure::Failed(why))) => Ok(Due::Nobody(why.clone())),
            (Some(None), None) => Ok(Due::Nothing),
            (_, Some(Failure::Unreadable)) | (None, None) => Err(Unknown),
        };
        (due, state.holds.clone())
    }

    /// Records the token in force. If it changed, everything begun under the previous one ends: sessions, and streams
    /// without a session.
    fn learn(&self, state: &mut LastRead, token: Option<BearerToken>, read: Instant) {
        match &state.known {
            Some(known) if known.token != token => {
                tracing::info!("the token changed; sessions of the previous token end");
                self.sessions.close_all();
                std::mem::take(&mut state.holds).cancel();
            }
            // These streams were admitted while SiYuan could not be asked. Their sessions may stay: from now on they
            // are of no use without the token.
            None if token.is_some() => std::mem::take(&mut state.holds).cancel(),
            _ => {}
        }
        state.known = Some(KnownToken { token, read });
    }

    /// Whether callers must show a token now.
    pub(in crate::http) async fn asks(&self) -> bool {
        matches!(self.due(false).await.0, Ok(Due::Token(_)))
    }

    /// Judges a request by its head and marks it; returns the answer if the request is refused.
    async fn refusal(&self, request: &mut Request) -> Option<Response> {
        if request.extensions().get::<AgentOfToken>().is_some() {
            return None;
        }
        let is_second = request.extensions().get::<Under>().is_some();
        let (due, holds) = self.due(is_second).await;
        let marks = request.extensions_mut();
        marks.insert(Under(holds));
        match due {
            Ok(Due::Nothing) => None,
            Ok(Due::Nobody(why)) => {
                marks.insert(UncheckedToken(why));
                None
            }
            Ok(Due::Token(token)) if token.admits(request.headers()) => {
                request.extensions_mut().insert(AuthorizedRequest);
                None
            }
            Ok(Due::Token(_)) => {
                Some(refused("This server needs the token from the plugin's settings in SiYuan"))
            }
            Err(Unknown) => {
                let why = "The plugin's settings in SiYuan cannot be read, so the token is unknown. Check that SiYuan runs and that mcpHttpSettings contains a token, or start siyuan-puppy with SIYUAN_MCP_TOKEN.\n";
                Some((StatusCode::SERVICE_UNAVAILABLE, why).into_response())
            }
        }
    }

    /// Completes when a token other than the one that a stream was opened under comes into force.
    async fn changed(self, holds: CancellationToken) {
        loop {
            let is_unasked = {
                let state = self.state.lock().await;
                state.known.is_none() || state.trouble.is_some()
            };
            let pause = if is_unasked { LIFE } else { SELDOM };
            tokio::select! {
                () = holds.cancelled() => return,
                () = tokio::time::sleep(pause) => drop(self.due(false).await),
            }
        }
    }
}

/// The token from the settings, in comparable form.
fn token_of(said: &CallerToken) -> Result<Option<BearerToken>, Failure> {
    match said {
        CallerToken::None => Ok(None),
        CallerToken::Is(text) => BearerToken::new(text).map(Some).ok_or(Failure::Unreadable),
        CallerToken::Unknown => Err(Failure::Unreadable),
    }
}

/// Judges a request before any of its body is read: a stranger's body is not worth the memory (B-141).
pub(in crate::http) async fn admit(
    extract::State(settings): extract::State<Option<SettingsToken>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(settings) = settings
        && let Some(refusal) = settings.refusal(&mut request).await
    {
        return refusal;
    }
    next.run(request).await
}

/// Judges again right before the call, because the body may have taken a while: a new token takes effect within a
/// second. A request admitted without asking reaches nothing in SiYuan, whichever token is in force by now.
pub(in crate::http) async fn admit_again(
    extract::State(settings): extract::State<Option<SettingsToken>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(settings) = settings else { return next.run(request).await };
    let is_unasked = request.extensions().get::<UncheckedToken>().is_some();
    if !is_unasked && let Some(refusal) = settings.refusal(&mut request).await {
        return refusal;
    }
    let under = request.extensions().get::<Under>().cloned();
    let answer = next.run(request).await;
    match under {
        Some(Under(holds)) if is_stream(&answer) => answer.map(|body| {
            Body::from_stream(body.into_data_stream().take_until(Box::pin(settings.changed(holds))))
        }),
        _ => answer,
    }
}
