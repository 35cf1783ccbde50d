//! The ids of an answer, for scripts that pass them on.

use puppy_core::id::BlockId;
use serde_json::{Map, Value};

/// Each id of the main list, else those of the answer itself, without repetition.
pub(super) fn ids(data: &Map<String, Value>) -> Vec<&str> {
    let items = data.get("items").and_then(Value::as_array).into_iter().flatten();
    let mut found: Vec<&str> = items.flat_map(own).collect();
    if found.is_empty() {
        found = of(data);
    }
    let mut seen = std::collections::HashSet::new();
    // A query of a person may call any text an id; more than one line would be more than one id to the next program.
    found.retain(|id| !id.contains(char::is_control) && seen.insert(*id));
    found
}

/// The ids of an item: of an object, or a text that is one.
fn own(item: &Value) -> Vec<&str> {
    item.as_object()
        .map_or_else(|| item.as_str().filter(|it| BlockId::parse(it).is_some()).into_iter().collect(), of)
}

/// The value of `ids`, else of `id`, else those of the objects in the first list that has some.
fn of(fields: &Map<String, Value>) -> Vec<&str> {
    if let Some(ids) = fields.get("ids").and_then(Value::as_array) {
        return ids.iter().filter_map(Value::as_str).collect();
    }
    if let Some(id) = fields.get("id").and_then(Value::as_str) {
        return vec![id];
    }
    let lists = fields.values().filter_map(Value::as_array).map(|it| inside(it));
    lists.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default()
}

fn inside(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|it| it.as_object()?.get("id")?.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// B-099: the ids of the main list, else of the answer.
    #[test]
    fn ids_are_those_of_the_main_list() {
        for (data, due) in [
            (
                json!({ "id": "d", "items": [{ "id": "a" }, { "id": "b", "doc": "d" }, { "id": "a" }] }),
                vec!["a", "b"],
            ),
            (json!({ "items": [{ "doc": "d", "blocks": [{ "id": "a" }, { "id": "b" }] }] }), vec!["a", "b"]),
            (json!({ "items": [{ "ids": ["a", "b"], "doc": "d" }] }), vec!["a", "b"]),
            (json!({ "id": "a", "hash": "x" }), vec!["a"]),
            (json!({ "ids": ["a"], "doc": "d" }), vec!["a"]),
            (json!({ "references": [{ "id": "a" }], "total": 1 }), vec!["a"]),
            (json!({ "items": [{ "name": "tag" }], "total": 1 }), vec![]),
            (json!({ "items": ["assets/a.png", "20250101000000-abcdefg"] }), vec!["20250101000000-abcdefg"]),
            (json!({ "items": [{ "id": "a\nb" }, { "id": "c" }] }), vec!["c"]),
        ] {
            assert_eq!(ids(data.as_object().unwrap()), due, "{data}");
        }
    }
}
