//! The facts that a relation shows of another database, and the calls that would change that database in passing.

use puppy_core::dispatch::Engine;
use puppy_core::error::ErrorType;
use serde_json::{Value, json};

use crate::columns::level;
use crate::databases::{LOOSE, NUMBER, PLANTS, SECRETS, ask, carrier, column, garden, stored};
use crate::kernel::Nobody;
use crate::rows::{IN_POT, POT, POTS, VIAL, relate, transact, with_pots};
use crate::world::World;

const ROLLED: &str = "20250601000002-keyroll";

/// The primary column of a database.
fn primary(world: &World, database: &str) -> String {
    let all = world.ask("av/getAttributeView", &json!({ "id": database }));
    let columns = all["av"]["keyValues"].as_array().unwrap();
    columns.iter().find(|it| it["key"]["type"] == "block").unwrap()["key"]["id"].as_str().unwrap().to_owned()
}

/// Plants with the titles that the relation leads to, in a column of its own.
fn with_rollup(world: World, of: &str) -> World {
    column(&world, PLANTS, ROLLED, "Pots", "rollup");
    let rollup = json!({ "action": "updateAttrViewColRollup", "avID": PLANTS, "id": ROLLED, "parentID": IN_POT, "keyID": primary(&world, of), "data": { "calc": { "operator": "", "result": null } } });
    transact(&world, &rollup);
    world
}

fn group_by(engine: &Engine<World, Nobody>, column: &str) {
    let carrier = engine.kernel.id("plants").to_owned();
    let group = json!({ "field": column, "method": 0, "order": 0 });
    let operation =
        json!({ "action": "setAttrViewGroup", "avID": PLANTS, "blockID": carrier, "data": group });
    transact(&engine.kernel, &operation);
}

/// B-055: the kernel names groups after related rows, so no group by such a column is known while a notebook is
/// closed: neither from the list of groups nor by a guess.
#[test]
fn groups_by_related_rows_are_unknown_while_a_notebook_is_closed() {
    let told = |related: &[&str], of: &str, guess: &str| {
        let world = with_rollup(with_pots(false), POTS);
        relate(&world, LOOSE, related);
        let engine = Engine::new(world, Nobody);
        group_by(&engine, of);
        let arguments =
            json!({ "id": PLANTS, "rows": [{ "title": "New" }], "in_group": guess, "preview": true });
        let reply = ask(&engine, "add_rows", arguments).map_err(|(kind, message)| {
            assert!(!message.contains("Vial"), "{message}");
            (kind, message)
        });
        let sent: Vec<&str> = engine.kernel.take_sent().into_iter().map(|it| it.0).collect();
        (reply.map(drop), sent)
    };
    for of in [ROLLED, IN_POT] {
        for guess in ["?", "Vial", "Pot, Vial", "_@default@_", VIAL, LOOSE] {
            let closed = told(&[POT, VIAL], of, guess);
            assert_eq!(closed, told(&[POT], of, guess), "{of} {guess}");
            assert_eq!(closed.0.unwrap_err().0, ErrorType::Validation);
        }
    }
    // With nothing closed, the groups are known.
    let world = with_rollup(with_pots(false), POTS);
    relate(&world, LOOSE, &[POT, VIAL]);
    level(&world, "/Private", "r");
    let engine = Engine::new(world, Nobody);
    group_by(&engine, ROLLED);
    let add = |group: &str| {
        ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": [{ "title": "New" }], "in_group": group }))
    };
    let (_, message) = add("?").unwrap_err();
    assert!(message.contains("Vial"), "{message}");
    assert_eq!(add("Pot, Vial").unwrap()["changed"], true);
}

/// S16: SiYuan shows the names of groups as HTML, so agents group by columns whose values are words.
#[test]
fn groups_are_named_by_words() {
    let engine = Engine::new(with_rollup(with_pots(true), POTS), Nobody);
    let all = stored(&engine.kernel);
    let columns = all["av"]["keyValues"].as_array().unwrap();
    for key in columns.iter().map(|it| &it["key"]) {
        let group =
            json!({ "id": PLANTS, "view": "Table", "group": { "column": key["id"] }, "preview": true });
        let kind = key["type"].as_str().unwrap();
        let is_named = !["block", "relation", "rollup", "template", "mAsset"].contains(&kind);
        let told = ask(&engine, "update_view", group);
        assert_eq!(told.is_ok(), is_named, "{kind}: {told:?}");
        assert!(is_named || told.unwrap_err().1.contains("group.column"), "{kind}");
    }
    assert!(columns.iter().any(|it| it["key"]["type"] == "rollup") && columns.len() > 4);
}

