//! The answer of a call: compact data, and text that a person would read beside it.

use std::io;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::ToolError;

/// The result of a call.
pub type Reply = Result<Output, ToolError>;

/// Whether a part of the call failed while others were done.
pub fn is_partial(reply: &Reply) -> bool {
    reply.as_ref().is_ok_and(|it| it.data.contains_key(FAILED))
}

/// The key of the parts that failed.
const FAILED: &str = "failed";

/// A successful answer (B-027).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// One JSON object without nulls and empty strings.
    pub data: Map<String, Value>,
    /// Raw Markdown or text, sent unescaped as a second item.
    pub body: Option<String>,
    /// Pictures, sent as items of their own.
    pub pictures: Vec<Picture>,
    /// Whether it holds the person's words and no text of notes.
    pub is_own: bool,
}

/// A picture that a model looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its MIME type.
    pub mime: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Output {
    /// An empty answer.
    pub fn new() -> Output {
        Output::default()
    }

    /// The answer about one thing, which is its item, or about several, which is the list `items`.
    pub fn of_items(mut items: Vec<Map<String, Value>>, is_one: bool) -> Output {
        match items.pop() {
            Some(item) if is_one => Output::from(item),
            last => Output::new().list("items", items.into_iter().chain(last).map(Value::Object).collect()),
        }
    }

    /// Adds a field; null and empty text are left out.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Output {
        put(&mut self.data, key, value.into());
        self
    }

    /// Marks it as the person's words, which are no text of notes.
    #[must_use]
    pub fn own(mut self) -> Output {
        self.is_own = true;
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, text: String) -> Output {
        self.body = Some(text);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn picture(mut self, mime: &'static str, bytes: Vec<u8>) -> Output {
        self.pictures.push(Picture { mime, bytes });
        self
    }
}

/// A part of a call that failed, or whose result could not be read (B-036).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    id: Option<String>,
    what: Option<&'static str>,
    error: String,
}

impl Failed {
    /// A part that failed with this error, without its advice to retry, which does not apply to the whole call.
    pub fn new(error: ToolError) -> Failed {
        Failed { id: None, what: None, error: error.without_advice().message }
    }

    /// Sets the id of the thing concerned.
    #[must_use]
    pub fn id(mut self, id: &str) -> Failed {
        self.id = Some(id.to_owned());
        self
    }

    /// Sets the name of the part.
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
    /// Adds a list; an empty list is left out.
    #[must_use]
    pub fn list<T: Into<Value>>(self, key: &str, items: Vec<T>) -> Output {
        let items = (!items.is_empty()).then(|| Value::Array(items.into_iter().map(Into::into).collect()));
        self.with(key, items)
    }

    /// Adds a boolean that is true; one that is false is left out.
    #[must_use]
    pub fn flag(self, key: &str, holds: bool) -> Output {
        self.with(key, holds.then_some(true))
    }

    /// Adds the failed parts, if any.
    #[must_use]
    pub fn failed(self, failed: Vec<Failed>) -> Output {
        self.list(FAILED, failed)
    }

    /// Like `failed`, for a call that created one thing and then failed to complete it.
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

/// Adds a field unless its value is empty.
pub fn put(map: &mut Map<String, Value>, key: &str, value: Value) {
    let says_nothing = value.is_null() || value.as_str().is_some_and(str::is_empty);
    if !says_nothing {
        map.insert(key.to_owned(), value);
    }
}

/// An object of the fields with a value that is not empty.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let mut map = Map::new();
    for (key, value) in fields {
        put(&mut map, key, value);
    }
    map
}

/// The number of characters of a value as compact JSON, counted without keeping the text.
pub(crate) fn json_chars(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Each character has exactly one byte that is not a continuation.
            self.0 += bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // A value that cannot be serialized has no size; maps of JSON always can.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_size_equals_printed_characters() {
        for value in [json!({}), json!({ "a": ["小白菜", 1.5, null] }), json!("\u{1}\"é🐶")] {
            assert_eq!(json_chars(&value), value.to_string().chars().count(), "{value}");
        }
    }
}
