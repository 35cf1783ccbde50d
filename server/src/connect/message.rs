//! Messages as the bridge sees them: only their envelope is read, their text is passed on as it came.

use serde_json::{Value, json};

/// Where a message of the newer era says which revision it speaks.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The error code of a server that cannot do what it should.
const INTERNAL: i64 = -32_603;

/// One message of the client.
#[derive(Debug)]
pub(super) struct Message {
    /// As it came, on one line.
    pub(super) text: String,
    envelope: Value,
}

impl Message {
    /// Reads a line; `None` when it is no JSON object.
    pub(super) fn read(line: &str) -> Option<Message> {
        let envelope: Value = serde_json::from_str(line).ok()?;
        envelope.is_object().then(|| Message { text: line.to_owned(), envelope })
    }

    pub(super) fn method(&self) -> Option<&str> {
        self.envelope.get("method")?.as_str()
    }

    /// The id of a request; answers of the client have one too, but no method.
    pub(super) fn id(&self) -> Option<&Value> {
        self.envelope.get("id").filter(|it| !it.is_null())
    }

    /// The revision, where the message itself says it: the newer era.
    pub(super) fn version(&self) -> Option<&str> {
        self.envelope.get("params")?.get("_meta")?.get(VERSION)?.as_str()
    }

    /// What a request is about, for the header of the newer era.
    pub(super) fn name(&self) -> Option<&str> {
        let params = self.envelope.get("params")?;
        ["name", "uri", "taskId"].iter().find_map(|key| params.get(key)?.as_str())
    }

    /// The request that this message takes back.
    pub(super) fn cancels(&self) -> Option<String> {
        (self.method() == Some("notifications/cancelled")).then_some(())?;
        Some(self.envelope.get("params")?.get("requestId")?.to_string())
    }

    /// The revision that a client greets with.
    pub(super) fn asked_version(&self) -> Option<&str> {
        self.envelope.get("params")?.get("protocolVersion")?.as_str()
    }
}

/// Whether a message of the server answers the request of this id.
pub(super) fn answers(text: &str, id: &Value) -> bool {
    let message: Value = serde_json::from_str(text).unwrap_or_default();
    message.get("method").is_none() && message.get("id") == Some(id)
}

/// The revision that a server greeted back with; `None` when it answered with an error.
pub(super) fn greeted_version(text: &str) -> Option<String> {
    let message: Value = serde_json::from_str(text).ok()?;
    Some(message.get("result")?.get("protocolVersion")?.as_str()?.to_owned())
}

/// Whether a text is a message: nothing else goes to the client, whatever the server sends.
pub(super) fn is_message(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|it| it.get("jsonrpc").is_some_and(|it| it == "2.0"))
}

/// A message of the server on one line.
pub(super) fn one_line(text: &str) -> String {
    let text = text.trim();
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    serde_json::from_str::<Value>(text).map(|it| it.to_string()).unwrap_or_default()
}

/// An answer that the bridge gives itself.
pub(super) fn result(id: &Value, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// An error that the bridge gives itself.
pub(super) fn error(id: &Value, message: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": INTERNAL, "message": message } }).to_string()
}

/// The answer to a line that is longer than any may be, under the id of its request where that is known.
pub(super) fn too_long(id: Option<&Value>, most: usize) -> String {
    let error = json!({ "code": -32_600, "message": format!("A message may have {most} bytes. Send less at a time.") });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// The answer to a line that is no message.
pub(super) fn unreadable() -> String {
    let error = json!({ "code": -32_700, "message": "This line is no JSON-RPC message." });
    json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_envelope_is_read() {
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
    fn an_answer_is_known_by_its_id() {
        assert!(answers(r#"{"id":1,"result":{}}"#, &json!(1)));
        assert!(!answers(r#"{"id":1,"method":"elicitation/create"}"#, &json!(1)));
        assert!(!answers(r#"{"id":"1","result":{}}"#, &json!(1)));
        assert_eq!(one_line("{\n \"a\": 1 }\n"), r#"{"a":1}"#);
    }

    /// F20: what is no message is not passed on.
    #[test]
    fn only_a_message_is_one() {
        assert!(is_message(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
        for other in ["", "hello", "{\"jsonrpc\":\"2.0\"", "[]", "{}", r#"{"jsonrpc":"1.0"}"#, "\u{1b}[2J"] {
            assert!(!is_message(other), "{other}");
        }
    }
}
