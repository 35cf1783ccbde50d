//! A server that sends invalid messages, or more than its client reads: the relay passes on neither (F20).

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{hello, program, relayed_by_hand};
use crate::world::until;

const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

/// Reads one request: its first line and its body.
async fn request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|it| it.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some((head.lines().next()?.to_owned(), body.to_owned()));
            }
        }
        if stream.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
}

async fn say(stream: &mut TcpStream, kind: &str, body: &str) {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nMcp-Session-Id: s\r\nConnection: close\r\n");
    let _ = stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
}

/// A server that accepts the greeting and answers calls with torn JSON; `stream` decides what it streams.
async fn server<F: Future<Output = ()> + Send + 'static>(
    stream: impl Fn(TcpStream) -> F + Clone + Send + 'static,
) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let stream = stream.clone();
            tokio::spawn(async move {
                let Some((line, body)) = request(&mut connection).await else { return };
                let message: Value = serde_json::from_str(&body).unwrap_or_default();
                match message["method"].as_str() {
                    _ if line.starts_with("GET") => stream(connection).await,
                    Some("initialize") => {
                        let result = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": { "name": "x", "version": "1" } });
                        let said = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                        say(&mut connection, "application/json", &said.to_string()).await;
                    }
                    Some("tools/call") => {
                        say(&mut connection, "application/json", "{\"jsonrpc\": torn").await;
                    }
                    _ => say(&mut connection, "text/plain", "").await,
                }
            });
        }
    });
    url
}

const STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn relay_drops_text_that_is_not_a_message() {
    let url = server(|mut connection| async move {
        let junk = ["hello", "\u{1b}[2J", "{torn", "[]", "7", "{\"a\":1}"]
            .map(|it| format!("data: {it}\n\n"))
            .concat();
        let _ = connection.write_all(format!("{STREAM}{junk}data: {NOTE}\n\n").as_bytes()).await;
        tokio::time::sleep(Duration::from_secs(60)).await;
    })
    .await;
    let mut relay = relayed_by_hand(&url);
    assert!(relay.ask(&hello())["result"].is_object());
    let next = relay.ask(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(next, serde_json::from_str::<Value>(NOTE).unwrap());
    let answer = relay.ask(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fs"}}"#);
    assert!(answer["id"] == 2 && answer["error"].is_object(), "{answer}");
}

/// While the client does not read, the relay does not read from the server, and still ends with stdin.
#[tokio::test(flavor = "multi_thread")]
async fn relay_buffers_little_for_a_client_that_does_not_read() {
    const FLOOD: usize = 200_000_000;
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = sent.clone();
    let url = server(move |mut connection| {
        let sent = counted.clone();
        async move {
            let event = format!("data: {}\n\n", NOTE.replace("list_changed", &"x".repeat(10_000)));
            let _ = connection.write_all(STREAM.as_bytes()).await;
            while sent.load(Ordering::Relaxed) < FLOOD && connection.write_all(event.as_bytes()).await.is_ok()
            {
                sent.fetch_add(event.len(), Ordering::Relaxed);
            }
        }
    })
    .await;
    let mut command = program();
    command.args(["stdio", "--connect", &url]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", hello()).unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    writeln!(stdin, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#).unwrap();
    let mut before = 0;
    until("the flood to stop", async || {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = sent.load(Ordering::Relaxed);
        (now > 0 && std::mem::replace(&mut before, now) == now).then_some(())
    })
    .await;
    assert!(before < FLOOD / 2, "{before} bytes were taken");
    drop(stdin);
    let ended = until("the end", async || child.try_wait().unwrap()).await;
    assert!(ended.success(), "{ended}");
}
