//! The way back of a run, document by document: judged by hashes, made with the versions from before the run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::runs;
use crate::content::version::Version;
use crate::kernel::Route;
use crate::kernel::api::file;
use crate::kernel::clock::seconds_of_digits;
use crate::permission::{Place, StoragePath};
use crate::prelude::*;
use crate::runs::record::{RunDocument, RunRecord};
use crate::runs::{hash_of_file, title_of_file};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[
    file::READ_DIR,
    file::GET_FILE,
    file::PUT_FILE,
    filetree::GET_PATH_BY_ID,
    filetree::LIST_DOCS_BY_PATH,
    filetree::MOVE_DOCS_BY_ID,
    filetree::REMOVE_DOC_BY_ID,
    history::ROLLBACK_DOC_HISTORY,
];

/// The number of folders of versions in which one that a crash left is looked for.
const FOLDERS: usize = 12;
/// The time after the beginning of the last call in which a change counts as that call's, in milliseconds.
const GRACE_MS: u64 = 60_000;

const CHANGED_SINCE: &str = "somebody changed it since";
const MOVED_SINCE: &str = "somebody moved it since";
const GONE_SINCE: &str = "it is gone since";
const BACK_SINCE: &str = "it is there again";
const HAS_DOCUMENTS: &str = "there are documents below it";
const NO_VERSION: &str = "there is no version from before the run";
const NO_LEVEL: &str = "its notebook does not permit it";
const IRREVERSIBLE: &str = "a change of it cannot be put back";

/// The change that leads back. The order is that in which they are made: what was removed is there before others move
/// below it, and ids are free before a version takes them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum BackKind {
    Restore,
    Move,
    Remove,
    Rewrite,
    /// Restores a document whose id is that of a block now.
    Release,
}

/// A document that goes back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct BackStep {
    pub(super) id: DocId,
    pub(super) title: String,
    /// The notebook in which it is afterwards.
    pub(super) notebook: NotebookId,
    kind: BackKind,
    /// Its storage path afterwards; that of a document that goes, now.
    path: String,
    version: Option<Version>,
    /// The hash that it has now, and the one that it gets.
    hashes: (String, String),
}

/// A document that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct LeftDocument {
    id: String,
    title: String,
    why: &'static str,
}

impl BackStep {
    pub(super) fn to_json(&self) -> Value {
        let does = match self.kind {
            BackKind::Restore | BackKind::Release => "is restored",
            BackKind::Move => "is moved back",
            BackKind::Remove => "is removed",
            BackKind::Rewrite => "gets its text of before",
        };
        json!({ "id": self.id.as_str(), "title": self.title, "does": does })
    }
}

impl LeftDocument {
    pub(super) fn to_json(&self) -> Value {
        json!({ "id": self.id, "title": self.title, "why": self.why })
    }
}

/// The documents of a run that go back, and those that stay. What the caller may not know of is in neither.
pub(super) async fn judge(
    run: &RunRecord,
    only: Option<&DocId>,
    cx: &Cx<'_>,
) -> Result<(Vec<BackStep>, Vec<LeftDocument>), ToolError> {
    cx.declares(CALLS)?;
    let (mut steps, mut left) = (Vec::new(), Vec::new());
    let wanted = run.documents.iter().filter(|it| only.is_none_or(|id| id.as_str() == it.id));
    for document in wanted {
        let found = if document.is_unfinished() { recovered(document, run, cx).await? } else { None };
        let document = found.as_ref().unwrap_or(document);
        if !document.is_changed() {
            continue;
        }
        let Some(id) = DocId::parse(&document.id) else { continue };
        let place = cx.located(&id).await?;
        let is_document = place.as_ref().is_some_and(|it| it.doc.as_ref() == Some(&id));
        let is_there = is_document && place.as_ref().is_some_and(|it| it.level >= Level::Read);
        if !runs::is_seen(document, is_there, cx) {
            continue;
        }
        // One notebook that does not permit it refuses the whole call.
        cx.require(Level::Write, [document.notebook.as_str()])?;
        match of_one(&id, document, place.as_ref().filter(|_| is_document), place.is_some(), cx).await? {
            Ok(some) => steps.extend(some),
            Err((title, why)) => left.push(LeftDocument { id: document.id.clone(), title, why }),
        }
    }
    let removed: BTreeSet<DocId> =
        steps.iter().filter(|it| it.kind == BackKind::Remove).map(|it| it.id.clone()).into_set();
    let mut kept = Vec::new();
    for step in steps {
        if step.kind == BackKind::Remove && has_others_below(&step, &removed, cx).await? {
            let (id, title) = (step.id.to_string(), step.title);
            left.push(LeftDocument { id, title, why: HAS_DOCUMENTS });
        } else {
            kept.push(step);
        }
    }
    Ok((kept, left))
}

