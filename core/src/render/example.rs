//! The examples of a declaration, as calls (B-081).

use serde_json::{Map, Value};

use crate::spec::{self, ActionSpec, Hole};

/// The arguments of the example that help shows, `action` left out.
pub fn arguments(spec: &ActionSpec) -> Map<String, Value> {
    spec.examples.first().map(|example| shown(example)).unwrap_or_default()
}

/// The arguments of every example, `action` left out.
pub fn all(spec: &ActionSpec, value: impl Fn(Hole) -> String) -> Vec<Map<String, Value>> {
    spec.examples.iter().map(|example| parsed(example, &value)).collect()
}

fn shown(example: &str) -> Map<String, Value> {
    parsed(example, &|hole| hole.shown().to_owned())
}

/// An example with its holes filled. The declaration is JSON already.
fn parsed(example: &str, value: &impl Fn(Hole) -> String) -> Map<String, Value> {
    let mut arguments: Map<String, Value> = serde_json::from_slice(example.as_bytes()).unwrap_or_default();
    arguments.values_mut().for_each(|it| fill_in(it, value));
    arguments
}

fn fill_in(argument: &mut Value, value: &impl Fn(Hole) -> String) {
    match argument {
        Value::String(text) => *text = spec::fill(text, value),
        Value::Array(items) => items.iter_mut().for_each(|it| fill_in(it, value)),
        Value::Object(fields) => fields.values_mut().for_each(|it| fill_in(it, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
