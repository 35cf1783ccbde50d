//! The conditions of a view: the argument, its checks, and the conditions as they are sent.

use serde_json::{Map, Value, json};

use super::view::OPERATORS;
use crate::args::{Arg, Plain, Spot};
use crate::content::cell;
use crate::content::database::Visible;
use crate::kernel::api::av::{ColumnKey, NewFilter};
use crate::prelude::*;
use crate::spec::{Kind, ReadBy};

/// The maximum depth of groups of conditions that the kernel takes.
const DEEPEST: usize = 3;
/// The maximum number of conditions.
const MOST: usize = 64;

/// Conditions: a group of them, a list of which all must hold, or none at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Filters(Map<String, Value>);

#[diagnostic::do_not_recommend]
impl Plain for Filters {}

impl Arg for Filters {
    const KIND: Kind = Kind::Object;
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            Some(Value::Object(group)) => Some(Filters(group)),
            Some(Value::Array(none)) if none.is_empty() => Some(Filters(Map::new())),
            Some(Value::Array(all)) => Some(Filters(Map::from_iter([("and".to_owned(), Value::Array(all))]))),
            _ => spot.expected("{and: [...]} or {or: [...]}, or [] for none"),
        }
    }
}

impl Filters {
    /// Judges the conditions for a database.
    pub(super) fn judge(&self, of: &Visible, cx: &Cx<'_>) -> Result<NewFilter, ToolError> {
        if self.0.is_empty() {
            return Ok(NewFilter::All { combination: "and".to_owned(), filters: Vec::new() });
        }
        let mut left = MOST;
        group_of_filters("filters", &self.0, (of, cx), DEEPEST, &mut left)
    }
}

/// Conditions of which all or any must hold.
fn group_of_filters(
    field: &str,
    group: &Map<String, Value>,
    (of, cx): (&Visible, &Cx<'_>),
    deepest: usize,
    left: &mut usize,
) -> Result<NewFilter, ToolError> {
    let expected =
        || ToolError::field(field, "{and: [...]} or {or: [...]}, nested at most 3 deep, of 64 conditions");
    let deeper = deepest.checked_sub(1).ok_or_else(expected)?;
    let mut parts = group.iter();
    let (Some((together, Value::Array(inside))), None) = (parts.next(), parts.next()) else {
        return Err(expected());
    };
    if !matches!(together.as_str(), "and" | "or") || inside.is_empty() {
        return Err(expected());
    }
    let mut filters = Vec::with_capacity(inside.len());
    for (at, filter) in inside.iter().enumerate() {
        let field = format!("{field}.{together}[{at}]");
        let filter = filter.as_object().ok_or_else(expected)?;
        *left = left.checked_sub(1).ok_or_else(expected)?;
        filters.push(match filter.contains_key("column") {
            true => condition(&field, filter, of, cx)?,
            false => group_of_filters(&field, filter, (of, cx), deeper, left)?,
        });
    }
    Ok(NewFilter::All { combination: together.clone(), filters })
}

fn condition(
    field: &str,
    filter: &Map<String, Value>,
    of: &Visible,
    cx: &Cx<'_>,
) -> Result<NewFilter, ToolError> {
    let (mut column, mut is, mut value) = ("", "", None);
    for (name, part) in filter {
        match name.as_str() {
            "column" => column = part.as_str().unwrap_or_default(),
            "is" => is = part.as_str().unwrap_or_default(),
            "value" => value = Some(part).filter(|it| !it.is_null()),
            other => {
                let expected = "left out: a condition is {column, is, value}";
                return Err(ToolError::field(&format!("{field}.{other}"), expected));
            }
        }
    }
    let key = &of.column(&format!("{field}.column"), column)?.key;
    let &(operator, word) = OPERATORS.iter().find(|(_, ours)| *ours == is).ok_or_else(|| {
        let known: Vec<&str> = OPERATORS.iter().map(|(_, ours)| *ours).collect();
        ToolError::field(&format!("{field}.is"), format!("one of {}", known.join(", ")))
    })?;
    let takes_none = matches!(word, "empty" | "not_empty" | "true" | "false");
    let mut operand = match value {
        None if takes_none => json!({}),
        Some(value) if !takes_none => operand(key, value, cx)
            .map_err(|expected| ToolError::field(&format!("{field}.value"), expected))?,
        _ => {
            let expected =
                if takes_none { "left out: this condition takes none" } else { "the value to compare with" };
            return Err(ToolError::field(&format!("{field}.value"), expected));
        }
    };
    if let Some(map) = operand.as_object_mut() {
        map.insert("type".to_owned(), json!(key.kind));
    }
    Ok(NewFilter::One { column: key.id.clone(), operator, value: operand })
}

/// The value that a condition compares with, as the kernel stores it.
fn operand(key: &ColumnKey, value: &Value, cx: &Cx<'_>) -> Result<Value, String> {
    match key.kind.as_str() {
        "created" | "updated" => {
            let date = cell::to_kernel("date", value, cx.ambient())?;
            Ok(json!({ key.kind.as_str(): date.get("date") }))
        }
        "template" => {
            let text = cell::to_kernel("text", value, cx.ambient())?;
            Ok(json!({ "template": text.get("text") }))
        }
        "relation" | "rollup" | "mAsset" | "lineNumber" => {
            Err("left out: a column of this type is compared by empty and not_empty only".to_owned())
        }
        kind => cell::to_kernel(kind, value, cx.ambient()),
    }
}
