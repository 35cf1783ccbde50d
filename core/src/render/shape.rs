//! Arguments as JSON schema: plain types, no `$ref`, no type arrays, no formats (B-004).

use serde_json::{Map, Value, json};

use crate::spec::{Kind, Presence};

/// The depth of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Depth {
    /// The type alone.
    Bare,
    /// The type, the words of a choice and the fields of a record.
    Worded,
    /// Everything, with the bounds of numbers and lists.
    Bounded,
}

/// A kind as JSON schema.
pub(super) fn shape(kind: Kind, depth: Depth) -> Value {
    let mut out = match kind {
        Kind::Text { .. } | Kind::NotebookRef | Kind::Path | Kind::Asset | Kind::Tag | Kind::Id => {
            json!({ "type": "string" })
        }
        Kind::Int { .. } => json!({ "type": "integer" }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Choice(_) => json!({ "type": "string" }),
        Kind::List { item, .. } => json!({ "type": "array", "items": shape(*item, depth) }),
        Kind::Record(_) | Kind::Attrs | Kind::Cell | Kind::Object => json!({ "type": "object" }),
    };
    let Some(map) = out.as_object_mut() else { return out };
    let mut insert = |key: &str, value: Value| map.insert(key.to_owned(), value);
    match kind {
        Kind::Choice(words) if depth >= Depth::Worded => {
            insert("enum", json!(words));
        }
        Kind::Record(params) if depth >= Depth::Worded => {
            // A cell may be of any type, which no plain schema can express, so it is listed among the required fields
            // only.
            let typed = params.iter().filter(|param| param.kind != Kind::Cell);
            let fields: Map<String, Value> =
                typed.map(|param| (param.name.to_owned(), shape(param.kind, depth))).collect();
            let required: Vec<&str> =
                params.iter().filter(|it| it.presence == Presence::Required).map(|it| it.name).collect();
            insert("properties", Value::Object(fields));
            insert("required", json!(required));
        }
        Kind::Int { low, high } if depth >= Depth::Bounded => {
            insert("minimum", json!(low));
            insert("maximum", json!(high));
        }
        Kind::List { max, .. } if depth >= Depth::Bounded => {
            insert("maxItems", json!(max));
        }
        _ => {}
    }
    out
}

/// Widens a property until it holds for another action too: the widest bounds, every word.
pub(super) fn merge(present: &mut Value, new: &Value) {
    let (Some(map), Some(new)) = (present.as_object_mut(), new.as_object()) else { return };
    for (bound, wider) in
        [("minimum", i64::min as fn(i64, i64) -> i64), ("maximum", i64::max), ("maxItems", i64::max)]
    {
        let sides = (map.get(bound).and_then(Value::as_i64), new.get(bound).and_then(Value::as_i64));
        if let (Some(a), Some(b)) = sides {
            map.insert(bound.to_owned(), json!(wider(a, b)));
        }
    }
    if let (Some(Value::Array(words)), Some(Value::Array(more))) = (map.get_mut("enum"), new.get("enum")) {
        let fresh: Vec<Value> = more.iter().filter(|word| !words.contains(word)).cloned().collect();
        words.extend(fresh);
    }
}
