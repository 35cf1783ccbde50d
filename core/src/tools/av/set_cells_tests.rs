//! Tests of `av.set_cells`: what is written, which rows and carriers it needs, relations.

use expect_test::expect;
use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{LOOSE, PLANTS, ask, column, garden};
use crate::testing::world::{Nobody, World, check};
use crate::tools::av::testing::{BOOK, POT, POTS, stored, with_pots};

fn is_set(world: &World) -> bool {
    world.take_sent().iter().any(|(path, _)| path.contains("batchSet"))
}

/// B-056: every place that would show the change must be writable.
#[test]
fn database_write_needs_rw_for_every_carrier() {
    let set = |shown_in: &[&str]| {
        let engine = Engine::new(garden(shown_in), Nobody);
        let before = stored(&engine.kernel);
        let cells = json!([{ "row": LOOSE, "column": "Height", "value": 3 }]);
        let reply = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells }));
        assert_eq!(is_set(&engine.kernel), reply.is_ok());
        assert_eq!(stored(&engine.kernel) != before, reply.is_ok());
        reply.map(drop)
    };
    assert_eq!(set(&[]), Ok(()));
    assert_eq!(set(&["/Garden/Rose"]), Ok(()));
    let (kind, message) = set(&["/Reading/Book"]).unwrap_err();
    assert_eq!(kind, ErrorType::PermissionDenied);
    assert!(message.contains("Reading") && !message.contains("Private"), "{message}");
    let (kind, message) = set(&["/Private/Vial", "/Reading/Book"]).unwrap_err();
    assert_eq!(kind, ErrorType::NotFound, "{message}");
}

/// B-056: a cell of a row that is a block also needs that block's notebook; a row of a closed notebook does not
/// exist.
#[test]
fn database_row_write_needs_rw_for_its_block() {
    let engine = Engine::new(garden(&[]), Nobody);
    let id = |name: &str| engine.kernel.id(name).to_owned();
    let set = |row: &str| {
        let cells = json!([{ "row": row, "column": "Height", "value": 3 }]);
        let reply = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells }));
        let sent = engine.kernel.take_sent().into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        (reply, sent)
    };
    let (hidden, missing) = (set(&id("/Private/Vial")), set("20250601000001-rownone"));
    assert_eq!(hidden.0.as_ref().unwrap_err().0, ErrorType::Validation);
    assert_eq!(hidden, missing);
    assert_eq!(set("20250601000001-rowbnd3"), missing);
    assert_eq!(set(&id("/Reading/Book")).0.unwrap_err().0, ErrorType::PermissionDenied);
    assert_eq!(set("20250601000001-rowbnd2").0.unwrap_err().0, ErrorType::PermissionDenied);
    assert_eq!(set(&id("/Garden/Rose")).0.unwrap()["cells"], 1);
    // The row's own id means the same row as its block's.
    assert_eq!(set("20250601000001-rowbnd1").0.unwrap()["changed"], false);
}

#[test]
fn set_cells_verifies_the_written_cells() {
    let world = garden(&[]);
    for (at, kind) in ["text", "select", "mSelect", "checkbox", "url"].into_iter().enumerate() {
        column(&world, PLANTS, &format!("20250601000003-key000{at}"), kind, kind);
    }
    let cell = |column: &str, value: Value| json!({ "row": "{loose row}", "column": column, "value": value });
    check(
        "av.set_cells",
        world,
        &json!({ "id": "{plants}", "cells": [
            cell("Height", json!(3.5)),
            cell("Due", json!({ "start": "2026-01-31T09:00", "end": "2026-02-01T10:30" })),
            cell("text", json!("by hand")),
            cell("select", json!("Todo")),
            cell("mSelect", json!(["A", "B"])),
            cell("checkbox", json!(true)),
            cell("url", json!("https://example.org")),
            cell("Primary Key", json!("Looser")),
            { "row": "{/Garden/Rose}", "column": "Height", "value": null },
        ] }),
        &expect![[r#"
            flushTransaction sql getAttributeView batchSetAttributeViewBlockAttrs getAttributeView
            {"id":"{plants database}","changed":true,"cells":8,"created_options":[{"column":"mSelect","name":"A"},{"column":"mSelect","name":"B"},{"column":"select","name":"Todo"}]}
        "#]],
    );
}

/// Every cell is checked before anything is sent, and the error names it.
#[test]
fn set_cells_names_a_wrong_cell_and_sets_nothing() {
    let world = garden(&[]);
    column(&world, PLANTS, "20250601000003-keyrow0", "Made", "created");
    column(&world, PLANTS, "20250601000003-keyrow1", "Link", "url");
    column(&world, PLANTS, "20250601000003-keyrow2", "Files", "mAsset");
    column(&world, PLANTS, "20250601000003-keyrow3", "Twice", "text");
    column(&world, PLANTS, "20250601000003-keyrow4", "Twice", "text");
    let rose = world.id("/Garden/Rose").to_owned();
    let engine = Engine::new(world, Nobody);
    let good = json!({ "row": LOOSE, "column": "Height", "value": 3 });
    for (row, column, value, part) in [
        ("20250601000001-rownone", "Height", json!(1), "row"),
        (LOOSE, "Width", json!(1), "column"),
        (LOOSE, "Twice", json!("x"), "column"),
        (LOOSE, "Height", json!(2), "column"),
        (&rose, "Primary Key", json!("Thorn"), "column"),
        (LOOSE, "Due", json!("tomorrow"), "value"),
        (LOOSE, "Due", json!("2026-02-30"), "value"),
        (LOOSE, "Made", json!("2026-02-01"), "value"),
        (LOOSE, "Link", json!("javascript:alert(1)"), "value"),
        (LOOSE, "Files", json!(["assets/never.png"]), "value"),
        (LOOSE, "Files", json!(["../conf.json"]), "value"),
        (&rose, "Height", json!("tall"), "value"),
    ] {
        let cells = json!([good, { "row": row, "column": column, "value": value }]);
        let reply = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells }));
        let Err((kind, message)) = reply else { panic!("{column} {value}: {reply:?}") };
        assert_eq!(kind, ErrorType::Validation, "{message}");
        assert!(message.contains(&format!("cells[1].{part}")), "{column} {value}: {message}");
        assert!(!is_set(&engine.kernel), "{column} {value}");
    }
}

