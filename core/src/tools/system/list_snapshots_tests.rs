//! Tests of `system.list_snapshots`: pages, and snapshots that tell of closed notebooks.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::kernel::api::repo::PAGE;
use crate::testing::world::{Nobody, world};
use crate::tools::system::testing::{data, in_world, with_key};

/// B-034: a preview makes none.
#[test]
fn snapshots_are_listed_page_by_page_without_counts() {
    let engine = with_key();
    data(in_world(&engine, "create_snapshot", json!({ "memo": "preview", "preview": true })));
    for at in 0..PAGE + 8 {
        in_world(&engine, "create_snapshot", json!({ "memo": format!("m{at}") })).unwrap();
    }
    let mut memos = Vec::new();
    let mut arguments = json!({ "limit": 15 });
    for _ in 0..6 {
        let page = data(in_world(&engine, "list_snapshots", arguments.clone()));
        assert_eq!(page.get("total"), None, "{page}");
        for item in page["items"].as_array().unwrap() {
            assert!(
                item.as_object().unwrap().keys().all(|key| matches!(key.as_str(), "id" | "created" | "memo")),
                "{item}"
            );
            memos.push(item["memo"].as_str().unwrap().to_owned());
        }
        let Some(next) = page.get("next") else { break };
        arguments["cursor"] = next.clone();
    }
    let mut expected: Vec<String> = (0..PAGE + 8).rev().map(|at| format!("m{at}")).collect();
    expected.push("[Init] Init local data repo".to_owned());
    assert_eq!(memos, expected);
    let open = Engine::new(world(), Nobody);
    open.kernel.ask("repo/initRepoKey", &json!({}));
    let all = data(in_world(&open, "list_snapshots", json!({})));
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(1), Some(1)));
}

/// B-055: SiYuan makes a snapshot before it synchronizes only where something changed, perhaps in a closed notebook.
/// Such snapshots are not listed, and neither a count nor a cursor includes them.
#[test]
fn snapshots_of_sync_tell_nothing_of_closed_notebooks() {
    let (quiet, busy) = (with_key(), with_key());
    for at in 0..3 {
        for engine in [&quiet, &busy] {
            in_world(engine, "create_snapshot", json!({ "memo": format!("m{at}") })).unwrap();
        }
        for change in 0..PAGE {
            let id = busy.kernel.id("/Private/Letters#0");
            let data = format!("anew {at} {change}");
            busy.kernel.ask("block/updateBlock", &json!({ "id": id, "dataType": "markdown", "data": data }));
            busy.kernel.ask("repo/createSnapshot", &json!({ "memo": "[Sync] Cloud sync" }));
        }
    }
    for arguments in [json!({}), json!({ "limit": 2 }), json!({ "limit": 2, "cursor": "2" })] {
        let outcome = |engine| {
            let mut page = data(in_world(engine, "list_snapshots", arguments.clone()));
            let items = page["items"].as_array_mut().unwrap();
            let memos: Vec<Value> = items.iter_mut().map(|it| it["memo"].take()).collect();
            (memos, page.get("next").cloned(), page.get("total").cloned())
        };
        let (seen, expected) = (outcome(&busy), outcome(&quiet));
        assert!(!expected.0.is_empty());
        assert_eq!(seen, expected, "{arguments}");
    }
    let open = json!({ busy.kernel.id("/Garden"): "rw", busy.kernel.id("/Private"): "r" });
    busy.kernel.put("notebookPermissions", &open);
    assert_eq!(data(in_world(&busy, "list_snapshots", json!({})))["total"], 4 + 3 * PAGE);
}
