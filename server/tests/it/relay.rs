//! The relay from stdio to a running server: both eras, both directions, and a server that restarts (B-189).

mod junk;
pub(crate) mod streams;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use demo_kernel::{Fault, FaultKind};
use serde_json::{Value, json};

use crate::client::{Client, Era, Way};
use crate::gate::{EVENTS, answered, asking, content, desk, removals, remove, yes};
use crate::world::{World, until};

const ERAS: [Era; 2] = [Era::Old, Era::New];

/// A server over HTTP that stops at the end of the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(world: &World, port: u16, token: Option<&str>) -> Server {
        let mut command = program();
        command.env("SIYUAN_API_URL", world.kernel.url()).args(["http", "--port", &port.to_string()]);
        if let Some(token) = token {
            command.env("SIYUAN_MCP_TOKEN", token);
        }
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let said = lines.find_map(|line| line.strip_prefix("siyuan-puppy listening on ").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, url: said.expect("the address") }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
    for name in ["SIYUAN_TOKEN", "SIYUAN_MCP_TOKEN", "SIYUAN_MCP_PARENT_PID"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// A client on stdio whose program is a relay to a server and has no kernel of its own.
async fn relayed(era: Era, url: &str, capabilities: Value) -> Client {
    Client::with(era, Way::Stdio, "http://127.0.0.1:9", &["--connect", url], capabilities).await
}

/// Names, arguments and answers are the same with and without the relay.
#[tokio::test(flavor = "multi_thread")]
async fn relay_passes_calls_and_answers_unchanged() {
    let world = World::new().await;
    for era in ERAS {
        let server = Server::start(&world, 0, None);
        let mut direct = Client::start(era, Way::Http, &world.kernel.url(), &[]).await;
        let mut relay = relayed(era, &server.url, json!({})).await;
        assert_eq!(relay.greeting, direct.greeting, "{era:?}");
        for (method, params) in [
            ("tools/list", json!({})),
            ("tools/call", json!({ "name": "notebook", "arguments": { "action": "list" } })),
            (
                "tools/call",
                json!({ "name": "fs", "arguments": { "path": "/Garden", "action": "ls", "limit": 3 } }),
            ),
            (
                "tools/call",
                json!({ "name": "fs", "arguments": { "action": "read", "pfad": "/Gärten/笔记" } }),
            ),
            ("tools/call", json!({ "name": "notebok", "arguments": {} })),
            ("resources/list", json!({})),
            ("no/such", json!({})),
        ] {
            let (one, other) = (direct.ask(method, params.clone()).await, relay.ask(method, params).await);
            assert_eq!(one.map(|it| it.to_string()), other.map(|it| it.to_string()), "{era:?} {method}");
        }
    }
}

/// Questions from the server reach the person, and the answers reach the server.
#[tokio::test(flavor = "multi_thread")]
async fn relay_passes_questions_and_answers() {
    for era in ERAS {
        let (world, doc) = desk("Note").await;
        let server = Server::start(&world, 0, None);
        let mut client = relayed(era, &server.url, asking()).await;
        let (_, refused) = answered(&mut client, &remove(&doc), &json!({ "action": "decline" })).await;
        assert!(content(&refused).1 && removals(&world) == 0, "{era:?}");
        let (question, done) = answered(&mut client, &remove(&doc), &yes()).await;
        assert!(question["message"].as_str().unwrap().contains("Note"));
        assert!(!content(&done).1 && removals(&world) == 1, "{era:?} {done}");
    }
}

/// B-030: a call that the client cancels ends on the server.
#[tokio::test(flavor = "multi_thread")]
async fn relay_passes_cancellations() {
    for era in ERAS {
        let world = World::new().await;
        let server = Server::start(&world, 0, None);
        let mut client = relayed(era, &server.url, json!({})).await;
        let path = "/api/filetree/listDocsByPath".to_owned();
        world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Delay, ms: Some(60_000), times: None }]);
        let call = json!({ "name": "fs", "arguments": { "action": "list", "path": "/Garden" } });
        let id = client.request("tools/call", call).await;
        until("the call", async || world.read(EVENTS).await).await;
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled(era, id) })).await;
        world.kernel.set_faults(Vec::new());
        until(&format!("its end, {era:?}"), async || {
            let events: Value = serde_json::from_slice(&world.read(EVENTS).await?).unwrap();
            events["events"].as_array()?.iter().any(|it| it["error_type"] == "cancelled").then_some(())
        })
        .await;
    }
}

fn cancelled(era: Era, id: u64) -> Value {
    let mut params = json!({ "requestId": id });
    if era == Era::New {
        params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    }
    params
}

