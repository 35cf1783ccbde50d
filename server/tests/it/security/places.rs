//! Places: assigned by where a message is served, split between streams and calls, never held by silent clients.

use std::time::Duration;

use puppy_server::http::{BearerToken, Limits, Settings};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::door::{Door, MESSAGE, Reply, TOKEN, call, request, text};
use super::limits::{held, release, slow};
use crate::resources::doc;
use crate::world::until;

/// The endpoint that a call of `fs.read` uses.
const READ: &str = "/api/block/getChildBlocks";

async fn with(limits: Limits) -> Door {
    Door::open(Settings { limits, ..Settings::default() }).await
}

/// A call of `fs.read` in the newer era, with the given revision.
fn reading(id: u64, revision: &str) -> Value {
    let arguments = json!({ "action": "read", "path": "/Garden/Welcome" });
    let mut message = request(id, "tools/call", json!({ "name": "fs", "arguments": arguments }));
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(revision);
    message
}

/// B-141, F11: a call that is served without a session takes a shared place, whatever session it names.
#[tokio::test(flavor = "multi_thread")]
async fn invented_session_does_not_evade_the_limit() {
    let door = with(Limits { stateless_calls: 1, ..Limits::default() }).await;
    let session = door.session(&[]).await;
    let headers = |revision: &'static str| {
        vec![("MCP-Protocol-Version", revision), ("Mcp-Method", "tools/call"), ("Mcp-Name", "fs")]
    };
    slow(&door, READ);
    let (newer, message) = (headers("2026-07-28"), reading(1, "2026-07-28"));
    let (first, ()) = tokio::join!(door.post(&newer, &message), async {
        held(&door, READ, 1).await;
        for session in ["made-up", &session] {
            // The revision in the header, and the one in the message itself.
            for revision in ["2026-07-28", "2025-11-25"] {
                let mut headers = headers(revision);
                headers.push(("Mcp-Session-Id", session));
                let refused = door.post(&headers, &reading(2, revision)).await;
                assert_eq!(refused.status, 429, "{revision} {}", refused.body);
            }
        }
        // A call in its session uses the session's places.
        let help = call(3, "notebook", &json!({ "action": "help" }));
        let served = door.post(&[("Mcp-Session-Id", &session)], &help).await;
        assert_eq!(served.message()["result"]["isError"], false, "{}", served.body);
        release(&door);
    });
    assert_eq!(first.status, 200, "{}", first.body);
}

/// Opens a stream and reads until its head has arrived.
async fn open(door: &Door, line: &str, more: &[(&str, &str)], body: &str) -> (u16, TcpStream) {
    let host = door.address.to_string();
    let mut headers = vec![("Host", host.as_str())];
    headers.extend(MESSAGE);
    headers.extend(more);
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(&text(line, &headers, body)).await.unwrap();
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains("\r\n\r\n") {
        let more = tokio::time::timeout(Duration::from_secs(20), stream.read_buf(&mut read)).await;
        assert_ne!(more.expect("an answer in time").unwrap(), 0, "it ended early");
    }
    let head = String::from_utf8_lossy(&read).into_owned();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), stream)
}

/// Opens a change stream in the newer era.
async fn listen(door: &Door, uris: &[String]) -> (u16, TcpStream) {
    listen_as(door, uris, None).await
}

/// The same with an authorization header.
async fn listen_as(door: &Door, uris: &[String], token: Option<&str>) -> (u16, TcpStream) {
    let wanted = json!({ "notifications": { "resourcesListChanged": true, "resourceSubscriptions": uris } });
    let message = request(1, "subscriptions/listen", wanted).to_string();
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "subscriptions/listen")];
    headers.extend(token.map(|it| ("Authorization", it)));
    open(door, "POST /mcp HTTP/1.1", &headers, &message).await
}

/// F10: invented values do not create separate callers: tokens on a server without one, other spellings of the right
/// token, or sessions that do not exist.
#[tokio::test(flavor = "multi_thread")]
async fn invented_tokens_do_not_evade_the_stream_limit() {
    let limits = Limits { streams_each: 2, ..Limits::default() };
    let (open_to_all, locked) = (
        with(limits.clone()).await,
        Door::open(Settings { token: BearerToken::new(TOKEN), limits, ..Settings::default() }).await,
    );
    let spelled = ["Bearer", "bearer", "BEARER"].map(|scheme| format!("{scheme} {TOKEN}"));
    for (door, tokens) in [
        (open_to_all, [Some("Bearer one"), None, Some("Bearer two")]),
        (locked, spelled.each_ref().map(|it| Some(it.as_str()))),
    ] {
        let mut streams = Vec::new();
        for token in tokens {
            streams.push(listen_as(&door, &[], token).await);
        }
        let statuses: Vec<u16> = streams.iter().map(|(status, _)| *status).collect();
        assert_eq!(statuses, [200, 200, 429], "{tokens:?}");
        let mut headers = vec![("Mcp-Session-Id", "made-up")];
        headers.extend(tokens[0].map(|it| ("Authorization", it)));
        assert_eq!(open(&door, "GET /mcp HTTP/1.1", &headers, "").await.0, 429, "{tokens:?}");
    }
}

