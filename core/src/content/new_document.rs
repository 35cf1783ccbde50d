//! Creates a document: its id, its text, and the attributes that are set afterwards.

use serde_json::{Map, Value};

use super::title;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{DocId, NotebookId, fresh_doc_id};
use crate::kernel::Route;
use crate::kernel::api::{attr, block, filetree};
use crate::output::{Failed, Output};

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[filetree::CREATE_DOC_WITH_MD, block::GET_CHILD_BLOCKS, attr::SET_BLOCK_ATTRS];

/// A document to be created.
#[derive(Debug, Hash)]
pub struct NewDocument {
    /// Its notebook.
    pub notebook: NotebookId,
    /// Its path of titles, with its own title last; the kernel creates missing documents above it.
    pub hpath: String,
    /// Its parent document, if any.
    pub parent: Option<DocId>,
    /// Its tags, as the kernel takes them.
    pub tags: String,
    /// Its other attributes.
    pub attrs: Map<String, Value>,
}

/// A created document, with the parts that failed.
#[derive(Debug)]
pub struct CreatedDocument {
    /// Its id.
    pub id: DocId,
    ids: Vec<String>,
    failed: Vec<Failed>,
}

impl NewDocument {
    /// Creates the document with this text, without its other attributes.
    pub async fn create(&self, cx: &Cx<'_>, markdown: &str) -> Result<DocId, ToolError> {
        self.create_as(&NewDocument::fresh_id(cx)?, cx, markdown).await
    }

    /// An id for a new document.
    pub fn fresh_id(cx: &Cx<'_>) -> Result<DocId, ToolError> {
        fresh_doc_id(&cx.ambient().local_digits(), cx.ambient().random())
            .ok_or_else(|| ToolError::internal("the clock gave no id"))
    }

    /// Like `create`, with this new id.
    pub async fn create_as(&self, id: &DocId, cx: &Cx<'_>, markdown: &str) -> Result<DocId, ToolError> {
        cx.declares(CALLS)?;
        let NewDocument { notebook, hpath, parent, tags, .. } = self;
        // The kernel creates every title of the path that is missing.
        title::check("path", hpath.split('/'))?;
        cx.ask(filetree::create_doc_with_md(id, notebook, hpath, parent.as_ref(), tags, markdown)).await
    }

    /// Creates the document with this text; `what` names the attributes in the error if they cannot be set.
    pub async fn make(
        &self,
        cx: &Cx<'_>,
        markdown: &str,
        what: &'static str,
    ) -> Result<CreatedDocument, ToolError> {
        let (id, attrs) = (self.create(cx, markdown).await?, &self.attrs);
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
        Ok(CreatedDocument { id, ids, failed })
    }
}

impl CreatedDocument {
    /// Adds the ids of its blocks and the failed parts to an answer.
    pub fn add_to(self, output: Output) -> Output {
        output.list("ids", self.ids).partly("document", self.failed)
    }
}
