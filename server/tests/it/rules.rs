//! The rules of a notebook come with the first write into it in a session, and with each where there is none (B-017).

use serde_json::json;

use crate::client::{Client, EVERY, Era, Way};
use crate::world::World;

/// Revision 2026-07-28 has no sessions over HTTP, so nothing tells one conversation from the next.
#[tokio::test(flavor = "multi_thread")]
async fn rules_come_once_in_a_session() {
    for (era, way) in EVERY {
        let world = World::new().await;
        let garden = world.notebook("Garden").await;
        let rules =
            json!({ "notebook": garden, "path": "/AGENTS", "markdown": "Water before breakfast only." });
        world.raw("/api/filetree/createDocWithMd", rules).await;
        world.raw("/api/sqlite/flushTransaction", json!({})).await;
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let mut with_rules = Vec::new();
        for title in ["One", "Two"] {
            let write = json!({ "action": "write", "path": format!("/Garden/{title}"), "markdown": "New." });
            let answer = client.call("fs", write).await;
            assert_ne!(answer["isError"], true, "{answer}");
            with_rules.push(answer.to_string().contains("Water before breakfast only."));
        }
        let has_session = way == Way::Stdio || era == Era::Old;
        assert_eq!(with_rules, [true, !has_session], "{era:?} {way:?}");
    }
}
