//! What goes to the client of the bridge, a message a line and in order.

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::message::one_line;

/// Lines that may wait for the client; the server waits while it does not read.
const WAITING: usize = 256;

/// Lines to the client. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Outbox(mpsc::Sender<String>);

impl Outbox {
    /// An outbox, and what writes its lines until the client has gone, or until it is over and all of them are written.
    pub(super) fn to<W>(mut client: W, over: CancellationToken) -> (Outbox, impl Future<Output = ()>)
    where
        W: AsyncWrite + Unpin,
    {
        let (sender, mut waiting) = mpsc::channel::<String>(WAITING);
        let writing = async move {
            loop {
                let line = tokio::select! {
                    biased;
                    Some(line) = waiting.recv() => line,
                    () = over.cancelled() => return,
                };
                let written = client.write_all(format!("{line}\n").as_bytes()).await;
                if written.is_err() || client.flush().await.is_err() {
                    return;
                }
            }
        };
        (Outbox(sender), writing)
    }

    /// Sends a message; a client that has gone needs none.
    pub(super) async fn send(&self, text: &str) {
        let _ = self.0.send(one_line(text)).await;
    }
}
