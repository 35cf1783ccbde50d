//! Documents that are to be removed: what goes with them, and what would break elsewhere.

use std::collections::BTreeSet;

use futures_util::future::join;
use serde_json::Value;

use super::impact::{self, BrokenLinks, DepartingDocument};
use crate::ask::{Thing, ThingKind, Things};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::index::{self, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::{filetree, query};
use crate::permission::{Place, StoragePath};
use crate::plan::Plan;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[query::FLUSH_TRANSACTION, query::SQL, filetree::REMOVE_DOC_BY_ID];

/// Documents that are to be removed, none below another.
#[derive(Debug, Hash)]
pub struct DocumentRemoval {
    /// The documents with those below.
    pub documents: Vec<DepartingDocument>,
    /// The references, embeds and rows elsewhere that break.
    pub broken: BrokenLinks,
}

impl DocumentRemoval {
    /// Reads what would be removed, according to the index (`SQL`), which the caller has flushed. Documents below
    /// others go only with `recursive`.
    pub async fn read(
        top: &[(&DocId, &Place)],
        recursive: bool,
        cx: &Cx<'_>,
    ) -> Result<DocumentRemoval, ToolError> {
        cx.declares(CALLS)?;
        let (documents, broken) =
            join(impact::documents(top, cx), impact::broken_by_documents(top, cx)).await;
        let removal = DocumentRemoval { documents: documents?, broken: broken? };
        let below = removal.below();
        if below == 0 || recursive {
            return Ok(removal);
        }
        let with_some = removal.documents.iter().filter(|it| !it.below.is_empty());
        let entries: Vec<Value> = with_some.map(DepartingDocument::to_json).collect();
        let expected = format!("true, to delete the documents below too ({below})");
        Err(ToolError::field("recursive", expected).with("documents", entries))
    }

    /// Removes one of the documents, unless others came below it since the plan: SiYuan would remove these too, and
    /// nobody approved that.
    ///
    /// # Errors
    /// If others came below it, or if SiYuan does not remove it.
    pub async fn remove(document: &DepartingDocument, cx: &Cx<'_>) -> Result<(), ToolError> {
        cx.declares(CALLS)?;
        cx.ask(query::flush_transaction()).await?;
        let planned: BTreeSet<DocId> = document.all().into_set();
        let below = index::contains("path", &format!("/{}/", document.id));
        let select = Select::from(Table::Blocks).columns(["path"]).filter(index::eq("type", "d"));
        let now = cx.select(select.filter(below).limit(planned.len() + 1)).await?.rows;
        let mut now = now.iter().map(|row| StoragePath::parse(row.text("path")).and_then(|it| it.doc()));
        if now.any(|id| id.is_none_or(|it| !planned.contains(&it))) {
            return Err(ToolError::conflict(
                "Other documents came below this one meanwhile, so it was not deleted. Call again.",
            ));
        }
        cx.ask(filetree::remove_doc_by_id(&document.id)).await
    }

    /// The number of documents below.
    fn below(&self) -> usize {
        self.documents.iter().map(|it| it.below.len()).sum()
    }

    /// The number of documents in all.
    pub fn count(&self) -> usize {
        self.documents.len() + self.below()
    }

    /// The plan as a person approves it.
    pub fn planned(self) -> Plan<DocumentRemoval> {
        let entries: Vec<Value> = self.documents.iter().map(DepartingDocument::to_json).collect();
        let changes: Vec<DocId> = self.documents.iter().flat_map(DepartingDocument::all).collect();
        let name = self.documents.first().map(|it| it.title.clone()).unwrap_or_default();
        let (n, broken) = (self.count(), self.broken.clone());
        let things =
            Things::of(self.documents.iter().map(|it| Thing::titled(&it.title).with_id(it.id.as_str())));
        let below = impact::below(&self.documents);
        let plan = Plan::new("remove", self).show("removed", entries);
        let plan = plan.about(ThingKind::Document, things).also(below);
        broken.show(plan).changing(changes).touching(n, name)
    }
}
