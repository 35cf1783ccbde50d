//! The endpoints of the kernel that are used, each once, with the type of its reply.

use serde_json::Value;

use super::Endpoint;
use super::reply::{
    BlockAttrs, ChildBlock, CreatedNotebook, DocList, Kramdown, Kramdowns, Located, NotebookConf,
    NotebookInfo, Notebooks, Rows, SearchPage, Stat, Transaction, TreeInfos,
};
use crate::permission::Unfiltered;

/// All notebooks with their names, in the person's order.
pub const LS_NOTEBOOKS: Endpoint<Unfiltered<Notebooks>> = Endpoint::read("/api/notebook/lsNotebooks");
/// Counts, size and times of an open notebook; a closed one is missing to it.
pub const GET_NOTEBOOK_INFO: Endpoint<NotebookInfo> = Endpoint::read("/api/notebook/getNotebookInfo");
/// The settings of a notebook, of a closed one too.
pub const GET_NOTEBOOK_CONF: Endpoint<NotebookConf> = Endpoint::read("/api/notebook/getNotebookConf");
/// Makes a notebook.
pub const CREATE_NOTEBOOK: Endpoint<CreatedNotebook> = Endpoint::write("/api/notebook/createNotebook");
/// Sets a notebook's icon; an unknown id makes a ghost notebook, so only ids of the table are sent.
pub const SET_NOTEBOOK_ICON: Endpoint<()> = Endpoint::silent("/api/notebook/setNotebookIcon");
/// Deletes a notebook.
pub const REMOVE_NOTEBOOK: Endpoint<()> = Endpoint::silent("/api/notebook/removeNotebook");

/// Notebook and storage path of a block's document; always current.
pub const GET_PATH_BY_ID: Endpoint<Located> = Endpoint::read("/api/filetree/getPathByID");
/// The hpath of a document inside its notebook.
pub const GET_HPATH_BY_ID: Endpoint<String> = Endpoint::read("/api/filetree/getHPathByID");
/// The documents at an hpath; several where titles repeat.
pub const GET_IDS_BY_HPATH: Endpoint<Vec<String>> = Endpoint::read("/api/filetree/getIDsByHPath");
/// The documents directly below a storage path, in the person's order.
pub const LIST_DOCS_BY_PATH: Endpoint<Unfiltered<DocList>> = Endpoint::read("/api/filetree/listDocsByPath");
/// Makes a document from Markdown.
pub const CREATE_DOC_WITH_MD: Endpoint<String> = Endpoint::write("/api/filetree/createDocWithMd");
/// Moves documents with what lies below them.
pub const MOVE_DOCS_BY_ID: Endpoint<()> = Endpoint::silent("/api/filetree/moveDocsByID");
/// Deletes a document with what lies below it.
pub const REMOVE_DOC_BY_ID: Endpoint<()> = Endpoint::silent("/api/filetree/removeDocByID");

/// The top-level blocks of a container with their Markdown.
pub const GET_CHILD_BLOCKS: Endpoint<Vec<ChildBlock>> = Endpoint::read("/api/block/getChildBlocks");
/// The last blocks of a container, newest first.
pub const GET_TAIL_CHILD_BLOCKS: Endpoint<Vec<ChildBlock>> = Endpoint::read("/api/block/getTailChildBlocks");
/// A block with all attribute lists.
pub const GET_BLOCK_KRAMDOWN: Endpoint<Kramdown> = Endpoint::read("/api/block/getBlockKramdown");
/// As `GET_BLOCK_KRAMDOWN` for several; loads the document anew for each.
pub const GET_BLOCK_KRAMDOWNS: Endpoint<Kramdowns> = Endpoint::read("/api/block/getBlockKramdowns");
/// Types of blocks and of their neighbours, always current.
pub const GET_BLOCK_TREE_INFOS: Endpoint<TreeInfos> = Endpoint::read("/api/block/getBlockTreeInfos");
/// Counts of a document: words, blocks and so on.
pub const GET_TREE_STAT: Endpoint<Stat> = Endpoint::read("/api/block/getTreeStat");
/// Which of some blocks exist.
pub const CHECK_BLOCKS_EXIST: Endpoint<serde_json::Map<String, Value>> =
    Endpoint::read("/api/block/checkBlocksExist");
/// Adds blocks at the end of a container.
pub const APPEND_BLOCK: Endpoint<Vec<Transaction>> = Endpoint::write("/api/block/appendBlock");
/// Adds blocks at the start of a container.
pub const PREPEND_BLOCK: Endpoint<Vec<Transaction>> = Endpoint::write("/api/block/prependBlock");
/// Adds blocks beside a block.
pub const INSERT_BLOCK: Endpoint<Vec<Transaction>> = Endpoint::write("/api/block/insertBlock");
/// Replaces a block; keeps the first of several, drops attributes that are not sent.
pub const UPDATE_BLOCK: Endpoint<Vec<Transaction>> = Endpoint::write("/api/block/updateBlock");
/// Replaces several blocks as one; one missing id refuses them all.
pub const BATCH_UPDATE_BLOCK: Endpoint<Vec<Transaction>> = Endpoint::write("/api/block/batchUpdateBlock");
/// Several operations as one; waits until they are done.
pub const TRANSACTIONS: Endpoint<Vec<Transaction>> = Endpoint::write("/api/transactions");

/// The attributes of a block; cached by the kernel for some seconds.
pub const GET_BLOCK_ATTRS: Endpoint<BlockAttrs> = Endpoint::read("/api/attr/getBlockAttrs");
/// Sets attributes of a block.
pub const SET_BLOCK_ATTRS: Endpoint<()> = Endpoint::silent("/api/attr/setBlockAttrs");

/// SQL over the index; the text is always ours and carries its LIMIT.
pub const SQL: Endpoint<Unfiltered<Rows>> = Endpoint::read("/api/query/sql");
/// Makes the index current.
pub const FLUSH_TRANSACTION: Endpoint<()> = Endpoint::silent("/api/sqlite/flushTransaction");
/// Full-text search.
pub const FULL_TEXT_SEARCH_BLOCK: Endpoint<Unfiltered<SearchPage>> =
    Endpoint::read("/api/search/fullTextSearchBlock");

/// Saves a version of a document.
pub const CREATE_DOC_HISTORY: Endpoint<()> = Endpoint::silent("/api/history/createDocHistory");

/// The kernel's version; answers without a token.
pub const VERSION: Endpoint<String> = Endpoint::read("/api/system/version");
/// The kernel's clock in milliseconds.
pub const CURRENT_TIME: Endpoint<u64> = Endpoint::read("/api/system/currentTime");
/// The configuration; holds secrets, so it is read by an allow-list only.
pub const GET_CONF: Endpoint<super::reply::Conf> = Endpoint::read("/api/system/getConf");

/// Reads a file; answers a missing one with HTTP 202 (see `files`).
pub const GET_FILE: Endpoint<Value> = Endpoint::read("/api/file/getFile");
/// Writes a file.
pub const PUT_FILE: Endpoint<()> = Endpoint::silent("/api/file/putFile");
