//! The values that templates work on.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value as Json, json};
use time::OffsetDateTime;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Any {
    /// Go's nil. A missing entry of a map is nil too, but prints as `<no value>`.
    Nil,
    Missing,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Time(OffsetDateTime),
    List(Rc<Vec<Any>>),
    Map(Rc<BTreeMap<String, Any>>),
}

impl Any {
    pub(crate) fn text(text: impl Into<String>) -> Any {
        Any::Text(text.into())
    }

    pub(crate) fn list(items: impl IntoIterator<Item = Any>) -> Any {
        Any::List(Rc::new(items.into_iter().collect()))
    }

    pub(crate) fn map(entries: impl IntoIterator<Item = (String, Any)>) -> Any {
        Any::Map(Rc::new(entries.into_iter().collect()))
    }

    pub(crate) fn of_json(json: &Json) -> Any {
        match json {
            Json::Null => Any::Nil,
            Json::Bool(flag) => Any::Bool(*flag),
            Json::Number(number) => {
                number.as_i64().map_or_else(|| Any::Float(number.as_f64().unwrap_or_default()), Any::Int)
            }
            Json::String(text) => Any::text(text),
            Json::Array(items) => Any::list(items.iter().map(Any::of_json)),
            Json::Object(map) => Any::map(map.iter().map(|(key, value)| (key.clone(), Any::of_json(value)))),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        match self {
            Any::Nil | Any::Missing => Json::Null,
            Any::Bool(flag) => json!(flag),
            Any::Int(number) => json!(number),
            Any::Float(number) => json!(number),
            Any::Text(text) => json!(text),
            Any::Time(time) => json!(super::clock::layout(*time, "2006-01-02T15:04:05Z")),
            Any::List(items) => items.iter().map(Any::to_json).collect(),
            Any::Map(map) => {
                Json::Object(map.iter().map(|(key, value)| (key.clone(), value.to_json())).collect())
            }
        }
    }

    /// Whether Go's `if` treats it as true.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Any::Nil | Any::Missing => false,
            Any::Bool(flag) => *flag,
            Any::Int(number) => *number != 0,
            Any::Float(number) => *number != 0.0,
            Any::Text(text) => !text.is_empty(),
            Any::Time(_) => true,
            Any::List(items) => !items.is_empty(),
            Any::Map(map) => !map.is_empty(),
        }
    }

    /// Go's name of the type, as messages and `kindOf` tell it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Any::Nil | Any::Missing => "invalid",
            Any::Bool(_) => "bool",
            Any::Int(_) => "int",
            Any::Float(_) => "float64",
            Any::Text(_) => "string",
            Any::Time(_) => "struct",
            Any::List(_) => "slice",
            Any::Map(_) => "map",
        }
    }

    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Any::Nil | Any::Missing => "<nil>",
            Any::Time(_) => "time.Time",
            Any::List(_) => "[]interface {}",
            Any::Map(_) => "map[string]interface {}",
            other => other.kind(),
        }
    }

    /// As a number of whole units, in the lenient way of Sprig.
    pub(super) fn to_int(&self) -> i64 {
        match self {
            Any::Int(number) => *number,
            Any::Float(number) => *number as i64,
            Any::Bool(flag) => i64::from(*flag),
            Any::Text(text) => text.trim().parse().unwrap_or_else(|_| self.to_float() as i64),
            _ => 0,
        }
    }

    pub(super) fn to_float(&self) -> f64 {
        match self {
            Any::Int(number) => *number as f64,
            Any::Float(number) => *number,
            Any::Bool(flag) => f64::from(u8::from(*flag)),
            Any::Text(text) => text.trim().parse().unwrap_or_default(),
            _ => 0.0,
        }
    }
}
