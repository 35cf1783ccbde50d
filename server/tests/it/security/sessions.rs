//! Sessions of the older era: their number, their ids, their isolation, and interrupted streams.

use std::collections::HashSet;
use std::time::Duration;

use puppy_server::http::{Limits, Settings};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::door::{Door, MESSAGE, TOKEN, call, greeting, request, text};
use super::limits::{LIST, held, release, slow};
use crate::client::Era;
use crate::resources::doc;
use crate::world::until;

fn list(id: u64) -> Value {
    call(id, "fs", &json!({ "action": "list", "path": "/Garden" }))
}

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 77, "method": "ping" })
}

async fn status(door: &Door, session: &str) -> u16 {
    door.post(&[("Mcp-Session-Id", session)], &ping()).await.status
}

/// B-132: an id has at least 128 random bits, is sent in the header, and never in a cookie.
#[tokio::test(flavor = "multi_thread")]
async fn session_ids_cannot_be_guessed() {
    let door = Door::open(Settings::default()).await;
    let mut seen = HashSet::new();
    for _ in 0..20 {
        let reply = door.post(&[], &greeting(Era::Old)).await;
        let id = reply.header("mcp-session-id").unwrap().to_owned();
        assert!(id.len() >= 32 && id.chars().all(|it| it.is_ascii_hexdigit()), "{id}");
        assert!(reply.header("set-cookie").is_none());
        // No part of one id predicts another.
        assert!(seen.insert(id[..16].to_owned()) && seen.insert(id[16..32].to_owned()));
    }
}

/// B-134: the least recently used session ends; its client gets 404 and may greet again.
#[tokio::test(flavor = "multi_thread")]
async fn least_recently_used_session_ends_first() {
    let limits = Limits { sessions: 2, ..Limits::default() };
    let door = Door::open(Settings { limits, ..Settings::default() }).await;
    let (first, second) = (door.session(&[]).await, door.session(&[]).await);
    assert_eq!(status(&door, &first).await, 200);
    let third = door.session(&[]).await;
    assert_eq!(status(&door, &second).await, 404);
    assert_eq!((status(&door, &first).await, status(&door, &third).await), (200, 200));
    door.session(&[]).await;
}

/// B-134: after 300 greetings the number of sessions is within the limit.
#[tokio::test(flavor = "multi_thread")]
async fn number_of_sessions_is_limited() {
    let door = Door::open(Settings::default()).await;
    for _ in 0..300 {
        assert_eq!(door.post(&[], &greeting(Era::Old)).await.status, 200);
    }
    let health = door.send("GET /health HTTP/1.1", &[("Host", "localhost")], "").await.message();
    assert_eq!(health["sessions"], 256);
}

/// B-134: an unused session ends.
#[tokio::test(flavor = "multi_thread")]
async fn idle_session_ends() {
    let limits = Limits { idle: Duration::from_secs(2), ..Limits::default() };
    let door = Door::open(Settings { limits, ..Settings::default() }).await;
    let session = door.session(&[]).await;
    let ended = async || {
        let health = door.send("GET /health HTTP/1.1", &[("Host", "localhost")], "").await.message();
        (health["sessions"] == 0).then_some(())
    };
    until("the session to end", ended).await;
    assert_eq!(status(&door, &session).await, 404);
}

/// B-134: an unknown, deleted or malformed session yields 404 for every method.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_session_is_not_found() {
    let door = Door::open(Settings::default()).await;
    let deleted = door.session(&[]).await;
    let host = door.address.to_string();
    let delete = [("Host", host.as_str()), ("Mcp-Session-Id", &deleted)];
    assert!([200, 202, 204].contains(&door.send("DELETE /mcp HTTP/1.1", &delete, "").await.status));
    for id in [deleted.as_str(), "invented", "../..", "0", "%00"] {
        assert_eq!(status(&door, id).await, 404, "{id}");
        let headers = [("Host", host.as_str()), ("Accept", "text/event-stream"), ("Mcp-Session-Id", id)];
        assert_eq!(door.send("GET /mcp HTTP/1.1", &headers, "").await.status, 404, "{id}");
    }
    assert_eq!(door.post(&[], &ping()).await.status, 400);
}

