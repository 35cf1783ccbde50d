//! The end of the process: with its parent, with stdin, on request, and never in the middle of an answer.

use std::io::Write;
use std::process::Command;
use std::time::Duration;

use puppy_server::http::{Server, Settings};
use serde_json::json;

use super::door::{Door, call};
use super::limits::{LIST, held, release, slow};
use crate::process::{Running, ended, program};
use crate::world::until;

/// An address at which nothing listens.
const NOWHERE: &str = "http://127.0.0.1:9";

/// B-144: on a stop, a running call is answered, a later one is refused, a stream is closed, and the port is free.
#[tokio::test(flavor = "multi_thread")]
async fn stop_lets_a_running_call_finish() {
    let door = Door::open(Settings::default()).await;
    let session = door.session(&[]).await;
    let headers = [("Mcp-Session-Id", session.as_str())];
    slow(&door, LIST);
    let (running, later) = (
        call(2, "fs", &json!({ "action": "list", "path": "/Garden" })),
        call(3, "fs", &json!({ "action": "help" })),
    );
    let host = door.address.to_string();
    let stream = [("Host", host.as_str()), ("Mcp-Session-Id", &session), ("Accept", "text/event-stream")];
    let (answer, stream, ()) =
        tokio::join!(door.post(&headers, &running), door.send("GET /mcp HTTP/1.1", &stream, ""), async {
            held(&door, LIST, 1).await;
            door.stop.ask();
            until("a call to be refused", async || {
                let refused = door.post(&headers, &later).await.message();
                refused["error"]["message"].as_str()?.contains("stopping").then_some(())
            })
            .await;
            release(&door);
        });
    assert!(answer.message().to_string().contains("Garden"), "{}", answer.body);
    assert_eq!(stream.status, 200);
    let address = door.address;
    door.ended().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

/// B-130: the error names the holder of the port, and no other port is used.
#[tokio::test(flavor = "multi_thread")]
async fn taken_port_error_names_its_holder() {
    let door = Door::open(Settings::default()).await;
    let refused =
        Server::bind(Settings { port: door.address.port(), ..Settings::default() }).await.unwrap_err();
    assert!(refused.contains(&door.address.port().to_string()) && refused.contains("--port"), "{refused}");
    #[cfg(target_os = "linux")]
    assert!(refused.contains(&format!("(process {})", std::process::id())), "{refused}");
}

/// B-145: with the option to watch stdin, the server ends with it.
#[test]
fn server_ends_with_its_stdin() {
    let mut server = Running::start_with(&mut program(NOWHERE), &["--watch-stdin"]);
    assert!(server.child.try_wait().unwrap().is_none());
    drop(server.child.stdin.take());
    assert!(server.ended().success());
    let mut other = Running::start(&mut program(NOWHERE));
    drop(other.child.stdin.take());
    std::thread::sleep(Duration::from_millis(500));
    assert!(other.child.try_wait().unwrap().is_none(), "it was not started with the watchdog");
}

/// B-145: a page that is loaded again closes its pipes while its process lives, and finds the server again.
#[test]
fn closed_stdin_beside_a_living_parent_is_no_end() {
    let parent = std::process::id().to_string();
    let watching = ["--watch-stdin", "--parent-pid", parent.as_str()];
    let mut server = Running::start_with(&mut program(NOWHERE), &watching);
    drop(server.child.stdin.take());
    std::thread::sleep(Duration::from_millis(500));
    assert!(server.child.try_wait().unwrap().is_none(), "its parent lives");
}

/// B-144: a line on stdin asks for the same stop as a signal, for systems without any.
#[test]
fn stop_line_on_stdin_ends_the_server() {
    let parent = std::process::id().to_string();
    let mut server = Running::start_with(&mut program(NOWHERE), &["--watch-stdin", "--parent-pid", &parent]);
    server.child.stdin.as_mut().unwrap().write_all(b"stop\n").unwrap();
    assert!(server.ended().success());
}

/// B-145: over stdio the process ends with stdin, even before the client has greeted.
#[test]
fn stdin_can_end_before_initialize() {
    let mut child = program(NOWHERE).arg("stdio").spawn().unwrap();
    drop(child.stdin.take());
    assert!(ended(&mut child).success());
}

/// B-145: the parent is killed while another process between it and the server holds stdin open.
#[cfg(unix)]
#[test]
fn server_ends_when_its_parent_is_killed() {
    for way in ["stdio", "http"] {
        let mut parent = Command::new("sleep").arg("600").spawn().unwrap();
        let pid = parent.id().to_string();
        let mut command = program(NOWHERE);
        if way == "http" {
            command.args(["http", "--port", "0"]);
        } else {
            command.arg("stdio");
        }
        let mut child = command.args(["--parent-pid", &pid]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "{way}: it ended before its parent");
        parent.kill().unwrap();
        // Nobody reaps the parent: a process that has ended and was not reaped does not count as running.
        assert!(ended(&mut child).success(), "{way}");
        parent.wait().unwrap();
    }
}
