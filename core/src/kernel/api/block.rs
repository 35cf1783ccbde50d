//! Blocks: reading and writing them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::endpoints;
use crate::id::{AnyBlock, BlockId, DocId, NotebookId};
use crate::kernel::{NonEmpty, TypedRequest};

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
    /// Blocks as editor DOM, a document as that of all its blocks; loads the document again for each. A missing id has
    /// no key.
    read GET_BLOCK_DOMS get_block_doms(ids: &[&str]) -> BTreeMap<String, String> = "getBlockDOMs" { "ids": ids };
    /// Types of blocks and of their neighbours, always current.
    read GET_BLOCK_TREE_INFOS get_block_tree_infos(ids: NonEmpty<'_, BlockId>) -> TreeInfos
        = "getBlockTreeInfos" { "ids": ids };
    /// The way to a block: its document, the headings above it, the items around it, and itself without a name.
    read GET_BLOCK_BREADCRUMB get_block_breadcrumb(id: &impl AnyBlock) -> Vec<Step>
        = "getBlockBreadcrumb" { "id": id, "excludeTypes": [] };
    /// Counts of several blocks together. An id that does not exist counts as an empty block.
    read GET_BLOCKS_WORD_COUNT get_blocks_word_count(ids: NonEmpty<'_, BlockId>) -> Stat
        = "getBlocksWordCount" { "ids": ids };
    /// The change of a heading to another level, with the headings below it; nothing is written. Null for the level
    /// that it has, and for a block that is no heading.
    read GET_HEADING_LEVEL_TRANSACTION get_heading_level_transaction(id: &BlockId, level: usize) -> Transaction
        = "getHeadingLevelTransaction" { "id": id, "level": level };
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
    /// Adds blocks at several places, one after the other.
    write BATCH_INSERT_BLOCK batch_insert_block(blocks: NonEmpty<'_, NewBlock<'_>>) -> Vec<Transaction>
        = "batchInsertBlock" { "blocks": blocks };
    /// Moves a block behind another one, or to the front of a container. A move that makes no sense is code 0 too.
    silent MOVE_BLOCK move_block(id: &BlockId, previous: Option<&BlockId>, parent: Option<&BlockId>) -> ()
        = "moveBlock" { "id": id, "previousID": previous, "parentID": parent };
    /// Moves a section behind another one, below a heading, or before all others. A move that makes no sense is code 0
    /// too.
    write MOVE_OUTLINE_HEADING move_outline_heading(
        id: &BlockId, previous: Option<&BlockId>, parent: Option<&BlockId>,
    ) -> Vec<Transaction> = "moveOutlineHeading" { "id": id, "previousID": previous, "parentID": parent };
    /// Marks items of task lists; one that is none refuses them all.
    write BATCH_UPDATE_TASK_LIST_ITEM_MARKER batch_update_task_list_item_marker(
        items: NonEmpty<'_, TaskMarker<'_>>,
    ) -> Vec<Transaction> = "batchUpdateTaskListItemMarker" { "items": items };
    /// Folds a block.
    silent FOLD_BLOCK fold_block(id: &BlockId) -> () = "foldBlock" { "id": id };
    /// Unfolds a block.
    silent UNFOLD_BLOCK unfold_block(id: &BlockId) -> () = "unfoldBlock" { "id": id };
    /// Lets the references to a block in these blocks point to another one. Without a list of blocks those of every
    /// notebook would change, and without `reloadUI` the person's window would reload.
    silent TRANSFER_BLOCK_REF transfer_block_ref(from: &BlockId, to: &BlockId, refs: NonEmpty<'_, BlockId>) -> ()
        = "transferBlockRef" { "fromID": from, "toID": to, "refIDs": refs, "reloadUI": false };
    /// Exchanges two blocks, whether the first refers to the second or not.
    silent SWAP_BLOCK_REF swap_block_ref(holder: &BlockId, target: &BlockId, section: bool) -> ()
        = "swapBlockRef" { "refID": holder, "defID": target, "includeChildren": section };
    /// Adds blocks at the end of today's note, which the kernel creates if it is missing.
    write APPEND_DAILY_NOTE_BLOCK append_daily_note_block(notebook: &NotebookId, markdown: &str) -> Vec<Transaction>
        = "appendDailyNoteBlock" { "notebook": notebook, "data": markdown, "dataType": "markdown" };
    /// Adds blocks at the start of today's note, which the kernel creates if it is missing.
    write PREPEND_DAILY_NOTE_BLOCK prepend_daily_note_block(notebook: &NotebookId, markdown: &str) -> Vec<Transaction>
        = "prependDailyNoteBlock" { "notebook": notebook, "data": markdown, "dataType": "markdown" };
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

/// Adds blocks at a place.
pub fn insert_block(block: &NewBlock<'_>) -> TypedRequest<Vec<Transaction>> {
    TypedRequest::json(INSERT_BLOCK, json!(block))
}

/// Replaces a block (`UPDATE_BLOCK`).
pub fn update_one(text: &NewText<'_>) -> TypedRequest<Vec<Transaction>> {
    TypedRequest::json(UPDATE_BLOCK, json!(text))
}

/// Adds blocks, as Markdown, behind a block (`INSERT_BLOCK`).
pub fn insert_behind(previous: &BlockId, markdown: &str) -> TypedRequest<Vec<Transaction>> {
    TypedRequest::json(
        INSERT_BLOCK,
        json!({ "data": markdown, "dataType": "markdown", "previousID": previous }),
    )
}

/// Adds blocks, as editor DOM, behind several blocks, one after the other.
pub fn insert_doms_behind(doms: NonEmpty<'_, (BlockId, String)>) -> TypedRequest<Vec<Transaction>> {
    let insert = |(id, dom): &(BlockId, String)| json!({ "data": dom, "dataType": "dom", "previousID": id });
    TypedRequest::json(
        BATCH_INSERT_BLOCK,
        json!({ "blocks": doms.iter().map(insert).collect::<Vec<Value>>() }),
    )
}

/// Like [`get_block_kramdowns`], with marks in text written as elements.
pub fn get_block_elements(ids: NonEmpty<'_, BlockId>) -> TypedRequest<Kramdowns> {
    TypedRequest::json(GET_BLOCK_KRAMDOWNS, json!({ "ids": ids, "mode": "textmark" }))
}

/// A block with the kramdown that replaces it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NewText<'a> {
    id: &'a BlockId,
    #[serde(rename = "dataType")]
    data_type: &'static str,
    data: &'a str,
    /// Whether the kernel refuses a text of another type; SiYuan before 3.8 does not read it.
    #[serde(rename = "lockType", skip_serializing_if = "std::ops::Not::not")]
    keeps_type: bool,
}

impl<'a> NewText<'a> {
    /// This text for this block.
    pub fn of(id: &'a BlockId, kramdown: &'a str) -> Self {
        NewText { id, data_type: "markdown", data: kramdown, keeps_type: false }
    }

    /// The same, for a block that keeps its type.
    #[must_use]
    pub fn keeping_type(self) -> Self {
        NewText { keeps_type: true, ..self }
    }
}

/// The place of new blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor<'a> {
    Before(&'a BlockId),
    /// Behind a block.
    After(&'a BlockId),
    /// At the front of a document, quote or callout. The kernel loses all but the first block at the front of a super
    /// block, and breaks a list there.
    Into(&'a BlockId),
}

/// Blocks to add at a place, as Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewBlock<'a> {
    anchor: Anchor<'a>,
    markdown: &'a str,
}

impl<'a> NewBlock<'a> {
    /// This text at this place.
    pub fn at(anchor: Anchor<'a>, markdown: &'a str) -> Self {
        NewBlock { anchor, markdown }
    }
}

impl Serialize for NewBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // With two anchors that contradict each other nothing would be written, so there is never a second one.
        let (name, id) = match self.anchor {
            Anchor::Before(id) => ("nextID", id),
            Anchor::After(id) => ("previousID", id),
            Anchor::Into(id) => ("parentID", id),
        };
        json!({ "dataType": "markdown", "data": self.markdown, name: id }).serialize(serializer)
    }
}

/// An item of a task list with the mark that it gets.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TaskMarker<'a> {
    id: &'a BlockId,
    marker: &'a str,
}

