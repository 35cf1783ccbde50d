//! Tests of `av.add_view`: settings of a new view, and which view its block shows.

use expect_test::expect;
use serde_json::json;

use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, ask};
use crate::testing::world::check;
use crate::tools::av::testing::{own_plants, stored, views, with_two};

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
