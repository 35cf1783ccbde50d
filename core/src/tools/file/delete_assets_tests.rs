//! Tests of `file.delete_assets`: files that nothing uses go, and everything else stays.

use std::sync::atomic::Ordering;

use expect_test::expect;
use serde_json::json;

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::slow::{Slow, ready};
use crate::testing::world::{Nobody, World, call, check};
use crate::tools::file::testing::{LEAF, PNG, ask, put, refused, switched_on, workspace};

fn everything_may_go() -> World {
    let world = World::new().notebook("Garden", "rwd").doc("/Garden/Beds", &format!("![leaf]({LEAF})"));
    put(&world, LEAF, PNG);
    for path in ["assets/old.png", "assets/older.png"] {
        put(&world, path, PNG);
    }
    world.ask("sqlite/flushTransaction", &json!({}));
    switched_on(world)
}

#[test]
fn unused_assets_are_deleted() {
    check(
        "file.delete_assets",
        everything_may_go(),
        &json!({ "all_unused": true }),
        &expect![[r#"
        flushTransaction getUnusedAssets readDir readDir sql readDir sql statAsset statAsset removeUnusedAsset removeUnusedAsset
        {"done":["assets/older.png","assets/old.png"],"bytes":50}
    "#]],
    );
    let engine = Engine::new(everything_may_go(), Nobody);
    let (kind, text) =
        refused(&engine, &json!({ "action": "delete_assets", "paths": ["assets/old.png", LEAF] }));
    assert!(kind == ErrorType::Conflict && text.contains("\"refs\":1"), "{text}");
    ask(&engine, &json!({ "action": "delete_assets", "paths": ["assets/old.png"] })).unwrap();
    let left = engine.kernel.ask("asset/getUnusedAssets", &json!({}));
    assert_eq!(
        left.as_array().unwrap().iter().map(|it| &it["item"]).collect::<Vec<_>>(),
        ["assets/older.png"]
    );
}

/// F10: however many files there are, a request for each size and each removal is all that their number adds, and few
/// of them wait in SiYuan at once.
#[test]
fn many_unused_assets_take_two_requests_each() {
    let world = everything_may_go();
    for at in 0..60 {
        put(&world, &format!("assets/more-{at}.png"), PNG);
    }
    let arguments = json!({ "action": "delete_assets", "all_unused": true });
    let sent = |world: World| {
        let engine = Engine::new(world, Nobody);
        engine.kernel.take_paths();
        ask(&engine, &arguments).unwrap();
        engine.kernel.take_paths().len()
    };
    let (two, all) = (sent(everything_may_go()), sent(world.copy()));
    assert_eq!(all - two, 2 * 60, "{two} {all}");
    let engine = Slow::engine(world, |path, _| path.ends_with("statAsset"));
    ready(Slow::call(&engine, Tool::File, arguments)).unwrap();
    let at_once = engine.kernel.most.load(Ordering::Relaxed);
    assert!((2..=16).contains(&at_once), "{at_once}");
}

/// The index does not have the notebooks that are not open, so nobody knows which assets they use.
#[test]
fn nothing_is_deleted_beside_a_notebook_that_is_not_open() {
    let world = everything_may_go().notebook("Shut", "rwd");
    world.ask("notebook/closeNotebook", &json!({ "notebook": world.id("/Shut") }));
    let engine = Engine::new(world, Nobody);
    for which in [json!({ "all_unused": true }), json!({ "paths": ["assets/old.png"] })] {
        let mut arguments = which;
        arguments["action"] = json!("delete_assets");
        let (kind, text) = refused(&engine, &arguments);
        assert!(kind == ErrorType::Conflict && text.contains("Shut"), "{text}");
    }
    assert_eq!(engine.kernel.ask("asset/statAsset", &json!({ "path": "assets/old.png" }))["size"], PNG.len());
}

/// B-071: a person is asked with number and size; B-063: one notebook below the level refuses the whole.
#[test]
fn deleting_asks_and_needs_every_notebook() {
    let engine = Engine::new(everything_may_go(), Nobody);
    let arguments = json!({ "action": "delete_assets", "all_unused": true });
    let error = call(&engine, Tool::File, &arguments, &Approval::Missing).unwrap_err();
    assert_eq!(error.details["danger"], format!("Deletes 2 unused files ({} bytes).", 2 * PNG.len()));
    let engine = Engine::new(everything_may_go().notebook("Other", "rw"), Nobody);
    let (kind, text) = refused(&engine, &arguments);
    assert!(
        kind == ErrorType::PermissionDenied && text.contains("Other") && !text.contains("Garden"),
        "{text}"
    );
}

/// B-057: beside a closed notebook no answer depends on what it uses, and nothing is changed.
#[test]
fn no_asset_changes_beside_a_closed_notebook() {
    let engine = Engine::new(switched_on(workspace("none").notebook("Scratch", "rwd")), Nobody);
    for path in [LEAF, "assets/secret.png", "assets/old.png", "assets/never.png"] {
        for arguments in [
            json!({ "action": "set_asset_text", "path": path, "text": "x" }),
            json!({ "action": "delete_assets", "paths": [path] }),
        ] {
            assert_eq!(refused(&engine, &arguments).0, ErrorType::Disabled, "{arguments}");
        }
    }
    assert_eq!(
        refused(&engine, &json!({ "action": "delete_assets", "all_unused": true })).0,
        ErrorType::Disabled
    );
    assert_eq!(engine.kernel.ask("asset/statAsset", &json!({ "path": "assets/old.png" }))["size"], PNG.len());
}
