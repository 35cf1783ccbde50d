//! The two ends between a session's requests over HTTP and the service that answers them.

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

/// Messages on their way to the service. Queues come in blocks of 32, so what lies in them is boxed.
pub(super) type ToService = mpsc::Sender<Box<ClientJsonRpcMessage>>;

/// Messages of one session that may wait for its service.
const QUEUE: usize = 16;
/// How long a new session waits for its greeting.
const GREETING: Duration = Duration::from_secs(60);

/// What the service of a session reads and writes.
#[derive(Debug)]
pub(crate) struct SessionTransport {
    id: SessionId,
    events: Arc<SessionEvents>,
    from_client: mpsc::Receiver<Box<ClientJsonRpcMessage>>,
    /// Where the answer to the greeting goes: the request that greets waits for it.
    greeting: Option<oneshot::Sender<ServerJsonRpcMessage>>,
    idle: Duration,
}

/// A transport, the way into it and the answer to its greeting; the session ends after `idle` without a message.
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
            // Whoever greeted may have gone; then nobody is told.
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
