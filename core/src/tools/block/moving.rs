//! The move of blocks as a change with its way back, also out of containers that disappear with it.

use std::collections::BTreeMap;

use super::emptied::{self, Leaving};
use super::shape;
use super::source::BlockInDoc;
use crate::content::{block_dom, way_back};
use crate::kernel::api::block::TreeInfos;
use crate::kernel::api::transactions::{BlockPlace, MovedBlock, RemovedBlock, Reversible};
use crate::prelude::*;

/// The move of blocks into a parent, one after the other. A container in which nothing is left disappears with it. The
/// way back needs it, with a block that marks the place of each that left: the kernel would give a known id another one.
pub(super) async fn moving(
    blocks: &[BlockInDoc],
    infos: &TreeInfos,
    parent: &BlockId,
    behind: Option<BlockId>,
    cx: &Cx<'_>,
) -> Result<Reversible, ToolError> {
    let ids: Vec<BlockId> = blocks.iter().map(|(id, _)| id.clone()).collect();
    let emptied = emptied::by(&ids, Leaving::Moved, Some(parent), infos, cx).await?;
    let containers: Vec<BlockInDoc> = emptied.gone.iter().map(|it| (it.id.clone(), None)).collect();
    let mut doms = way_back::doms(&containers, cx).await?;
    let (mut change, mut marks) = (Reversible::new(), BTreeMap::new());
    for container in &emptied.gone {
        let dom = doms.remove(&container.id).ok_or_else(ToolError::not_found)?;
        emptied::check_no_row(&container.id, &dom)?;
        let mut parts = Vec::new();
        for block in block_dom::blocks(&dom) {
            let Some(id) = container.leaving.iter().find(|id| id.as_str() == block.id) else { continue };
            let mark = way_back::fresh_id(cx)?;
            let is_item = infos.get(id.as_str()).is_some_and(|it| it.kind == shape::ITEM);
            let shown = match is_item {
                true => block_dom::blank_item(&mark, &way_back::fresh_id(cx)?),
                false => block_dom::blank(&mark),
            };
            let place = way_back::place(id, infos).ok_or_else(ToolError::not_found)?;
            let place = BlockPlace { previous: Some(id.clone()), ..place };
            change.insert_first(RemovedBlock { id: mark.clone(), dom: shown.clone(), place });
            parts.push((block.whole, shown));
            marks.insert(id.clone(), (mark, container.id.clone()));
        }
        let (id, place) = (container.id.clone(), container.place.clone());
        change.delete_last(RemovedBlock { id, dom: block_dom::replaced(&dom, parts), place });
    }
    let mut previous = behind;
    for id in ids {
        let mut from = way_back::place(&id, infos).ok_or_else(ToolError::not_found)?;
        let mut with = None;
        if let Some((mark, container)) = marks.remove(&id) {
            (from.previous, with) = (Some(mark), Some(container));
        }
        let to = BlockPlace { parent: parent.clone(), previous: previous.replace(id.clone()) };
        change.move_block(MovedBlock { id, from, with, to });
    }
    emptied.fill(&mut change, cx)?;
    Ok(change)
}
