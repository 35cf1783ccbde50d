//! Arguments as the kernel reads them, and answers in its envelope.

use axum::body::Bytes;
use serde_json::{Map, Value, json};

/// The result of an endpoint function: the `data` of a successful answer, or a refusal.
pub(crate) type Outcome = Result<Value, Refusal>;

/// An answer as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The header `Content-Type`; empty where there is none.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// An envelope; anything this kernel does not have is HTTP 501, whatever form the endpoint has.
    pub(crate) fn json(status: u16, outcome: Outcome) -> Answer {
        let status = match &outcome {
            Err(refusal) if refusal.code == 501 => 501,
            _ => status,
        };
        let body = envelope(outcome).to_string().into_bytes();
        Answer { status, content_type: "application/json; charset=utf-8".into(), body }
    }

    /// An envelope with rows.
    pub(crate) fn rows(selected: QueryRows) -> Answer {
        let mut envelope = envelope(Ok(selected.rows));
        if let (Some(fields), Some((limit, truncated))) = (envelope.as_object_mut(), selected.limit) {
            fields.insert("limit".to_owned(), json!(limit));
            fields.insert("truncated".to_owned(), json!(truncated));
        }
        let content_type = "application/json; charset=utf-8".to_owned();
        Answer { status: 200, content_type, body: envelope.to_string().into_bytes() }
    }
}

/// The rows of a statement.
#[derive(Debug)]
pub(crate) struct QueryRows {
    pub(crate) rows: Value,
    /// The limit that a statement without one got, else 0, and whether rows were left out; SiYuan tells since 3.8.
    pub(crate) limit: Option<(usize, bool)>,
}

/// A part of a multipart form.
#[derive(Debug)]
pub(crate) struct FormPart {
    pub(crate) name: String,
    pub(crate) file_name: Option<String>,
    pub(crate) bytes: Bytes,
}

impl FormPart {
    /// The form of `/api/file/putFile`.
    pub(crate) fn file(path: &str, bytes: &[u8]) -> Vec<FormPart> {
        let part = |name: &str, file_name: Option<String>, bytes: &[u8]| FormPart {
            name: name.to_owned(),
            file_name,
            bytes: Bytes::copy_from_slice(bytes),
        };
        vec![part("path", None, path.as_bytes()), part("file", Some("file".into()), bytes)]
    }
}

/// An answer whose code is not zero, or whose data is null because the real handler gave up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    pub(crate) msg: String,
    pub(crate) data: Value,
}

impl Refusal {
    /// Code -1 with a message.
    pub(crate) fn new(msg: impl Into<String>) -> Self {
        Refusal { code: -1, msg: msg.into(), data: Value::Null }
    }

    /// Another code with a message.
    pub(crate) fn code(code: i64, msg: impl Into<String>) -> Self {
        Refusal { code, msg: msg.into(), data: Value::Null }
    }

    /// The real handler panicked over a missing or mistyped argument: code 0, data null.
    pub(crate) fn panicked() -> Self {
        Refusal::code(0, "")
    }

    /// The message is shown in the page for this long.
    pub(crate) fn closing_after(self, ms: u64) -> Self {
        Refusal { data: json!({ "closeTimeout": ms }), ..self }
    }

    /// HTTP 501: this kernel does not have that. The real kernel never answers this.
    pub(crate) fn not_here(what: &str) -> Self {
        Refusal::code(501, format!("the demo kernel does not have {what}; see demo-kernel/README.md"))
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Refusal::new(error.to_string())
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Refusal::code(500, error.kind().to_string())
    }
}

/// The envelope of an outcome.
pub(crate) fn envelope(outcome: Outcome) -> Value {
    match outcome {
        Ok(data) => json!({ "code": 0, "msg": "", "data": data }),
        Err(refusal) => json!({ "code": refusal.code, "msg": refusal.msg, "data": refusal.data }),
    }
}

/// A node id; an ill-formed one is refused.
pub(crate) fn node_id(id: &str) -> Result<&str, Refusal> {
    if crate::id::is_node_id(id) { Ok(id) } else { Err(Refusal::new("invalid ID argument")) }
}

/// The JSON object of a request.
///
/// The kernel reads arguments in two ways, and both are kept: `field_*` answers -1 with a message,
/// the others give up with code 0 and null data.
#[derive(Debug, Default, Clone)]
pub(crate) struct Args(pub(crate) Map<String, Value>);

