//! The way back of a run, document by document: judged by hashes, made with the versions from before the run.

use std::collections::{BTreeMap, BTreeSet};

use super::back_left::LeftDocument;
use super::back_order::in_order;
use super::back_step::{BackKind, BackStep};
use super::back_text::{self, BackScope, may_come, version_of};
use super::{back_orders, back_step, recovered};
use crate::calls;
use crate::content::restoring;
use crate::content::runs;
use crate::content::version::Version;
use crate::id::is_node_id;
use crate::kernel::Route;
use crate::permission::{Place, StoragePath};
use crate::prelude::*;
use crate::runs::merge::exchange;
use crate::runs::put_back::StayReason;
use crate::runs::record::{RunDocument, RunRecord};
use crate::runs::{hash_of_database, hash_of_file, title_of_file};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = calls![
    &[block::CHECK_BLOCKS_EXIST, block::GET_BLOCK_TREE_INFOS],
    back_step::CALLS,
    back_orders::CALLS,
    recovered::CALLS,
];

/// The steps of a document, and the reason why it or a part of it stays.
#[derive(Debug, Default)]
struct Judged {
    steps: Vec<BackStep>,
    title: String,
    why: Option<StayReason>,
    blocks: Vec<String>,
}

impl Judged {
    fn left(title: &str, why: StayReason) -> Judged {
        Judged { title: title.to_owned(), why: Some(why), ..Judged::default() }
    }
}

/// The documents of a run, or of one call of it, that go back, in the order of the steps, and those that stay. What the
/// caller may not know of is in neither.
pub(super) async fn judge(
    run: &RunRecord,
    only: Option<&DocId>,
    (call, unfinished): (Option<usize>, bool),
    cx: &Cx<'_>,
) -> Result<(Vec<BackStep>, Vec<LeftDocument>), ToolError> {
    cx.declares(CALLS)?;
    let mut scope = BackScope { run, call, unfinished, taken: BTreeSet::new() };
    let (mut steps, mut left) = each(&scope, only, cx).await?;
    let loses: BTreeSet<&String> = steps.iter().flat_map(|it| &it.loses).into_set();
    let taken = back_text::taken(steps.iter().flat_map(|it| &it.gains), &loses, cx).await?;
    if !taken.is_empty() {
        scope.taken = taken;
        (steps, left) = each(&scope, only, cx).await?;
    }
    keep_possible(&mut steps, &mut left, cx).await?;
    Ok((in_order(steps), left))
}