/// F10: change streams are counted per owner and in total; closing one makes room.
#[tokio::test(flavor = "multi_thread")]
async fn open_streams_are_limited() {
    let door = with(Limits { streams: 3, streams_each: 2, ..Limits::default() }).await;
    let first = listen(&door, &[]).await;
    let second = listen(&door, &[]).await;
    assert_eq!((first.0, second.0, listen(&door, &[]).await.0), (200, 200, 429));
    let (one, other) = (door.session(&[]).await, door.session(&[]).await);
    let get =
        async |session: &str| open(&door, "GET /mcp HTTP/1.1", &[("Mcp-Session-Id", session)], "").await;
    let standing = get(&one).await;
    // The limit in total.
    assert_eq!((standing.0, get(&other).await.0), (200, 429));
    drop(first);
    let again = until("the place of the stream that was closed", async || {
        let opened = get(&other).await;
        (opened.0 == 200).then_some(opened)
    });
    let _again = again.await;
    // A call still gets a connection.
    let help = call(3, "notebook", &json!({ "action": "help" }));
    assert_eq!(door.post(&[("Mcp-Session-Id", &one)], &help).await.status, 200);
}

/// F10, B-116: for many listeners and many forms of a document's address, each poll reads the document once.
#[tokio::test(flavor = "multi_thread")]
async fn many_listeners_share_one_poll() {
    let door = with(Limits::default()).await;
    let mint = doc(&door.world, "Garden", "/Plants/Mint").await;
    let uris: Vec<String> = (0..=3).map(|depth| format!("siyuan://doc/{mint}?depth={depth}")).collect();
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(listen(&door, &uris).await);
    }
    assert!(open.iter().all(|(status, _)| *status == 200));
    let counted = |path: &str| door.world.asked().iter().filter(|it| *it == path).count();
    // The polls that listeners started with may still run.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    door.world.kernel.clear_log();
    until("some looks", async || (counted("/api/query/sql") >= 3).then_some(())).await;
    let (looks, reads) = (counted("/api/query/sql"), counted(READ));
    assert!(reads <= looks + 1, "{reads} reads of the document in {looks} looks");
}

/// F10: a client that sends requests and reads no answers is cut off.
#[tokio::test(flavor = "multi_thread")]
async fn client_that_reads_no_answers_is_disconnected() {
    let door = with(Limits { write_time: Duration::from_millis(500), ..Limits::default() }).await;
    let host = door.address.to_string();
    let (mut reader, mut writer) = TcpStream::connect(door.address).await.unwrap().into_split();
    let session = door.session(&[]).await;
    let tools = json!({ "jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": { "uri": "siyuan://help/tool-overview" } });
    let mut headers = vec![("Host", host.as_str()), ("Mcp-Session-Id", session.as_str())];
    headers.extend(MESSAGE);
    let message = String::from_utf8(text("POST /mcp HTTP/1.1", &headers, &tools.to_string())).unwrap();
    let message = message.replace("Connection: close\r\n", "").into_bytes();
    let asking = async {
        // Continues until the answers fill every buffer and the server closes the connection.
        while writer.write_all(&message).await.is_ok() {}
    };
    tokio::time::timeout(Duration::from_secs(60), asking).await.expect("it asks for ever");
    let mut rest = Vec::new();
    let _ = reader.read_to_end(&mut rest).await;
    let works = door.post(&[("Mcp-Session-Id", &session)], &tools).await;
    assert_eq!(works.status, 200);
}

/// F10: ids and progress tokens are bounded in length, with and without a session; the refusal carries the id.
#[tokio::test(flavor = "multi_thread")]
async fn overlong_ids_are_refused() {
    let door = with(Limits::default()).await;
    let session = door.session(&[]).await;
    let long = "x".repeat(257);
    let refused = |reply: &Reply, id: &Value| {
        let answer = reply.message();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), id), "{}", reply.body);
        assert!(answer["error"]["message"].as_str().unwrap().contains("256"), "{answer}");
    };
    let older = [("Mcp-Session-Id", session.as_str())];
    let newer =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "notebook")];
    let help = json!({ "name": "notebook", "arguments": { "action": "help" } });
    for token in [false, true] {
        let mut messages =
            [call(2, "notebook", &json!({ "action": "help" })), request(2, "tools/call", help.clone())];
        for message in &mut messages {
            if token {
                message["params"]["_meta"]["progressToken"] = json!(long);
            } else {
                message["id"] = json!(long);
            }
        }
        let id = if token { json!(2) } else { json!(long) };
        refused(&door.post(&older, &messages[0]).await, &id);
        refused(&door.post(&newer, &messages[1]).await, &id);
    }
    let mut fits = call(2, "notebook", &json!({ "action": "help" }));
    fits["id"] = json!("é".repeat(256));
    assert_eq!(door.post(&older, &fits).await.message()["result"]["isError"], false);
}

/// F10: at most 1,024 connections are open at the same time; the next one waits for the place of one that ends.
#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_limit_wait_for_a_place() {
    assert_eq!(Limits::default().connections, 1_024);
    let door = with(Limits { connections: 2, ..Limits::default() }).await;
    let question = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", door.address);
    let connect = async || {
        let mut stream = TcpStream::connect(door.address).await.unwrap();
        stream.write_all(question.as_bytes()).await.unwrap();
        stream
    };
    let answered = async |stream: &mut TcpStream, time: Duration| {
        let mut start = [0; 12];
        let read = tokio::time::timeout(time, stream.read_exact(&mut start)).await;
        read.is_ok_and(|it| it.is_ok() && start == *b"HTTP/1.1 200")
    };
    let patience = Duration::from_secs(20);
    let (mut first, mut second) = (connect().await, connect().await);
    assert!(answered(&mut first, patience).await && answered(&mut second, patience).await);
    let mut third = connect().await;
    assert!(!answered(&mut third, Duration::from_millis(400)).await, "it has no place yet");
    drop(first);
    assert!(answered(&mut third, patience).await, "the place comes back");
    drop((second, third));
    for _ in 0..8 {
        assert!(answered(&mut connect().await, patience).await, "every place comes back");
    }
}
