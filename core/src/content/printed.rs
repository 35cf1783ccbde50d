//! Blocks that the kernel prints as something else, so that their printed text must not replace them.

use super::kinds::{BEYOND_MARKDOWN, is_beyond_markdown};
use super::kramdown;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{BlockId, DocId};
use crate::index::{self, Select, Table};
use crate::kernel::api::{block, query, system};
use crate::kernel::{NonEmpty, Route};

/// The routes that the checks of blocks call.
pub const CALLS: &[Route] = &[system::VERSION, block::GET_BLOCK_TREE_INFOS];
/// The routes that the check of a document calls.
pub const CALLS_FOR_DOCUMENTS: &[Route] = &[system::VERSION, query::FLUSH_TRANSACTION, query::SQL];

/// Refuses to replace blocks, given with their printed texts, if one of them is such a block or holds one.
pub async fn check_blocks(cx: &Cx<'_>, blocks: &[(&BlockId, &str)]) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    if !cx.siyuan().await?.has_tabs() {
        return Ok(());
    }
    let inside = |id: &BlockId, text: &str| {
        let lists = kramdown::attribute_lists(text).into_iter();
        let ids = lists.filter_map(|it| it.id().and_then(BlockId::parse)).filter(|it| it != id);
        ids.collect::<Vec<BlockId>>()
    };
    let inside: Vec<Vec<BlockId>> = blocks.iter().map(|(id, text)| inside(id, text)).collect();
    let all: Vec<BlockId> =
        blocks.iter().map(|(id, _)| (*id).clone()).chain(inside.iter().flatten().cloned()).collect();
    let Some(asked) = NonEmpty::of(&all) else { return Ok(()) };
    let infos = cx.ask(block::get_block_tree_infos(asked)).await?;
    // The ids of such blocks may be missing in the printed text, but those of the blocks in them are there.
    let is_one = |id: &BlockId| infos.get(id.as_str()).is_some_and(|it| is_beyond_markdown(&it.kind));
    let is_in_one =
        |id: &BlockId| infos.get(id.as_str()).is_some_and(|it| is_beyond_markdown(&it.parent_kind));
    let found = blocks
        .iter()
        .zip(&inside)
        .find(|((id, _), inside)| is_one(id) || inside.iter().any(|it| is_one(it) || is_in_one(it)));
    found.map_or(Ok(()), |((id, _), _)| Err(refusal().with("id", id.as_str())))
}

/// Refuses to replace the text of a document that holds one of these.
pub async fn check_document(cx: &Cx<'_>, doc: &DocId) -> Result<(), ToolError> {
    cx.declares(CALLS_FOR_DOCUMENTS)?;
    if !cx.siyuan().await?.has_tabs() {
        return Ok(());
    }
    cx.ask(query::flush_transaction()).await?;
    let held = Select::from(Table::Blocks)
        .columns(["b.id"])
        .filter(index::eq("b.root_id", doc.as_str()).and(index::in_list("b.type", BEYOND_MARKDOWN)));
    if cx.select(held.limit(1)).await?.rows.is_empty() { Ok(()) } else { Err(refusal()) }
}

fn refusal() -> ToolError {
    ToolError::conflict(
        "Markdown cannot replace tabs and mind maps. Nothing was written. Change the blocks inside them one by one: block.list shows them.",
    )
}
