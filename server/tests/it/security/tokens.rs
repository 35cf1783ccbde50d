//! The token: required on every request, accepted in one place only, never shown.

use std::io::Read;

use puppy_server::http::{BearerToken, Server, Settings};
use serde_json::json;

use super::door::{Door, ERAS, TOKEN, call, era_headers, greeting};
use crate::client::http;
use crate::process::{Running, program};
use crate::world::World;

/// B-136: missing, wrong, empty and repeated tokens in both eras, and a token in the address.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_checked_in_every_form() {
    let door = Door::locked().await;
    let right = format!("Bearer {TOKEN}");
    let basic = format!("Basic {TOKEN}");
    let longer = format!("{right}x");
    for (values, status) in [
        (vec![], 401),
        (vec![""], 401),
        (vec!["Bearer"], 401),
        (vec!["Bearer "], 401),
        (vec!["Bearer wrong"], 401),
        (vec![TOKEN], 401),
        (vec![basic.as_str()], 401),
        (vec![longer.as_str()], 401),
        (vec![right.as_str(), right.as_str()], 401),
        (vec![right.as_str(), "Bearer wrong"], 401),
        (vec![right.as_str()], 200),
    ] {
        for era in ERAS {
            let mut headers = era_headers(era);
            headers.extend(values.iter().map(|it| ("Authorization", *it)));
            let reply = door.post(&headers, &greeting(era)).await;
            assert_eq!(reply.status, status, "{era:?} {values:?}");
            assert_eq!(reply.header("www-authenticate").is_some(), status == 401, "{values:?}");
            assert!(!reply.body.contains(TOKEN) && !reply.head.contains(TOKEN), "{}", reply.body);
        }
    }
    let host = door.address.to_string();
    for line in [
        format!("GET /mcp?token={TOKEN} HTTP/1.1"),
        format!("GET /mcp?access_token={TOKEN} HTTP/1.1"),
        format!("DELETE /mcp?authorization=Bearer%20{TOKEN} HTTP/1.1"),
    ] {
        let reply = door.send(&line, &[("Host", &host), ("Accept", "text/event-stream")], "").await;
        assert_eq!(reply.status, 401, "{line}");
    }
    assert_eq!(door.send("GET /health HTTP/1.1", &[("Host", &host)], "").await.status, 200);
}

/// B-138: an empty token does not count as a token.
#[tokio::test]
async fn remote_address_requires_a_token() {
    for host in ["0.0.0.0", "::"] {
        let settings = Settings { host: host.parse().unwrap(), port: 0, ..Settings::default() };
        let refused = Server::bind(settings).await.unwrap_err();
        assert!(refused.contains("SIYUAN_MCP_TOKEN"), "{refused}");
    }
    assert!(BearerToken::new("").is_none() && BearerToken::new(" \n").is_none());
}

/// An empty token file is an error, not an open door; the message does not reveal the file's location.
#[test]
fn empty_token_file_prevents_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, missing) = (folder.path().join("empty"), folder.path().join("missing"));
    std::fs::write(&empty, " \n").unwrap();
    for file in [&empty, &missing] {
        let output = program("http://127.0.0.1:9")
            .args(["http", "--port", "0", "--mcp-token-file"])
            .arg(file)
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("--mcp-token-file"), "{said}");
        assert!(!said.contains(&*folder.path().to_string_lossy()), "{said}");
    }
}

/// B-137: neither the most verbose output nor the visible properties of the process contain the token.
#[tokio::test(flavor = "multi_thread")]
async fn token_is_in_no_output() {
    let world = World::with_token(Some("kernel-canary-3b")).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let mut command = program(&world.kernel.url());
    command.env("SIYUAN_TOKEN", "kernel-canary-3b").args(["--log", "trace"]);
    let mut server = Running::start_with(&mut command, &["--mcp-token-file", file.to_str().unwrap()]);
    let client = http();
    let post = async |token: &str, session: &str, body: String| {
        let request = client.post(&server.url).header("Authorization", format!("Bearer {token}"));
        let request = request.header("Accept", "application/json, text/event-stream");
        let request = request.header("Content-Type", "application/json").header("Mcp-Session-Id", session);
        request.body(body).send().await.unwrap()
    };
    let url = format!("{}?token={TOKEN}", server.url);
    assert_eq!(client.get(url).send().await.unwrap().status(), 401);
    assert_eq!(post("wrong-canary-9d", "", String::new()).await.status(), 401);
    let hello = client.post(&server.url).bearer_auth(TOKEN).header("Content-Type", "application/json");
    let hello = hello.header("Accept", "application/json, text/event-stream");
    let hello = hello.body(greeting(ERAS[0]).to_string()).send().await.unwrap();
    let session = hello.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    drop(hello.text().await.unwrap());
    let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    post(TOKEN, &session, greeted.to_string()).await;
    let list = call(2, "notebook", &json!({ "action": "list" })).to_string();
    let answer = post(TOKEN, &session, list).await.text().await.unwrap();
    assert!(answer.contains("Garden"), "{answer}");
    assert_eq!(post(TOKEN, &session, "{torn".to_owned()).await.status(), 400);
    #[cfg(target_os = "linux")]
    {
        let line = std::fs::read(format!("/proc/{}/cmdline", server.child.id())).unwrap();
        assert!(!String::from_utf8_lossy(&line).contains(TOKEN));
    }
    server.child.kill().unwrap();
    let mut printed = server.printed();
    server.child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert!(printed.contains("401"), "nothing was logged: {printed}");
    for secret in [TOKEN, "kernel-canary-3b", "wrong-canary-9d"] {
        assert!(!printed.contains(secret), "{secret}: {printed}");
    }
}
