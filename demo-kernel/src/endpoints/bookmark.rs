//! `/api/bookmark`: blocks by their bookmark.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Span, dom};
use crate::store::Db;

pub(super) fn list(kernel: &Kernel, _: &Args) -> Outcome {
    let labels = "SELECT DISTINCT value FROM attributes WHERE name = 'bookmark' ORDER BY value";
    kernel.store.read_index(|db| {
        let mut out = Vec::new();
        for label in db.texts(labels)? {
            let marked = "id IN (SELECT block_id FROM attributes WHERE name = 'bookmark' AND value = ?1) ORDER BY rowid";
            let mut blocks = db.blocks_where(marked, &[&label])?;
            for block in &mut blocks {
                let id = block.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
                let tree = db.tree_of(&id)?;
                // The page shows the text with its looks.
                let node = tree.as_ref().and_then(|tree| tree.root.find(&id));
                if let Some(node) = node.filter(|node| node.kind != Kind::Document) {
                    let mut content = String::new();
                    node.walk(&mut |n| content += &shown(&n.spans));
                    if !content.is_empty() {
                        put(block, "content", json!(content));
                    }
                }
                put(block, "depth", json!(1));
            }
            out.push(json!({
                "name": label, "blocks": blocks, "type": "bookmark", "depth": 0, "count": blocks.len(),
            }));
        }
        Ok(Value::Array(out))
    })
}

fn put(block: &mut Value, name: &str, value: Value) {
    if let Some(block) = block.as_object_mut() {
        block.insert(name.into(), value);
    }
}

/// Text as the page shows it: every space is one that does not break.
pub(super) fn shown(spans: &[Span]) -> String {
    let mut spans = spans.to_vec();
    spans.iter_mut().for_each(|span| span.text = span.text.replace(' ', "\u{a0}"));
    dom::spans(&spans).replace('\u{a0}', "&nbsp;")
}

fn set_all(kernel: &Kernel, db: &Db<'_>, old: &str, new: &str) -> Result<(), Refusal> {
    let marked = "SELECT block_id FROM attributes WHERE name = 'bookmark' AND value = ?1";
    for id in db.column(marked, old)? {
        super::history::keep(kernel, &db.need_tree(&id)?, "replace")?;
        super::attr::set(db, &id, &[("bookmark".to_owned(), json!(new))].into_iter().collect())?;
    }
    Ok(())
}

pub(super) fn rename(kernel: &Kernel, args: &Args) -> Outcome {
    let (old, new) = (args.field_text("oldBookmark")?, args.field_text("newBookmark")?);
    let new = new.trim();
    if new.is_empty() {
        return Err(Refusal::new("Bookmark cannot be empty").closing_after(5000));
    }
    kernel.store.write(|db| set_all(kernel, db, old, new))?;
    Ok(Value::Null)
}

pub(super) fn remove(kernel: &Kernel, args: &Args) -> Outcome {
    let label = args.field_text("bookmark")?;
    kernel.store.write(|db| set_all(kernel, db, label, ""))?;
    Ok(Value::Null)
}
