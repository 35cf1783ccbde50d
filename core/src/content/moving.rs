//! Documents that are to be moved: what the kernel would make wrongly, and the look where one is afterwards.

use futures_util::future::join;

use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::Route;
use crate::kernel::api::filetree;
use crate::permission::{Place, StoragePath};

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[filetree::GET_PATH_BY_ID, filetree::GET_HPATH_BY_ID];

/// The depth to which the kernel keeps trees of documents.
const DEEPEST: usize = 7;

/// Refuses moves that the kernel answers with code 0 but does not make, or makes wrongly.
pub fn check(field: &str, id: &DocId, place: &Place, target: &Place) -> Result<(), ToolError> {
    if *id == place.notebook.own_document() {
        return Err(ToolError::field(field, "documents; a notebook's own document stays where it is"));
    }
    let inside = target.storage.as_ref().is_some_and(|it| it.as_str().contains(id.as_str()));
    if inside {
        let expected = format!("documents other than the target and those above it; {id} is one");
        return Err(ToolError::field(field, expected));
    }
    Ok(())
}

/// Refuses a parent below which the kernel keeps no documents.
pub fn check_depth(field: &str, target: &Place) -> Result<(), ToolError> {
    if target.storage.as_ref().map_or(0, StoragePath::depth) < DEEPEST {
        return Ok(());
    }
    let expected = format!("a document at most {} deep: SiYuan supports {DEEPEST} levels", DEEPEST - 1);
    Err(ToolError::field(field, expected))
}

/// Whether a document is already directly at the destination.
pub fn is_there(place: &Place, target: &Place) -> bool {
    let Some(storage) = &place.storage else { return false };
    let parent = storage.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
    let below = match &target.storage {
        Some(it) if target.doc.as_ref() != Some(&target.notebook.own_document()) => it.below(),
        _ => "/".to_owned(),
    };
    place.notebook == target.notebook && format!("{parent}/") == below
}

/// The notebook and hpath of a document after a move; `None` if it was not moved.
pub async fn moved(id: &DocId, to: &DocId, cx: &Cx<'_>) -> Result<Option<(String, String)>, ToolError> {
    cx.declares(CALLS)?;
    let (place, hpath) =
        join(cx.ask(filetree::get_path_by_id(id)), cx.ask(filetree::get_hpath_by_id(id))).await;
    let (place, hpath) = (place?, hpath?);
    let parent = place.path.rsplit('/').nth(1).unwrap_or_default();
    let there = parent == to.as_str() || (parent.is_empty() && place.notebook == to.as_str());
    Ok(there.then_some((place.notebook, hpath)))
}
