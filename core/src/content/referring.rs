//! The references, embeds and rows elsewhere that break when blocks go: a person must know them before.

use std::collections::BTreeSet;

use futures_util::future::join;
use serde_json::{Value, json};

use super::bound::{self, BoundRows};
use super::impact;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::index::{self, Order, RowPage, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::query;
use crate::plan::Plan;

/// The routes that `to_blocks` calls.
pub const CALLS: &[Route] = &[query::SQL];

/// The maximum number of blocks that are named.
const NAMED: usize = 10;

/// The blocks elsewhere that refer to blocks, by references or embeds, and the rows of databases that are bound to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ReferringBlocks {
    /// The number of them.
    pub total: u64,
    /// The number of their documents.
    documents: u64,
    /// The first of them as an answer renders them, each with its document.
    named: Vec<String>,
    /// The rows that go with them.
    pub rows: BoundRows,
}

impl ReferringBlocks {
    /// Adds the numbers and the first of them to a preview, if there are any.
    pub fn show<F>(&self, plan: Plan<F>) -> Plan<F> {
        let plan = self.rows.show(plan);
        if self.total == 0 {
            return plan;
        }
        let named: Vec<Value> =
            self.named.iter().filter_map(|it| serde_json::from_slice(it.as_bytes()).ok()).collect();
        let breaks = impact::breaks(self.total, self.documents, &named);
        plan.show("broken_refs", self.total).show("references", named).also(breaks)
    }
}

/// Finds the references, embeds and rows that break without these blocks (`SQL`, up to three). Blocks that the caller
/// may not read do not count.
pub async fn to_blocks(going: &BTreeSet<String>, cx: &Cx<'_>) -> Result<ReferringBlocks, ToolError> {
    cx.declares(CALLS)?;
    if going.is_empty() {
        return Ok(ReferringBlocks::default());
    }
    let ids = || going.iter().map(String::as_str);
    let select = Select::from(Table::Refs)
        .join(Table::Blocks, "b.id", "r.block_id")
        .columns(["b.id", "b.type", "b.root_id", "b.hpath", "b.content"])
        .per(["r.block_id"])
        .count_all("b.root_id", impact::DOCUMENTS)
        .filter(index::in_list("r.def_block_id", ids()))
        .filter(index::not_in("r.block_id", ids()))
        .order([Order::Up("b.hpath"), Order::Up("b.id")])
        .limit(NAMED);
    let (found, bound) = join(cx.select(select.counted()), bound::of_blocks(going, cx)).await;
    let RowPage { rows, total, .. } = found?;
    let named = rows.iter().map(|row| json!(index::block(row)).to_string()).collect();
    let documents = impact::documents_of(&rows);
    Ok(ReferringBlocks { total: total.unwrap_or_default(), documents, named, rows: bound? })
}
