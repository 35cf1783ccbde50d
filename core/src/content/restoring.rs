//! Versions on their way back: the place that a document returns to, the texts that may return, and the request.

use serde_json::{Value, json};

use super::incoming::{self, ReplacedContent};
use super::stored::{StoredBlock, StoredDocument};
use super::version::Version;
use super::{shown_text, tag};
use crate::calls;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{AvId, DocId, NotebookId};
use crate::kernel::Route;
use crate::kernel::api::{file, filetree, history};
use crate::permission::{Level, StoragePath};

/// The routes that these helpers call.
pub const CALLS: &[Route] = calls![
    &[filetree::GET_PATH_BY_ID, file::GET_FILE, file::PUT_FILE, history::ROLLBACK_DOC_HISTORY],
    incoming::CALLS,
    shown_text::CALLS,
];

/// The storage path of the document above one; `None` at the top of a notebook.
pub fn above(notebook: &NotebookId, path: &StoragePath) -> Option<StoragePath> {
    let (parents, _) = path.as_str().rsplit_once('/')?;
    let above = StoragePath::parse(&format!("{parents}.sy"))?;
    (above.doc()? != notebook.own_document()).then_some(above)
}

/// Whether the place directly above a storage path is still there and may be written to.
///
/// SiYuan takes only the id of the parent from a path, and puts the document below it wherever it is now, even in
/// another notebook.
pub async fn is_place_there(
    notebook: &NotebookId,
    path: &StoragePath,
    cx: &Cx<'_>,
) -> Result<bool, ToolError> {
    cx.declares(CALLS)?;
    if cx.grants().level(notebook) < Level::Write || !cx.readable_boxes().contains(&notebook.as_str()) {
        return Ok(false);
    }
    let Some(above) = above(notebook, path) else { return Ok(true) };
    let Some(parent) = above.doc() else { return Ok(false) };
    let found = cx.located(&parent).await?;
    Ok(found.is_some_and(|it| it.notebook == *notebook && it.storage.as_ref() == Some(&above)))
}

/// The databases of a version with their files, as far as the version has them.
pub async fn databases(
    version: &Version,
    bytes: &[u8],
    cx: &Cx<'_>,
) -> Result<Vec<(AvId, Vec<u8>)>, ToolError> {
    cx.declares(CALLS)?;
    let shown = StoredDocument::parse(bytes).unwrap_or_default().databases;
    let mut all = Vec::new();
    for id in shown.iter().filter_map(|id| AvId::parse(id)) {
        let Some(path) = version.database(&id) else { continue };
        if let Some(file) = cx.read_file(&path).await? {
            all.push((id, file));
        }
    }
    Ok(all)
}

/// Writes a document, given as its file, to a place, with these databases (`PUT_FILE`, `ROLLBACK_DOC_HISTORY`).
///
/// SiYuan rolls back to a copy, which names the place and has a later time of change. If a version equals the document
/// that SiYuan has cached, a rollback deletes the file and does not write it again. The databases that a document shows
/// are restored with it if they are stored beside its version.
pub async fn restore(
    bytes: &[u8],
    databases: &[(AvId, Vec<u8>)],
    notebook: &NotebookId,
    path: &StoragePath,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    let unread = || ToolError::conflict("The version cannot be read; nothing was changed.");
    let mut file: Value = serde_json::from_slice(bytes).map_err(|_| unread())?;
    let digits = cx.ambient().local_digits();
    if let Some(properties) = file.get_mut("Properties").and_then(Value::as_object_mut) {
        properties.insert("updated".to_owned(), json!(digits));
    }
    // The operation is another one than that of versions, which have the names of this second too.
    let folder = history::folder(&digits, "replace").ok_or_else(unread)?;
    for (id, database) in databases {
        cx.write_file(&format!("{folder}/{}", history::database(id)), database.clone()).await?;
    }
    let copy = format!("{folder}/{notebook}{}", path.as_str());
    cx.write_file(&copy, file.to_string().into_bytes()).await?;
    cx.ask(history::rollback_doc_history(&copy)).await
}

/// Refuses a version that would bring back what the caller could not write: the tag of prompts, query embeds, references
/// that follow blocks of closed notebooks, databases that other notebooks show, and active HTML in rows.
pub async fn check(
    id: &DocId,
    stored: &StoredDocument,
    present: Option<&StoredDocument>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    let mut here: Vec<&String> = present.iter().flat_map(|it| &it.embeds).collect();
    let come = stored.embeds.iter().filter(|embed| match here.iter().position(|it| it == embed) {
        Some(at) => {
            here.swap_remove(at);
            false
        }
        None => true,
    });
    incoming::refuse_stored_embeds("version", "a version", come.map(String::as_str))?;
    if present.is_none_or(|it| it.tags != stored.tags) {
        tag::refuse_stored("version", &stored.tags, cx)?;
    }
    if cx.grants().any_hidden() {
        check_hidden(stored, present, cx).await?;
    }
    let Some(present) = present else { return Ok(()) };
    let is_new = |it: &&StoredBlock| !present.blocks.iter().any(|now| now.markdown == it.markdown);
    let come = stored.blocks.iter().filter(is_new).map(|it| it.markdown.as_str());
    shown_text::check_arrival("version", come, &[id], cx).await
}

/// The part of `check` that concerns hidden notebooks.
async fn check_hidden(
    stored: &StoredDocument,
    present: Option<&StoredDocument>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    let known = present.map(|it| it.follows.clone()).unwrap_or_default();
    let new: Vec<String> = stored.follows.difference(&known).map(|id| format!("(({id} 'x'))")).collect();
    incoming::check(cx, &new.join("\n\n"), &ReplacedContent::nothing()).await?;
    let databases: Vec<AvId> = stored.databases.iter().filter_map(|id| AvId::parse(id)).collect();
    let found = cx.databases(Level::Write, &databases.iter().collect::<Vec<_>>()).await?;
    if found.iter().any(Option::is_none) {
        return Err(ToolError::disabled(
            "This version restores an older state of a database that no document in your notebooks shows now, but that a notebook hidden from agents may show. A person can restore it in SiYuan.",
        ));
    }
    Ok(())
}
