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
use super::tools::Lists;
use super::{Handler, Surface};
use crate::Sidecar;
use crate::limits::Limits;

/// The handlers that an HTTP server offers at `/mcp`.
pub struct McpRoutes(Box<dyn FnOnce(Within<'_>) -> Router + Send>);

/// The parts of the server that an endpoint uses.
struct Within<'a> {
    sidecar: &'a Sidecar,
    sessions: &'a Arc<Sessions>,
    limits: &'a Limits,
    /// Ends sessions and streams.
    stop: &'a CancellationToken,
    /// Counts calls.
    running: &'a TaskTracker,
}

impl McpRoutes {
    /// The actions of core.
    pub fn actions(surface: Surface) -> McpRoutes {
        McpRoutes(Box::new(move |within| {
            let (sidecar, running) = (within.sidecar.clone(), within.running.clone());
            let announcer = Announcer::new(within.sessions.readers());
            let lists = Lists::new(surface.clone());
            within.route(move || {
                let (lists, announcer) = (lists.clone(), announcer.clone());
                Handler::new(&sidecar, lists, Transport::Http, running.clone(), announcer)
            })
        }))
    }

    /// Serves other handlers, one made for each session: tests of the protocol bring their own.
    pub fn handlers<H: ServerHandler>(make: impl Fn() -> H + Send + Sync + 'static) -> McpRoutes {
        McpRoutes(Box::new(|within| within.route(make)))
    }
}

/// The endpoint for `served`; `stop` ends its sessions and streams, `running` counts its calls.
pub(crate) fn endpoint(
    served: McpRoutes,
    sidecar: &Sidecar,
    sessions: &Arc<Sessions>,
    limits: &Limits,
    stop: &CancellationToken,
    running: &TaskTracker,
) -> Router {
    (served.0)(Within { sidecar, sessions, limits, stop, running })
}

impl Within<'_> {
    /// rmcp's service with a handler of its own for every session.
    fn route<H: ServerHandler>(self, make: impl Fn() -> H + Send + Sync + 'static) -> Router {
        // Hosts and origins are checked in an outer layer, for every route alike.
        let mut config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        config.max_request_body_bytes = self.limits.body;
        config.cancellation_token = self.stop.clone();
        // A single answer needs no stream; sessions of the older era use streams regardless.
        config.json_response = true;
        let service = StreamableHttpService::new(move || Ok(make()), self.sessions.clone(), config);
        Router::new().route_service("/mcp", service)
    }
}
