//! The destination of a document: below a document, or at the top of a notebook.

use crate::kernel::Route;
use crate::permission::Place;
use crate::prelude::*;

/// The routes that `hpath` calls.
pub(super) const CALLS: &[Route] = &[filetree::GET_HPATH_BY_ID];

/// Below a document or at the top of a notebook.
#[derive(Debug, OneOf)]
pub enum Destination {
    /// The document below which it goes.
    #[target]
    Parent(DocId),
    /// A notebook's id or exact name.
    #[target]
    Notebook(NotebookRef),
}

impl Destination {
    /// The place of the destination.
    pub(super) async fn place<'a>(&self, cx: &'a Cx<'_>) -> Result<&'a Place, ToolError> {
        match self {
            Destination::Parent(id) => cx.found(id).await,
            Destination::Notebook(name) => cx.found(name).await,
        }
    }
}

/// The hpath below which children of a place lie, without a final slash.
pub(super) async fn hpath(place: &Place, cx: &Cx<'_>) -> Result<String, ToolError> {
    cx.declares(CALLS)?;
    match &place.doc {
        Some(doc) if *doc != place.notebook.own_document() => cx.ask(filetree::get_hpath_by_id(doc)).await,
        _ => Ok(String::new()),
    }
}

/// The id by which the kernel takes a place: that of the document, or that of the notebook.
pub(super) fn kernel_id(place: &Place) -> DocId {
    place.doc.clone().unwrap_or_else(|| place.notebook.own_document())
}
