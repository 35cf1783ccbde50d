//! The form of a server's tool, made from the JSON Schema of its arguments, and that of a prompt.

use puppy_mcp_client::offer::Prompt;
use serde_json::Value;

use super::super::connection_text::seen;
use super::{Field, Form, Input, Item, LINE};

/// The longest list of limits that is shown.
const LONGEST_LIMITS: usize = 300;
/// Keywords of a schema that limit a value.
const LIMITS: [&str; 10] = [
    "type",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
    "format",
    "default",
];

impl Form {
    /// The form of a tool. What the schema does not say is entered in JSON.
    pub fn of_schema(schema: &Value) -> Form {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
        let properties = schema.get("properties").and_then(Value::as_object);
        let fields = properties.into_iter().flatten().map(|(name, property)| Field {
            name: name.clone(),
            doc: seen(text(property, "description")),
            limits: seen(&limits(property)),
            example: property
                .get("examples")
                .and_then(|it| it.get(0))
                .map(|it| input(property).entry(it))
                .unwrap_or_default(),
            input: input(property),
            is_required: is_required(name),
            level: None,
            group: None,
        });
        Form { fields: fields.collect() }
    }

    /// The form of a prompt, whose arguments are all texts.
    pub fn of_prompt(prompt: &Prompt) -> Form {
        let fields = prompt.arguments.iter().map(|it| Form::line(&it.name, &it.description, it.required));
        Form { fields: fields.collect() }
    }

    /// A field for a line of text.
    pub fn line(name: &str, doc: &str, is_required: bool) -> Field {
        Field {
            name: name.to_owned(),
            doc: seen(doc),
            limits: String::new(),
            example: String::new(),
            input: Input::Line,
            is_required,
            level: None,
            group: None,
        }
    }
}

fn input(property: &Value) -> Input {
    if let Some(words) = words(property) {
        return Input::Choice(words);
    }
    match text(property, "type") {
        "string" => {
            let longest = property.get("maxLength").and_then(Value::as_u64);
            let is_line = longest.is_some_and(|it| it <= LINE as u64) || property.get("format").is_some();
            if is_line { Input::Line } else { Input::Text }
        }
        "integer" | "number" => Input::Number,
        "boolean" => Input::Switch,
        "array" => {
            let item = property.get("items").unwrap_or(&Value::Null);
            match text(item, "type") {
                "string" => Input::List(Item::Text),
                "integer" | "number" => Input::List(Item::Number),
                _ => Input::Json,
            }
        }
        _ => Input::Json,
    }
}

/// The words of an enumeration, if it has only texts.
fn words(property: &Value) -> Option<Vec<String>> {
    let words = property.get("enum")?.as_array()?;
    words.iter().map(|it| Some(it.as_str()?.to_owned())).collect()
}

fn limits(property: &Value) -> String {
    let limits = LIMITS.iter().filter_map(|key| {
        let value = property.get(*key)?;
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some(if *key == "type" { value } else { format!("{key} {value}") })
    });
    limits.collect::<Vec<_>>().join(", ").chars().take(LONGEST_LIMITS).collect()
}

fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of.get(key).and_then(Value::as_str).unwrap_or_default()
}
