//! Documents that are to be removed: what goes with them, and what would break elsewhere.

use futures_util::future::join;
use serde_json::Value;

use super::impact::{self, BrokenLinks, DepartingDocument};
use crate::ask::{Thing, ThingKind, Things};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::Route;
use crate::permission::Place;
use crate::plan::Plan;

/// The routes that these helpers call.
pub const CALLS: &[Route] = impact::CALLS;

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
