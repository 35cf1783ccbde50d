//! Columns of databases: how they change and go, and whose rows and other databases that needs.

use expect_test::expect;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::databases::{LOOSE, PLANTS, SECRETS, ask, column, garden, stored};
use crate::kernel::Nobody;
use crate::rows::{transact, with_pots};
use crate::world::{World, call, check};

const STATE: &str = "20250601000002-keystat";

/// Gives a notebook a level.
pub(crate) fn level(world: &World, notebook: &str, level: &str) {
    let mut table = world.table();
    table.insert(world.id(notebook).to_owned(), json!(level));
    world.put("notebookPermissions", &Value::Object(table));
}

/// Plants with the rows Rose and Loose alone, in a garden at a level.
pub(crate) fn own_plants(garden_level: &str) -> World {
    let world = garden(&[]);
    let others = ["20250601000001-rowbnd2", "20250601000001-rowbnd3"];
    world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": others }));
    world.ask("sqlite/flushTransaction", &json!({}));
    level(&world, "/Garden", garden_level);
    world
}

/// A select column with the options Todo, which the row Loose has, and Done, which none has.
fn with_state(world: World) -> World {
    column(&world, PLANTS, STATE, "State", "select");
    let value = |content: &str| json!({ "mSelect": [{ "content": content, "color": "1" }] });
    for content in ["Done", "Todo"] {
        let values = json!([{ "keyID": STATE, "itemID": LOOSE, "value": value(content) }]);
        world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": values }));
    }
    world
}

fn engine(world: World) -> Engine<World, Nobody> {
    Engine::new(world, Nobody)
}

/// The error of a change that must leave the database as it is.
#[track_caller]
fn refused(engine: &Engine<World, Nobody>, action: &str, arguments: Value) -> (ErrorType, String) {
    let before = stored(&engine.kernel);
    let error = ask(engine, action, arguments).unwrap_err();
    assert_eq!(stored(&engine.kernel), before);
    error
}

/// B-026: the database, its carriers, the changes at once, and the look at them.
#[test]
fn a_column_changes_in_every_way() {
    check(
        "av.update_column",
        own_plants("rw"),
        &json!({
            "id": PLANTS, "column": "Height", "name": "Size", "description": "In metres", "icon": "🌱",
            "format": "commas", "after_column": "Primary Key",
        }),
        &expect![[r#"
            flushTransaction sql getAttributeView transactions getAttributeView
            {"id":"{plants database}","column":"{new 1}","changed":["name","description","icon","format","after_column"]}
        "#]],
    );
    let engine = engine(own_plants("rw"));
    let same = json!({ "id": PLANTS, "column": "Height", "name": "Height", "type": "number" });
    assert_eq!(ask(&engine, "update_column", same).unwrap()["changed"], json!([]));
    let (kind, message) =
        refused(&engine, "update_column", json!({ "id": PLANTS, "column": "Height", "format": "x" }));
    assert!(kind == ErrorType::Validation && message.contains("`format`"), "{message}");
    let primary = json!({ "id": PLANTS, "column": "Primary Key", "type": "text" });
    let (kind, message) = refused(&engine, "update_column", primary);
    assert!(kind == ErrorType::Validation && message.contains("`type`"), "{message}");
}

/// Another type converts nothing; the values return with the old type.
#[test]
fn another_type_tells_how_many_cells_look_empty() {
    let engine = engine(own_plants("rw"));
    let cells = json!([{ "row": LOOSE, "column": "Height", "value": 3 }]);
    ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells })).unwrap();
    let change = |kind: &str| {
        ask(&engine, "update_column", json!({ "id": PLANTS, "column": "Height", "type": kind })).unwrap()
    };
    assert_eq!(change("text")["emptied"], 1);
    assert_eq!(change("number").get("emptied"), None);
    let rows = ask(&engine, "list_rows", json!({ "id": PLANTS, "row_ids": [LOOSE] })).unwrap();
    assert_eq!(rows["items"][0]["cells"]["Height"], 3);
}

