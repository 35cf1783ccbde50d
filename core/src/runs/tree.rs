//! A document's file as hashes: of the whole, and of each block without the blocks in it.
//!
//! The time of the last change and the place to which a reader scrolled count for nothing, and so does the text that
//! SiYuan copies into references.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::record::ChangeKind;
use crate::fingerprint::Fingerprint;
use crate::sorted::IntoSorted as _;

/// Properties that change without a change of the document.
const IGNORED: [&str; 2] = ["updated", "scroll"];
/// The length of a hash in hex digits.
const DIGITS: usize = 16;
/// The depth below which a file is not read.
const DEEPEST: usize = 200;

/// The blocks of a document by id, the document itself among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BlockTree {
    /// The hash of the whole.
    pub(crate) hash: String,
    pub(crate) blocks: BTreeMap<String, TreeBlock>,
    /// The databases that it shows.
    pub(crate) databases: BTreeSet<String>,
}

/// A block of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeBlock {
    /// The hash of its own text and attributes.
    pub(crate) hash: String,
    parent: String,
    /// Its number in the order of the document.
    at: usize,
}

/// The hash of some bytes.
pub(crate) fn hash_of(text: &str) -> String {
    let mut digits = format!("{:?}", Fingerprint::of([text]));
    digits.truncate(DIGITS);
    digits
}

impl BlockTree {
    /// Reads a file; `None` when it holds no document.
    pub(crate) fn parse(bytes: &[u8]) -> Option<BlockTree> {
        let mut root: Value = serde_json::from_slice(bytes).ok()?;
        if root.get("Type").and_then(Value::as_str) != Some("NodeDocument") {
            return None;
        }
        let mut tree = BlockTree::default();
        tree.collect(&mut root, "", DEEPEST)?;
        let mut all: Vec<(&String, &TreeBlock)> = tree.blocks.iter().collect();
        all.sort_by_key(|(_, block)| block.at);
        let lines = all.iter().map(|(id, block)| format!("{id} {} {}", block.parent, block.hash));
        tree.hash = hash_of(&lines.collect::<Vec<_>>().join("\n"));
        Some(tree)
    }

    /// Adds a block with those in it, and takes them out of the value.
    fn collect(&mut self, node: &mut Value, parent: &str, left: usize) -> Option<()> {
        let left = left.checked_sub(1)?;
        let id = node.get("ID").and_then(Value::as_str).unwrap_or_default().to_owned();
        let at = self.blocks.len();
        if !id.is_empty() {
            // The place in the order is taken before the blocks inside.
            let held = TreeBlock { hash: String::new(), parent: parent.to_owned(), at };
            self.blocks.insert(id.clone(), held);
        }
        if let Some(database) = node.get("AttributeViewID").and_then(Value::as_str) {
            self.databases.insert(database.to_owned());
        }
        if let Some(properties) = node.get_mut("Properties").and_then(Value::as_object_mut) {
            IGNORED.iter().for_each(|name| _ = properties.shift_remove(*name));
        }
        let above = if id.is_empty() { parent } else { id.as_str() };
        if let Some(children) = node.get_mut("Children").and_then(Value::as_array_mut) {
            for child in children.iter_mut() {
                self.collect(child, above, left)?;
            }
            children.retain(|it| it.get("ID").and_then(Value::as_str).is_none_or(str::is_empty));
        }
        if node.get("TextMarkBlockRefSubtype").and_then(Value::as_str) == Some("d")
            && let Some(fields) = node.as_object_mut()
        {
            fields.shift_remove("TextMarkTextContent");
        }
        if let Some(block) = self.blocks.get_mut(&id) {
            // The fields beside the properties of a document are about the file.
            let own = if parent.is_empty() { node.get("Properties").unwrap_or(node) } else { node };
            block.hash = hash_of(&own.to_string());
        }
        Some(())
    }

    /// The blocks that differ between two states, by id.
    pub(crate) fn changes<'a>(&'a self, after: &'a BlockTree) -> Vec<BlockChange<'a>> {
        let hash = |tree: &'a BlockTree, id: &str| tree.blocks.get(id).map(|it| it.hash.as_str());
        let moved = self.moved(after);
        let places = after.places(&moved);
        let ids: BTreeSet<&String> = self.blocks.keys().chain(after.blocks.keys()).into_set();
        let change = |id: &'a String| {
            let (before, now) = (hash(self, id), hash(after, id));
            let kind = match (before, now) {
                (None, _) => ChangeKind::Created,
                (_, None) => ChangeKind::Removed,
                (before, now) if before != now => ChangeKind::Changed,
                _ if moved.contains(id.as_str()) => ChangeKind::Moved,
                _ => return None,
            };
            let (before, after) = (before.unwrap_or_default(), now.unwrap_or_default());
            Some(BlockChange { id, kind, before, after, place: places.get(id.as_str()).cloned() })
        };
        ids.into_iter().filter_map(change).collect()
    }

    /// The ids of the blocks around a block, from the inside, without the document.
    pub(crate) fn around<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a str> {
        let above = |id: &str| self.blocks.get(id).map(|it| it.parent.as_str());
        let is_block = move |id: &&str| above(id).is_some_and(|parent| !parent.is_empty());
        std::iter::successors(above(id).filter(is_block), move |id| above(id).filter(is_block)).take(DEEPEST)
    }

    /// The place of a block: its parent and the block before it.
    pub(crate) fn place(&self, id: &str) -> Option<String> {
        let (id, _) = self.blocks.get_key_value(id)?;
        self.places(&BTreeSet::from([id.as_str()])).remove(id.as_str())
    }

    /// The places of some blocks.
    fn places<'i>(&self, ids: &BTreeSet<&'i str>) -> BTreeMap<&'i str, String> {
        let mut last: BTreeMap<&str, &str> = BTreeMap::new();
        let mut places = BTreeMap::new();
        if ids.is_empty() {
            return places;
        }
        let mut all: Vec<(&String, &TreeBlock)> = self.blocks.iter().collect();
        all.sort_unstable_by_key(|(_, block)| block.at);
        for (id, block) in all {
            let previous = last.insert(&block.parent, id).unwrap_or_default();
            if let Some(id) = ids.get(id.as_str()) {
                places.insert(*id, hash_of(&format!("{} {previous}", block.parent)));
            }
        }
        places
    }

    /// The blocks of both states that have another parent, or another place among their siblings.
    fn moved<'a>(&'a self, after: &'a BlockTree) -> BTreeSet<&'a str> {
        let mut siblings: BTreeMap<&str, Vec<(usize, usize, &str)>> = BTreeMap::new();
        let mut moved = BTreeSet::new();
        for (id, block) in &self.blocks {
            match after.blocks.get(id) {
                Some(now) if now.parent == block.parent => {
                    siblings.entry(&block.parent).or_default().push((block.at, now.at, id));
                }
                Some(_) => _ = moved.insert(id.as_str()),
                None => {}
            }
        }
        for mut group in siblings.into_values() {
            group.sort_unstable();
            let places: Vec<usize> = group.iter().map(|(_, now, _)| *now).collect();
            let kept = longest_rising(&places);
            moved.extend(group.iter().filter(|(_, now, _)| !kept.contains(now)).map(|(_, _, id)| *id));
        }
        moved
    }
}

