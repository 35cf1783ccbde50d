//! `/api/petal`: the plugins of the workspace, as the page loads them.

use serde_json::{Map, Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

/// Names and switches, as the kernel keeps them.
const SWITCHES: &str = "/data/storage/petal/petals.json";

/// All plugins below `data/plugins` that are not switched off, with their code and texts.
pub(super) fn load(kernel: &Kernel, args: &Args) -> Outcome {
    args.field_text("frontend")?;
    let mut names = Vec::new();
    for entry in std::fs::read_dir(kernel.workspace.join("data/plugins"))?.flatten() {
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let switches = kernel.json_file(SWITCHES);
    Ok(names
        .iter()
        .filter(|name| is_enabled(&switches, name))
        .filter_map(|name| petal(kernel, name, true))
        .collect())
}

pub(super) fn set_enabled(kernel: &Kernel, args: &Args) -> Outcome {
    let name = args.field_filled("packageName")?;
    let enabled = args.bool_or("enabled", false);
    let petal =
        petal(kernel, name, enabled).ok_or_else(|| Refusal::new(format!("plugin [{name}] not found")))?;
    let mut switches = match kernel.json_file(SWITCHES) {
        Value::Array(list) => list,
        _ => Vec::new(),
    };
    switches.retain(|entry| entry.get("name").and_then(Value::as_str) != Some(name));
    switches.push(json!({ "name": name, "displayName": petal.get("displayName"), "enabled": enabled }));
    kernel.write_file(SWITCHES, json!(switches).to_string().as_bytes())?;
    Ok(petal)
}

/// A plugin without an entry counts as switched on, because there is no marketplace to install it.
fn is_enabled(switches: &Value, name: &str) -> bool {
    let mut entries = switches.as_array().into_iter().flatten();
    entries
        .find(|entry| entry.get("name").and_then(Value::as_str) == Some(name))
        .is_none_or(|entry| entry.get("enabled") == Some(&Value::Bool(true)))
}

/// One plugin; none without a `plugin.json` of that name.
fn petal(kernel: &Kernel, name: &str, enabled: bool) -> Option<Value> {
    let folder = format!("/data/plugins/{name}");
    let about = kernel.json_file(&format!("{folder}/plugin.json"));
    if name.contains('/') || about.get("name").and_then(Value::as_str) != Some(name) {
        return None;
    }
    let text = |file: &str| {
        let path = kernel.file(&format!("{folder}/{file}")).ok();
        path.and_then(|p| std::fs::read_to_string(p).ok()).unwrap_or_default()
    };
    let i18n = match kernel.json_file(&format!("{folder}/i18n/en.json")) {
        Value::Object(texts) => texts,
        _ => Map::new(),
    };
    let title = about.pointer("/displayName/en").or(about.pointer("/displayName/default"));
    Some(json!({
        "name": name,
        "displayName": title.and_then(Value::as_str).unwrap_or(name),
        "enabled": enabled,
        "incompatible": false,
        "disabledInPublish": false,
        "version": about.get("version"),
        "js": text("index.js"),
        "css": text("index.css"),
        "i18n": i18n,
    }))
}