/// Without the server the relay lists the tools, and a call explains what to do; once the server runs, calls work.
#[tokio::test(flavor = "multi_thread")]
async fn relay_finds_a_server_that_starts_later() {
    let world = World::new().await;
    for era in ERAS {
        let port = free_port();
        let mut client = relayed(era, &format!("http://127.0.0.1:{port}"), json!({})).await;
        let listed = client.ask("tools/list", json!({})).await.unwrap();
        assert!(listed["tools"].as_array().unwrap().iter().any(|it| it["name"] == "fs"));
        let call = json!({ "name": "notebook", "arguments": { "action": "list" } });
        let error = client.ask("tools/call", call.clone()).await.unwrap_err();
        let text = error["message"].as_str().unwrap();
        assert!(text.contains(&port.to_string()) && text.contains("siyuan-puppy http"), "{text}");
        let _server = Server::start(&world, port, None);
        let done = client.ask("tools/call", call).await.unwrap();
        assert!(done.to_string().contains("Garden"), "{done}");
        if era == Era::Old {
            client.hear("notifications/tools/list_changed").await;
        }
    }
}

/// A call interrupted by the server's death gets one clear error; the next call uses the restarted server.
#[tokio::test(flavor = "multi_thread")]
async fn relay_initializes_again_after_a_server_restart() {
    for era in ERAS {
        let world = World::new().await;
        let port = free_port();
        let server = Server::start(&world, port, None);
        let mut client = relayed(era, &server.url, json!({})).await;
        let call = json!({ "name": "fs", "arguments": { "action": "list", "path": "/Garden" } });
        assert!(client.ask("tools/call", call.clone()).await.is_ok());
        let path = "/api/filetree/listDocsByPath".to_owned();
        world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Delay, ms: Some(60_000), times: None }]);
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        world.kernel.clear_log();
        let running = client.request("tools/call", call.clone()).await;
        until("the call", async || world.asked().iter().any(|it| it.contains("getFile")).then_some(())).await;
        server.kill();
        let error = client.answer(running).await.unwrap_err();
        assert!(error["message"].as_str().unwrap().contains("unknown whether it was done"), "{error}");
        world.kernel.set_faults(Vec::new());
        let _server = Server::start(&world, port, None);
        let done = client.ask("tools/call", call).await.unwrap();
        assert!(done.to_string().contains("Garden"), "{era:?} {done}");
        let answers = client.heard.iter().filter(|it| it["id"] == running);
        assert_eq!(answers.count(), 0, "one error and no more");
    }
}

/// B-136, B-137: the token comes from the environment or a file; without it the server's refusal reaches the client.
#[tokio::test(flavor = "multi_thread")]
async fn relay_sends_its_token() {
    let world = World::new().await;
    let server = Server::start(&world, 0, Some("canary-token"));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "canary-token\n").unwrap();
    let flags = ["--connect", &server.url, "--mcp-token-file", file.path().to_str().unwrap()];
    let mut client = Client::start(Era::Old, Way::Stdio, "http://127.0.0.1:9", &flags).await;
    assert!(client.call("notebook", json!({ "action": "list" })).await.to_string().contains("Garden"));
    let mut stranger = relayed_by_hand(&server.url);
    let error = stranger.ask(&hello());
    assert!(
        error.to_string().contains("SIYUAN_MCP_TOKEN") && !error.to_string().contains("canary"),
        "{error}"
    );
}

/// A relay driven by hand-written messages.
struct ByHand {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

fn relayed_by_hand(url: &str) -> ByHand {
    let mut command = program();
    command.args(["stdio", "--connect", url]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    ByHand { child, lines }
}

impl ByHand {
    fn ask(&mut self, line: &str) -> Value {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hello() -> String {
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": "häl-1", "method": "initialize", "params": params }).to_string()
}

/// Ids come back unchanged; a line that is not a message gets an error; the relay ends with stdin.
#[tokio::test(flavor = "multi_thread")]
async fn relay_ends_with_its_client() {
    let world = World::new().await;
    let server = Server::start(&world, 0, None);
    for url in [server.url.as_str(), "http://127.0.0.1:9/mcp"] {
        let mut relay = relayed_by_hand(url);
        assert_eq!(relay.ask(&hello())["id"], "häl-1");
        assert_eq!(relay.ask("{torn")["error"]["code"], -32700);
        drop(relay.child.stdin.take());
        let deadline = Instant::now() + Duration::from_secs(20);
        let status = loop {
            if let Some(status) = relay.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{status}");
    }
}
