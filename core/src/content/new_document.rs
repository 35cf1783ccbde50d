//! Making a document: its id, its text, and what is set afterwards.

use serde_json::{Map, Value};

use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{DocId, NotebookId, fresh_doc_id};
use crate::kernel::Route;
use crate::kernel::api::{attr, block, filetree};
use crate::output::{Failed, Output};

/// What this asks of the kernel.
pub const CALLS: &[Route] = &[filetree::CREATE_DOC_WITH_MD, block::GET_CHILD_BLOCKS, attr::SET_BLOCK_ATTRS];

/// A document that is not there yet.
#[derive(Debug, Hash)]
pub struct NewDocument {
    /// Where it will lie.
    pub notebook: NotebookId,
    /// The path of titles, its own last; missing ones above are made by the kernel.
    pub hpath: String,
    /// The document above, where there is one.
    pub parent: Option<DocId>,
    /// Its tags, as the kernel takes them.
    pub tags: String,
    /// Other attributes.
    pub attrs: Map<String, Value>,
}

/// A document that was made, with what could not be done about it.
#[derive(Debug)]
pub struct Made {
    /// Its id.
    pub id: DocId,
    ids: Vec<String>,
    failed: Vec<Failed>,
}

impl NewDocument {
    /// Makes it with this text; `what` is how its attributes are called where they could not be set.
    pub async fn make(&self, cx: &Cx<'_>, markdown: &str, what: &'static str) -> Result<Made, ToolError> {
        let NewDocument { notebook, hpath, parent, tags, attrs } = self;
        let fresh = fresh_doc_id(&cx.ambient().local_digits(), cx.ambient().random())
            .ok_or_else(|| ToolError::internal("the clock gave no id"))?;
        let made = filetree::create_doc_with_md(&fresh, notebook, hpath, parent.as_ref(), tags, markdown);
        let id = cx.ask(made).await?;
        let (mut ids, mut failed) = (Vec::new(), Vec::new());
        if !attrs.is_empty() {
            let set = cx.ask(attr::set_block_attrs(&id, attrs)).await;
            failed.extend(set.err().map(|error| Failed::new(error).what(what)));
        }
        if !markdown.trim().is_empty() {
            match cx.ask(block::get_child_blocks(&id)).await {
                Ok(blocks) => ids.extend(blocks.into_iter().map(|block| block.id)),
                Err(error) => failed.push(Failed::new(error).what("ids of the blocks")),
            }
        }
        Ok(Made { id, ids, failed })
    }
}

impl Made {
    /// Tells the ids of its blocks and what was not done.
    pub fn told(self, output: Output) -> Output {
        output.list("ids", self.ids).partly("document", self.failed)
    }
}
