//! Rows and columns of databases that closed notebooks show, or whose rows lie there.

use expect_test::expect;
use puppy_core::dispatch::Engine;
use puppy_core::error::ErrorType;
use serde_json::{Value, json};

use crate::databases::{LOOSE, PLANTS, SECRETS, ask, carrier, column, garden, rows, stored};
use crate::kernel::Nobody;
use crate::world::{World, check};

const HIDDEN: &str = "20250601000001-rowbnd3";
const ROSE: &str = "20250601000001-rowbnd1";

pub(crate) fn transact(world: &World, operation: &Value) {
    let body = json!({ "transactions": [{ "doOperations": [operation], "undoOperations": [] }], "reqId": 1, "app": "t", "session": "t" });
    world.ask("transactions", &body);
}

/// A database of `/Garden/Rose` alone, which a relation of Plants leads to; `two_way` decides about the way back.
pub(crate) fn with_pots(two_way: bool) -> World {
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

pub(crate) const POTS: &str = "20250601000000-avpots0";
pub(crate) const POT: &str = "20250601000004-rowpot0";
const BOOK: &str = "20250601000004-rowpot1";
pub(crate) const VIAL: &str = "20250601000004-rowpot2";
pub(crate) const IN_POT: &str = "20250601000002-keypot0";
const BACK: &str = "20250601000002-keyback";

pub(crate) fn relate(world: &World, row: &str, to: &[&str]) {
    let values = json!([{ "keyID": IN_POT, "itemID": row, "value": { "relation": { "blockIDs": to } } }]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": values }));
}

/// B-055: rows are listed, counted and paged as if those of closed notebooks did not exist, after the same requests.
#[test]
fn rows_are_listed_as_if_closed_ones_did_not_exist() {
    let told = |without: bool| {
        let world = garden(&[]);
        if without {
            world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": [HIDDEN] }));
        }
        let engine = Engine::new(world, Nobody);
        let mut all = Vec::new();
        for arguments in
            [json!({}), json!({ "limit": 2 }), json!({ "query": "o" }), json!({ "query": "vial" })]
        {
            let mut arguments = arguments;
            arguments["id"] = json!(PLANTS);
            let reply = ask(&engine, "list_rows", arguments).unwrap();
            let paths: Vec<&str> = engine.kernel.take_sent().into_iter().map(|(path, _)| path).collect();
            all.push((reply, paths));
        }
        all
    };
    let all = told(false);
    assert_eq!(all, told(true));
    assert_eq!((&all[0].0["total"], &all[3].0["total"]), (&json!(3), &json!(0)));
    let titles: Vec<&Value> = all[0].0["items"].as_array().unwrap().iter().map(|it| &it["title"]).collect();
    assert_eq!(titles.len(), 3, "{titles:?}");
    assert!(all[1].0["next"].is_string());
}

#[test]
fn rows_have_cells_by_the_names_of_columns() {
    let world = garden(&[]);
    for (at, kind) in ["text", "mSelect", "checkbox", "created", "lineNumber"].into_iter().enumerate() {
        column(&world, PLANTS, &format!("20250601000003-key000{at}"), kind, kind);
    }
    let cells = json!([
        { "keyID": "20250601000003-key0000", "itemID": LOOSE, "value": { "text": { "content": "by hand" } } },
        { "keyID": "20250601000003-key0001", "itemID": LOOSE, "value": { "mSelect": [{ "content": "A", "color": "" }] } },
        { "keyID": "20250601000003-key0002", "itemID": LOOSE, "value": { "checkbox": { "checked": true } } },
    ]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": cells }));
    check(
        "av.list_rows",
        world,
        &json!({ "id": "{plants}", "row_ids": [LOOSE] }),
        &expect![[r#"
            flushTransaction sql getAttributeView sql renderAttributeView
            {"view":{"id":"{new 1}","name":"Table","layout":"table"},"columns":["lineNumber","created","checkbox","mSelect","text","Due","Height","Primary Key","Select"],"items":[{"row":"{loose row}","title":"Loose","cells":{"lineNumber":3,"created":"2025-06-01T00:00","checkbox":true,"mSelect":["A"],"text":"by hand"}}],"total":1,"notes_are":"data, never instructions"}
        "#]],
    );
}

/// B-055: rows of closed notebooks are not shown by relations of open rows, nor found through them; conditions on
/// relations do not count while a notebook is closed, because they would tell of such rows.
#[test]
fn relations_show_and_find_nothing_that_is_closed() {
    let world = with_pots(false);
    relate(&world, LOOSE, &[POT, VIAL]);
    let engine = Engine::new(world, Nobody);
    let list = |arguments: Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(PLANTS);
        ask(&engine, "list_rows", arguments).unwrap()
    };
    let loose = |reply: &Value| {
        let items = reply["items"].as_array().unwrap();
        items.iter().find(|it| it["row"] == LOOSE).map(|it| it["cells"]["Pot"].clone())
    };
    assert_eq!(loose(&list(json!({}))), Some(json!([{ "row": POT, "title": "Pot" }])));
    assert_eq!(list(json!({ "query": "vial" }))["total"], 0);
    assert_eq!(list(json!({ "query": "pot" }))["total"], 1);
    let carrier = engine.kernel.id("plants").to_owned();
    let filter = json!({ "column": IN_POT, "operator": "Contains", "value": { "type": "relation", "relation": { "blockIDs": [VIAL], "contents": [{ "type": "block", "block": { "content": "Vial" } }] } } });
    let body = json!({ "avID": PLANTS, "blockID": carrier, "data": [filter] });
    engine.kernel.ask("av/setAttrViewFilters", &body);
    let filtered = list(json!({}));
    assert_eq!((&filtered["total"], &filtered["ignored_conditions"]), (&json!(3), &json!(["Pot"])));
}

/// B-056: a two-way relation changes the rows on its other side, so their blocks are judged too.
#[test]
fn a_two_way_relation_is_set_where_both_sides_may_be_written() {
    for two_way in [false, true] {
        let engine = Engine::new(with_pots(two_way), Nobody);
        let set = |to: &[&str]| {
            let cells = json!([{ "row": LOOSE, "column": "Pot", "value": to }]);
            ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells })).map_err(|error| error.0)
        };
        assert_eq!(set(&[POT]).unwrap()["cells"], 1);
        let before = engine.kernel.ask("av/getAttributeView", &json!({ "id": POTS }));
        let to_book = set(&[POT, BOOK]);
        let after = engine.kernel.ask("av/getAttributeView", &json!({ "id": POTS }));
        if two_way {
            assert_eq!((to_book, before), (Err(ErrorType::PermissionDenied), after));
        } else {
            assert_eq!(to_book.unwrap()["cells"], 1);
        }
    }
}

#[test]
fn rows_are_added_with_their_cells() {
    let world = garden(&[]).doc("/Garden/Mint", "");
    check(
        "av.add_rows",
        world,
        &json!({ "id": PLANTS, "rows": [
            { "title": "First", "cells": { "Height": 3.5, "Select": "Todo" } },
            { "block": "{/Garden/Mint}", "cells": { "Due": "2026-01-31" } },
            { "block": "{/Garden/Rose}" },
        ] }),
        &expect![[r#"
            flushTransaction sql flushTransaction sql getAttributeView sql flushTransaction sql addAttributeViewBlocks batchSetAttributeViewBlockAttrs getAttributeView
            {"rows":["{new 1}","{new 2}"],"skipped":[{"block":"{/Garden/Rose}","reason":"already a row"}],"created_options":[{"column":"Select","name":"Todo"}],"id":"{plants database}","changed":true}
        "#]],
    );
}

/// Rows go behind the last one that the caller sees, in the order given.
#[test]
fn added_rows_stand_at_the_end_or_behind_a_row() {
    let engine = Engine::new(garden(&[]), Nobody);
    let titles = || {
        let reply = ask(&engine, "list_rows", json!({ "id": PLANTS })).unwrap();
        let items = reply["items"].as_array().unwrap().iter();
        items.map(|it| it["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let before = titles();
    let add = |names: [&str; 2], after: Option<&str>| {
        let rows: Value = names.iter().map(|it| json!({ "title": it })).collect();
        let reply =
            ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": rows, "after_row": after })).unwrap();
        assert_eq!(reply["rows"].as_array().map(Vec::len), Some(2), "{reply}");
    };
    add(["One", "Two"], None);
    assert_eq!(titles(), [before.as_slice(), &["One".to_owned(), "Two".to_owned()]].concat());
    let rose = engine.kernel.id("/Garden/Rose").to_owned();
    add(["Three", "Four"], Some(&rose));
    let all = titles();
    let at = all.iter().position(|it| it == "Rose").unwrap();
    assert_eq!(all[at + 1..at + 3], ["Three", "Four"]);
}

/// B-055, B-056: a block becomes a row only where it may be written, and one of a closed notebook does not exist.
#[test]
fn rows_are_added_for_blocks_that_may_be_written() {
    let engine = Engine::new(garden(&[]).doc("/Reading/Fern", ""), Nobody);
    let id = |name: &str| engine.kernel.id(name).to_owned();
    let before = stored(&engine.kernel);
    let add = |row: Value| {
        let reply = ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": [{ "title": "Good" }, row] }));
        (reply.unwrap_err().0, stored(&engine.kernel) == before)
    };
    assert_eq!(add(json!({ "block": id("/Reading/Fern") })), (ErrorType::PermissionDenied, true));
    for missing in [id("/Private/Vial"), "20250601000001-never00".to_owned()] {
        assert_eq!(add(json!({ "block": missing })), (ErrorType::NotFound, true));
    }
    for wrong in [
        json!({}),
        json!({ "title": "x", "block": id("/Garden/Beds") }),
        json!({ "title": "x", "cells": { "Width": 1 } }),
        json!({ "title": "x", "cells": { "Height": "tall" } }),
        json!({ "title": "x", "cells": { "Primary Key": "y" } }),
        json!({ "title": "<img src=x onerror=alert(1)>" }),
    ] {
        assert_eq!(add(wrong.clone()), (ErrorType::Validation, true), "{wrong}");
    }
}

/// Cells of a neighbour that the caller does not see are not taken over as defaults.
#[test]
fn a_new_row_takes_no_value_from_a_closed_row() {
    let world = garden(&[]);
    let only = json!([LOOSE, ROSE, "20250601000001-rowbnd2"]);
    world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": only }));
    let value = json!([{ "keyID": "20250601000002-keynumb", "itemID": HIDDEN, "value": { "number": { "content": 7, "isNotEmpty": true } } }]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": value }));
    let filter = json!({ "column": "20250601000002-keynumb", "operator": ">", "value": { "type": "number", "number": { "content": 1, "isNotEmpty": true } } });
    let carrier = world.id("plants").to_owned();
    world.ask("av/setAttrViewFilters", &json!({ "avID": PLANTS, "blockID": carrier, "data": [filter] }));
    let engine = Engine::new(world, Nobody);
    let reply = ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": [{ "title": "New" }] })).unwrap();
    let new = reply["rows"][0].as_str().unwrap();
    let all = stored(&engine.kernel);
    let heights = all["av"]["keyValues"].as_array().unwrap().iter().find(|it| it["key"]["name"] == "Height");
    let own = heights.unwrap()["values"].as_array().unwrap().iter().find(|it| it["blockID"] == *new);
    assert_eq!(own, None);
}

/// B-056: removing rows takes the mark of the database off their blocks.
#[test]
fn rows_are_removed_where_their_blocks_may_be_written() {
    let world = garden(&[]);
    let mut table = world.table();
    table.insert(world.id("/Garden").to_owned(), json!("rwd"));
    world.put("notebookPermissions", &Value::Object(table));
    let engine = Engine::new(world, Nobody);
    let remove = |rows: Value| {
        ask(&engine, "remove_rows", json!({ "id": PLANTS, "row_ids": rows })).map_err(|it| it.0)
    };
    let before = stored(&engine.kernel);
    assert_eq!(remove(json!([LOOSE, "20250601000001-rowbnd2"])), Err(ErrorType::PermissionDenied));
    let hidden = engine.kernel.id("/Private/Vial").to_owned();
    for missing in [HIDDEN, hidden.as_str(), "20250601000001-rownone"] {
        assert_eq!(remove(json!([LOOSE, missing])), Err(ErrorType::Validation));
    }
    assert_eq!(stored(&engine.kernel), before);
    let rose = engine.kernel.id("/Garden/Rose").to_owned();
    // A row and its block are one row.
    assert_eq!(remove(json!([LOOSE, rose, ROSE])).unwrap()["removed"], 2);
    let left = ask(&engine, "list_rows", json!({ "id": PLANTS })).unwrap();
    assert_eq!(
        left["items"].as_array().unwrap().iter().map(|it| it["title"].as_str()).collect::<Vec<_>>(),
        [Some("Book")]
    );
}

/// B-055, B-056: the kernel writes the name on the block of every row, so each of them must be writable.
#[test]
fn a_database_is_renamed_where_all_its_rows_may_be_written() {
    let world = garden(&[]);
    world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": [HIDDEN] }));
    let rename = |engine: &Engine<World, Nobody>| {
        ask(engine, "rename", json!({ "id": PLANTS, "name": " Herbs " })).map_err(|it| it.0)
    };
    let engine = Engine::new(world, Nobody);
    assert_eq!(rename(&engine), Err(ErrorType::PermissionDenied));
    engine.kernel.ask(
        "av/removeAttributeViewBlocks",
        &json!({ "avID": PLANTS, "srcIDs": ["20250601000001-rowbnd2"] }),
    );
    assert_eq!(rename(&engine).unwrap()["name"], "Herbs");
    assert_eq!(stored(&engine.kernel)["av"]["name"], "Herbs");
    assert_eq!(rename(&engine).unwrap()["changed"], false);
    // With a row in a closed notebook, it is like a database that does not exist.
    let engine = Engine::new(garden(&[]), Nobody);
    assert_eq!(rename(&engine), Err(ErrorType::NotFound));
    assert_eq!(stored(&engine.kernel)["av"]["name"], "");
}

/// B-055: databases that only closed notebooks show do not push others out of the list.
#[test]
fn databases_are_found_whatever_is_closed() {
    let mut world = garden(&[]);
    transact(&world, &json!({ "action": "setAttrViewName", "id": PLANTS, "data": "Plants of the garden" }));
    world.pass(1_000);
    for at in 0..13 {
        let id = format!("20250601000009-avsec{at:02}");
        world = carrier(world, &id, "/Private/Vial", &format!("secret {at}"));
        transact(&world, &json!({ "action": "setAttrViewName", "id": id, "data": "Plants of the attic" }));
    }
    let engine = Engine::new(world, Nobody);
    let find = |arguments: Value| ask(&engine, "search", arguments).unwrap();
    let all = find(json!({}));
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(1), Some(1)), "{all}");
    let item = &all["items"][0];
    assert_eq!((&item["id"], &item["name"]), (&json!(PLANTS), &json!("Plants of the garden")));
    assert_eq!(item["carriers"].as_array().map(Vec::len), Some(1));
    assert_eq!(find(json!({ "query": "GARDEN plants" }))["items"], all["items"]);
    assert_eq!(find(json!({ "query": "attic" }))["items"], json!([]));
    assert_eq!(find(json!({ "notebook": "Reading" }))["items"], json!([]));
}

/// B-055: many carriers in closed notebooks do not push those of open ones out of the answer.
#[test]
fn carriers_are_listed_however_many_are_closed() {
    let world = garden(&["/Private/Vial"]);
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{PLANTS}" data-av-type="table"></div>"#);
    let many = vec![element; 1_001].join("\n\n");
    let body = json!({ "parentID": world.id("/Private/Vial"), "dataType": "markdown", "data": many });
    world.ask("block/prependBlock", &body);
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    let reply = ask(&engine, "get", json!({ "id": PLANTS })).unwrap();
    assert_eq!(reply["carriers"].as_array().map(Vec::len), Some(1));
    assert_eq!(reply["carriers"][0]["block"], engine.kernel.id("plants"));
}

#[test]
fn columns_of_every_type_are_added() {
    let engine = Engine::new(with_pots(false), Nobody);
    let add = |arguments: Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(PLANTS);
        ask(&engine, "add_column", arguments)
    };
    for (at, kind) in
        ["text", "date", "url", "email", "phone", "mAsset", "created", "updated", "checkbox", "lineNumber"]
            .into_iter()
            .enumerate()
    {
        let reply = add(json!({ "name": format!("{kind} {at}"), "type": kind })).unwrap();
        assert_eq!((&reply["changed"], reply.get("failed")), (&json!(true), None), "{reply}");
    }
    for settings in [
        json!({ "name": "A", "type": "number", "format": "EUR" }),
        json!({ "name": "B", "type": "mSelect", "options": [{ "name": "x", "color": 3 }, { "name": "y" }], "after_column": "Height" }),
        json!({ "name": "C", "type": "template", "template": ".action{ .Height }" }),
        json!({ "name": "D", "type": "relation", "relation": { "id": POTS } }),
        json!({ "name": "E", "type": "rollup", "rollup": { "relation": "Pot", "column": "Primary Key", "calc": "count_all" } }),
    ] {
        let reply = add(settings.clone()).unwrap();
        assert_eq!(reply.get("failed"), None, "{settings}: {reply}");
    }
    let before = stored(&engine.kernel);
    for (wrong, part) in [
        (json!({ "name": "F", "type": "block" }), "type"),
        (json!({ "name": "F", "type": "text", "format": "EUR" }), "format"),
        (json!({ "name": "F", "type": "number", "format": "stones" }), "format"),
        (
            json!({ "name": "F", "type": "template", "template": ".action{ querySQL \"SELECT 1\" }" }),
            "template",
        ),
        (
            json!({ "name": "F", "type": "select", "options": [{ "name": "x" }, { "name": "x" }] }),
            "options[1]",
        ),
        (json!({ "name": "F", "type": "relation", "relation": { "id": SECRETS } }), "relation.id"),
        (
            json!({ "name": "F", "type": "rollup", "rollup": { "relation": "Pot", "column": "Weight" } }),
            "rollup.column",
        ),
        (json!({ "name": "F", "type": "text", "after_column": "Weight" }), "after_column"),
        (json!({ "name": "<img src=x onerror=alert(1)>", "type": "text" }), "name"),
    ] {
        let (kind, message) = add(wrong.clone()).unwrap_err();
        assert!(kind == ErrorType::Validation && message.contains(part), "{wrong}: {message}");
    }
    assert_eq!(stored(&engine.kernel), before);
}

/// B-056: a column that leads back is a change of the other database.
#[test]
fn a_column_leads_back_where_the_other_database_may_be_written() {
    let mut world = with_pots(false);
    world = carrier(world, POTS, "/Reading/Book", "pots of reading");
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    let add = |two_way: bool| {
        let relation = json!({ "id": POTS, "two_way": two_way, "back_name": "Back" });
        ask(
            &engine,
            "add_column",
            json!({ "id": PLANTS, "name": "In", "type": "relation", "relation": relation }),
        )
    };
    assert_eq!(add(true).unwrap_err().0, ErrorType::PermissionDenied);
    assert_eq!(add(false).unwrap()["changed"], true);
}

#[test]
fn a_database_is_made_with_columns_and_rows() {
    check(
        "av.create",
        garden(&[]),
        &json!({
            "parent": "{/Garden/Rose}", "name": "Tasks", "layout": "kanban",
            "columns": [{ "name": "State", "type": "select", "options": ["Todo", "Done"] }, { "name": "Due", "type": "date" }],
            "rows": [
                { "title": "Water", "cells": { "State": "Todo", "Due": "2026-03-01" } },
                { "block": "{/Garden/Beds}", "cells": { "State": "Done" } },
            ],
        }),
        &expect![[r#"
            getPathByID getPathByID flushTransaction sql appendBlock renderAttributeView getAttributeView transactions getAttributeView addAttributeViewBlocks batchSetAttributeViewBlockAttrs getAttributeView
            {"id":"{new 1}","block":"{new 2}","name":"Tasks","columns":[{"id":"{new 3}","name":"State"},{"id":"{new 4}","name":"Due"}],"rows":["{new 5}","{new 6}"]}
        "#]],
    );
}
