//! JSON values: fields and lists as the kernel writes them.

use serde_json::{Map, Value};

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
