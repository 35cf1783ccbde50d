//! The shape of documents: which blocks hold others. The kernel builds broken trees without complaint.

use serde_json::Value;

use crate::content::kinds;
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

/// Containers whose parts stand in them and nowhere else, with the type of those parts and their names.
const PARTS: [(&str, &str, &str, &str); 3] = [
    (LIST, ITEM, "a list", "list items"),
    ("NodeTabs", "NodeTabItem", "a group of tabs", "tabs"),
    ("NodeMindmap", "NodeMindmapItem", "a mind map", "items of mind maps"),
];

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
    for (whole, part, a_whole, parts) in PARTS {
        let expected = match (kind == part, parent_kind == whole) {
            (true, false) => {
                format!("blocks that are allowed there; {id} is one of the {parts} of {a_whole}")
            }
            (false, true) => format!("{parts}, because they go into {a_whole}; {id} is not one"),
            _ => continue,
        };
        return Err(ToolError::field("ids", expected));
    }
    Ok(())
}

/// Refuses a container to which no Markdown can be added: its parts have none of their own.
pub(super) fn check_takes_markdown(param: &str, kind: &str) -> Result<(), ToolError> {
    let found = PARTS.iter().find(|(whole, ..)| *whole == kind && kind != LIST);
    found.map_or(Ok(()), |(.., a_whole, parts)| {
        let expected = format!("a block that takes text; this one is {a_whole}: add to one of its {parts}");
        Err(ToolError::field(param, expected))
    })
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
        _ if kinds::holds_blocks(kind) => Ok(()),
        "NodeHeading" => {
            let section = cx.ask(block::get_child_blocks(id)).await?;
            let last = section.last().map_or(id.as_str(), |it| it.id.as_str());
            let expected =
                "a document or a container; to add to a heading's section, insert after its last block";
            Err(ToolError::field(param, expected).with("last_block", last))
        }
        _ => Err(ToolError::field(
            param,
            "a document, list, list item, quote or super block; this block cannot contain others, so insert next to it, or append to its document",
        )
        .with("block_type", Value::from(kinds::short_type(kind)))
        .leaf()),
    }
}
