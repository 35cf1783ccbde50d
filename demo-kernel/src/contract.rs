//! The API contract of a kernel version as data: request fields and reply keys per endpoint.
//!
//! The data lies in `contract/siyuan-3.8/*.json`; the README beside it names the sources. SiYuan 3.7.3 has no such
//! contract and accepts almost anything. Since 3.8.4 requests are decoded strictly; [`Contract::check`] does the same.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The contract of SiYuan 3.8, one file per API area.
const SIYUAN_3_8: [&str; 26] = [
    include_str!("../contract/siyuan-3.8/ai.json"),
    include_str!("../contract/siyuan-3.8/asset.json"),
    include_str!("../contract/siyuan-3.8/attr.json"),
    include_str!("../contract/siyuan-3.8/av.json"),
    include_str!("../contract/siyuan-3.8/block.json"),
    include_str!("../contract/siyuan-3.8/bookmark.json"),
    include_str!("../contract/siyuan-3.8/export.json"),
    include_str!("../contract/siyuan-3.8/file.json"),
    include_str!("../contract/siyuan-3.8/filetree.json"),
    include_str!("../contract/siyuan-3.8/history.json"),
    include_str!("../contract/siyuan-3.8/notebook.json"),
    include_str!("../contract/siyuan-3.8/notification.json"),
    include_str!("../contract/siyuan-3.8/outline.json"),
    include_str!("../contract/siyuan-3.8/query.json"),
    include_str!("../contract/siyuan-3.8/ref.json"),
    include_str!("../contract/siyuan-3.8/repo.json"),
    include_str!("../contract/siyuan-3.8/riff.json"),
    include_str!("../contract/siyuan-3.8/search.json"),
    include_str!("../contract/siyuan-3.8/setting.json"),
    include_str!("../contract/siyuan-3.8/sqlite.json"),
    include_str!("../contract/siyuan-3.8/sync.json"),
    include_str!("../contract/siyuan-3.8/system.json"),
    include_str!("../contract/siyuan-3.8/tag.json"),
    include_str!("../contract/siyuan-3.8/template.json"),
    include_str!("../contract/siyuan-3.8/transactions.json"),
    include_str!("../contract/siyuan-3.8/ui.json"),
];

/// The text in example replies: an ID, because many reply types require one.
const TEXT: &str = "20250101000000-example";

/// The nesting depth of example replies; some shapes contain themselves.
const DEPTH: usize = 6;

/// The fields of an object, by name.
pub type Fields = BTreeMap<String, Field>;

/// The contract of one kernel version.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The endpoints, by path.
    pub endpoints: BTreeMap<String, EndpointContract>,
    /// The object types used by requests and replies, by name.
    #[serde(default)]
    pub shapes: BTreeMap<String, Fields>,
}

/// An endpoint.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointContract {
    /// The form of the request body.
    #[serde(default)]
    pub body: Body,
    /// The callers that are allowed.
    pub access: Access,
    /// Whether a read-only kernel refuses the call.
    #[serde(default)]
    pub refused_when_readonly: bool,
    /// The fields of the request.
    pub request: Fields,
    /// The type of `data`; `None` when the reply is not a JSON envelope.
    pub reply: Option<Type>,
    /// Whether `data` may be null although the code is 0.
    #[serde(default)]
    pub reply_nullable: bool,
    /// Envelope fields other than `code`, `msg` and `data`.
    #[serde(default)]
    pub beside: Fields,
    /// Failure codes other than -1.
    #[serde(default)]
    pub codes: Vec<i64>,
    /// A remark on behavior the fields cannot express.
    #[serde(default)]
    pub note: String,
    /// The sources, by their names in the README.
    pub from: Vec<String>,
}

/// The form of a request body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A JSON object.
    #[default]
    Json,
    /// A JSON object; any other body counts as an empty object.
    OptionalJson,
    /// The body is ignored.
    None,
    /// A form whose values are strings.
    Form,
    /// A multipart form.
    Multipart,
}

/// The callers an endpoint accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everyone.
    Public,
    /// Every authenticated caller, including readers of published notes.
    SignedIn,
    /// Administrators only. The API token is one; readers of published notes are not.
    Admin,
}

