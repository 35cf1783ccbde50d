//! The answer of a call that a person tried: its content, its data, and its size, wherever the call ran.

use puppy_core::activity::analytics::approx_tokens;
use puppy_mcp_client::connection::ToolAnswer;
use puppy_mcp_client::content::{Piece, pieces};
use puppy_ui_web::state::reply;
use serde_json::Value;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether the call failed.
    pub is_error: bool,
    /// The content, in order.
    pub pieces: Vec<Piece>,
    /// The data, for the tree.
    pub data: Value,
    /// The message, as it was sent or would be sent to a client.
    pub raw: String,
    /// The time that it took, in milliseconds.
    pub took_ms: u64,
}

impl Answer {
    /// The answer of a server's tool.
    pub fn of_called(called: ToolAnswer) -> Answer {
        let ToolAnswer { is_error, pieces, structured, raw, took_ms } = called;
        let first = pieces.iter().find_map(|it| match it {
            Piece::Text(text) => {
                serde_json::from_str(text).ok().filter(|it: &Value| it.is_object() || it.is_array())
            }
            _ => None,
        });
        let message: Option<Value> = serde_json::from_str(&raw).ok();
        let raw = message.as_ref().map_or(raw, pretty);
        let data = structured.or(first).or(message).unwrap_or_default();
        Answer { is_error, pieces, data, raw, took_ms }
    }

    /// The text that a model or a clipboard gets.
    pub fn text(&self) -> String {
        self.pieces.iter().map(Piece::as_text).collect::<Vec<_>>().join("\n\n")
    }

    /// Bytes of the texts.
    pub fn bytes(&self) -> usize {
        self.texts().map(str::len).sum()
    }

    /// The estimated tokens of the texts.
    pub fn tokens(&self) -> usize {
        approx_tokens(self.texts().map(|it| it.chars().count()).sum())
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|it| match it {
            Piece::Text(text) | Piece::Document { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }
}

/// The end of a call in the page. The module that runs it tells it as text.
#[derive(Debug, Clone, PartialEq)]
pub enum PageCallResult {
    /// There is an answer, be it an error.
    Answered(Answer),
    /// A person stopped it.
    Stopped,
}

impl PageCallResult {
    /// Reads the text; `None` for any other.
    pub fn parse(text: &str) -> Option<PageCallResult> {
        let value: Value = serde_json::from_str(text).ok()?;
        let Some(message) = value.get("message") else {
            return (text == reply::STOPPED).then_some(PageCallResult::Stopped);
        };
        Some(PageCallResult::Answered(Answer {
            is_error: message.get("isError") == Some(&Value::Bool(true)),
            pieces: pieces(message.get("content")?),
            data: value.get("data").cloned().unwrap_or_default(),
            raw: pretty(message),
            took_ms: value.get("took_ms").and_then(Value::as_u64).unwrap_or_default(),
        }))
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use puppy_core::error::ToolError;
    use puppy_core::output::Output;
    use serde_json::json;

    use super::*;

    /// Four bytes, which are base64 whatever they are of.
    fn encoded(bytes: &[u8]) -> String {
        format!("AAA{}", bytes.len())
    }

    #[test]
    fn a_stopped_call_has_no_answer() {
        assert_eq!(PageCallResult::parse(reply::STOPPED), Some(PageCallResult::Stopped));
        assert_eq!((PageCallResult::parse(""), PageCallResult::parse("{\"n\":1}")), (None, None));
    }

    #[test]
    fn a_reply_is_told_as_a_client_gets_it() {
        let output =
            Output::new().with("n", 7).own().body("Grüße".to_owned()).picture("image/png", vec![1, 2]);
        let Some(PageCallResult::Answered(answer)) =
            PageCallResult::parse(&reply::to_text(&Ok(output), 3, encoded))
        else {
            panic!()
        };
        assert_eq!(answer.text(), "{\"n\":7}\n\nGrüße\n\n[image/png]");
        // A picture is neither bytes nor tokens of text.
        assert_eq!((answer.bytes(), answer.tokens(), answer.is_error), (7 + 7, 3, false));
        let raw: Value = serde_json::from_str(&answer.raw).unwrap();
        assert_eq!(raw["content"][2], json!({ "type": "image", "mimeType": "image/png", "data": "AAA2" }));
        assert_eq!(answer.data["n"], 7);
    }

    #[test]
    fn a_failure_is_an_answer_with_its_error() {
        let text = reply::to_text(&Err(ToolError::not_found()), 3, encoded);
        let Some(PageCallResult::Answered(answer)) = PageCallResult::parse(&text) else { panic!() };
        assert!(answer.is_error);
        assert_eq!(answer.data["error"]["type"], "not_found");
    }

    #[test]
    fn the_tree_of_a_tools_answer_is_its_data() {
        let called = |pieces, structured| ToolAnswer {
            is_error: false,
            pieces,
            structured,
            raw: "{\"id\":1}".into(),
            took_ms: 1,
        };
        let of = |pieces, structured| Answer::of_called(called(pieces, structured)).data;
        let text = || vec![Piece::Text("hello".into()), Piece::Text("{\"a\":1}".into())];
        assert_eq!(of(text(), None), json!({ "a": 1 }));
        assert_eq!(of(text(), Some(json!([2]))), json!([2]));
        assert_eq!(of(vec![Piece::Text("7".into())], None), json!({ "id": 1 }));
    }
}
