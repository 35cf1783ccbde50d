//! `/api/block`: changing blocks, and `/api/transactions`.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal, node_id};
use crate::edit::{self, Place};
use crate::endpoints::history;
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node, dom, names_a_wrong_id};
use crate::store::{Db, Tree};

/// One operation in the words of the page's protocol.
#[derive(Debug, Default)]
pub(crate) struct Operation {
    pub(crate) action: &'static str,
    pub(crate) data: Value,
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) previous: String,
    pub(crate) next: String,
}

impl Operation {
    pub(crate) fn show(&self) -> Value {
        show_operation(&json!({
            "action": self.action, "data": self.data, "id": self.id,
            "parentID": self.parent, "previousID": self.previous, "nextID": self.next,
        }))
    }
}

/// An operation with every field of the protocol; missing values are empty.
pub(crate) fn show_operation(given: &Value) -> Value {
    let mut shown = json!({
        "action": "", "data": null, "id": "", "rootID": "", "parentID": "", "previousID": "", "nextID": "",
        "retData": null, "blockIDs": null, "blockID": "", "deckID": "", "avID": "", "srcIDs": null, "srcs": null,
        "isDetached": false, "name": "", "type": "", "format": "", "keyID": "", "rowID": "", "isTwoWay": false,
        "backRelationKeyID": "", "removeDest": false, "layout": "", "groupID": "", "targetGroupID": "",
        "viewID": "", "ignoreDefaultFill": false, "context": null,
    });
    if let (Some(shown), Some(given)) = (shown.as_object_mut(), given.as_object()) {
        shown.extend(given.clone());
    }
    shown
}

pub(crate) fn transaction(operations: &[Operation]) -> Value {
    let shown: Vec<Value> = operations.iter().map(Operation::show).collect();
    json!({ "timestamp": 0, "doOperations": shown, "undoOperations": null })
}

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    value.get(name).and_then(Value::as_str).ok_or_else(Refusal::panicked)
}

pub(super) fn optional<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The blocks sent, and their DOM for the answer.
fn sent(db: &Db<'_>, value: &Value) -> Result<(Vec<Node>, String), Refusal> {
    let (kind, data) = (text(value, "dataType")?, text(value, "data")?);
    if kind == "markdown" && names_a_wrong_id(data) {
        return Err(Refusal::panicked());
    }
    let mut blocks = edit::parse(db.siyuan(), kind, data);
    blocks.iter_mut().try_for_each(|block| db.name_references(block))?;
    let shown = match (kind, data) {
        ("markdown", data) if data.trim().is_empty() => {
            blocks.iter().map(|block| dom::block(block, None)).collect()
        }
        ("markdown", _) => dom::blocks(&blocks, 1),
        _ => data.to_owned(),
    };
    Ok((blocks, shown))
}

/// Puts blocks at the end or start of a parent.
pub(crate) fn into_parent(db: &Db<'_>, value: &Value, last: bool) -> Result<Operation, Refusal> {
    let parent = text(value, "parentID")?;
    // All three arguments are read before any is looked up.
    text(value, "dataType").and(text(value, "data"))?;
    node_id(parent)?;
    let missing = || Refusal::new(format!("parent block not found: {parent}"));
    let mut tree = db.tree_of(parent)?.ok_or_else(missing)?;
    let target = tree.root.find(parent).ok_or_else(missing)?;
    edit::refuse_leaf(target)?;
    let is_list = matches!(target.kind, Kind::List(_));
    let end = target.children.last().map(|node| node.id.clone()).filter(|_| last && !is_list);
    let (blocks, data) = sent(db, value)?;
    let mut blocks = blocks;
    blocks.first_mut().map_or(Ok(()), |first| db.ready_for_insert(first))?;
    let first = blocks.first().cloned().ok_or_else(Refusal::panicked)?;
    let place = if last { Place::LastIn(parent) } else { Place::FirstIn(parent) };
    edit::insert(&mut tree.root, blocks, place).ok_or_else(missing)?;
    // In a list the kernel names the item it made around a block, and nothing where the items of a list went in.
    let parent = match (&first.kind, is_list) {
        (Kind::List(_), true) => String::new(),
        (_, true) => tree.root.parent_of(&first.id).map(|(item, _)| item.id.clone()).unwrap_or_default(),
        _ => parent.to_owned(),
    };
    db.save(&tree)?;
    Ok(Operation {
        action: "insert",
        data: json!(data),
        id: first.id,
        parent,
        previous: end.unwrap_or_default(),
        ..Operation::default()
    })
}

