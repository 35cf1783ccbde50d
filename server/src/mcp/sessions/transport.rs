//! The transport between a session's HTTP requests and the service that answers them.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::streamable_http_server::session::SessionId;
use tokio::sync::{mpsc, oneshot};

use crate::mcp::events::SessionEvents;

/// The sender of messages to the service. Queues allocate blocks of 32, so their messages are boxed.
pub(super) type ToService = mpsc::Sender<Box<ClientJsonRpcMessage>>;

/// The number of messages of one session that may wait for its service.
const QUEUE: usize = 16;
/// The time a new session waits for its greeting.
const GREETING: Duration = Duration::from_secs(60);

/// The receiving and sending ends that a session's service uses.
#[derive(Debug)]
pub(crate) struct SessionTransport {
    id: SessionId,
    events: Arc<SessionEvents>,
    from_client: mpsc::Receiver<Box<ClientJsonRpcMessage>>,
    /// The recipient of the answer to the greeting: the request that greets waits for it.
    greeting: Option<oneshot::Sender<ServerJsonRpcMessage>>,
    idle: Duration,
}

/// A transport, its sender, and the answer to its greeting; the session ends after `idle` without a message.
pub(super) fn transport(
    id: SessionId,
    events: Arc<SessionEvents>,
    idle: Duration,
) -> (ToService, oneshot::Receiver<ServerJsonRpcMessage>, SessionTransport) {
    let (to_service, from_client) = mpsc::channel(QUEUE);
    let (greeting, greeted) = oneshot::channel();
    (to_service, greeted, SessionTransport { id, events, from_client, greeting: Some(greeting), idle })
}

impl Transport<RoleServer> for SessionTransport {
    type Error = Infallible;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        match self.greeting.take() {
            // The client that greeted may have disconnected; the answer is then dropped.
            Some(greeting) => drop(greeting.send(message)),
            None => self.events.put(&self.id, message),
        }
        ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let patience = if self.greeting.is_some() { GREETING } else { self.idle };
        let message = tokio::time::timeout(patience, self.from_client.recv()).await;
        message.ok().flatten().map(|it| *it)
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        self.from_client.close();
        Ok(())
    }
}
