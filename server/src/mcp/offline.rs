//! The relay's answers while its server is down: the greeting and the tools, as that server would send them.

use puppy_core::config::Offer;
use rmcp::model::{CacheScope, DiscoverResult, ListToolsResult, ProtocolVersion};
use serde_json::{Value, json};

use super::Surface;
use super::greeting::greeting;
use super::tools::listed;

/// The result of a request that needs no notes; `None` for any other. `version` is the negotiated revision.
pub(crate) fn offline(method: &str, version: Option<&str>, surface: &Surface) -> Option<Value> {
    let known = ProtocolVersion::KNOWN_VERSIONS;
    match method {
        "initialize" => {
            let mut greeting = greeting();
            let asked = known.iter().filter(|it| it.has_initialize()).find(|it| Some(it.as_str()) == version);
            greeting.protocol_version = asked.cloned().unwrap_or(ProtocolVersion::LATEST_WITH_INITIALIZE);
            serde_json::to_value(greeting).ok()
        }
        "server/discover" => {
            let mut found = DiscoverResult::from_server_info(known.to_vec(), greeting());
            // The client should ask again soon: the server may be back.
            found.ttl_ms = 0;
            found.cache_scope = CacheScope::Private;
            serde_json::to_value(found).ok()
        }
        "tools/list" => {
            let tools = listed(surface, &Offer::default(), surface.style(""));
            let list =
                ListToolsResult::with_all_items(tools).with_ttl_ms(0).with_cache_scope(CacheScope::Private);
            serde_json::to_value(list).ok()
        }
        "ping" => Some(json!({})),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-189: a client can greet and list the tools without the server.
    #[test]
    fn client_can_initialize_and_list_tools_without_the_server() {
        let surface = Surface::default();
        let offline = |method, version| offline(method, version, &surface);
        let hello = offline("initialize", Some("2025-06-18")).unwrap();
        assert_eq!(
            (&hello["protocolVersion"], &hello["serverInfo"]["name"]),
            (&json!("2025-06-18"), &json!("siyuan-puppy"))
        );
        assert_eq!(offline("initialize", Some("2026-07-28")).unwrap()["protocolVersion"], "2025-11-25");
        assert!(offline("tools/list", None).unwrap()["tools"].as_array().unwrap().len() >= 2);
        let found = offline("server/discover", None).unwrap();
        assert!(found["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
        assert_eq!(offline("tools/call", None), None);
    }
}
