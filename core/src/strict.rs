//! Strict JSON for the files that decide what agents may do: an object with a doubled key is an error.
//!
//! A parser that keeps the last of two entries would let `{"B": "none", "B": "rwd"}` open a notebook that a person
//! sees closed in their editor; one that keeps the first would do the same the other way round.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses a text; `None` if it is not JSON or any object in it has a doubled key.
pub(crate) fn parse(bytes: &[u8]) -> Option<Value> {
    serde_json::from_slice(bytes).ok().map(|Strict(value)| value)
}

/// Like `parse`, for a file that must contain an object.
///
/// The kernel's envelope for a missing file is an object too, and is rejected.
pub(crate) fn object(bytes: &[u8]) -> Option<Map<String, Value>> {
    match parse(bytes)? {
        Value::Object(map) if !(map.contains_key("code") && map.contains_key("msg")) => Some(map),
        _ => None,
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(Once).map(Strict)
    }
}

/// Accepts any value whose objects have no doubled keys.
struct Once;

impl<'de> Visitor<'de> for Once {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON that names no key twice")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number without end"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some((key, Strict(value))) = fields.next_entry::<String, Strict>()? {
            if all.insert(key, value).is_some() {
                return Err(A::Error::custom("a key named twice"));
            }
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_without_repeated_keys_is_parsed() {
        for value in [json!({ "a": [1, -2, 1.5, "x", null, true], "b": { "a": {} } }), json!([]), json!("x")]
        {
            assert_eq!(parse(value.to_string().as_bytes()), Some(value));
        }
    }

    /// F21: a doubled key, however deep and however written, makes the whole text unreadable.
    #[test]
    fn json_with_a_repeated_key_is_refused() {
        for text in [
            r#"{"B":"none","B":"rwd"}"#,
            r#"{"B":"none","\u0042":"rwd"}"#,
            r#"{"fs":{"actions":{"read":false,"write":true,"read":true}}}"#,
            r#"[{"a":1,"a":1}]"#,
            "{\"a\":1",
            "{} {}",
            "",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(object(br#"{"code":404,"msg":"x","data":null}"#), None);
        assert_eq!(object(b"[]"), None);
    }
}
