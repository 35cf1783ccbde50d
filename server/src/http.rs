//! MCP over HTTP for agents on this machine: `/mcp`, and `/health` for process monitors.
//!
//! A request passes these layers from the outside in: a catch for panics, the lists of hosts and origins, CORS, the
//! token, the bounds on body and concurrency, and then MCP. Reading order: [`Settings`], `allowed`, `auth`,
//! `connections`.

mod allowed;
mod auth;
mod body;
mod busy;
mod connections;
mod cors;
mod envelope;
mod health;
mod health_check;
mod listen;
mod patience;
mod settings;
mod tls;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::sensitive_headers::SetSensitiveRequestHeadersLayer;
use tower_http::trace::TraceLayer;
use tracing::Span;

use crate::Sidecar;
pub use crate::agent_tokens::TokenPlace;
pub use crate::limits::Limits;
use crate::mcp::{McpRoutes, Sessions, endpoint};
use crate::stop::Stop;
use crate::words::StartWords;
pub use allowed::AllowList;
use allowed::TokenRule;
pub(crate) use auth::AgentOfToken;
pub use auth::BearerToken;
use auth::agents::{AgentDoor, admit as admit_agent};
use auth::in_siyuan::{SettingsToken, admit, admit_again};
pub(crate) use health_check::works;
pub use puppy_core::config::PORT;
pub use settings::Settings;
use tls::Encryption;
pub use tls::Tls;
pub(crate) use tls::local_until;

/// The answer to requests for any other path (B-167).
const ELSEWHERE: &str = "Not found. MCP is at /mcp, over Streamable HTTP (POST, GET and DELETE). /sse and WebSocket are not supported.\n";

/// A server that has its port but does not serve yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
    encryption: Option<Encryption>,
}

impl Server {
    /// Binds the port.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub async fn bind(settings: Settings) -> Result<Server, String> {
        // B-138: other machines may connect only if callers must send a token.
        if !settings.host.is_loopback() && !settings.asks_for_token() {
            return Err(StartWords::here().needs_token().to_owned());
        }
        let encryption = Encryption::new(&settings.tls)?;
        let listener = listen::listen(settings.host, settings.port).await?;
        let address = listener.local_addr().map_err(|error| format!("Cannot listen: {error}."))?;
        Ok(Server { listener, address, settings, encryption })
    }

    /// The address of the MCP endpoint.
    pub fn url(&self) -> String {
        self.at(self.address)
    }

    /// The addresses at which clients may reach the MCP endpoint, the one on this machine first: those of all interfaces
    /// are no address, and names are of use only where others can connect.
    pub(crate) fn reached_at(&self) -> Vec<String> {
        let (ip, port) = (self.address.ip(), self.address.port());
        let own = match ip {
            IpAddr::V4(all) if all.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(all) if all.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            one => one,
        };
        let mut all = vec![self.at(SocketAddr::new(own, port))];
        if !ip.is_loopback() {
            all.extend(self.settings.allowed.authorities(port).map(|it| self.at(it)));
        }
        all
    }

    fn at(&self, authority: impl fmt::Display) -> String {
        let scheme = if self.encryption.is_some() { "https" } else { "http" };
        format!("{scheme}://{authority}/mcp")
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Further information for the person who starts the server: the certificate and the end of its validity (B-140).
    pub fn notice(&self) -> Option<String> {
        self.encryption.as_ref().map(Encryption::notice)
    }

    /// Serves until asked to stop, and then lets running calls finish (B-144).
    pub async fn serve(self, served: McpRoutes, sidecar: Sidecar, stop: Stop) {
        let running = TaskTracker::new();
        let end = CancellationToken::new();
        let Settings { token, tokens, allowed, limits, .. } = self.settings;
        let allowed = Arc::new(allowed.completed(self.address.ip()));
        let sessions = Arc::new(Sessions::new(&limits));
        let is_reachable = !self.address.ip().is_loopback();
        let in_siyuan = token.is_none().then(|| SettingsToken::new(&sidecar, sessions.clone(), is_reachable));
        let agents = AgentDoor::new(tokens, sessions.clone());
        let admits = (token, in_siyuan, agents);
        let app = app(served, sidecar, sessions, allowed, admits, &limits, (&end, &running));
        let serving =
            tokio::spawn(connections::serve(self.listener, self.encryption, app, limits, end.clone()));
        stop.asked().await;
        stop.let_finish(&running).await;
        // Streams that clients hold open would otherwise delay the stop for ever.
        end.cancel();
        let _ = tokio::time::timeout(crate::stop::ORPHAN_GRACE, serving).await;
    }
}

/// Builds the router; the layer added last sees a request first.
fn app(
    served: McpRoutes,
    sidecar: Sidecar,
    sessions: Arc<Sessions>,
    allowed: Arc<AllowList>,
    (token, in_siyuan, agents): (Option<BearerToken>, Option<SettingsToken>, AgentDoor),
    limits: &Limits,
    (end, running): (&CancellationToken, &TaskTracker),
) -> Router {
    let asked = in_siyuan.clone().map_or(TokenRule::Always, TokenRule::InSiyuan);
    let room = busy::Room::new(limits, sessions.clone());
    let endpoint = endpoint(served, &sidecar, &sessions, limits, end, running);
    let health = health::HealthState::new(sidecar, sessions, running.clone());
    let bounds = body::Bounds { size: limits.body, time: limits.body_time };
    endpoint
        // Directly before the call, so that both checks use one reading of SiYuan's settings.
        .layer(from_fn_with_state(in_siyuan.clone(), admit_again))
        .layer(from_fn_with_state(room, busy::bound))
        .layer(from_fn_with_state(bounds, body::read))
        .layer(from_fn(no_upgrade))
        .layer(from_fn_with_state(in_siyuan, admit))
        .layer(from_fn_with_state(token, auth::check))
        .layer(from_fn_with_state(agents, admit_agent))
        .route("/health", get(health::health).with_state(health))
        .fallback((StatusCode::NOT_FOUND, ELSEWHERE))
        .layer(cors::layer())
        .layer(from_fn(cors::preflight))
        .layer(from_fn_with_state((allowed, asked), allowed::check))
        .layer(SetSensitiveRequestHeadersLayer::new([header::AUTHORIZATION]))
        .layer(
            TraceLayer::new_for_http()
                // Logs the path only: the query may hold a secret that a client put in the wrong place.
                .make_span_with(|request: &Request| tracing::debug_span!("http", method = %request.method(), path = request.uri().path()))
                .on_request(())
                .on_response(|answer: &Response, took: Duration, _: &Span| {
                    tracing::debug!("{} after {} ms", answer.status().as_u16(), took.as_millis());
                })
                .on_body_chunk(())
                .on_eos(())
                .on_failure(()),
        )
        .layer(CatchPanicLayer::new())
}

/// Refuses a WebSocket with an explanation instead of a misleading answer (B-167).
async fn no_upgrade(request: Request, next: Next) -> Response {
    // Java clients ask for HTTP/2 with an upgrade header; that one may be ignored.
    let upgrade = request.headers().get(header::UPGRADE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if upgrade.eq_ignore_ascii_case("websocket") {
        return (StatusCode::BAD_REQUEST, ELSEWHERE).into_response();
    }
    next.run(request).await
}
