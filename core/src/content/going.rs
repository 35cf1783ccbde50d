//! The documents that go along with removed or moved ones, and the references that break.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::index::{self, Filter, Order, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::query::{self, Row};
use crate::permission::{Place, StoragePath};

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[query::SQL];

/// The maximum number of documents that are read below others.
const MOST: usize = 100_000;
/// The number of references that a question shows by block and document.
const SHOWN: usize = 10;

/// A document that is moved or removed, with everything below it.
#[derive(Debug, Hash)]
pub struct Going {
    /// The document.
    pub id: DocId,
    /// Its title.
    pub title: String,
    /// The storage path of each document below; it names the document and those above it.
    pub below: BTreeSet<String>,
}

impl Going {
    /// The entry as an answer shows it.
    pub fn to_json(&self) -> Value {
        json!({ "id": self.id.as_str(), "title": self.title, "below": self.below.len() })
    }

    /// The document and those below.
    pub fn all(&self) -> impl Iterator<Item = DocId> {
        let below = self.below.iter().filter_map(|path| StoragePath::parse(path)?.doc());
        below.chain([self.id.clone()])
    }

    fn of(id: &DocId, place: &Place, rows: &[Row]) -> Going {
        let below = place.storage.as_ref().map(StoragePath::below);
        let there = || rows.iter().filter(|row| row.text("box") == place.notebook.as_str());
        let own = there().find(|row| row.text("id") == id.as_str());
        let paths = there().map(|row| row.text("path"));
        let inside = paths.filter(|path| below.as_ref().is_some_and(|below| path.starts_with(below)));
        Going {
            id: id.clone(),
            title: own.map(|row| row.text("content").to_owned()).unwrap_or_default(),
            below: inside.map(str::to_owned).collect(),
        }
    }
}

/// Whether a document lies below another.
pub fn is_below(place: &Place, other: &Place) -> bool {
    let (Some(storage), Some(above)) = (&place.storage, &other.storage) else { return false };
    place.notebook == other.notebook && storage.as_str().starts_with(&above.below())
}

/// The documents that go along with these, according to the index (`SQL`).
pub async fn documents(going: &[(&DocId, &Place)], cx: &Cx<'_>) -> Result<Vec<Going>, ToolError> {
    cx.declares(CALLS)?;
    let select =
        Select::from(Table::Blocks).columns(["id", "path", "content"]).filter(index::eq("type", "d"));
    let rows = cx.select(select.filter(within(Table::Blocks, going)).limit(MOST)).await?.rows;
    Ok(going.iter().map(|(id, place)| Going::of(id, place, &rows)).collect())
}

/// The number of blocks elsewhere that refer to these documents or to documents below them (`SQL`). Blocks that the
/// caller may not read do not count.
pub async fn references_to_documents(going: &[(&DocId, &Place)], cx: &Cx<'_>) -> Result<u64, ToolError> {
    counted(to_documents(going), cx).await
}

/// The first of the blocks that `references_to_documents` counts, with their documents and texts (`SQL`).
pub async fn first_references_to_documents(
    going: &[(&DocId, &Place)],
    cx: &Cx<'_>,
) -> Result<Vec<Value>, ToolError> {
    first(to_documents(going), cx).await
}

fn to_documents(going: &[(&DocId, &Place)]) -> Select {
    Select::from(Table::Refs)
        .join(Table::Blocks, "b.id", "r.def_block_root_id")
        .filter(index::eq("b.type", "d").and(within(Table::Blocks, going)))
        .filter(index::not(within(Table::Refs, going)))
}

/// The number of blocks elsewhere that refer to these blocks (`SQL`). Blocks that the caller may not read do not
/// count.
pub async fn references_to_blocks(going: &BTreeSet<String>, cx: &Cx<'_>) -> Result<u64, ToolError> {
    counted(to_blocks(going), cx).await
}

/// The first of the blocks that `references_to_blocks` counts, with their documents and texts (`SQL`).
pub async fn first_references_to_blocks(
    going: &BTreeSet<String>,
    cx: &Cx<'_>,
) -> Result<Vec<Value>, ToolError> {
    first(to_blocks(going), cx).await
}

fn to_blocks(going: &BTreeSet<String>) -> Select {
    let ids = || going.iter().map(String::as_str);
    Select::from(Table::Refs)
        .filter(index::in_list("r.def_block_id", ids()))
        .filter(index::not_in("r.block_id", ids()))
}

/// The blocks of the first references, for a person who decides whether they may break.
async fn first(references: Select, cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
    cx.declares(CALLS)?;
    let select = references
        .join_as("s", Table::Blocks, "s.id", "r.block_id")
        .columns(["s.id", "s.type", "s.root_id", "s.hpath", "s.content"])
        .per(["s.id"])
        .order([Order::Up("s.root_id"), Order::Up("s.id")]);
    Ok(cx.select(select.limit(SHOWN)).await?.rows.iter().map(index::block).collect())
}

async fn counted(references: Select, cx: &Cx<'_>) -> Result<u64, ToolError> {
    cx.declares(CALLS)?;
    let select = references.count("r.block_id", "n").per(["r.box"]).limit(4_096);
    Ok(cx.select(select).await?.rows.iter().map(|row| row.number("n")).sum())
}

fn within(table: Table, going: &[(&DocId, &Place)]) -> Filter {
    index::within(table, going.iter().map(|(_, place)| *place))
}