/// Puts blocks next to an anchor: the next block takes precedence over the previous one, that over the parent.
pub(super) fn beside(db: &Db<'_>, value: &Value) -> Result<Operation, Refusal> {
    let (next, previous, parent) =
        (optional(value, "nextID"), optional(value, "previousID"), optional(value, "parentID"));
    [parent, previous, next].iter().filter(|id| !id.is_empty()).try_for_each(|id| node_id(id).map(drop))?;
    let place = match (next, previous, parent) {
        ("", "", "") => None,
        ("", "", _) => {
            // Here the list that items go into is named as well.
            let operation = into_parent(db, value, false)?;
            let parent = if operation.parent.is_empty() { parent } else { &operation.parent };
            return Ok(Operation { parent: parent.to_owned(), ..operation });
        }
        ("", _, _) => Some((previous, Place::After(previous))),
        _ => Some((next, Place::Before(next))),
    };
    let (blocks, data) = sent(db, value)?;
    let mut operation = Operation {
        action: "insert",
        data: json!(data),
        previous: previous.to_owned(),
        next: next.to_owned(),
        ..Operation::default()
    };
    let Some((anchor, place)) = place else { return Ok(operation) };
    let mut blocks = blocks;
    blocks.first_mut().map_or(Ok(()), |first| db.ready_for_insert(first))?;
    let Some(mut tree) = db.tree_of(anchor)? else { return Ok(operation) };
    let first = blocks.first().map(|block| block.id.clone()).unwrap_or_default();
    if let Some((parent, _)) = tree.root.parent_of(anchor) {
        operation.parent.clone_from(&parent.id);
    }
    // A list that goes next to an item adds only its first item; the others are lost.
    let beside_item = tree.root.find(anchor).is_some_and(|node| matches!(node.kind, Kind::Item { .. }));
    let first = match blocks.first_mut() {
        Some(Node { kind: Kind::List(_), children, .. }) if beside_item => {
            children.truncate(1);
            children.first().map(|item| item.id.clone()).unwrap_or(first)
        }
        _ => first,
    };
    // Next to a document nothing is written, although the answer has an id.
    if edit::insert(&mut tree.root, blocks, place).is_some() {
        db.save(&tree)?;
    }
    operation.id = first;
    Ok(operation)
}

/// Replaces a block with the first one sent, or all blocks of a document.
pub(super) fn replace(db: &Db<'_>, value: &Value) -> Result<Vec<Operation>, Refusal> {
    let id = text(value, "id")?;
    text(value, "data")?;
    node_id(id)?;
    let mut tree = db.tree_of(id)?.ok_or_else(|| Refusal::new("get block failed: tree not found"))?;
    let (mut blocks, shown) = sent(db, value)?;
    if tree.id() == id {
        return replace_all(db, tree, blocks, &shown);
    }
    let before = tree.root.find(id).cloned();
    if let (Some(old), true) = (&before, value["lockType"] == true && db.siyuan().is_newer()) {
        check_type(old, &blocks)?;
    }
    edit::replace(&mut tree.root, id, &blocks)
        .ok_or_else(|| Refusal::new("get block failed: tree not found"))?;
    db.save(&tree)?;
    let mut gone = before.as_ref().map(all).unwrap_or_default();
    gone.retain(|node| tree.root.find(&node.id).is_none());
    db.follow_removal(&gone)?;
    let in_list = tree.root.find(id).is_some_and(|node| matches!(node.kind, Kind::Item { .. }));
    if let (true, Some(Node { kind: Kind::List(_), children, .. })) = (in_list, blocks.first_mut()) {
        blocks = std::mem::take(children);
        blocks.truncate(1);
    }
    blocks.iter_mut().take(1).for_each(|first| id.clone_into(&mut first.id));
    let data = dom::blocks(&blocks, 1);
    Ok(vec![Operation { action: "update", data: json!(data), id: id.to_owned(), ..Operation::default() }])
}

