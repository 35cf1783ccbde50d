//! A panic during a call on stdio is an error of that call; the next call works, stdout stays JSON-RPC (B-032, B-146).
//!
//! The test runs its own binary as the server, because libtest's `main` writes to stdout. The panic is raised in the
//! log output, in the middle of a request to the kernel.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may stop at once, and prints how it went"
)]

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use demo_kernel::{Content, Options as KernelOptions, Siyuan};
use puppy_server::discover::Address;
use puppy_server::kernel::{HttpKernel, Options};
use puppy_server::mcp::{Surface, serve_stdio};
use puppy_server::stop::Stop;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

const NAME: &str = "a_panic_in_a_call_ends_the_call_alone";
/// The variable with the address of the server's kernel.
const KERNEL: &str = "PANIC_TEST_KERNEL";
/// The deadline for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The endpoint whose request never finishes.
const MINE: &str = "/api/block/getChildBlocks";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Ok(kernel) = std::env::var(KERNEL) {
        return serve(kernel).await;
    }
    let wanted = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    if wanted.is_some_and(|wanted| !NAME.contains(&wanted)) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let fixture = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../demo-kernel/fixture"));
    let options = KernelOptions {
        port: 0,
        workspace: folder.path().join("workspace"),
        content: Content::Fixture(fixture),
        token: None,
        stage: None,
        siyuan: Siyuan::default(),
    };
    let kernel = demo_kernel::start(options).await.unwrap();
    let url = kernel.url();
    tokio::task::spawn_blocking(move || talk(&url)).await.unwrap();
    println!("test {NAME} ... ok\n\ntest result: ok. 1 passed; 0 failed");
}

/// Serves on stdin and stdout, as the program does.
async fn serve(kernel: String) {
    tracing_subscriber::registry().with(Mine).init();
    let kernel = HttpKernel::new(Options::new(Address::Given(kernel), None)).unwrap();
    serve_stdio(puppy_server::sidecar(kernel, false), Surface::default(), None, Stop::default())
        .await
        .unwrap();
}

/// A log writer that panics at one line.
struct Mine;

impl<S: Subscriber> Layer<S> for Mine {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Mine);
    }
}

impl Visit for Mine {
    fn record_debug(&mut self, _: &Field, value: &dyn fmt::Debug) {
        assert!(!format!("{value:?}").contains(MINE), "stepped on");
    }
}

fn talk(kernel: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(KERNEL, kernel).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let logging = std::thread::spawn(move || {
        let mut all = String::new();
        stderr.read_to_string(&mut all).map(|_| all).unwrap()
    });
    let (sender, lines) = mpsc::channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let mut ask = |message: Value| -> Value {
        writeln!(stdin, "{message}").unwrap();
        loop {
            let line = lines.recv_timeout(PATIENCE).expect("an answer");
            let said: Value = serde_json::from_str(&line).expect("nothing but JSON on stdout");
            assert_eq!(said["jsonrpc"], "2.0");
            if said["id"] == message["id"] {
                return said;
            }
        }
    };
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    let mut call = |id: u64, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = ask(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        (answer["result"]["isError"] == true, answer.to_string())
    };
    for round in [2, 4] {
        let (failed, said) = call(round, "fs", json!({ "action": "read", "path": "/Garden/Welcome" }));
        assert!(failed && said.contains("internal_error"), "{said}");
        assert!(!said.contains("stepped on") && !said.contains(".rs"), "{said}");
        let (failed, said) = call(round + 1, "notebook", json!({ "action": "list" }));
        assert!(!failed && said.contains("Garden"), "{said}");
    }
    // A request that is not a tool call is answered too.
    let listed = ask(json!({ "jsonrpc": "2.0", "id": 8, "method": "resources/list" }));
    let all = listed["result"]["resources"].as_array().unwrap();
    let document = json!({ "uri": all.iter().find(|it| it["name"] == "Welcome").unwrap()["uri"] });
    let read = ask(json!({ "jsonrpc": "2.0", "id": 6, "method": "resources/read", "params": document }));
    assert_eq!(read["error"]["code"], -32603, "{read}");
    assert!(ask(json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" }))["result"].is_object());
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(logging.join().unwrap().contains("stepped on"), "there was no panic");
}
