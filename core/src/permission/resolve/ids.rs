//! Places of ids: one `getPathByID` each for a few; the index, then its misses one by one, for many.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;

use super::Resolver;
use crate::error::ToolError;
use crate::id::BlockId;
use crate::kernel::api::filetree::{self, Located};
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel, KernelError, sql};
use crate::permission::{Level, Need, Place, Target};
use crate::spec::Effect;

/// The time for which the kernel may say "indexing" after a removal or an opened notebook (kernel-facts A2).
const INDEXING: Duration = Duration::from_millis(150);
/// Up to this many ids of a reader are asked for one by one: flushing the index takes 50 ms.
pub(crate) const FEW: usize = 8;
/// Ids per statement.
const CHUNK: usize = 500;
/// The maximum number of misses that are retried; beyond that, the freshly flushed index is trusted.
const AGAIN: usize = 64;

/// The current place of an id; `None` when nothing has it.
pub(crate) async fn locate(kernel: &dyn Kernel, id: &BlockId) -> Result<Option<Located>, ToolError> {
    let ask = || kernel::ask(kernel, filetree::get_path_by_id(id));
    let mut answer = ask().await;
    if answer == Err(KernelError::Indexing) {
        kernel.pause(INDEXING).await;
        answer = ask().await;
    }
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(KernelError::Indexing | KernelError::Code(..)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Resolver<'_> {
    /// The place of one id, never stale; `None` when nothing has it.
    pub(super) async fn id(&self, asked: Id<'_>) -> Result<Option<Place>, ToolError> {
        let Some(id) = BlockId::parse(asked.id) else { return Ok(None) };
        match locate(self.kernel, &id).await? {
            Some(found) => as_doc(asked, self.place(&found.notebook, &found.path)),
            None => Ok(None),
        }
    }

    /// The places of several ids, in order. Ids in hidden notebooks are retried like missing ones, so that the
    /// requests do not tell them apart (B-055).
    ///
    /// The index lags by up to 3 s and still shows a block that was moved into a hidden notebook at its old place. A
    /// few ids are therefore asked for one by one, and the index is flushed before it is asked for many.
    pub(super) async fn ids(&self, needs: &[&Need]) -> Result<Vec<Option<Place>>, ToolError> {
        let names: Vec<String> = needs.iter().map(|need| need.target.name()).collect();
        let ids: Vec<Id<'_>> = needs.iter().zip(&names).map(|(need, id)| Id::of(need, id)).collect();
        let reads = self.spec.effect == Effect::Read;
        if ids.len() == 1 || (reads && ids.len() <= FEW) {
            return join_all(ids.iter().map(|id| self.id(*id))).await.into_iter().collect();
        }
        kernel::ask(self.kernel, query::flush_transaction()).await?;
        let mut known: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for chunk in ids.chunks(CHUNK) {
            for row in self.rows(chunk).await? {
                let place = self.place(row.text("box"), row.text("path"));
                known.entry(row.text("id").to_owned()).or_default().extend(place);
            }
        }
        let mut places: Vec<Option<Place>> = ids.iter().map(|id| readable(known.get(id.id))).collect();
        let missed: Vec<usize> =
            places.iter().enumerate().filter(|(_, it)| it.is_none()).map(|(at, _)| at).collect();
        if missed.len() <= AGAIN {
            let asked = missed.iter().filter_map(|at| ids.get(*at));
            let again = join_all(asked.map(|id| self.id(*id))).await;
            for (at, found) in missed.into_iter().zip(again) {
                if let Some(place) = places.get_mut(at) {
                    *place = found?;
                }
            }
        }
        ids.iter().zip(places).map(|(id, place)| as_doc(*id, place)).collect()
    }

    async fn rows(&self, ids: &[Id<'_>]) -> Result<Vec<Row>, ToolError> {
        let list = sql::list(ids.iter().map(|it| it.id));
        // The index may list an id several times; more than a few rows per id are of no use.
        let most = ids.len() * 4;
        let stmt = format!(
            "SELECT id, box, path FROM blocks WHERE id IN ({list}) GROUP BY id, box, path LIMIT {most}"
        );
        Ok(kernel::ask(self.kernel, query::sql(&stmt)).await?.for_the_check())
    }
}

/// An id as an argument names it.
#[derive(Clone, Copy)]
pub(super) struct Id<'a> {
    pub(super) param: &'a str,
    pub(super) id: &'a str,
    pub(super) must_be_doc: bool,
}

impl<'a> Id<'a> {
    fn of(need: &'a Need, id: &'a str) -> Id<'a> {
        Id { param: &need.param, id, must_be_doc: matches!(need.target, Target::Doc(_)) }
    }
}

/// The one place of an id, if the caller may read it. An id with several places has none until the kernel names the
/// right one.
fn readable(places: Option<&Vec<Place>>) -> Option<Place> {
    match places.map(Vec::as_slice) {
        Some([one]) if one.level > Level::None => Some(one.clone()),
        _ => None,
    }
}

/// Refuses a block where a document is expected and names the block's document; never for a hidden notebook.
fn as_doc(asked: Id<'_>, place: Option<Place>) -> Result<Option<Place>, ToolError> {
    let Id { param, id, must_be_doc } = asked;
    let doc = place.as_ref().and_then(|it| it.doc.as_ref()).map(|it| it.as_str().to_owned());
    match (&place, doc) {
        (Some(found), Some(doc)) if must_be_doc && found.level > Level::None && doc != id => {
            let expected = format!("a document; {id} is a block of the document {doc}");
            Err(ToolError::field(param, expected).with("doc", doc.as_str()).instead(param, doc))
        }
        _ => Ok(place),
    }
}
