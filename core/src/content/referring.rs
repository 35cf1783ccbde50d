//! The blocks that refer to others: what a person must know before those go.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cx::Cx;
use crate::error::ToolError;
use crate::index::{self, Order, Rows, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::query;

/// The routes that `to_blocks` calls.
pub const CALLS: &[Route] = &[query::SQL];

/// The maximum number of blocks that are named.
const NAMED: usize = 10;

/// The blocks elsewhere that refer to blocks, by references or embeds.
#[derive(Debug, Default, Hash)]
pub struct Referring {
    /// The number of them.
    pub total: u64,
    /// The first of them as an answer renders them, each with its document.
    named: Vec<String>,
}

impl Referring {
    /// The first of them, each with its document.
    pub fn named(&self) -> Vec<Value> {
        self.named.iter().filter_map(|it| serde_json::from_str(it).ok()).collect()
    }
}

/// The blocks elsewhere that refer to these blocks (`SQL`). Blocks that the caller may not read do not count.
pub async fn to_blocks(ids: &BTreeSet<String>, cx: &Cx<'_>) -> Result<Referring, ToolError> {
    cx.declares(CALLS)?;
    if ids.is_empty() {
        return Ok(Referring::default());
    }
    let ids = || ids.iter().map(String::as_str);
    let select = Select::from(Table::Refs)
        .join(Table::Blocks, "b.id", "r.block_id")
        .columns(["b.id", "b.type", "b.root_id", "b.hpath", "b.content"])
        .per(["r.block_id"])
        .filter(index::in_list("r.def_block_id", ids()))
        .filter(index::not_in("r.block_id", ids()))
        .order([Order::Up("b.hpath"), Order::Up("b.id")])
        .limit(NAMED);
    let Rows { rows, total, .. } = cx.select(select.counted()).await?;
    let named = rows.iter().map(|row| json!(index::block(row)).to_string()).collect();
    Ok(Referring { total: total.unwrap_or_default(), named })
}
