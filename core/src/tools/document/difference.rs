//! The difference between two versions of a document, by their top-level blocks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::content::stored::Block;
use crate::sorted::IntoSorted as _;

/// The maximum number of blocks of each kind, and of characters of each.
const SHOWN: (usize, usize) = (10, 120);

/// Lists the top-level blocks that are removed, added and changed. A list has one more entry than [`shown`] returns if
/// there are more.
pub(super) fn between(old: &[Block], new: &[Block]) -> [Vec<Value>; 3] {
    let by_id = |blocks: &[Block]| -> BTreeMap<String, String> {
        blocks.iter().map(|it| (it.id.clone(), it.markdown.clone())).into_map()
    };
    let (before, after) = (by_id(old), by_id(new));
    let told = |it: &&Block| {
        let text: String = it.markdown.chars().take(SHOWN.1).collect();
        json!({ "id": it.id, "text": text })
    };
    let some = |blocks: &[Block], of: &dyn Fn(&Block) -> bool| -> Vec<Value> {
        blocks.iter().filter(|it| of(it)).take(SHOWN.0 + 1).map(|it| told(&it)).collect()
    };
    [
        some(old, &|it| !after.contains_key(&it.id)),
        some(new, &|it| !before.contains_key(&it.id)),
        some(new, &|it| before.get(&it.id).is_some_and(|was| *was != it.markdown)),
    ]
}

/// Returns the entries of a list that a preview shows.
pub(super) fn shown(mut entries: Vec<Value>) -> Vec<Value> {
    entries.truncate(SHOWN.0);
    entries
}