/// A block that differs between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockChange<'a> {
    pub(crate) id: &'a str,
    pub(crate) kind: ChangeKind,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    /// The place of a block that moved, and perhaps changed too.
    pub(crate) place: Option<String>,
}

/// The longest rising part of a list of different numbers.
fn longest_rising(numbers: &[usize]) -> BTreeSet<usize> {
    // The lowest end of a rising part of each length, and the number before each number in its part.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    for number in numbers {
        let length = ends.partition_point(|end| end < number);
        if let Some(previous) = length.checked_sub(1).and_then(|at| ends.get(at)) {
            before.insert(*number, *previous);
        }
        match ends.get_mut(length) {
            Some(end) => *end = *number,
            None => ends.push(*number),
        }
    }
    let mut kept = BTreeSet::new();
    let mut next = ends.last().copied();
    while let Some(number) = next {
        kept.insert(number);
        next = before.get(&number).copied();
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn block(id: &str, text: &str, updated: &str) -> Value {
        json!({
            "ID": id, "Type": "NodeParagraph", "Properties": { "id": id, "updated": updated },
            "Children": [{ "Type": "NodeText", "Data": text }],
        })
    }

    fn document(children: &[Value]) -> BlockTree {
        let file = json!({
            "ID": "doc", "Type": "NodeDocument", "Properties": { "title": "Mint", "updated": "1", "scroll": "2" },
            "Children": children,
        });
        BlockTree::parse(file.to_string().as_bytes()).unwrap()
    }

    fn changes_of(before: &[Value], after: &[Value]) -> Vec<(String, ChangeKind)> {
        let (before, after) = (document(before), document(after));
        before.changes(&after).into_iter().map(|it| (it.id.to_owned(), it.kind)).collect()
    }

    #[test]
    fn changes_name_each_block_once() {
        let [a, b, c] = ["a", "b", "c"].map(|id| block(id, "x", "1"));
        let of = |id: &str, kind| vec![(id.to_owned(), kind)];
        let all = [a.clone(), b.clone(), c.clone()];
        assert_eq!(changes_of(&all, &all), []);
        // Another time of change is no change.
        assert_eq!(changes_of(&all, &[block("a", "x", "2"), b.clone(), c.clone()]), []);
        assert_eq!(
            changes_of(&all, &[block("a", "y", "1"), b.clone(), c.clone()]),
            of("a", ChangeKind::Changed)
        );
        assert_eq!(changes_of(&all, &[a.clone(), c.clone()]), of("b", ChangeKind::Removed));
        assert_eq!(changes_of(&[a.clone(), c.clone()], &all), of("b", ChangeKind::Created));
        assert_eq!(changes_of(&all, &[c.clone(), a.clone(), b.clone()]), of("c", ChangeKind::Moved));
        let quote = json!({ "ID": "q", "Type": "NodeBlockquote", "Properties": {}, "Children": [c.clone()] });
        let expected = [("c".to_owned(), ChangeKind::Moved), ("q".to_owned(), ChangeKind::Created)];
        assert_eq!(changes_of(&all, &[a, b, quote]), expected);
    }

    #[test]
    fn the_hash_of_a_document_follows_text_and_order() {
        let [a, b] = ["a", "b"].map(|id| block(id, "x", "1"));
        let hash = document(&[a.clone(), b.clone()]).hash;
        assert_eq!(hash, document(&[block("a", "x", "9"), b.clone()]).hash);
        assert_ne!(hash, document(&[b.clone(), a.clone()]).hash);
        let referring = |text: &str, kind: &str| {
            let reference = json!({ "Type": "NodeTextMark", "TextMarkBlockRefSubtype": kind, "TextMarkTextContent": text });
            let mut block = a.clone();
            block["Children"] = json!([reference]);
            document(&[block, b.clone()]).hash
        };
        assert_eq!(referring("x", "d"), referring("y", "d"));
        assert_ne!(referring("x", "s"), referring("y", "s"));
        assert_eq!(hash.len(), DIGITS);
        assert_eq!(BlockTree::parse(b"{}"), None);
    }
}
