//! Puts the blocks of a document back that a run changed and nobody else did, around those that somebody changed since.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::trail::BlockTrail;
use super::tree::BlockTree;
use crate::sorted::IntoSorted as _;

/// The depth below which a file is not read.
const DEEPEST: usize = 200;

/// The outcome for a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MergedDocument {
    /// The file; `None` if it would be the present one.
    pub(crate) file: Option<Vec<u8>>,
    /// The blocks that the run changed and that stay, because somebody changed them since.
    pub(crate) left: BTreeSet<String>,
    /// The ids of blocks that come back, and of those that go.
    pub(crate) gains: BTreeSet<String>,
    pub(crate) loses: BTreeSet<String>,
}

/// A block of a file without the blocks inside it.
#[derive(Debug, Clone)]
struct MergeNode {
    /// Its fields without its children.
    fields: Map<String, Value>,
    /// The children without an id before and after the blocks inside it.
    head: Vec<Value>,
    tail: Vec<Value>,
    parent: String,
    blocks: Vec<String>,
}

/// The blocks of a file by id, with the id of the document.
#[derive(Debug, Clone)]
struct MergeTree {
    root: String,
    nodes: BTreeMap<String, MergeNode>,
}

/// Puts blocks back. `trails` are the blocks that the run changed; `taken` are ids that must not come back because they
/// are elsewhere. `None` if a file cannot be read.
pub(crate) fn merge(
    before: &[u8],
    now: &[u8],
    trails: &BTreeMap<String, BlockTrail>,
    taken: &BTreeSet<String>,
) -> Option<MergedDocument> {
    let (old, old_hashes) = (MergeTree::parse(before)?, BlockTree::parse(before)?);
    let (present, hashes) = (MergeTree::parse(now)?, BlockTree::parse(now)?);
    if old.root != present.root {
        return None;
    }
    let mut work = BlockSteps::default();
    for (id, trail) in trails {
        let was = old_hashes.blocks.get(id).map(|it| it.hash.as_str());
        let is = hashes.blocks.get(id).map(|it| it.hash.as_str());
        work.add(id, trail, (was, is), hashes.place(id).as_deref(), taken);
    }
    let mut merged = work.done(&old, &present);
    // A block that cannot come back to its place stays where it is, and so do those that depend on it.
    while let Err(id) = merged {
        work.give_up(&id);
        merged = work.done(&old, &present);
    }
    let tree = merged.ok()?;
    let after = tree.print()?;
    let after_hashes = BlockTree::parse(&after)?;
    let [gains, loses] = exchanged(&hashes, &after_hashes);
    Some(MergedDocument {
        file: (after_hashes.hash != hashes.hash).then_some(after),
        left: work.left,
        gains,
        loses,
    })
}

/// The ids of the blocks that come with another state of a document, and of those that go; none for what cannot be read.
pub(crate) fn exchange(now: &[u8], then: &[u8]) -> [BTreeSet<String>; 2] {
    let [now, then] = [now, then].map(|it| BlockTree::parse(it).unwrap_or_default());
    exchanged(&now, &then)
}

/// A document without some blocks and without the containers that would be left empty; `None` if it cannot be read.
pub(crate) fn without(file: &[u8], ids: &BTreeSet<String>) -> Option<Vec<u8>> {
    let mut tree = MergeTree::parse(file)?;
    for id in ids {
        let mut due = id.clone();
        while due != tree.root {
            let parent = tree.nodes.get(&due).map(|it| it.parent.clone()).unwrap_or_default();
            tree.detach(&due);
            match tree.nodes.get(&parent) {
                Some(above) if above.blocks.is_empty() => due = parent,
                _ => break,
            }
        }
    }
    tree.print()
}

fn exchanged(now: &BlockTree, then: &BlockTree) -> [BTreeSet<String>; 2] {
    let only = |one: &BlockTree, other: &BlockTree| {
        one.blocks.keys().filter(|id| !other.blocks.contains_key(*id)).cloned().into_set()
    };
    [only(then, now), only(now, then)]
}

/// A recorded hash; `None` for a block that is not there.
fn known(hash: &str) -> Option<&str> {
    Some(hash).filter(|it| !it.is_empty())
}

