//! A test client of the program: both protocol eras, over stdio and over HTTP.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use puppy_server::trust::Trust;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The revision of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2025-11-25, with `initialize`.
    Old,
    /// 2026-07-28, without `initialize`.
    New,
}

/// The transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Stdio,
    Http,
}

pub(crate) const EVERY: [(Era, Way); 4] =
    [(Era::Old, Way::Stdio), (Era::New, Way::Stdio), (Era::Old, Way::Http), (Era::New, Way::Http)];

/// The time a test waits for a message before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program and a client connected to it; both end on drop.
pub(crate) struct Client {
    pub(crate) era: Era,
    pub(crate) way: Way,
    /// Notifications and requests from the server that arrived while something else was awaited.
    pub(crate) heard: Vec<Value>,
    /// The server's description of itself.
    pub(crate) greeting: Value,
    /// The capabilities that the client declares.
    capabilities: Value,
    child: Child,
    stdin: Option<ChildStdin>,
    url: String,
    session: Option<String>,
    http: reqwest::Client,
    inbox: mpsc::UnboundedReceiver<Value>,
    sender: mpsc::UnboundedSender<Value>,
    /// The open answers over HTTP, by the id of their request.
    open: HashMap<u64, JoinHandle<()>>,
    next: u64,
}

impl Client {
    /// Starts the program for a kernel and greets it.
    pub(crate) async fn start(era: Era, way: Way, kernel: &str, flags: &[&str]) -> Client {
        Client::with(era, way, kernel, flags, json!({})).await
    }

