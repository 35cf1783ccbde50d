//! A server's description of itself, and the choice between the two eras.

use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::message::code;
use crate::offer::List;
use crate::revision::{Era, Revision};

/// Keys of `_meta` in the newer era.
const META: &str = "io.modelcontextprotocol/";
/// The name by which this client introduces itself.
const NAME: &str = "siyuan-mcp-puppy";

/// A server's description of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Greeting {
    /// The revision that is spoken.
    pub revision: Revision,
    /// The server's name.
    pub server: String,
    /// The server's version.
    pub version: String,
    /// The capabilities, in the server's words.
    pub capabilities: Value,
    /// The instructions for models.
    pub instructions: Option<String>,
}

impl Greeting {
    /// Reads the answer to `initialize`.
    pub(crate) fn initialized(result: &Value) -> Result<Greeting, Failure> {
        let named = text(result, "protocolVersion");
        let revision = Revision::of(&named).filter(|it| it.era() == Era::Older);
        let revision = revision.ok_or_else(|| Failure::NoRevision(vec![named]))?;
        Ok(Greeting::of(revision, result, result.get("serverInfo")))
    }

    /// Reads the answer to `server/discover`; `None` if the server speaks the older era only.
    pub(crate) fn discovered(result: &Value) -> Result<Option<Greeting>, Failure> {
        let named = result.get("supportedVersions").and_then(Value::as_array);
        let Some(named) = named else {
            return Err(Failure::Unreadable("`supportedVersions` is missing.".to_owned()));
        };
        let meta = result.get("_meta").and_then(|it| it.get(format!("{META}serverInfo")));
        Ok(newest(named)?.map(|revision| Greeting::of(revision, result, meta.or(result.get("serverInfo")))))
    }

    fn of(revision: Revision, result: &Value, server: Option<&Value>) -> Greeting {
        let server = server.unwrap_or(&Value::Null);
        Greeting {
            revision,
            server: text(server, "name"),
            version: text(server, "version"),
            capabilities: result.get("capabilities").cloned().unwrap_or_default(),
            instructions: Some(text(result, "instructions")).filter(|it| !it.is_empty()),
        }
    }

    /// Whether the server has a list.
    #[must_use]
    pub fn has(&self, list: List) -> bool {
        self.capabilities.get(list.capability()).is_some_and(Value::is_object)
    }

    /// Whether the server tells of a list's changes.
    pub(crate) fn tells(&self, list: List) -> bool {
        self.is_on(list.capability(), "listChanged")
    }

    /// Whether the server tells of changed resources.
    #[must_use]
    pub fn subscribes(&self) -> bool {
        self.is_on("resources", "subscribe")
    }

    /// Whether the server completes arguments.
    #[must_use]
    pub fn completes(&self) -> bool {
        self.capabilities.get("completions").is_some_and(Value::is_object)
    }

    fn is_on(&self, capability: &str, part: &str) -> bool {
        self.capabilities.get(capability).and_then(|it| it.get(part)) == Some(&Value::Bool(true))
    }
}

/// The newest revision of the newer era among names; `None` if there are only older ones.
fn newest(named: &[Value]) -> Result<Option<Revision>, Failure> {
    let known: Vec<Revision> = named.iter().filter_map(|it| Revision::of(it.as_str()?)).collect();
    match known.iter().max() {
        Some(revision) => Ok(Some(*revision).filter(|it| it.era() == Era::Newer)),
        None => {
            Err(Failure::NoRevision(named.iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect()))
        }
    }
}

/// Whether a server that refused `server/discover` is greeted in the older era; otherwise this is the failure.
///
/// A refusal of the whole caller, and a server that is away, would only be repeated.
pub(crate) fn refused(failure: Failure) -> Result<(), Failure> {
    match &failure {
        Failure::Rpc(error) if error.code == code::NO_REVISION => {
            match error.data.get("supported").and_then(Value::as_array) {
                Some(named) => newest(named).map(drop),
                None => Ok(()),
            }
        }
        Failure::Rpc(_) | Failure::Unreadable(_) => Ok(()),
        Failure::Http { status, .. } if ![401, 403, 429].contains(status) && *status < 500 => Ok(()),
        _ => Err(failure),
    }
}

