//! A database of the tests, whose rows and carriers lie in open and in closed notebooks.
//!
//! Unit tests beside the actions use it, and so do the tests of whole calls.

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use super::world::{Nobody, World, call, shown};

pub(crate) const PLANTS: &str = "20250601000000-avplant";
pub(crate) const SECRETS: &str = "20250601000000-avsecre";
/// A row of `PLANTS` that is not a block.
pub(crate) const LOOSE: &str = "20250601000001-rowloos";
pub(crate) const NUMBER: &str = "20250601000002-keynumb";
const DUE: &str = "20250601000002-keydate";

/// A block that shows a database, at the end of a document.
pub(crate) fn carrier(world: World, database: &str, path: &str, name: &str) -> World {
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{database}" data-av-type="table"></div>"#);
    let body = json!({ "parentID": world.id(path), "dataType": "markdown", "data": element });
    let made = world.ask("block/appendBlock", &body)[0]["doOperations"][0]["id"].as_str().unwrap().to_owned();
    world.ask("av/renderAttributeView", &json!({ "id": database, "blockID": made }));
    world.named(name, made)
}

pub(crate) fn column(world: &World, database: &str, id: &str, name: &str, kind: &str) {
    let body = json!({ "avID": database, "keyID": id, "keyName": name, "keyType": kind, "keyIcon": "", "previousKeyID": "" });
    world.ask("av/addAttributeViewKey", &body);
}

pub(crate) fn rows(world: &World, database: &str, block: &str, sources: &Value) {
    world.ask(
        "av/addAttributeViewBlocks",
        &json!({ "avID": database, "blockID": world.id(block), "srcs": sources }),
    );
}

/// Plants is shown in Garden and, on demand, in other documents; its rows are Rose of Garden, Book of Reading, Vial
/// of Private and one of its own. Secrets is shown in Private alone.
pub(crate) fn garden(shown_in: &[&str]) -> World {
    let mut world = World::new()
        .notebook("Garden", "rw")
        .notebook("Reading", "r")
        .notebook("Private", "none")
        .docs(["/Garden/Beds", "/Garden/Rose", "/Reading/Book", "/Private/Vial"]);
    world = carrier(world, PLANTS, "/Garden/Beds", "plants");
    for path in shown_in {
        world = carrier(world, PLANTS, path, &format!("plants in {path}"));
    }
    world = carrier(world, SECRETS, "/Private/Vial", "secrets");
    column(&world, PLANTS, NUMBER, "Height", "number");
    column(&world, PLANTS, DUE, "Due", "date");
    let bound = |name: &str, at: usize| json!({ "itemID": format!("20250601000001-rowbnd{at}"), "id": world.id(name), "isDetached": false });
    let own = json!({ "itemID": LOOSE, "isDetached": true, "content": "Loose" });
    let sources =
        json!([bound("/Garden/Rose", 1), bound("/Reading/Book", 2), bound("/Private/Vial", 3), own]);
    rows(&world, PLANTS, "plants", &sources);
    world.ask("sqlite/flushTransaction", &json!({}));
    world
        .named("plants database", PLANTS.to_owned())
        .named("secret database", SECRETS.to_owned())
        .named("loose row", LOOSE.to_owned())
}

/// Makes one call in a world; requests from before it are dropped.
pub(crate) fn ask(
    engine: &Engine<World, Nobody>,
    action: &str,
    mut arguments: Value,
) -> Result<Value, (ErrorType, String)> {
    engine.kernel.take_sent();
    engine.kernel.pass(1_000);
    arguments["action"] = json!(action);
    let reply = call(engine, Tool::Av, &arguments, &Approval::Given);
    reply
        .map(|it| Value::Object(it.data))
        .map_err(|error| (error.kind, engine.kernel.unfill(&shown(&Err(error)))))
}
