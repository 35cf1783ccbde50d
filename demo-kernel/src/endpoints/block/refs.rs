//! `/api/block`: references between blocks.

use serde_json::{Map, Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::shape::text;
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Take};
use crate::markdown::{Kind, ListType, Node, Span, read_dom};
use crate::store::{Db, Tree, name_of};

/// The blocks that refer to a block, or to anything in a document, each with those it refers to. An item, quote
/// or the like stands for the paragraph in it.
pub(crate) fn ids(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text_or("id", "");
    kernel.store.read_index(|db| {
        if db.root_of(id)?.is_none() {
            return Ok(json!({ "refDefs": [], "originalRefBlockIDs": {} }));
        }
        let mut users: Vec<(String, Vec<String>)> = Vec::new();
        let is_document = db.root_of(id)?.is_some_and(|root| root == id);
        for reference in db.references_to(id, is_document)? {
            match users.iter_mut().find(|(from, _)| *from == reference.from) {
                Some((_, to)) if to.contains(&reference.to) => {}
                Some((_, to)) => to.push(reference.to),
                None => users.push((reference.from, vec![reference.to])),
            }
        }
        let mut originals = Map::new();
        for (from, _) in &mut users {
            let Some(row) = row(db, from)? else { continue };
            if let Some((parent, takes)) = stands_for(db, &row)? {
                originals.insert(text(&parent, "id").to_owned(), json!(from));
                if takes {
                    text(&parent, "id").clone_into(from);
                }
            }
        }
        let show = |(from, to): &(String, Vec<String>)| json!({ "refID": from, "defIDs": to });
        let shown: Vec<Value> = users.iter().map(show).collect();
        Ok(json!({ "refDefs": shown, "originalRefBlockIDs": originals }))
    })
}

fn row(db: &Db<'_>, id: &str) -> Result<Option<Value>, Refusal> {
    Ok(db.blocks_where("id = ?1 LIMIT 1", &[id])?.into_iter().next())
}

fn is_container(kind: &str) -> bool {
    matches!(kind, "NodeListItem" | "NodeBlockquote" | "NodeSuperBlock" | "NodeCallout")
}

/// Whether there is text besides references.
fn has_own_text(spans: &[Span]) -> bool {
    spans.iter().any(|span| !span.is("block-ref") && !span.text.trim().is_empty())
}

/// The item, quote, callout or super block that stands for a paragraph; an item does so only when the paragraph
/// is its first block or contains only references.
fn stands_for(db: &Db<'_>, paragraph: &Value) -> Result<Option<(Value, bool)>, Refusal> {
    if text(paragraph, "type") != "NodeParagraph" {
        return Ok(None);
    }
    let Some(parent) = row(db, text(paragraph, "parentID"))? else { return Ok(None) };
    if !is_container(text(&parent, "type")) {
        return Ok(None);
    }
    let mut takes = true;
    if text(&parent, "type") == "NodeListItem" && text(&parent, "fcontent") != text(paragraph, "content") {
        let id = text(paragraph, "id");
        let tree = db.tree_of(id)?;
        takes = !tree.as_ref().and_then(|tree| tree.root.find(id)).is_some_and(|n| has_own_text(&n.spans));
    }
    Ok(Some((parent, takes)))
}

/// The blocks that a text may mean.
pub(crate) fn blocks_called(kernel: &Kernel, args: &Args) -> Outcome {
    let anchor = args.text("anchor")?;
    let ids = kernel.store.read_index(|db| db.blocks_called(anchor))?;
    let shown: Vec<Value> = ids.iter().map(|id| json!({ "refID": id, "defIDs": [] })).collect();
    Ok(json!({ "refDefs": shown }))
}

/// Whether anything refers to one of some blocks; to a document, whether to anything in it.
pub(crate) fn any(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read_index(|db| {
        for id in ids {
            let is_document = db.root_of(id)?.is_some_and(|root| root == id);
            if !db.references_to(id, is_document)?.is_empty() {
                return Ok(json!(true));
            }
        }
        Ok(json!(false))
    })
}

