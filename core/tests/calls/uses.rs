//! The assets that notes use, those that nothing uses, and those that are missing.

use puppy_core::dispatch::Engine;
use puppy_core::error::ErrorType;
use serde_json::{Value, json};

use crate::files::{PNG, ask, put, refused, workspace};
use crate::kernel::Nobody;

/// Pictures alone, also of what nothing uses.
#[test]
fn unused_and_missing_assets_are_listed_by_kind() {
    let world = workspace("rw").doc("/Garden/More", "[page](assets/gone.pdf)");
    put(&world, "assets/old.txt", b"old");
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    for (scope, kind, paths) in [
        ("unused", "all", vec!["assets/old.png", "assets/old.txt"]),
        ("unused", "image", vec!["assets/old.png"]),
        ("missing", "all", vec!["assets/gone.pdf", "assets/gone.png", "assets/lost.png"]),
        ("missing", "image", vec!["assets/gone.png", "assets/lost.png"]),
    ] {
        let told =
            ask(&engine, &json!({ "action": "list_assets", "scope": scope, "kind": kind })).unwrap().data;
        let items = told["items"].as_array().unwrap();
        let mut found: Vec<&str> = items.iter().map(|it| it["path"].as_str().unwrap()).collect();
        found.sort_unstable();
        assert_eq!((found.len(), &told["total"]), (paths.len(), &json!(paths.len())), "{scope} {kind}");
        assert_eq!(found, paths, "{scope} {kind}");
    }
}

/// A link to a page of a file uses the file.
#[test]
fn links_to_a_page_of_a_file_count_as_its_uses() {
    let world =
        workspace("rw").doc("/Garden/More", "[2](assets/list.txt?page=2) [other](assets/list.txt.bak)");
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    let told = ask(&engine, &json!({ "action": "read_asset", "path": "assets/list.txt", "as": "info" }));
    assert_eq!(told.unwrap().data["refs"], 2);
}

/// Nothing is uploaded without content.
#[test]
fn empty_uploads_are_refused() {
    let engine = Engine::new(workspace("rw"), Nobody);
    let upload =
        json!({ "action": "upload_asset", "id": "{/Garden/Beds}", "name": "a.txt", "base64": " \n " });
    let (kind, message) = refused(&engine, &upload);
    assert!(kind == ErrorType::Validation && message.contains("base64"), "{message}");
    assert!(!engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("putFile")));
}

/// B-055: of the missing assets only those that a readable block names.
#[test]
fn missing_assets_are_those_of_readable_blocks() {
    let missing = |level: &str| {
        let engine = Engine::new(workspace(level), Nobody);
        ask(&engine, &json!({ "action": "list_assets", "scope": "missing" })).unwrap().data
    };
    let (open, closed) = (missing("r"), missing("none"));
    assert_eq!((&open["total"], &closed["total"]), (&json!(2), &json!(1)));
    assert_eq!(closed["items"][0]["path"], "assets/gone.png");
}

/// The kernel's list of unused assets is not believed: it has folders, and files that stand in HTML.
#[test]
fn unused_assets_are_mentioned_nowhere() {
    let world = workspace("rw")
        .doc("/Garden/Page", "<div><img src=\"/assets/in%20html-20250601000000-asset01.png\"></div>");
    put(&world, "assets/in html-20250601000000-asset01.png", PNG);
    put(&world, "assets/sub/deep.png", PNG);
    world.ask("sqlite/flushTransaction", &json!({}));
    let listed = world.ask("asset/getUnusedAssets", &json!({}));
    assert!(listed.to_string().contains("in html"), "{listed}");
    let engine = Engine::new(world, Nobody);
    let unused = ask(&engine, &json!({ "action": "list_assets", "scope": "unused" })).unwrap().data;
    let paths: Vec<&Value> = unused["items"].as_array().unwrap().iter().map(|it| &it["path"]).collect();
    assert_eq!(paths, ["assets/sub/deep.png", "assets/old.png"]);
    // Beside a closed notebook nobody knows what is unused.
    let engine = Engine::new(workspace("none"), Nobody);
    assert_eq!(
        ask(&engine, &json!({ "action": "list_assets", "scope": "unused" })).unwrap().data["total"],
        0
    );
}