fn text(of: &Value, key: &str) -> String {
    of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn client() -> Value {
    json!({ "name": NAME, "version": env!("CARGO_PKG_VERSION") })
}

/// The arguments of `initialize`.
pub(crate) fn initialize() -> Map<String, Value> {
    object([
        ("protocolVersion", Revision::OLDER.name().into()),
        ("capabilities", json!({})),
        ("clientInfo", client()),
    ])
}

/// Adds what every request of the newer era says about its client.
pub(crate) fn introduce(params: &mut Map<String, Value>, revision: Revision) {
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    if let Value::Object(meta) = meta {
        meta.insert(format!("{META}protocolVersion"), revision.name().into());
        meta.insert(format!("{META}clientCapabilities"), json!({}));
        meta.insert(format!("{META}clientInfo"), client());
    }
}

/// An object of JSON.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::RpcError;

    /// B-202: era, version, capabilities and instructions are known.
    #[test]
    fn greetings_of_both_eras_are_read() {
        let capabilities = json!({ "tools": { "listChanged": true }, "resources": { "subscribe": true }, "completions": {} });
        let server = json!({ "name": "notes", "version": "2" });
        let older = Greeting::initialized(&json!({
            "protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": server, "instructions": "Read." }));
        let older = older.unwrap();
        assert_eq!(
            (older.revision, older.server.as_str(), older.version.as_str()),
            (Revision::June2025, "notes", "2")
        );
        assert_eq!(older.instructions.as_deref(), Some("Read."));
        assert!(older.has(List::Tools) && older.has(List::Templates) && !older.has(List::Prompts));
        assert!(
            older.tells(List::Tools)
                && !older.tells(List::Resources)
                && older.subscribes()
                && older.completes()
        );
        let newer = json!({ "supportedVersions": ["2025-11-25", "2026-07-28", "2099-01-01"], "capabilities": {},
            "_meta": { "io.modelcontextprotocol/serverInfo": server } });
        let newer = Greeting::discovered(&newer).unwrap().unwrap();
        assert_eq!((newer.revision, newer.server.as_str()), (Revision::July2026, "notes"));
    }

    #[test]
    fn a_server_without_a_common_revision_is_named() {
        let none = Greeting::initialized(&json!({ "protocolVersion": "2099-01-01" }));
        assert_eq!(none, Err(Failure::NoRevision(vec!["2099-01-01".into()])));
        assert!(Greeting::initialized(&json!({ "protocolVersion": "2026-07-28" })).is_err());
        assert_eq!(Greeting::discovered(&json!({ "supportedVersions": ["2025-06-18"] })), Ok(None));
        assert!(Greeting::discovered(&json!({ "supportedVersions": ["2099-01-01"] })).is_err());
        assert!(Greeting::discovered(&json!({})).is_err());
    }

    /// A server that does not know the newer era says so in many ways; a refused caller is not asked again.
    #[test]
    fn the_older_era_is_tried_where_only_the_question_was_refused() {
        let rpc = |code, data| Failure::Rpc(RpcError { code, message: String::new(), data });
        let http = |status| Failure::Http { status, said: String::new() };
        for older in [
            rpc(-32_601, Value::Null),
            rpc(-32_000, Value::Null),
            http(400),
            http(404),
            http(405),
            Failure::Unreadable(String::new()),
            rpc(-32_022, json!({ "supported": ["2025-11-25"] })),
        ] {
            assert_eq!(refused(older.clone()), Ok(()), "{older:?}");
        }
        for end in [
            http(401),
            http(403),
            http(503),
            Failure::Unreachable(String::new()),
            Failure::Broken,
            rpc(-32_022, json!({ "supported": ["2099-01-01"] })),
        ] {
            assert!(refused(end.clone()).is_err(), "{end:?}");
        }
    }

    #[test]
    fn a_request_of_the_newer_era_keeps_its_own_meta() {
        let mut params = object([("_meta", json!({ "progressToken": 1 }))]);
        introduce(&mut params, Revision::NEWER);
        assert_eq!(params["_meta"]["progressToken"], 1);
        assert_eq!(params["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
}
