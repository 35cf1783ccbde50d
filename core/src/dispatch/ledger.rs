//! Between steps 8 and 9: the ledger learns which documents a call is about to change.
//!
//! Its requests are those of the pipeline, so no action declares them. What a call reads costs none.

use std::collections::{BTreeMap, BTreeSet};

use super::Attempt;
use crate::cx::Cx;
use crate::id::DocId;
use crate::kernel::api::filetree;
use crate::permission::{Place, Target};
use crate::runs::{Intent, Underway};
use crate::sorted::IntoSorted as _;
use crate::spec::{ActionSpec, Tool};

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
    for (target, found) in places.into_iter().flat_map(|it| it.each()) {
        for it in found.places() {
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
    let removes =
        spec.calls.contains(&filetree::REMOVE_DOC_BY_ID) && !spec.calls.contains(&filetree::MOVE_DOCS_BY_ID);
    if !removes {
        cx.has_versions(documents.keys().cloned().into_set());
    }
    let intent = Intent { author, action: spec.path(), documents, removes };
    Some(runs.begin(kernel, intent, cx.touches()).await)
}
