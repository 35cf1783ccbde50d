//! `av.find_rows`: the databases that blocks are rows of.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::cells::read;
use super::related::RelatedDatabases;
use super::table::ViewTable;
use crate::content::database::Visible;
use crate::index::Raw;
use crate::kernel::api::av::ColumnKey;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The maximum number of databases that one call reads.
const MOST: usize = 64;

/// Find the database rows of blocks.
///
/// Columns that SiYuan computes are left out; list_rows shows them.
#[derive(Debug, Action)]
#[action(
    av.find_rows,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW],
    examples = [{ "blocks": ["{block}"] }],
)]
pub struct FindRows {
    /// Ids of blocks or documents.
    #[needs(Read)]
    pub blocks: Ids<BlockId, 64>,
}

impl Run for FindRows {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let mut blocks: Vec<&BlockId> = Vec::new();
        for block in self.blocks.as_slice() {
            if cx.place(block).await.is_some() {
                blocks.push(block);
            }
        }
        let none = || Ok(Output::new().with("items", json!([])));
        if blocks.is_empty() {
            return none();
        }
        cx.ask(query::flush_transaction()).await?;
        let rows = cx.select_raw(&Raw::databases_of(blocks.iter().map(|it| it.as_str()))).await?;
        let named = rows.iter().flat_map(|row| row.text("value").split(','));
        let ids: BTreeSet<AvId> = named.filter_map(|id| AvId::parse(id.trim())).into_set();
        if ids.is_empty() {
            return none();
        }
        let all: Vec<&AvId> = ids.iter().collect();
        let found = cx.databases(Level::Read, &all).await?;
        let known = all.into_iter().zip(&found).filter_map(|(id, it)| Some((id, it.as_ref()?)));
        let known: Vec<_> = known.collect();
        let read_all = join_all(known.iter().take(MOST).map(|(id, found)| read(id, found, cx))).await;
        let mut items: Vec<Value> = Vec::new();
        for ((id, _), database) in known.iter().zip(read_all) {
            let database = database?;
            let related = RelatedDatabases::read(database.keys(), cx).await?;
            let table = ViewTable::stored(&database, related, cx.grants().any_hidden());
            let columns: Vec<(&ColumnKey, String)> = columns(&database);
            let cells = table.cells(&columns, cx.ambient());
            for block in &blocks {
                let Some(row) =
                    database.row(block.as_str()).filter(|row| row.block.as_deref() == Some(block.as_str()))
                else {
                    continue;
                };
                items.push(Value::Object(object([
                    ("block", json!(block)),
                    ("av", json!(id)),
                    ("name", json!(database.database().name)),
                    ("row", json!(row.id)),
                    ("cells", Value::Object(cells(0, row))),
                ])));
            }
        }
        Ok(Output::new().with("items", items).flag("truncated", known.len() > MOST))
    }
}

/// The columns with values of their own, each with a label that no other one has.
fn columns(database: &Visible) -> Vec<(&ColumnKey, String)> {
    let shown = database.keys().filter(|it| it.kind != "lineNumber");
    shown
        .map(|key| {
            let twins = database.keys().filter(|it| it.name == key.name).count();
            (key, if twins > 1 { key.id.clone() } else { key.name.clone() })
        })
        .collect()
}

#[cfg(test)]
#[path = "find_rows_tests.rs"]
mod tests;
