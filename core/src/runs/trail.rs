//! The changes that a run, or one call of it, made to each block of a document, one after the other.

use std::collections::BTreeMap;

use super::record::{ChangeKind, ChangedThing, RunRecord};

/// The changes of one block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BlockTrail {
    /// The hash before the first change; empty for a block that did not exist.
    pub(crate) before: String,
    /// The hash after the last change; empty for a block that is gone.
    pub(crate) after: String,
    /// The place after the last move, if it moved.
    pub(crate) place: Option<String>,
    /// Whether somebody else changed it between two of the changes, or it left and came back.
    pub(crate) is_broken: bool,
}

/// The blocks of a document that a run changed, by id; the document's own properties have its id. `None` if the run
/// changed so much that not every block is recorded.
pub(crate) fn trails(
    run: &RunRecord,
    document: &str,
    call: Option<usize>,
) -> Option<BTreeMap<String, BlockTrail>> {
    let mut all: BTreeMap<String, BlockTrail> = BTreeMap::new();
    let is_of_it = |what, within: &str| what == ChangedThing::Block && within == document;
    for it in run.changes.iter().filter(|it| is_of_it(it.what, &it.r#in)) {
        if call.is_some_and(|call| call != it.call) {
            continue;
        }
        let is_new = !all.contains_key(&it.id);
        let trail = all.entry(it.id.clone()).or_default();
        if is_new {
            trail.before.clone_from(&it.before);
        } else {
            trail.is_broken |= trail.after != it.before || trail.after.is_empty();
        }
        trail.after.clone_from(&it.after);
        if !it.place.is_empty() && !it.before.is_empty() && it.kind != ChangeKind::Created {
            trail.place = Some(it.place.clone());
        }
    }
    (run.more == 0).then_some(all)
}
