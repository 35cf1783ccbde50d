//! JSON with comments, changed in place: comments, order and blanks stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};

use crate::words::FileWords;

/// The most lenient syntax that clients accept: comments, and commas after the last entry.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The content; an empty text holds nothing.
pub(super) fn values(text: &str) -> Result<Map<String, Value>, String> {
    match parsed(text)?.to_serde_value() {
        None => Ok(Map::new()),
        Some(Value::Object(values)) => Ok(values),
        Some(_) => Err(FileWords::here().no_object().to_owned()),
    }
}

/// Sets one entry.
pub(super) fn set(text: &str, keys: &[&str], value: &Value) -> Result<String, String> {
    let root = parsed(text)?;
    let mut object = root.object_value_or_create().ok_or(FileWords::here().no_object())?;
    let Some((last, above)) = keys.split_last() else { return Ok(text.to_owned()) };
    for key in above {
        only(&object, key)?;
        object = object.object_value_or_create(key).ok_or_else(|| super::no_object(key))?;
    }
    match only(&object, last)? {
        Some(entry) => entry.set_value(input(value)),
        None => drop(object.append(last, input(value))),
    }
    let end = if text.is_empty() { "\n" } else { "" };
    Ok(format!("{root}{end}"))
}

/// Removes one entry, if it is there.
pub(super) fn remove(text: &str, keys: &[&str]) -> Result<String, String> {
    let root = parsed(text)?;
    let Some((last, above)) = keys.split_last() else { return Ok(text.to_owned()) };
    let Some(mut object) = root.object_value() else { return Ok(text.to_owned()) };
    for key in above {
        only(&object, key)?;
        let Some(inner) = object.object_value(key) else { return Ok(text.to_owned()) };
        object = inner;
    }
    if let Some(entry) = only(&object, last)? {
        entry.remove();
    }
    Ok(root.to_string())
}

/// The lines of an entry, without the blanks around them; none if it is not there.
pub(super) fn inside(text: &str, keys: &[&str]) -> Vec<String> {
    let entry = || {
        let (last, above) = keys.split_last()?;
        let mut object = parsed(text).ok()?.object_value()?;
        for key in above {
            object = object.object_value(key)?;
        }
        object.get(last)
    };
    let lines = |it: CstObjectProp| it.to_string().lines().map(|line| line.trim().to_owned()).collect();
    entry().map(lines).unwrap_or_default()
}

fn parsed(text: &str) -> Result<CstRootNode, String> {
    // The library's own message quotes the text, which may hold a token.
    CstRootNode::parse(text, &OPTIONS).map_err(|error| {
        let line = error.line_display();
        FileWords::here().bad_json(line)
    })
}

/// The entry of a name. Of two with one name, programs read the one or the other.
fn only(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, String> {
    let mut all = object.properties().into_iter().filter(|it| it.decoded_name().as_deref() == Some(name));
    match (all.next(), all.next()) {
        (_, Some(_)) => Err(FileWords::here().twice(name)),
        (entry, None) => Ok(entry),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(is) => CstInputValue::Bool(*is),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
