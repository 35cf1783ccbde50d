//! Tests of `av.create`: columns, rows and layout of a new database.

use expect_test::expect;
use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{ask, garden};
use crate::testing::world::{Nobody, check};
use crate::tools::av::testing::{columns, engine, own_plants};

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

/// A new database shows the layout that was asked for.
#[test]
fn a_new_database_has_the_layout_that_was_asked_for() {
    for layout in ["table", "gallery", "kanban"] {
        let engine = Engine::new(garden(&[]), Nobody);
        let parent = engine.kernel.id("/Garden/Rose").to_owned();
        let made = ask(&engine, "create", json!({ "parent": parent, "name": "Tasks", "layout": layout }));
        let answer = ask(&engine, "get", json!({ "id": made.unwrap()["id"] })).unwrap();
        assert_eq!(answer["views"][0]["layout"], layout, "{answer}");
    }
}

/// Cells are given by the names of columns, so no two of a new database have one name.
#[test]
fn columns_of_a_new_database_have_different_names() {
    let engine = Engine::new(garden(&[]), Nobody);
    let parent = engine.kernel.id("/Garden/Rose").to_owned();
    let columns = json!([{ "name": "State", "type": "text" }, { "name": " State ", "type": "number" }]);
    let twice = json!({ "parent": parent, "name": "Tasks", "columns": columns });
    let (kind, message) = ask(&engine, "create", twice).unwrap_err();
    assert!(kind == ErrorType::Validation && message.contains("columns[1].name"), "{message}");
    assert!(!engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("appendBlock")));
}
