//! The tools for SiYuan's own agent, as the page declares them to SiYuan.

use puppy_core::config::Policy;
use puppy_core::render::capability::capabilities;
use puppy_ui_web::kernel::PageKernel;
use serde_json::Value;

/// The tools that are offered now, as a JSON list; `None` while a person has them off.
pub(crate) async fn tools() -> Option<String> {
    let policy = Policy::read(&PageKernel).await;
    policy.rules.calls.own_agent.then(|| Value::Array(capabilities(&policy.offer())).to_string())
}
