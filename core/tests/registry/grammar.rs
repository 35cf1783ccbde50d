//! Calls of clients that can send nothing but what a schema describes: llama.cpp turns each schema into a grammar, and
//! takes an object with properties for one that has no others.

use puppy_core::part::Grouping;
use puppy_core::registry::ACTIONS;
use puppy_core::render::schema::{Descriptor, Detail, Style, descriptors_of};
use puppy_core::spec::{ActionSpec, Danger};
use serde_json::{Map, Value, json};

/// Whether such a grammar can produce a value.
fn admits(schema: &Value, value: &Value) -> bool {
    let object = |schema: &Map<String, Value>, value: &Map<String, Value>| {
        let has = |name: &Value| value.contains_key(name.as_str().unwrap());
        let required = schema.get("required").and_then(Value::as_array);
        let complete = required.is_none_or(|names| names.iter().all(has));
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return complete };
        complete
            && value.iter().all(|(name, it)| properties.get(name).is_some_and(|schema| admits(schema, it)))
    };
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.contains(value);
    }
    match (schema["type"].as_str().unwrap(), value) {
        ("object", Value::Object(value)) => object(schema.as_object().unwrap(), value),
        ("array", Value::Array(values)) => values.iter().all(|it| admits(&schema["items"], it)),
        ("string", Value::String(_)) | ("boolean", Value::Bool(_)) => true,
        ("integer", Value::Number(number)) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}

/// Every example of an action as calls, with the arguments that belong to every action where it takes them.
fn calls(spec: &ActionSpec) -> impl Iterator<Item = Value> {
    let with = |mut call: Value, name: &str, value: Value| {
        call[name] = value;
        call
    };
    spec.examples.iter().flat_map(move |example| {
        let call: Value = serde_json::from_str(example).unwrap();
        let call = with(call, "action", spec.name.into());
        let previewed = spec.has_preview().then(|| with(call.clone(), "preview", true.into()));
        let confirmed =
            (spec.danger != Danger::None).then(|| with(call.clone(), "confirm", json!("a confirmation")));
        [Some(call), previewed, confirmed].into_iter().flatten()
    })
}

fn list(grouping: Grouping) -> Vec<Descriptor> {
    let style = Style { grouping, detail: Detail::Complete };
    descriptors_of(ACTIONS, &[], style, style.bytes())
}

/// B-004, B-006: a client that makes a grammar of each schema can make every example.
#[test]
fn every_example_is_possible_by_the_schemas() {
    for grouping in Grouping::ALL {
        let tools = list(grouping);
        for spec in ACTIONS {
            let part = grouping.part_of(spec);
            let tool = tools.iter().find(|it| (it.tool, it.part) == (spec.tool, part)).unwrap();
            let schema = Value::Object(tool.input_schema.clone());
            for call in calls(spec) {
                assert!(admits(&schema, &call), "{}: {call}", spec.path());
            }
        }
    }
}

/// B-006: every argument of every action has its type there.
#[test]
fn complete_list_names_every_argument() {
    let tools = list(Grouping::Grouped);
    for spec in ACTIONS {
        let tool = tools.iter().find(|it| it.tool == spec.tool).unwrap();
        for param in spec.params() {
            let property = &tool.input_schema["properties"][param.name];
            assert!(property["type"].is_string(), "{} {}", spec.path(), param.name);
        }
    }
    let bytes = super::listing::json(&tools).to_string().len();
    assert!(bytes <= Detail::Complete.bytes(), "{bytes} bytes");
    println!("{bytes} bytes with every argument");
}

#[test]
fn grammar_admits_only_what_a_schema_describes() {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string", "enum": ["x"] }, "b": { "type": "array", "items": { "type": "integer" } } },
        "required": ["a"],
    });
    assert!(admits(&schema, &json!({ "a": "x", "b": [1, 2] })));
    for wrong in
        [json!({}), json!({ "a": "y" }), json!({ "a": "x", "c": 1 }), json!({ "a": "x", "b": ["1"] })]
    {
        assert!(!admits(&schema, &wrong), "{wrong}");
    }
}