async fn each(
    scope: &BackScope<'_>,
    only: Option<&DocId>,
    cx: &Cx<'_>,
) -> Result<(Vec<BackStep>, Vec<LeftDocument>), ToolError> {
    let (mut steps, mut left) = (Vec::new(), Vec::new());
    let is_named = (only.is_some() || scope.unfinished) && runs::sees_all(cx);
    for document in scope.run.documents.iter().filter(|it| only.is_none_or(|id| id.as_str() == it.id)) {
        let Some(id) = DocId::parse(&document.id) else { continue };
        let Some(document) = scope.part_of(document) else { continue };
        let place = cx.located(&id).await?;
        // Nothing of a hidden document is read.
        if !runs::sees_all(cx) && place.as_ref().is_some_and(|it| it.level < Level::Read) {
            continue;
        }
        let here = place.as_ref().filter(|it| it.doc.as_ref() == Some(&id));
        let found =
            if document.is_unfinished() { recovered::recovered(&document, here, cx).await? } else { None };
        let document = found.as_ref().unwrap_or(&document);
        let is_gone = document.removed && here.is_none();
        if !document.is_changed() || !runs::is_seen(document, here.is_some() || is_gone, cx) {
            continue;
        }
        let is_unsure = document.is_unfinished() && !is_named;
        let judged = match here.and_then(|it| Some((it, it.storage.as_ref()?))) {
            Some((place, storage)) => {
                of_present(scope, (&id, document), (place, storage), is_unsure, cx).await?
            }
            None => of_absent(scope, (&id, document), place.is_some(), is_unsure, cx).await?,
        };
        let Judged { steps: some, title, why, blocks } = judged;
        steps.extend(some);
        left.extend(why.map(|why| LeftDocument { id: document.id.clone(), title, why, blocks }));
    }
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

/// The step of a document that is nowhere, or whose id is that of a block now.
async fn of_absent(
    scope: &BackScope<'_>,
    (id, document): (&DocId, &RunDocument),
    is_taken: bool,
    is_unsure: bool,
    cx: &Cx<'_>,
) -> Result<Judged, ToolError> {
    if !document.removed {
        let why = if is_unsure { StayReason::Unfinished } else { StayReason::Gone };
        return Ok(Judged::left(&title_of_version(document, cx).await?, why));
    }
    let Some((notebook, path)) = recorded(document, id) else {
        return Ok(Judged::left("", StayReason::NoVersion));
    };
    let Some((version, file)) = version_of(id, document, cx).await? else {
        return Ok(Judged::left("", StayReason::NoVersion));
    };
    let title = title_of_file(&file);
    let [mut gains, _] = exchange(&[], &file);
    // Its own id is judged by `is_taken`.
    gains.remove(id.as_str());
    if is_unsure {
        return Ok(Judged::left(&title, StayReason::Unfinished));
    }
    if !may_write(&notebook, cx) {
        return Ok(Judged::left(&title, StayReason::NoLevel));
    }
    if !gains.is_disjoint(&scope.taken) {
        return Ok(Judged::left(&title, StayReason::Elsewhere));
    }
    if !may_come(id, &file, None, cx).await? {
        return Ok(Judged::left(&title, StayReason::NotForAgents));
    }
    let step = BackStep {
        id: id.clone(),
        title: title.clone(),
        notebook,
        kind: if is_taken { BackKind::Release } else { BackKind::Restore },
        path,
        from: None,
        version: Some(version),
        text: None,
        hashes: (String::new(), document.before.clone()),
        gains,
        loses: BTreeSet::new(),
        databases: Vec::new(),
        is_interim: false,
        is_unsure: document.is_unfinished(),
    };
    Ok(Judged { steps: vec![step], title, ..Judged::default() })
}

/// The title of a document that is gone, as its version has it; empty if the caller may not read that.
async fn title_of_version(document: &RunDocument, cx: &Cx<'_>) -> Result<String, ToolError> {
    let may_read = |it: &Version| {
        it.doc().as_str() == document.id
            && (runs::sees_all(cx) || cx.readable_boxes().contains(&it.notebook().as_str()))
    };
    let Some(version) = Version::at(&document.version).filter(may_read) else { return Ok(String::new()) };
    Ok(cx.read_file(&version.path()).await?.map(|it| title_of_file(&it)).unwrap_or_default())
}

/// The steps of a document that is there.
async fn of_present(
    scope: &BackScope<'_>,
    (id, document): (&DocId, &RunDocument),
    (place, storage): (&Place, &StoragePath),
    is_unsure: bool,
    cx: &Cx<'_>,
) -> Result<Judged, ToolError> {
    let bytes = cx.read_file(&format!("/data/{}{}", place.notebook, storage.as_str())).await?;
    let bytes = bytes.unwrap_or_default();
    let (title, now) = (title_of_file(&bytes), hash_of_file(&bytes));
    let why = match document {
        _ if is_unsure => Some(StayReason::Unfinished),
        _ if !may_write(&place.notebook, cx) => Some(StayReason::NoLevel),
        it if it.removed => Some(StayReason::BackAgain),
        it if it.is_tied => Some(StayReason::Irreversible),
        it if it.created && place.level < Level::Delete => Some(StayReason::NoLevel),
        // The hash of a file that cannot be read is empty, and says nothing.
        _ if now.is_empty() => Some(StayReason::Unreadable),
        it if it.created && (!it.others.is_empty() || now != it.after) => Some(StayReason::Changed),
        _ => None,
    };
    let why = match why {
        None if document.created && !has_own_databases(document, cx).await? => {
            Some(StayReason::DatabaseChanged)
        }
        why => why,
    };
    if let Some(why) = why {
        return Ok(Judged::left(&title, why));
    }
    let step = |kind, notebook: &NotebookId, path: &StoragePath| BackStep {
        id: id.clone(),
        title: title.clone(),
        notebook: notebook.clone(),
        kind,
        path: path.clone(),
        from: Some((place.notebook.clone(), storage.clone())),
        version: None,
        text: None,
        hashes: (now.clone(), now.clone()),
        gains: BTreeSet::new(),
        loses: BTreeSet::new(),
        databases: Vec::new(),
        is_interim: false,
        is_unsure: document.is_unfinished(),
    };
    if document.created {
        let [_, loses] = exchange(&bytes, &[]);
        let remove = BackStep { loses, ..step(BackKind::Remove, &place.notebook, storage) };
        return Ok(Judged { steps: vec![remove], title, ..Judged::default() });
    }
    let Some((notebook, path)) = recorded(document, id) else {
        return Ok(Judged::left(&title, StayReason::NoVersion));
    };
    let (mut steps, mut to, mut home) = (Vec::new(), storage, &place.notebook);
    if !document.moved_to.is_empty() {
        if document.moved_to != format!("{}{}", place.notebook, storage.as_str()) {
            return Ok(Judged::left(&title, StayReason::Moved));
        }
        if !may_write(&notebook, cx) {
            return Ok(Judged::left(&title, StayReason::NoLevel));
        }
        (to, home) = (&path, &notebook);
        steps.push(step(BackKind::Move, home, to));
    } else if place.notebook != notebook {
        return Ok(Judged::left(&title, StayReason::Moved));
    }
    let text = scope.text(id, document, &bytes, cx).await?;
    let is_nothing = text.file.is_none() && text.databases.is_empty() && text.left.is_empty();
    if let Some(why) = text.why.filter(|_| is_nothing) {
        return Ok(Judged::left(&title, why));
    }
    if text.file.is_some() || !text.databases.is_empty() {
        let file = text.file.unwrap_or(bytes);
        let hashes = (now.clone(), hash_of_file(&file));
        let (version, gains, loses) = (text.version, text.gains, text.loses);
        let rewrite = step(BackKind::Rewrite, home, to);
        let databases = text.databases;
        steps.push(BackStep { version, text: Some(file), hashes, gains, loses, databases, ..rewrite });
    }
    Ok(Judged { steps, title, why: text.why, blocks: text.left.into_iter().collect() })
}

/// Whether the databases that the run made in a document are as it left them. Their rows would go with it.
async fn has_own_databases(document: &RunDocument, cx: &Cx<'_>) -> Result<bool, ToolError> {
    for it in &document.databases {
        let Some(id) = AvId::parse(&it.id) else { continue };
        let file = cx.read_file(&format!("/data/{}", history::database(&id))).await?;
        if it.is_mixed || hash_of_database(&file.unwrap_or_default()) != it.after {
            return Ok(false);
        }
    }
    Ok(true)
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
                return Some(StayReason::HasDocuments);
            }
            let above = restoring::above(&step.notebook, &step.path);
            let is_made = above.is_some_and(|it| comes.contains(&(&step.notebook, it.as_str())));
            (homeless.contains(&step.id) && !is_made).then_some(StayReason::NoPlace)
        };
        let out: BTreeMap<DocId, StayReason> =
            steps.iter().filter_map(|it| Some((it.id.clone(), stays(it)?))).into_map();
        if out.is_empty() {
            return Ok(());
        }
        for (id, &why) in &out {
            let title = steps.iter().find(|it| it.id == *id).map(|it| it.title.clone()).unwrap_or_default();
            left.push(LeftDocument { id: id.to_string(), title, why, blocks: Vec::new() });
        }
        steps.retain(|it| !out.contains_key(&it.id));
    }
}
