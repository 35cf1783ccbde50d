//! Places of ids: one `getPathByID` each for a few; the index, then its misses one by one, for many.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;

use super::Resolver;
use crate::error::ToolError;
use crate::id::BlockId;
use crate::kernel::api::filetree::{self, DocLocation};
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel, KernelError, sql};
use crate::permission::{Grants, Level, Need, Place, Target};
use crate::spec::Effect;

/// The time for which the kernel may say "indexing" after a removal or an opened notebook (kernel-facts A2).
const INDEXING: Duration = Duration::from_millis(150);
/// Up to this many ids of a reader are asked for one by one: flushing the index takes 50 ms.
pub(crate) const FEW: usize = 8;
/// Ids per statement.
const CHUNK: usize = 500;
/// The maximum number of misses that are retried; beyond that, the freshly flushed index is trusted.
const AGAIN: usize = 64;

/// An id that nothing has, requested in place of one in a closed notebook.
const NOWHERE: &str = "19700101000000-nowhere";

/// The current place of an id; `None` when nothing has it.
pub(crate) async fn locate(
    kernel: &dyn Kernel,
    grants: &Grants,
    id: &BlockId,
) -> Result<Option<DocLocation>, ToolError> {
    Ok(locate_each(kernel, grants, std::slice::from_ref(id)).await?.pop().flatten())
}

/// The current places of a few ids, in order.
///
/// To place an id, the kernel loads its document, so the time grows with the document. While any notebook is closed to
/// the caller, the index is therefore read first, in constant time. Unless it has every id in a readable notebook, it
/// is flushed and read again: it may be 3 s late. An id that it then has in closed notebooks only gets the place there,
/// and the kernel is asked for an id that nothing has: the requests and their time are those for a missing id (B-055).
/// The index opens nothing: an id that it has elsewhere, or lacks, is placed by the kernel.
pub(crate) async fn locate_each(
    kernel: &dyn Kernel,
    grants: &Grants,
    ids: &[BlockId],
) -> Result<Vec<Option<DocLocation>>, ToolError> {
    let mut rows = Vec::new();
    if grants.any_hidden() && !ids.is_empty() {
        rows = rows_of(kernel, ids.iter().map(BlockId::as_str)).await?;
        let is_open = |id: &BlockId| has(&rows, id.as_str()) && closed(grants, &rows, id.as_str()).is_none();
        if !ids.iter().all(is_open) {
            kernel::ask(kernel, query::flush_transaction()).await?;
            rows = rows_of(kernel, ids.iter().map(BlockId::as_str)).await?;
        }
    }
    let places = ids.iter().map(|id| placed(kernel, id, closed(grants, &rows, id.as_str())));
    join_all(places).await.into_iter().collect()
}

fn has(rows: &[Row], id: &str) -> bool {
    rows.iter().any(|row| row.text("id") == id)
}

/// The place that the index has for an id, if all that it has are hidden from the caller.
fn closed(grants: &Grants, rows: &[Row], id: &str) -> Option<DocLocation> {
    let mut places = rows.iter().filter(|row| row.text("id") == id).peekable();
    let first = places
        .peek()
        .map(|row| DocLocation { notebook: row.text("box").to_owned(), path: row.text("path").to_owned() });
    first.filter(|_| places.all(|row| grants.level_of(row.text("box")) == Level::None))
}

/// The place of an id in a closed notebook, after the request for an id that nothing has; otherwise the place that the
/// kernel names.
async fn placed(
    kernel: &dyn Kernel,
    id: &BlockId,
    closed: Option<DocLocation>,
) -> Result<Option<DocLocation>, ToolError> {
    let nowhere = closed.as_ref().and_then(|_| BlockId::parse(NOWHERE));
    let found = fresh(kernel, nowhere.as_ref().unwrap_or(id)).await?;
    Ok(closed.or(found))
}

/// The place of an id as the kernel has it now.
async fn fresh(kernel: &dyn Kernel, id: &BlockId) -> Result<Option<DocLocation>, ToolError> {
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

/// The rows of the index for a few ids.
async fn rows_of<'a>(
    kernel: &dyn Kernel,
    ids: impl ExactSizeIterator<Item = &'a str>,
) -> Result<Vec<Row>, ToolError> {
    let most = ids.len() * 4;
    let list = sql::list(ids);
    let stmt = format!(
        "SELECT b.id, b.box, b.path FROM blocks AS b WHERE b.id IN ({list}) GROUP BY b.id, b.box, b.path LIMIT {most}"
    );
    Ok(kernel::ask(kernel, query::sql(&stmt)).await?.for_the_check())
}

impl Resolver<'_> {
    /// The place of one id; `None` when nothing has it.
    pub(super) async fn id(&self, asked: Id<'_>) -> Result<Option<Place>, ToolError> {
        Ok(self.few(&[asked]).await?.pop().flatten())
    }

    /// The places of a few ids, in order.
    async fn few(&self, asked: &[Id<'_>]) -> Result<Vec<Option<Place>>, ToolError> {
        let parsed: Vec<Option<BlockId>> = asked.iter().map(|it| BlockId::parse(it.id)).collect();
        let ids: Vec<BlockId> = parsed.iter().flatten().cloned().collect();
        let mut found = locate_each(self.kernel, &self.scope.grants, &ids).await?.into_iter();
        let places = parsed.into_iter().map(|id| id.and_then(|_| found.next().flatten()));
        let each = asked.iter().zip(places);
        each.map(|(asked, found)| as_doc(*asked, found.and_then(|it| self.place(&it.notebook, &it.path))))
            .collect()
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
            return self.few(&ids).await;
        }
        kernel::ask(self.kernel, query::flush_transaction()).await?;
        let mut rows = Vec::new();
        for chunk in ids.chunks(CHUNK) {
            rows.append(&mut self.rows(chunk).await?);
        }
        let mut known: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
        for row in &rows {
            let place = self.place(row.text("box"), row.text("path"));
            known.entry(row.text("id")).or_default().extend(place);
        }
        let mut places: Vec<Option<Place>> = ids.iter().map(|id| readable(known.get(id.id))).collect();
        let none = places.iter().enumerate().filter(|(_, it)| it.is_none());
        let missed: Vec<(usize, BlockId)> =
            none.filter_map(|(at, _)| Some((at, BlockId::parse(ids.get(at)?.id)?))).collect();
        if missed.len() <= AGAIN {
            let grants = &self.scope.grants;
            let again =
                missed.iter().map(|(_, id)| placed(self.kernel, id, closed(grants, &rows, id.as_str())));
            let again = join_all(again).await;
            for ((at, _), found) in missed.iter().zip(again) {
                if let Some(place) = places.get_mut(*at) {
                    *place = found?.and_then(|it| self.place(&it.notebook, &it.path));
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
