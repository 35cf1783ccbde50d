//! The ways to the same answer: a raw kernel request, a call over stdio, a call over HTTP in both eras.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin};
use tokio::sync::oneshot;

use crate::operations::{Operation, Request};
use crate::{Setting, sidecar};

/// One of the ways; clones share their connection where the way has one.
#[derive(Clone)]
pub(crate) enum Wire {
    Raw(Raw),
    Stdio(Stdio),
    Http(Http),
}

impl Wire {
    /// Does the operation once and sees that it was done.
    pub(crate) async fn run(&self, operation: &Operation) {
        match self {
            Wire::Raw(raw) => {
                for request in &operation.requests {
                    raw.send(request).await;
                }
            }
            Wire::Stdio(stdio) => done(&stdio.ask("tools/call", operation.call()).await),
            Wire::Http(http) => done(&http.ask("tools/call", operation.call()).await),
        }
    }
}

fn done(answer: &Value) {
    let result = answer.get("result").unwrap_or_else(|| panic!("no result: {answer}"));
    assert_ne!(result.get("isError"), Some(&json!(true)), "the call failed: {result}");
}

/// Straight to the kernel.
#[derive(Clone)]
pub(crate) struct Raw {
    client: reqwest::Client,
    kernel: String,
    token: Option<String>,
}

impl Raw {
    pub(crate) fn new(setting: &Setting) -> Raw {
        let client = crate::http();
        Raw { client, kernel: setting.kernel.clone(), token: setting.token.clone() }
    }

    /// Answers the envelope's data.
    pub(crate) async fn send(&self, request: &Request) -> Value {
        let mut post = self.client.post(format!("{}{}", self.kernel, request.path));
        post = post.header("content-type", request.media.as_str()).body(request.body.clone());
        if let Some(token) = &self.token {
            post = post.header("authorization", format!("Token {token}"));
        }
        let answer = post.send().await.unwrap().bytes().await.unwrap();
        serde_json::from_slice::<Value>(&answer).map(|mut it| it["data"].take()).unwrap_or_default()
    }
}

type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>;

/// One process, spoken to over its pipes; many calls may be under way.
#[derive(Clone)]
pub(crate) struct Stdio {
    input: Arc<tokio::sync::Mutex<ChildStdin>>,
    waiting: Waiting,
    next: Arc<AtomicU64>,
    _child: Arc<Child>,
}

impl Stdio {
    pub(crate) async fn start(setting: &Setting) -> Stdio {
        let (child, input, output) = sidecar::stdio(setting);
        let waiting = Waiting::default();
        let answers = Arc::clone(&waiting);
        tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let answer: Value = serde_json::from_str(&line).expect("nothing but JSON on stdout");
                let asked = answer["id"].as_u64().and_then(|id| answers.lock().unwrap().remove(&id));
                if let Some(asked) = asked {
                    let _ = asked.send(answer);
                }
            }
        });
        let stdio = Stdio {
            input: Arc::new(tokio::sync::Mutex::new(input)),
            waiting,
            next: Arc::default(),
            _child: Arc::new(child),
        };
        stdio.ask("initialize", greeting()).await;
        stdio.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        stdio
    }

    async fn write(&self, message: &Value) {
        let line = format!("{message}\n");
        self.input.lock().await.write_all(line.as_bytes()).await.unwrap();
    }

    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, sender);
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        answer.await.expect("the sidecar answers")
    }
}

/// One client over HTTP: with a session, or without one as of 2026.
#[derive(Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
    url: String,
    session: Option<String>,
    next: Arc<AtomicU64>,
}

const MODERN: &str = "2026-07-28";

impl Http {
    /// A client of the older era, with a session of its own.
    pub(crate) async fn session(url: &str) -> Http {
        let mut http = Http::modern(url);
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": greeting() });
        let answer = http.post(&message, &[]).await;
        let session = answer.headers().get("mcp-session-id").expect("a session").to_str().unwrap().to_owned();
        answer.bytes().await.unwrap();
        http.session = Some(session);
        let message = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        http.post(&message, &[]).await.bytes().await.unwrap();
        http
    }

    /// A client of the newer era.
    pub(crate) fn modern(url: &str) -> Http {
        let client = crate::http();
        Http { client, url: url.to_owned(), session: None, next: Arc::new(AtomicU64::new(1)) }
    }

    async fn post(&self, message: &Value, headers: &[(&str, &str)]) -> reqwest::Response {
        let mut post = self.client.post(&self.url).body(message.to_string());
        post = post.header("content-type", "application/json");
        post = post.header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            post = post.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
        }
        for (name, value) in headers {
            post = post.header(*name, *value);
        }
        let answer = post.send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
        answer
    }

    pub(crate) async fn ask(&self, method: &str, mut params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let modern = [("mcp-protocol-version", MODERN), ("mcp-method", method), ("mcp-name", name.as_str())];
        let headers = if self.session.is_some() { &[][..] } else { &modern };
        if self.session.is_none() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let text = self.post(&message, headers).await.text().await.unwrap();
        let data = text
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .find(|it| it.starts_with('{'));
        serde_json::from_str(data.unwrap_or(&text)).unwrap_or_else(|_| panic!("no JSON: {text}"))
    }
}

fn greeting() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } })
}
