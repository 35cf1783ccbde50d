//! The tools for SiYuan's own agent, as the page declares them to SiYuan.

use puppy_core::config::Offer;
use puppy_core::render::capability::capabilities;
use serde_json::Value;

use super::levels;
use crate::setting_files::read_server;
use crate::store::read_switches;

/// The tools that are offered now, as a JSON list; `None` while a person has them off.
pub(crate) async fn tools() -> Option<String> {
    if !read_server().await.ok()?.has_own_agent() {
        return None;
    }
    let offer = Offer::new(read_switches().await.ok()?, levels::highest().await);
    Some(Value::Array(capabilities(&offer)).to_string())
}
