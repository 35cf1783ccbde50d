//! What a call answers: compact data, and text a person would read beside it.

use std::io;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::activity::shop::Item;
use crate::error::ToolError;

/// The result of a call.
pub type Reply = Result<Output, ToolError>;

/// A successful answer (B-027).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// One JSON object without nulls and empty strings.
    pub data: Map<String, Value>,
    /// Raw Markdown or text, sent unescaped as a second item.
    pub body: Option<String>,
    /// What the puppy was given: its event names it.
    pub gift: Option<Item>,
}

impl Output {
    /// An empty answer.
    pub fn new() -> Output {
        Output::default()
    }

    /// Adds a field; null and empty text are left out.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Output {
        put(&mut self.data, key, value.into());
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, text: String) -> Output {
        self.body = Some(text);
        self
    }
}

/// A part of a call that was not done, or whose result could not be read (B-036).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    id: Option<String>,
    what: Option<&'static str>,
    error: String,
}

impl Failed {
    /// A part that failed with this; what it says about trying again does not hold for the whole call.
    pub fn new(error: ToolError) -> Failed {
        Failed { id: None, what: None, error: error.without_advice().message }
    }

    /// Of which thing.
    #[must_use]
    pub fn id(mut self, id: &str) -> Failed {
        self.id = Some(id.to_owned());
        self
    }

    /// Which part.
    #[must_use]
    pub fn what(mut self, what: &'static str) -> Failed {
        self.what = Some(what);
        self
    }
}

impl From<Failed> for Value {
    fn from(failed: Failed) -> Value {
        let Failed { id, what, error } = failed;
        Value::Object(object([("id", id.into()), ("what", what.into()), ("error", error.into())]))
    }
}

impl Output {
    /// Adds a list; an empty one is left out.
    #[must_use]
    pub fn list<T: Into<Value>>(self, key: &str, items: Vec<T>) -> Output {
        let items = (!items.is_empty()).then(|| Value::Array(items.into_iter().map(Into::into).collect()));
        self.with(key, items)
    }

    /// Adds a word that holds; one that does not is left out.
    #[must_use]
    pub fn flag(self, key: &str, holds: bool) -> Output {
        self.with(key, holds.then_some(true))
    }

    /// Tells what failed, if anything did.
    #[must_use]
    pub fn failed(self, failed: Vec<Failed>) -> Output {
        self.list("failed", failed)
    }

    /// As `failed`, of a call that made one thing and then more about it.
    #[must_use]
    pub fn partly(self, done: &'static str, failed: Vec<Failed>) -> Output {
        let done = if failed.is_empty() { Vec::new() } else { vec![done] };
        self.list("done", done).failed(failed)
    }
}

impl From<Map<String, Value>> for Output {
    fn from(data: Map<String, Value>) -> Output {
        Output { data, ..Output::default() }
    }
}

/// Adds a field unless it says nothing.
pub fn put(map: &mut Map<String, Value>, key: &str, value: Value) {
    let says_nothing = value.is_null() || value.as_str().is_some_and(str::is_empty);
    if !says_nothing {
        map.insert(key.to_owned(), value);
    }
}

/// An object of the fields that say something.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let mut map = Map::new();
    for (key, value) in fields {
        put(&mut map, key, value);
    }
    map
}

/// Characters of a value as compact JSON, counted and not kept.
pub(crate) fn json_chars(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Each character has one byte that continues no other.
            self.0 += bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // What cannot be written has no size; maps of JSON can.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn characters_are_counted_as_they_are_printed() {
        for value in [json!({}), json!({ "a": ["小白菜", 1.5, null] }), json!("\u{1}\"é🐶")] {
            assert_eq!(json_chars(&value), value.to_string().chars().count(), "{value}");
        }
    }
}
