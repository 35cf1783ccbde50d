//! The difference between two versions of a document, by their top-level blocks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::ask::Texts;
use crate::content::stored::StoredBlock;
use crate::sorted::IntoSorted as _;

/// The maximum number of blocks of each kind, and of characters of each.
const SHOWN: (usize, usize) = (10, 120);

/// Blocks: the first ones as a preview shows them, and the number of all.
#[derive(Debug)]
pub(super) struct BlockSample {
    pub(super) first: Vec<Value>,
    n: u64,
}

/// Lists the top-level blocks that are removed, added and changed.
pub(super) fn between(old: &[StoredBlock], new: &[StoredBlock]) -> [BlockSample; 3] {
    let by_id = |blocks: &[StoredBlock]| -> BTreeMap<String, String> {
        blocks.iter().map(|it| (it.id.clone(), it.markdown.clone())).into_map()
    };
    let (before, after) = (by_id(old), by_id(new));
    let entry = |it: &&StoredBlock| {
        let text: String = it.markdown.chars().take(SHOWN.1).collect();
        json!({ "id": it.id, "text": text })
    };
    let some = |blocks: &[StoredBlock], of: &dyn Fn(&StoredBlock) -> bool| {
        let all = || blocks.iter().filter(|it| of(it));
        BlockSample { first: all().take(SHOWN.0).map(|it| entry(&it)).collect(), n: all().count() as u64 }
    };
    [
        some(old, &|it| !after.contains_key(&it.id)),
        some(new, &|it| !before.contains_key(&it.id)),
        some(new, &|it| before.get(&it.id).is_some_and(|was| *was != it.markdown)),
    ]
}

impl BlockSample {
    /// Their texts, for a question.
    pub(super) fn texts(&self) -> Texts {
        Texts { n: self.n, ..Texts::of_entries(&self.first) }
    }
}
