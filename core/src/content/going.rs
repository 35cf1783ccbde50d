//! The documents that go along with removed or moved ones, and the references that break.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join;
use serde_json::{Value, json};

use super::bound::{self, BoundRows};
use crate::ask::{Consequence, Thing, Things};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{DocId, NotebookId};
use crate::index::{self, Order, RowCondition, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::query::{self, Row};
use crate::permission::{Place, StoragePath};
use crate::plan::Plan;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[query::SQL];

/// The maximum number of documents that are read below others.
const MOST: usize = 100_000;
/// The number of references that a question shows by block and document.
const SHOWN: usize = 10;
/// The name of the column with the number of documents of all rows.
pub const DOCUMENTS: &str = "n_documents";

/// A document that is moved or removed, with everything below it.
#[derive(Debug, Hash)]
pub struct DepartingDocument {
    /// The document.
    pub id: DocId,
    /// Its title.
    pub title: String,
    /// The title of each document below, by its storage path, which names the document and those above it.
    pub below: BTreeMap<String, String>,
}

impl DepartingDocument {
    /// The entry as an answer shows it.
    pub fn to_json(&self) -> Value {
        json!({ "id": self.id.as_str(), "title": self.title, "below": self.below.len() })
    }

    /// The documents below, as a question names them.
    pub fn things_below(&self) -> impl Iterator<Item = Thing> {
        self.below.iter().map(|(path, title)| {
            let id = StoragePath::parse(path).and_then(|it| it.doc());
            let thing = Thing::titled(title);
            id.map_or_else(|| thing.clone(), |id| thing.clone().with_id(id.as_str()))
        })
    }

    /// The document and those below.
    pub fn all(&self) -> impl Iterator<Item = DocId> {
        let below = self.below.keys().filter_map(|path| StoragePath::parse(path)?.doc());
        below.chain([self.id.clone()])
    }

    fn of(id: &DocId, place: &Place, rows: &[Row]) -> DepartingDocument {
        let below = place.storage.as_ref().map(StoragePath::below);
        let there = || rows.iter().filter(|row| row.text("box") == place.notebook.as_str());
        let own = there().find(|row| row.text("id") == id.as_str());
        let is_inside = |row: &&Row| below.as_ref().is_some_and(|below| row.text("path").starts_with(below));
        let inside = there().filter(is_inside);
        DepartingDocument {
            id: id.clone(),
            title: own.map(|row| row.text("content").to_owned()).unwrap_or_default(),
            below: inside.map(|row| (row.text("path").to_owned(), row.text("content").to_owned())).into_map(),
        }
    }
}

/// Whether a document lies below another.
pub fn is_below(place: &Place, other: &Place) -> bool {
    let (Some(storage), Some(above)) = (&place.storage, &other.storage) else { return false };
    place.notebook == other.notebook && storage.as_str().starts_with(&above.below())
}

/// The documents that go along with these, according to the index (`SQL`).
pub async fn documents(going: &[(&DocId, &Place)], cx: &Cx<'_>) -> Result<Vec<DepartingDocument>, ToolError> {
    cx.declares(CALLS)?;
    let select =
        Select::from(Table::Blocks).columns(["id", "path", "content"]).filter(index::eq("type", "d"));
    let rows = cx.select(select.filter(within(Table::Blocks, going)).limit(MOST)).await?.rows;
    Ok(going.iter().map(|(id, place)| DepartingDocument::of(id, place, &rows)).collect())
}

/// The references, embeds and rows elsewhere that break when something goes, as far as the caller may read them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BrokenLinks {
    /// The number of blocks that refer to it or embed it.
    pub count: u64,
    /// The number of their documents.
    documents: u64,
    /// The first ones, with their documents and texts.
    first: Vec<Value>,
    rows: BoundRows,
}

impl BrokenLinks {
    /// Adds the numbers to a preview, and the first blocks and rows, so that a person can decide.
    pub fn show<F>(self, plan: Plan<F>) -> Plan<F> {
        let breaks = breaks(self.count, self.documents, &self.first);
        let plan = self.rows.show(plan.show("broken_refs", self.count).also(breaks));
        if self.first.is_empty() { plan } else { plan.show("references", self.first) }
    }
}

/// References that break, for a question: the documents of the first ones, and the number of all their documents.
pub fn breaks(refs: u64, documents: u64, first: &[Value]) -> Option<Consequence> {
    let ids: BTreeSet<&str> = first.iter().filter_map(|it| it.get("doc")?.as_str()).into_set();
    let documents = Things { n: documents, ..Things::of(ids.into_iter().map(Thing::of)) };
    (refs > 0).then_some(Consequence::Breaks { refs, documents })
}

