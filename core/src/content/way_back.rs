//! Changes of blocks with their way back: which ones have one, and the proof that a change was made.
//!
//! A person takes such a change back with Ctrl+Z, one step of the document's undo log like their own. They may do so
//! long after, and other changes do not enter that log: texts that agents write, sync, other plugins. So a change goes
//! this way only if its way back cannot harm what came later. It should not fail either: SiYuan keeps a failed step, and
//! the person's older ones stay out of reach. These changes are made without a way back:
//!
//! - `block.set_heading_level` and `block.set_task`, and a section whose levels change: the log knows an update of the
//!   whole block only, so the way back would contain the text before.
//! - Moves into another document: the way back fails once one of the two is removed.
//! - Moves from or to the front of a block: SiYuan breaks one that holds no others any more.
//! - Blocks that leave a list, quote or item empty: SiYuan removes it, so the way back has no place to put them. The
//!   first block of a quote comes back before the mark of the quote.
//! - Folded headings, blocks that these hide, and blocks next to hidden ones: SiYuan moves hidden blocks along, and the
//!   editor does not show what is put after them.
//! - Databases, because SiYuan changes the documents of their rows with them.
//! - Attributes of documents, and of blocks that display other attributes: when one changes, an open editor hides the
//!   others.
//! - Changes in several documents, which the page would show in one of them.
//! - More than [`MOST_BLOCKS`] blocks, or [`MOST_MOVED`] that move: the kernel writes its table of all blocks of the
//!   document for each.
//! - Changes beyond the share of agents in the log of a document
//!   ([`takes_undo_entry`](crate::cx::Cx::takes_undo_entry)).
//!
//! These limits remain while texts do not go through the log:
//!
//! - A block comes back after the neighbour that it had, also where that has left for another document. If it does not
//!   exist any more, a deleted block does not come back.
//! - A moved block that has left for another document comes back from there.
//! - The way back of a move fails if the block or its neighbour does not exist any more or became a document, and that of
//!   a deletion if the neighbour became one. Then nothing changes.
//! - A deleted block that a rollback has brought back comes back a second time, with another id.
//! - An attribute gets the value that it had, whatever it was set to later.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use serde_json::Value;

use crate::content::block_dom;
use crate::content::written::OUTCOME;
use crate::cx::Cx;
use crate::error::{ErrorType, ToolError};
use crate::id::{BlockId, DocId};
use crate::kernel::api::block::{TreeInfo, TreeInfos};
use crate::kernel::api::transactions::{BlockPlace, RemovedBlock, Reversible};
use crate::kernel::api::{attr, block, transactions};
use crate::kernel::{NonEmpty, Route};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[transactions::TRANSACTIONS, attr::BATCH_GET_BLOCK_ATTRS];
/// The route of [`removal`].
pub const READS: &[Route] = &[block::GET_BLOCK_DOMS];

/// The number of blocks from which the editor DOM of the whole document is read once, because the kernel loads the
/// document again for each block.
const WHOLE: usize = 3;

/// The maximum number of blocks, inner ones included, whose removal has a way back. It is sent and stored whole.
pub const MOST_BLOCKS: usize = 512;
/// The maximum number of blocks whose move has a way back. SiYuan writes its table of blocks four times for each.
pub const MOST_MOVED: usize = 16;

/// Facts that a plan read for the way back only: an approval does not cover them.
#[derive(Debug, Clone, Default)]
pub struct ForWayBack<T>(pub T);

impl<T> Hash for ForWayBack<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The parents in which the kernel puts a block back where it was.
fn takes_back(parent_kind: &str) -> bool {
    matches!(
        parent_kind,
        "NodeDocument" | "NodeList" | "NodeListItem" | "NodeBlockquote" | "NodeSuperBlock" | "NodeCallout"
    )
}

/// The places of blocks to which they can come back, if they leave for this parent or disappear. `None` if one of them
/// has none, or leaves its parent empty.
pub fn places(ids: &[BlockId], target: Option<&BlockId>, infos: &TreeInfos) -> Option<Vec<BlockPlace>> {
    let mut by_parent: BTreeMap<&str, Vec<&BlockId>> = BTreeMap::new();
    let mut places = Vec::with_capacity(ids.len());
    for id in ids {
        let info = infos.get(id.as_str()).filter(|it| takes_back(&it.parent_kind))?;
        let place = place(info)?;
        // SiYuan puts a block before the mark with which a quote begins.
        if info.parent_kind == "NodeBlockquote" && matches!(place, BlockPlace::FirstIn(_)) {
            return None;
        }
        places.push(place);
        // SiYuan gives an empty document a paragraph, which stays.
        if info.parent_kind != "NodeDocument" && target.is_none_or(|it| it.as_str() != info.parent) {
            by_parent.entry(&info.parent).or_default().push(id);
        }
    }
    let leaves_some = |siblings: &Vec<&BlockId>| !are_all(siblings, infos);
    by_parent.values().all(leaves_some).then_some(places)
}

/// The place of a block; `None` for a document.
pub fn place(info: &TreeInfo) -> Option<BlockPlace> {
    match BlockId::parse(&info.previous) {
        Some(previous) => Some(BlockPlace::After(previous)),
        None => Some(BlockPlace::FirstIn(BlockId::parse(&info.parent)?)),
    }
}