/// The facts of a document that a crash left unrecorded: the first version since the call began, and the present text, which
/// counts as the run's if nobody changed it after the run.
async fn recovered(
    document: &RunDocument,
    run: &RunRecord,
    cx: &Cx<'_>,
) -> Result<Option<RunDocument>, ToolError> {
    let Some(place) = (match DocId::parse(&document.id) {
        Some(id) => cx.located(&id).await?.filter(|it| it.doc.as_ref() == Some(&id)),
        None => None,
    }) else {
        return Ok(None);
    };
    let Some(storage) = place.storage.as_ref().map(StoragePath::as_str) else { return Ok(None) };
    let file = format!("{}{storage}", place.notebook);
    let mut folders: Vec<String> =
        cx.ask(file::read_dir("/history")).await?.into_iter().map(|it| it.name).collect();
    let digits = |name: &str| -> String { name.chars().take(17).filter(char::is_ascii_digit).collect() };
    folders.retain(|it| it.ends_with("-update") && digits(it) >= document.versioned);
    folders.sort_unstable();
    for folder in folders.iter().take(FOLDERS) {
        let version = format!("/history/{folder}/{file}");
        let Some(bytes) = cx.read_file(&version).await? else { continue };
        let now = cx.read_file(&format!("/data/{file}")).await?.unwrap_or_default();
        let is_own = changed_ms(&now, cx).is_some_and(|it| it <= run.latest.saturating_add(GRACE_MS));
        return Ok(Some(RunDocument {
            notebook: place.notebook.to_string(),
            path: storage.to_owned(),
            version,
            before: hash_of_file(&bytes),
            after: if is_own { hash_of_file(&now) } else { String::new() },
            ..document.clone()
        }));
    }
    Ok(None)
}

/// The time of the last change in a document's file, in milliseconds since 1970.
fn changed_ms(bytes: &[u8], cx: &Cx<'_>) -> Option<u64> {
    let root: Value = serde_json::from_slice(bytes).ok()?;
    let local = seconds_of_digits(root.pointer("/Properties/updated")?.as_str()?)?;
    let offset = i64::from(cx.ambient().local_offset(local.checked_mul(1_000)?));
    u64::try_from(local.checked_sub(offset.checked_mul(60)?)?.checked_mul(1_000)?).ok()
}

/// Whether documents that the run did not create lie below one that would go.
async fn has_others_below(
    step: &BackStep,
    removed: &BTreeSet<DocId>,
    cx: &Cx<'_>,
) -> Result<bool, ToolError> {
    let list = cx.ask(filetree::list_docs_by_path(&step.notebook, &step.path)).await?;
    Ok(cx.visible(list).files.iter().any(|it| !removed.iter().any(|id| id.as_str() == it.id)))
}