/// Refuses a block of another type; an empty paragraph may become anything.
fn check_type(old: &Node, blocks: &[Node]) -> Result<(), Refusal> {
    let Some(first) = blocks.first() else { return Ok(()) };
    let new = match (&old.kind, &first.kind) {
        (Kind::Item { .. }, Kind::List(_)) => first.children.first().unwrap_or(first),
        _ => first,
    };
    let is_empty = old.kind == Kind::Paragraph && old.spans.iter().all(|span| span.text.trim().is_empty());
    let (old_name, new_name) = (old.kind.name(), new.kind.name());
    if old_name == new_name || is_empty {
        return Ok(());
    }
    let id = &old.id;
    Err(Refusal::new(format!("block [{id}] type is locked: expected {old_name}, got {new_name}")))
}

fn replace_all(
    db: &Db<'_>,
    mut tree: Tree,
    blocks: Vec<Node>,
    data: &str,
) -> Result<Vec<Operation>, Refusal> {
    let gone = tree.root.children.iter().map(|child| Operation {
        action: "delete",
        data: json!({ "createEmptyParagraph": false }),
        id: child.id.clone(),
        ..Operation::default()
    });
    let mut operations: Vec<Operation> = gone.collect();
    let id = tree.id().to_owned();
    let first = blocks.first().map(|block| block.id.clone()).unwrap_or_default();
    let before = std::mem::take(&mut tree.root.children);
    edit::insert(&mut tree.root, blocks, Place::FirstIn(&id)).ok_or_else(Refusal::panicked)?;
    db.save(&tree)?;
    db.follow_removal(&before.iter().flat_map(all).collect::<Vec<_>>())?;
    operations.push(Operation {
        action: "insert",
        data: json!(data),
        id: first,
        parent: id,
        ..Operation::default()
    });
    Ok(operations)
}

/// The arguments of a request as the entry of a batch.
fn entry(args: &Args) -> Value {
    Value::Object(args.0.clone())
}

pub(crate) fn append(kernel: &Kernel, args: &Args) -> Outcome {
    kernel.store.write(|db| Ok(json!([transaction(&[into_parent(db, &entry(args), true)?])])))
}

pub(crate) fn prepend(kernel: &Kernel, args: &Args) -> Outcome {
    kernel.store.write(|db| Ok(json!([transaction(&[into_parent(db, &entry(args), false)?])])))
}

pub(crate) fn insert(kernel: &Kernel, args: &Args) -> Outcome {
    kernel.store.write(|db| Ok(json!([transaction(&[beside(db, &entry(args))?])])))
}

pub(crate) fn update(kernel: &Kernel, args: &Args) -> Outcome {
    kernel.store.write(|db| Ok(json!([transaction(&replace(db, &entry(args))?)])))
}

pub(crate) fn batch_append(kernel: &Kernel, args: &Args) -> Outcome {
    batch(kernel, args, |db, value| into_parent(db, value, true))
}

pub(crate) fn batch_prepend(kernel: &Kernel, args: &Args) -> Outcome {
    batch(kernel, args, |db, value| into_parent(db, value, false))
}

pub(crate) fn batch_insert(kernel: &Kernel, args: &Args) -> Outcome {
    batch(kernel, args, beside)
}

