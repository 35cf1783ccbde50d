//! Databases and views as they are made: names, layouts, settings, and what is found of them.

use puppy_core::dispatch::Engine;
use puppy_core::error::ErrorType;
use serde_json::{Value, json};

use crate::columns::own_plants;
use crate::databases::{PLANTS, ask, carrier, garden, stored};
use crate::kernel::Nobody;
use crate::rows::transact;
use crate::world::World;

/// A new database shows the layout that was asked for.
#[test]
fn a_new_database_has_the_layout_that_was_asked_for() {
    for layout in ["table", "gallery", "kanban"] {
        let engine = Engine::new(garden(&[]), Nobody);
        let parent = engine.kernel.id("/Garden/Rose").to_owned();
        let made = ask(&engine, "create", json!({ "parent": parent, "name": "Tasks", "layout": layout }));
        let told = ask(&engine, "get", json!({ "id": made.unwrap()["id"] })).unwrap();
        assert_eq!(told["views"][0]["layout"], layout, "{told}");
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

/// Every word of a query stands in the name that is found.
#[test]
fn databases_are_found_by_every_word() {
    let mut world = garden(&[]);
    transact(&world, &json!({ "action": "setAttrViewName", "id": PLANTS, "data": "Plants of the garden" }));
    let other = "20250601000009-avother";
    world = carrier(world, other, "/Garden/Rose", "other");
    transact(&world, &json!({ "action": "setAttrViewName", "id": other, "data": "Plants in pots" }));
    let engine = Engine::new(world, Nobody);
    let found = |query: &str| {
        let told = ask(&engine, "search", json!({ "query": query })).unwrap();
        let mut ids: Vec<String> = told["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["id"].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(found("plants"), [PLANTS, other]);
    assert_eq!(found("pots PLANTS"), [other]);
    assert_eq!(found("pots garden"), [""; 0]);
}

/// Plants with the views Table, Cards and List, of which the block shows the last.
fn with_three() -> Engine<World, Nobody> {
    let engine = Engine::new(own_plants("rwd"), Nobody);
    for name in ["Cards", "List"] {
        let view = json!({ "id": PLANTS, "name": name, "layout": "gallery", "show": name == "List" });
        ask(&engine, "add_view", view).unwrap();
    }
    engine
}

/// The kernel removes the view that a block shows; the block shows its own again afterwards.
#[test]
fn a_block_shows_its_view_after_another_is_removed() {
    let engine = with_three();
    let carrier = engine.kernel.id("plants").to_owned();
    let shown = || ask(&engine, "list_rows", json!({ "id": carrier })).unwrap()["view"]["name"].take();
    assert_eq!(shown(), "List");
    ask(&engine, "remove_view", json!({ "id": PLANTS, "view": "Cards" })).unwrap();
    assert_eq!(shown(), "List");
}

/// Each setting of a view is stored and told in the same words.
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
    let told = ask(&engine, "update_view", arguments).unwrap();
    assert_eq!(told.get("failed"), None, "{told}");
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

/// Conditions in a list must all hold, as SiYuan takes them; no conditions are told by an empty list or object.
#[test]
fn conditions_of_a_view_stand_in_a_list_or_a_group() {
    let engine = with_three();
    let filters = |filters: &Value| {
        let told = ask(&engine, "update_view", json!({ "id": PLANTS, "view": "Table", "filters": filters }));
        assert_eq!(told.unwrap().get("failed"), None, "{filters}");
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