/// A field of a request or reply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The type of the value.
    #[serde(rename = "type")]
    pub kind: Type,
    /// Whether the field may be missing.
    #[serde(default)]
    pub optional: bool,
    /// Whether the value may be null.
    #[serde(default)]
    pub nullable: bool,
    /// Whether a blank string is refused.
    #[serde(default)]
    pub filled: bool,
    /// Whether a value of another type is ignored instead of refused.
    #[serde(default)]
    pub lenient: bool,
    /// The allowed strings; empty means any.
    #[serde(default)]
    pub words: Vec<String>,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Flag,
    /// A file in a form.
    File,
    /// Always null.
    Null,
    /// Any value, including null.
    Any,
    /// An array.
    List(Box<Type>),
    /// An object with arbitrary keys.
    Map(Box<Type>),
    /// An object of the shape with this name.
    Shape(String),
    /// A value or null.
    OrNull(Box<Type>),
}

/// Whether a part of a form is a file.
fn is_file(kind: &Type) -> bool {
    match kind {
        Type::File => true,
        Type::List(kind) => is_file(kind),
        _ => false,
    }
}

impl Contract {
    /// Loads the contract of SiYuan 3.8.
    ///
    /// # Errors
    /// A data file cannot be parsed; the tests rule this out.
    pub fn siyuan_3_8() -> Result<Contract, serde_json::Error> {
        let mut all = Contract::default();
        for area in SIYUAN_3_8 {
            let Contract { mut endpoints, mut shapes } = serde_json::from_str(area)?;
            all.endpoints.append(&mut endpoints);
            all.shapes.append(&mut shapes);
        }
        Ok(all)
    }

    /// Checks a JSON request the way the kernel decodes it. Unknown fields are ignored.
    ///
    /// # Errors
    /// The first refused field, as the message of code -1.
    pub fn check(&self, path: &str, body: &Value) -> Result<(), String> {
        let endpoint = self.endpoints.get(path).ok_or_else(|| format!("{path} is not in the contract"))?;
        match (endpoint.body, body) {
            (Body::None, _) => Ok(()),
            (Body::OptionalJson, other) if !other.is_object() => Ok(()),
            (Body::Form | Body::Multipart, _) => Err("the body is no form".to_owned()),
            (_, Value::Object(body)) => self.check_fields(&endpoint.request, body),
            _ => Err("the body is no object".to_owned()),
        }
    }

    /// Checks a form: `parts` are the names of its parts, each with whether the part is a file. The kernel looks for
    /// texts and files apart, so a part of the other kind counts as missing. Unknown parts are ignored.
    ///
    /// # Errors
    /// The first part that is missing, or that would be ignored because it is of the other kind.
    pub fn check_form(&self, path: &str, parts: &[(&str, bool)]) -> Result<(), String> {
        let endpoint = self.endpoints.get(path).ok_or_else(|| format!("{path} is not in the contract"))?;
        if !matches!(endpoint.body, Body::Form | Body::Multipart) {
            return Err("the body is a form".to_owned());
        }
        endpoint.request.iter().try_for_each(|(name, field)| {
            let wants_file = is_file(&field.kind);
            let mut given = parts.iter().filter(|(part, _)| part == name).map(|(_, is_file)| *is_file);
            match given.next() {
                None if field.optional => Ok(()),
                None => Err(format!("Field [{name}] is required")),
                Some(is_file) if is_file == wants_file => Ok(()),
                Some(true) => Err(format!("Field [{name}] is a file")),
                Some(false) => Err(format!("Field [{name}] is no file")),
            }
        })
    }

    fn check_fields(&self, fields: &Fields, object: &Map<String, Value>) -> Result<(), String> {
        fields.iter().try_for_each(|(name, field)| self.check_field(name, field, object.get(name)))
    }

