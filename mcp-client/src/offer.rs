//! The things that a server lists: tools, prompts, resources and templates.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::{Header, sendable};

/// A list of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    Tools,
    Prompts,
    Resources,
    /// Templates of resources' addresses.
    Templates,
}

impl List {
    pub const ALL: [List; 4] = [List::Tools, List::Prompts, List::Resources, List::Templates];

    /// The method that lists, and the field of its result.
    pub(crate) const fn method(self) -> (&'static str, &'static str) {
        match self {
            List::Tools => ("tools/list", "tools"),
            List::Prompts => ("prompts/list", "prompts"),
            List::Resources => ("resources/list", "resources"),
            List::Templates => ("resources/templates/list", "resourceTemplates"),
        }
    }

    /// The capability of servers that have the list.
    pub(crate) const fn capability(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Prompts => "prompts",
            List::Resources | List::Templates => "resources",
        }
    }

    /// The lists that a notification calls changed.
    pub(crate) fn changed(method: &str) -> &'static [List] {
        match method {
            "notifications/tools/list_changed" => &[List::Tools],
            "notifications/prompts/list_changed" => &[List::Prompts],
            "notifications/resources/list_changed" => &[List::Resources, List::Templates],
            _ => &[],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// The name in calls.
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    /// The description for models.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of the arguments.
    #[serde(default)]
    pub input_schema: Value,
    /// The hints about effects.
    #[serde(default)]
    pub annotations: Value,
}

impl Tool {
    /// The headers that repeat arguments, for those that the schema marks with `x-mcp-header`.
    pub(crate) fn headers(&self, arguments: &Map<String, Value>) -> Vec<Header> {
        let mut found = Vec::new();
        mirrored(&self.input_schema, arguments, &mut found);
        found
    }
}

fn mirrored(schema: &Value, values: &Map<String, Value>, found: &mut Vec<Header>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let Some(value) = values.get(name) else { continue };
        let header = property.get("x-mcp-header").and_then(Value::as_str).filter(|it| is_token(it));
        if let Some(header) = header {
            let text = match value {
                Value::String(text) => Some(text.clone()),
                Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
                _ => None,
            };
            let name = format!("mcp-param-{}", header.to_ascii_lowercase());
            found.extend(text.map(|text| (name, sendable(&text))));
        }
        if let Some(values) = value.as_object() {
            mirrored(property, values, found);
        }
    }
}

/// Whether a word may be a part of a header's name.
fn is_token(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&it))
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Prompt {
    /// The name in requests.
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    /// The arguments, in the order of the form.
    #[serde(default)]
    pub arguments: Vec<PromptArgument>,
}

/// An argument of a prompt; its value is a text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PromptArgument {
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    /// Whether the prompt needs it.
    #[serde(default)]
    pub required: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The address.
    pub uri: String,
    #[serde(default)]
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    /// The media type.
    #[serde(default)]
    pub mime_type: Option<String>,
}

/// A template of resources' addresses.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// The template, as in RFC 6570.
    pub uri_template: String,
    #[serde(default)]
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    /// The media type.
    #[serde(default)]
    pub mime_type: Option<String>,
}

/// Everything that a server lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Offer {
    /// The tools, in the server's order.
    pub tools: Vec<Tool>,
    pub prompts: Vec<Prompt>,
    pub resources: Vec<Resource>,
    pub templates: Vec<Template>,
}

impl Offer {
    /// Replaces a list by the items that came; those without the least that they need are left out.
    pub(crate) fn set(&mut self, list: List, items: Vec<Value>) {
        match list {
            List::Tools => self.tools = read(items),
            List::Prompts => self.prompts = read(items),
            List::Resources => self.resources = read(items),
            List::Templates => self.templates = read(items),
        }
    }
}

fn read<T: DeserializeOwned>(items: Vec<Value>) -> Vec<T> {
    items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn items_are_read_and_broken_ones_are_left_out() {
        let mut offer = Offer::default();
        offer.set(
            List::Tools,
            vec![json!({ "name": "a", "inputSchema": { "type": "object" } }), json!({}), json!(7)],
        );
        assert_eq!(offer.tools.len(), 1);
        assert_eq!(offer.tools[0].input_schema["type"], "object");
        offer.set(
            List::Prompts,
            vec![json!({ "name": "p", "arguments": [{ "name": "who", "required": true }] })],
        );
        assert!(offer.prompts[0].arguments[0].required);
        offer.set(List::Templates, vec![json!({ "uriTemplate": "x://{id}", "mimeType": "text/plain" })]);
        assert_eq!(offer.templates[0].mime_type.as_deref(), Some("text/plain"));
    }

    #[test]
    fn arguments_that_a_schema_marks_are_repeated_as_headers() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "odd": { "x-mcp-header": "not a token" },
            "deep": { "properties": { "n": { "x-mcp-header": "N" } } },
            "absent": { "x-mcp-header": "Absent" },
        } });
        let tool: Tool = serde_json::from_value(json!({ "name": "t", "inputSchema": schema })).unwrap();
        let Value::Object(arguments) = json!({ "region": "Köln", "odd": 1, "deep": { "n": 7 } }) else {
            panic!()
        };
        let expected = [("mcp-param-region", "=?base64?S8O2bG4=?="), ("mcp-param-n", "7")];
        assert_eq!(
            tool.headers(&arguments),
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }
}