/// A session is useless without the token with which it was opened.
#[tokio::test(flavor = "multi_thread")]
async fn session_requires_its_token() {
    let door = Door::locked().await;
    let right = format!("Bearer {TOKEN}");
    let session = door.session(&[("Authorization", &right)]).await;
    let host = door.address.to_string();
    for wrong in ["", "Bearer another"] {
        let headers = [("Mcp-Session-Id", session.as_str()), ("Authorization", wrong)];
        assert_eq!(door.post(&headers, &ping()).await.status, 401);
        for method in ["GET", "DELETE"] {
            let mut all = vec![("Host", host.as_str()), ("Accept", "text/event-stream")];
            all.extend(headers);
            assert_eq!(door.send(&format!("{method} /mcp HTTP/1.1"), &all, "").await.status, 401);
        }
    }
    let headers = [("Mcp-Session-Id", session.as_str()), ("Authorization", &right)];
    assert_eq!(door.post(&headers, &ping()).await.status, 200);
}

/// B-133: a cancellation from another session, with the same id, has no effect.
#[tokio::test(flavor = "multi_thread")]
async fn cancellation_affects_its_own_session_only() {
    let door = Door::open(Settings::default()).await;
    let (mine, other) = (door.session(&[]).await, door.session(&[]).await);
    slow(&door, LIST);
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 4 } });
    let listing = list(4);
    let (headers, others) = ([("Mcp-Session-Id", mine.as_str())], [("Mcp-Session-Id", other.as_str())]);
    let (answer, ()) = tokio::join!(door.post(&headers, &listing), async {
        held(&door, LIST, 1).await;
        assert_eq!(door.post(&others, &cancel).await.status, 202);
        release(&door);
    });
    assert_eq!(answer.message()["result"]["isError"], false, "{}", answer.body);
}

/// B-030, B-141: a request cancelled by its own client gets no answer and makes room for another. Its id stays in use,
/// because its call may end later than the next one begins.
#[tokio::test(flavor = "multi_thread")]
async fn cancelled_request_frees_its_slot() {
    let settings = Settings { limits: Limits { calls: 1, ..Limits::default() }, ..Settings::default() };
    let door = Door::open(settings).await;
    let session = door.session(&[]).await;
    let headers = [("Mcp-Session-Id", session.as_str())];
    let cancel = |id: u64| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    let works = async |cancelled, next| {
        release(&door);
        let again = door.post(&headers, &list(cancelled)).await.message();
        assert_eq!((&again["error"]["code"], &again["id"]), (&json!(-32600), &json!(cancelled)));
        let answer = door.post(&headers, &list(next)).await;
        assert_eq!(answer.message()["result"]["isError"], false, "{}", answer.body);
    };
    slow(&door, LIST);
    let listing = list(4);
    let (answer, ()) = tokio::join!(door.post(&headers, &listing), async {
        held(&door, LIST, 1).await;
        door.post(&headers, &cancel(4)).await;
    });
    assert!(answer.message().get("result").is_none(), "{}", answer.body);
    works(4, 5).await;
    // The same if the client lost the stream before it cancels.
    slow(&door, LIST);
    let host = door.address.to_string();
    let mut lost = vec![("Host", host.as_str()), headers[0]];
    lost.extend(MESSAGE);
    cut(&door, "POST /mcp HTTP/1.1", &lost, &list(6).to_string(), "retry:").await;
    door.post(&headers, &cancel(6)).await;
    works(6, 7).await;
}

/// The events of a stream: id and message.
fn events(text: &str) -> Vec<(String, Value)> {
    let field = |block: &str, name: &str| {
        block
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .map(|it| it.trim().to_owned())
            .unwrap_or_default()
    };
    let blocks = text.split("\n\n").filter(|it| it.contains("id:"));
    blocks
        .map(|it| (field(it, "id:"), serde_json::from_str(&field(it, "data:")).unwrap_or_default()))
        .collect()
}

/// Sends a request, reads until `until` has arrived, and cuts the connection.
async fn cut(door: &Door, line: &str, headers: &[(&str, &str)], body: &str, until: &str) -> String {
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(&text(line, headers, body)).await.unwrap();
    let mut read = Vec::new();
    let reading = async {
        while !String::from_utf8_lossy(&read).contains(until) {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "it ended early");
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reading).await.unwrap();
    String::from_utf8(read).unwrap()
}

