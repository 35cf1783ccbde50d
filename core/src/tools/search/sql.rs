//! `search.sql`: one SELECT over the index of the readable notebooks.

use serde_json::Value;

use crate::prelude::*;

/// Run one read-only SELECT over the index of the readable notebooks.
///
/// Tables: blocks (id, parent_id, root_id, box, path, hpath, name, alias, memo, tag, content, markdown, length, type,
/// subtype, ial, sort, created, updated), refs (block_id, def_block_id ...), attributes (block_id, name, value), spans,
/// assets, file_annotation_refs. Times are texts such as 20250131120000. JOIN with ON, no functions that write. Changes by a person or another program may be missing for up to three seconds.
#[derive(Debug, Action)]
#[action(
    search.sql,
    workspace = Read,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL],
    examples = [
        { "sql": "SELECT type, count(*) AS n FROM blocks GROUP BY type ORDER BY n DESC" },
        { "sql": "SELECT id, hpath FROM blocks WHERE type = 'd' AND updated > '2025'", "limit": 10 },
    ],
)]
pub struct Sql {
    /// One SELECT over blocks, refs, attributes, spans, assets.
    #[read_by(Sql)]
    pub sql: Text<1, 10_000>,
    /// Maximum number of results.
    pub limit: Int<1, 1_000, 100>,
}

impl Run for Sql {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let found = cx.select_own(self.sql.as_str(), self.limit.get()).await?;
        let rows: Vec<Value> = found.rows.into_iter().map(Value::Object).collect();
        Ok(Output::new()
            .with("columns", found.columns)
            .with("items", rows)
            .flag("truncated", found.truncated))
    }
}

#[cfg(test)]
#[path = "sql_tests.rs"]
mod tests;
