//! Databases of the tests of this tool: their rows, related rows, columns and views.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{LOOSE, PLANTS, ask, carrier, column, garden, rows};
use crate::testing::world::{Nobody, World};

pub(super) const HIDDEN: &str = "20250601000001-rowbnd3";
pub(super) const ROSE: &str = "20250601000001-rowbnd1";
pub(super) const POTS: &str = "20250601000000-avpots0";
pub(super) const POT: &str = "20250601000004-rowpot0";
pub(super) const BOOK: &str = "20250601000004-rowpot1";
pub(super) const VIAL: &str = "20250601000004-rowpot2";
pub(super) const IN_POT: &str = "20250601000002-keypot0";
const BACK: &str = "20250601000002-keyback";
pub(super) const STATE: &str = "20250601000002-keystat";
pub(super) const ROLLED: &str = "20250601000002-keyroll";

pub(super) fn stored(world: &World) -> Value {
    world.ask("av/getAttributeView", &json!({ "id": PLANTS }))
}

pub(super) fn engine(world: World) -> Engine<World, Nobody> {
    Engine::new(world, Nobody)
}

/// The error of a change that must leave the database as it is.
#[track_caller]
pub(super) fn refused(engine: &Engine<World, Nobody>, action: &str, arguments: Value) -> (ErrorType, String) {
    let before = stored(&engine.kernel);
    let error = ask(engine, action, arguments).unwrap_err();
    assert_eq!(stored(&engine.kernel), before);
    error
}

pub(super) fn transact(world: &World, operation: &Value) {
    let body = json!({ "transactions": [{ "doOperations": [operation], "undoOperations": [] }], "reqId": 1, "app": "t", "session": "t" });
    world.ask("transactions", &body);
}

/// A database of `/Garden/Rose` alone, which a relation of Plants leads to; `two_way` decides about the way back.
pub(super) fn with_pots(two_way: bool) -> World {
    let world = carrier(garden(&[]), POTS, "/Garden/Rose", "pots");
    rows(
        &world,
        POTS,
        "pots",
        &json!([
            { "itemID": POT, "isDetached": true, "content": "Pot" },
            { "itemID": BOOK, "id": world.id("/Reading/Book"), "isDetached": false },
            { "itemID": VIAL, "id": world.id("/Private/Vial"), "isDetached": false },
        ]),
    );
    column(&world, PLANTS, IN_POT, "Pot", "relation");
    let relate = json!({ "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": IN_POT, "id": POTS, "isTwoWay": two_way, "backRelationKeyID": if two_way { BACK } else { "" }, "name": "Plants", "format": "Pot" });
    transact(&world, &relate);
    world.ask("sqlite/flushTransaction", &json!({}));
    world
}

pub(super) fn relate(world: &World, row: &str, to: &[&str]) {
    let values = json!([{ "keyID": IN_POT, "itemID": row, "value": { "relation": { "blockIDs": to } } }]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": values }));
}

/// Gives a notebook a level.
pub(super) fn level(world: &World, notebook: &str, level: &str) {
    let mut table = world.table();
    table.insert(world.id(notebook).to_owned(), json!(level));
    world.put("notebookPermissions", &Value::Object(table));
}

/// Plants with the rows Rose and Loose alone, in a garden at a level.
pub(super) fn own_plants(garden_level: &str) -> World {
    let world = garden(&[]);
    let others = ["20250601000001-rowbnd2", "20250601000001-rowbnd3"];
    world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": others }));
    world.ask("sqlite/flushTransaction", &json!({}));
    level(&world, "/Garden", garden_level);
    world
}

/// A select column with the options Todo, which the row Loose has, and Done, which none has.
pub(super) fn with_state(world: World) -> World {
    column(&world, PLANTS, STATE, "State", "select");
    let value = |content: &str| json!({ "mSelect": [{ "content": content, "color": "1" }] });
    for content in ["Done", "Todo"] {
        let values = json!([{ "keyID": STATE, "itemID": LOOSE, "value": value(content) }]);
        world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": values }));
    }
    world
}

/// The order of the columns of a database and of its view.
pub(super) fn columns(engine: &Engine<World, Nobody>, id: &str) -> (Vec<Value>, Value) {
    let answer = ask(engine, "get", json!({ "id": id })).unwrap();
    let names = answer["columns"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    (names, answer["views"][0]["order"].clone())
}

/// The names of the views, and the one that the block shows.
pub(super) fn views(engine: &Engine<World, Nobody>) -> (Vec<String>, String) {
    let carrier = engine.kernel.id("plants").to_owned();
    let name = |view: &Value| view["name"].as_str().unwrap().to_owned();
    let all = ask(engine, "get", json!({ "id": PLANTS })).unwrap();
    let shown = ask(engine, "list_rows", json!({ "id": carrier })).unwrap();
    (all["views"].as_array().unwrap().iter().map(name).collect(), name(&shown["view"]))
}

/// Plants with the view Table, which its block shows, and another one.
pub(super) fn with_two(level: &str) -> Engine<World, Nobody> {
    let engine = Engine::new(own_plants(level), Nobody);
    ask(&engine, "add_view", json!({ "id": PLANTS, "name": "Cards", "layout": "gallery" })).unwrap();
    engine
}

/// Plants with the views Table, Cards and List, of which the block shows the last.
pub(super) fn with_three() -> Engine<World, Nobody> {
    let engine = Engine::new(own_plants("rwd"), Nobody);
    for name in ["Cards", "List"] {
        let view = json!({ "id": PLANTS, "name": name, "layout": "gallery", "show": name == "List" });
        ask(&engine, "add_view", view).unwrap();
    }
    engine
}

/// The primary column of a database.
pub(super) fn primary(world: &World, database: &str) -> String {
    let all = world.ask("av/getAttributeView", &json!({ "id": database }));
    let columns = all["av"]["keyValues"].as_array().unwrap();
    columns.iter().find(|it| it["key"]["type"] == "block").unwrap()["key"]["id"].as_str().unwrap().to_owned()
}

/// Plants with the titles that the relation leads to, in a column of its own.
pub(super) fn with_rollup(world: World, of: &str) -> World {
    column(&world, PLANTS, ROLLED, "Pots", "rollup");
    let rollup = json!({ "action": "updateAttrViewColRollup", "avID": PLANTS, "id": ROLLED, "parentID": IN_POT, "keyID": primary(&world, of), "data": { "calc": { "operator": "", "result": null } } });
    transact(&world, &rollup);
    world
}

pub(super) fn group_by(engine: &Engine<World, Nobody>, column: &str) {
    let carrier = engine.kernel.id("plants").to_owned();
    let group = json!({ "field": column, "method": 0, "order": 0 });
    let operation =
        json!({ "action": "setAttrViewGroup", "avID": PLANTS, "blockID": carrier, "data": group });
    transact(&engine.kernel, &operation);
}
