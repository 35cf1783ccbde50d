//! Views of databases, and copies of databases.

use expect_test::expect;
use puppy_core::dispatch::Engine;
use puppy_core::error::ErrorType;
use serde_json::{Value, json};

use crate::columns::own_plants;
use crate::databases::{PLANTS, ask, garden, stored};
use crate::kernel::Nobody;
use crate::world::{World, check};

/// The names of the views, and the one that the block shows.
fn views(engine: &Engine<World, Nobody>) -> (Vec<String>, String) {
    let carrier = engine.kernel.id("plants").to_owned();
    let name = |view: &Value| view["name"].as_str().unwrap().to_owned();
    let all = ask(engine, "get", json!({ "id": PLANTS })).unwrap();
    let shown = ask(engine, "list_rows", json!({ "id": carrier })).unwrap();
    (all["views"].as_array().unwrap().iter().map(name).collect(), name(&shown["view"]))
}

/// Plants with the view Table, which its block shows, and another one.
fn with_two(level: &str) -> Engine<World, Nobody> {
    let engine = Engine::new(own_plants(level), Nobody);
    ask(&engine, "add_view", json!({ "id": PLANTS, "name": "Cards", "layout": "gallery" })).unwrap();
    engine
}

/// B-026. A block goes on showing its view unless it is to show the new one.
#[test]
fn a_view_is_added_beside_the_one_that_is_shown() {
    check(
        "av.add_view",
        own_plants("rw"),
        &json!({
            "id": PLANTS, "name": "Tall", "layout": "table", "hidden": ["Due"],
            "filters": { "and": [{ "column": "Height", "is": "greater", "value": 2 }] },
            "sorts": [{ "column": "Height", "order": "desc" }],
        }),
        &expect![[r#"
            flushTransaction sql getAttributeView sql transactions getAttributeView
            {"id":"{plants database}","changed":true,"view":"{new 1}","name":"Tall"}
        "#]],
    );
    let engine = with_two("rw");
    assert_eq!(views(&engine), (vec!["Table".to_owned(), "Cards".to_owned()], "Table".to_owned()));
    ask(&engine, "add_view", json!({ "id": PLANTS, "name": "List", "layout": "table", "show": true }))
        .unwrap();
    assert_eq!(views(&engine).1, "List");
    let before = stored(&engine.kernel);
    let wrong = json!({ "id": PLANTS, "name": "X", "layout": "table", "sorts": [{ "column": "Weight" }] });
    let (kind, message) = ask(&engine, "add_view", wrong).unwrap_err();
    assert!(kind == ErrorType::Validation && message.contains("sorts[0].column"), "{message}");
    assert_eq!(stored(&engine.kernel), before);
}

/// The settings of the view that is named change, whichever view the block shows.
#[test]
fn a_view_changes_and_the_block_goes_on_showing_its_own() {
    let engine = with_two("rw");
    let change = |arguments: Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(PLANTS);
        ask(&engine, "update_view", arguments)
    };
    let told =
        change(json!({ "view": "Cards", "name": "Pictures", "page_size": 20, "order": ["Height"] })).unwrap();
    assert_eq!(
        (&told["changed"], told.get("failed")),
        (&json!(["name", "order", "page_size"]), None),
        "{told}"
    );
    assert_eq!(views(&engine), (vec!["Table".to_owned(), "Pictures".to_owned()], "Table".to_owned()));
    let same = change(json!({ "view": "Pictures", "name": "Pictures", "page_size": 30 })).unwrap();
    assert_eq!(same["changed"], json!(["page_size"]));
    change(json!({ "view": "Pictures", "show": true })).unwrap();
    assert_eq!(views(&engine).1, "Pictures");
    let before = stored(&engine.kernel);
    let (kind, message) = change(json!({ "view": "Table" })).unwrap_err();
    assert!(kind == ErrorType::Validation && message.contains("nothing would change"), "{message}");
    assert_eq!(change(json!({ "view": "None", "name": "x" })).unwrap_err().0, ErrorType::Validation);
    assert_eq!(stored(&engine.kernel), before);
}

/// B-056: views belong to every place that shows the database.
#[test]
fn views_change_where_every_carrier_may_be_written() {
    let engine = Engine::new(garden(&["/Reading/Book"]), Nobody);
    let before = stored(&engine.kernel);
    for (action, arguments) in [
        ("add_view", json!({ "id": PLANTS, "name": "Cards", "layout": "gallery" })),
        ("update_view", json!({ "id": PLANTS, "name": "Cards" })),
        ("remove_view", json!({ "id": PLANTS, "view": "Table" })),
    ] {
        assert_eq!(ask(&engine, action, arguments).unwrap_err().0, ErrorType::PermissionDenied, "{action}");
    }
    assert_eq!(stored(&engine.kernel), before);
}

#[test]
fn the_named_view_is_removed_but_never_the_last() {
    let remove = |engine: &Engine<World, Nobody>, view: &str| {
        ask(engine, "remove_view", json!({ "id": PLANTS, "view": view })).map_err(|it| it.0)
    };
    assert_eq!(remove(&with_two("rw"), "Cards"), Err(ErrorType::PermissionDenied));
    let engine = with_two("rwd");
    assert!(remove(&engine, "Cards").is_ok());
    assert_eq!(views(&engine), (vec!["Table".to_owned()], "Table".to_owned()));
    assert_eq!(remove(&engine, "Table"), Err(ErrorType::Validation));
    assert_eq!(views(&engine).0, ["Table"]);
    let engine = with_two("rwd");
    assert!(remove(&engine, "Table").is_ok());
    assert_eq!(views(&engine), (vec!["Cards".to_owned()], "Cards".to_owned()));
}

/// B-055, B-056: the kernel marks the block of each row as one of the copy.
#[test]
fn a_database_is_copied_where_all_its_rows_may_be_written() {
    let copy = |engine: &Engine<World, Nobody>, after: &str, with_rows: bool| {
        let after = engine.kernel.id(after).to_owned();
        ask(engine, "duplicate", json!({ "id": PLANTS, "after": after, "with_rows": with_rows }))
            .map_err(|it| it.0)
    };
    for (with_rows, rows) in [(true, 2), (false, 0)] {
        let engine = Engine::new(own_plants("rw"), Nobody);
        let made = copy(&engine, "plants", with_rows).unwrap();
        let told = ask(&engine, "get", json!({ "id": made["block"] })).unwrap();
        assert_eq!((&told["id"], &told["row_count"]), (&made["id"], &json!(rows)), "{told}");
        assert_eq!(ask(&engine, "get", json!({ "id": PLANTS })).unwrap()["row_count"], 2);
    }
    let engine = Engine::new(garden(&[]), Nobody);
    assert_eq!(copy(&engine, "plants", true), Err(ErrorType::NotFound));
    let hidden = json!({ "avID": PLANTS, "srcIDs": ["20250601000001-rowbnd3"] });
    engine.kernel.ask("av/removeAttributeViewBlocks", &hidden);
    assert_eq!(copy(&engine, "plants", false), Err(ErrorType::PermissionDenied));
}
