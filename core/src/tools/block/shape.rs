//! The shape of documents: which blocks hold others. The kernel builds broken trees without complaint.

use serde_json::Value;

use crate::content::written;
use crate::kernel::Route;
use crate::kernel::api::block::TreeInfos;
use crate::prelude::*;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[block::GET_BLOCK_TREE_INFOS, block::GET_CHILD_BLOCKS];

/// The node type of documents.
pub(super) const DOCUMENT: &str = "NodeDocument";
/// The node type of lists: they hold items and nothing else.
pub(super) const LIST: &str = "NodeList";
/// The node type of list items: they stand in lists and nowhere else.
pub(super) const ITEM: &str = "NodeListItem";

/// Whether a block of this node type holds others.
pub(super) fn holds_blocks(kind: &str) -> bool {
    matches!(kind, DOCUMENT | LIST | ITEM | "NodeBlockquote" | "NodeSuperBlock" | "NodeCallout")
}

/// The types and neighbours of blocks, always current; one that does not exist has no entry.
pub(super) async fn infos(ids: &[BlockId], cx: &Cx<'_>) -> Result<TreeInfos, ToolError> {
    cx.declares(CALLS)?;
    let Some(ids) = NonEmpty::of(ids) else { return Ok(TreeInfos::new()) };
    cx.ask(block::get_block_tree_infos(ids)).await
}

/// The first block of a container.
pub(super) async fn first_child(id: &BlockId, cx: &Cx<'_>) -> Result<Option<BlockId>, ToolError> {
    cx.declares(CALLS)?;
    let children = cx.ask(block::get_child_blocks(id)).await?;
    Ok(children.first().and_then(|it| BlockId::parse(&it.id)))
}

/// Refuses what the kernel moves all the same: items out of lists, and other blocks into them.
pub(super) fn check_child(id: &BlockId, kind: &str, parent_kind: &str) -> Result<(), ToolError> {
    let expected = match (kind == ITEM, parent_kind == LIST) {
        (true, false) => format!("blocks that may stand there; {id} is a list item, which stands in a list"),
        (false, true) => format!("list items, because they go into a list; {id} is none"),
        _ => return Ok(()),
    };
    Err(ToolError::field("ids", expected))
}

/// Refuses a block that can hold nothing, with an alternative.
pub(super) async fn check_container(
    param: &str,
    id: &BlockId,
    kind: &str,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    match kind {
        _ if holds_blocks(kind) => Ok(()),
        "NodeHeading" => {
            let section = cx.ask(block::get_child_blocks(id)).await?;
            let last = section.last().map_or(id.as_str(), |it| it.id.as_str());
            let expected =
                "a document or a container; to add to a heading's section, add behind its last block";
            Err(ToolError::field(param, expected).with("last_block", last))
        }
        _ => Err(ToolError::field(
            param,
            "a document, list, list item, quote or super block; this block can hold no others, so add beside it, or to its document",
        )
        .with("block_type", Value::from(written::short_type(kind)))
        .leaf()),
    }
}
