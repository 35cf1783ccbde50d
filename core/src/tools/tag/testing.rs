//! Two notebooks of the tests of this tool, which share a label.

use serde_json::json;

use crate::testing::world::World;

/// Garden at `rw` and another notebook at this level carry `red` in text and on a document.
pub(super) fn workspace(level: &str, other: &str) -> World {
    let world = World::new()
        .notebook("Garden", "rw")
        .notebook("Other", level)
        .doc("/Garden/Beds", "a #red/dark# b **#red#** `#red#` & #reds#\n\n* x #red#\n\n## y #red#")
        .doc("/Garden/Plain", "no label")
        .doc("/Other/Page", other);
    tags(&world, "/Garden/Beds", "red,green,rose");
    world
}

pub(super) fn tags(world: &World, path: &str, tags: &str) {
    let attrs = json!({ "tags": tags, "bookmark": "later" });
    world.ask("attr/setBlockAttrs", &json!({ "id": world.id(path), "attrs": attrs }));
}

pub(super) fn text(world: &World, path: &str) -> String {
    let body = json!({ "id": world.id(path) });
    world.ask("block/getBlockKramdown", &body)["kramdown"].as_str().unwrap().to_owned()
}
