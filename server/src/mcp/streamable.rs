//! MCP over Streamable HTTP as a tower service, both eras on one endpoint (B-131).

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use puppy_core::activity::Transport;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::sessions::Sessions;
use super::{Handler, Served};
use crate::Sidecar;

/// What a stranger may use up.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// Bytes of a request.
    pub(crate) body: usize,
    /// Sessions at a time; the one unused for longest goes first.
    pub(crate) sessions: usize,
    /// How long an unused session is kept: clients seldom greet anew.
    pub(crate) idle: Duration,
}

impl Default for Limits {
    /// B-134, B-141.
    fn default() -> Self {
        Limits { body: 4 * 1024 * 1024, sessions: 256, idle: Duration::from_secs(8 * 60 * 60) }
    }
}

/// The endpoint over the registry that is served; `stop` ends its sessions and streams, `running`
/// counts its calls.
pub(crate) fn endpoint(
    served: &Served,
    sidecar: &Sidecar,
    limits: &Limits,
    hosts: Vec<String>,
    stop: CancellationToken,
    running: TaskTracker,
) -> Router {
    let route = Router::new();
    match served {
        Served::Actions => {
            let sidecar = sidecar.clone();
            let make = move || Handler::new(sidecar.clone(), Transport::Http, running.clone());
            route.route_service("/mcp", service(make, limits, hosts, stop))
        }
        #[cfg(feature = "conformance")]
        Served::Fixtures(fixtures) => {
            let fixtures = fixtures.clone();
            route.route_service("/mcp", service(move || fixtures.clone(), limits, hosts, stop))
        }
    }
}

/// rmcp's service with a handler of its own for every session.
fn service<H: ServerHandler>(
    make: impl Fn() -> H + Send + Sync + 'static,
    limits: &Limits,
    hosts: Vec<String>,
    stop: CancellationToken,
) -> StreamableHttpService<H, Sessions> {
    let origins = hosts.iter().flat_map(|host| [format!("http://{host}:*"), format!("https://{host}:*")]);
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_origins(origins.collect::<Vec<_>>())
        .enforce_origin_validation()
        .with_allowed_hosts(hosts);
    config.max_request_body_bytes = limits.body;
    config.cancellation_token = stop;
    // One answer needs no stream; sessions of the older era stay streams whatever this says.
    config.json_response = true;
    let sessions = Arc::new(Sessions::new(limits.sessions, limits.idle));
    StreamableHttpService::new(move || Ok(make()), sessions, config)
}
