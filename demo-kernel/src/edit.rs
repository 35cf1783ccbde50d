//! Changes of a tree: insert, replace, remove, move. No store, no HTTP.

use crate::answer::Refusal;
use crate::markdown::{Kind, ListType, Node, read_dom, scan_as};
use crate::siyuan::Siyuan;

/// The destination of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place<'a> {
    FirstIn(&'a str),
    LastIn(&'a str),
    Before(&'a str),
    After(&'a str),
}

/// The blocks that a caller sent; any type but `markdown` is editor DOM.
pub(crate) fn parse(siyuan: Siyuan, data_type: &str, data: &str) -> Vec<Node> {
    let mut blocks = if data_type == "markdown" { scan_as(siyuan, data) } else { read_dom(data) };
    if blocks.is_empty() {
        blocks.push(Node::new(Kind::Paragraph));
    }
    blocks
}

/// Why nothing can be put into a block, in the kernel's words.
pub(crate) fn refuse_leaf(parent: &Node) -> Result<(), Refusal> {
    let id = &parent.id;
    match &parent.kind {
        kind if kind.is_container() => Ok(()),
        Kind::Heading(_) => Err(Refusal::new(format!(
            "heading [{id}] is a leaf block and cannot have children; to place a block below this heading, pass \
             previousID=<heading id> or previousID=<last block below the heading> instead of parentID"
        ))),
        kind => Err(Refusal::new(format!(
            "block [{id}] type \"{}\" is a leaf block and cannot have children; use previousID to place the block as \
             its sibling instead",
            kind.short()
        ))),
    }
}

/// Sets the time of a change on a block, on its ancestors and on its document.
pub(crate) fn touch(root: &mut Node, id: &str) {
    let now = crate::id::stamp();
    root.attrs.set("updated", &now);
    let mut at = id.to_owned();
    while let Some((parent, _)) = root.parent_of_mut(&at) {
        parent.attrs.set("updated", &now);
        at.clone_from(&parent.id);
    }
}

/// Inserts blocks; `None` when the anchor is missing, or is the document where a sibling is needed.
///
/// A list contains only items: the items of an inserted list are added one by one, any other block
/// is wrapped in an item.
pub(crate) fn insert(root: &mut Node, mut blocks: Vec<Node>, place: Place<'_>) -> Option<()> {
    for block in &mut blocks {
        let taken: Vec<String> = ids(block).into_iter().filter(|id| root.find(id).is_some()).collect();
        block.walk_mut(&mut |node| {
            if taken.contains(&node.id) {
                node.id = crate::id::new_id();
            }
        });
    }
    let (parent, at) = match place {
        Place::FirstIn(id) => (root.find_mut(id)?, 0),
        Place::LastIn(id) => {
            let parent = root.find_mut(id)?;
            let end = parent.children.len();
            (parent, end)
        }
        Place::Before(id) => root.parent_of_mut(id)?,
        Place::After(id) => root.parent_of_mut(id).map(|(parent, at)| (parent, at + 1))?,
    };
    if let Kind::List(list) = &mut parent.kind {
        blocks = as_items(blocks, *list);
        if blocks.iter().any(|item| matches!(item.kind, Kind::Item { task: Some(_), .. })) {
            *list = ListType::Task;
        }
    }
    let parent_id = parent.id.clone();
    parent.children.splice(at..at, blocks);
    touch(root, &parent_id);
    let now = crate::id::stamp();
    root.find_mut(&parent_id)?.attrs.set("updated", &now);
    Some(())
}

fn as_items(blocks: Vec<Node>, list: ListType) -> Vec<Node> {
    let mut items = Vec::new();
    for block in blocks {
        match block.kind {
            Kind::List(_) => items.extend(block.children),
            Kind::Item { .. } => items.push(block),
            _ => {
                let task = (list == ListType::Task).then_some(' ');
                let mut item = Node::new(Kind::Item { marker: String::new(), task });
                item.children.push(block);
                items.push(item);
            }
        }
    }
    items
}

/// The ids of a block and all below it.
pub(crate) fn ids(node: &Node) -> Vec<String> {
    let mut ids = Vec::new();
    node.walk(&mut |n| ids.push(n.id.clone()));
    ids
}

/// Replaces a block with the first of the given blocks; the others are dropped, as in the kernel.
///
/// The id stays; the attributes are those of the new block.
pub(crate) fn replace(root: &mut Node, id: &str, blocks: &[Node]) -> Option<()> {
    let mut new = blocks.first()?.clone();
    let (parent, at) = root.parent_of_mut(id)?;
    let old = parent.children.get_mut(at)?;
    if let Kind::Item { marker, task } = &old.kind {
        new = match &new.kind {
            Kind::List(_) => new.children.first()?.clone(),
            Kind::Item { .. } => new,
            // Text for an item breaks the real kernel's tree; here the item is kept around it.
            _ => {
                let mut item = Node::new(Kind::Item { marker: marker.clone(), task: *task });
                item.children.push(new);
                item
            }
        };
    }
    id.clone_into(&mut new.id);
    *old = new;
    touch(root, id);
    let now = crate::id::stamp();
    root.find_mut(id)?.attrs.set("updated", &now);
    Some(())
}

/// Removes a block and ancestors that are empty then; a document keeps an empty paragraph.
pub(crate) fn remove(root: &mut Node, id: &str) -> Option<Node> {
    let removed = take(root, id)?;
    fill(root);
    Some(removed)
}

/// Removes a block as a deletion does: its item stays, with an empty paragraph unless it is a task or gets another
/// block anyway. A document may be empty afterwards.
pub(crate) fn delete(root: &mut Node, id: &str, gets_more: impl Fn(&str) -> bool) -> Option<Node> {
    let (parent, _) = root.parent_of_mut(id)?;
    let Kind::Item { task, .. } = parent.kind else { return take(root, id) };
    if parent.children.len() > 1 {
        return take(root, id);
    }
    touch(root, id);
    let (parent, at) = root.parent_of_mut(id)?;
    let removed = parent.children.remove(at);
    if task.is_none() && !gets_more(&parent.id) {
        parent.children.push(Node::new(Kind::Paragraph));
    }
    Some(removed)
}

/// Gives a document without blocks an empty paragraph.
pub(crate) fn fill(root: &mut Node) {
    if root.children.is_empty() {
        root.children.push(Node::new(Kind::Paragraph));
    }
}

/// Removes a block and ancestors that are empty then, but not the document.
pub(crate) fn take(root: &mut Node, id: &str) -> Option<Node> {
    touch(root, id);
    let (parent, at) = root.parent_of_mut(id)?;
    let removed = parent.children.remove(at);
    // A callout without text stays.
    let empty = parent.children.is_empty() && !matches!(parent.kind, Kind::Callout { .. });
    let parent_id = parent.id.clone();
    if empty && parent_id != root.id {
        take(root, &parent_id);
    }
    Some(removed)
}

/// The blocks below a heading: up to the next one of its level or above.
pub(crate) fn below_heading<'n>(root: &'n Node, id: &str) -> Option<&'n [Node]> {
    let (parent, at) = root.parent_of(id)?;
    let Kind::Heading(level) = parent.children.get(at)?.kind else { return None };
    let after = parent.children.get(at + 1..)?;
    let ends = |node: &Node| matches!(node.kind, Kind::Heading(other) if other <= level);
    after.get(..after.iter().position(ends).unwrap_or(after.len()))
}

/// The blocks that a folded heading hides; they move with it.
pub(crate) fn hidden_below(root: &Node, id: &str) -> Vec<Node> {
    if root.find(id).is_none_or(|node| node.attrs.get("fold") != Some("1")) {
        return Vec::new();
    }
    let below = below_heading(root, id).unwrap_or_default().iter();
    below.filter(|node| node.attrs.get("heading-fold") == Some("1")).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::write::{Style, write};

    fn document(text: &str) -> Node {
        let mut root = Node::new(Kind::Document);
        root.children = parse(Siyuan::V3_7, "markdown", text);
        root
    }

    fn shown(root: &Node) -> String {
        write(root, Style::Plain)
    }

    #[test]
    fn blocks_inserted_into_a_list_become_items() {
        let mut root = document("- a");
        let list = root.children[0].id.clone();
        insert(&mut root, parse(Siyuan::V3_7, "markdown", "- b\n- c"), Place::LastIn(&list)).unwrap();
        insert(&mut root, parse(Siyuan::V3_7, "markdown", "text"), Place::FirstIn(&list)).unwrap();
        assert_eq!(shown(&root), "- text\n- a\n- b\n- c");
    }

    #[test]
    fn missing_anchor_changes_nothing() {
        let mut root = document("a");
        let (before, id) = (root.clone(), root.id.clone());
        assert!(insert(&mut root, parse(Siyuan::V3_7, "markdown", "b"), Place::After("nowhere")).is_none());
        assert!(insert(&mut root, parse(Siyuan::V3_7, "markdown", "b"), Place::Before(&id)).is_none());
        assert_eq!(root, before);
    }

    #[test]
    fn update_replaces_with_the_first_block_only() {
        let mut root = document("a\n{: custom-x=\"1\"}\n\nb");
        let id = root.children[0].id.clone();
        replace(&mut root, &id, &parse(Siyuan::V3_7, "markdown", "one\n\ntwo")).unwrap();
        assert_eq!(shown(&root), "one\n\nb");
        assert_eq!(root.children[0].attrs.get("custom-x"), None);
        assert_eq!(root.children[0].id, id);
    }

    #[test]
    fn empty_containers_are_removed_and_a_document_keeps_a_paragraph() {
        let mut root = document("- a");
        let item = root.children[0].children[0].id.clone();
        remove(&mut root, &item).unwrap();
        assert_eq!(root.children.len(), 1);
        assert_eq!((&root.children[0].kind, shown(&root).as_str()), (&Kind::Paragraph, ""));
    }

    #[test]
    fn existing_ids_are_not_reused() {
        let mut root = document("a");
        let id = root.children[0].id.clone();
        let again = format!("b\n{{: id=\"{id}\"}}");
        let document_id = root.id.clone();
        insert(&mut root, parse(Siyuan::V3_7, "markdown", &again), Place::LastIn(&document_id)).unwrap();
        assert_ne!(root.children[0].id, root.children[1].id);
    }
}
