//! `/api/block`: folding, and what is hidden by it.

use serde_json::{Value, json};

use super::super::attr;
use super::headings_above;
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::store::Tree;

pub(crate) fn fold(kernel: &Kernel, args: &Args) -> Outcome {
    set(kernel, args, "1")
}

pub(crate) fn unfold(kernel: &Kernel, args: &Args) -> Outcome {
    set(kernel, args, "")
}

fn set(kernel: &Kernel, args: &Args, value: &str) -> Outcome {
    let id = args.id("id")?;
    kernel.store.write(|db| {
        if db.root_of(id)?.is_none() {
            return Err(Refusal::new(format!("block tree not found [id={id}]")));
        }
        let attrs = [("fold".to_owned(), json!(value))].into_iter().collect();
        attr::set(db, id, &attrs)?;
        Ok(Value::Null)
    })
}

/// The outermost folded block that hides a block.
fn hidden_by(tree: &Tree, id: &str) -> Option<String> {
    let mut at = id.to_owned();
    let mut hidden = None;
    while let Some((parent, place)) = tree.root.parent_of(&at) {
        let above = headings_above(parent, place).into_iter().chain([parent]);
        for node in above.filter(|node| node.attrs.get("fold") == Some("1")) {
            hidden = Some(node.id.clone());
        }
        at.clone_from(&parent.id);
    }
    hidden
}

pub(crate) fn check(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| {
        let Some(tree) = db.tree_of(id)? else { return Ok(json!({ "isFolded": false, "isRoot": false })) };
        Ok(json!({ "isFolded": hidden_by(&tree, id).is_some(), "isRoot": tree.id() == id }))
    })
}

pub(crate) fn unfolded_parent(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| {
        let tree = db.tree_of(id)?;
        let parent = tree.and_then(|tree| hidden_by(&tree, id));
        Ok(json!({ "parentID": parent.unwrap_or_else(|| id.to_owned()) }))
    })
}
