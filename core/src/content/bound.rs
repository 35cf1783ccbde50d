//! The rows of databases that are bound to blocks: they go when their block goes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::ask::{Consequence, Thing, Things};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::NotebookId;
use crate::index::{self, Order, Raw, RowCondition, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::query::{self, Row};
use crate::permission::Place;
use crate::plan::Plan;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[query::SQL];

/// The maximum number of rows that are named.
const NAMED: usize = 10;
/// The number of rows whose blocks are read, so that ten remain of those in databases that the caller may see.
const READ: usize = 100;
/// The maximum number of blocks that show databases.
const CARRIERS: usize = 1_000;
/// The id of the database that a block shows.
const SHOWN: &str = "substr(b.markdown, instr(b.markdown, 'data-av-id=\"') + 12, 22)";

/// The rows of databases that are shown elsewhere, in notebooks that the caller may read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BoundRows {
    /// The number of them.
    pub count: usize,
    /// The first of them as an answer renders them, each with a block that shows its database.
    named: Vec<String>,
}

impl BoundRows {
    /// Adds the number and the first rows to a preview, if there are any.
    pub fn show<F>(&self, plan: Plan<F>) -> Plan<F> {
        if self.count == 0 {
            return plan;
        }
        let named: Vec<Value> =
            self.named.iter().filter_map(|it| serde_json::from_slice(it.as_bytes()).ok()).collect();
        let text = |it: &Value| Some(Thing::titled(it.get("row")?.get("text")?.as_str()?));
        let first = named.iter().filter_map(text).collect();
        let rows = Consequence::Rows(Things { first, n: self.count as u64 });
        plan.show("rows_removed", self.count).show("rows", named).also(rows)
    }
}

/// The rows of these documents, of documents below them and of blocks in them (`SQL`, up to two).
pub async fn of_documents(places: &[&Place], cx: &Cx<'_>) -> Result<BoundRows, ToolError> {
    let own = index::within(Table::Attributes, places.iter().copied());
    let elsewhere = index::not(index::within(Table::Blocks, places.iter().copied()));
    found(&own, elsewhere, cx).await
}

/// The rows of everything in a notebook (`SQL`, up to two).
pub async fn of_notebook(notebook: &NotebookId, cx: &Cx<'_>) -> Result<BoundRows, ToolError> {
    let own = index::eq("a.box", notebook.as_str());
    found(&own, index::is_not("b.box", notebook.as_str()), cx).await
}

/// The rows of these blocks (`SQL`, up to two).
pub async fn of_blocks(going: &BTreeSet<String>, cx: &Cx<'_>) -> Result<BoundRows, ToolError> {
    let ids = || going.iter().map(String::as_str);
    found(&index::in_list("a.block_id", ids()), index::not_in("b.id", ids()), cx).await
}

async fn found(own: &RowCondition, elsewhere: RowCondition, cx: &Cx<'_>) -> Result<BoundRows, ToolError> {
    cx.declares(CALLS)?;
    let rows = cx.select_raw(&Raw::bound(own)).await?;
    let databases = |row: &Row| -> BTreeSet<String> {
        row.text("value").split(',').map(|it| it.trim().to_owned()).collect()
    };
    let named: BTreeSet<String> = rows.iter().flat_map(databases).into_set();
    if named.is_empty() {
        return Ok(BoundRows::default());
    }
    let is_carrier =
        index::eq("b.type", "av").and(index::in_list(SHOWN, named.iter().map(String::as_str))).and(elsewhere);
    let is_row = index::in_list("b.id", rows.iter().take(READ).map(|row| row.text("id")));
    let select = Select::blocks()
        .column("CASE b.type WHEN 'av' THEN b.markdown ELSE '' END", "shows")
        .filter(index::any([is_carrier, is_row]))
        .order([Order::Up("b.hpath"), Order::Up("b.id")])
        .limit(CARRIERS + READ);
    let blocks = cx.select(select).await?.rows;
    let going: BTreeSet<&str> = rows.iter().map(|row| row.text("id")).into_set();
    let mut carriers: BTreeMap<&str, &Row> = BTreeMap::new();
    for block in blocks.iter().filter(|it| !going.contains(it.text("id"))) {
        if let Some(database) = shown(block.text("shows")) {
            carriers.entry(database).or_insert(block);
        }
    }
    let with_database = rows.iter().filter_map(|row| {
        let database = databases(row).into_iter().find(|it| carriers.contains_key(it.as_str()))?;
        Some((row.text("id"), database))
    });
    let visible: Vec<(&str, String)> = with_database.collect();
    let first = visible.iter().take(NAMED).filter_map(|(id, database)| {
        let row = blocks.iter().find(|block| block.text("id") == *id)?;
        let shown_in = carriers.get(database.as_str()).map(|carrier| index::block(carrier));
        Some(json!({ "row": index::block(row), "database": database, "shown_in": shown_in }).to_string())
    });
    Ok(BoundRows { count: visible.len(), named: first.collect() })
}

/// The database in the Markdown of a block that shows it.
pub(super) fn shown(markdown: &str) -> Option<&str> {
    markdown.split_once("data-av-id=\"")?.1.get(..22)
}