/// B-034, B-056: an option that cells have goes like something deleted, and only where every row may be written.
#[test]
fn an_option_that_cells_have_goes_only_with_consent() {
    let only = |name: &str| json!({ "id": PLANTS, "column": "State", "options": [{ "name": name }] });
    let mine = engine(with_state(own_plants("rw")));
    assert_eq!(refused(&mine, "update_column", only("Done")).0, ErrorType::PermissionDenied);
    assert_eq!(ask(&mine, "update_column", only("Todo")).unwrap()["changed"], json!(["options"]));

    let whole = engine(with_state(own_plants("rwd")));
    let mut question = only("Done");
    question["action"] = json!("update_column");
    let error = call(&whole, Tool::Av, &question, &Approval::Missing).unwrap_err();
    assert_eq!(error.kind, ErrorType::ConfirmationRequired);
    assert_eq!(error.details["plan"]["cells_losing_an_option"], 1);
    ask(&whole, "update_column", only("Done")).unwrap();
    let rows = ask(&whole, "list_rows", json!({ "id": PLANTS, "row_ids": [LOOSE] })).unwrap();
    assert_eq!(rows["items"][0]["cells"].get("State"), None);

    // The rows Book, at r, and Vial, which does not exist for the caller, may lose a value too.
    let shared = engine(with_state(garden(&[])));
    assert_eq!(refused(&shared, "update_column", only("Todo")).0, ErrorType::NotFound);
}

/// B-055, B-056: a column goes with its values, where every row may be written.
#[test]
fn a_column_is_removed_where_all_rows_may_be_written() {
    let remove = |column: &str| json!({ "id": PLANTS, "column": column });
    let mine = engine(with_state(own_plants("rwd")));
    let told = ask(&mine, "remove_column", remove("State")).unwrap();
    assert_eq!((&told["column"], &told["removed"]), (&json!("State"), &json!(1)));
    assert!(!stored(&mine.kernel).to_string().contains(STATE));
    let (kind, message) = refused(&mine, "remove_column", remove("Primary Key"));
    assert!(kind == ErrorType::Validation && message.contains("`column`"), "{message}");

    let at_rw = engine(own_plants("rw"));
    assert_eq!(refused(&at_rw, "remove_column", remove("Height")).0, ErrorType::PermissionDenied);
    let world = garden(&[]);
    level(&world, "/Garden", "rwd");
    let shared = engine(world);
    assert_eq!(refused(&shared, "remove_column", remove("Height")).0, ErrorType::NotFound);
    let hidden = json!({ "avID": PLANTS, "srcIDs": ["20250601000001-rowbnd3"] });
    shared.kernel.ask("av/removeAttributeViewBlocks", &hidden);
    assert_eq!(refused(&shared, "remove_column", remove("Height")).0, ErrorType::PermissionDenied);
}

/// B-056: where a column of another database leads back, that database changes too.
#[test]
fn a_two_way_relation_changes_where_the_other_database_may_be_written() {
    let relations = |reading: &str| {
        let world = with_pots(true);
        let rows = ["20250601000001-rowbnd2", "20250601000001-rowbnd3"];
        world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": rows }));
        // Pots is shown in Reading as well.
        let world = crate::databases::carrier(world, crate::rows::POTS, "/Reading/Book", "pots of reading");
        world.ask("sqlite/flushTransaction", &json!({}));
        level(&world, "/Garden", "rwd");
        level(&world, "/Reading", reading);
        engine(world)
    };
    let to_text = json!({ "id": PLANTS, "column": "Pot", "type": "text" });
    let go = |both: bool| json!({ "id": PLANTS, "column": "Pot", "remove_back_column": both });
    for (action, arguments) in [("update_column", &to_text), ("remove_column", &go(false))] {
        let engine = relations("r");
        assert_eq!(refused(&engine, action, arguments.clone()).0, ErrorType::PermissionDenied, "{action}");
        let reply = ask(&relations("rw"), action, arguments.clone());
        assert!(reply.is_ok(), "{action}: {reply:?}");
    }
    assert_eq!(refused(&relations("rw"), "remove_column", go(true)).0, ErrorType::PermissionDenied);
    // Vial, a row of Pots, lies in a closed notebook.
    assert_eq!(refused(&relations("rwd"), "remove_column", go(true)).0, ErrorType::NotFound);
}

