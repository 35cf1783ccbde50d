//! A socket on a broadcast channel of the kernel: a WebSocket over the client of all other requests, so that trust and
//! token are the same.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt, StreamExt};
use puppy_core::kernel::{Answer, KernelError, Nature, Route};
use reqwest::Upgraded;
use reqwest::header::{CONNECTION, UPGRADE};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::{HttpKernel, failure};

/// The route of broadcast channels.
const BROADCAST: Route = Route::read("/ws/broadcast");
/// The greatest length of a text on a channel, in bytes.
const LONGEST: usize = 1 << 20;
/// The room for texts on their way in and out: the library would take 256 kB.
const BUFFER: usize = 4 * 1024;

/// A socket on a channel. It receives what others send, and not what it sends itself.
#[derive(Debug)]
pub(crate) struct Socket(WebSocketStream<Upgraded>);

impl HttpKernel {
    /// Joins a channel.
    pub(crate) async fn socket(&self, name: &str) -> Result<Socket, KernelError> {
        let mut nonce = [0; 16];
        let _ = getrandom::fill(&mut nonce);
        let request = self
            .client
            .get(format!("{}{}?channel={name}", self.url().await, BROADCAST.path))
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", STANDARD.encode(nonce));
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => {
                let error = failure(&error, Nature::Read);
                if error == KernelError::Refused {
                    self.moved().await;
                }
                return Err(error);
            }
        };
        let status = answer.status().as_u16();
        if status != 101 {
            let answer = Answer { status, retry_after: None, body: Vec::new() };
            return Err(answer.status_error().unwrap_or(KernelError::Malformed(BROADCAST.path)));
        }
        let connection = answer.upgrade().await.map_err(|error| failure(&error, Nature::Read))?;
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER)
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        Ok(Socket(WebSocketStream::from_raw_socket(connection, Role::Client, Some(config)).await))
    }
}

impl Socket {
    /// The next text; `None` when the channel is closed. A wait that is dropped loses nothing.
    pub(crate) async fn receive(&mut self) -> Option<String> {
        loop {
            match self.0.next().await? {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(_) => return None,
                // The library answers pings.
                Ok(_) => {}
            }
        }
    }

    /// Sends a text; false when the channel is closed.
    pub(crate) async fn send(&mut self, text: String) -> bool {
        self.0.send(Message::text(text)).await.is_ok()
    }
}
