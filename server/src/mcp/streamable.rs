//! MCP over Streamable HTTP as a tower service, both eras on one endpoint (B-131).

use std::sync::Arc;

use axum::Router;
use puppy_core::activity::Transport;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::changes::announcer::Announcer;
use super::sessions::Sessions;
use super::{Handler, Served};
use crate::Sidecar;
use crate::limits::Limits;

/// The endpoint over the registry that is served; `stop` ends its sessions and streams, `running`
/// counts its calls.
pub(crate) fn endpoint(
    served: &Served,
    sidecar: &Sidecar,
    sessions: &Arc<Sessions>,
    limits: &Limits,
    stop: &CancellationToken,
    running: &TaskTracker,
) -> Router {
    let route = Router::new();
    match served {
        Served::Actions(surface) => {
            let (sidecar, surface, running) = (sidecar.clone(), surface.clone(), running.clone());
            let announcer = Announcer::new(sessions.readers());
            let make = move || {
                let (surface, announcer) = (surface.clone(), announcer.clone());
                Handler::new(sidecar.clone(), surface, Transport::Http, running.clone(), announcer)
            };
            route.route_service("/mcp", service(make, sessions, limits, stop))
        }
        #[cfg(feature = "conformance")]
        Served::Fixtures(fixtures) => {
            let fixtures = fixtures.clone();
            route.route_service("/mcp", service(move || fixtures.clone(), sessions, limits, stop))
        }
    }
}

/// rmcp's service with a handler of its own for every session.
fn service<H: ServerHandler>(
    make: impl Fn() -> H + Send + Sync + 'static,
    sessions: &Arc<Sessions>,
    limits: &Limits,
    stop: &CancellationToken,
) -> StreamableHttpService<H, Sessions> {
    // Hosts and origins are checked before a request comes here, for every route alike.
    let mut config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    config.max_request_body_bytes = limits.body;
    config.cancellation_token = stop.clone();
    // One answer needs no stream; sessions of the older era stay streams whatever this says.
    config.json_response = true;
    StreamableHttpService::new(move || Ok(make()), sessions.clone(), config)
}
