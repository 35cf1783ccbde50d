//! Places of databases: the blocks that show them, and the notebooks of the blocks that are their rows.
//!
//! Both come from the index. The index lags by up to 3 s and still shows a block that was moved into a hidden
//! notebook at its old place, so it is flushed first.

use std::collections::{BTreeMap, BTreeSet};

use super::{Resolver, all_rows, place_at};
use crate::error::ToolError;
use crate::id::{AvId, NotebookId};
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel, sql};
use crate::permission::{Level, Place, Scope, Where};

/// Databases per statement.
const CHUNK: usize = 16;
/// The text before a database's id in the Markdown of its carrier.
const MARK: &str = "data-av-id=\"";

impl Resolver<'_> {
    pub(super) async fn databases(&self, ids: &[&AvId]) -> Result<Vec<Option<Where>>, ToolError> {
        kernel::ask(self.kernel, query::flush_transaction()).await?;
        let found = find(self.kernel, &self.scope, ids).await?;
        Ok(found.into_iter().map(Some).collect())
    }
}

/// The places that show each of these databases, hidden ones included; a database that nothing shows has no place.
///
/// An id may also be that of a block that shows the database, provided that the caller may read the block.
pub(crate) async fn find(kernel: &dyn Kernel, scope: &Scope, ids: &[&AvId]) -> Result<Vec<Where>, ToolError> {
    let mut all = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let rows = all_rows(kernel, &statement(scope, chunk)).await?;
        all.extend(chunk.iter().map(|id| of(scope, id, &rows)));
    }
    Ok(all)
}

/// The statement for carriers and rows of all of them. It follows a block that shows a database to the database
/// itself, so that a hidden one costs no request more than a missing one.
fn statement(scope: &Scope, ids: &[&AvId]) -> String {
    let readable = scope.visible_notebooks().map(|it| it.id.as_str());
    let boxes = sql::list(readable.filter(|id| crate::id::is_node_id(id)));
    let mark = sql::text(MARK);
    let wanted = |column: &str| {
        let each = ids.iter().map(|id| {
            let id = sql::text(id.as_str());
            format!(
                "instr({column}, COALESCE((SELECT substr(c.markdown, instr(c.markdown, {mark}) + {}, 22) \
                 FROM blocks AS c WHERE c.id = {id} AND c.type = 'av' AND c.box IN ({boxes}) LIMIT 1), {id})) > 0",
                MARK.len()
            )
        });
        each.collect::<Vec<_>>().join(" OR ")
    };
    format!(
        "SELECT 'carrier' AS kind, id, box, path, markdown AS av FROM blocks WHERE type = 'av' AND ({}) \
         UNION ALL SELECT 'row' AS kind, block_id AS id, box, path, value AS av FROM attributes \
         WHERE name = 'custom-avs' AND ({}) ORDER BY kind, id",
        wanted("markdown"),
        wanted("value")
    )
}

/// The id of the database that a carrier's Markdown shows.
fn shown_by(markdown: &str) -> Option<AvId> {
    AvId::parse(markdown.split_once(MARK)?.1.split('"').next()?)
}

fn of(scope: &Scope, asked: &AvId, rows: &[Row]) -> Where {
    let kind = |kind: &'static str| rows.iter().filter(move |row| row.text("kind") == kind);
    let is_readable = |row: &&Row| scope.grants.level_of(row.text("box")) > Level::None;
    let carrier = kind("carrier").filter(is_readable).find(|row| row.text("id") == asked.as_str());
    let id = carrier.and_then(|row| shown_by(row.text("av"))).unwrap_or_else(|| asked.clone());
    let mut seen = BTreeSet::new();
    let carriers: Vec<Place> = kind("carrier")
        .filter(|row| shown_by(row.text("av")).as_ref() == Some(&id) && seen.insert(row.text("id")))
        .filter_map(|row| place_at(scope, row.text("box"), row.text("path")))
        .collect();
    // A block that the index lists in two notebooks is hidden if either is.
    let mut bound: BTreeMap<String, NotebookId> = BTreeMap::new();
    for row in kind("row").filter(|row| row.text("av").split(',').any(|it| it.trim() == id.as_str())) {
        let Some(notebook) = NotebookId::parse(row.text("box")) else { continue };
        let level = scope.grants.level(&notebook);
        let lowest = |known: &NotebookId| scope.grants.level(known) <= level;
        if !bound.get(row.text("id")).is_some_and(lowest) {
            bound.insert(row.text("id").to_owned(), notebook);
        }
    }
    Where::database(id, carriers, bound)
}
