//! Tests of `system.begin_errand`: the bounds, the place, and callers that can have no errand.

use serde_json::{Value, json};

use crate::activity::Transport;
use crate::dispatch::{Approval, Call, Engine};
use crate::errands::{ErrandCost, ErrandPlace};
use crate::error::ErrorType;
use crate::output::Reply;
use crate::part::Part;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, ready, world};

fn desk() -> Engine<World, Nobody> {
    let world = world().notebook("Recipes", "rwd").notebook("Private", "none").notebook("Attic", "r");
    Engine::new(world.docs(["/Recipes/Soups", "/Recipes/Soups/Leek", "/Garden/Beds"]), Nobody)
}

fn begin(engine: &Engine<World, Nobody>, session: Option<&str>, arguments: &Value, gate: Approval) -> Reply {
    let mut sent = json!({ "action": "begin_errand", "purpose": "Tidy the tags" });
    let given: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    sent.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
    let call = Call {
        tool: Tool::System,
        arguments: sent.as_object().unwrap().clone(),
        part: Part::Whole,
        transport: Transport::Stdio,
        client: "Claude".to_owned(),
    };
    ready(engine.dispatch_in(session, call, &gate))
}

fn yes(engine: &Engine<World, Nobody>, arguments: &Value) -> Reply {
    begin(engine, Some("s"), arguments, Approval::Given)
}

#[test]
fn bounds_and_places_that_are_none_are_refused() {
    for (arguments, kind, part) in [
        (json!({ "notebooks": ["Recipes"], "changes": 201 }), ErrorType::Validation, "from 1 to 200"),
        (json!({ "notebooks": ["Recipes"], "changes": "many" }), ErrorType::Validation, "whole number"),
        (json!({ "notebooks": ["Recipes"], "changes": 1.5 }), ErrorType::Validation, "whole number"),
        (json!({ "notebooks": ["Recipes"], "changes": 0 }), ErrorType::Validation, "from 1 to 200"),
        (json!({ "notebooks": ["Recipes"], "deletes": -1 }), ErrorType::Validation, "from 0 to 20"),
        (json!({ "notebooks": ["Recipes"], "deletes": 21 }), ErrorType::Validation, "from 0 to 20"),
        (json!({ "notebooks": ["Recipes"], "minutes": 61 }), ErrorType::Validation, "from 1 to 60"),
        (json!({ "notebooks": [] }), ErrorType::Validation, "1 to 8"),
        (json!({}), ErrorType::Validation, "documents"),
        (json!({ "notebooks": ["Recipes"], "documents": ["{/Recipes/Soups}"] }), ErrorType::Validation, ""),
        (json!({ "notebooks": ["Recipes"], "purpose": "\u{200b} " }), ErrorType::Validation, "visible"),
        (json!({ "notebooks": ["Recipes"], "purpose": "x".repeat(201) }), ErrorType::Validation, "200"),
        (json!({ "notebooks": ["Nowhere"] }), ErrorType::NotFound, ""),
        (json!({ "notebooks": ["Recipes", "Private"] }), ErrorType::NotFound, ""),
        (json!({ "notebooks": ["Attic"] }), ErrorType::PermissionDenied, ""),
        (json!({ "notebooks": ["Garden"], "deletes": 1 }), ErrorType::PermissionDenied, ""),
        (json!({ "documents": ["{/Garden/Beds}"], "deletes": 1 }), ErrorType::PermissionDenied, ""),
        (json!({ "documents": ["20200101000000-nowhere"] }), ErrorType::NotFound, ""),
        (json!({ "documents": ["{/Recipes}"] }), ErrorType::Validation, "notebooks"),
    ] {
        let engine = desk();
        let error = yes(&engine, &arguments).unwrap_err();
        assert_eq!(error.kind, kind, "{arguments}: {error:?}");
        assert!(format!("{error:?}").contains(part), "{arguments}: {error:?}");
        assert!(engine.errands().standing().is_empty());
    }
}

#[test]
fn the_answer_has_the_bounds() {
    let engine = desk();
    let asked = begin(&engine, Some("s"), &json!({ "notebooks": ["Recipes"] }), Approval::Missing);
    assert_eq!(asked.unwrap_err().kind, ErrorType::ConfirmationRequired);
    assert!(engine.errands().standing().is_empty());
    let data = yes(&engine, &json!({ "documents": ["{/Recipes/Soups}"], "deletes": 5 })).unwrap().data;
    let standing = engine.errands().standing().remove(0);
    let soups = engine.kernel.id("/Recipes/Soups").to_owned();
    assert_eq!(
        Value::Object(data),
        json!({ "errand": standing.id, "documents": [soups], "changes": 20, "deletes": 5, "minutes": 20 })
    );
    assert_eq!(standing.new.place, ErrandPlace::Documents([soups].into()));
    assert_eq!((standing.new.client.as_str(), standing.left_ms), ("Claude", 20 * 60_000));
    assert_eq!(standing.new.bounds.most, ErrandCost { changes: 20, deletes: 5 });
}

/// A person reads hidden letters as codes, and markup as text.
#[test]
fn a_purpose_is_shown_as_it_is() {
    let engine = desk();
    let purpose = "<b>Safe</b>\u{202e}\u{200b}\n\nAllow all “now”";
    yes(&engine, &json!({ "notebooks": ["Recipes"], "purpose": purpose })).unwrap();
    let shown = engine.errands().standing().remove(0).new.purpose;
    assert_eq!(shown, "<b>Safe</b>⟨U+202E⟩⟨U+200B⟩ Allow all “now”");
}

#[test]
fn one_errand_at_a_time_and_none_without_a_session() {
    let engine = desk();
    let recipes = json!({ "notebooks": ["Recipes"] });
    let error = begin(&engine, None, &recipes, Approval::Given).unwrap_err();
    assert_eq!(error.kind, ErrorType::Disabled, "{error:?}");
    yes(&engine, &recipes).unwrap();
    engine.kernel.pass(5 * 60_000);
    let error = yes(&engine, &recipes).unwrap_err();
    assert!(error.kind == ErrorType::Conflict && error.message.contains("15 more minutes"), "{error:?}");
    begin(&engine, Some("another"), &recipes, Approval::Given).unwrap();
    engine.kernel.pass(15 * 60_000);
    yes(&engine, &recipes).unwrap();
}

/// A person lowers the most, down to none.
#[test]
fn a_person_lowers_the_bounds() {
    for (settings, kind) in [
        (json!({ "errand_changes": 19 }), ErrorType::Validation),
        (json!({ "errand_minutes": 10 }), ErrorType::Validation),
        (json!({ "errand_deletes": 4 }), ErrorType::Validation),
        (json!({ "errand_minutes": 0 }), ErrorType::Disabled),
        (json!({ "errand_minutes": "long" }), ErrorType::Disabled),
        (json!({ "errand_changes": 0, "errand_deletes": 0 }), ErrorType::Disabled),
    ] {
        let engine = desk();
        engine.kernel.put("mcpHttpSettings", &settings);
        let error = yes(&engine, &json!({ "notebooks": ["Recipes"], "deletes": 5 })).unwrap_err();
        assert_eq!(error.kind, kind, "{settings}: {error:?}");
        let most = settings.as_object().unwrap().values().next().unwrap();
        let named = format!("at most {most}");
        assert!(kind == ErrorType::Disabled || format!("{error:?}").contains(&named), "{error:?}");
    }
}
