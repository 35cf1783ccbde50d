//! Tests of `av.update_view`: settings as they were given, wrong ones, groups and carriers.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, ask, garden};
use crate::testing::world::Nobody;
use crate::tools::av::testing::{POTS, stored, views, with_pots, with_rollup, with_three, with_two};

/// The settings of the view that is named change, whichever view the block shows.
#[test]
fn a_view_changes_and_the_block_goes_on_showing_its_own() {
    let engine = with_two("rw");
    let change = |arguments: Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(PLANTS);
        ask(&engine, "update_view", arguments)
    };
    let answer =
        change(json!({ "view": "Cards", "name": "Pictures", "page_size": 20, "order": ["Height"] })).unwrap();
    assert_eq!(
        (&answer["changed"], answer.get("failed")),
        (&json!(["name", "order", "page_size"]), None),
        "{answer}"
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

/// Each setting of a view is stored and returned in the same words.
#[test]
fn settings_of_a_view_are_told_as_they_were_given() {
    let engine = with_three();
    let settings = json!({
        "filters": { "or": [
            { "column": "Height", "is": "greater_or_equal", "value": 2 },
            { "and": [{ "column": "Due", "is": "not_empty" }, { "column": "Height", "is": "less", "value": 9 }] },
        ] },
        "sorts": [{ "column": "Due", "order": "desc" }, { "column": "Height", "order": "asc" }],
        "group": { "column": "Height", "by": "number", "range": { "start": 0, "end": 10, "step": 5 } },
        "page_size": 20,
    });
    let mut arguments = settings.clone();
    arguments.as_object_mut().unwrap().extend(
        json!({ "id": PLANTS, "view": "Table", "hidden": ["Due"], "order": ["Height", "Due"], "calc": { "Height": "sum" } })
            .as_object()
            .unwrap()
            .clone(),
    );
    let answer = ask(&engine, "update_view", arguments).unwrap();
    assert_eq!(answer.get("failed"), None, "{answer}");
    let view = |name: &str| {
        let all = ask(&engine, "get", json!({ "id": PLANTS })).unwrap();
        all["views"].as_array().unwrap().iter().find(|it| it["name"] == *name).unwrap().clone()
    };
    let table = view("Table");
    for (name, value) in settings.as_object().unwrap() {
        assert_eq!(table[name], *value, "{name}: {table}");
    }
    assert_eq!((&table["hidden_columns"], &table["calc"]), (&json!(["Due"]), &json!({ "Height": "sum" })));
    assert_eq!(table["order"].as_array().unwrap()[..2], [json!("Height"), json!("Due")]);
    let calc = json!({ "id": PLANTS, "view": "Table", "calc": { "Due": "count_all" } });
    assert_eq!(ask(&engine, "update_view", calc).unwrap().get("failed"), None);
    assert_eq!(view("Table")["calc"], json!({ "Height": "sum", "Due": "count_all" }));
    // Cleared settings are gone.
    let cleared = json!({ "id": PLANTS, "view": "Table", "filters": [], "sorts": [], "group": {}, "hidden": [], "calc": { "Height": "none", "Due": "none" } });
    ask(&engine, "update_view", cleared).unwrap();
    let table = view("Table");
    for name in ["filters", "sorts", "group", "hidden_columns", "calc"] {
        assert_eq!(table.get(name), None, "{table}");
    }
}

/// Conditions in a list must all hold, as SiYuan takes them; no conditions are an empty list or object.
#[test]
fn conditions_of_a_view_stand_in_a_list_or_a_group() {
    let engine = with_three();
    let filters = |filters: &Value| {
        let answer =
            ask(&engine, "update_view", json!({ "id": PLANTS, "view": "Table", "filters": filters }));
        assert_eq!(answer.unwrap().get("failed"), None, "{filters}");
        let all = ask(&engine, "get", json!({ "id": PLANTS })).unwrap();
        let table = all["views"].as_array().unwrap().iter().find(|it| it["name"] == "Table").unwrap();
        table.get("filters").cloned()
    };
    let conditions = json!([{ "column": "Height", "is": "not_empty" }, { "column": "Due", "is": "empty" }]);
    for none in [json!([]), json!({})] {
        assert_eq!(filters(&conditions), Some(json!({ "and": conditions })));
        assert_eq!(filters(&none), None, "{none}");
    }
}

/// A wrong setting is named, and the view stays as it is.
#[test]
fn wrong_settings_of_a_view_are_named() {
    let engine = with_three();
    let before = stored(&engine.kernel);
    let deep = json!({ "and": [{ "or": [{ "and": [{ "or": [{ "column": "Height", "is": "empty" }] }] }] }] });
    let many: Vec<Value> = (0..65).map(|_| json!({ "column": "Height", "is": "empty" })).collect();
    let condition = |condition: Value| json!({ "filters": { "and": [condition] } });
    for (setting, field) in [
        (json!({ "order": ["Height", "Due", "Height"] }), "order"),
        (json!({ "order": ["Weight"] }), "order"),
        (json!({ "hidden": ["Weight"] }), "hidden"),
        (json!({ "calc": { "Weight": "sum" } }), "calc.Weight"),
        (json!({ "calc": { "Height": "guess" } }), "calc.Height"),
        (json!({ "filters": deep }), "filters.and[0].or[0].and[0]"),
        (json!({ "filters": { "and": many } }), "filters"),
        (json!({ "filters": { "and": [], "or": [] } }), "filters"),
        (json!({ "filters": "none" }), "filters"),
        (json!({ "filters": ["Height"] }), "filters"),
        (json!({ "filters": { "not": [{ "column": "Height", "is": "empty" }] } }), "filters"),
        (condition(json!({ "column": "Weight", "is": "empty" })), "filters.and[0].column"),
        (condition(json!({ "column": "Height", "is": "near", "value": 2 })), "filters.and[0].is"),
        (condition(json!({ "column": "Height", "is": "empty", "value": 2 })), "filters.and[0].value"),
        (condition(json!({ "column": "Height", "is": "equal" })), "filters.and[0].value"),
        (condition(json!({ "column": "Height", "is": "equal", "value": "2" })), "filters.and[0].value"),
        (condition(json!({ "column": "Height", "is": "empty", "not": true })), "filters.and[0].not"),
        (json!({ "group": { "column": "Weight" } }), "group.column"),
        (json!({ "group": { "column": "Due", "by": "number" } }), "group.by"),
        (json!({ "group": { "column": "Height", "by": "month" } }), "group.by"),
        (json!({ "group": { "column": "Height", "by": "size" } }), "group.by"),
        (json!({ "group": { "column": "Height", "by": "number" } }), "group"),
        (
            json!({ "group": { "column": "Height", "by": "number", "range": { "start": 0, "end": 1000, "step": 1 } } }),
            "group.range",
        ),
        (
            json!({ "group": { "column": "Height", "by": "number", "range": { "start": 1e16, "end": 10_000_000_000_000_002.0, "step": 0.02 } } }),
            "group.range",
        ),
        (
            json!({ "group": { "column": "Height", "by": "number", "range": { "start": 9, "end": 1, "step": 1 } } }),
            "group.range",
        ),
        (json!({ "group": { "column": "Height", "order": "desc" } }), "group"),
    ] {
        let mut arguments = json!({ "id": PLANTS, "view": "Table" });
        arguments.as_object_mut().unwrap().extend(setting.as_object().unwrap().clone());
        let (kind, message) = ask(&engine, "update_view", arguments).unwrap_err();
        assert!(
            kind == ErrorType::Validation && message.contains(&format!("`{field}`")),
            "{setting}: {message}"
        );
        assert_eq!(stored(&engine.kernel), before, "{setting}");
    }
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
        let answer = ask(&engine, "update_view", group);
        assert_eq!(answer.is_ok(), is_named, "{kind}: {answer:?}");
        assert!(is_named || answer.unwrap_err().1.contains("group.column"), "{kind}");
    }
    assert!(columns.iter().any(|it| it["key"]["type"] == "rollup") && columns.len() > 4);
}
