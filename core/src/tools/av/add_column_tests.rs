//! Tests of `av.add_column`: every type, its settings, its place, and the way back of a relation.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, SECRETS, ask, carrier};
use crate::testing::world::Nobody;
use crate::tools::av::testing::{POTS, columns, engine, own_plants, stored, with_pots};

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

/// The kernel puts a column without a neighbour before the primary one.
#[test]
fn a_new_column_stands_last_or_behind_another() {
    let engine = engine(own_plants("rw"));
    let before = columns(&engine, PLANTS).1;
    let add = |arguments: Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(PLANTS);
        arguments["type"] = json!("text");
        ask(&engine, "add_column", arguments).unwrap();
    };
    add(json!({ "name": "Last" }));
    add(json!({ "name": "Inner", "after_column": "Due" }));
    let after = columns(&engine, PLANTS).1;
    assert_eq!(before, json!(["Due", "Height", "Primary Key", "Select"]));
    assert_eq!(after, json!(["Due", "Inner", "Height", "Primary Key", "Select", "Last"]));
}
