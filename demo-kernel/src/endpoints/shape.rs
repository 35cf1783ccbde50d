//! Blocks and rows of panels as the kernel shows them, with every field.

use serde_json::{Map, Value, json};

/// A block with only the given fields.
pub(super) fn block(given: &Value) -> Value {
    let empty = json!({
        "box": "", "path": "", "hPath": "", "id": "", "rootID": "", "parentID": "", "name": "", "alias": "",
        "memo": "", "tag": "", "content": "", "fcontent": "", "markdown": "", "folded": false, "type": "",
        "subType": "", "refText": "", "refs": null, "defID": "", "defPath": "", "ial": null, "children": null,
        "depth": 0, "count": 0, "refCount": 0, "sort": 0, "created": "", "updated": "", "riffCardID": "",
        "riffCard": null,
    });
    with(empty, given)
}

/// A row of the outline or of backlinks.
pub(super) fn path(given: &Value) -> Value {
    let empty = json!({
        "id": "", "box": "", "name": "", "hPath": "", "type": "", "nodeType": "", "subType": "", "depth": 0,
        "count": 0, "folded": false, "updated": "", "created": "",
    });
    with(empty, given)
}

/// `value` with the fields of `given` put in.
pub(super) fn with(mut value: Value, given: &Value) -> Value {
    if let (Some(fields), Some(given)) = (value.as_object_mut(), given.as_object()) {
        fields.extend(given.clone());
    }
    value
}

/// A text of a value; empty when it is none.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Sets a field of an object.
pub(super) fn put(value: &mut Value, name: &str, field: Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.insert(name.to_owned(), field);
    }
}

/// Texts as a list, or `null` when it is empty, as Go writes a nil slice.
pub(super) fn nil_when_empty<T: Into<Value>>(list: Vec<T>) -> Value {
    if list.is_empty() { Value::Null } else { list.into() }
}

/// The fields of an object; none for other values.
pub(super) fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