impl Args {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).and_then(Value::as_str).ok_or_else(Refusal::panicked)
    }

    /// An optional text; a value of another type counts as missing.
    pub(crate) fn text_or<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or(default)
    }

    pub(crate) fn int_or(&self, name: &str, default: i64) -> i64 {
        let number = self.get(name);
        number.and_then(|n| n.as_i64().or_else(|| n.as_f64().map(|f| f as i64))).unwrap_or(default)
    }

    pub(crate) fn bool_or(&self, name: &str, default: bool) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(default)
    }

    pub(crate) fn list(&self, name: &str) -> Result<&Vec<Value>, Refusal> {
        self.get(name).and_then(Value::as_array).ok_or_else(Refusal::panicked)
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Vec<&str>, Refusal> {
        self.list(name)?.iter().map(|v| v.as_str().ok_or_else(Refusal::panicked)).collect()
    }

    /// A node id; an ill-formed one is refused.
    pub(crate) fn id(&self, name: &str) -> Result<&str, Refusal> {
        node_id(self.text(name)?)
    }

    /// A required text; the refusal names a missing one.
    pub(crate) fn field_text(&self, name: &str) -> Result<&str, Refusal> {
        let value = self.get(name).ok_or_else(|| Refusal::new(format!("Field [{name}] is required")))?;
        value.as_str().ok_or_else(|| Refusal::new(format!("Field [{name}] should be of type [String]")))
    }

    /// A required text; the refusal names a missing or empty one.
    pub(crate) fn field_filled(&self, name: &str) -> Result<&str, Refusal> {
        let text = self.field_text(name)?;
        if text.trim().is_empty() {
            Err(Refusal::new(format!("Field [{name}] must not be empty")))
        } else {
            Ok(text)
        }
    }
}

/// The arguments of a request body, or the kernel's message for an unreadable body.
pub(crate) fn parse_args(path: &str, body: &[u8]) -> Result<Args, Refusal> {
    let fail = |why: String| Refusal::new(format!("Parses request [{path}] failed: {why}"));
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(fail("the request body is empty or truncated (EOF)".into()));
    }
    // The kernel ignores everything after the first value.
    let first = serde_json::Deserializer::from_slice(body).into_iter::<Value>().next();
    match first.unwrap_or(Ok(Value::Null)) {
        Ok(Value::Object(map)) => Ok(Args(map)),
        Ok(Value::Null) => Ok(Args::default()),
        Ok(other) => {
            let kind = match other {
                Value::Array(_) => "array",
                Value::String(_) => "string",
                Value::Bool(_) => "bool",
                _ => "number",
            };
            Err(fail(format!(
                "json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"
            )))
        }
        Err(error) => Err(fail(syntax_error(body, &error))),
    }
}

/// The complaint of Go's JSON reader about the byte where ours stopped.
fn syntax_error(body: &[u8], error: &serde_json::Error) -> String {
    let before: usize = body.split_inclusive(|b| *b == b'\n').take(error.line() - 1).map(<[u8]>::len).sum();
    let at = before + error.column().saturating_sub(1);
    let Some(byte) = body.get(at).filter(|_| !error.is_eof()) else {
        return "unexpected EOF".into();
    };
    let before = body.get(..at).unwrap_or_default();
    let shown = match byte {
        b'\'' => "\\'".to_owned(),
        0..=31 => format!("\\x{byte:02x}"),
        _ => char::from(*byte).to_string(),
    };
    // A word that begins like one of JSON's three literals.
    for word in ["null", "true", "false"] {
        let known =
            (1..word.len()).rev().find(|n| word.get(..*n).is_some_and(|w| before.ends_with(w.as_bytes())));
        if let Some(wanted) = known.and_then(|n| word.as_bytes().get(n)) {
            return format!(
                "invalid character '{shown}' in literal {word} (expecting '{}')",
                char::from(*wanted)
            );
        }
    }
    let last = before.iter().rev().find(|b| !b.is_ascii_whitespace());
    let looking = match last {
        Some(b'{' | b',') => "beginning of object key string",
        _ => "beginning of value",
    };
    format!("invalid character '{shown}' looking for {looking}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(body: &str) -> String {
        parse_args("/api/x", body.as_bytes()).unwrap_err().msg.split_once("failed: ").unwrap().1.to_owned()
    }

    #[test]
    fn non_object_bodies_are_named_like_in_the_kernel() {
        assert_eq!(
            complaint("{not json"),
            "invalid character 'n' looking for beginning of object key string"
        );
        assert_eq!(complaint("\u{feff}{}"), "invalid character 'ï' looking for beginning of value");
        assert_eq!(complaint(""), "the request body is empty or truncated (EOF)");
        assert_eq!(
            complaint("[1]"),
            "json: cannot unmarshal array into Go value of type map[string]interface {}"
        );
        assert!(parse_args("/api/x", b"null").is_ok());
    }

    #[test]
    fn missing_argument_is_named_or_answered_with_null() {
        let args = parse_args("/api/x", br#"{"a": 7, "b": null, "c": ""}"#).unwrap();
        assert_eq!(args.field_text("a").unwrap_err().msg, "Field [a] should be of type [String]");
        assert_eq!(args.field_text("b").unwrap_err().msg, "Field [b] is required");
        assert_eq!(args.field_filled("c").unwrap_err().msg, "Field [c] must not be empty");
        assert_eq!(envelope(args.text("a").map(Value::from)), json!({"code": 0, "msg": "", "data": null}));
    }

    #[test]
    fn envelope_has_three_keys() {
        assert_eq!(envelope(Ok(json!([1]))), json!({"code": 0, "msg": "", "data": [1]}));
        let refused = Refusal::new("no").closing_after(7000);
        assert_eq!(envelope(Err(refused)), json!({"code": -1, "msg": "no", "data": {"closeTimeout": 7000}}));
    }
}