/// The order of the columns of a database and of its view.
fn columns(engine: &Engine<World, Nobody>, id: &str) -> (Vec<Value>, Value) {
    let told = ask(engine, "get", json!({ "id": id })).unwrap();
    let names = told["columns"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    (names, told["views"][0]["order"].clone())
}

/// The kernel puts a column without a neighbour before the primary one.
#[test]
fn a_new_column_stands_last_or_behind_another() {
    let engine = engine(own_plants("rw"));
    let before = columns(&engine, PLANTS).1;
    let add = |arguments: Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(PLANTS);
        arguments["type"] = json!("text");
        ask(&engine, "add_column", arguments).unwrap();
    };
    add(json!({ "name": "Last" }));
    add(json!({ "name": "Inner", "after_column": "Due" }));
    let after = columns(&engine, PLANTS).1;
    assert_eq!(before, json!(["Due", "Height", "Primary Key", "Select"]));
    assert_eq!(after, json!(["Due", "Inner", "Height", "Primary Key", "Select", "Last"]));
}

/// The order of a database itself is that of the panel of attributes.
#[test]
fn a_column_goes_behind_another() {
    let engine = engine(own_plants("rw"));
    let is_behind = || {
        let database = stored(&engine.kernel)["av"].take();
        let names = database["keyValues"].as_array().unwrap().iter().map(|it| &it["key"]);
        let id = |name: &str| names.clone().find(|it| it["name"] == name).unwrap()["id"].clone();
        let order = database["keyIDs"].as_array().cloned().unwrap_or_default();
        order.windows(2).any(|pair| pair == [id("Due"), id("Select")])
    };
    let sort = json!({ "id": PLANTS, "column": "Select", "after_column": "Due" });
    assert!(!is_behind());
    assert_eq!(ask(&engine, "update_column", sort).unwrap()["changed"], json!(["after_column"]));
    assert!(is_behind());
}

/// The kernel gives a new database a column that nobody asked for.
#[test]
fn a_new_database_has_the_given_columns_alone() {
    let engine = engine(own_plants("rw"));
    let parent = engine.kernel.id("/Garden/Rose").to_owned();
    let make = |given: Value| {
        let arguments = json!({ "parent": parent, "name": "Tasks", "columns": given });
        let made = ask(&engine, "create", arguments).unwrap();
        columns(&engine, made["id"].as_str().unwrap()).0
    };
    assert_eq!(make(json!([{ "name": "Due", "type": "date" }])), ["Primary Key", "Due"]);
    assert_eq!(make(json!([])), ["Primary Key", "Select"]);
}

/// B-055: a relation names only a database that the caller may see.
#[test]
fn a_relation_to_a_hidden_database_names_none() {
    for (to, told) in [(SECRETS, None), (PLANTS, Some(PLANTS))] {
        let world = own_plants("rw");
        column(&world, PLANTS, STATE, "Mates", "relation");
        let operation = json!({
            "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": STATE, "id": to, "isTwoWay": false,
            "backRelationKeyID": "", "name": "", "format": "Mates",
        });
        transact(&world, &operation);
        let reply = ask(&engine(world), "get", json!({ "id": PLANTS })).unwrap();
        let mates = reply["columns"].as_array().unwrap().iter().find(|it| it["name"] == "Mates").unwrap();
        assert_eq!(mates["relation"].get("id"), told.map(|id| json!(id)).as_ref(), "{mates}");
    }
}