/// The text of the first block of editor DOM; other HTML has none.
pub(crate) fn dom_text(_: &Kernel, args: &Args) -> Outcome {
    let dom = args.text("dom")?;
    let blocks = if dom.contains("data-type=\"Node") { read_dom(dom) } else { Vec::new() };
    Ok(json!(blocks.first().map(|block| plain::roomy(block, Take::Seen)).unwrap_or_default()))
}

/// Lets references to one block lead to another, in all blocks or in the given ones.
pub(crate) fn transfer_references(kernel: &Kernel, args: &Args) -> Outcome {
    let (from, to) = (args.id("fromID")?, args.id("toID")?);
    let only = args.texts("refIDs").ok();
    kernel.store.write(|db| {
        let target = db.tree_of(to)?;
        let Some(target) = target.as_ref().and_then(|tree| tree.root.find(to)) else {
            return Err(Refusal::new("block not found").closing_after(7000));
        };
        let name = name_of(target);
        let users = "SELECT DISTINCT block_id FROM refs WHERE def_block_id = ?1 AND type = 'textmark'";
        let ids = match &only {
            Some(ids) if !ids.is_empty() => ids.iter().map(|id| (*id).to_owned()).collect(),
            _ => db.column(users, from)?,
        };
        for id in ids {
            let Some(mut tree) = db.tree_of(&id)? else { continue };
            let Some(node) = tree.root.find_mut(&id) else { continue };
            node.walk_mut(&mut |node| {
                let spans = node.texts_mut().into_iter().flatten();
                for span in spans.filter(|span| span.attrs.get("data-id") == Some(from)) {
                    span.attrs.set("data-id", to);
                    if span.attrs.get("data-subtype") == Some("d") {
                        name.clone_into(&mut span.text);
                    }
                }
            });
            db.save(&tree)?;
        }
        Ok(Value::Null)
    })
}

/// Puts a block where the one is that refers to it, and the other way round.
pub(crate) fn swap(kernel: &Kernel, args: &Args) -> Outcome {
    let (from, to) = (args.text("refID")?, args.text("defID")?);
    let with_below = args.get("includeChildren").and_then(Value::as_bool).ok_or_else(Refusal::panicked)?;
    kernel.store.write(|db| {
        let closing = |refusal: Refusal| refusal.closing_after(7000);
        let mut trees = vec![db.need_tree(from).map_err(closing)?];
        let other = db.need_tree(to).map_err(closing)?;
        if trees.iter().all(|tree| tree.id() != other.id()) {
            trees.push(other);
        }
        if trees.iter().any(|tree| tree.id() == from || tree.id() == to) {
            return Err(Refusal::not_here("documents that are swapped with a block"));
        }
        swap_in(&mut trees, from, to, with_below)?;
        trees.iter().try_for_each(|tree| db.save(tree))?;
        Ok(Value::Null)
    })
}

/// The item that a block stands in directly, or the block itself.
fn outer(trees: &[Tree], id: &str) -> Option<(Node, Option<ListType>)> {
    let tree = trees.iter().find(|tree| tree.root.find(id).is_some())?;
    let item = tree.root.parent_of(id).map(|(parent, _)| parent);
    let node = item.filter(|parent| matches!(parent.kind, Kind::Item { .. })).or(tree.root.find(id))?;
    let list = tree.root.parent_of(&node.id).and_then(|(parent, _)| match parent.kind {
        Kind::List(list) => Some(list),
        _ => None,
    });
    Some((node.clone(), list))
}

/// Puts other blocks in the place of `count` blocks from one on.
fn exchange(trees: &mut [Tree], id: &str, count: usize, new: Vec<Node>) -> Option<()> {
    let tree = trees.iter_mut().find(|tree| tree.root.find(id).is_some())?;
    let (parent, at) = tree.root.parent_of_mut(id)?;
    parent.children.splice(at..(at + count).min(parent.children.len()), new);
    Some(())
}

/// An item as the kernel makes one: without a marker of its own.
fn item_of(list: ListType, children: Vec<Node>) -> Node {
    let task = (list == ListType::Task).then_some(' ');
    let mut item = Node::new(Kind::Item { marker: String::new(), task });
    item.children = children;
    item
}

fn list_of(list: ListType, item: Node) -> Node {
    let mut node = Node::new(Kind::List(list));
    node.children.push(item);
    node
}