type Judged = Result<Vec<BackStep>, (String, &'static str)>;

/// The steps of one document, or its title with the reason why it stays.
async fn of_one(
    id: &DocId,
    document: &RunDocument,
    place: Option<&Place>,
    is_taken: bool,
    cx: &Cx<'_>,
) -> Result<Judged, ToolError> {
    let version = Version::at(&document.version).filter(|it| it.doc() == id);
    let step = |kind, title: &str, notebook: &NotebookId, path: &str, now: &str| BackStep {
        id: id.clone(),
        title: title.to_owned(),
        notebook: notebook.clone(),
        kind,
        path: path.to_owned(),
        version: version.clone(),
        hashes: (now.to_owned(), document.before.clone()),
    };
    let Some(notebook) = NotebookId::parse(&document.notebook) else { return Ok(Ok(Vec::new())) };
    let Some((place, storage)) = place.and_then(|it| Some((it, it.storage.as_ref()?.as_str()))) else {
        if !document.removed {
            return Ok(Err((String::new(), GONE_SINCE)));
        }
        let Some(version) = &version else { return Ok(Err((String::new(), NO_VERSION))) };
        let title = cx.read_file(&version.path()).await?.as_deref().map(title_of_file);
        let Some(title) = title else { return Ok(Err((String::new(), NO_VERSION))) };
        let kind = if is_taken { BackKind::Release } else { BackKind::Restore };
        return Ok(Ok(vec![step(kind, &title, &notebook, &document.path, "")]));
    };
    let bytes = cx.read_file(&format!("/data/{}{storage}", place.notebook)).await?.unwrap_or_default();
    let (title, now) = (title_of_file(&bytes), hash_of_file(&bytes));
    let why = match document {
        _ if place.level < Level::Write => Some(NO_LEVEL),
        it if it.removed => Some(BACK_SINCE),
        it if it.is_tied => Some(IRREVERSIBLE),
        it if it.created && place.level < Level::Delete => Some(NO_LEVEL),
        it if !it.others.is_empty() || now != it.after => Some(CHANGED_SINCE),
        _ => None,
    };
    if let Some(why) = why {
        return Ok(Err((title, why)));
    }
    if document.created {
        return Ok(Ok(vec![step(BackKind::Remove, &title, &place.notebook, storage, &now)]));
    }
    let (mut steps, mut after) = (Vec::new(), (place.notebook.clone(), storage));
    if !document.moved_to.is_empty() {
        if document.moved_to != format!("{}{storage}", place.notebook) {
            return Ok(Err((title, MOVED_SINCE)));
        }
        after = (notebook, document.path.as_str());
        steps.push(step(BackKind::Move, &title, &after.0, after.1, &now));
    }
    if document.before != now {
        if version.is_none() {
            return Ok(Err((title, NO_VERSION)));
        }
        steps.push(step(BackKind::Rewrite, &title, &after.0, after.1, &now));
    }
    Ok(Ok(steps))
}

/// The steps in the order in which they are made: parents come before their children and go after them.
pub(super) fn in_order(steps: &[BackStep]) -> Vec<&BackStep> {
    let mut all: Vec<&BackStep> = steps.iter().collect();
    all.sort_by_key(|it| {
        let depth = it.path.matches('/').count();
        (it.kind, if it.kind == BackKind::Remove { usize::MAX - depth } else { depth })
    });
    all
}

impl BackStep {
    /// Makes the step.
    pub(super) async fn make(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        match self.kind {
            BackKind::Move => {
                let parent = self.path.rsplit('/').nth(1).and_then(DocId::parse);
                let to = parent.unwrap_or_else(|| self.notebook.own_document());
                cx.ask(filetree::move_docs_by_id(NonEmpty::one(&self.id), &to)).await
            }
            BackKind::Remove => cx.ask(filetree::remove_doc_by_id(&self.id)).await,
            BackKind::Restore | BackKind::Rewrite | BackKind::Release => self.write(cx).await,
        }
    }

    /// Writes the version as a new one, and rolls back to that. A version that is equal to what SiYuan holds in memory
    /// would remove the document's file without writing it again, so the copy has a later time of change.
    async fn write(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        let missing = || ToolError::conflict("The version from before the run is gone; nothing was changed.");
        let version = self.version.as_ref().ok_or_else(missing)?;
        let bytes = cx.read_file(&version.path()).await?.ok_or_else(missing)?;
        let digits = cx.ambient().local_digits();
        let mut file: Value = serde_json::from_slice(&bytes).map_err(|_| missing())?;
        if let Some(properties) = file.get_mut("Properties").and_then(Value::as_object_mut) {
            properties.insert("updated".to_owned(), json!(digits));
        }
        let (date, time) = digits.split_at_checked(8).ok_or_else(missing)?;
        let (year, day) = date.split_at_checked(4).ok_or_else(missing)?;
        let (month, day) = day.split_at_checked(2).ok_or_else(missing)?;
        // The operation is another one than that of versions, which have the names of this second too.
        let copy = format!("/history/{year}-{month}-{day}-{time}-replace/{}{}", self.notebook, self.path);
        cx.write_file(&copy, file.to_string().into_bytes()).await?;
        cx.ask(history::rollback_doc_history(&copy)).await?;
        let place = cx.located(&self.id).await?;
        let storage = place.as_ref().and_then(|it| it.storage.as_ref().map(|path| (&it.notebook, path)));
        let read = match storage {
            Some((notebook, path)) => cx.read_file(&format!("/data/{notebook}{}", path.as_str())).await?,
            None => None,
        };
        if hash_of_file(&read.unwrap_or_default()) != self.hashes.1 {
            return Err(ToolError::conflict(
                "SiYuan restored another text than that of before the run. Read the document before you go on.",
            ));
        }
        Ok(())
    }
}
