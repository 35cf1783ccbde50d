//! Blocks among the children of one parent: the place that moved ones get, and whether they already stand there.

use super::position::Position;
use crate::kernel::Route;
use crate::kernel::api::block::TreeInfos;
use crate::prelude::*;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[block::GET_TAIL_CHILD_BLOCKS];

/// The block behind which the first of the moved blocks goes, itself none of them; `None` for the front.
pub(super) async fn behind(
    position: Position,
    target: &BlockId,
    moved: &[BlockId],
    infos: &TreeInfos,
    cx: &Cx<'_>,
) -> Result<Option<BlockId>, ToolError> {
    cx.declares(CALLS)?;
    let is_moved = |id: &str| moved.iter().any(|it| it.as_str() == id);
    let previous = |id: &str| infos.get(id).map(|it| it.previous.as_str()).unwrap_or_default();
    match position {
        Position::After => Ok(Some(target.clone())),
        Position::First => Ok(None),
        Position::Before => {
            let mut before = previous(target.as_str());
            // Each step passes one of the blocks.
            for _ in moved {
                before = if is_moved(before) { previous(before) } else { before };
            }
            Ok(BlockId::parse(before))
        }
        Position::Last => {
            let tail = cx.ask(block::get_tail_child_blocks(target, moved.len() + 1)).await?;
            Ok(tail.iter().find(|it| !is_moved(&it.id)).and_then(|it| BlockId::parse(&it.id)))
        }
    }
}

/// Whether blocks already stand one behind the other at a place.
pub(super) fn stand_there(
    ids: &[BlockId],
    parent: &BlockId,
    behind: Option<&BlockId>,
    infos: &TreeInfos,
) -> bool {
    let before = std::iter::once(behind).chain(ids.iter().map(Some));
    ids.iter().zip(before).all(|(id, before)| {
        let before = before.map(BlockId::as_str).unwrap_or_default();
        infos.get(id.as_str()).is_some_and(|it| it.parent == parent.as_str() && it.previous == before)
    })
}
