//! Blocks: reading and writing them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::endpoints;
use crate::id::{AnyBlock, BlockId, DocId};
use crate::kernel::{Ask, NonEmpty};

endpoints! { "/api/block/";
    /// The top-level blocks of a container with their Markdown.
    read GET_CHILD_BLOCKS get_child_blocks(id: &impl AnyBlock) -> Vec<ChildBlock> = "getChildBlocks" { "id": id };
    /// The last blocks of a container, newest first.
    read GET_TAIL_CHILD_BLOCKS get_tail_child_blocks(id: &impl AnyBlock, n: usize) -> Vec<ChildBlock>
        = "getTailChildBlocks" { "id": id, "n": n };
    /// A block with all attribute lists.
    read GET_BLOCK_KRAMDOWN get_block_kramdown(id: &impl AnyBlock) -> Kramdown = "getBlockKramdown" { "id": id };
    /// Like `GET_BLOCK_KRAMDOWN` for several blocks; loads the document again for each.
    read GET_BLOCK_KRAMDOWNS get_block_kramdowns(ids: NonEmpty<'_, BlockId>) -> Kramdowns
        = "getBlockKramdowns" { "ids": ids, "mode": "md" };
    /// Types of blocks and of their neighbours, always current.
    read GET_BLOCK_TREE_INFOS get_block_tree_infos(ids: NonEmpty<'_, BlockId>) -> TreeInfos
        = "getBlockTreeInfos" { "ids": ids };
    /// Counts of a document: words, blocks and so on.
    read GET_TREE_STAT get_tree_stat(id: &DocId) -> Stat = "getTreeStat" { "id": id };
    /// Whether each of some blocks exists.
    read CHECK_BLOCKS_EXIST check_blocks_exist(ids: NonEmpty<'_, BlockId>) -> Map<String, Value>
        = "checkBlocksExist" { "ids": ids };
    /// Adds blocks at the end of a container.
    write APPEND_BLOCK append_block(parent: &impl AnyBlock, markdown: &str) -> Vec<Transaction>
        = "appendBlock" { "data": markdown, "dataType": "markdown", "parentID": parent };
    /// Adds blocks at the start of a container.
    write PREPEND_BLOCK prepend_block(parent: &impl AnyBlock, markdown: &str) -> Vec<Transaction>
        = "prependBlock" { "data": markdown, "dataType": "markdown", "parentID": parent };
    /// Adds blocks, as editor DOM, behind a block. With a second anchor in the request, nothing would be written.
    write INSERT_BLOCK insert_dom_behind(previous: &BlockId, dom: &str) -> Vec<Transaction>
        = "insertBlock" { "data": dom, "dataType": "dom", "previousID": previous };
    /// Replaces a block. The kernel keeps the first of several blocks and drops attributes that are not sent.
    write UPDATE_BLOCK update_block(id: &impl AnyBlock, kramdown: &str) -> Vec<Transaction>
        = "updateBlock" { "id": id, "dataType": "markdown", "data": kramdown };
    /// Replaces several blocks at once; one missing id refuses them all.
    write BATCH_UPDATE_BLOCK batch_update_block(blocks: NonEmpty<'_, NewText<'_>>) -> Vec<Transaction>
        = "batchUpdateBlock" { "blocks": blocks };
}

endpoints! { "/api/";
    /// Deletes blocks at once and answers when they are gone; `block/deleteBlock` answers earlier.
    write TRANSACTIONS delete_blocks(ids: NonEmpty<'_, BlockId>) -> Vec<Transaction> = "transactions" {
        "transactions": [{
            "doOperations": ids.iter().map(|id| json!({ "action": "delete", "id": id })).collect::<Vec<_>>(),
            "undoOperations": [],
        }],
        "reqId": 1, "app": "siyuan-mcp-puppy", "session": "siyuan-mcp-puppy",
    };
}

/// Adds blocks before a block.
pub fn insert_before(next: &BlockId, markdown: &str) -> Ask<Vec<Transaction>> {
    Ask::json(INSERT_BLOCK, json!({ "data": markdown, "dataType": "markdown", "nextID": next }))
}

/// Like [`get_block_kramdowns`], with marks in text written as elements.
pub fn get_block_elements(ids: NonEmpty<'_, BlockId>) -> Ask<Kramdowns> {
    Ask::json(GET_BLOCK_KRAMDOWNS, json!({ "ids": ids, "mode": "textmark" }))
}

/// A block with the kramdown that replaces it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NewText<'a> {
    id: &'a BlockId,
    #[serde(rename = "dataType")]
    data_type: &'static str,
    data: &'a str,
}

impl<'a> NewText<'a> {
    /// This text for this block.
    pub fn of(id: &'a BlockId, kramdown: &'a str) -> Self {
        NewText { id, data_type: "markdown", data: kramdown }
    }
}

/// One top-level block of a container.
#[derive(Debug, Clone, Deserialize)]
pub struct ChildBlock {
    /// Its id.
    pub id: String,
    /// Short type: `p`, `h`, `l`, `av` ...
    #[serde(rename = "type")]
    pub kind: String,
    /// Subtype: `h1`, `u`, `o`, `t`; often absent.
    #[serde(rename = "subType", default)]
    pub subtype: String,
    /// Its Markdown without attribute lists.
    #[serde(default)]
    pub markdown: String,
}

/// Reply of `getBlockKramdown`.
#[derive(Debug, Deserialize)]
pub struct Kramdown {
    /// The kramdown; empty for an id that does not exist.
    pub kramdown: String,
}

/// Reply of `getBlockKramdowns`: kramdown by id; a missing id has no key.
pub type Kramdowns = BTreeMap<String, String>;

/// Reply of `getBlockTreeInfos`; a missing id has no key.
pub type TreeInfos = BTreeMap<String, TreeInfo>;

/// A block and its neighbours.
#[derive(Debug, Clone, Deserialize)]
pub struct TreeInfo {
    /// Node type, such as `NodeParagraph`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Id of the parent block.
    #[serde(rename = "parentID", default)]
    pub parent: String,
    /// Node type of the parent.
    #[serde(rename = "parentType", default)]
    pub parent_kind: String,
}

/// Reply of `getTreeStat`.
#[derive(Debug, Deserialize)]
pub struct Stat {
    /// The counts.
    pub stat: Counts,
}

/// Counts of a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Words.
    pub word_count: u64,
    /// Blocks.
    pub block_count: u64,
}

/// Reply of writes to blocks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// The operations.
    #[serde(default, deserialize_with = "super::list")]
    pub do_operations: Vec<Operation>,
}

/// One operation of a write.
#[derive(Debug, Deserialize)]
pub struct Operation {
    /// The block; **empty when nothing was written** although the code is 0.
    #[serde(default)]
    pub id: String,
    /// The new elements as editor DOM, of which the outermost have `data-node-index`. Null for a removal.
    #[serde(default)]
    pub data: Value,
}
