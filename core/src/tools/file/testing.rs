//! Assets and templates of the tests of this tool, and its calls.

use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, shown};

pub(super) const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest of a picture";
pub(super) const LEAF: &str = "assets/leaf-20250601000000-asset00.png";

pub(super) fn put(world: &World, path: &str, bytes: &[u8]) {
    assert_eq!(world.demo.put_file(&format!("/data/{path}"), bytes).status, 200);
}

/// Garden at `rw` shows a leaf and names what is not there; Private, at this level, shows `secret.png` and names a
/// missing file too.
pub(super) fn workspace(level: &str) -> World {
    let world = World::new()
        .notebook("Garden", "rw")
        .notebook("Private", level)
        .doc(
            "/Garden/Beds",
            &format!("a ![leaf]({LEAF}) and [list](assets/list.txt)\n\n![gone](assets/gone.png)"),
        )
        .doc("/Private/Diary", "![secret](assets/secret.png) ![lost](assets/lost.png)");
    put(&world, LEAF, PNG);
    put(&world, "assets/list.txt", "mint, thyme, 小白菜".as_bytes());
    put(&world, "assets/secret.png", PNG);
    put(&world, "assets/old.png", PNG);
    world.ask("sqlite/flushTransaction", &json!({}));
    world
}

pub(super) fn switched_on(world: World) -> World {
    let on = json!({ "file": { "enabled": true, "actions": {
        "delete_assets": true, "read_asset": true, "list_assets": true, "delete_template": true,
    } } });
    world.file("mcpToolsConfig", &on)
}

pub(super) fn ask(engine: &Engine<World, Nobody>, arguments: &Value) -> Reply {
    engine.kernel.pass(1_000);
    let filled: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    call(engine, Tool::File, &filled, &Approval::Given)
}

pub(super) fn refused(engine: &Engine<World, Nobody>, arguments: &Value) -> (ErrorType, String) {
    let reply = ask(engine, arguments);
    let error = reply.clone().unwrap_err();
    (error.kind, shown(&reply))
}

/// Garden at `rw` and Private at this level, with a plain template and one that reads every notebook.
pub(super) fn with_templates(level: &str) -> World {
    let world = World::new()
        .notebook("Garden", "rw")
        .notebook("Private", level)
        .doc("/Garden/Beds", "roses")
        .doc("/Private/Diary", "quicksilver");
    for (path, text) in [
        ("Meeting.md", "# .action{.title}\n\n{{kept}} .action{$.title | upper}"),
        (
            "work/All.md",
            ".action{range queryBlocks \"SELECT * FROM blocks WHERE content LIKE '%quicksilver%'\"}.action{.Content}.action{end}",
        ),
        ("README.md", "about"),
        (" Draft.md", "a name that no action takes"),
    ] {
        assert_eq!(world.demo.put_file(&format!("/data/templates/{path}"), text.as_bytes()).status, 200);
    }
    world
}
