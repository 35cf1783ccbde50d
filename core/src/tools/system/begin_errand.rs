//! `system.begin_errand`: asks the person once for many changes, within bounds.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::ask::clean;
use crate::content::impact::{self, DepartingDocument};
use crate::errands::{ErrandBounds, ErrandCost, ErrandPlace, LONGEST_PURPOSE};
use crate::prelude::*;
use crate::visible::is_seen;

/// Ask once for several dangerous changes: an errand.
///
/// After the person's yes, changes in these notebooks or documents need no question of their own until a bound is
/// reached. What has no way back always asks.
#[derive(Debug, Action)]
#[action(
    system.begin_errand,
    effect = Write,
    danger = "Works in {name} without a question for each change: at most {changes} changes and {deletes} deletions, for {minutes} minutes.",
    deed = Errand(PutBack),
    idempotent = false,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, ..impact],
    examples = [
        { "purpose": "Tidy the tags", "notebooks": ["{notebook}"], "changes": 40, "deletes": 5, "minutes": 20 },
        { "purpose": "Sort the beds", "documents": ["{doc}"], "changes": 10 },
    ],
)]
pub struct BeginErrand {
    /// Your own sentence for the person: what you are about to do.
    #[read_by(Html)]
    pub purpose: Text<1, 200>,
    /// The place of the changes.
    #[needs(Write)]
    #[one_of]
    pub place: ErrandTargets,
    /// The most changes.
    pub changes: Int<1, 200, 20>,
    /// The most deletions of documents, those below included.
    pub deletes: Int<0, 20, 0>,
    /// The most minutes.
    pub minutes: Int<1, 60, 20>,
}

/// Notebooks, or documents with everything below them.
#[derive(Debug, Clone, OneOf)]
pub enum ErrandTargets {
    /// Ids or exact names of notebooks.
    #[target]
    Notebooks(Ids<NotebookRef, 8>),
    /// Ids of documents, with those below.
    #[target]
    Documents(Ids<DocId, 10>),
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    purpose: String,
    place: ErrandPlace,
    bounds: ErrandBounds,
    /// The documents below those of the place: what comes there before the answer is not what the person read.
    below: Vec<DepartingDocument>,
    /// A session of its own has a question of its own: a name proves nothing.
    session: Option<String>,
}

impl BeginErrand {
    /// The bounds, if the person allows them.
    fn bounds(&self, cx: &Cx<'_>) -> Result<ErrandBounds, ToolError> {
        let ErrandBounds { most, minutes } = cx.errand_ceilings();
        let bound = |name: &str, value: usize, most: u64| {
            let value = value as u64;
            let expected = || format!("at most {most}, as the person has set it");
            if value > most { Err(ToolError::field(name, expected())) } else { Ok(value) }
        };
        let changes = bound("changes", self.changes.get(), most.changes)?;
        let deletes = bound("deletes", self.deletes.get(), most.deletes)?;
        let minutes = bound("minutes", self.minutes.get(), minutes)?;
        Ok(ErrandBounds { most: ErrandCost { changes, deletes }, minutes })
    }
}

impl Change for BeginErrand {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        cx.may_begin_errand()?;
        if !self.purpose.as_str().chars().any(is_seen) {
            return Err(ToolError::field("purpose", "visible text"));
        }
        let bounds = self.bounds(cx)?;
        let (mut ids, mut notebooks, mut things) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let mut below = Vec::new();
        let (kind, place) = match &self.place {
            ErrandTargets::Notebooks(all) => {
                for it in all.as_slice() {
                    let place = cx.found(it).await?;
                    if ids.insert(place.notebook.to_string()) {
                        things.push(Thing::titled(&place.notebook_name));
                    }
                }
                notebooks.clone_from(&ids);
                (ThingKind::Notebook, ErrandPlace::Notebooks(ids))
            }
            ErrandTargets::Documents(all) => {
                let mut tops = Vec::new();
                for it in all.as_slice() {
                    let place = cx.found(it).await?;
                    if place.doc.as_ref() != Some(it) || *it == place.notebook.own_document() {
                        return Err(ToolError::field(
                            "documents",
                            "documents; name a notebook in `notebooks`",
                        ));
                    }
                    notebooks.insert(place.notebook.to_string());
                    ids.insert(it.to_string());
                    things.push(Thing::of(it.as_str()));
                    tops.push((it, place));
                }
                cx.ask(query::flush_transaction()).await?;
                below = impact::documents(&tops, cx).await?;
                (ThingKind::Document, ErrandPlace::Documents(ids))
            }
        };
        if bounds.most.deletes > 0 {
            cx.require(Level::Delete, notebooks.iter().map(String::as_str))?;
        }
        let purpose = clean(self.purpose.as_str(), LONGEST_PURPOSE);
        let ErrandBounds { most: ErrandCost { changes, deletes }, minutes } = bounds;
        let n = things.len();
        let name = match (kind, n) {
            (ThingKind::Notebook, 1) => things.first().map(|it| it.title.clone()).unwrap_or_default(),
            (ThingKind::Notebook, _) => format!("{n} notebooks"),
            (_, 1) => "a document and those below it".to_owned(),
            (..) => format!("{n} documents and those below them"),
        };
        let session = cx.session().map(str::to_owned);
        let shown = purpose.clone();
        let all_below = impact::below(&below);
        Ok(Plan::new("begin an errand", Facts { purpose: purpose.clone(), place, bounds, below, session })
            .show("purpose", shown)
            .show("changes", changes)
            .show("deletes", deletes)
            .show("minutes", minutes)
            .about(kind, Things::of(things))
            .also(Consequence::Bounds { changes, deletes, minutes, purpose })
            .also(all_below)
            .touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { purpose, place, bounds, .. } = plan.facts;
        let (key, ids) = match &place {
            ErrandPlace::Notebooks(ids) => ("notebooks", ids),
            ErrandPlace::Documents(ids) => ("documents", ids),
        };
        let ids: Value = ids.iter().map(String::as_str).collect();
        let errand = cx.begin_errand(&purpose, place, bounds)?;
        let output = Output::new().with("errand", errand).with(key, ids);
        let output = output.with("changes", bounds.most.changes).with("deletes", bounds.most.deletes);
        Ok(output.with("minutes", bounds.minutes))
    }
}

#[cfg(test)]
#[path = "begin_errand_tests.rs"]
mod tests;
