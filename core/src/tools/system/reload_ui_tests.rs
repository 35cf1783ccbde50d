//! Tests of `system.reload_ui`: only what the caller may read is drawn anew.

use serde_json::json;

use crate::dispatch::Engine;
use crate::testing::world::Nobody;
use crate::tools::system::testing::{notes, system, with_holes};

/// Only what the caller may read is drawn anew, whatever the page has open.
#[test]
fn readable_parts_of_the_screen_are_reloaded() {
    let open = json!({ "open": [{ "doc": "{/Private/Letters}" }, { "doc": "{/Garden/Beds}" }], "databases": ["20250109000000-missing"] });
    let engine = Engine::new(notes().page(&open), Nobody);
    engine.kernel.take_sent();
    let parts = json!({ "parts": ["documents", "tree", "tags", "databases"] });
    let reply = system(&engine, "reload_ui", &parts);
    assert_eq!(with_holes(&engine, reply), json!({ "parts": ["documents", "tree", "tags", "databases"] }));
    let sent = engine.kernel.take_sent();
    let reloads: Vec<_> = sent.iter().filter(|(path, _)| path.starts_with("/api/ui/")).cloned().collect();
    let beds = engine.kernel.id("/Garden/Beds");
    let expected = [
        ("/api/ui/reloadProtyle", json!({ "id": beds })),
        ("/api/ui/reloadFiletree", json!({})),
        ("/api/ui/reloadTag", json!({})),
    ];
    assert_eq!(reloads, expected);
    let alone = Engine::new(notes(), Nobody);
    let reply =
        system(&alone, "reload_ui", &json!({ "id": "{/Garden/Plants#0}", "parts": ["documents", "tags"] }));
    assert_eq!(with_holes(&alone, reply), json!({ "parts": ["documents", "tags"] }));
}
