//! JSON-RPC messages: written, and read into what they are.

use serde_json::{Map, Value, json};

/// Codes of JSON-RPC and MCP that decide something.
pub(crate) mod code {
    /// The receiver does not know the method.
    pub(crate) const NO_METHOD: i64 = -32_601;
    /// The server does not speak the revision of a request.
    pub(crate) const NO_REVISION: i64 = -32_022;
}

/// The error that a server answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The code.
    pub code: i64,
    /// The message.
    pub message: String,
    /// More, in the server's own shape.
    pub data: Value,
}

/// A message from the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    /// The answer to the request of this id.
    Answer { id: Value, outcome: Result<Value, RpcError> },
    /// A notification.
    Notice { method: String, params: Value },
    /// A request of the server.
    Question { id: Value, method: String },
}

impl Incoming {
    /// Reads a text with one message, or with several as the revision of March 2025 allowed; what is no message is
    /// left out.
    pub(crate) fn read(text: &str) -> Vec<Incoming> {
        match serde_json::from_str(text) {
            Ok(Value::Array(all)) => all.into_iter().filter_map(Incoming::of).collect(),
            Ok(one) => Incoming::of(one).into_iter().collect(),
            Err(_) => Vec::new(),
        }
    }

    fn of(message: Value) -> Option<Incoming> {
        let Value::Object(mut message) = message else { return None };
        if message.get("jsonrpc")? != "2.0" {
            return None;
        }
        let id = message.remove("id").filter(|it| !it.is_null());
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        if let Some(method) = method {
            return Some(match id {
                Some(id) => Incoming::Question { id, method },
                None => Incoming::Notice { method, params: message.remove("params").unwrap_or_default() },
            });
        }
        if let Some(result) = message.remove("result") {
            return Some(Incoming::Answer { id: id?, outcome: Ok(result) });
        }
        let error = message.remove("error")?;
        let outcome = Err(RpcError {
            code: error.get("code")?.as_i64()?,
            message: error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
            data: error.get("data").cloned().unwrap_or_default(),
        });
        // A server that could not read a request cannot name it either.
        Some(Incoming::Answer { id: id.unwrap_or_default(), outcome })
    }
}

pub(crate) fn request(id: u64, method: &str, params: &Map<String, Value>) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// A notification.
pub(crate) fn notice(method: &str, params: &Map<String, Value>) -> String {
    match params.is_empty() {
        true => json!({ "jsonrpc": "2.0", "method": method }).to_string(),
        false => json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string(),
    }
}

/// The answer to a question of the server: this client has nothing to offer but that it is there.
pub(crate) fn reply(id: &Value, method: &str) -> String {
    if method == "ping" {
        return json!({ "jsonrpc": "2.0", "id": id, "result": {} }).to_string();
    }
    let error = json!({ "code": code::NO_METHOD, "message": "This client does not offer that." });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart_and_the_rest_is_left_out() {
        let read = |text: &str| Incoming::read(text);
        let answer = Incoming::Answer { id: json!(1), outcome: Ok(json!({ "a": 1 })) };
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#), std::slice::from_ref(&answer));
        assert_eq!(read(r#"[{"jsonrpc":"2.0","id":1,"result":{"a":1}},7]"#), [answer]);
        assert!(matches!(&read(r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#)[..],
            [Incoming::Question { id, method }] if id == "x" && method == "ping"));
        assert!(matches!(&read(r#"{"jsonrpc":"2.0","method":"m","params":{"b":2}}"#)[..],
            [Incoming::Notice { params, .. }] if params["b"] == 2));
        assert!(matches!(&read(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#)[..],
            [Incoming::Answer { id: Value::Null, outcome: Err(error) }] if error.code == -32_700));
        for other in ["", "{", "[]", "7", "{}", r#"{"id":1,"result":{}}"#, r#"{"jsonrpc":"2.0","result":{}}"#]
        {
            assert!(read(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn questions_of_the_server_are_answered() {
        assert_eq!(reply(&json!(3), "ping"), r#"{"jsonrpc":"2.0","id":3,"result":{}}"#);
        assert!(reply(&json!("a"), "sampling/createMessage").contains("-32601"));
    }
}
