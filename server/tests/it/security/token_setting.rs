//! The token in the settings of the plugin: it applies if the server was started without one (B-136).

use std::net::TcpListener;
use std::time::Duration;

use demo_kernel::{Fault, FaultKind};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};

use super::door::{call, greeting};
use crate::client::{Era, http};
use crate::process::{Running, program};
use crate::world::{World, until};

/// The endpoint that reads the files of settings.
const GET_FILE: &str = "/api/file/getFile";
const FILE: &str = "/data/storage/petal/siyuan-mcp-puppy/mcpHttpSettings";

/// Posts a message and returns the status and the body.
async fn post(url: &str, token: Option<&str>, session: Option<&str>, message: &Value) -> (u16, String) {
    let mut request = http().post(url).header("Content-Type", "application/json");
    request = request.header("Accept", "application/json, text/event-stream");
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    if let Some(session) = session {
        request = request.header("Mcp-Session-Id", session);
    }
    let answer = request.body(message.to_string()).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn greeted(url: &str, token: Option<&str>) -> u16 {
    post(url, token, None, &greeting(Era::Old)).await.0
}

/// Opens a session without a token.
async fn session(url: &str) -> String {
    let hello = http().post(url).header("Content-Type", "application/json");
    let hello = hello.header("Accept", "application/json, text/event-stream");
    let hello = hello.body(greeting(Era::Old).to_string()).send().await.unwrap();
    assert_eq!(hello.status(), 200);
    hello.headers()["mcp-session-id"].to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn token_in_siyuan_settings_is_required() {
    let world = World::new().await;
    world.write(FILE, r#"{"token":"canary-one"}"#).await;
    let server = Running::start_with(&mut program(&world.kernel.url()), &["--host", "0.0.0.0"]);
    let url = server.url.replace("0.0.0.0", "127.0.0.1");
    let (status, said) = post(&url, None, None, &greeting(Era::Old)).await;
    assert_eq!(status, 401);
    assert!(said.contains("settings") && !said.contains("canary"), "{said}");
    assert_eq!(greeted(&url, Some("canary-one")).await, 200);
    // A new token replaces the old one within a second, without a restart.
    world.write(FILE, r#"{"token":"canary-two"}"#).await;
    until("the old one is refused", async || (greeted(&url, Some("canary-one")).await == 401).then_some(()))
        .await;
    assert_eq!(greeted(&url, Some("canary-two")).await, 200);
    // On an address that other machines can reach, a missing or unreadable token admits nobody.
    for nothing in ["{}", "torn"] {
        world.write(FILE, nothing).await;
        let what = format!("the door is closed: {nothing}");
        let closed = async || [401, 503].contains(&greeted(&url, None).await).then_some(());
        until(&what, closed).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn token_given_at_startup_wins() {
    let world = World::new().await;
    world.write(FILE, r#"{"token":"canary-settings"}"#).await;
    let mut command = program(&world.kernel.url());
    let server = Running::start(command.env("SIYUAN_MCP_TOKEN", "canary-start"));
    assert_eq!(greeted(&server.url, Some("canary-settings")).await, 401);
    assert_eq!(greeted(&server.url, Some("canary-start")).await, 200);
}

/// A port at which nothing listens yet.
fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// Makes SiYuan, which already runs elsewhere, reachable at a port.
async fn comes(port: u16, behind: String) {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    tokio::spawn(async move {
        while let Ok((mut outer, _)) = listener.accept().await {
            let mut inner = tokio::net::TcpStream::connect(&behind).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut outer, &mut inner).await });
        }
    });
}

/// B-012: while SiYuan is down the tools are listed and nothing can be done; once it runs the token is required.
#[tokio::test(flavor = "multi_thread")]
async fn token_is_required_once_siyuan_is_reachable() {
    let port = free_port();
    let server = Running::start(&mut program(&format!("http://127.0.0.1:{port}")));
    let session = session(&server.url).await;
    let list = call(2, "notebook", &json!({ "action": "list" }));
    let (status, said) = post(&server.url, None, Some(&session), &list).await;
    assert!(status == 200 && said.contains("kernel_unreachable"), "{status} {said}");
    let world = World::new().await;
    world.write(FILE, r#"{"token":"canary"}"#).await;
    let behind = world.kernel.url().trim_start_matches("http://").to_owned();
    let impatient = async || {
        let (status, said) = post(&server.url, None, Some(&session), &list).await;
        assert!(!said.contains("Garden"), "{said}");
        (status == 401).then_some(())
    };
    // SiYuan starts while calls without the token are in progress.
    let starts = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        comes(port, behind).await;
    };
    let hurry = futures_util::future::join_all((0..4).map(|_| until("the token is due", impatient)));
    futures_util::join!(starts, hurry);
    let (status, said) = post(&server.url, Some("canary"), Some(&session), &list).await;
    assert!(status == 200 && said.contains("Garden"), "{status} {said}");
}

/// B-084, B-087: a SiYuan that rejects our own token is reported as such.
#[tokio::test(flavor = "multi_thread")]
async fn siyuan_refusing_our_token_is_reported() {
    let world = World::with_token(Some("canary-right")).await;
    let server = Running::start(program(&world.kernel.url()).env("SIYUAN_TOKEN", "canary-wrong"));
    let session = session(&server.url).await;
    let list = call(2, "notebook", &json!({ "action": "list" }));
    let (status, said) = post(&server.url, None, Some(&session), &list).await;
    assert!(status == 200 && said.contains("kernel_auth") && !said.contains("canary"), "{status} {said}");
}

/// Posts a greeting as a page of this machine.
async fn greeted_from(url: &str, origin: &str, token: Option<&str>) -> u16 {
    let mut request = http().post(url).header("Content-Type", "application/json").header("Origin", origin);
    request = request.header("Accept", "application/json, text/event-stream");
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    request.body(greeting(Era::Old).to_string()).send().await.unwrap().status().as_u16()
}

/// B-163, F12: pages of this machine may try their token while one is required, and no longer.
#[tokio::test(flavor = "multi_thread")]
async fn local_pages_are_admitted_only_while_a_token_is_required() {
    const PAGE: &str = "http://localhost:5173";
    let world = World::new().await;
    let server = Running::start(&mut program(&world.kernel.url()));
    assert_eq!(greeted_from(&server.url, PAGE, None).await, 403);
    for _ in 0..2 {
        world.write(FILE, r#"{"token":"canary"}"#).await;
        let in_ = async || (greeted_from(&server.url, PAGE, Some("canary")).await == 200).then_some(());
        until("the page is let in", in_).await;
        assert_eq!(greeted_from(&server.url, PAGE, None).await, 401);
        world.write(FILE, "{}").await;
        until("the page is shut out", async || {
            (greeted_from(&server.url, PAGE, Some("canary")).await == 403).then_some(())
        })
        .await;
        assert_eq!(greeted_from(&server.url, PAGE, None).await, 403);
    }
}

/// A session with its standing stream open, and a change stream without a session.
async fn streams(url: &str, token: Option<&str>) -> (String, [reqwest::Response; 2]) {
    let send = async |mut request: reqwest::RequestBuilder| {
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let request = request.header("Content-Type", "application/json");
        request.header("Accept", "application/json, text/event-stream").send().await.unwrap()
    };
    let hello = send(http().post(url).body(greeting(Era::Old).to_string())).await;
    let session = hello.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let standing = send(http().get(url).header("Mcp-Session-Id", &session)).await;
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    let listen = super::door::request(1, "subscriptions/listen", wanted).to_string();
    let listening = http().post(url).header("MCP-Protocol-Version", "2026-07-28");
    let listening = send(listening.header("Mcp-Method", "subscriptions/listen").body(listen)).await;
    assert_eq!((standing.status().as_u16(), listening.status().as_u16()), (200, 200));
    (session, [standing, listening])
}

/// Waits for the streams to end although no request is sent.
async fn end(streams: [reqwest::Response; 2], under: &str) {
    for stream in streams {
        let ended = tokio::time::timeout(Duration::from_secs(40), stream.bytes()).await;
        assert!(ended.is_ok(), "a stream goes on under {under}");
    }
}

/// F12: streams opened while SiYuan was unreachable end when it requires a token; a session continues for clients that
/// show it.
#[tokio::test(flavor = "multi_thread")]
async fn streams_opened_without_a_token_end_once_one_is_required() {
    let port = free_port();
    let server = Running::start(&mut program(&format!("http://127.0.0.1:{port}")));
    let (session, streams) = streams(&server.url, None).await;
    let world = World::new().await;
    world.write(FILE, r#"{"token":"canary"}"#).await;
    comes(port, world.kernel.url().trim_start_matches("http://").to_owned()).await;
    end(streams, "the first token").await;
    let list = call(2, "notebook", &json!({ "action": "list" }));
    assert_eq!(post(&server.url, None, Some(&session), &list).await.0, 401);
    let (status, said) = post(&server.url, Some("canary"), Some(&session), &list).await;
    assert!(status == 200 && said.contains("Garden"), "{status} {said}");
}

/// F12: a token may have been set while SiYuan is too slow to report it, so an earlier reading without one admits
/// nobody.
#[tokio::test(flavor = "multi_thread")]
async fn slow_siyuan_admits_nobody_without_a_token() {
    let world = World::new().await;
    let server = Running::start(&mut program(&world.kernel.url()));
    let session = session(&server.url).await;
    let list = call(2, "notebook", &json!({ "action": "list" }));
    let (status, said) = post(&server.url, None, Some(&session), &list).await;
    assert!(status == 200 && said.contains("Garden"), "{status} {said}");
    world.write(FILE, r#"{"token":"canary"}"#).await;
    // Longer than the server waits for the token, shorter than a call would wait for the table of levels.
    let slow = Fault { path: GET_FILE.to_owned(), fault: FaultKind::Delay, ms: Some(9_000), times: None };
    world.kernel.set_faults(vec![slow]);
    // A reading stays valid for one second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let (status, said) = post(&server.url, None, Some(&session), &list).await;
    assert!(status == 200 && said.contains("did not answer in time") && !said.contains("Garden"), "{said}");
    world.kernel.set_faults(Vec::new());
    assert_eq!(post(&server.url, None, Some(&session), &list).await.0, 401);
}

/// B-136: a SiYuan that fails is asked for the token once for each request, however often the request is judged.
#[tokio::test(flavor = "multi_thread")]
async fn a_siyuan_that_fails_is_asked_once() {
    let world = World::new().await;
    world.write(FILE, r#"{"token":"canary"}"#).await;
    let server = Running::start(&mut program(&world.kernel.url()));
    assert_eq!(greeted(&server.url, Some("canary")).await, 200);
    let broken = Fault { path: GET_FILE.to_owned(), fault: FaultKind::Broken, ms: None, times: None };
    world.kernel.set_faults(vec![broken]);
    // A reading stays valid for one second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    world.kernel.clear_log();
    assert_eq!(greeted(&server.url, Some("canary")).await, 200);
    // The channel may read its own file meanwhile.
    let tries = world.kernel.log().iter().filter(|it| it.file.as_deref() == Some(FILE)).count();
    assert_eq!(tries, 3, "as often as any read is tried");
}

/// B-136, B-141: the server does not wait for the body of a caller without the token, known or not.
#[tokio::test(flavor = "multi_thread")]
async fn body_is_not_read_before_the_token() {
    let world = World::new().await;
    world.write(FILE, r#"{"token":"canary"}"#).await;
    let server = Running::start(&mut program(&world.kernel.url()));
    let host = server.url.trim_start_matches("http://").trim_end_matches("/mcp");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: 4000000\r\n\r\n{{"
    );
    for _ in 0..2 {
        let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        // The deadline for a body is twice as long.
        let answered = tokio::time::timeout(Duration::from_secs(15), stream.read_exact(&mut answer)).await;
        answered.expect("an answer before the body").unwrap();
        assert_eq!(&answer, b"HTTP/1.1 401");
    }
}

/// F12: changing the token ends everything begun under it: sessions, their streams, and streams without a session.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_streams_end_with_their_token() {
    for next in [r#"{"token":"canary-two"}"#, "{}"] {
        let world = World::new().await;
        world.write(FILE, r#"{"token":"canary-one"}"#).await;
        let server = Running::start(&mut program(&world.kernel.url()));
        let (session, streams) = streams(&server.url, Some("canary-one")).await;
        world.write(FILE, next).await;
        end(streams, next).await;
        let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
        let token = next.contains("two").then_some("canary-two");
        assert_eq!(post(&server.url, token, Some(&session), &ping).await.0, 404, "{next}");
        assert_eq!(greeted(&server.url, token).await, 200);
    }
}

/// B-012, B-084: if SiYuan cannot report the token, each call fails with the current reason; once SiYuan can, the next
/// call succeeds.
#[tokio::test(flavor = "multi_thread")]
async fn unreadable_token_setting_fails_the_call() {
    let world = World::new().await;
    let fault = |fault: FaultKind| {
        let ms = Some(if fault == FaultKind::Delay { 600_000 } else { 60_000 });
        world.kernel.set_faults(vec![Fault { path: GET_FILE.to_owned(), fault, ms, times: None }]);
    };
    fault(FaultKind::Broken);
    let server = Running::start(&mut program(&world.kernel.url()));
    let session = session(&server.url).await;
    let list = call(2, "notebook", &json!({ "action": "list" }));
    for (kind, said) in [
        (FaultKind::Broken, "HTTP 500"),
        (FaultKind::Delay, "did not answer in time"),
        (FaultKind::Busy, "too many requests"),
        (FaultKind::Starting, "HTTP 503"),
        (FaultKind::Unauthorized, "refused the token"),
    ] {
        fault(kind);
        let (status, body) = post(&server.url, None, Some(&session), &list).await;
        assert!(
            status == 200 && body.contains("isError\":true") && body.contains(said),
            "{kind:?}: {status} {body}"
        );
        world.kernel.set_faults(Vec::new());
        world.kernel.release();
    }
    let (status, body) = post(&server.url, None, Some(&session), &list).await;
    assert!(status == 200 && body.contains("Garden"), "{status} {body}");
}
