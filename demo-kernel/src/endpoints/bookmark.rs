//! `/api/bookmark`: blocks by their bookmark.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::dom;

pub(super) fn list(kernel: &Kernel, _: &Args) -> Outcome {
    let labels = "SELECT DISTINCT value FROM attributes WHERE name = 'bookmark' ORDER BY value";
    kernel.store.read(|db| {
        let mut out = Vec::new();
        for label in db.texts(labels)? {
            let marked = "id IN (SELECT block_id FROM attributes WHERE name = 'bookmark' AND value = ?1) ORDER BY rowid";
            let mut blocks = db.blocks_where(marked, &[&label])?;
            for block in &mut blocks {
                let id = block.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
                let tree = db.tree_of(&id)?;
                // The page shows the text with its looks.
                if let Some(node) = tree.as_ref().and_then(|tree| tree.root.find(&id)).filter(|n| !n.spans.is_empty()) {
                    block["content"] = json!(dom::spans(&node.spans).replace(' ', "&nbsp;"));
                }
                block["depth"] = json!(1);
            }
            out.push(json!({
                "name": label, "blocks": blocks, "type": "bookmark", "depth": 0, "count": blocks.len(),
            }));
        }
        Ok(Value::Array(out))
    })
}
