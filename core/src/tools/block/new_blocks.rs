//! New texts as blocks, in one change with its way back.

use std::collections::BTreeSet;

use futures_util::future::join_all;

use super::shape::{self, ITEM};
use crate::content::spun::{self, SpunBlock};
use crate::content::{block_dom, incoming, way_back, written};
use crate::kernel::Route;
use crate::kernel::api::transactions::{BlockPlace, RemovedBlock, Reversible};
use crate::prelude::*;

/// The routes that these helpers call.
pub(in crate::tools) const CALLS: &[Route] = crate::calls![
    &[block::GET_TAIL_CHILD_BLOCKS, block::APPEND_BLOCK, block::PREPEND_BLOCK],
    shape::CALLS,
    spun::CALLS,
    way_back::CALLS,
];

/// The side of a block, or the end of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::tools) enum Side {
    /// Before the block.
    Before,
    /// Behind it.
    After,
    /// Before everything in it.
    Start,
    /// Behind everything in it.
    End,
}

/// A checked text with its place.
pub(in crate::tools) struct NewText<'t> {
    pub(in crate::tools) markdown: &'t str,
    pub(in crate::tools) side: Side,
    /// The block that the place is seen from.
    pub(in crate::tools) id: &'t BlockId,
    pub(in crate::tools) doc: Option<&'t DocId>,
    /// Whether it is to stand in a list, as items.
    pub(in crate::tools) in_list: bool,
}

/// Adds texts, all or none; the ids of the new blocks come in the order of the texts. `None`, before anything is
/// written, if one of the texts or places must be left to the kernel.
pub(in crate::tools) async fn add(
    texts: &[NewText<'_>],
    cx: &Cx<'_>,
) -> Result<Option<Vec<Vec<String>>>, ToolError> {
    cx.declares(CALLS)?;
    if texts.iter().any(|it| incoming::for_editor(it.markdown).is_none()) {
        return Ok(None);
    }
    // The kernel says what is wrong with a place that is no longer there.
    let Ok(Some(places)) = places(texts, cx).await else { return Ok(None) };
    let all: Result<Vec<_>, ToolError> =
        join_all(texts.iter().map(|it| new_blocks(it, cx))).await.into_iter().collect();
    let Some(all) = all?.into_iter().collect::<Option<Vec<Vec<SpunBlock>>>>() else { return Ok(None) };
    let (mut change, mut ids) = (Reversible::new(), Vec::with_capacity(texts.len()));
    for (BlockPlace { parent, mut previous }, blocks) in places.into_iter().zip(all) {
        let mut added = Vec::with_capacity(blocks.len());
        for SpunBlock { id, dom, .. } in blocks {
            let place = BlockPlace { parent: parent.clone(), previous: previous.replace(id.clone()) };
            change.insert_last(RemovedBlock { id: id.clone(), dom, place });
            added.push(id);
        }
        ids.push(added);
    }
    let documents: BTreeSet<DocId> = texts.iter().filter_map(|it| it.doc.cloned()).collect();
    way_back::make(&change, &ids.concat(), &documents, cx).await?;
    Ok(Some(ids.iter().map(|it| it.iter().map(ToString::to_string).collect()).collect()))
}

/// Adds a text at an end of a document, with one transaction where that is possible; the ids of the new blocks.
pub(in crate::tools) async fn add_to(
    doc: &DocId,
    markdown: &str,
    at_end: bool,
    cx: &Cx<'_>,
) -> Result<Vec<String>, ToolError> {
    let (id, side) = (doc.block(), if at_end { Side::End } else { Side::Start });
    let text = NewText { markdown, side, id: &id, doc: Some(doc), in_list: false };
    if let Some(ids) = add(&[text], cx).await? {
        return Ok(ids.concat());
    }
    let add = if at_end { block::append_block } else { block::prepend_block };
    written::ids(&cx.ask(add(doc, markdown)).await?)
}

/// The places in the kernel's terms. `None` if two texts go into one, or a text to the front of an item: before the box
/// of a task.
async fn places(texts: &[NewText<'_>], cx: &Cx<'_>) -> Result<Option<Vec<BlockPlace>>, ToolError> {
    let beside = texts.iter().filter(|it| matches!(it.side, Side::Before | Side::After));
    let infos = shape::infos(&beside.map(|it| it.id.clone()).collect::<Vec<_>>(), cx).await?;
    let mut places: Vec<BlockPlace> = Vec::with_capacity(texts.len());
    for NewText { side, id, .. } in texts {
        let place = match side {
            Side::Before => {
                let is_front =
                    infos.get(id.as_str()).is_some_and(|it| it.parent_kind == ITEM && it.previous.is_empty());
                way_back::place(id, &infos).filter(|_| !is_front)
            }
            Side::After => way_back::place(id, &infos)
                .map(|it| BlockPlace { parent: it.parent, previous: Some((*id).clone()) }),
            Side::Start => Some(BlockPlace { parent: (*id).clone(), previous: None }),
            Side::End => {
                let tail = cx.ask(block::get_tail_child_blocks(*id, 1)).await?;
                let previous = tail.first().and_then(|it| BlockId::parse(&it.id));
                Some(BlockPlace { parent: (*id).clone(), previous })
            }
        };
        match place.filter(|it| !places.contains(it)) {
            Some(place) => places.push(place),
            None => return Ok(None),
        }
    }
    Ok(Some(places))
}

/// The blocks of a text; in a list its items.
async fn new_blocks(text: &NewText<'_>, cx: &Cx<'_>) -> Result<Option<Vec<SpunBlock>>, ToolError> {
    let blocks = spun::spin(text.markdown, "", cx).await?;
    let Some(blocks) = blocks.filter(|it| !it.is_empty()) else { return Ok(None) };
    if !text.in_list {
        return Ok(Some(blocks));
    }
    let [list] = blocks.as_slice() else { return Ok(None) };
    // Tasks at the front make a task list of any list, which the way back would not undo.
    let is_task = |it: &SpunBlock| block_dom::attribute(block_dom::first_tag(&it.dom), "data-task").is_some();
    let items = spun::items(list).filter(|it| text.side != Side::Start || !it.iter().any(is_task));
    Ok(items)
}
