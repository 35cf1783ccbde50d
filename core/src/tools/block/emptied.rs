//! Containers that blocks leave empty: the kernel removes them, so a way back must bring them again.

use std::collections::{BTreeMap, BTreeSet};

use super::shape::{self, DOCUMENT, ITEM, LIST};
use crate::content::{block_dom, way_back};
use crate::kernel::Route;
use crate::kernel::api::block::TreeInfos;
use crate::kernel::api::transactions::{BlockPlace, RemovedBlock, Reversible};
use crate::prelude::*;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = shape::CALLS;

/// The maximum depth of containers that are looked at.
const DEEPEST: usize = 64;

/// The way in which blocks leave their containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaving {
    /// They are deleted.
    Deleted,
    /// They move.
    Moved,
}

/// A container that disappears because everything in it leaves.
#[derive(Debug)]
pub(super) struct EmptiedContainer {
    pub(super) id: BlockId,
    pub(super) place: BlockPlace,
    /// The blocks that leave it.
    pub(super) leaving: Vec<BlockId>,
}

/// The containers that blocks leave empty, outermost ones only.
#[derive(Debug, Default)]
pub(super) struct Emptied {
    /// Those that disappear.
    pub(super) gone: Vec<EmptiedContainer>,
    /// Those to which the kernel gives an empty paragraph.
    filled: BTreeSet<BlockId>,
}

/// Finds the containers that these blocks leave empty, if they do not go to this parent. It costs a request only if
/// some are left empty.
pub(super) async fn by(
    leaving: &[BlockId],
    how: Leaving,
    target: Option<&BlockId>,
    infos: &TreeInfos,
    cx: &Cx<'_>,
) -> Result<Emptied, ToolError> {
    cx.declares(CALLS)?;
    let mut infos = infos.clone();
    let mut outermost: BTreeMap<BlockId, Vec<BlockId>> =
        leaving.iter().map(|id| (id.clone(), vec![id.clone()])).collect();
    let mut filled = BTreeSet::new();
    for _ in 0..DEEPEST {
        let mut by_parent: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for id in outermost.keys() {
            let parent = infos.get(id.as_str()).and_then(|it| BlockId::parse(&it.parent));
            if let Some(parent) = parent.filter(|it| Some(it) != target) {
                by_parent.entry(parent).or_default().push(id.clone());
            }
        }
        by_parent.retain(|_, children| are_all(children, &infos));
        let kind = |children: &[BlockId]| {
            let first = children.first().and_then(|id| infos.get(id.as_str()));
            first.map(|it| it.parent_kind.clone()).unwrap_or_default()
        };
        let mut gone = Vec::new();
        for (parent, children) in by_parent {
            match kind(&children).as_str() {
                DOCUMENT => drop(filled.insert(parent)),
                ITEM if how == Leaving::Deleted => drop(filled.insert(parent)),
                LIST | ITEM | "NodeBlockquote" | "NodeSuperBlock" => gone.push((parent, children)),
                // A callout stays, without text.
                _ => {}
            }
        }
        if gone.is_empty() {
            break;
        }
        let parents: Vec<BlockId> = gone.iter().map(|(parent, _)| parent.clone()).collect();
        infos.extend(shape::infos(&parents, cx).await?);
        for (parent, children) in gone {
            let inner = children.iter().filter_map(|id| outermost.remove(id)).flatten().collect();
            outermost.insert(parent, inner);
        }
    }
    let mut gone = Vec::new();
    for (id, inner) in outermost.into_iter().filter(|(id, _)| !leaving.contains(id)) {
        let place = way_back::place(&id, &infos).ok_or_else(ToolError::not_found)?;
        gone.push(EmptiedContainer { id, place, leaving: inner });
    }
    Ok(Emptied { gone, filled })
}

/// Whether these siblings are all children of their parent.
fn are_all(siblings: &[BlockId], infos: &TreeInfos) -> bool {
    let info = |id: &str| infos.get(id).filter(|_| siblings.iter().any(|it| it.as_str() == id));
    let first = siblings.iter().find(|id| info(id.as_str()).is_some_and(|it| it.previous.is_empty()));
    let mut at = first.map(BlockId::as_str).unwrap_or_default();
    for passed in 1..=siblings.len() {
        let Some(it) = info(at) else { return false };
        if it.next.is_empty() {
            return passed == siblings.len();
        }
        at = it.next.as_str();
    }
    false
}

impl Emptied {
    /// Gives the documents and items that would be empty a paragraph.
    pub(super) fn fill(&self, change: &mut Reversible, cx: &Cx<'_>) -> Result<(), ToolError> {
        for parent in &self.filled {
            let id = way_back::fresh_id(cx)?;
            let place = BlockPlace { parent: parent.clone(), previous: None };
            change.insert_last(RemovedBlock { dom: block_dom::blank(&id), id, place });
        }
        Ok(())
    }
}

/// Refuses to empty a container that is a row: with it the row would go, and the plan does not say so.
pub(super) fn check_no_row(id: &BlockId, dom: &str) -> Result<(), ToolError> {
    match block_dom::attribute(block_dom::first_tag(dom), "custom-avs") {
        None => Ok(()),
        Some(_) => Err(ToolError::field(
            "ids",
            "fewer blocks, or the container itself: nothing would be left in it, and it is a row of a database",
        )
        .with("row", id.as_str())),
    }
}
