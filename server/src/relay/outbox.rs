//! Messages for the client of the relay, one per line and in order.

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::message::one_line;

/// The number of lines that may wait for the client; the server waits while the client does not read.
const WAITING: usize = 256;

/// The sender of lines for the client. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Outbox(mpsc::Sender<String>);

impl Outbox {
    /// An outbox, and the future that writes its lines until the client has gone, or until `over` is cancelled and
    /// every line is written.
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

    /// Sends a message; does nothing if the client has gone.
    pub(super) async fn send(&self, text: &str) {
        let _ = self.0.send(one_line(text)).await;
    }
}
