//! `/api/setting`: the settings of SiYuan's own assistant.

use serde_json::{Value, json};

use super::shape::{object, put, text};
use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

/// The settings of the assistant as `getConf` shows them; whether it embeds texts is a switch.
pub(super) fn ai(kernel: &Kernel) -> Value {
    let mut ai = normal(kernel.ai());
    let mut embedding = json!(object(ai.get("embedding").unwrap_or(&Value::Null)));
    put(&mut embedding, "enabled", json!(kernel.switches.get().embedding));
    put(&mut ai, "embedding", embedding);
    ai
}

/// Replaces all of them: what is left out is lost. A server without an id keeps the one that its name had.
pub(super) fn set_ai(kernel: &Kernel, args: &Args) -> Outcome {
    let before = servers(&ai(kernel));
    let mut after = normal(Value::Object(args.0.clone()));
    let mut servers = servers(&after);
    for server in servers.iter_mut().filter(|it| text(it, "id").is_empty()) {
        let known = before.iter().find(|it| text(it, "name") == text(server, "name"));
        let id = known.map_or_else(crate::id::letters, |it| text(it, "id").to_owned());
        put(server, "id", json!(id));
    }
    if let Some(mcp) = after.get_mut("mcp") {
        put(mcp, "servers", json!(servers));
    }
    kernel.set_ai(after);
    Ok(ai(kernel))
}

/// Settings with the lists that are never missing.
fn normal(mut ai: Value) -> Value {
    let mut mcp = json!(object(ai.get("mcp").unwrap_or(&Value::Null)));
    put(&mut mcp, "servers", json!(servers(&ai)));
    put(&mut ai, "mcp", mcp);
    if !ai.get("providers").is_some_and(Value::is_array) {
        put(&mut ai, "providers", json!([]));
    }
    ai
}

fn servers(ai: &Value) -> Vec<Value> {
    ai.pointer("/mcp/servers").and_then(Value::as_array).cloned().unwrap_or_default()
}
