//! Prompts: filled with arguments, and the completion of an argument.

use serde_json::{Map, Value, json};

use super::{Connection, Inner};
use crate::content::{Piece, pieces};
use crate::failure::Failure;
use crate::greeting::object;
use crate::wire::Ask;

/// A prompt filled with arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptText {
    /// The description.
    pub description: String,
    /// The messages, in order.
    pub messages: Vec<PromptMessage>,
    /// The message of the protocol as it came.
    pub raw: String,
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptMessage {
    /// The speaker, such as `user`.
    pub role: String,
    /// The content.
    pub pieces: Vec<Piece>,
}

/// The owner of an argument that is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose<'a> {
    /// A prompt, by its name.
    Prompt(&'a str),
    /// A template, by its text.
    Template(&'a str),
}

/// The values that an argument may have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The values, best first.
    pub values: Vec<String>,
    /// Whether there are more.
    pub has_more: bool,
}

impl Connection {
    /// Fills a prompt.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub async fn prompt(&self, name: &str, arguments: &[(String, String)]) -> Result<PromptText, Failure> {
        let _running = self.0.running.read().await;
        let params = object([("name", name.into()), ("arguments", texts(arguments).into())]);
        let answer = self.0.ask(&Ask::new("prompts/get", params)).await?;
        let messages = answer.result.get("messages").and_then(Value::as_array);
        let messages =
            messages.ok_or_else(|| Failure::Unreadable("prompts/get without `messages`.".to_owned()))?;
        let said = |message: &Value| PromptMessage {
            role: message.get("role").and_then(Value::as_str).unwrap_or_default().to_owned(),
            pieces: pieces(message.get("content").unwrap_or(&Value::Null)),
        };
        Ok(PromptText {
            description: answer
                .result
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            messages: messages.iter().map(said).collect(),
            raw: answer.raw,
        })
    }

    /// Completes an argument, given those that are already filled in. A server without completion has no values.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub async fn complete(
        &self,
        whose: Whose<'_>,
        argument: &str,
        value: &str,
        others: &[(String, String)],
    ) -> Result<Completion, Failure> {
        let _running = self.0.running.read().await;
        if !self.0.completes() {
            return Ok(Completion::default());
        }
        let of = match whose {
            Whose::Prompt(name) => json!({ "type": "ref/prompt", "name": name }),
            Whose::Template(uri) => json!({ "type": "ref/resource", "uri": uri }),
        };
        let mut params = object([("ref", of), ("argument", json!({ "name": argument, "value": value }))]);
        if !others.is_empty() {
            params.insert("context".to_owned(), json!({ "arguments": texts(others) }));
        }
        let answer = self.0.ask(&Ask::new("completion/complete", params)).await?;
        let found = answer.result.get("completion").unwrap_or(&Value::Null);
        let values = found.get("values").and_then(Value::as_array).into_iter().flatten();
        Ok(Completion {
            values: values.filter_map(|it| Some(it.as_str()?.to_owned())).collect(),
            has_more: found.get("hasMore") == Some(&Value::Bool(true)),
        })
    }
}

impl Inner {
    fn completes(&self) -> bool {
        self.now.borrow().greeting.as_ref().is_some_and(crate::greeting::Greeting::completes)
    }
}

fn texts(arguments: &[(String, String)]) -> Map<String, Value> {
    arguments.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
}
