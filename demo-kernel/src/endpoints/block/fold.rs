//! `/api/block`: folding, and the blocks that it hides.

use serde_json::{Value, json};

use super::super::attr;
use super::headings_above;
use crate::answer::{Args, Outcome, Refusal};
use crate::edit;
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node};
use crate::store::{Db, Tree};

pub(crate) fn fold(kernel: &Kernel, args: &Args) -> Outcome {
    set(kernel, args, "folded", "1")
}

pub(crate) fn unfold(kernel: &Kernel, args: &Args) -> Outcome {
    set(kernel, args, "unfolded", "")
}

fn set(kernel: &Kernel, args: &Args, what: &str, value: &str) -> Outcome {
    let id = args.id("id")?;
    kernel.store.write(|db| {
        let missing = || Refusal::new(format!("block tree not found [id={id}]"));
        let tree = db.tree_of(id)?.ok_or_else(missing)?;
        if tree.id() == id {
            return Err(Refusal::new(format!("document can not be {what}")));
        }
        let heading = tree.root.find(id).is_some_and(|node| matches!(node.kind, Kind::Heading(_)));
        if !heading {
            attr::set(db, id, &[("fold".to_owned(), json!(value))].into_iter().collect())?;
            return Ok(Value::Null);
        }
        fold_heading(db, tree, id, value)?;
        Ok(Value::Null)
    })
}

/// Folds a heading, which marks all below it, or unfolds it and the one above it. Returns the blocks below it.
pub(super) fn fold_heading(db: &Db<'_>, mut tree: Tree, id: &str, value: &str) -> Result<Vec<Node>, Refusal> {
    let above = |tree: &Tree| {
        let (parent, place) = tree.root.parent_of(id)?;
        let mut above = headings_above(parent, place).into_iter();
        above.find(|node| node.attrs.get("fold") == Some("1")).map(|node| node.id.clone())
    };
    let outer = if value.is_empty() { above(&tree) } else { None };
    outer.iter().for_each(|outer| mark_section(&mut tree.root, outer, value));
    mark_section(&mut tree.root, id, value);
    db.save(&tree)?;
    Ok(edit::below_heading(&tree.root, id).unwrap_or_default().to_vec())
}

/// Marks a heading as folded, and all below it as hidden by that, or removes the marks.
fn mark_section(root: &mut Node, id: &str, value: &str) {
    let below = edit::below_heading(root, id).unwrap_or_default();
    let below: Vec<String> = below.iter().map(|node| node.id.clone()).collect();
    for id in &below {
        root.find_mut(id).into_iter().for_each(|node| {
            node.walk_mut(&mut |node| {
                node.attrs.set("fold", value);
                node.attrs.set("heading-fold", value);
            });
        });
    }
    if let Some(heading) = root.find_mut(id) {
        heading.attrs.set("fold", value);
        if value.is_empty() {
            heading.attrs.set("heading-fold", "");
        }
    }
}

/// Whether a block, one of its ancestors or a heading above it is folded.
pub(crate) fn check(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| {
        let Some(tree) = db.tree_of(id)? else { return Ok(json!({ "isFolded": false, "isRoot": false })) };
        let own = tree.root.find(id).is_some_and(|node| node.attrs.get("fold") == Some("1"));
        let folded = own || hidden_by(&tree, id).is_some();
        Ok(json!({ "isFolded": folded, "isRoot": tree.id() == id }))
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

pub(crate) fn unfolded_parent(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| {
        let tree = db.tree_of(id)?;
        let parent = tree.and_then(|tree| hidden_by(&tree, id));
        Ok(json!({ "parentID": parent.unwrap_or_else(|| id.to_owned()) }))
    })
}
