//! The place of a document at a workspace path: its storage path, and the path by which it is printed.

use crate::kernel::Route;
use crate::path::printed_segment;
use crate::permission::{Place, StoragePath};
use crate::prelude::*;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[filetree::GET_PATH_BY_ID, filetree::GET_HPATH_BY_ID];

/// A document's place with its storage path, which only an id reveals when it is resolved.
pub(super) async fn stored(place: &Place, cx: &Cx<'_>) -> Result<(DocId, Place), ToolError> {
    cx.declares(CALLS)?;
    let doc = place.doc.clone().ok_or_else(ToolError::not_found)?;
    if place.storage.is_some() {
        return Ok((doc, place.clone()));
    }
    let located = cx.ask(filetree::get_path_by_id(&doc)).await?;
    // It may have been moved since its path was resolved.
    let is_here = located.notebook == place.notebook.as_str();
    let storage = StoragePath::parse(&located.path).filter(|_| is_here).ok_or_else(ToolError::not_found)?;
    Ok((doc, Place { storage: Some(storage), ..place.clone() }))
}

/// The workspace path of an hpath in a notebook, if it works again as a path of titles.
pub(super) fn printed(notebook: &NotebookId, hpath: &str, cx: &Cx<'_>) -> Option<String> {
    let all = || cx.scope().visible_notebooks();
    let name = &all().find(|it| it.id == notebook.as_str())?.name;
    let shared = all().filter(|it| it.name == *name).count() > 1;
    let first = printed_segment(name, notebook.as_str(), shared);
    let path = format!("/{first}{}", hpath.trim_end_matches('/'));
    let titles = hpath.split('/').skip(1).filter(|_| hpath != "/");
    let is_plain =
        titles.into_iter().all(|title| printed_segment(title, "", false) == title && !title.is_empty());
    is_plain.then_some(path)
}

/// A parent with its storage path and hpath; a notebook's own document stands for the top of the notebook.
pub(super) async fn parent(place: Place, cx: &Cx<'_>) -> Result<(Place, String), ToolError> {
    cx.declares(CALLS)?;
    if place.doc.as_ref() == Some(&place.notebook.own_document()) {
        return Ok((place, String::new()));
    }
    let (doc, place) = stored(&place, cx).await?;
    let hpath = cx.ask(filetree::get_hpath_by_id(&doc)).await?;
    Ok((place, hpath))
}

/// The advice for a parent that does not exist.
pub(super) fn no_parent() -> ToolError {
    let message = "The document to move into does not exist. Create it with fs.write, or choose another one.";
    ToolError { message: message.to_owned(), ..ToolError::not_found() }
}
