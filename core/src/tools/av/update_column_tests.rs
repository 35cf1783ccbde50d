//! Tests of `av.update_column`: what changes, what cells lose, and relations of before.

use expect_test::expect;
use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::databases::{LOOSE, PLANTS, ask, carrier, garden};
use crate::testing::world::{Nobody, World, call, check};
use crate::tools::av::testing::{
    IN_POT, POTS, engine, level, own_plants, refused, stored, transact, with_pots, with_state,
};

/// B-026: reads the database and its carriers, sends all changes in one request, and checks the result.
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
    let replacement = json!({ "type": "relation", "relation": { "id": PLANTS } });
    assert_eq!(update("r", replacement.clone()), Err(ErrorType::PermissionDenied));
    assert_eq!(update("r", json!({ "type": "relation" })), Err(ErrorType::PermissionDenied));
    assert_eq!(update("rw", replacement), Ok(()));
    // Another type, without a relation before or after, leaves the other database alone.
    assert_eq!(update("r", json!({ "type": "url" })), Ok(()));
}
