//! The examples of a declaration, and the error that carries a corrected call (B-081).

use serde_json::{Map, Value};

use crate::args::Problem;
use crate::error::{ErrorType, Example, ToolError};
use crate::id::{AssetPath, is_node_id};
use crate::spec::{self, ActionSpec, Hole, Kind, Param, Presence, Slot};

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
    let mut arguments: Map<String, Value> = serde_json::from_str(example).unwrap_or_default();
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

/// Adds the missing arguments as examples have them: every required one, and those of the first group where no group
/// was sent.
fn complete(spec: &ActionSpec, out: &mut Map<String, Value>) {
    let examples: Vec<_> = spec.examples.iter().map(|example| shown(example)).collect();
    for slot in spec.slots {
        let params = match slot {
            Slot::One(param) => std::slice::from_ref(param),
            Slot::OneOf(groups, _) => {
                let sent = groups.iter().find(|group| group.iter().any(|param| out.contains_key(param.name)));
                sent.or(groups.first()).copied().unwrap_or_default()
            }
        };
        for param in params.iter().filter(|param| param.presence == Presence::Required) {
            let known = examples.iter().find_map(|example| example.get(param.name));
            if let Some(value) = known.filter(|_| !out.contains_key(param.name)) {
                out.insert(param.name.to_owned(), value.clone());
            }
        }
    }
}

/// The error for arguments that do not decode: it names every bad field and carries the corrected call.
pub(crate) fn wrong_arguments(
    spec: &'static ActionSpec,
    given: &Map<String, Value>,
    problems: Vec<Problem>,
) -> ToolError {
    let list: Vec<String> =
        problems.iter().map(|it| format!("`{}` must be {}", it.field, it.expected)).collect();
    let params: Vec<Param> = spec.params().collect();
    let is_bad = |name: &str| {
        problems
            .iter()
            .any(|problem| problem.field.split('|').any(|field| field.split(['.', '[']).next() == Some(name)))
    };
    let mut corrected: Map<String, Value> = given
        .iter()
        .filter(|(name, value)| {
            params.iter().any(|param| param.name == *name && fits(param.kind, value)) && !is_bad(name)
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    drop_second_groups(spec, &mut corrected);
    complete(spec, &mut corrected);
    ToolError {
        fields: problems,
        example: Some(Example { tool: spec.tool, action: spec.name, arguments: corrected }),
        ..ToolError::new(ErrorType::Validation, format!("{}: {}.", spec.path(), list.join("; ")))
    }
}

/// Whether a value may stay in a corrected call. The decoder reads no group when two were sent, so the
/// values of both are judged here.
fn fits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Text { .. } | Kind::NotebookRef | Kind::Path | Kind::Tag => value.is_string(),
        Kind::Asset => value.as_str().and_then(AssetPath::parse).is_some(),
        Kind::Cell => true,
        Kind::Id => value.as_str().is_some_and(is_node_id),
        Kind::Int { low, high } => value.as_i64().is_some_and(|it| (low..=high).contains(&it)),
        Kind::Bool => value.is_boolean(),
        Kind::Choice(words) => value.as_str().is_some_and(|it| words.contains(&it)),
        Kind::List { item, min, max } => value
            .as_array()
            .is_some_and(|all| (min..=max).contains(&all.len()) && all.iter().all(|it| fits(*item, it))),
        Kind::Record(_) | Kind::Object => value.is_object(),
        Kind::Attrs => {
            value.as_object().is_some_and(|all| all.values().all(|it| it.is_string() || it.is_null()))
        }
    }
}

fn drop_second_groups(spec: &ActionSpec, corrected: &mut Map<String, Value>) {
    for slot in spec.slots {
        let Slot::OneOf(groups, _) = slot else { continue };
        let mut sent =
            groups.iter().filter(|group| group.iter().any(|param| corrected.contains_key(param.name)));
        let kept = sent.next();
        let others: Vec<&str> = groups
            .iter()
            .filter(|group| kept.is_none_or(|kept| !std::ptr::eq(*kept, **group)))
            .flat_map(|group| group.iter().map(|param| param.name))
            .filter(|name| !kept.is_some_and(|kept| kept.iter().any(|param| param.name == *name)))
            .collect();
        corrected.retain(|name, _| !others.contains(&name.as_str()));
    }
}