fn batch(kernel: &Kernel, args: &Args, f: fn(&Db<'_>, &Value) -> Result<Operation, Refusal>) -> Outcome {
    let blocks = args.list("blocks")?;
    if blocks.is_empty() {
        return Ok(Value::Null);
    }
    kernel.store.write(|db| blocks.iter().map(|value| Ok(transaction(&[f(db, value)?]))).collect())
}

pub(crate) fn batch_update(kernel: &Kernel, args: &Args) -> Outcome {
    let blocks = args.list("blocks")?;
    if blocks.is_empty() {
        return Err(Refusal::new("Field [blocks] must not be empty"));
    }
    kernel.store.write(|db| {
        let mut operations = Vec::new();
        for value in blocks {
            operations.extend(replace(db, value)?);
        }
        Ok(json!([transaction(&operations)]))
    })
}

/// Code 0 whether the block exists or not; a document stays.
pub(crate) fn delete(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    kernel.store.write(|db| {
        take_away(db, id)?;
        Ok(json!([transaction(&[Operation { action: "delete", id: id.to_owned(), ..Operation::default() }])]))
    })
}

/// A block and all below it.
fn all(node: &Node) -> Vec<&Node> {
    let mut nodes = Vec::new();
    node.walk(&mut |n| nodes.push(n));
    nodes
}

pub(super) fn take_away(db: &Db<'_>, id: &str) -> Result<(), Refusal> {
    let document = db.root_of(id)?;
    delete_block(db, id, |_| false)?;
    document.map_or(Ok(()), |document| fill_document(db, &document))
}

/// Deletes a block; its document may be empty afterwards, and so may its item if that gets another block.
pub(super) fn delete_block(db: &Db<'_>, id: &str, gets_more: impl Fn(&str) -> bool) -> Result<(), Refusal> {
    if let Some(mut tree) = db.tree_of(id)?
        && let Some(removed) = edit::delete(&mut tree.root, id, gets_more)
    {
        db.save(&tree)?;
        db.follow_removal(&all(&removed))?;
    }
    Ok(())
}

/// Gives a document without blocks an empty paragraph.
pub(super) fn fill_document(db: &Db<'_>, id: &str) -> Result<(), Refusal> {
    match db.tree_of(id)? {
        Some(mut tree) if tree.root.children.is_empty() => {
            edit::fill(&mut tree.root);
            db.save(&tree)
        }
        _ => Ok(()),
    }
}

/// Moves a block behind another or to the start of a parent, perhaps of another document.
pub(crate) fn move_block(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    let given = |name: &str| {
        args.get(name).map_or(Ok(""), |_| if args.text(name) == Ok("") { Ok("") } else { args.id(name) })
    };
    let (parent, previous) = (given("parentID")?, given("previousID")?);
    kernel.store.write(|db| {
        let not_there = |id: &str| Refusal::new(format!("block not found [id={id}]"));
        let from = db.root_of(id)?.ok_or_else(|| not_there(id))?;
        let (anchor, place) = match (previous, parent) {
            ("", "") => return Err(Refusal::new("target block not found [id=]")),
            ("", _) => (parent, Place::FirstIn(parent)),
            _ => (previous, Place::After(previous)),
        };
        if from == id {
            return Ok(Value::Null);
        }
        let to = db.root_of(anchor)?;
        if (to.is_none() || to.as_deref() == Some(anchor)) && !previous.is_empty() {
            return Err(Refusal::new("`previousID` can not be the ID of a document"));
        }
        to.ok_or_else(|| Refusal::new(format!("target block not found [id={parent}]")))?;
        if previous.is_empty() {
            let (tree, source) = (db.need_tree(parent)?, db.need_tree(id)?);
            let target = tree.root.find(parent).ok_or_else(|| not_there(parent))?;
            let is_item = |node: &Node| matches!(node.kind, Kind::Item { .. });
            if is_item(target) && source.root.find(id).is_some_and(is_item) {
                return Err(Refusal::new(
                    "a list-item cannot directly contain another list-item; to nest, first create a list (NodeList) \
                     under the outer list-item, then add the inner list-items to that list",
                ));
            }
            edit::refuse_leaf(target)?;
        }
        history::keep(kernel, &db.need_tree(id)?, "update")?;
        relocate(db, id, anchor, place)?;
        fill_document(db, &from)?;
        Ok(Value::Null)
    })
}

/// Puts a block in another place; one that would move into itself stays where it is. Its document may be empty
/// afterwards.
pub(super) fn relocate(db: &Db<'_>, id: &str, anchor: &str, place: Place<'_>) -> Result<(), Refusal> {
    let not_there = |id: &str| Refusal::new(format!("block not found [id={id}]"));
    let mut from = db.tree_of(id)?.ok_or_else(|| not_there(id))?;
    let mut moved = vec![from.root.find(id).cloned().ok_or_else(|| not_there(id))?];
    moved.extend(edit::hidden_below(&from.root, id));
    if moved.iter().any(|node| node.find(anchor).is_some()) {
        return Ok(());
    }
    for node in &moved {
        edit::take(&mut from.root, &node.id).ok_or_else(|| not_there(&node.id))?;
    }
    let here = from.root.find(anchor).is_some();
    let mut target = if here { from } else { db.save(&from).and_then(|()| db.need_tree(anchor))? };
    // After a folded heading means after the blocks that it hides.
    let hidden = edit::hidden_below(&target.root, anchor);
    let place = match (place, hidden.last()) {
        (Place::After(_), Some(last)) => Place::After(&last.id),
        _ => place,
    };
    edit::insert(&mut target.root, moved, place).ok_or_else(|| not_there(anchor))?;
    db.save(&target)
}