/// The number of documents in which these rows lie with all that were not read, by [`DOCUMENTS`].
pub fn documents_of(rows: &[Row]) -> u64 {
    rows.first().map_or(0, |row| row.number(DOCUMENTS))
}

/// The documents below these, which go along, for a question; `None` if there are none.
pub fn below(documents: &[DepartingDocument]) -> Option<Consequence> {
    let below = Things::of(documents.iter().flat_map(DepartingDocument::things_below));
    (below.n > 0).then_some(Consequence::Below(below))
}

/// Finds the references, embeds and rows that break without these documents and those below them (`SQL`, up to three).
pub async fn broken_by_documents(going: &[(&DocId, &Place)], cx: &Cx<'_>) -> Result<BrokenLinks, ToolError> {
    let select = Select::from(Table::Refs)
        .join(Table::Blocks, "b.id", "r.def_block_root_id")
        .filter(index::eq("b.type", "d").and(within(Table::Blocks, going)))
        .filter(index::not(within(Table::Refs, going)));
    let places: Vec<&Place> = going.iter().map(|(_, place)| *place).collect();
    let (broken, rows) = join(named(select, cx), bound::of_documents(&places, cx)).await;
    Ok(BrokenLinks { rows: rows?, ..broken? })
}

/// Finds the references, embeds and rows in other notebooks that break without this one (`SQL`, up to three).
pub async fn broken_by_notebook(notebook: &NotebookId, cx: &Cx<'_>) -> Result<BrokenLinks, ToolError> {
    let select = Select::from(Table::Refs)
        .join(Table::Blocks, "b.id", "r.def_block_root_id")
        .filter(index::eq("b.type", "d").and(index::eq("b.box", notebook.as_str())))
        .filter(index::is_not("r.box", notebook.as_str()));
    let (broken, rows) = join(named(select, cx), bound::of_notebook(notebook, cx)).await;
    Ok(BrokenLinks { rows: rows?, ..broken? })
}

async fn named(references: Select, cx: &Cx<'_>) -> Result<BrokenLinks, ToolError> {
    cx.declares(CALLS)?;
    let found = cx.select(blocks_of(references).counted()).await?;
    let first = found.rows.iter().map(index::block).collect();
    let (count, documents) = (found.total.unwrap_or_default(), documents_of(&found.rows));
    Ok(BrokenLinks { count, documents, first, rows: BoundRows::default() })
}

/// The number of blocks elsewhere that refer to these blocks (`SQL`). Blocks that the caller may not read do not
/// count.
pub async fn references_to_blocks(going: &BTreeSet<String>, cx: &Cx<'_>) -> Result<u64, ToolError> {
    counted(to_blocks(going), cx).await
}

/// The first references elsewhere that break without these blocks, and what a question says of all (`SQL`).
pub async fn broken_by_blocks(
    going: &BTreeSet<String>,
    cx: &Cx<'_>,
) -> Result<(Vec<Value>, Option<Consequence>), ToolError> {
    if going.is_empty() {
        return Ok((Vec::new(), None));
    }
    let broken = named(to_blocks(going), cx).await?;
    let breaks = breaks(broken.count, broken.documents, &broken.first);
    Ok((broken.first, breaks))
}

fn to_blocks(going: &BTreeSet<String>) -> Select {
    let ids = || going.iter().map(String::as_str);
    Select::from(Table::Refs)
        .filter(index::in_list("r.def_block_id", ids()))
        .filter(index::not_in("r.block_id", ids()))
}

/// The blocks of the first references.
fn blocks_of(references: Select) -> Select {
    references
        .join_as("s", Table::Blocks, "s.id", "r.block_id")
        .columns(["s.id", "s.type", "s.root_id", "s.hpath", "s.content"])
        .per(["s.id"])
        .count_all("s.root_id", DOCUMENTS)
        .order([Order::Up("s.root_id"), Order::Up("s.id")])
        .limit(SHOWN)
}

async fn counted(references: Select, cx: &Cx<'_>) -> Result<u64, ToolError> {
    cx.declares(CALLS)?;
    let select = references.count("r.block_id", "n").per(["r.box"]).limit(4_096);
    Ok(cx.select(select).await?.rows.iter().map(|row| row.number("n")).sum())
}

fn within(table: Table, going: &[(&DocId, &Place)]) -> RowCondition {
    index::within(table, going.iter().map(|(_, place)| *place))
}
