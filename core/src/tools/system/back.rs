//! The way back of a run, document by document: judged by hashes, made with the versions from before the run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::back_step::{BackKind, BackStep};
use super::{back_step, recovered, runs};
use crate::calls;
use crate::content::restoring;
use crate::content::stored::StoredDocument;
use crate::content::version::Version;
use crate::error::ErrorType;
use crate::id::is_node_id;
use crate::kernel::Route;
use crate::permission::{Place, StoragePath};
use crate::prelude::*;
use crate::runs::record::{RunDocument, RunRecord};
use crate::runs::{hash_of_file, title_of_file};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = calls![back_step::CALLS, recovered::CALLS];

const CHANGED_SINCE: &str = "somebody changed it since";
const MOVED_SINCE: &str = "somebody moved it since";
const GONE_SINCE: &str = "it is gone since";
const BACK_SINCE: &str = "it is there again";
const HAS_DOCUMENTS: &str = "there are documents below it";
const NO_PLACE: &str = "the document above it is not where it was";
const NO_VERSION: &str = "there is no version from before the run";
const NO_LEVEL: &str = "its notebook is closed or does not permit it";
const NOT_FOR_AGENTS: &str = "its text of before is one that only a person may bring back";
const UNREADABLE: &str = "its file cannot be compared";
const UNFINISHED: &str =
    "the server ended while it was changed; a person can put it back by naming it as `document`";
const IRREVERSIBLE: &str = "a change of it cannot be put back";

/// A document that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct LeftDocument {
    id: String,
    title: String,
    why: &'static str,
}

impl LeftDocument {
    pub(super) fn to_json(&self) -> Value {
        json!({ "id": self.id, "title": self.title, "why": self.why })
    }

    pub(super) fn to_thing(&self) -> Thing {
        Thing::titled(&self.title).with_id(&self.id)
    }
}

