//! Replies of the kernel as types: only the fields that are used.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::permission::{Filter, Grants, InNotebook, Level};

/// Reply of `lsNotebooks`.
#[derive(Debug, Deserialize)]
pub struct Notebooks {
    /// The notebooks.
    pub notebooks: Vec<Notebook>,
}

/// One notebook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notebook {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Emoji codepoint or file; often empty.
    #[serde(default)]
    pub icon: String,
    /// Whether it is closed.
    #[serde(default)]
    pub closed: bool,
    /// Documents at its top; 0 while it is closed.
    #[serde(default)]
    pub sub_file_count: u64,
    /// Whether the person locked it away; counts as `none`.
    #[serde(default)]
    pub encrypted: bool,
}

impl Filter for Notebooks {
    fn filter(mut self, grants: &Grants) -> Self {
        self.notebooks.retain(|it| !it.encrypted && grants.level_of(&it.id) >= Level::Read);
        self
    }
}

/// Reply of `getNotebookInfo`.
#[derive(Debug, Deserialize)]
pub struct NotebookInfo {
    /// What was counted.
    #[serde(rename = "boxInfo")]
    pub counts: NotebookCounts,
}

/// What an open notebook holds.
#[derive(Debug, Deserialize)]
pub struct NotebookCounts {
    /// Documents at every depth.
    #[serde(rename = "docCount")]
    pub documents: u64,
    /// Bytes of its files.
    pub size: u64,
    /// Seconds since 1970 when it was made.
    #[serde(rename = "ctime", default)]
    pub created: u64,
    /// Seconds since 1970 of the last change.
    #[serde(rename = "mtime", default)]
    pub updated: u64,
}

/// Reply of `getNotebookConf`.
#[derive(Debug, Deserialize)]
pub struct NotebookConf {
    /// The settings under the kernel's names.
    pub conf: Map<String, Value>,
}

/// Reply of `createNotebook`.
#[derive(Debug, Deserialize)]
pub struct CreatedNotebook {
    /// The new notebook.
    pub notebook: Notebook,
}

/// Reply of `getPathByID`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Located {
    /// The notebook's id.
    pub notebook: String,
    /// The document's storage path.
    pub path: String,
}

/// Reply of `listDocsByPath`.
#[derive(Debug, Deserialize)]
pub struct DocList {
    /// The notebook's id.
    #[serde(rename = "box")]
    pub notebook: String,
    /// The documents.
    #[serde(default)]
    pub files: Vec<DocFile>,
}

impl Filter for DocList {
    fn filter(mut self, grants: &Grants) -> Self {
        if grants.level_of(&self.notebook) < Level::Read {
            self.files.clear();
        }
        self
    }
}

/// One document of a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocFile {
    /// Its id.
    pub id: String,
    /// Its title, which the list cuts and escapes; without `.sy`.
    pub name: String,
    /// Its storage path.
    pub path: String,
    /// Its icon; often empty.
    #[serde(default)]
    pub icon: String,
    /// Bytes of the stored file.
    #[serde(default)]
    pub size: u64,
    /// Seconds since 1970 of the last change.
    #[serde(default)]
    pub mtime: u64,
    /// Documents directly below.
    #[serde(default)]
    pub sub_file_count: u64,
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

/// The attributes of a block by name.
pub type BlockAttrs = BTreeMap<String, String>;

/// Reply of writes to blocks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// What was done.
    #[serde(default)]
    pub do_operations: Vec<Operation>,
}

/// One operation of a write.
#[derive(Debug, Deserialize)]
pub struct Operation {
    /// The block; **empty when nothing was written** although the code is 0.
    #[serde(default)]
    pub id: String,
    /// The new elements as editor DOM; the outermost bear `data-node-index`. Null for a removal.
    #[serde(default)]
    pub data: Value,
}

/// Rows of an SQL reply.
pub type Rows = Vec<Row>;

/// One row: column to value. A row without the column `box` is never shown.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct Row(pub Map<String, Value>);

impl Row {
    /// A text column; empty when absent.
    pub fn text(&self, column: &str) -> &str {
        self.0.get(column).and_then(Value::as_str).unwrap_or_default()
    }

    /// A number column; 0 when absent.
    pub fn number(&self, column: &str) -> u64 {
        self.0.get(column).and_then(Value::as_u64).unwrap_or_default()
    }
}

impl InNotebook for Row {
    fn notebook(&self) -> &str {
        self.text("box")
    }
}

/// Reply of `fullTextSearchBlock`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchPage {
    /// The hits.
    #[serde(default)]
    pub blocks: Vec<Hit>,
    /// Matching blocks in all.
    #[serde(default)]
    pub matched_block_count: u64,
    /// Documents with a match in all.
    #[serde(default)]
    pub matched_root_count: u64,
}

impl Filter for SearchPage {
    fn filter(mut self, grants: &Grants) -> Self {
        self.blocks = self.blocks.filter(grants);
        self
    }
}

/// One hit; with grouping by document the blocks stand in `children`.
#[derive(Debug, Clone, Deserialize)]
pub struct Hit {
    /// The block.
    pub id: String,
    /// The notebook.
    #[serde(rename = "box", default)]
    pub notebook: String,
    /// The document.
    #[serde(rename = "rootID", default)]
    pub root: String,
    /// The document's storage path.
    #[serde(default)]
    pub path: String,
    /// Path of titles; of a document's own row that of its parent.
    #[serde(rename = "hPath", default)]
    pub hpath: String,
    /// The text with `<mark>` around matches, HTML-escaped.
    #[serde(default)]
    pub content: String,
    /// The Markdown.
    #[serde(default)]
    pub markdown: String,
    /// Node type, such as `NodeParagraph`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Matches below a document, with grouping.
    #[serde(default)]
    pub children: Option<Vec<Hit>>,
}

impl InNotebook for Hit {
    fn notebook(&self) -> &str {
        &self.notebook
    }
}

/// Reply of `getConf`: an allow-list; everything else in it stays unread.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Conf {
    /// The configuration.
    #[serde(default)]
    pub conf: ConfFields,
}

/// The allowed fields of the configuration.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ConfFields {
    /// Interface language, such as `en`.
    pub lang: String,
    /// Whether the kernel refuses writes.
    pub readonly: bool,
    /// Where it runs.
    pub system: ConfSystem,
    /// Sync settings.
    pub sync: Enabled,
    /// What a search looks at by default.
    pub search: Map<String, Value>,
    /// AI settings.
    pub ai: ConfAi,
    /// Snapshots.
    pub repo: ConfRepo,
}

/// Where the kernel runs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfSystem {
    /// `std`, `docker`, `android` ...
    pub container: String,
    /// Operating system.
    pub os: String,
}

/// AI settings of which only one switch is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfAi {
    /// Embedding model.
    pub embedding: Enabled,
}

/// Settings of snapshots: only whether they can be made.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfRepo {
    /// Whether the repository has its key; the key itself is dropped unread.
    #[serde(rename = "key", deserialize_with = "is_set")]
    pub has_key: bool,
}

fn is_set<'de, D: serde::Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    Ok(Value::deserialize(value)?.as_str().is_some_and(|it| !it.is_empty()))
}

/// Something that can be switched on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Enabled {
    /// Whether it is on.
    pub enabled: bool,
}