/// Whether these siblings are all children of their parent.
fn are_all(siblings: &[&BlockId], infos: &TreeInfos) -> bool {
    let ids: BTreeSet<&str> = siblings.iter().map(|it| it.as_str()).into_set();
    let has_other = |id: &str| !id.is_empty() && !ids.contains(id);
    let infos = siblings.iter().filter_map(|id| infos.get(id.as_str()));
    !infos.into_iter().any(|it| has_other(&it.previous) || has_other(&it.next))
}

/// The removal of blocks of a document from their places, if these are all blocks that it removes
/// (`GET_BLOCK_DOMS`).
pub async fn removal(
    document: &DocId,
    blocks: &[(BlockId, BlockPlace)],
    all: &BTreeSet<String>,
    cx: &Cx<'_>,
) -> Result<Option<Reversible>, ToolError> {
    cx.declares(READS)?;
    let asked: Vec<&str> = match blocks.len() < WHOLE {
        true => blocks.iter().map(|(id, _)| id.as_str()).collect(),
        false => vec![document.as_str()],
    };
    let doms = cx.ask(block::get_block_doms(&asked)).await?;
    let parts: BTreeMap<&str, &str> = doms.values().flat_map(|dom| block_dom::parts(dom)).into_map();
    let (mut removed, mut seen) = (Vec::new(), BTreeSet::new());
    for (id, place) in blocks {
        let Some(dom) = parts.get(id.as_str()).filter(|dom| block_dom::is_self_contained(dom)) else {
            return Ok(None);
        };
        seen.extend(block_dom::ids(dom));
        removed.push(RemovedBlock {
            id: id.clone(),
            dom: block_dom::without_rows(dom),
            place: place.clone(),
        });
    }
    let is_all = seen.len() == all.len() && all.iter().all(|id| seen.contains(id.as_str()));
    Ok(if is_all { Reversible::deletion(removed) } else { None })
}

/// Whether open editors show these blocks, and the neighbours of these places, as they are: no heading among the blocks
/// is folded, and no block is hidden by one (`BATCH_GET_BLOCK_ATTRS`).
pub async fn are_shown<'p>(
    blocks: &[BlockId],
    places: impl IntoIterator<Item = &'p BlockPlace>,
    cx: &Cx<'_>,
) -> Result<bool, ToolError> {
    cx.declares(CALLS)?;
    let neighbours = places.into_iter().filter_map(|it| match it {
        BlockPlace::After(id) => Some(id.clone()),
        BlockPlace::FirstIn(_) => None,
    });
    let all: BTreeSet<BlockId> = blocks.iter().cloned().chain(neighbours).into_set();
    let all: Vec<BlockId> = all.into_iter().collect();
    let Some(all) = NonEmpty::of(&all) else { return Ok(true) };
    let attrs = cx.ask(attr::batch_get_block_attrs(all)).await?;
    let has = |id: &BlockId, name: &str| attrs.get(id.as_str()).is_some_and(|it| it.get(name).is_some());
    // A folded list counts too: its attribute is the same.
    let is_folded = blocks.iter().any(|id| has(id, "fold"));
    let is_hidden = all.iter().any(|id| !attrs.contains_key(id.as_str()) || has(id, "heading-fold"));
    Ok(!is_folded && !is_hidden)
}

/// The document in which a change of these gets a step of the undo log; `None` if it gets none.
pub fn log_of<'d>(documents: &'d BTreeSet<DocId>, cx: &Cx<'_>) -> Option<&'d DocId> {
    let mut documents = documents.iter();
    let only = documents.next().filter(|_| documents.next().is_none())?;
    cx.takes_undo_entry(only).then_some(only)
}

/// Makes a change (`TRANSACTIONS`). The kernel reports success whether it made it or not: the caller looks.
pub async fn make(change: &Reversible, cx: &Cx<'_>) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    cx.ask(transactions::change_blocks(change, cx.ambient().now_ms())).await?;
    Ok(())
}

/// Lets the kernel read these blocks again (`TRANSACTIONS`). After a transaction that failed, its table of blocks and
/// its cached attributes show a part of it.
pub async fn refresh(blocks: &[BlockId], cx: &Cx<'_>) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    if let Some(blocks) = NonEmpty::of(blocks) {
        cx.ask(transactions::refresh(blocks)).await?;
    }
    Ok(())
}

/// The error for a change of which the kernel made nothing although it reported success.
pub fn not_made(cx: &Cx<'_>) -> ToolError {
    cx.taken_back();
    ToolError::conflict(
        "SiYuan reported success but changed nothing, because a block of this call does not exist any more. Read the blocks again, then retry.",
    )
}

/// The error for a change that nobody could look at afterwards.
pub fn unknown(error: &ToolError, cx: &Cx<'_>) -> ToolError {
    // The error itself says what is known of the write.
    cx.taken_back();
    let message = format!(
        "SiYuan reported success, but whether the change was made could not be checked: {} Read the blocks before you try again.",
        error.message
    );
    ToolError::new(ErrorType::Api, message).with(OUTCOME, "unknown")
}

/// Whether an attribute is shown next to its block.
pub fn is_badge(name: &str) -> bool {
    matches!(name, "name" | "alias" | "memo" | "bookmark" | "custom-avs")
}

/// Attribute values by name, from the kernel's answer.
pub fn values_of(attrs: Option<&Value>) -> BTreeMap<String, String> {
    let attrs = attrs.and_then(Value::as_object).into_iter().flatten();
    attrs.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).into_map()
}
