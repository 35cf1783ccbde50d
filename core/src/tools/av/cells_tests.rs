//! Tests of cells of every type: written, read, cleared, and those that SiYuan computes.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use serde_json::{Map, Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{LOOSE, PLANTS, ask, carrier, column, rows};
use crate::testing::world::{Nobody, World};
use crate::tools::av::testing::{POT, POTS, ROSE};

/// Plants with a row of its own and one for Rose, and Pots with one row; every notebook is open.
fn plants() -> World {
    let world = World::new().notebook("Garden", "rw").docs(["/Garden/Beds"]);
    let world = world.doc("/Garden/Rose", "![leaf](assets/leaf.png)");
    assert_eq!(world.demo.put_file("/data/assets/leaf.png", b"leaf").status, 200);
    let world = carrier(carrier(world, PLANTS, "/Garden/Beds", "plants"), POTS, "/Garden/Rose", "pots");
    let own = json!({ "itemID": LOOSE, "isDetached": true, "content": "Loose" });
    let rose = json!({ "itemID": ROSE, "id": world.id("/Garden/Rose"), "isDetached": false });
    rows(&world, PLANTS, "plants", &json!([own, rose]));
    rows(&world, POTS, "pots", &json!([{ "itemID": POT, "isDetached": true, "content": "Blue pot" }]));
    world.ask("sqlite/flushTransaction", &json!({}));
    world
}

fn add(engine: &Engine<World, Nobody>, name: &str, kind: &str, more: &Value) {
    let mut arguments = json!({ "id": PLANTS, "name": name, "type": kind });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = ask(engine, "add_column", arguments).unwrap();
    assert_eq!((&answer["changed"], answer.get("failed")), (&json!(true), None), "{name}: {answer}");
}

/// The cells of a row, a line each.
fn cells(engine: &Engine<World, Nobody>, row: &str, expected: &Expect) {
    let answer = ask(engine, "list_rows", json!({ "id": PLANTS, "row_ids": [row] })).unwrap();
    let cells: &Map<String, Value> = answer["items"][0]["cells"].as_object().unwrap();
    let sorted: BTreeMap<&String, &Value> = cells.iter().collect();
    let lines = sorted.iter().map(|(name, value)| format!("{name}: {value}\n"));
    expected.assert_eq(&engine.kernel.unfill(&lines.collect::<String>()));
}

/// The columns that a caller fills, with a value each and the same cleared.
fn written() -> Vec<(&'static str, &'static str, Value, Value)> {
    let none = || json!({});
    let options = json!({ "options": [{ "name": "Todo" }, { "name": "Done" }] });
    vec![
        ("Text", "text", none(), json!("by hand")),
        ("Number", "number", none(), json!(-2.5)),
        ("Price", "number", json!({ "format": "EUR" }), json!(3)),
        ("Day", "date", none(), json!("2026-03-01")),
        ("Time", "date", none(), json!("2026-03-01T09:30")),
        ("Days", "date", none(), json!({ "start": "2026-03-01", "end": "2026-03-04" })),
        ("Times", "date", none(), json!({ "start": "2026-03-01T09:30", "end": "2026-03-01T11:00" })),
        ("State", "select", options.clone(), json!("Done")),
        ("Tags", "mSelect", options, json!(["Todo", "new"])),
        ("Page", "url", none(), json!("https://example.org/a?b=c")),
        ("Mail", "email", none(), json!("ana@example.org")),
        ("Phone", "phone", none(), json!("+49 30 123")),
        (
            "Files",
            "mAsset",
            none(),
            json!(["assets/leaf.png", { "path": "assets/leaf.png", "name": "Leaf" }]),
        ),
        ("Is", "checkbox", none(), json!(true)),
        ("Pot", "relation", json!({ "relation": { "id": POTS } }), json!([POT])),
    ]
}