/// B-135: the connection is cut during a call; the answer arrives once, whether it was ready before or after the client
/// returned.
#[tokio::test(flavor = "multi_thread")]
async fn resumed_stream_delivers_each_message_once() {
    let door = Door::open(Settings::default()).await;
    let (session, other) = (door.session(&[]).await, door.session(&[]).await);
    let host = door.address.to_string();
    let mut headers = vec![("Host", host.as_str()), ("Mcp-Session-Id", session.as_str())];
    headers.extend(MESSAGE);
    for (id, is_over) in [(30, false), (31, true)] {
        slow(&door, LIST);
        let body = list(id).to_string();
        let seen = cut(&door, "POST /mcp HTTP/1.1", &headers, &body, "retry:").await;
        assert!(seen.contains("retry: 3000") || seen.contains("retry:3000"), "{seen}");
        let (last, _) = events(&seen).pop().unwrap();
        held(&door, LIST, 1).await;
        let again = async |session: &str, last: &str| {
            let mut headers =
                vec![("Host", host.as_str()), ("Mcp-Session-Id", session), ("Last-Event-ID", last)];
            headers.push(("Accept", "text/event-stream"));
            door.send("GET /mcp HTTP/1.1", &headers, "").await.body
        };
        // Another session receives nothing of the stream, whatever it requests.
        assert!(!again(&other, &last).await.contains("Garden"));
        if is_over {
            release(&door);
            until("the end of the call", async || (running_calls(&door).await == 0).then_some(())).await;
        }
        let (answers, ()) = tokio::join!(again(&session, &last), async {
            // Gives the client time to return; it gets its answer without this pause too.
            tokio::time::sleep(Duration::from_millis(200)).await;
            release(&door);
        });
        let answers = events(&answers);
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert_eq!(answers[0].1["id"], id);
        assert!(answers[0].1.to_string().contains("Garden"));
        // After the last event there is nothing; from an earlier one the same events follow, with the same ids.
        assert!(events(&again(&session, &answers[0].0).await).is_empty());
        assert_eq!(events(&again(&session, &last).await), answers);
    }
}

async fn running_calls(door: &Door) -> u64 {
    let health = door.send("GET /health HTTP/1.1", &[("Host", "localhost")], "").await.message();
    health["running_calls"].as_u64().unwrap()
}

/// B-010, B-135: events that happened while nobody read the standing stream reach its next reader once.
#[tokio::test(flavor = "multi_thread")]
async fn resumed_standing_stream_delivers_missed_events() {
    let door = Door::open(Settings::default()).await;
    let session = door.session(&[]).await;
    let host = door.address.to_string();
    let headers = [("Host", host.as_str()), ("Mcp-Session-Id", &session), ("Accept", "text/event-stream")];
    let id = [("Mcp-Session-Id", session.as_str())];
    let listed = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    door.post(&id, &listed).await;
    let mut last = String::new();
    for (round, switched) in ["tag", "block", "search"].into_iter().enumerate() {
        door.world.set_switches(&json!({ switched: { "enabled": false } })).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        door.post(&id, &list(10 + round as u64)).await;
        let mut headers = headers.to_vec();
        if round == 2 {
            headers.push(("Last-Event-ID", &last));
        }
        let seen = cut(&door, "GET /mcp HTTP/1.1", &headers, "", "list_changed").await;
        let results: Vec<(String, Value)> =
            events(&seen).into_iter().filter(|(_, it)| it.is_object()).collect();
        assert_eq!(results.len(), 1, "{round}: {seen}");
        assert_ne!(results[0].0, last, "{round}: {seen}");
        last.clone_from(&results[0].0);
    }
}

/// B-116: over HTTP the kernel is polled for changes only while a client reads its standing stream.
#[tokio::test(flavor = "multi_thread")]
async fn kernel_is_not_polled_without_a_reader() {
    let door = Door::open(Settings::default()).await;
    let session = door.session(&[]).await;
    let id = [("Mcp-Session-Id", session.as_str())];
    assert_eq!(door.post(&id, &list(2)).await.status, 200);
    let looks = || door.world.asked().iter().filter(|it| it.ends_with("query/sql")).count();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(looks(), 0);
    let host = door.address.to_string();
    let headers = [("Host", host.as_str()), id[0], ("Accept", "text/event-stream")];
    let reading = cut(&door, "GET /mcp HTTP/1.1", &headers, "", "list_changed");
    let (seen, ()) = tokio::join!(reading, async {
        until("a look", async || (looks() >= 3).then_some(())).await;
        door.world.raw("/api/notebook/createNotebook", json!({ "name": "New" })).await;
        let new = door.world.notebook("New").await;
        let made = json!({ "notebook": new, "path": "/Fresh", "markdown": "fresh" });
        door.world.raw("/api/filetree/createDocWithMd", made).await;
    });
    assert!(seen.contains("notifications/resources/list_changed"), "{seen}");
    // A poll that began before the client left may still end.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let before = looks();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(looks(), before);
}

