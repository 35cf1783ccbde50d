//! Tests of `system.create_snapshot`: every call makes one, tags stay, and the key is needed.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::FakeKernel;
use crate::testing::world::{Nobody, world};
use crate::tools::system::testing::{data, faked, in_world, with_key};

/// B-055: a snapshot that was not made does not show whether closed notebooks changed.
#[test]
fn snapshot_is_made_whether_anything_changed_or_not() {
    let engine = with_key();
    let mut ids = Vec::new();
    for at in 0..4 {
        if at == 2 {
            let body = json!({ "id": engine.kernel.id("/Private/Letters#0"), "dataType": "markdown", "data": "anew" });
            engine.kernel.ask("block/updateBlock", &body);
        }
        let made = data(in_world(&engine, "create_snapshot", json!({ "memo": "again" })));
        assert_eq!(made["memo"], "again");
        ids.push(made["id"].to_string());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
}

#[test]
fn snapshot_tag_is_never_taken_from_another() {
    let engine = with_key();
    let made = data(in_world(&engine, "create_snapshot", json!({ "memo": "one", "tag": "spring" })));
    assert_eq!(made["tag"], "spring");
    let error = in_world(&engine, "create_snapshot", json!({ "memo": "two", "tag": "spring" })).unwrap_err();
    assert_eq!((error.kind, &error.details["id"]), (ErrorType::Conflict, &made["id"]));
    for tag in ["a/b", "..", "a:b", "", " a", "a\nb"] {
        let error = in_world(&engine, "create_snapshot", json!({ "memo": "two", "tag": tag })).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation, "{tag:?}");
    }
    assert_eq!(
        in_world(&engine, "create_snapshot", json!({ "memo": " " })).unwrap_err().kind,
        ErrorType::Validation
    );
    let listed = data(in_world(&engine, "list_snapshots", json!({ "tagged": true })));
    assert_eq!((&listed["total"], &listed["items"][0]["tag"]), (&json!(1), &json!("spring")));
    // A tag that SiYuan refuses is reported next to the snapshot that was made.
    engine.kernel.fail("/api/repo/tagSnapshot", "disk full");
    let partly = data(in_world(&engine, "create_snapshot", json!({ "memo": "three", "tag": "summer" })));
    assert_eq!((&partly["done"], &partly["failed"][0]["what"]), (&json!(["snapshot"]), &json!("tag")));
}

/// The kernel reports success for a snapshot that it did not make.
#[test]
fn a_snapshot_that_was_there_before_is_not_a_new_one() {
    let list = json!({ "snapshots": [{ "id": "abc", "memo": "old", "created": 1, "tag": "" }], "pageCount": 1, "totalCount": 1 });
    let kernel = FakeKernel::new()
        .answer("/api/system/getConf", |_| json!({ "conf": { "repo": { "key": "secret" } } }))
        .answer("/api/repo/getRepoSnapshots", move |_| list.clone())
        .answer("/api/repo/createSnapshot", |_| Value::Null);
    let error = faked(kernel, "create_snapshot", json!({ "memo": "again" })).0.unwrap_err();
    assert_eq!(error.kind, ErrorType::Conflict);
}

#[test]
fn snapshots_without_a_key_name_the_way_to_it() {
    let engine = Engine::new(world(), Nobody);
    for (action, arguments) in [("list_snapshots", json!({})), ("create_snapshot", json!({ "memo": "a" }))] {
        let error = in_world(&engine, action, arguments).unwrap_err();
        assert_eq!(error.kind, ErrorType::Api);
        assert!(error.message.contains("repository key"), "{}", error.message);
    }
}
