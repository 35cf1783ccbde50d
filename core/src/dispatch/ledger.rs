//! Between steps 8 and 9: the ledger learns which documents a call is about to change.
//!
//! Its requests are those of the pipeline, so no action declares them. What a call reads costs none.

use std::collections::{BTreeMap, BTreeSet};

use super::Attempt;
use crate::cx::Cx;
use crate::id::{DocId, NotebookId};
use crate::kernel::api::{block, filetree};
use crate::kernel::{self, Kernel, Route};
use crate::permission::{Place, Places, Target};
use crate::runs::touched::{Recall, is_irreversible, recall};
use crate::runs::{Intent, Underway};
use crate::sorted::IntoSorted as _;
use crate::spec::{ActionSpec, Tool, Verb};

/// Prepares the way back of a change; `None` without a ledger. The change ends when the result is dropped.
pub(super) async fn begin<'a>(
    spec: &'static ActionSpec,
    changes: &BTreeSet<DocId>,
    attempt: &Attempt,
    cx: &'a Cx<'a>,
) -> Option<Underway<'a>> {
    let ((runs, kernel), author) = (cx.ledger()?, cx.author()?);
    let places = attempt.places.get();
    let place = |place: &Place| {
        let storage = place.storage.as_ref()?;
        Some((place.notebook.to_string(), storage.as_str().to_owned()))
    };
    let mut documents: BTreeMap<DocId, Option<(String, String)>> =
        changes.iter().map(|id| (id.clone(), None)).into_map();
    let mut paths = cx.foreseen();
    for (target, found) in places.into_iter().flat_map(Places::each) {
        for it in found.places() {
            if let Some(above) = it.above.as_ref().filter(|above| above.doc.is_none()) {
                paths.insert((it.notebook.clone(), above.hpath.clone()));
            }
            let Some(doc) = &it.doc else { continue };
            // A change of a database is one of the documents that show it, whose versions hold the database, and of
            // those that it takes as rows.
            if spec.tool == Tool::Av || matches!(target, Target::Av(_)) {
                documents.entry(doc.clone()).or_default();
            }
            if let Some(known) = documents.get_mut(doc) {
                *known = place(it);
            }
        }
    }
    let calls = |route| spec.calls.contains(&route);
    if calls(block::APPEND_DAILY_NOTE_BLOCK) {
        // Today's note, if it is there already.
        for (notebook, hpath) in cx.foreseen() {
            let found = kernel::ask(kernel, filetree::get_ids_by_hpath(&notebook, &hpath)).await;
            found.into_iter().flatten().for_each(|id| _ = documents.entry(id).or_default());
        }
    }
    if calls(filetree::MOVE_DOCS_BY_ID) {
        locate(&mut documents, kernel).await;
    }
    let mut orders = cx.reordered();
    if calls(filetree::CHANGE_SORT) {
        let places = places.into_iter().flat_map(Places::each).flat_map(|(_, found)| found.places());
        orders.extend(places.map(|it| (it.notebook.clone(), below(it).to_owned())));
    }
    if [filetree::REMOVE_DOC_BY_ID, filetree::DOC_TO_HEADING].into_iter().any(calls) {
        // SiYuan forgets the place of a removed document among the others.
        orders.extend(documents.values().flatten().filter_map(|(notebook, path)| above(notebook, path)));
    }
    let removes = calls(filetree::REMOVE_DOC_BY_ID) && !calls(filetree::MOVE_DOCS_BY_ID);
    // Putting back is a run of its own, which can be put back.
    let is_alone = matches!(spec.deed, Some((Verb::PutBack, _)));
    let (action, is_irreversible) = (spec.path(), is_irreversible(spec));
    let is_change = |route: &Route| recall(*route).is_some_and(|it| it != Recall::Nothing);
    let is_blind = documents.is_empty() && spec.calls.iter().any(is_change);
    let intent = Intent {
        author,
        action,
        documents,
        paths,
        orders,
        removes,
        is_irreversible,
        is_alone,
        errand: cx.errand().unwrap_or_default().to_owned(),
        puts_back: cx.run_put_back(),
        is_blind,
    };
    let (underway, kept) = runs.begin(kernel, intent, cx.touches()).await;
    cx.has_versions(kept);
    Some(underway)
}

/// The storage path of a place; `/` for a notebook, which its own document stands for.
fn below(place: &Place) -> &str {
    match &place.storage {
        Some(storage) if place.doc.as_ref() != Some(&place.notebook.own_document()) => storage.as_str(),
        _ => "/",
    }
}

/// The place above a document.
fn above(notebook: &str, path: &str) -> Option<(NotebookId, String)> {
    let (parents, _) = path.rsplit_once('/')?;
    let above = if parents.is_empty() { "/".to_owned() } else { format!("{parents}.sy") };
    Some((NotebookId::parse(notebook)?, above))
}

/// Adds the places of documents that are no targets of the call, before it may move them.
async fn locate(documents: &mut BTreeMap<DocId, Option<(String, String)>>, kernel: &dyn Kernel) {
    for (id, known) in documents.iter_mut().filter(|(_, known)| known.is_none()) {
        let found = kernel::ask(kernel, filetree::get_path_by_id(id)).await.ok();
        *known = found.filter(|it| it.path.ends_with(&format!("/{id}.sy"))).map(|it| (it.notebook, it.path));
    }
}