fn swap_in(trees: &mut [Tree], from: &str, to: &str, with_below: bool) -> Result<(), Refusal> {
    let missing = || Refusal::panicked();
    let (mut user, user_list) = outer(trees, from).ok_or_else(missing)?;
    let (mut target, target_list) = outer(trees, to).ok_or_else(missing)?;
    if user.find(&target.id).is_some() || target.find(&user.id).is_some() {
        return Err(Refusal::not_here("blocks that are swapped with one inside them"));
    }
    let (user_id, target_id) = (user.id.clone(), target.id.clone());
    let now = crate::id::stamp();
    user.attrs.set("updated", &now);
    target.attrs.set("updated", &now);
    // The blocks that move with the target: those below a heading, if requested.
    let mut below = Vec::new();
    if with_below && matches!(target.kind, Kind::Heading(_)) {
        for tree in trees.iter() {
            below.extend(crate::edit::below_heading(&tree.root, &target_id).unwrap_or_default().to_vec());
        }
    }
    if below.iter().any(|node| node.find(&user_id).is_some()) {
        return Err(Refusal::not_here("blocks that are swapped with one inside them"));
    }
    let count = 1 + below.len();
    // The lists in an item stay where they are, unless they are to go along.
    let stays =
        |child: &mut Node| target_list.is_some() && !with_below && matches!(child.kind, Kind::List(_));
    let lists: Vec<Node> = target.children.extract_if(.., stays).collect();
    match (user_list, target_list) {
        (None, Some(list)) => user = item_of(list, std::iter::once(user).chain(lists).collect()),
        _ => user.children.extend(lists),
    }
    let (here, there) = match (user_list, target_list) {
        (None, Some(list)) => (vec![list_of(list, target)], vec![user]),
        (Some(list), None) => {
            let inside = std::iter::once(target).chain(below).collect();
            (vec![item_of(list, inside)], vec![list_of(list, user)])
        }
        _ => (std::iter::once(target).chain(below).collect(), vec![user]),
    };
    // A stand-in keeps the first place while the second is found by id.
    let stand_in = Node::new(Kind::Paragraph);
    let stand_in_id = stand_in.id.clone();
    exchange(trees, &target_id, count, vec![stand_in]).ok_or_else(missing)?;
    exchange(trees, &user_id, 1, here).ok_or_else(missing)?;
    exchange(trees, &stand_in_id, 1, there).ok_or_else(missing)?;
    trees.iter_mut().for_each(|tree| tree.root.attrs.set("updated", &now));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::write::{Style, write};

    fn swapped(text: &str, from: &[usize], to: &[usize], with_below: bool) -> String {
        let mut tree = Tree::new("box", "/", "20200101000000-aaaaaaa", "t");
        tree.root.children = crate::markdown::scan(text);
        let id = |way: &[usize]| way.iter().fold(&tree.root, |node, at| &node.children[*at]).id.clone();
        let (from, to) = (id(from), id(to));
        let mut trees = [tree];
        swap_in(&mut trees, &from, &to, with_below).unwrap();
        write(&trees[0].root, Style::Plain)
    }

    #[test]
    fn blocks_swap_places() {
        assert_eq!(swapped("a\n\nb\n\nc", &[0], &[2], false), "c\n\nb\n\na");
        assert_eq!(swapped("a\n\n# b\n\nc", &[0], &[1], true), "# b\n\nc\n\na");
        assert_eq!(swapped("a\n\n# b\n\nc", &[0], &[1], false), "# b\n\na\n\nc");
    }

    #[test]
    fn items_move_their_lists_only_on_request() {
        let text = "- a\n- b\n  - c";
        assert_eq!(swapped(text, &[0, 0, 0], &[0, 1, 0], false), "- b\n- a\n\n  - c");
        assert_eq!(swapped(text, &[0, 0, 0], &[0, 1, 0], true), "- b\n\n  - c\n- a");
        assert_eq!(swapped("x\n\n- b", &[0], &[1, 0, 0], true), "- b\n\n- x");
        assert_eq!(swapped("- b\n\nx", &[0, 0, 0], &[1], true), "- x\n\n- b");
    }
}