/// The changes to make.
#[derive(Debug, Default)]
struct BlockSteps {
    rewritten: BTreeSet<String>,
    removed: BTreeSet<String>,
    restored: BTreeSet<String>,
    moved: BTreeSet<String>,
    left: BTreeSet<String>,
}

impl BlockSteps {
    /// Judges a block by its hash before the run and now.
    fn add(
        &mut self,
        id: &str,
        trail: &BlockTrail,
        (was, is): (Option<&str>, Option<&str>),
        place: Option<&str>,
        taken: &BTreeSet<String>,
    ) {
        if known(&trail.before) == known(&trail.after) && trail.place.is_none() {
            // It came and went, or was put back by the run itself.
            return;
        }
        if is == was && trail.place.is_none() {
            // Somebody has put it back.
            return;
        }
        let is_unchanged = !trail.is_broken && is == known(&trail.after) && was == known(&trail.before);
        let list = match (was, is) {
            _ if !is_unchanged => &mut self.left,
            (None, None) => return,
            (None, Some(_)) => &mut self.removed,
            (Some(_), None) if taken.contains(id) => &mut self.left,
            (Some(_), None) => &mut self.restored,
            (Some(_), Some(_)) => {
                match &trail.place {
                    Some(known) if place != Some(known.as_str()) => _ = self.left.insert(id.to_owned()),
                    Some(_) => _ = self.moved.insert(id.to_owned()),
                    None => {}
                }
                &mut self.rewritten
            }
        };
        list.insert(id.to_owned());
    }

    /// Leaves a block as it is.
    fn give_up(&mut self, id: &str) {
        for list in [&mut self.removed, &mut self.restored, &mut self.moved] {
            list.remove(id);
        }
        self.left.insert(id.to_owned());
    }

    /// The document with the changes, or a block that has no place.
    fn done(&self, old: &MergeTree, present: &MergeTree) -> Result<MergeTree, String> {
        let mut tree = present.clone();
        for id in &self.rewritten {
            if let (Some(node), Some(was)) = (tree.nodes.get_mut(id), old.nodes.get(id)) {
                node.fields.clone_from(&was.fields);
                (node.head, node.tail) = (was.head.clone(), was.tail.clone());
            }
        }
        for id in &self.moved {
            tree.detach(id);
        }
        for id in old.in_order() {
            if self.restored.contains(id) && !tree.nodes.contains_key(id) {
                let Some(was) = old.nodes.get(id) else { continue };
                tree.nodes.insert(id.clone(), MergeNode { blocks: Vec::new(), ..was.clone() });
            } else if !self.moved.contains(id) {
                continue;
            }
            tree.attach_as_in(old, id).ok_or_else(|| id.clone())?;
        }
        // Blocks go from the inside, so that one with somebody's block in it is found.
        let mut due: Vec<&String> = self.removed.iter().collect();
        due.sort_by_key(|id| std::cmp::Reverse(tree.depth(id)));
        for id in due {
            if tree.nodes.get(id).is_some_and(|it| !it.blocks.is_empty()) {
                return Err(id.clone());
            }
            tree.detach(id);
            tree.nodes.remove(id);
        }
        // A container that lost its blocks to somebody is none.
        let is_hollow = |id: &String| {
            let blocks = |tree: &MergeTree| tree.nodes.get(id).is_some_and(|it| !it.blocks.is_empty());
            blocks(old) && !blocks(&tree)
        };
        if let Some(id) = self.restored.iter().find(|id| is_hollow(id)) {
            return Err(id.clone());
        }
        let is_emptied = |id: &&String| {
            let blocks = |tree: &MergeTree| tree.nodes.get(*id).map(|it| !it.blocks.is_empty());
            blocks(present) == Some(true) && blocks(&tree) == Some(false)
        };
        let emptied = present.nodes.keys().filter(|id| **id != present.root).find(is_emptied);
        let was_inside = |id: &&String| present.nodes.get(*id).map(|it| &it.parent) == emptied;
        match self.removed.iter().chain(&self.moved).find(|id| emptied.is_some() && was_inside(id)) {
            Some(id) => Err(id.clone()),
            None => Ok(tree),
        }
    }
}

