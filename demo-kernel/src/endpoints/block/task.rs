//! `/api/block`: the marks of task list items.

use serde_json::{Value, json};

use super::write::{Operation, transaction};
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::{Kind, dom};
use crate::store::Db;

/// Marks several items; of an item that is named twice, the last mark counts.
pub(crate) fn set_task_markers(kernel: &Kernel, args: &Args) -> Outcome {
    let items = args.get("items").ok_or_else(|| Refusal::new("Field [items] is required"))?;
    let items = items.as_array().ok_or_else(|| Refusal::new("Field [items] should be of type [Array]"))?;
    if items.is_empty() {
        return Err(Refusal::new("Field [items] must not be empty"));
    }
    let mut marks: Vec<(String, String)> = Vec::new();
    for item in items {
        let item =
            item.as_object().ok_or_else(|| Refusal::new("invalid item: each item must be an object"))?;
        let item = Args(item.clone());
        let (id, marker) = (item.field_filled("id")?, item.field_text("marker")?);
        item.id("id")?;
        match marks.iter_mut().find(|(known, _)| known == id) {
            Some((_, known)) => marker.clone_into(known),
            None => marks.push((id.to_owned(), marker.to_owned())),
        }
    }
    kernel.store.write(|db| {
        let operations =
            marks.iter().map(|(id, marker)| mark(db, id, marker)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!([transaction(&operations)]))
    })
}

fn mark(db: &Db<'_>, id: &str, marker: &str) -> Result<Operation, Refusal> {
    let mut tree = db.tree_of(id)?.ok_or_else(|| Refusal::new("get block failed: tree not found"))?;
    let node = tree.root.find_mut(id).ok_or_else(Refusal::panicked)?;
    let Kind::Item { task, .. } = &mut node.kind else {
        return Err(Refusal::new("block is not a list item"));
    };
    let task = task.as_mut().ok_or_else(|| Refusal::new("block is not a task list item"))?;
    let mut signs = marker.chars();
    *task = match (signs.next(), signs.next()) {
        (Some('[' | ']'), None) => {
            return Err(Refusal::new("task list item marker can not be [ or ]"));
        }
        (Some(sign), None) if sign.is_ascii() => sign.to_ascii_uppercase(),
        _ => return Err(Refusal::new("task list item marker length should be 1")),
    };
    node.attrs.set("updated", &crate::id::stamp());
    let data = Value::String(dom::block(node, None));
    db.save(&tree)?;
    Ok(Operation { action: "update", data, id: id.to_owned(), ..Operation::default() })
}
