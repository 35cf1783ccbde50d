//! A server inside the test, called with bytes that no well-behaved client would send.

use std::net::SocketAddr;
use std::time::Duration;

use puppy_server::http::{BearerToken, Server, Settings};
use puppy_server::mcp::{McpRoutes, Surface};
use puppy_server::sidecar;
use puppy_server::stop::Stop;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::client::Era;
use crate::world::{World, client};

/// The token of the servers that require one.
pub(super) const TOKEN: &str = "canary-7c1f";
pub(super) const ERAS: [Era; 2] = [Era::Old, Era::New];

/// A server for a demo kernel.
pub(super) struct Door {
    pub(super) world: World,
    pub(super) address: SocketAddr,
    pub(super) url: String,
    pub(super) stop: Stop,
    serving: JoinHandle<()>,
}

impl Door {
    pub(super) async fn open(settings: Settings) -> Door {
        let world = World::new().await;
        let server = Server::bind(Settings { port: 0, ..settings }).await.unwrap();
        let url = server.url();
        let address = url.split("//").nth(1).unwrap().trim_end_matches("/mcp").parse().unwrap();
        let sidecar = sidecar(client(&world.kernel.url(), None), false);
        let stop = Stop::default();
        let serving =
            tokio::spawn(server.serve(McpRoutes::actions(Surface::default()), sidecar, stop.clone()));
        Door { world, address, url, stop, serving }
    }

    /// A server that requires the token.
    pub(super) async fn locked() -> Door {
        Door::open(Settings { token: BearerToken::new(TOKEN), ..Settings::default() }).await
    }

    /// Waits for the end of the server.
    pub(super) async fn ended(self) {
        tokio::time::timeout(Duration::from_secs(20), self.serving).await.unwrap().unwrap();
    }

    /// Sends a request with these headers, with a `Host` only if given, and reads the whole answer.
    pub(super) async fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        exchange(TcpStream::connect(self.address).await.unwrap(), &text(line, headers, body)).await
    }

    /// Posts a message as a well-behaved client does, with additional headers.
    pub(super) async fn post(&self, more: &[(&str, &str)], message: &Value) -> Reply {
        let host = self.address.to_string();
        let mut headers = vec![("Host", host.as_str())];
        headers.extend(MESSAGE);
        headers.extend(more);
        self.send("POST /mcp HTTP/1.1", &headers, &message.to_string()).await
    }

    /// Greets in the older era and returns the session.
    pub(super) async fn session(&self, more: &[(&str, &str)]) -> String {
        let reply = self.post(more, &greeting(Era::Old)).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        let session = reply.header("mcp-session-id").unwrap().to_owned();
        let mut headers = vec![("Mcp-Session-Id", session.as_str())];
        headers.extend(more);
        let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.post(&headers, &greeted).await.status, 202);
        session
    }
}

/// The headers of every message.
pub(super) const MESSAGE: [(&str, &str); 2] =
    [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];

/// The bytes of a request.
pub(super) fn text(line: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{line}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    format!("{text}\r\n{body}").into_bytes()
}

/// Sends bytes and reads until the connection ends.
pub(super) async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, bytes: &[u8]) -> Reply {
    // A server that refuses early may close before it has read everything.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let reading = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
    let _ = reading.expect("an answer in time");
    Reply::parse(&answer)
}

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Reply {
    fn parse(bytes: &[u8]) -> Reply {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
        Reply { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The last message of the body, which may be a stream.
    pub(super) fn message(&self) -> Value {
        let lines = self.body.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
        let mut messages = lines.filter_map(|line| serde_json::from_str(line).ok());
        messages.rfind(Value::is_object).unwrap_or_default()
    }
}

/// The first message of a client.
pub(super) fn greeting(era: Era) -> Value {
    match era {
        Era::Old => {
            let info = json!({ "name": "test", "version": "1" });
            let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
        }
        Era::New => request(1, "server/discover", json!({})),
    }
}

/// A request of the newer era.
pub(super) fn request(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The additional headers of a client's first message.
pub(super) fn era_headers(era: Era) -> Vec<(&'static str, &'static str)> {
    match era {
        Era::Old => Vec::new(),
        Era::New => vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "server/discover")],
    }
}

/// A call of a tool in the older era.
pub(super) fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}
