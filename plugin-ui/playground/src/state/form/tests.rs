//! Tests of forms: every action has one, and entries mean what was entered.

use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use serde_json::json;

use super::*;

/// The form of every action takes its own example and means the same arguments.
#[test]
fn the_example_of_every_action_goes_through_its_form() {
    for spec in ACTIONS {
        let form = Form::of_action(spec);
        let meant = form.arguments(&form.example());
        assert_eq!(Value::Object(meant), Value::Object(example::arguments(spec)), "{}", spec.path());
    }
}

#[test]
fn every_argument_of_an_action_has_a_field_with_its_limits() {
    for spec in ACTIONS {
        let form = Form::of_action(spec);
        let names: Vec<&str> = form.fields.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, spec.params().map(|it| it.name).collect::<Vec<_>>(), "{}", spec.path());
        assert!(form.fields.iter().all(|it| !it.limits.is_empty() && !it.doc.is_empty()), "{}", spec.path());
    }
}

fn form(properties: &Value) -> Form {
    Form::of_schema(&json!({ "properties": properties, "required": ["a"] }))
}

#[test]
fn schemas_of_other_servers_become_fields() {
    let form = form(&json!({
        "a": { "type": "string", "maxLength": 20, "description": "A line." },
        "b": { "type": "string" },
        "c": { "enum": ["x", "y"] },
        "d": { "type": "array", "items": { "type": "integer" } },
        "e": { "type": "object" },
        "f": { "type": "boolean" },
        "g": { "type": "number", "minimum": 1, "examples": [2.5] },
        "h": true,
    }));
    let inputs: Vec<&Input> = form.fields.iter().map(|it| &it.input).collect();
    let choice = Input::Choice(vec!["x".into(), "y".into()]);
    let list = Input::List(Item::Number);
    let json = Input::Json;
    let expected = [&Input::Line, &Input::Text, &choice, &list, &json, &Input::Switch, &Input::Number, &json];
    assert_eq!(inputs, expected);
    assert!(form.fields[0].is_required && !form.fields[1].is_required);
    assert_eq!(
        (form.fields[6].limits.as_str(), form.fields[6].example.as_str()),
        ("number, minimum 1", "2.5")
    );
    assert!(Form::of_schema(&json!(7)).fields.is_empty());
}

#[test]
fn entries_mean_what_they_should_be_and_stay_text_where_they_are_not() {
    let form = form(&json!({
        "a": { "type": "string" },
        "n": { "type": "integer" },
        "l": { "type": "array", "items": { "type": "string" } },
        "j": { "type": "object" },
        "f": { "type": "boolean" },
    }));
    let mut entries = Entries::default();
    for (name, text) in [("a", " x\n"), ("n", "7"), ("l", "a b\n\n c "), ("j", "{\"k\":1}"), ("f", "false")] {
        entries.enter(name, text.to_owned());
    }
    let meant = json!({ "a": " x\n", "n": 7, "l": ["a b", "c"], "j": { "k": 1 }, "f": false });
    assert_eq!(Value::Object(form.arguments(&entries)), meant);
    for (name, text) in [("a", ""), ("n", "seven"), ("l", " \n"), ("j", "{k"), ("f", "")] {
        entries.enter(name, text.to_owned());
    }
    assert_eq!(Value::Object(form.arguments(&entries)), json!({ "n": "seven", "j": "{k" }));
}

/// Exactly one of several: only the fields of the chosen group are sent.
#[test]
fn only_the_chosen_group_is_sent() {
    let choices = ACTIONS.iter().find_map(|spec| {
        let form = Form::of_action(spec);
        let (choice, _) = form.fields.iter().find_map(|it| it.group)?;
        Some((form, choice))
    });
    let (form, choice) = choices.unwrap();
    let groups: Vec<Vec<String>> =
        form.groups(choice).into_iter().map(|it| it.into_iter().map(str::to_owned).collect()).collect();
    assert!(groups.len() > 1);
    let mut entries = Entries::default();
    groups.iter().flatten().for_each(|name| entries.enter(name, "1".to_owned()));
    for (place, group) in groups.iter().enumerate() {
        entries.choose(choice, place);
        let sent: Vec<String> = form.arguments(&entries).into_iter().map(|(name, _)| name).collect();
        assert_eq!(&sent, group);
    }
}

/// B-039: what is shown of a schema cannot turn the direction of text; what is sent keeps the name and the word.
#[test]
fn hidden_characters_of_a_schema_are_shown_as_codes_and_sent_as_they_are() {
    let form = form(&json!({ "a\u{202e}b": { "enum": ["x\u{202e}y"], "description": "do\u{202e}c" } }));
    let [field] = form.fields.as_slice() else { panic!("one field") };
    assert_eq!(field.doc, "do⟨U+202E⟩c");
    let mut entries = Entries::default();
    entries.enter(&field.name, "x\u{202e}y".to_owned());
    assert_eq!(Value::Object(form.arguments(&entries)), json!({ "a\u{202e}b": "x\u{202e}y" }));
}
