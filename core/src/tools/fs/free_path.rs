//! A workspace path without a document: the parent for a new one, and the text that it gets.

use crate::id::is_node_id;
use crate::permission::{ParentPlace, Place};
use crate::prelude::*;

/// The maximum number of titles below a notebook; beyond that, the kernel creates the parents and then fails.
const DEEPEST: usize = 7;

/// The hpath of a new document and its parent, if that exists. The kernel creates missing parents.
pub(super) async fn below(
    path: &WorkspacePath,
    place: &Place,
    cx: &Cx<'_>,
) -> Result<(String, Option<DocId>), ToolError> {
    let (Some((_, title)), Some(above)) = (path.split_last(), &place.above) else {
        return Err(ToolError::not_found());
    };
    let parent = parent(path, place, above, cx).await?;
    let deeper_already = parent.is_some() && above.hpath.matches('/').count() >= DEEPEST;
    if path.titles().len() > DEEPEST && !deeper_already {
        return Err(ToolError::field("path", format!("at most {DEEPEST} titles below the notebook")));
    }
    Ok((format!("{}/{title}", above.hpath), parent))
}

async fn parent(
    path: &WorkspacePath,
    place: &Place,
    above: &ParentPlace,
    cx: &Cx<'_>,
) -> Result<Option<DocId>, ToolError> {
    if let Some(doc) = &above.doc {
        return Ok(Some(doc.clone()));
    }
    if path.titles().iter().any(|title| is_node_id(title)) {
        let expected = "a path of titles; document.create takes the id of a parent, and a title";
        return Err(ToolError::field("path", expected));
    }
    let mut ids = cx.ask(filetree::get_ids_by_hpath(&place.notebook, &above.hpath)).await?;
    ids.dedup();
    if let [] | [_] = ids.as_slice() {
        return Ok(ids.pop());
    }
    let beside = path.split_last().and_then(|(parent, _)| parent.split_last().map(|(it, _)| it));
    let beside = beside.unwrap_or_else(WorkspacePath::root);
    let parents: Vec<String> = ids.iter().map(|id| beside.child(id.as_str()).to_string()).collect();
    let n = ids.len();
    let expected = format!("a path below one document; {n} share the parent's: put its id in its place");
    Err(ToolError::field("path", expected).with("candidates", parents))
}

/// The advice for a path without the expected document.
pub(super) fn nothing_there() -> ToolError {
    let message = "No document exists at this path. Use mode create or upsert to create it.".to_owned();
    ToolError { message, ..ToolError::not_found() }
}

/// The text without a first heading that only repeats the title, and whether such a heading was removed.
pub(super) fn without_title<'a>(markdown: &'a str, hpath: &str) -> (&'a str, bool) {
    let title = hpath.rsplit('/').next().unwrap_or_default();
    let (first, rest) = markdown.split_once('\n').unwrap_or((markdown, ""));
    let repeats = first.strip_prefix("# ").is_some_and(|text| text.trim() == title);
    if repeats { (rest.trim_start_matches('\n'), true) } else { (markdown, false) }
}