    pub(crate) async fn with(
        era: Era,
        way: Way,
        kernel: &str,
        flags: &[&str],
        capabilities: Value,
    ) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        for name in ["SIYUAN_TOKEN", "SIYUAN_MCP_TOKEN", "SIYUAN_MCP_PARENT_PID"] {
            command.env_remove(name);
        }
        let server: &[&str] = if way == Way::Stdio { &["stdio"] } else { &["http", "--port", "0"] };
        command.env("SIYUAN_API_URL", kernel).args(server).args(flags);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, inbox) = mpsc::unbounded_channel();
        let (mut stdin, mut url) = (None, String::new());
        if way == Way::Stdio {
            stdin = child.stdin.take();
            let lines = BufReader::new(child.stdout.take().unwrap()).lines();
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in lines.map_while(Result::ok) {
                    let _ = sender.send(serde_json::from_str(&line).expect("nothing but JSON on stdout"));
                }
            });
        } else {
            let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
            url = lines
                .by_ref()
                .map_while(Result::ok)
                .find_map(|line| line.strip_prefix("siyuan-puppy listening on ").map(str::to_owned))
                .expect("the address");
            // Drains the output, which nobody else reads: a full pipe would block the program.
            std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        }
        let mut client = Client {
            era,
            way,
            heard: Vec::new(),
            greeting: Value::Null,
            capabilities,
            child,
            stdin,
            url,
            session: None,
            http: http(),
            inbox,
            sender,
            open: HashMap::new(),
            next: 0,
        };
        client.greet().await;
        client
    }

    async fn greet(&mut self) {
        if self.era == Era::New {
            self.greeting = self.ask("server/discover", json!({})).await.unwrap();
            return;
        }
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": self.capabilities,
            "clientInfo": { "name": "test", "version": "1" },
        });
        self.greeting = self.ask("initialize", params).await.unwrap();
        self.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        if self.way == Way::Http {
            let request = self
                .http
                .get(&self.url)
                .header("Accept", "text/event-stream")
                .header("Mcp-Session-Id", self.session.clone().unwrap());
            let answer = request.send().await.unwrap();
            tokio::spawn(read(answer, self.sender.clone()));
        }
    }

    /// Sends a request and returns its id.
    pub(crate) async fn request(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if self.era == Era::New {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "1" });
        }
        let id = self.next;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    /// Sends a request and returns its result or its error.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.request(method, params).await;
        self.answer(id).await
    }

    /// Sends this as the id of its session from now on.
    pub(crate) fn claim(&mut self, session: &str) {
        self.session = Some(session.to_owned());
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await.unwrap()
    }

    /// Waits for the answer to a request.
    pub(crate) async fn answer(&mut self, id: u64) -> Result<Value, Value> {
        let is_it = |message: &Value| message["id"] == id && message["method"].is_null();
        let mut early = self.heard.iter().position(is_it).map(|at| self.heard.remove(at));
        loop {
            let message = match early.take() {
                Some(message) => message,
                None => self.receive().await,
            };
            if is_it(&message) {
                self.open.remove(&id);
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.heard.push(message);
        }
    }

    /// Waits for a notification.
    pub(crate) async fn hear(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.heard.iter().position(|it| it["method"] == method) {
                return self.heard.remove(at);
            }
            let message = self.receive().await;
            self.heard.push(message);
        }
    }

    /// Waits for a notification for a limited time.
    pub(crate) async fn hear_soon(&mut self, method: &str, time: Duration) -> Option<Value> {
        tokio::time::timeout(time, self.hear(method)).await.ok()
    }

    /// Cancels a request, in the way of its era and transport.
    pub(crate) async fn cancel(&mut self, id: u64) {
        if self.era == Era::New && self.way == Way::Http {
            self.open.remove(&id).unwrap().abort();
            return;
        }
        let params = json!({ "requestId": id });
        self.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    }

    /// Ends its session over HTTP.
    pub(crate) async fn end_session(&mut self) {
        let session = self.session.take().unwrap();
        let ended = self.http.delete(&self.url).header("Mcp-Session-Id", &session).send().await.unwrap();
        assert!(ended.status().is_success(), "{}", ended.status());
    }

    /// Sends any message.
    pub(crate) async fn send(&mut self, message: Value) {
        if let Some(stdin) = &mut self.stdin {
            writeln!(stdin, "{message}").unwrap();
            return;
        }
        let mut request = self
            .http
            .post(&self.url)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("Mcp-Session-Id", session);
        }
        if self.era == Era::New {
            request = request.header("MCP-Protocol-Version", "2026-07-28");
            request = request.header("Mcp-Method", message["method"].as_str().unwrap_or_default());
            let params = &message["params"];
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                request = request.header("Mcp-Name", name);
            }
        }
        let sending = request.body(message.to_string()).send();
        let sender = self.sender.clone();
        if message["method"] == "initialize" {
            let answer = sending.await.unwrap();
            self.session = Some(answer.headers()["mcp-session-id"].to_str().unwrap().to_owned());
            tokio::spawn(read(answer, sender));
        } else if let Some(id) = message["id"].as_u64() {
            self.open.insert(id, tokio::spawn(async move { read(sending.await.unwrap(), sender).await }));
        } else {
            sending.await.unwrap();
        }
    }

    async fn receive(&mut self) -> Value {
        let message = tokio::time::timeout(PATIENCE, self.inbox.recv()).await;
        message
            .unwrap_or_else(|_| panic!("{:?} {:?}: silence", self.era, self.way))
            .expect("the program ended")
    }
}

/// A client for plain HTTP that ignores any proxy.
pub(crate) fn http() -> reqwest::Client {
    let plain = Trust::default().greeting(false).unwrap();
    reqwest::Client::builder().no_proxy().tls_backend_preconfigured(plain).build().unwrap()
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer over HTTP: one message or a stream of messages.
async fn read(mut answer: reqwest::Response, sender: mpsc::UnboundedSender<Value>) {
    let kind = answer.headers().get("content-type").map(|it| it.to_str().unwrap().to_owned());
    let mut text = Vec::new();
    let is_stream = kind.is_some_and(|it| it.starts_with("text/event-stream"));
    while let Ok(Some(chunk)) = answer.chunk().await {
        text.extend_from_slice(&chunk);
        while is_stream && let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            let line = String::from_utf8(line).unwrap();
            if let Some(data) = line.strip_prefix("data:").map(str::trim).filter(|it| !it.is_empty()) {
                let _ = sender.send(serde_json::from_str(data).unwrap());
            }
        }
    }
    if !is_stream && !text.is_empty() {
        let _ = sender.send(serde_json::from_slice(&text).unwrap());
    }
}