/// Every type of column is written in plain words and read again in the same; null clears it.
#[test]
fn cells_of_every_type_are_written_read_and_cleared() {
    let engine = Engine::new(plants(), Nobody);
    let all = written();
    for (name, kind, settings, _) in &all {
        add(&engine, name, kind, settings);
    }
    let rollup = |calc: Option<&str>| {
        let mut rollup = json!({ "relation": "Pot", "column": "Primary Key" });
        calc.into_iter().for_each(|calc| rollup["calc"] = json!(calc));
        json!({ "rollup": rollup })
    };
    add(&engine, "Titles", "rollup", &rollup(None));
    add(&engine, "Count", "rollup", &rollup(Some("count_all")));
    add(&engine, "Computed", "template", &json!({ "template": ".action{.Text}!" }));
    for kind in ["created", "updated", "lineNumber"] {
        add(&engine, kind, kind, &json!({}));
    }
    let cell = |name: &str, value: &Value| json!({ "row": LOOSE, "column": name, "value": value });
    let set = |cells: Vec<Value>| ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells }));
    let answer = set(all.iter().map(|(name, _, _, value)| cell(name, value)).collect()).unwrap();
    assert_eq!(answer.get("failed"), None, "{answer}");
    cells(
        &engine,
        LOOSE,
        &expect![[r#"
        Computed: "by hand!"
        Count: [1]
        Day: "2026-03-01"
        Days: {"start":"2026-03-01","end":"2026-03-04"}
        Files: ["assets/leaf.png",{"path":"assets/leaf.png","name":"Leaf"}]
        Is: true
        Mail: "ana@example.org"
        Number: -2.5
        Page: "https://example.org/a?b=c"
        Phone: "+49 30 123"
        Pot: [{"row":"{new 1}","title":"Blue pot"}]
        Price: {"value":3,"text":"€3,00"}
        State: "Done"
        Tags: ["Todo","new"]
        Text: "by hand"
        Time: "2026-03-01T09:30"
        Times: {"start":"2026-03-01T09:30","end":"2026-03-01T11:00"}
        Titles: ["Blue pot"]
        created: "2025-06-01T00:00"
        lineNumber: 1
        updated: "2025-06-15T15:07"
    "#]],
    );
    // Cells that are sent again as they were read do not change.
    let read = ask(&engine, "list_rows", json!({ "id": PLANTS, "row_ids": [LOOSE] })).unwrap();
    let same = all.iter().filter(|(name, ..)| !matches!(*name, "Price" | "Pot"));
    let same: Vec<Value> = same.map(|(name, ..)| cell(name, &read["items"][0]["cells"][name])).collect();
    assert_eq!(set(same).unwrap()["changed"], json!(false));
    // A cell that SiYuan computes is refused, and the error names it.
    for name in ["Titles", "Count", "Computed", "created", "updated", "lineNumber"] {
        let (kind, message) = set(vec![cell("Text", &json!("x")), cell(name, &json!("x"))]).unwrap_err();
        assert!(kind == ErrorType::Validation && message.contains("cells[1]"), "{name}: {message}");
    }
    set(all.iter().map(|(name, ..)| cell(name, &Value::Null)).collect()).unwrap();
    cells(
        &engine,
        LOOSE,
        &expect![[r#"
        Computed: "!"
        Count: [0]
        Is: false
        created: "2025-06-01T00:00"
        lineNumber: 1
        updated: "2025-06-15T15:07"
    "#]],
    );
}

/// SiYuan gives a new option a colour, but none to the cell that names it first, which its page shows without one then.
#[test]
fn cells_have_the_colours_of_their_options() {
    let engine = Engine::new(plants(), Nobody);
    add(&engine, "State", "select", &json!({ "options": [{ "name": "Todo" }] }));
    add(&engine, "Tags", "mSelect", &json!({}));
    let cell =
        |row: &str, column: &str, value: Value| json!({ "row": row, "column": column, "value": value });
    let cells = [
        cell(LOOSE, "State", json!("New")),
        cell(LOOSE, "Tags", json!(["b", "a"])),
        cell(ROSE, "State", json!("Todo")),
        cell(ROSE, "Tags", json!(["c", "b"])),
    ];
    ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": cells })).unwrap();
    let row = json!({ "title": "Fern", "cells": { "State": "Late", "Tags": ["d", "a"] } });
    ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": [row] })).unwrap();
    let stored = engine.kernel.ask("av/getAttributeView", &json!({ "id": PLANTS }));
    let mut seen = Vec::new();
    for column in stored["av"]["keyValues"].as_array().unwrap() {
        let options = column["key"]["options"].as_array().into_iter().flatten();
        let colors: BTreeMap<&str, &Value> =
            options.map(|it| (it["name"].as_str().unwrap(), &it["color"])).collect();
        let values = column["values"].as_array().into_iter().flatten();
        for choice in values.flat_map(|it| it["mSelect"].as_array().into_iter().flatten()) {
            let name = choice["content"].as_str().unwrap();
            assert_eq!(Some(&&choice["color"]), colors.get(name), "{name}");
            assert_ne!(choice["color"], "", "{name}");
            seen.push(name.to_owned());
        }
    }
    seen.sort();
    assert_eq!(seen, ["Late", "New", "Todo", "a", "a", "b", "b", "c", "d"]);
}

/// Values of another form are refused by row and column, and nothing is set.
#[test]
fn wrong_values_of_every_type_are_refused() {
    let engine = Engine::new(plants(), Nobody);
    for (name, kind, settings, _) in &written() {
        add(&engine, name, kind, settings);
    }
    for (name, wrong) in [
        ("Text", json!(3)),
        ("Number", json!("3")),
        ("Day", json!("2026-02-30")),
        ("Time", json!("2026-03-01 09:30")),
        ("Days", json!({ "start": "2026-03-01" })),
        ("Days", json!({ "start": "2026-03-01", "end": "2026-03-04", "by": 1 })),
        ("State", json!(["Todo"])),
        ("Tags", json!("Todo")),
        ("Page", json!("javascript:alert(1)")),
        ("Mail", json!(["ana@example.org"])),
        ("Phone", json!(49)),
        ("Files", json!("assets/leaf.png")),
        ("Files", json!(["../conf/conf.json"])),
        ("Files", json!(["assets/never.png"])),
        ("Is", json!("true")),
        ("Pot", json!(POT)),
        ("Pot", json!(["20250601000004-rowneve"])),
    ] {
        let sent = json!([
            { "row": LOOSE, "column": "Text", "value": "first" }, { "row": LOOSE, "column": name, "value": wrong },
        ]);
        let (kind, message) = ask(&engine, "set_cells", json!({ "id": PLANTS, "cells": sent })).unwrap_err();
        assert!(
            matches!(kind, ErrorType::Validation | ErrorType::NotFound),
            "{name} {wrong}: {kind:?} {message}"
        );
        assert!(
            !engine.kernel.take_sent().iter().any(|(path, _)| path.contains("batchSet")),
            "{name} {wrong}"
        );
    }
    cells(&engine, LOOSE, &expect![[""]]);
}

/// Columns of one name are distinguished by their ids, and line numbers belong to views.
#[test]
fn cells_of_found_rows_have_labels_of_their_own() {
    let world = plants();
    let (one, other) = ("20250601000003-keyone0", "20250601000003-keytwo0");
    column(&world, PLANTS, one, "Note", "text");
    column(&world, PLANTS, other, "Note", "text");
    column(&world, PLANTS, "20250601000003-keyline", "Line", "lineNumber");
    column(&world, PLANTS, "20250601000003-keyalon", "Alone", "text");
    let cell = |id: &str| json!({ "keyID": id, "itemID": ROSE, "value": { "text": { "content": id } } });
    let values = json!([cell(one), cell(other), cell("20250601000003-keyalon")]);
    world.ask("av/batchSetAttributeViewBlockAttrs", &json!({ "avID": PLANTS, "values": values }));
    let rose = world.id("/Garden/Rose").to_owned();
    let engine = Engine::new(world, Nobody);
    let answer = ask(&engine, "find_rows", json!({ "blocks": [rose] })).unwrap();
    let cells = json!({ one: one, other: other, "Alone": "20250601000003-keyalon" });
    assert_eq!(
        (&answer["items"][0]["row"], &answer["items"][0]["cells"]),
        (&json!(ROSE), &cells),
        "{answer}"
    );
}
