//! Messages in the relay: it reads their envelope only and passes their text on unchanged.

use serde_json::{Value, json};

/// The field in which a message of the newer era names its revision.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The error code for a failure inside the server.
const INTERNAL: i64 = -32_603;

/// One message from the client.
#[derive(Debug)]
pub(super) struct Message {
    /// The original text, on one line.
    pub(super) text: String,
    envelope: Value,
}

impl Message {
    /// Reads a line; `None` if it is not a JSON object.
    pub(super) fn read(line: &str) -> Option<Message> {
        let envelope: Value = serde_json::from_str(line).ok()?;
        envelope.is_object().then(|| Message { text: line.to_owned(), envelope })
    }

    pub(super) fn method(&self) -> Option<&str> {
        self.envelope.get("method")?.as_str()
    }

    /// The id of a request. An answer from the client has an id too, but no method.
    pub(super) fn id(&self) -> Option<&Value> {
        self.envelope.get("id").filter(|it| !it.is_null())
    }

    /// The revision that the message itself names, as in the newer era.
    pub(super) fn version(&self) -> Option<&str> {
        self.envelope.get("params")?.get("_meta")?.get(VERSION)?.as_str()
    }

    /// The name of the requested item, for the header of the newer era.
    pub(super) fn name(&self) -> Option<&str> {
        let params = self.envelope.get("params")?;
        ["name", "uri", "taskId"].iter().find_map(|key| params.get(key)?.as_str())
    }

    /// The id of the request that this message cancels.
    pub(super) fn cancels(&self) -> Option<String> {
        (self.method() == Some("notifications/cancelled")).then_some(())?;
        Some(self.envelope.get("params")?.get("requestId")?.to_string())
    }

    /// The revision that a client asks for in its greeting.
    pub(super) fn asked_version(&self) -> Option<&str> {
        self.envelope.get("params")?.get("protocolVersion")?.as_str()
    }
}

/// Whether a message from the server answers the request with this id.
pub(super) fn answers(text: &str, id: &Value) -> bool {
    let message: Value = serde_json::from_str(text).unwrap_or_default();
    message.get("method").is_none() && message.get("id") == Some(id)
}

/// The revision in the server's answer to a greeting; `None` if the answer is an error.
pub(super) fn greeted_version(text: &str) -> Option<String> {
    let message: Value = serde_json::from_str(text).ok()?;
    Some(message.get("result")?.get("protocolVersion")?.as_str()?.to_owned())
}

/// Whether a text is a message: the client receives nothing else, whatever the server sends.
pub(super) fn is_message(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|it| it.get("jsonrpc").is_some_and(|it| it == "2.0"))
}

/// A message from the server, on one line.
pub(super) fn one_line(text: &str) -> String {
    let text = text.trim();
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    serde_json::from_str::<Value>(text).map(|it| it.to_string()).unwrap_or_default()
}

/// An answer from the relay itself.
pub(super) fn result(id: &Value, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// An error from the relay itself.
pub(super) fn error(id: &Value, message: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": INTERNAL, "message": message } }).to_string()
}

/// The answer to a line that is too long, under the id of its request if known.
pub(super) fn too_long(id: Option<&Value>, most: usize) -> String {
    let error = json!({ "code": -32_600, "message": format!("A message may have at most {most} bytes. Send less at a time.") });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// The answer to a line that is not a message.
pub(super) fn unreadable() -> String {
    let error = json!({ "code": -32_700, "message": "This line is not a JSON-RPC message." });
    json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_parsing_reads_the_envelope_only() {
        let line = r#"{"id":"a","jsonrpc":"2.0","method":"tools/call","params":{"name":"fs","arguments":{"z":1,"a":1.0},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let message = Message::read(line).unwrap();
        assert_eq!(message.text, line);
        assert_eq!((message.method(), message.name()), (Some("tools/call"), Some("fs")));
        assert_eq!((message.id(), message.version()), (Some(&json!("a")), Some("2026-07-28")));
        assert!(Message::read("[]").is_none() && Message::read("{").is_none());
        let cancel = r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#;
        assert_eq!(Message::read(cancel).unwrap().cancels().as_deref(), Some("7"));
    }

    #[test]
    fn answer_is_matched_by_its_id() {
        assert!(answers(r#"{"id":1,"result":{}}"#, &json!(1)));
        assert!(!answers(r#"{"id":1,"method":"elicitation/create"}"#, &json!(1)));
        assert!(!answers(r#"{"id":"1","result":{}}"#, &json!(1)));
        assert_eq!(one_line("{\n \"a\": 1 }\n"), r#"{"a":1}"#);
    }

    /// F20: text that is not a message is not passed on.
    #[test]
    fn text_that_is_not_a_message_is_refused() {
        assert!(is_message(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
        for other in ["", "hello", "{\"jsonrpc\":\"2.0\"", "[]", "{}", r#"{"jsonrpc":"1.0"}"#, "\u{1b}[2J"] {
            assert!(!is_message(other), "{other}");
        }
    }
}
