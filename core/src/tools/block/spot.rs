//! The spot of a new text: the block before, behind or into which the kernel is to put it.

use std::collections::BTreeMap;

use super::adding::new_ids;
use super::new_blocks::{NewText, Side};
use super::position::Position;
use super::shape::{self, DOCUMENT, ITEM, LIST};
use crate::content::written;
use crate::kernel::Route;
use crate::kernel::api::block::{Anchor, NewBlock, Transaction};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[
    block::GET_BLOCK_TREE_INFOS,
    block::GET_CHILD_BLOCKS,
    block::GET_TAIL_CHILD_BLOCKS,
    block::APPEND_BLOCK,
    block::PREPEND_BLOCK,
    block::INSERT_BLOCK,
    block::BATCH_INSERT_BLOCK,
];

/// The spot of a new text, as the kernel gets it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct InsertPoint {
    side: Side,
    /// The block that it is seen from.
    id: BlockId,
    /// Whether the text is to stand in a list, as items.
    in_list: bool,
    /// Whether it is to stand between the document's own blocks.
    pub(super) is_top: bool,
}

impl InsertPoint {
    /// The spot at a position whose parent is of this node type. `alone` says that the text is the only one: into
    /// several containers at once the kernel puts text as a child without regard to their types.
    pub(super) async fn at(
        position: Position,
        target: &BlockId,
        parent_kind: &str,
        alone: bool,
        cx: &Cx<'_>,
    ) -> Result<InsertPoint, ToolError> {
        cx.declares(CALLS)?;
        shape::check_takes_markdown("target", parent_kind)?;
        let is_plain = matches!(parent_kind, DOCUMENT | "NodeBlockquote" | "NodeCallout");
        let own = || target.clone();
        let beside = |side, child: Option<BlockId>| child.map_or((Side::Start, own()), |id| (side, id));
        let (side, id) = match position {
            Position::Before => (Side::Before, own()),
            Position::After => (Side::After, own()),
            Position::First if is_plain || (alone && parent_kind != ITEM) => (Side::Start, own()),
            Position::First => beside(Side::Before, shape::first_child(target, cx).await?),
            Position::Last if alone => (Side::End, own()),
            Position::Last => {
                let tail = cx.ask(block::get_tail_child_blocks(target, 1)).await?;
                beside(Side::After, tail.first().and_then(|it| BlockId::parse(&it.id)))
            }
        };
        Ok(InsertPoint { side, id, in_list: parent_kind == LIST, is_top: parent_kind == DOCUMENT })
    }

    /// The block that it is seen from.
    pub(super) fn id(&self) -> &BlockId {
        &self.id
    }

    /// The list item beside which it is.
    pub(super) fn item_beside(&self) -> Option<&BlockId> {
        let is_beside = matches!(self.side, Side::Before | Side::After);
        (is_beside && self.in_list).then_some(&self.id)
    }

    /// A text here, in this document.
    pub(super) fn text<'t>(&'t self, markdown: &'t str, doc: Option<&'t DocId>) -> NewText<'t> {
        NewText { markdown, side: self.side, id: &self.id, doc, in_list: self.in_list }
    }

    fn request<'t>(&'t self, text: &'t str) -> NewBlock<'t> {
        let anchor = match self.side {
            Side::Before => Anchor::Before(&self.id),
            Side::After => Anchor::After(&self.id),
            Side::Start | Side::End => Anchor::Into(&self.id),
        };
        NewBlock::at(anchor, text)
    }

    /// Inserts a text alone.
    pub(super) async fn insert(&self, text: &str, cx: &Cx<'_>) -> Result<Vec<Transaction>, ToolError> {
        cx.declares(CALLS)?;
        match self.side {
            Side::Start => cx.ask(block::prepend_block(&self.id, text)).await,
            Side::End => cx.ask(block::append_block(&self.id, text)).await,
            Side::Before | Side::After => cx.ask(block::insert_block(&self.request(text))).await,
        }
    }

    /// The ids of the new blocks in a reply.
    pub(super) fn new_ids(&self, reply: &[Transaction]) -> Result<Vec<String>, ToolError> {
        Ok(new_ids(written::elements(reply)?, self.in_list))
    }
}

/// Inserts texts at once; the replies come in the order of the texts.
pub(super) async fn insert_all(
    texts: &[(&InsertPoint, &str)],
    cx: &Cx<'_>,
) -> Result<Vec<Vec<Transaction>>, ToolError> {
    cx.declares(CALLS)?;
    // Blocks that are put behind or into the same one come out in reverse order.
    let is_before = |at: &usize| texts.get(*at).is_some_and(|(spot, _)| spot.side == Side::Before);
    let (before, others): (Vec<usize>, Vec<usize>) = (0..texts.len()).partition(is_before);
    let order: Vec<usize> = before.into_iter().chain(others.into_iter().rev()).collect();
    let sorted = order.iter().filter_map(|at| texts.get(*at));
    let new: Vec<NewBlock<'_>> = sorted.map(|(spot, text)| spot.request(text)).collect();
    let replies = cx.ask(block::batch_insert_block(NonEmpty::of(&new).ok_or_else(ToolError::not_found)?));
    let mut replies: BTreeMap<usize, Transaction> = order.into_iter().zip(replies.await?).into_map();
    Ok((0..texts.len()).map(|at| replies.remove(&at).into_iter().collect()).collect())
}