/// The steps of a document, or its title with the reason why it stays.
type Judged = Result<Vec<BackStep>, (String, &'static str)>;

/// The documents of a run that go back, and those that stay. What the caller may not know of is in neither.
pub(super) async fn judge(
    run: &RunRecord,
    only: Option<&DocId>,
    cx: &Cx<'_>,
) -> Result<(Vec<BackStep>, Vec<LeftDocument>), ToolError> {
    cx.declares(CALLS)?;
    let (mut steps, mut left) = (Vec::new(), Vec::new());
    let is_named = only.is_some() && runs::sees_all(cx);
    for document in run.documents.iter().filter(|it| only.is_none_or(|id| id.as_str() == it.id)) {
        let Some(id) = DocId::parse(&document.id) else { continue };
        let place = cx.located(&id).await?;
        // Nothing of a hidden document is read.
        if !runs::sees_all(cx) && place.as_ref().is_some_and(|it| it.level < Level::Read) {
            continue;
        }
        let here = place.as_ref().filter(|it| it.doc.as_ref() == Some(&id));
        let found =
            if document.is_unfinished() { recovered::recovered(document, here, cx).await? } else { None };
        let document = found.as_ref().unwrap_or(document);
        let is_gone = document.removed && here.is_none();
        if !document.is_changed() || !runs::is_seen(document, here.is_some() || is_gone, cx) {
            continue;
        }
        let is_unsure = document.is_unfinished() && !is_named;
        let judged = match here.and_then(|it| Some((it, it.storage.as_ref()?))) {
            Some((place, storage)) => of_present(&id, document, (place, storage), is_unsure, cx).await?,
            None => of_absent(&id, document, place.is_some(), is_unsure, cx).await?,
        };
        match judged {
            Ok(some) => steps.extend(some),
            Err((title, why)) => left.push(LeftDocument { id: document.id.clone(), title, why }),
        }
    }
    keep_possible(&mut steps, &mut left, cx).await?;
    Ok((steps, left))
}

/// The recorded notebook and storage path of a document before the run; `None` for anything but ids.
fn recorded(document: &RunDocument, id: &DocId) -> Option<(NotebookId, StoragePath)> {
    let ids = document.path.strip_prefix('/')?.strip_suffix(".sy")?;
    let path = StoragePath::parse(&document.path).filter(|it| it.doc().as_ref() == Some(id))?;
    ids.split('/').all(is_node_id).then_some((NotebookId::parse(&document.notebook)?, path))
}

/// Whether a notebook is open and may be written to.
fn may_write(notebook: &NotebookId, cx: &Cx<'_>) -> bool {
    cx.grants().level(notebook) >= Level::Write && cx.readable_boxes().contains(&notebook.as_str())
}

/// The version from before the run with its file, if it holds what the run found.
async fn version_of(
    id: &DocId,
    document: &RunDocument,
    cx: &Cx<'_>,
) -> Result<Option<(Version, Vec<u8>)>, ToolError> {
    let is_known = |it: &Version| {
        it.doc() == id && (runs::sees_all(cx) || cx.readable_boxes().contains(&it.notebook().as_str()))
    };
    let Some(version) = Version::at(&document.version).filter(is_known) else { return Ok(None) };
    let Some(bytes) = cx.read_file(&version.path()).await? else { return Ok(None) };
    let is_before = !document.before.is_empty() && hash_of_file(&bytes) == document.before;
    Ok(is_before.then_some((version, bytes)))
}

/// Whether a text may come back: agents bring back nothing that they could not write.
async fn may_come(id: &DocId, file: &[u8], now: Option<&[u8]>, cx: &Cx<'_>) -> Result<bool, ToolError> {
    if runs::sees_all(cx) {
        return Ok(true);
    }
    let Some(stored) = StoredDocument::parse(file) else { return Ok(false) };
    let present = now.and_then(StoredDocument::parse);
    match restoring::check(id, &stored, present.as_ref(), cx).await {
        Ok(()) => Ok(true),
        Err(error) => match error.kind {
            ErrorType::Validation
            | ErrorType::NotFound
            | ErrorType::PermissionDenied
            | ErrorType::Disabled => Ok(false),
            _ => Err(error),
        },
    }
}

/// The step of a document that is nowhere, or whose id is that of a block now.
async fn of_absent(
    id: &DocId,
    document: &RunDocument,
    is_taken: bool,
    is_unsure: bool,
    cx: &Cx<'_>,
) -> Result<Judged, ToolError> {
    if !document.removed {
        let why = if is_unsure { UNFINISHED } else { GONE_SINCE };
        return Ok(Err((String::new(), why)));
    }
    let Some((notebook, path)) = recorded(document, id) else {
        return Ok(Err((String::new(), NO_VERSION)));
    };
    let Some((version, file)) = version_of(id, document, cx).await? else {
        return Ok(Err((String::new(), NO_VERSION)));
    };
    let title = title_of_file(&file);
    if is_unsure {
        return Ok(Err((title, UNFINISHED)));
    }
    if !may_write(&notebook, cx) {
        return Ok(Err((title, NO_LEVEL)));
    }
    if !may_come(id, &file, None, cx).await? {
        return Ok(Err((title, NOT_FOR_AGENTS)));
    }
    let kind = if is_taken { BackKind::Release } else { BackKind::Restore };
    let hashes = (String::new(), document.before.clone());
    let (from, version) = (None, Some(version));
    Ok(Ok(vec![BackStep { id: id.clone(), title, notebook, kind, path, from, version, hashes }]))
}

/// The steps of a document that is there.
async fn of_present(
    id: &DocId,
    document: &RunDocument,
    (place, storage): (&Place, &StoragePath),
    is_unsure: bool,
    cx: &Cx<'_>,
) -> Result<Judged, ToolError> {
    let bytes = cx.read_file(&format!("/data/{}{}", place.notebook, storage.as_str())).await?;
    let bytes = bytes.unwrap_or_default();
    let (title, now) = (title_of_file(&bytes), hash_of_file(&bytes));
    let why = match document {
        _ if is_unsure => Some(UNFINISHED),
        _ if !may_write(&place.notebook, cx) => Some(NO_LEVEL),
        it if it.removed => Some(BACK_SINCE),
        it if it.is_tied => Some(IRREVERSIBLE),
        it if it.created && place.level < Level::Delete => Some(NO_LEVEL),
        // The hash of a file that cannot be read is empty, and says nothing.
        _ if now.is_empty() => Some(UNREADABLE),
        it if !it.others.is_empty() || now != it.after => Some(CHANGED_SINCE),
        _ => None,
    };
    if let Some(why) = why {
        return Ok(Err((title, why)));
    }
    let from = Some((place.notebook.clone(), storage.clone()));
    let step = |kind, notebook: &NotebookId, path: &StoragePath, version: Option<Version>| BackStep {
        id: id.clone(),
        title: title.clone(),
        notebook: notebook.clone(),
        kind,
        path: path.clone(),
        from: from.clone(),
        version,
        hashes: (now.clone(), document.before.clone()),
    };
    if document.created {
        return Ok(Ok(vec![step(BackKind::Remove, &place.notebook, storage, None)]));
    }
    let Some((notebook, path)) = recorded(document, id) else { return Ok(Err((title, NO_VERSION))) };
    let (mut steps, mut to) = (Vec::new(), storage);
    if document.moved_to.is_empty() {
        if place.notebook != notebook {
            return Ok(Err((title, MOVED_SINCE)));
        }
    } else {
        if document.moved_to != format!("{}{}", place.notebook, storage.as_str()) {
            return Ok(Err((title, MOVED_SINCE)));
        }
        if !may_write(&notebook, cx) {
            return Ok(Err((title, NO_LEVEL)));
        }
        to = &path;
        steps.push(step(BackKind::Move, &notebook, to, None));
    }
    if document.before != now {
        let Some((version, file)) = version_of(id, document, cx).await? else {
            return Ok(Err((title, NO_VERSION)));
        };
        if !may_come(id, &file, Some(&bytes), cx).await? {
            return Ok(Err((title, NOT_FOR_AGENTS)));
        }
        steps.push(step(BackKind::Rewrite, &notebook, to, Some(version)));
    }
    Ok(Ok(steps))
}

/// Takes out the steps that would remove documents of others, or write below a document that is elsewhere now, and
/// then those that relied on them.
async fn keep_possible(
    steps: &mut Vec<BackStep>,
    left: &mut Vec<LeftDocument>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    let (mut below, mut homeless) = (BTreeMap::new(), BTreeSet::new());
    for step in steps.iter() {
        if step.kind == BackKind::Remove {
            below.insert(step.id.clone(), back_step::below(&step.notebook, &step.path, cx).await?);
        } else if step.places() && !restoring::is_place_there(&step.notebook, &step.path, cx).await? {
            homeless.insert(step.id.clone());
        }
    }
    loop {
        let goes: BTreeSet<&str> = steps.iter().filter(|it| it.leaves()).map(|it| it.id.as_str()).into_set();
        let comes: BTreeSet<(&NotebookId, &str)> =
            steps.iter().filter(|it| it.places()).map(|it| (&it.notebook, it.path.as_str())).into_set();
        let stays = |step: &BackStep| {
            if below.get(&step.id).is_some_and(|all| all.iter().any(|id| !goes.contains(id.as_str()))) {
                return Some(HAS_DOCUMENTS);
            }
            let above = restoring::above(&step.notebook, &step.path);
            let is_made = above.is_some_and(|it| comes.contains(&(&step.notebook, it.as_str())));
            (homeless.contains(&step.id) && !is_made).then_some(NO_PLACE)
        };
        let out: BTreeMap<DocId, &'static str> =
            steps.iter().filter_map(|it| Some((it.id.clone(), stays(it)?))).into_map();
        if out.is_empty() {
            return Ok(());
        }
        for (id, &why) in &out {
            let title = steps.iter().find(|it| it.id == *id).map(|it| it.title.clone()).unwrap_or_default();
            left.push(LeftDocument { id: id.to_string(), title, why });
        }
        steps.retain(|it| !out.contains_key(&it.id));
    }
}
