//! The text format in which the module of the actions returns the end of a call.

use puppy_core::output::Reply;
use puppy_core::render::result::{self, Audience};
use serde_json::{Value, json};

/// The text of a call that was stopped.
pub const STOPPED: &str = "{}";

/// The text of an answer, with the message that a client would get; `encoded` writes bytes in base64.
pub fn to_text(reply: &Reply, took_ms: u64, encoded: impl Fn(&[u8]) -> String) -> String {
    let text = |text: String| json!({ "type": "text", "text": text });
    let (content, data) = match reply {
        Ok(output) => {
            let pictures = output
                .pictures
                .iter()
                .map(|it| json!({ "type": "image", "mimeType": it.mime, "data": encoded(&it.bytes) }));
            let content = result::texts(output).into_iter().map(text).chain(pictures).collect::<Vec<_>>();
            (content, Value::Object(output.data.clone()))
        }
        Err(error) => {
            let content = result::error(error, Audience::Model);
            (vec![text(content.to_string())], content)
        }
    };
    let message = json!({ "content": content, "isError": reply.is_err() });
    json!({ "message": message, "data": data, "took_ms": took_ms }).to_string()
}
