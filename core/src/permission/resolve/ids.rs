//! Places of ids: one `getPathByID` for each of a few, one SQL and the misses for many.

use std::time::Duration;

use futures_util::future::join_all;

use super::Resolver;
use crate::error::ToolError;
use crate::id::BlockId;
use crate::kernel::api::filetree::{self, Located};
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, KernelError, sql};
use crate::permission::{Level, Need, Place, Target, Unfiltered};
use crate::spec::Effect;

/// How long the kernel may say "indexing" after a removal or an opened notebook (kernel-facts A2).
const INDEXING: Duration = Duration::from_millis(150);
/// Up to this many ids a reader's are asked one by one: making the index current takes 50 ms.
const FEW: usize = 8;

impl Resolver<'_> {
    /// The place of one id, current at any time; `None` when there is none.
    pub(super) async fn id_place(&self, id: &str, must_be_doc: bool) -> Result<Option<Place>, ToolError> {
        let Some(block) = BlockId::parse(id) else { return Ok(None) };
        let mut answer = self.locate(&block).await;
        if answer == Err(KernelError::Indexing) {
            self.kernel.pause(INDEXING).await;
            answer = self.locate(&block).await;
        }
        match answer {
            Ok(found) => self.as_doc(id, self.place(&found.notebook, &found.path), must_be_doc),
            Err(KernelError::Indexing | KernelError::Code(..)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn locate(&self, id: &BlockId) -> Result<Located, KernelError> {
        kernel::ask(self.kernel, filetree::get_path_by_id(id)).await
    }

    /// Refuses a block where a document is due, naming its document; never for a hidden notebook.
    fn as_doc(&self, id: &str, place: Option<Place>, must_be_doc: bool) -> Result<Option<Place>, ToolError> {
        let doc = place.as_ref().and_then(|it| it.doc.as_ref()).map(|it| it.as_str().to_owned());
        match (&place, doc) {
            (Some(found), Some(doc)) if must_be_doc && found.level > Level::None && doc != id => {
                Err(ToolError::field("id", format!("a document; {id} is a block of the document {doc}"))
                    .with("doc", doc))
            }
            _ => Ok(place),
        }
    }

    /// The places of several ids, in order. Ids in hidden notebooks are asked once more like missing
    /// ones, so that the requests do not tell them apart (B-055).
    ///
    /// The index is up to 3 s behind: what was moved into a hidden notebook still stands in its old one
    /// there. So few ids are asked one by one, and before it is asked for many it is made current.
    pub(super) async fn ids_places(&self, needs: &[&Need]) -> Result<Vec<Option<Place>>, ToolError> {
        let ids: Vec<(String, bool)> =
            needs.iter().map(|need| (need.target.name(), matches!(need.target, Target::Doc(_)))).collect();
        let reads = self.spec.effect == Effect::Read;
        if ids.len() == 1 || (reads && ids.len() <= FEW) {
            return join_all(ids.iter().map(|(id, must_be_doc)| self.id_place(id, *must_be_doc)))
                .await
                .into_iter()
                .collect();
        }
        kernel::ask(self.kernel, query::flush_transaction()).await?;
        let list = sql::list(ids.iter().map(|(id, _)| id.as_str()));
        let stmt = format!(
            "SELECT id, box, path FROM blocks WHERE id IN ({list}) GROUP BY id, box, path LIMIT 1000"
        );
        let rows: Unfiltered<Vec<Row>> = kernel::ask(self.kernel, query::sql(&stmt)).await?;
        let rows = rows.for_the_check();
        join_all(ids.iter().map(|(id, must_be_doc)| {
            let mut of_id = rows.iter().filter(|row| row.text("id") == id);
            // An id that stands at several places lies at none of them until the kernel says where.
            let place = match (of_id.next(), of_id.next()) {
                (Some(row), None) => self.place(row.text("box"), row.text("path")),
                _ => None,
            };
            async move {
                match place {
                    Some(place) if place.level > Level::None => self.as_doc(id, Some(place), *must_be_doc),
                    _ => self.id_place(id, *must_be_doc).await,
                }
            }
        }))
        .await
        .into_iter()
        .collect()
    }
}
