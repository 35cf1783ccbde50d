//! The blocks that a text refers to: whether the caller may read them at their current place, and their anchors.
//!
//! The index lags by up to 3 s: it still shows a block that was moved into a closed notebook at its old place, and
//! SiYuan keeps writing a block's newest text into every reference to it. So the statement here reads hidden rows on
//! purpose, and no view: only with them does a block show that it stands in a hidden notebook too.

use std::collections::{BTreeMap, BTreeSet};

use super::references;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::BlockId;
use crate::kernel::api::query::{self, Row};
use crate::kernel::sql;
use crate::permission::{FEW, Filter};
use crate::sorted::IntoSorted as _;

/// The maximum number of blocks that one text may refer to.
const MOST: usize = 1_000;

/// The anchors of references to some of the blocks; `not_found`, with the ids, if the caller may not read all of them
/// (B-055).
pub(super) async fn anchors(
    cx: &Cx<'_>,
    ids: &BTreeSet<String>,
    some: &BTreeSet<&str>,
) -> Result<BTreeMap<String, String>, ToolError> {
    few(ids.len())?;
    if ids.len() <= FEW {
        let blocks: Vec<BlockId> = ids.iter().filter_map(|id| BlockId::parse(id)).collect();
        let readable = cx.may_read_each(&blocks).await?;
        let readable = blocks.iter().zip(readable).filter(|(_, may)| *may);
        let readable: BTreeSet<&str> = readable.map(|(id, _)| id.as_str()).into_set();
        let hidden: Vec<&str> = ids.iter().map(String::as_str).filter(|id| !readable.contains(id)).collect();
        refuse(&hidden)?;
        // The anchor of a known block may be a little old; a new block is awaited.
        let mut rows = BlockRows::of(cx, some).await?;
        if rows.0.len() < some.len() {
            cx.ask(query::flush_transaction()).await?;
            rows = BlockRows::of(cx, some).await?;
        }
        return Ok(some.iter().map(|id| ((*id).to_owned(), rows.anchor(cx, id))).into_map());
    }
    cx.ask(query::flush_transaction()).await?;
    let rows = BlockRows::of(cx, &ids.iter().map(String::as_str).collect()).await?;
    let hidden: Vec<&str> = ids.iter().map(String::as_str).filter(|id| !rows.0.contains_key(*id)).collect();
    refuse(&hidden)?;
    Ok(some.iter().map(|id| ((*id).to_owned(), rows.anchor(cx, id))).into_map())
}

/// Refuses a text with more references, or referring to more blocks, than are looked up at once.
pub(super) fn few(many: usize) -> Result<(), ToolError> {
    if many <= MOST {
        return Ok(());
    }
    Err(ToolError::field("markdown", "Markdown with at most 1,000 references; write it in parts"))
}

fn refuse(hidden: &[&str]) -> Result<(), ToolError> {
    if hidden.is_empty() {
        return Ok(());
    }
    let mut error = ToolError::not_found().with("ids", hidden);
    error.message = "The text refers to blocks that do not exist or that you may not read. Nothing was written. Remove these references, or check their ids. Put an id that is only an example into a fenced code block.".to_owned();
    Err(error)
}

/// The readable rows of blocks in the index, by id.
struct BlockRows(BTreeMap<String, Row>);

impl BlockRows {
    /// Reads the rows, without blocks that the index has in several notebooks, one of which may be closed.
    async fn of(cx: &Cx<'_>, ids: &BTreeSet<&str>) -> Result<BlockRows, ToolError> {
        if ids.is_empty() {
            return Ok(BlockRows(BTreeMap::new()));
        }
        let stmt = format!(
            "SELECT id, box, type, content, hpath FROM blocks WHERE id IN ({}) GROUP BY id, box LIMIT {}",
            sql::list(ids.iter().copied()),
            ids.len() * 4
        );
        let all = cx.ask(query::sql(&stmt)).await?.for_the_check();
        let mut notebooks: BTreeMap<String, usize> = BTreeMap::new();
        for row in &all {
            *notebooks.entry(row.text("id").to_owned()).or_default() += 1;
        }
        let readable = all.filter(cx.grants()).into_iter();
        let in_one = readable.filter(|row| notebooks.get(row.text("id")) == Some(&1));
        Ok(BlockRows(in_one.map(|row| (row.text("id").to_owned(), row)).into_map()))
    }

    /// The anchor of a reference to a block.
    fn anchor(&self, cx: &Cx<'_>, id: &str) -> String {
        let text = |name| self.0.get(id).map_or("", |row| row.text(name));
        // There the index stores what the block shows, from any notebook (K19).
        let shows_others = matches!(text("type"), "av" | "query_embed") && cx.grants().any_hidden();
        let shown = if shows_others { String::new() } else { references::anchor(text("content")) };
        let title = || references::anchor(text("hpath").rsplit('/').next().unwrap_or_default());
        [shown, title()].into_iter().find(|it| !it.is_empty()).unwrap_or_else(|| "block".to_owned())
    }
}
