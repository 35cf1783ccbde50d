//! References in the index: who refers to a block, and what a block is called.

use std::collections::HashSet;

use rusqlite::Row;

use super::Db;
use crate::answer::Refusal;

/// One reference: from a block to a block.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) to: String,
    pub(crate) to_root: String,
    pub(crate) from: String,
    pub(crate) from_root: String,
    pub(crate) text: String,
}

impl Reference {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Reference> {
        Ok(Reference {
            to: row.get("def_block_id")?,
            to_root: row.get("def_block_root_id")?,
            from: row.get("block_id")?,
            from_root: row.get("root_id")?,
            text: row.get("content")?,
        })
    }
}

impl Db<'_> {
    /// The references to a block, and, where wanted, to the blocks below it.
    pub(crate) fn references_to(&self, id: &str, below: bool) -> Result<Vec<Reference>, Refusal> {
        let mut found = Vec::new();
        let targets = if below { self.with_below(id)? } else { [id.to_owned()].into_iter().collect() };
        let mut query = self.0.prepare_cached("SELECT rowid, * FROM refs WHERE def_block_id = ?1")?;
        for target in targets {
            let rows = query.query_map([target], |row| Ok((row.get(0)?, Reference::from_row(row)?)))?;
            found.extend(rows.collect::<Result<Vec<(i64, Reference)>, _>>()?);
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, reference)| reference).collect())
    }

    /// A block and all below it, as the index has it: what stands under a heading is below the heading.
    fn with_below(&self, id: &str) -> Result<HashSet<String>, Refusal> {
        let statement = "WITH RECURSIVE below (id) AS (
                SELECT ?1 UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id
            ) SELECT id FROM below";
        Ok(self.column(statement, id)?.into_iter().collect())
    }

    /// The blocks that a text may mean: it is their name, one of their aliases, their title, or the text of a
    /// reference to them. The newest first.
    pub(crate) fn blocks_called(&self, text: &str) -> Result<Vec<String>, Refusal> {
        let statement = "SELECT DISTINCT def_block_id FROM refs WHERE lower(content) = lower(?1)
            UNION SELECT id FROM blocks WHERE lower(name) = lower(?1)
                OR instr(',' || lower(alias) || ',', ',' || lower(?1) || ',') > 0
                OR (type = 'd' AND lower(content) = lower(?1))";
        let mut ids = self.column(statement, text)?;
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.dedup();
        Ok(ids)
    }
}
