//! Oversized, slow, deeply nested or invalid messages: each gets its answer, and the next call works.

use std::time::Duration;

use demo_kernel::{Fault, FaultKind};
use puppy_server::http::{BearerToken, Limits, Settings};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::door::{Door, ERAS, MESSAGE, call, era_headers, exchange, greeting, request, text};
use super::hostile::{Session, tool};
use crate::client::Era;
use crate::process::{Running, program};
use crate::resources::doc;
use crate::world::{World, until};

/// A server with short deadlines.
fn hasty() -> Settings {
    let short = Duration::from_millis(700);
    Settings {
        limits: Limits { head_time: short, body_time: short, ..Limits::default() },
        ..Settings::default()
    }
}

async fn works(door: &Door) {
    for era in ERAS {
        assert_eq!(door.post(&era_headers(era), &greeting(era)).await.status, 200, "{era:?}");
    }
}

/// B-141: each fault has its code in both eras, whatever the body claims, and the next call works.
#[tokio::test(flavor = "multi_thread")]
async fn malformed_bodies_have_error_codes() {
    let door = Door::open(Settings::default()).await;
    let host = door.address.to_string();
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"fs","arguments":{}1{}}}}}"#,
        r#"{"a":"#.repeat(10_000),
        "}".repeat(10_000)
    );
    let batch = format!("[{}]", greeting(Era::Old));
    let large = format!(r#"{{"x":"{}"}}"#, "x".repeat(5 * 1024 * 1024));
    for (body, status, code) in [
        ("", 400, json!(-32700)),
        ("{torn", 400, json!(-32700)),
        ("\u{0}", 400, json!(-32700)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"initialize"} trailing"#, 400, json!(-32700)),
        (batch.as_str(), 400, json!(-32700)),
        ("[]", 400, json!(-32700)),
        (deep.as_str(), 400, json!(-32700)),
        (deep_call.as_str(), 400, json!(-32700)),
        ("7", 400, json!(-32600)),
        (r#"{"id":9}"#, 400, json!(-32600)),
        (large.as_str(), 413, json!(-32600)),
    ] {
        for era in ERAS {
            let mut headers = vec![("Host", host.as_str())];
            headers.extend(MESSAGE);
            headers.extend(era_headers(era));
            let reply = door.send("POST /mcp HTTP/1.1", &headers, body).await;
            let start: String = body.chars().take(40).collect();
            assert_eq!((reply.status, &reply.message()["error"]["code"]), (status, &code), "{era:?} {start}");
        }
    }
    works(&door).await;
}

/// B-141: a body that is too large is answered under its id, also where the id stands at its end.
#[tokio::test(flavor = "multi_thread")]
async fn oversized_body_is_answered_under_its_id() {
    let door = Door::open(Settings::default()).await;
    let host = door.address.to_string();
    let long = "x".repeat(5 * 1024 * 1024);
    let params = format!(r#""params":{{"name":"fs","arguments":{{"id":3,"markdown":"{long}"}}}}"#);
    for (body, id) in [
        (format!(r#"{{"method":"tools/call",{params},"jsonrpc":"2.0","id":41}}"#), json!(41)),
        (format!(r#"{{"id":"first","method":"tools/call",{params}}}"#), json!("first")),
        (format!(r#"{{"id":7,"result":{{}},{params}}}"#), Value::Null),
    ] {
        let mut headers = vec![("Host", host.as_str())];
        headers.extend(MESSAGE);
        let reply = door.send("POST /mcp HTTP/1.1", &headers, &body).await;
        assert_eq!((reply.status, &reply.message()["id"]), (413, &id));
        assert_eq!(reply.message()["error"]["code"], -32600);
    }
    works(&door).await;
}

/// B-141: a body without an announced length is bounded while it arrives.
#[tokio::test(flavor = "multi_thread")]
async fn chunked_body_is_bounded() {
    let door = Door::open(Settings::default()).await;
    let mut bytes = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
        door.address
    )
    .into_bytes();
    for _ in 0..80 {
        bytes.extend(format!("10000\r\n{}\r\n", "x".repeat(0x10000)).into_bytes());
    }
    bytes.extend(b"0\r\n\r\n");
    assert_eq!(exchange(TcpStream::connect(door.address).await.unwrap(), &bytes).await.status, 413);
    works(&door).await;
}

/// B-141: a head that never arrives, a head that trickles, and a body that never arrives are cut off.
#[tokio::test(flavor = "multi_thread")]
async fn slow_senders_are_dropped() {
    let door = Door::open(hasty()).await;
    let whole =
        text("POST /mcp HTTP/1.1", &[("Host", "localhost"), MESSAGE[0], MESSAGE[1]], &"x".repeat(900));
    for sent in [0, 1, 30, whole.len() - 1] {
        let mut stream = TcpStream::connect(door.address).await.unwrap();
        stream.write_all(&whole[..sent]).await.unwrap();
        let mut answer = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
        assert!(ended.is_ok(), "after {sent} bytes it waits for ever");
        assert!(!answer.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&answer));
    }
    let (mut reader, mut writer) = TcpStream::connect(door.address).await.unwrap().into_split();
    let trickle = tokio::spawn(async move {
        for byte in whole {
            if writer.write_all(&[byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(20), reader.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "whoever trickles is served for ever");
    trickle.abort();
    works(&door).await;
}

/// B-141: the head of a request is bounded in size and in the number of headers.
#[tokio::test(flavor = "multi_thread")]
async fn oversized_request_heads_are_refused() {
    let door = Door::open(Settings::default()).await;
    let long = "x".repeat(100_000);
    assert_eq!(
        door.send("GET /health HTTP/1.1", &[("Host", "localhost"), ("X-Long", &long)], "").await.status,
        431
    );
    let line = format!("GET /{long} HTTP/1.1");
    assert!([400, 414, 431].contains(&door.send(&line, &[("Host", "localhost")], "").await.status));
    let many: Vec<(&str, &str)> = std::iter::repeat_n(("X-Many", "1"), 5_000).collect();
    assert_eq!(door.send("GET /health HTTP/1.1", &many, "").await.status, 431);
    for broken in [
        &b"\r\n\r\n\r\n"[..],
        b"\x16\x03\x01\x00\x05hello",
        b"GET\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let reply = exchange(TcpStream::connect(door.address).await.unwrap(), broken);
        let reply = tokio::time::timeout(Duration::from_secs(1), reply).await;
        assert!(reply.is_err() || reply.unwrap().status != 200);
    }
    works(&door).await;
}

/// B-141: each session counts its own calls, and ended calls make room.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_per_session_are_limited() {
    let door =
        Door::open(Settings { limits: Limits { calls: 3, ..Limits::default() }, ..Settings::default() })
            .await;
    let (session, other) = (door.session(&[]).await, door.session(&[]).await);
    let ask = async |session: &str, id: u64| {
        let read = json!({ "action": "read", "path": "/Garden/Welcome" });
        door.post(&[("Mcp-Session-Id", session)], &call(id, "fs", &read)).await.message()
    };
    slow(&door, READ);
    let running = futures_util::future::join_all((10..13).map(|id| ask(&session, id)));
    let (running, elsewhere, ()) = tokio::join!(running, ask(&other, 10), async {
        held(&door, READ, 4).await;
        let refused = ask(&session, 13).await;
        assert_eq!(refused["error"]["code"], -32000, "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains("Wait"), "{refused}");
        release(&door);
    });
    assert!(running.iter().all(|it| it["result"]["isError"] == false), "{running:?}");
    assert_eq!(elsewhere["result"]["isError"], false, "{elsewhere}");
    assert_eq!(ask(&session, 20).await["result"]["isError"], false);
}

/// B-141: the second of two requests with one id is refused; once the first is answered the id is free.
#[tokio::test(flavor = "multi_thread")]
async fn duplicate_id_over_http_is_refused_while_in_flight() {
    let door = Door::open(Settings::default()).await;
    let session = door.session(&[]).await;
    let list = call(5, "fs", &json!({ "action": "list", "path": "/Garden" }));
    let ask = async || door.post(&[("Mcp-Session-Id", &session)], &list).await.message();
    slow(&door, LIST);
    let (first, ()) = tokio::join!(ask(), async {
        held(&door, LIST, 1).await;
        let second = ask().await;
        assert_eq!((&second["error"]["code"], &second["id"]), (&json!(-32600), &json!(5)), "{second}");
        release(&door);
    });
    assert_eq!(first["result"]["isError"], false, "{first}");
    assert_eq!(ask().await["result"]["isError"], false);
}

/// B-141: callers without a session share a limit; 429 says when to try again.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_stateless_calls_are_limited() {
    let limits = Limits { stateless_calls: 2, ..Limits::default() };
    let door = Door::open(Settings { limits, ..Settings::default() }).await;
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "fs")];
    let arguments = json!({ "action": "read", "path": "/Garden/Welcome" });
    let params = json!({ "name": "fs", "arguments": arguments });
    let ask = async |id: u64| door.post(&headers, &request(id, "tools/call", params.clone())).await;
    slow(&door, READ);
    let (running, ()) = tokio::join!(futures_util::future::join_all((1..=2).map(ask)), async {
        held(&door, READ, 2).await;
        let refused = ask(3).await;
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
        release(&door);
    });
    assert!(running.iter().all(|it| it.status == 200), "{running:?}");
    assert_eq!(ask(9).await.status, 200);
}

/// B-143: health reports the state of the process and nothing else, without a token even where one is required.
#[tokio::test(flavor = "multi_thread")]
async fn health_reports_counts_only() {
    let door = Door::open(Settings { token: BearerToken::new("secret"), ..Settings::default() }).await;
    door.session(&[("Authorization", "Bearer secret")]).await;
    let reply = door.send("GET /health HTTP/1.1", &[("Host", "localhost")], "").await;
    let health = reply.message();
    let keys: Vec<&str> = health.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["status", "version", "kernel_reachable", "sessions", "running_calls"]);
    assert_eq!((&health["kernel_reachable"], &health["sessions"]), (&json!(true), &json!(1)));
}

/// The endpoint that `fs.list` calls for a notebook.
pub(super) const LIST: &str = "/api/filetree/listDocsByPath";
/// The endpoint that every call of `fs.read` calls on its own.
const READ: &str = "/api/block/getChildBlocks";

/// Makes the kernel hold requests until they are released.
pub(super) fn slow(door: &Door, path: &str) {
    let fault = Fault { path: path.to_owned(), fault: FaultKind::Delay, ms: Some(600_000), times: None };
    door.world.kernel.set_faults(vec![fault]);
}

/// Waits until the kernel holds `many` requests.
pub(super) async fn held(door: &Door, path: &str, many: usize) {
    until("the calls", async || (door.world.kernel.held(path) >= many).then_some(())).await;
}

/// Releases the held requests, and later ones.
pub(super) fn release(door: &Door) {
    door.world.kernel.set_faults(Vec::new());
    door.world.kernel.release();
}

/// Each reference without an anchor gets one from a query of its row, so the references are counted first. Within the
/// size limit of Markdown there are too few for a measurable difference to harmless text.
#[tokio::test(flavor = "multi_thread")]
async fn references_without_an_anchor_are_limited() {
    let world = World::new().await;
    let server = Running::start(&mut program(&world.kernel.url()));
    let session = Session::greet(&server.url).await;
    let id = doc(&world, "Garden", "/Welcome").await;
    for (many, refused) in [(1_000, false), (1_001, true)] {
        let markdown = format!("(({id}))\n").repeat(many);
        let append = json!({ "action": "write", "path": "/Garden/Welcome", "mode": "append", "preview": true, "markdown": markdown });
        let answer = session.ask(&tool("fs", &append)).await.expect("an answer in time");
        assert_eq!(answer.contains("at most 1,000 references"), refused, "{many}: {answer:.300}");
    }
}
