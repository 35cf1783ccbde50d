//! The envelope of a message: the fields that decide which place it needs, read before the message is served.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::http::HeaderMap;
use serde::Deserialize;

/// The body of a request, for the layers that look into it.
#[derive(Debug, Clone)]
pub(super) struct RequestBody(pub(super) Bytes);

/// The relevant fields of a message. A field that cannot be read counts as absent.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Debug, Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Debug, Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Cow<'a, str>>,
}

/// The first revision without sessions.
const NO_SESSIONS: &str = "2026-07-28";

impl<'a> Envelope<'a> {
    /// Reads a message; `None` if its shape is wrong.
    pub(super) fn of(body: &'a [u8]) -> Option<Envelope<'a>> {
        serde_json::from_slice(body).ok()
    }

    /// Whether it opens a stream of changes.
    pub(super) fn listens(&self) -> bool {
        self.method.as_deref() == Some("subscriptions/listen")
    }

    /// Whether rmcp serves the message in the session named by its headers, and never without one: rmcp checks the
    /// revision in the message first, then the header.
    pub(super) fn is_in_session(&self, headers: &HeaderMap) -> bool {
        let in_message =
            self.params.as_ref().and_then(|it| it.meta.as_ref()).is_some_and(|it| it.version.is_some());
        let is_old = match headers.get("mcp-protocol-version").map(|it| it.to_str()) {
            None => true,
            Some(Ok(version)) => version < NO_SESSIONS,
            Some(Err(_)) => false,
        };
        !in_message && is_old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_envelope_decides_where_it_is_served() {
        let old = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fs","_meta":{"progressToken":"x"}}}"#;
        let new = r#"{"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}"#;
        let header = |version: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("mcp-protocol-version", version.parse().unwrap());
            headers
        };
        let in_session =
            |text: &str, headers: &HeaderMap| Envelope::of(text.as_bytes()).unwrap().is_in_session(headers);
        assert!(in_session(old, &HeaderMap::new()) && in_session(old, &header("2025-11-25")));
        assert!(!in_session(old, &header("2026-07-28")) && !in_session(new, &header("2025-11-25")));
        for odd in
            ["", "[]", "7", r#"{"method":7}"#, r#"{"method":"a","method":"b"}"#, r#"{"params":{"_meta":7}}"#]
        {
            assert!(Envelope::of(odd.as_bytes()).is_none(), "{odd}");
        }
    }
}
