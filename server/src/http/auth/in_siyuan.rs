//! The token that the settings in SiYuan ask for, where the server was started with none (B-136).

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

use super::{Authorized, BearerToken, refused};
use crate::http::busy::is_stream;
use crate::kernel::HttpKernel;
use crate::mcp::Sessions;
use crate::{Sidecar, Unasked};

/// How long SiYuan may take to say which token holds.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long that is believed, and how often is asked while a stream is open that was let in unasked.
const LIFE: Duration = Duration::from_secs(1);
/// How often is asked while any other stream is open and nobody else asks.
const SELDOM: Duration = Duration::from_secs(10);

/// The token in SiYuan's settings.
#[derive(Debug, Clone)]
pub(in crate::http) struct SettingsToken {
    kernel: HttpKernel,
    sessions: Arc<Sessions>,
    /// Other machines can connect: without a token nobody may.
    is_reachable: bool,
    /// How many have asked so far.
    asked: Arc<AtomicU64>,
    state: Arc<Mutex<LastRead>>,
}

#[derive(Debug, Default)]
struct LastRead {
    /// What was read last; nothing until SiYuan could be asked once.
    known: Option<KnownToken>,
    /// What stood in the way when SiYuan was asked last.
    trouble: Option<Failure>,
    /// How many had asked when it had answered.
    asked: u64,
    /// Ends when another token holds than the one that is known now.
    holds: CancellationToken,
}

#[derive(Debug)]
struct KnownToken {
    token: Option<BearerToken>,
    read: Instant,
}

/// Why SiYuan did not say which token holds.
#[derive(Debug, Clone)]
enum Failure {
    /// It did not answer, or not so.
    Failed(KernelError),
    /// The settings are torn, or name a token that cannot be sent.
    Unreadable,
}

/// What a caller must show.
enum Due {
    Nothing,
    Token(BearerToken),
    /// Nobody is there who could say it, for this reason, and nothing that a caller could reach.
    Nobody(KernelError),
}

/// Nobody can say which token holds.
struct Unknown;

/// What a request was let in under; its answer ends when that holds no more.
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

    /// The token of this moment, if one is asked for, with what ends when it changes. An answer that failed is for
    /// those who waited for it: the next request asks again.
    async fn due(&self) -> (Result<Due, Unknown>, CancellationToken) {
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
                Err(why) => Some(Failure::Failed(why)),
            };
            state.asked = self.asked.load(Ordering::Relaxed);
        }
        let due = match (state.known.as_ref().map(|it| it.token.clone()), &state.trouble) {
            // One that held holds until it is known that it does not.
            (Some(Some(token)), _) => Ok(Due::Token(token)),
            _ if self.is_reachable => Err(Unknown),
            // That none held says nothing of now: one may have been set since.
            (_, Some(Failure::Failed(why))) => Ok(Due::Nobody(why.clone())),
            (Some(None), None) => Ok(Due::Nothing),
            (_, Some(Failure::Unreadable)) | (None, None) => Err(Unknown),
        };
        (due, state.holds.clone())
    }

    /// Notes which token holds. With another one than before everything ends that was begun under that: sessions,
    /// and streams without one.
    fn learn(&self, state: &mut LastRead, token: Option<BearerToken>, read: Instant) {
        match &state.known {
            Some(known) if known.token != token => {
                tracing::info!("another token holds; what was begun under the one before ends");
                self.sessions.close_all();
                std::mem::take(&mut state.holds).cancel();
            }
            // Streams that were let in while SiYuan could not be asked. Their sessions may stay: nothing can be done
            // in one from now on without the token.
            None if token.is_some() => std::mem::take(&mut state.holds).cancel(),
            _ => {}
        }
        state.known = Some(KnownToken { token, read });
    }

    /// Whether callers must show a token at this moment.
    pub(in crate::http) async fn asks(&self) -> bool {
        matches!(self.due().await.0, Ok(Due::Token(_)))
    }

    /// Judges a request by its head and marks it; the answer to one that is refused.
    async fn refusal(&self, request: &mut Request) -> Option<Response> {
        let (due, holds) = self.due().await;
        let marks = request.extensions_mut();
        marks.insert(Under(holds));
        match due {
            Ok(Due::Nothing) => None,
            Ok(Due::Nobody(why)) => {
                marks.insert(Unasked(why));
                None
            }
            Ok(Due::Token(token)) if token.admits(request.headers()) => {
                request.extensions_mut().insert(Authorized);
                None
            }
            Ok(Due::Token(_)) => {
                Some(refused("This server needs the token that the settings of the plugin in SiYuan hold"))
            }
            Err(Unknown) => {
                let why = "The settings of the plugin in SiYuan cannot be read, so nobody knows which token holds. \
                    See that SiYuan runs and mcpHttpSettings holds a token, or start siyuan-puppy with SIYUAN_MCP_TOKEN.\n";
                Some((StatusCode::SERVICE_UNAVAILABLE, why).into_response())
            }
        }
    }

    /// Is over when another token holds than the one that a stream was opened under.
    async fn changed(self, holds: CancellationToken) {
        loop {
            let is_unasked = {
                let state = self.state.lock().await;
                state.known.is_none() || state.trouble.is_some()
            };
            let pause = if is_unasked { LIFE } else { SELDOM };
            tokio::select! {
                () = holds.cancelled() => return,
                () = tokio::time::sleep(pause) => drop(self.due().await),
            }
        }
    }
}

/// The token of the settings, as it can be compared.
fn token_of(said: &CallerToken) -> Result<Option<BearerToken>, Failure> {
    match said {
        CallerToken::None => Ok(None),
        CallerToken::Is(text) => BearerToken::new(text).map(Some).ok_or(Failure::Unreadable),
        CallerToken::Unknown => Err(Failure::Unreadable),
    }
}

/// Lets a request in before anything of its body is read: a stranger's is not worth the memory (B-141).
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

/// The same right before the call, as its body may have taken a while; a new token holds within a second. One that
/// was let in unasked reaches nothing, whatever holds by now.
pub(in crate::http) async fn admit_again(
    extract::State(settings): extract::State<Option<SettingsToken>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(settings) = settings else { return next.run(request).await };
    let is_unasked = request.extensions().get::<Unasked>().is_some();
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
