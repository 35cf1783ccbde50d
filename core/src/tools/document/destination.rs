//! The destination of a document: below a document, or at the top of a notebook.

use crate::kernel::Route;
use crate::permission::Place;
use crate::prelude::*;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[filetree::GET_HPATH_BY_ID, filetree::GET_IDS_BY_HPATH];

/// Below a document or at the top of a notebook.
#[derive(Debug, OneOf)]
pub enum Destination {
    /// The parent document.
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

/// The storage path by which the kernel lists and fills a place: that of the document, `/` for a notebook.
pub(super) fn storage(place: &Place) -> &str {
    match &place.storage {
        Some(storage) if place.doc.as_ref() != Some(&place.notebook.own_document()) => storage.as_str(),
        _ => "/",
    }
}

/// The id by which the kernel takes a place: that of the document, or that of the notebook.
pub(super) fn kernel_id(place: &Place) -> DocId {
    place.doc.clone().unwrap_or_else(|| place.notebook.own_document())
}

/// A document as it would be under another title.
pub(super) struct Sibling {
    /// Its new hpath.
    pub(super) hpath: String,
    /// Its present title.
    pub(super) previous: String,
    /// The other documents at the new hpath.
    pub(super) twins: Vec<DocId>,
}

/// A document under another title, beside its siblings.
pub(super) async fn siblings_named(
    id: &DocId,
    place: &Place,
    title: &str,
    cx: &Cx<'_>,
) -> Result<Sibling, ToolError> {
    cx.declares(CALLS)?;
    let present = cx.ask(filetree::get_hpath_by_id(id)).await?;
    let (above, previous) = present.rsplit_once('/').unwrap_or(("", &present));
    let hpath = format!("{above}/{title}");
    let mut twins = cx.ask(filetree::get_ids_by_hpath(&place.notebook, &hpath)).await?;
    twins.retain(|it| it != id);
    Ok(Sibling { previous: previous.to_owned(), hpath, twins })
}

/// Refuses a title that a sibling has, unless that is allowed.
pub(super) fn refuse_twin(twins: &[DocId], allowed: bool) -> Result<(), ToolError> {
    match twins.first().filter(|_| !allowed) {
        Some(twin) => Err(ToolError::conflict(
            "A document with that title already exists there. Use it, choose another title, or send `allow_duplicate`.",
        )
        .with("id", twin.as_str())),
        None => Ok(()),
    }
}
