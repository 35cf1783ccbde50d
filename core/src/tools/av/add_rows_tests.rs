//! Tests of `av.add_rows`: blocks and own rows, their places, groups and filled cells.

use expect_test::expect;
use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{LOOSE, NUMBER, PLANTS, ask, garden};
use crate::testing::world::{Nobody, check};
use crate::tools::av::testing::{
    HIDDEN, IN_POT, POT, POTS, ROLLED, ROSE, VIAL, group_by, level, relate, stored, with_pots, with_rollup,
};

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

/// A block is one row of a database, however often a call names it.
#[test]
fn a_block_that_is_named_twice_is_refused() {
    let engine = Engine::new(garden(&[]), Nobody);
    let beds = engine.kernel.id("/Garden/Beds").to_owned();
    let before = stored(&engine.kernel);
    let rows = json!([{ "block": beds }, { "title": "own" }, { "block": beds }]);
    let (kind, message) = ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": rows })).unwrap_err();
    assert!(kind == ErrorType::Validation && message.contains("rows[2].block"), "{message}");
    assert_eq!(stored(&engine.kernel), before);
}

/// B-055: the kernel names groups after related rows, so no group by such a column is known while a notebook is
/// closed: neither from the list of groups nor by a guess.
#[test]
fn groups_by_related_rows_are_unknown_while_a_notebook_is_closed() {
    let outcome = |related: &[&str], of: &str, guess: &str| {
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
            let closed = outcome(&[POT, VIAL], of, guess);
            assert_eq!(closed, outcome(&[POT], of, guess), "{of} {guess}");
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

/// Options name groups even if no visible row uses them, because they are part of the column.
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