impl MergeTree {
    fn parse(bytes: &[u8]) -> Option<MergeTree> {
        let root: Value = serde_json::from_slice(bytes).ok()?;
        let id = root.get("ID")?.as_str()?.to_owned();
        let mut tree = MergeTree { root: id, nodes: BTreeMap::new() };
        tree.collect(root, "", DEEPEST)?;
        Some(tree)
    }

    fn collect(&mut self, node: Value, parent: &str, left: usize) -> Option<()> {
        let left = left.checked_sub(1)?;
        let Value::Object(mut fields) = node else { return None };
        let id = fields.get("ID").and_then(Value::as_str)?.to_owned();
        let children = match fields.shift_remove("Children") {
            Some(Value::Array(children)) => children,
            _ => Vec::new(),
        };
        let (mut head, mut tail, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for child in children {
            match child.get("ID").and_then(Value::as_str) {
                Some(block) if !block.is_empty() => {
                    blocks.push(block.to_owned());
                    self.collect(child, &id, left)?;
                }
                _ if blocks.is_empty() => head.push(child),
                _ => tail.push(child),
            }
        }
        let node = MergeNode { fields, head, tail, parent: parent.to_owned(), blocks };
        self.nodes.insert(id, node).is_none().then_some(())
    }

    /// The ids of all blocks in the order of the document.
    fn in_order(&self) -> Vec<&String> {
        let (mut all, mut due) = (Vec::with_capacity(self.nodes.len()), vec![&self.root]);
        while let Some(id) = due.pop() {
            all.push(id);
            due.extend(self.nodes.get(id).into_iter().flat_map(|it| it.blocks.iter().rev()));
        }
        all
    }

    /// The number of blocks around a block.
    fn depth(&self, id: &str) -> usize {
        let above = |id: &String| self.nodes.get(id).map(|it| it.parent.clone());
        std::iter::successors(above(&id.to_owned()), above).take(DEEPEST).count()
    }

    /// Takes a block with those inside it out of its place.
    fn detach(&mut self, id: &str) {
        let parent = self.nodes.get(id).map(|it| it.parent.clone()).unwrap_or_default();
        if let Some(above) = self.nodes.get_mut(&parent) {
            above.blocks.retain(|it| it != id);
        }
        if let Some(node) = self.nodes.get_mut(id) {
            node.parent.clear();
        }
    }

    /// Puts a block where another state of the document has it: after the nearest block before it that is there, else
    /// before the nearest one after it. `None` if the block around it is not there.
    fn attach_as_in(&mut self, old: &MergeTree, id: &str) -> Option<()> {
        let parent = &old.nodes.get(id)?.parent;
        if !self.is_attached(parent) {
            return None;
        }
        let siblings = &old.nodes.get(parent)?.blocks;
        let at = siblings.iter().position(|it| it == id)?;
        let (before, after) = siblings.split_at(at);
        let above = self.nodes.get_mut(parent)?;
        let place = |it: &String| above.blocks.iter().position(|block| block == it);
        let behind = before.iter().rev().find_map(place).map(|at| at + 1);
        let at = behind.or_else(|| after.iter().skip(1).find_map(place)).unwrap_or_default();
        above.blocks.insert(at, id.to_owned());
        self.nodes.get_mut(id)?.parent.clone_from(parent);
        Some(())
    }

    /// Whether a block is in the document, not only in a part that was taken out.
    fn is_attached(&self, id: &str) -> bool {
        let mut id = id;
        for _ in 0..DEEPEST {
            if id == self.root {
                return true;
            }
            match self.nodes.get(id) {
                Some(node) if !node.parent.is_empty() => id = &node.parent,
                _ => return false,
            }
        }
        false
    }

    fn print(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(&self.value(&self.root, DEEPEST)?).ok()
    }

    fn value(&self, id: &str, left: usize) -> Option<Value> {
        let left = left.checked_sub(1)?;
        let node = self.nodes.get(id)?;
        let mut children = node.head.clone();
        for block in &node.blocks {
            children.push(self.value(block, left)?);
        }
        children.extend(node.tail.iter().cloned());
        let mut fields = node.fields.clone();
        if !children.is_empty() {
            fields.insert("Children".to_owned(), Value::Array(children));
        }
        Some(Value::Object(fields))
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
