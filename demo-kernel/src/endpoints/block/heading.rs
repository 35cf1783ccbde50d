//! `/api/block`: levels of headings, and sections moved in the outline.

use serde_json::{Value, json};

use super::write::{Operation, show_operation};
use crate::answer::{Args, Outcome, Refusal};
use crate::edit::below_heading;
use crate::endpoints::history;
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node, dom};
use crate::store::Db;

/// The changes that another level of a heading would cause, with the headings below it; nothing is written.
pub(crate) fn level_transaction(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    let level = args.get("level").and_then(Value::as_f64).ok_or_else(Refusal::panicked)?;
    kernel.store.read(|db| {
        let tree = db.need_tree(id).map_err(|refusal| refusal.closing_after(7000))?;
        let Some(node) = tree.root.find(id) else { return Ok(Value::Null) };
        let Kind::Heading(old) = node.kind else { return Ok(Value::Null) };
        let by = level as i64 - i64::from(old);
        if by == 0 {
            return Ok(Value::Null);
        }
        let mut undo = Vec::new();
        let mut done = Vec::new();
        let section = std::iter::once(node).chain(below_heading(&tree.root, id).unwrap_or_default());
        for block in section {
            block.walk(&mut |heading| {
                if let Kind::Heading(old) = heading.kind {
                    let mut new = heading.clone();
                    new.kind = Kind::Heading(shifted(old, by));
                    // Only children of the document itself have a number.
                    let number = tree.root.children.iter().any(|child| child.id == heading.id).then_some(1);
                    undo.push(update(heading, number));
                    done.push(update(&new, number));
                }
            });
        }
        Ok(json!({ "timestamp": 0, "doOperations": done, "undoOperations": undo }))
    })
}

fn update(heading: &Node, number: Option<usize>) -> Value {
    let data = Value::String(dom::block(heading, number));
    Operation { action: "update", data, id: heading.id.clone(), ..Operation::default() }.show()
}

fn shifted(level: u8, by: i64) -> u8 {
    u8::try_from((i64::from(level) + by).clamp(1, 6)).unwrap_or(1)
}

/// Moves a section behind another, below another, or before all; an impossible move does nothing.
pub(crate) fn move_section(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    let optional = |name: &str| match args.text_or(name, "") {
        "" => Ok(""),
        _ => args.id(name),
    };
    let (parent, previous) = (optional("parentID")?, optional("previousID")?);
    kernel.store.write(|db| {
        let root = rearrange_in(kernel, db, id, parent, previous)?;
        let operation = show_operation(&json!({
            "action": "moveOutlineHeading", "id": id, "parentID": parent, "previousID": previous,
            "retData": root,
        }));
        Ok(json!([{ "timestamp": 0, "doOperations": [operation], "undoOperations": null }]))
    })
}

/// Moves a section in its document, whose id this returns; keeps a version before.
pub(crate) fn rearrange_in(
    kernel: &Kernel,
    db: &Db<'_>,
    id: &str,
    parent: &str,
    previous: &str,
) -> Result<Option<String>, Refusal> {
    let Some(mut tree) = db.tree_of(id)? else { return Ok(None) };
    let before = tree.clone();
    let (target, behind) = if previous.is_empty() { (parent, false) } else { (previous, true) };
    if rearrange(&mut tree.root, id, target, behind) {
        history::keep(kernel, &before, "outline")?;
        tree.root.attrs.set("updated", &crate::id::stamp());
        db.save(&tree)?;
    }
    Ok(Some(tree.id().to_owned()))
}

/// Moves a section of the outermost level behind (or below) another heading there; its headings change their
/// level with it. Returns whether anything moved: headings inside other blocks stay, and none moves into itself.
fn rearrange(root: &mut Node, id: &str, target: &str, behind: bool) -> bool {
    let level_at = |root: &Node, at: usize| match root.children.get(at).map(|n| &n.kind) {
        Some(Kind::Heading(level)) => Some(*level),
        _ => None,
    };
    let place = |root: &Node, id: &str| root.children.iter().position(|child| child.id == id);
    let Some(at) = place(root, id) else { return false };
    let Some(old) = level_at(root, at) else { return false };
    let count = 1 + below_heading(root, id).unwrap_or_default().len();
    let (new, goal) = if target.is_empty() {
        let Some(first) = (0..root.children.len()).find(|at| level_at(root, *at).is_some()) else {
            return false;
        };
        let Some(level) = level_at(root, first).filter(|_| first != at) else { return false };
        (level, first)
    } else {
        let Some(to) = place(root, target).filter(|to| !(at..at + count).contains(to)) else { return false };
        let Some(level) = level_at(root, to) else { return false };
        let section = below_heading(root, target).unwrap_or_default();
        let lead = section.iter().take_while(|node| !matches!(node.kind, Kind::Heading(_))).count();
        if behind { (level, to + 1 + section.len()) } else { ((level + 1).min(6), to + 1 + lead) }
    };
    let below = i64::from(new) - i64::from(old);
    // Below a heading of level 6 the real kernel continues counting.
    let mut moved: Vec<Node> = root.children.drain(at..at + count).collect();
    for (place, node) in moved.iter_mut().enumerate() {
        if let Kind::Heading(level) = &mut node.kind {
            *level = if place == 0 { new } else { shifted(*level, below) };
        }
    }
    let goal = if goal > at { goal.saturating_sub(count).max(at) } else { goal };
    let goal = goal.min(root.children.len());
    root.children.splice(goal..goal, moved);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::write::{Style, write};

    fn moved(id: usize, target: Option<usize>, behind: bool) -> String {
        let mut root = Node::new(Kind::Document);
        root.children = crate::markdown::scan("# a\n\nt\n\n## b\n\n### c\n\n# d\n\ne");
        let ids: Vec<String> = root.children.iter().map(|n| n.id.clone()).collect();
        rearrange(&mut root, &ids[id], target.map_or("", |at| ids[at].as_str()), behind);
        write(&root, Style::Plain).replace("\n\n", ",")
    }

    #[test]
    fn sections_move_and_change_levels() {
        assert_eq!(moved(2, Some(4), true), "# a,t,# d,e,# b,## c");
        assert_eq!(moved(2, Some(4), false), "# a,t,# d,e,## b,### c");
        assert_eq!(moved(4, Some(0), false), "# a,t,## d,e,## b,### c");
        assert_eq!(moved(4, None, true), "# d,e,# a,t,## b,### c");
        assert_eq!(moved(2, Some(0), true), "# a,t,# b,## c,# d,e");
    }

    #[test]
    fn section_cannot_move_into_itself() {
        assert_eq!(moved(2, Some(3), true), "# a,t,## b,### c,# d,e");
        assert_eq!(moved(0, None, true), "# a,t,## b,### c,# d,e");
    }
}