/// B-133: the log level and the subscriptions of one session do not affect another.
#[tokio::test(flavor = "multi_thread")]
async fn log_level_and_subscriptions_affect_their_own_session_only() {
    let door = Door::open(Settings::default()).await;
    let (mine, other) = (door.session(&[]).await, door.session(&[]).await);
    let mint = doc(&door.world, "Garden", "/Plants/Mint").await;
    let ask = async |session: &str, method: &str, params: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params });
        door.post(&[("Mcp-Session-Id", session)], &message).await
    };
    assert_eq!(ask(&mine, "logging/setLevel", json!({ "level": "debug" })).await.status, 200);
    let uri = json!({ "uri": format!("siyuan://doc/{mint}") });
    assert!(ask(&mine, "resources/subscribe", uri).await.message()["result"].is_object());
    for session in [&mine, &other] {
        assert_eq!(door.post(&[("Mcp-Session-Id", session.as_str())], &list(6)).await.status, 200);
    }
    let host = door.address.to_string();
    let heard = async |session: &str| {
        let headers = [("Host", host.as_str()), ("Mcp-Session-Id", session), ("Accept", "text/event-stream")];
        cut(&door, "GET /mcp HTTP/1.1", &headers, "", "resources/list_changed").await
    };
    let looks = || door.world.asked().iter().filter(|it| it.ends_with("query/sql")).count();
    let (to_me, to_other, ()) = tokio::join!(heard(&mine), heard(&other), async {
        until("two looks", async || (looks() >= 5).then_some(())).await;
        let block = json!({ "dataType": "markdown", "data": "fresh", "parentID": mint });
        door.world.raw("/api/block/appendBlock", block).await;
        let before = looks();
        until("the edit to be seen", async || (looks() >= before + 5).then_some(())).await;
        let garden = door.world.notebook("Garden").await;
        let made = json!({ "notebook": garden, "path": "/Fresh", "markdown": "fresh" });
        door.world.raw("/api/filetree/createDocWithMd", made).await;
        door.world.raw("/api/sqlite/flushTransaction", json!({})).await;
    });
    let counts = |what: &str| [&to_me, &to_other].map(|it| it.matches(what).count());
    assert_eq!(counts("notifications/message"), [1, 0], "{to_me}\n{to_other}");
    // One edit may show twice: a block's text is there before the attributes of its document are.
    let [mine, others] = counts("notifications/resources/updated");
    assert!(mine >= 1 && others == 0, "{to_me}\n{to_other}");
}

/// B-135: a silent stream is kept alive.
#[tokio::test(flavor = "multi_thread")]
async fn silent_stream_is_kept_alive() {
    let door = Door::open(Settings::default()).await;
    let session = door.session(&[]).await;
    let host = door.address.to_string();
    let headers = [("Host", host.as_str()), ("Mcp-Session-Id", &session), ("Accept", "text/event-stream")];
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(&text("GET /mcp HTTP/1.1", &headers, "")).await.unwrap();
    let mut read = Vec::new();
    let reading = async {
        // A line that starts with a colon is a comment.
        while !String::from_utf8_lossy(&read).contains("\n:") {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "it ended early");
        }
    };
    // It is sent every 15 s.
    tokio::time::timeout(Duration::from_secs(60), reading).await.expect("a sign of life");
}

/// B-131: a caller of the newer era is not given a session.
#[tokio::test(flavor = "multi_thread")]
async fn newer_protocol_era_has_no_sessions() {
    let door = Door::open(Settings::default()).await;
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/list")];
    let reply = door.post(&headers, &request(1, "tools/list", json!({}))).await;
    assert_eq!((reply.status, reply.header("mcp-session-id")), (200, None), "{}", reply.body);
    assert!(reply.message()["result"]["tools"].is_array());
}

/// F18, B-074: a token for a dangerous call is valid only in the session that received it.
#[tokio::test(flavor = "multi_thread")]
async fn confirmation_token_is_valid_in_its_session_only() {
    let door = Door::open(Settings::default()).await;
    let garden = door.world.notebook("Garden").await;
    door.world.set_table(&json!({ garden: "rwd" })).await;
    let mint = doc(&door.world, "Garden", "/Plants/Mint").await;
    let (mine, other) = (door.session(&[]).await, door.session(&[]).await);
    let remove = async |session: &str, confirm: &Value| {
        let mut arguments = json!({ "action": "remove", "ids": [mint] });
        if confirm.is_string() {
            arguments["confirm"] = confirm.clone();
        }
        let answer: Value =
            door.post(&[("Mcp-Session-Id", session)], &call(2, "document", &arguments)).await.message();
        serde_json::from_str::<Value>(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    };
    let token = remove(&mine, &Value::Null).await["error"]["confirm"].clone();
    assert!(token.is_string(), "{token}");
    let refused = remove(&other, &token).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("this caller"), "{refused}");
    let done = remove(&mine, &token).await;
    assert!(done.get("error").is_none(), "{done}");
}