    fn check_field(&self, name: &str, field: &Field, value: Option<&Value>) -> Result<(), String> {
        let text = match value {
            None if field.optional => return Ok(()),
            None => return Err(format!("Field [{name}] is required")),
            Some(Value::Null) if field.nullable || field.kind == Type::Any => "",
            Some(Value::Null) => return Err(format!("Field [{name}] must not be null")),
            Some(value) => match self.check_type(&field.kind, value) {
                Err(_) if field.lenient => return Ok(()),
                Err(why) => return Err(format!("Field [{name}] has an invalid type: {why}")),
                Ok(()) => value.as_str().unwrap_or_default(),
            },
        };
        if field.filled && text.trim().is_empty() {
            return Err(format!("Field [{name}] must not be empty"));
        }
        if !field.words.is_empty() && !field.words.iter().any(|it| it == text) {
            return Err(format!("Field [{name}] has an invalid value"));
        }
        Ok(())
    }

    /// Checks a value; the messages are the kernel's, but for the words of Go's JSON reader.
    fn check_type(&self, kind: &Type, value: &Value) -> Result<(), String> {
        match (kind, value) {
            (Type::Any, _)
            | (Type::Text, Value::String(_))
            | (Type::Number, Value::Number(_))
            | (Type::Flag, Value::Bool(_))
            | (Type::Null | Type::OrNull(_), Value::Null) => Ok(()),
            (_, Value::Null) => Err("value must not be null".to_owned()),
            (Type::OrNull(kind), value) => self.check_type(kind, value),
            (Type::List(kind), Value::Array(items)) => items.iter().enumerate().try_for_each(|(at, it)| {
                self.check_type(kind, it).map_err(|why| format!("element [{at}]: {why}"))
            }),
            (Type::Map(kind), Value::Object(entries)) => entries.iter().try_for_each(|(key, it)| {
                self.check_type(kind, it).map_err(|why| format!("entry [{key}]: {why}"))
            }),
            (Type::Shape(name), Value::Object(object)) => {
                let fields = self.shapes.get(name).ok_or_else(|| format!("no shape {name}"))?;
                self.check_fields(fields, object)
            }
            _ => Err(format!("{value} is not {kind:?}")),
        }
    }

    /// Checks the `data` of a successful reply.
    ///
    /// # Errors
    /// The first field that does not match.
    pub fn check_reply(&self, path: &str, data: &Value) -> Result<(), String> {
        let endpoint = self.endpoints.get(path).ok_or_else(|| format!("{path} is not in the contract"))?;
        match &endpoint.reply {
            Some(_) if data.is_null() && endpoint.reply_nullable => Ok(()),
            Some(kind) => self.check_type(kind, data),
            None => Ok(()),
        }
    }

    /// Builds an example of `data`. With `full`, every field is present and every list has one entry; without it,
    /// optional fields are left out, nullable ones are null and lists are empty.
    #[must_use]
    pub fn reply(&self, path: &str, full: bool) -> Option<Value> {
        let endpoint = self.endpoints.get(path)?;
        Some(self.example(endpoint.reply.as_ref()?, full, DEPTH))
    }

    /// Builds an example of a type; `depth` is the nesting depth that remains.
    fn example(&self, kind: &Type, full: bool, depth: usize) -> Value {
        match kind {
            Type::Text | Type::Any => Value::from(TEXT),
            Type::Number => Value::from(1),
            Type::Flag => Value::from(true),
            Type::File | Type::Null => Value::Null,
            Type::OrNull(_) if !full || depth == 0 => Value::Null,
            Type::OrNull(kind) => self.example(kind, full, depth),
            Type::List(_) if !full || depth == 0 => Value::Array(Vec::new()),
            Type::List(kind) => Value::Array(vec![self.example(kind, full, depth)]),
            Type::Map(_) if !full || depth == 0 => Value::Object(Map::new()),
            Type::Map(kind) => {
                Value::Object(Map::from_iter([(TEXT.to_owned(), self.example(kind, full, depth))]))
            }
            Type::Shape(name) => {
                let fields = self.shapes.get(name).into_iter().flatten();
                let given = fields.filter(|(_, field)| full && depth > 0 || !field.optional);
                let value = |field: &Field| match field.words.first() {
                    _ if field.nullable && (!full || depth == 0) => Value::Null,
                    Some(word) => Value::from(word.as_str()),
                    None => self.example(&field.kind, full, depth.saturating_sub(1)),
                };
                Value::Object(given.map(|(name, field)| (name.clone(), value(field))).collect())
            }
        }
    }
}
