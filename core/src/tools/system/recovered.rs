//! The facts of a document that a crash left unrecorded: its first version since the call began.

use crate::content::runs;
use crate::content::version::Version;
use crate::kernel::Route;
use crate::kernel::api::file::Entry;
use crate::permission::{Place, StoragePath};
use crate::prelude::*;
use crate::runs::hash_of_file;
use crate::runs::record::RunDocument;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[file::READ_DIR, file::GET_FILE];

/// The number of folders of versions in which one is looked for.
const FOLDERS: usize = 12;

/// The document as its version and its present text tell; `None` without a version. Nothing tells whether the present
/// text, or that the document is gone, is the run's doing.
pub(super) async fn recovered(
    document: &RunDocument,
    here: Option<&Place>,
    cx: &Cx<'_>,
) -> Result<Option<RunDocument>, ToolError> {
    cx.declares(CALLS)?;
    if document.since.is_empty() {
        return Ok(None);
    }
    let present =
        here.and_then(|it| Some((it.notebook.to_string(), it.storage.as_ref()?.as_str().to_owned())));
    let is_there = present.is_some();
    let planned = (document.notebook.clone(), document.path.clone());
    let (notebook, path) = match &present {
        // The versions of a moved document lie at its place of before.
        Some(place) if planned.1.is_empty() => place.clone(),
        _ => planned,
    };
    let is_readable = runs::sees_all(cx) || cx.readable_boxes().contains(&notebook.as_str());
    if !is_readable || StoragePath::parse(&path).is_none() {
        return Ok(None);
    }
    let read = |version: String, bytes: Vec<u8>, now: Vec<u8>| RunDocument {
        notebook: notebook.clone(),
        path: path.clone(),
        version,
        before: hash_of_file(&bytes),
        after: hash_of_file(&now),
        removed: !is_there,
        moved_to: match &present {
            Some(place) if *place != (notebook.clone(), path.clone()) => format!("{}{}", place.0, place.1),
            _ => String::new(),
        },
        ..document.clone()
    };
    let now = match &present {
        Some((notebook, path)) => cx.read_file(&format!("/data/{notebook}{path}")).await?.unwrap_or_default(),
        None => Vec::new(),
    };
    // It may share the version of an earlier run.
    if let Some(version) = Version::at(&document.version).map(|it| it.path())
        && let Some(bytes) = cx.read_file(&version).await?
    {
        return Ok(Some(read(version, bytes, now)));
    }
    // SiYuan keeps a removed document under the name of the removal.
    let ending = if is_there { "-update" } else { "-delete" };
    let mut folders: Vec<Entry> = cx.ask(file::read_dir("/history")).await?;
    let digits = |name: &str| -> String { name.chars().take(17).filter(char::is_ascii_digit).collect() };
    folders.retain(|it| it.name.ends_with(ending) && digits(&it.name) >= document.since);
    folders.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    for folder in folders.iter().take(FOLDERS) {
        let version = format!("/history/{}/{notebook}{path}", folder.name);
        let Some(bytes) = cx.read_file(&version).await? else { continue };
        return Ok(Some(read(version, bytes, now)));
    }
    Ok(None)
}