/// F10: one call names a limited number of assets.
#[test]
fn many_assets_are_refused_before_any_is_looked_up() {
    let world = garden(&[]);
    let columns: Vec<String> = (0..6).map(|at| format!("20250601000003-keyast{at}")).collect();
    columns.iter().for_each(|id| column(&world, PLANTS, id, id, "mAsset"));
    let engine = Engine::new(world, Nobody);
    let cells: Value = columns
        .iter()
        .map(|id| {
            let paths: Vec<String> = (0..100).map(|at| format!("assets/{id}-{at}.png")).collect();
            json!({ "row": LOOSE, "column": id, "value": paths })
        })
        .collect();
    let (kind, message) = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells })).unwrap_err();
    assert!(kind == ErrorType::Validation && message.contains("500 different assets"), "{message}");
    let asked: Vec<_> = engine.kernel.take_sent().into_iter().map(|(path, _)| path).collect();
    assert_eq!(asked.iter().filter(|it| it.ends_with("/sql")).count(), 1, "{asked:?}");
}

const MATES: &str = "20250601000002-keymate";

/// Plants with a column that relates its rows to each other, and the loose row with these mates.
fn with_mates(mates: &[&str]) -> World {
    let world = garden(&[]);
    column(&world, PLANTS, MATES, "Mates", "relation");
    let relate = json!({ "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": MATES, "id": PLANTS, "isTwoWay": false, "backRelationKeyID": "", "name": "", "format": "Mates" });
    world.ask("transactions", &json!({ "transactions": [{ "doOperations": [relate], "undoOperations": [] }], "reqId": 1, "app": "t", "session": "t" }));
    let value = json!({ "relation": { "blockIDs": mates } });
    let values = json!([{ "keyID": MATES, "itemID": LOOSE, "value": value }]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": values }));
    world
}

/// B-055: the number of related rows that the caller may not see does not show in a limit. F10: a list beyond the
/// limit is refused before the related database is read.
#[test]
fn only_the_callers_own_rows_count_in_a_relation() {
    let hidden = ["20250601000001-rowbnd3"; 100];
    for mates in [&hidden[..0], &hidden[..]] {
        let engine = Engine::new(with_mates(mates), Nobody);
        let rose = engine.kernel.id("/Garden/Rose").to_owned();
        let set = |mates: Value| {
            let cells = json!([{ "row": LOOSE, "column": "Mates", "value": mates }]);
            let reply = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells }));
            let sent = engine.kernel.take_sent().into_iter().map(|(path, _)| path).collect::<Vec<_>>();
            (reply, sent.len())
        };
        let (refused, requests) = set(json!(vec![rose.clone(); 101]));
        assert_eq!((refused.unwrap_err().0, requests), (ErrorType::Validation, 3));
        assert_eq!(set(json!([rose])).0.unwrap()["cells"], 1);
    }
}

/// B-055: what the caller sees of a relation already is no change, whichever rows of closed notebooks are related too.
#[test]
fn a_relation_that_looks_the_same_is_not_changed() {
    const HIDDEN: &str = "20250601000001-rowbnd3";
    const ROSE: &str = "20250601000001-rowbnd1";
    for (seen, all) in [(&[][..], &[HIDDEN][..]), (&[ROSE], &[HIDDEN, ROSE]), (&[ROSE], &[ROSE, HIDDEN])] {
        let mut values = vec![json!(seen)];
        values.extend(seen.is_empty().then_some(Value::Null));
        for (mates, value) in
            [seen, all].into_iter().flat_map(|it| values.iter().map(move |value| (it, value)))
        {
            let engine = Engine::new(with_mates(mates), Nobody);
            let before = stored(&engine.kernel);
            let cells = json!([{ "row": LOOSE, "column": "Mates", "value": value }]);
            let reply = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells })).unwrap();
            assert_eq!((&reply["changed"], &reply["cells"]), (&json!(false), &json!(0)), "{mates:?} {value}");
            assert_eq!(stored(&engine.kernel), before, "{mates:?} {value}");
        }
    }
}

/// B-055: rows that the caller may not see stay related, and no caller can relate a row to them.
#[test]
fn relations_to_closed_rows_are_kept_but_not_added() {
    let hidden = "20250601000001-rowbnd3";
    let world = with_mates(&[hidden]);
    let rose = world.id("/Garden/Rose").to_owned();
    let engine = Engine::new(world, Nobody);
    let set = |mates: Value| {
        let cells = json!([{ "row": LOOSE, "column": "Mates", "value": mates }]);
        ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells }))
    };
    for wrong in [hidden, "20250601000001-rownone"] {
        assert_eq!(set(json!([wrong])).unwrap_err().0, ErrorType::Validation);
    }
    assert_eq!(set(json!([rose])).unwrap()["cells"], 1);
    let all = stored(&engine.kernel);
    let columns = all["av"]["keyValues"].as_array().unwrap();
    let mates = columns.iter().find(|it| it["key"]["id"] == MATES).unwrap();
    let cell = mates["values"].as_array().unwrap().iter().find(|it| it["blockID"] == LOOSE).unwrap();
    assert_eq!(cell["relation"]["blockIDs"], json!(["20250601000001-rowbnd1", hidden]));
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
