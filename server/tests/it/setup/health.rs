//! `health`, the health check of the image for containers: exit codes for servers that work, encrypt, are others, or
//! have ended (B-326).

use std::io::{Read, Write};
use std::net::TcpListener;

use super::{Home, said};
use crate::process::{Running, program};

/// An address at which no kernel listens: the server's health is not that of SiYuan.
const NOWHERE: &str = "http://127.0.0.1:9";

fn port(server: &Running) -> String {
    server.url.trim_end_matches("/mcp").rsplit(':').next().unwrap().to_owned()
}

#[test]
fn health_tells_whether_a_server_works() {
    let home = Home::new();
    let mut plain = Running::start(&mut program(NOWHERE));
    let encrypting = Running::start_with(
        program(NOWHERE).env("HOME", home.path("")).env("XDG_DATA_HOME", home.path("data")),
        &["--tls", "generate"],
    );
    for server in [&plain, &encrypting] {
        let (code, text) = home.run(&["health", "--port", &port(server)]);
        assert_eq!((code, text.contains("works")), (0, true), "{text}");
    }
    // As a container names it, which listens to all addresses.
    let place = [("SIYUAN_MCP_HOST", "0.0.0.0".to_owned()), ("SIYUAN_MCP_PORT", port(&plain))];
    let (code, text) = said(home.command().envs(place.clone()).arg("health").output().unwrap());
    assert_eq!(code, 0, "{text}");
    plain.child.kill().unwrap();
    plain.ended();
    let (code, text) = said(home.command().envs(place).arg("health").output().unwrap());
    assert_eq!((code, text.contains("--port")), (1, true), "{text}");
    assert_eq!(home.run(&["health", "--host", "notes.example"]).0, 1);
}

#[test]
fn other_servers_and_errors_are_not_healthy() {
    let home = Home::new();
    for answer in ["", "HTTP/1.1 503 Service Unavailable\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n\r\nNo.\n"] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let other = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = [0; 1024];
            assert!(stream.read(&mut head).unwrap() > 0);
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let (code, text) = home.run(&["health", "--port", &port]);
        other.join().unwrap();
        assert_eq!(code, 1, "{answer}: {text}");
    }
}
