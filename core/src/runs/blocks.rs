//! The blocks that a request changes: what happens to others meanwhile is not the agent's.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tree::BlockTree;
use crate::id::is_node_id;

/// The fields that name the place of a block, or hold values of the caller.
const SKIPPED: [&str; 5] = ["parentID", "previousID", "nextID", "attrs", "markdown"];
/// The attribute of DOM that is followed by the id of a block.
const NODE_ID: &str = "data-node-id=\"";

/// The ids of the blocks in a request and its answer. Only SiYuan's DOM names blocks: a caller's text may contain the same
/// letters.
pub(super) fn named(body: &Value, reply: &Value) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    collect(body, false, &mut ids);
    collect(reply, true, &mut ids);
    ids
}

fn collect(value: &Value, has_dom: bool, ids: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if is_node_id(text) => _ = ids.insert(text.clone()),
        Value::String(dom) if has_dom => {
            let parts = dom.split(NODE_ID).skip(1);
            ids.extend(parts.filter_map(|it| it.split('"').next()).map(str::to_owned));
        }
        Value::Array(items) => items.iter().for_each(|it| collect(it, has_dom, ids)),
        Value::Object(fields) => {
            // The data of an answer is DOM, or the values of attributes, which callers choose.
            let is_text = |name: &str, it: &Value| name == "data" && !(has_dom && it.is_string());
            let others =
                fields.iter().filter(|(name, it)| !SKIPPED.contains(&name.as_str()) && !is_text(name, it));
            others.for_each(|(_, it)| collect(it, has_dom, ids));
        }
        _ => {}
    }
}

/// Whether a block, or one around it, is among those that a call named. A document is not around its blocks: naming it
/// means its properties.
pub(super) fn is_named(ids: &BTreeSet<&str>, id: &str, trees: [&BlockTree; 2]) -> bool {
    ids.contains(id) || trees.iter().any(|tree| tree.around(id).any(|it| ids.contains(it)))
}
