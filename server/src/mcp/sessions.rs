//! Sessions of the older era, bounded: of too many the one unused for longest goes (B-134).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};

type Result<T> = std::result::Result<T, LocalSessionManagerError>;

/// rmcp's own sessions with a limit on their number.
#[derive(Debug)]
pub(crate) struct Sessions {
    local: LocalSessionManager,
    most: usize,
    used: Mutex<Used>,
}

/// When each session was used last, by a count that only rises.
#[derive(Debug, Default)]
struct Used {
    uses: u64,
    last: HashMap<SessionId, u64>,
}

impl Used {
    fn touch(&mut self, id: &SessionId) {
        self.uses += 1;
        self.last.insert(id.clone(), self.uses);
    }

    /// Takes out the sessions beyond the limit, the ones unused for longest.
    fn beyond(&mut self, most: usize) -> Vec<SessionId> {
        let mut gone = Vec::new();
        while self.last.len() > most {
            let Some(oldest) = self.last.iter().min_by_key(|(_, use_)| **use_).map(|(id, _)| id.clone())
            else {
                break;
            };
            self.last.remove(&oldest);
            gone.push(oldest);
        }
        gone
    }
}

impl Sessions {
    pub(crate) fn new(most: usize, idle: Duration) -> Sessions {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(idle);
        Sessions { local, most, used: Mutex::default() }
    }

    fn used(&self) -> std::sync::MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a use of a session that exists; an invented id must not fill the table.
    async fn touch(&self, id: &SessionId) {
        if self.local.has_session(id).await.unwrap_or_default() {
            self.used().touch(id);
        }
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport)> {
        let made = self.local.create_session().await?;
        let gone = {
            let mut used = self.used();
            used.touch(&made.0);
            used.beyond(self.most)
        };
        for id in gone {
            // It may have ended by itself; then there is nothing to close.
            let _ = self.local.close_session(&id).await;
        }
        Ok(made)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<()> {
        self.used().last.remove(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.touch(id).await;
        self.local.create_stream(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<()> {
        self.touch(id).await;
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.touch(id).await;
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.touch(id).await;
        self.local.resume(id, last_event_id).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-134.
    #[tokio::test]
    async fn the_session_unused_for_longest_goes_first() {
        let sessions = Sessions::new(2, Duration::from_secs(60));
        let (first, _one) = sessions.create_session().await.unwrap();
        let (second, _two) = sessions.create_session().await.unwrap();
        sessions.touch(&first).await;
        sessions.touch(&"invented".into()).await;
        let (third, _three) = sessions.create_session().await.unwrap();
        let mut there = Vec::new();
        for id in [&first, &second, &third] {
            there.push(sessions.has_session(id).await.unwrap());
        }
        assert_eq!(there, [true, false, true]);
    }
}
