//! Revisions of the protocol: each is served in its own form, and a client receives only what its revision knows.

use puppy_server::http::Settings;
use serde_json::{Value, json};

use super::door::{Door, call, greeting};
use crate::client::Era;

/// Greets in a revision; returns the answer and the session.
async fn greeted(door: &Door, revision: &str) -> (Value, String) {
    let mut hello = greeting(Era::Old);
    hello["params"]["protocolVersion"] = json!(revision);
    let reply = door.post(&[], &hello).await;
    let session = reply.header("mcp-session-id").unwrap_or_default().to_owned();
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(door.post(&[("Mcp-Session-Id", &session)], &note).await.status, 202, "{revision}");
    (reply.message(), session)
}

/// B-117, B-131: the server speaks the requested revision, or the newest one with a greeting; links since June 2025.
#[tokio::test(flavor = "multi_thread")]
async fn every_revision_with_initialize_is_supported() {
    let door = Door::open(Settings::default()).await;
    for (asked, spoken, links) in [
        ("2024-11-05", "2024-11-05", false),
        ("2025-03-26", "2025-03-26", false),
        ("2025-06-18", "2025-06-18", true),
        ("2025-11-25", "2025-11-25", true),
        ("1999-01-01", "2025-11-25", true),
    ] {
        let (hello, session) = greeted(&door, asked).await;
        assert_eq!(hello["result"]["protocolVersion"], spoken, "{hello}");
        let list = call(2, "fs", &json!({ "action": "list", "path": "/Garden/Plants" }));
        let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", spoken)];
        let found = door.post(&headers, &list).await.message();
        let content = found["result"]["content"].as_array().unwrap_or_else(|| panic!("{asked}: {found}"));
        let kinds: Vec<&Value> = content.iter().map(|it| &it["type"]).collect();
        assert_eq!(kinds.contains(&&json!("resource_link")), links, "{asked}: {kinds:?}");
    }
}

/// B-131: an unknown revision of the newer era is refused with a list of the supported ones.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_revision_error_lists_supported_ones() {
    let door = Door::open(Settings::default()).await;
    let mut hello = greeting(Era::New);
    hello["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let headers = [("MCP-Protocol-Version", "2099-01-01"), ("Mcp-Method", "server/discover")];
    let reply = door.post(&headers, &hello).await;
    assert_eq!((reply.status, &reply.message()["error"]["code"]), (400, &json!(-32022)), "{}", reply.body);
    assert!(reply.body.contains("2026-07-28"), "{}", reply.body);
}
