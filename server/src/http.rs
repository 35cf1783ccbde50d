//! MCP over HTTP for agents on this machine: `/mcp`, and `/health` for whoever looks after the process.

mod answer;
mod auth;
mod health;

use std::net::{IpAddr, SocketAddr};

use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Sidecar;
use crate::mcp::{Limits, Served, endpoint};
use crate::stop::Stop;
pub use auth::BearerToken;

/// Where the sidecar listens unless it was told otherwise.
pub const PORT: u16 = 36806;
/// Names by which this machine calls itself; others are refused, so that no web page reaches us by one of its own.
const HOSTS: [&str; 4] = ["localhost", "127.0.0.1", "::1", "[::1]"];

/// A server that listens and does not serve yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes the port; one that is taken already is an error, never another port in silence (B-130).
    ///
    /// # Errors
    /// With a sentence for the user.
    pub async fn bind(host: &str, port: u16, token: Option<&BearerToken>) -> Result<Server, String> {
        let host = if host.eq_ignore_ascii_case("localhost") { "127.0.0.1" } else { host };
        let host: IpAddr = host
            .trim_matches(['[', ']'])
            .parse()
            .map_err(|_| "--host must be an IP address of this machine, such as 127.0.0.1.".to_owned())?;
        // B-138.
        if !host.is_loopback() && token.is_none() {
            return Err("Listening beyond this machine needs a token: set SIYUAN_MCP_TOKEN.".to_owned());
        }
        let listener = TcpListener::bind((host, port)).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => format!(
                "Port {port} is taken, perhaps by another siyuan-puppy. Stop that one, or choose another with --port."
            ),
            _ => format!("Cannot listen on {host} port {port}: {error}."),
        })?;
        let address = listener.local_addr().map_err(|error| format!("Cannot listen: {error}."))?;
        Ok(Server { listener, address })
    }

    /// The address of the MCP endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Serves until it is asked to stop; then running calls may finish (B-144).
    pub async fn serve(self, served: Served, sidecar: Sidecar, token: Option<BearerToken>, stop: Stop) {
        let running = TaskTracker::new();
        let end = CancellationToken::new();
        let mut hosts: Vec<String> = HOSTS.map(str::to_owned).to_vec();
        if !self.address.ip().is_loopback() && !self.address.ip().is_unspecified() {
            hosts.push(self.address.ip().to_string());
        }
        let limits = Limits::default();
        let app = endpoint(&served, &sidecar, &limits, hosts, end.clone(), running.clone())
            .layer(from_fn(answer::correct))
            .layer(from_fn_with_state(token, auth::check))
            .route("/health", get(health::health).with_state(health::State::new(sidecar, running.clone())));
        let listener = self.listener.tap_io(|stream| {
            // Without it every streamed answer waits 40 ms for the other side's acknowledgement (B-142).
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!("TCP_NODELAY could not be set: {error}");
            }
        });
        let closing = end.clone();
        let serving = axum::serve(listener, app).with_graceful_shutdown(closing.cancelled_owned());
        let serving = tokio::spawn(serving.into_future());
        stop.asked().await;
        stop.let_finish(&running).await;
        // Streams that clients keep open would hold the stop up for ever.
        end.cancel();
        let ending = tokio::time::timeout(crate::stop::ORPHAN_GRACE, serving);
        let _ = ending.await;
    }
}