impl<'a> TaskMarker<'a> {
    /// This mark, one character, for this item.
    pub fn of(id: &'a BlockId, marker: &'a str) -> Self {
        TaskMarker { id, marker }
    }
}

/// One block on the way to another.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub id: String,
    /// Its text as HTML; empty for the block itself. For a database it is the name of the database.
    pub name: String,
    /// Node type, such as `NodeHeading`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Subtype: `h1`, `u`, `o`, `t`; often empty.
    #[serde(default)]
    pub sub_type: String,
}

/// One top-level block of a container.
#[derive(Debug, Clone, Deserialize)]
pub struct ChildBlock {
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
    /// Id of the block before it in its parent; empty for the first.
    #[serde(rename = "previousID", default)]
    pub previous: String,
    /// Id of the block behind it in its parent; empty for the last.
    #[serde(rename = "nextID", default)]
    pub next: String,
}

/// Reply of `getTreeStat` and `getBlocksWordCount`.
#[derive(Debug, Deserialize)]
pub struct Stat {
    pub stat: Counts,
}

/// Counts of blocks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Characters.
    #[serde(default)]
    pub rune_count: u64,
    pub word_count: u64,
    #[serde(default)]
    pub link_count: u64,
    /// Images.
    #[serde(default)]
    pub image_count: u64,
    /// References.
    #[serde(default)]
    pub ref_count: u64,
    pub block_count: u64,
}

/// Reply of writes to blocks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    #[serde(default, deserialize_with = "super::list")]
    pub do_operations: Vec<BlockOperation>,
}

/// One operation of a write.
#[derive(Debug, Deserialize)]
pub struct BlockOperation {
    /// The block; **empty when nothing was written** although the code is 0.
    #[serde(default)]
    pub id: String,
    /// The new elements as editor DOM, of which the outermost have `data-node-index`. Null for a removal.
    #[serde(default)]
    pub data: Value,
    /// The parent of the new elements.
    #[serde(rename = "parentID", default)]
    pub parent: String,
}