/// Options name groups, whoever uses them: they are part of the column.
#[test]
fn groups_by_options_are_known_by_the_options_of_the_column() {
    let world = garden(&[]);
    let all = stored(&world);
    let columns = all["av"]["keyValues"].as_array().unwrap();
    let select = columns.iter().find(|it| it["key"]["type"] == "select").unwrap()["key"]["id"].clone();
    let hidden = json!([{ "keyID": select, "itemID": "20250601000001-rowbnd3", "value": { "mSelect": [{ "content": "Mercury", "color": "1" }] } }]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": hidden }));
    let engine = Engine::new(world, Nobody);
    group_by(&engine, select.as_str().unwrap());
    let add = |group: &str| {
        let arguments =
            json!({ "id": PLANTS, "rows": [{ "title": "New" }], "in_group": group, "preview": true });
        ask(&engine, "add_rows", arguments)
    };
    assert!(add("Mercury").is_ok());
    let (_, message) = add("?").unwrap_err();
    assert!(message.contains("Mercury"), "{message}");
}

/// B-056: for a condition on a relation, the kernel relates a new row as its neighbour is and then changes the other
/// database, whatever its level. Conditions on values of the row's own still fill it.
#[test]
fn new_rows_take_no_value_through_a_relation() {
    let ignored = |by: &str| {
        let world = with_rollup(with_pots(true), POTS);
        relate(&world, LOOSE, &[POT]);
        let engine = Engine::new(world, Nobody);
        let carrier = engine.kernel.id("plants").to_owned();
        match by {
            "group" => group_by(&engine, IN_POT),
            "sort" => {
                let sort = json!([{ "column": IN_POT, "order": "ASC" }]);
                let body = json!({ "avID": PLANTS, "blockID": carrier, "data": sort });
                engine.kernel.ask("av/setAttrViewSorts", &body);
            }
            by => {
                let kind = if by == NUMBER { "number" } else { "relation" };
                let condition =
                    json!({ "column": by, "operator": "Is not empty", "value": { "type": kind } });
                let nested = json!([{ "combination": "and", "filters": [condition] }]);
                let body = json!({ "avID": PLANTS, "blockID": carrier, "data": nested });
                engine.kernel.ask("av/setAttrViewFilters", &body);
            }
        }
        let rows = json!([{ "title": "New" }]);
        ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": rows, "after_row": LOOSE })).unwrap();
        let sent = engine.kernel.take_sent();
        let body = sent.iter().find(|(path, _)| path.ends_with("addAttributeViewBlocks")).unwrap();
        body.1["ignoreDefaultFill"].as_bool().unwrap()
    };
    for by in [IN_POT, ROLLED, "group"] {
        assert!(ignored(by), "{by}");
    }
    // The kernel takes no value from the order of a view.
    for by in [NUMBER, "sort"] {
        assert!(!ignored(by), "{by}");
    }
}

/// B-056: a column keeps its relation when its type changes, and a new relation cuts the old one off on its other side.
#[test]
fn a_relation_that_a_column_had_before_is_judged_like_one_that_it_has() {
    let set_type = |world: &World, kind: &str| {
        let operation = json!({ "action": "updateAttrViewCol", "avID": PLANTS, "id": IN_POT, "name": "Pot", "type": kind });
        transact(world, &operation);
    };
    let update = |reading: &str, more: Value| {
        let world = with_pots(true);
        // Pots is shown in Reading as well.
        let world = carrier(world, POTS, "/Reading/Book", "pots of reading");
        set_type(&world, "text");
        world.ask("sqlite/flushTransaction", &json!({}));
        level(&world, "/Reading", reading);
        let engine = Engine::new(world, Nobody);
        let read = |engine: &Engine<World, Nobody>| {
            engine.kernel.ask("av/getAttributeView", &json!({ "id": POTS }))["av"]["keyValues"].clone()
        };
        let before = read(&engine);
        let mut arguments = json!({ "id": PLANTS, "column": "Pot" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = ask(&engine, "update_column", arguments).map(drop).map_err(|it| it.0);
        if reply.is_err() {
            assert_eq!(read(&engine), before);
        }
        reply
    };
    let anew = json!({ "type": "relation", "relation": { "id": PLANTS } });
    assert_eq!(update("r", anew.clone()), Err(ErrorType::PermissionDenied));
    assert_eq!(update("r", json!({ "type": "relation" })), Err(ErrorType::PermissionDenied));
    assert_eq!(update("rw", anew), Ok(()));
    // Another type, without a relation before or after, leaves the other database alone.
    assert_eq!(update("r", json!({ "type": "url" })), Ok(()));
}

/// B-055: of a database that only closed notebooks show, a relation and a rollup name nothing.
#[test]
fn relations_to_closed_databases_tell_nothing_of_them() {
    let engine = |level_of_private: &str| {
        let world = garden(&[]);
        column(&world, PLANTS, IN_POT, "Pot", "relation");
        let relate = json!({ "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": IN_POT, "id": SECRETS, "isTwoWay": true, "backRelationKeyID": "20250601000002-keyback", "name": "Plants", "format": "Pot" });
        transact(&world, &relate);
        let world = with_rollup(world, SECRETS);
        level(&world, "/Private", level_of_private);
        Engine::new(world, Nobody)
    };
    let column = |engine: &Engine<World, Nobody>, id: &str| {
        let told = ask(engine, "get", json!({ "id": PLANTS })).unwrap();
        told["columns"].as_array().unwrap().iter().find(|it| it["id"] == *id).unwrap().clone()
    };
    let closed = engine("none");
    let (relation, rollup) = (column(&closed, IN_POT), column(&closed, ROLLED));
    assert_eq!(relation.get("relation"), None, "{relation}");
    assert_eq!(rollup["rollup"].get("column"), None, "{rollup}");
    assert_eq!(rollup["rollup"]["relation"], "Pot");
    let open = engine("r");
    assert_eq!(column(&open, IN_POT)["relation"], json!({ "id": SECRETS, "two_way": true }));
    assert_eq!(column(&open, ROLLED)["rollup"]["column"], primary(&open.kernel, SECRETS));
}

/// B-055: a rollup shows the values of open rows alone, and a calculation over the others is withheld while one of them
/// is closed.
#[test]
fn rollups_show_nothing_of_closed_rows() {
    const COUNTED: &str = "20250601000002-keycnt0";
    let engine = |level_of_private: &str, related: &[&str]| {
        let world = with_rollup(with_pots(false), POTS);
        column(&world, PLANTS, COUNTED, "Count", "rollup");
        let count = json!({ "action": "updateAttrViewColRollup", "avID": PLANTS, "id": COUNTED, "parentID": IN_POT, "keyID": primary(&world, POTS), "data": { "calc": { "operator": "Count all", "result": null } } });
        transact(&world, &count);
        relate(&world, LOOSE, related);
        level(&world, "/Private", level_of_private);
        Engine::new(world, Nobody)
    };
    let list = |engine: &Engine<World, Nobody>| {
        let listed = json!({ "id": PLANTS, "row_ids": [LOOSE], "only_columns": ["Pots", "Count"] });
        ask(engine, "list_rows", listed).unwrap()
    };
    let (open, closed) = (list(&engine("r", &[POT, VIAL])), list(&engine("none", &[POT, VIAL])));
    assert_eq!(open["items"][0]["cells"], json!({ "Pots": ["Pot", "Vial"], "Count": [2] }));
    assert_eq!(closed["items"][0]["cells"], json!({ "Pots": ["Pot"] }));
    assert_eq!(closed["withheld"], json!(["Count"]));
    assert_eq!(closed, list(&engine("none", &[POT])));
    let rose = engine("none", &[POT, VIAL]);
    relate(&rose.kernel, "20250601000001-rowbnd1", &[VIAL, POT]);
    let id = rose.kernel.id("/Garden/Rose").to_owned();
    let found = ask(&rose, "find_rows", json!({ "blocks": [id] })).unwrap();
    let cells = &found["items"][0]["cells"];
    assert_eq!((&cells["Pots"], cells.get("Count")), (&json!(["Pot"]), None), "{cells}");
}
