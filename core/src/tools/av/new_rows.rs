//! Rows to add: what a caller says about them, the checks, and the requests that add them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::cells::{CellArguments, CellReferences, Options, not_stored};
use super::database_blocks::fresh_id;
use crate::args::Object;
use crate::content::cell::{self, plain_text};
use crate::content::database::{Cells, Visible};
use crate::content::shown_text;
use crate::kernel::Route;
use crate::kernel::api::av::{NewCell, RowPlace};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes of these helpers.
pub(super) const CALLS: &[Route] =
    &[query::SQL, av::GET_ATTRIBUTE_VIEW, asset::STAT_ASSET, av::ADD_ROWS, av::SET_CELLS];

/// One row to add.
#[derive(Debug, Record)]
pub struct RowToAdd {
    /// A block that becomes the row.
    #[target]
    pub block: Option<BlockId>,
    /// The title of a row that is no block.
    #[read_by(Html)]
    pub title: Option<Text<1, 512>>,
    /// Values by the names of their columns.
    #[read_by(Html)]
    pub cells: Option<Object>,
}

/// A row as it was judged.
#[derive(Debug, Clone, Hash)]
pub(super) struct CheckedRow {
    block: Option<BlockId>,
    title: Option<String>,
    /// Values by the ids of their columns.
    cells: Vec<(String, Value)>,
}

/// The rows of a call.
#[derive(Debug, Default, Hash)]
pub(super) struct CheckedRows {
    rows: Vec<CheckedRow>,
    /// Blocks that are rows already.
    skipped: Vec<BlockId>,
    created: Vec<(String, String)>,
}

impl CheckedRows {
    /// Judges rows for a database; nothing is sent before all of them are known to be right.
    pub(super) async fn judge(
        given: &[RowToAdd],
        database: &Visible,
        cx: &Cx<'_>,
    ) -> Result<CheckedRows, ToolError> {
        cx.declares(CALLS)?;
        let (mut named, mut options) = (CellReferences::default(), Options::default());
        let (mut rows, mut skipped, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut total = 0;
        for (at, row) in given.iter().enumerate() {
            let field = format!("rows[{at}]");
            let (block, title) = match (&row.block, &row.title) {
                (Some(block), None) => (Some(block.clone()), None),
                (None, Some(title)) => (None, Some(plain_text(&format!("{field}.title"), title.as_str())?)),
                _ => return Err(ToolError::field(&field, "a row with either `block` or `title`")),
            };
            if let Some(block) = &block
                && !seen.insert(block.as_str().to_owned())
            {
                return Err(ToolError::field(
                    &format!("{field}.block"),
                    "another block: this one is named twice",
                ));
            }
            if let Some(block) = block.as_ref().filter(|it| database.row(it.as_str()).is_some()) {
                skipped.push(block.clone());
                continue;
            }
            let mut cells: Vec<(String, Value)> = Vec::new();
            for (name, value) in row.cells.iter().flat_map(|it| &it.0) {
                let spot = CellArguments::of_row(at, name);
                let key = &database.column(spot.column(), name)?.key;
                if key.kind == "block" || cells.iter().any(|(id, _)| *id == key.id) {
                    return Err(spot.wrong("in `title`, or once"));
                }
                let value = named.value(&spot, value, (key, &Value::Null), cx).await?;
                let mut sent =
                    cell::to_kernel(&key.kind, &value, cx.ambient()).map_err(|it| spot.wrong(it))?;
                options.add(key, &mut sent);
                cells.push((key.id.clone(), sent));
            }
            total += cells.len();
            rows.push(CheckedRow { block, title, cells });
        }
        if total > MOST_CELLS {
            return Err(ToolError::field("rows", format!("rows with at most {MOST_CELLS} cells in all")));
        }
        let blocks: Vec<&BlockId> = rows.iter().filter_map(|it| it.block.as_ref()).collect();
        if !blocks.is_empty() {
            // The kernel marks each block as a row, and a call that rewrites the block would take the mark away.
            cx.makes_rows().await;
        }
        shown_text::check("rows", &blocks, cx).await?;
        named.check_assets(cx).await?;
        Ok(CheckedRows { rows, skipped, created: options.created() })
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Gives columns their ids, where others stood for them.
    pub(super) fn rename_columns(&mut self, ids: &BTreeMap<String, String>) {
        for (column, _) in self.rows.iter_mut().flat_map(|it| &mut it.cells) {
            if let Some(id) = ids.get(column) {
                column.clone_from(id);
            }
        }
    }

    /// The rows as a preview shows them.
    pub(super) fn preview(&self) -> Vec<Value> {
        let entry =
            |row: &CheckedRow| json!({ "block": row.block, "title": row.title, "cells": row.cells.len() });
        self.rows.iter().map(entry).collect()
    }

    /// Adds the rows and their cells, and looks whether they are there.
    pub(super) async fn add(&self, id: &AvId, place: RowPlace<'_>, cx: &Cx<'_>) -> Result<Output, ToolError> {
        let mut new = Vec::with_capacity(self.rows.len());
        let mut cells: Vec<NewCell> = Vec::new();
        for row in &self.rows {
            let fresh = fresh_id(cx)?;
            let cell = |(column, value): &(String, Value)| NewCell {
                column: column.clone(),
                row: fresh.clone(),
                value: value.clone(),
            };
            cells.extend(row.cells.iter().map(cell));
            new.push(av::NewRow {
                row: fresh,
                id: row.block.clone(),
                detached: row.block.is_none(),
                content: row.title.clone(),
            });
        }
        if let Some(rows) = NonEmpty::of(&new) {
            cx.ask(av::add_rows(id, place, rows)).await?;
        }
        let mut failed = Vec::new();
        if let Some(values) = NonEmpty::of(&cells)
            && let Err(error) = cx.ask(av::set_cells(id, values)).await
        {
            failed.push(Failed::new(error).what("the cells"));
        }
        failed.extend(look(id, &new, &cells, cx).await);
        let ids: Vec<&str> = new.iter().map(|it| it.row.as_str()).collect();
        let created = self.created.iter().map(|(column, name)| json!({ "column": column, "name": name }));
        let output = self.nothing().with("rows", ids).list("created_options", created.collect());
        Ok(output.failed(failed))
    }

    /// The answer without a row.
    pub(super) fn nothing(&self) -> Output {
        let skipped =
            self.skipped.iter().map(|it| json!({ "block": it, "reason": "already a row" })).collect();
        Output::new().with("rows", json!([])).list::<Value>("skipped", skipped)
    }
}

/// The maximum number of cells in one call.
const MOST_CELLS: usize = 2_000;

/// The rows and cells that are not there, although the kernel reported success.
async fn look(id: &AvId, rows: &[av::NewRow], cells: &[NewCell], cx: &Cx<'_>) -> Vec<Failed> {
    let stored = match cx.ask(av::get_attribute_view(id)).await {
        Ok(reply) => reply.av,
        Err(error) => return vec![Failed::new(error).what("the check of the stored values")],
    };
    let Some(database) = stored else { return vec![Failed::new(not_stored("these rows"))] };
    let primary = database.columns.iter().filter(|it| it.key.kind == "block").flat_map(|it| &it.values);
    let there: BTreeSet<&str> = primary.map(|it| it.row.as_str()).into_set();
    let missing = rows.iter().filter(|it| !there.contains(it.row.as_str()));
    let columns: BTreeSet<String> = cells.iter().map(|it| it.column.clone()).into_set();
    let after = Cells::of(&database, &columns);
    let lost = |it: &&NewCell| !cell::is_stored(&it.value, &after.get(&it.column, &it.row));
    let cells =
        cells.iter().filter(lost).map(|it| Failed::new(not_stored("this cell")).id(&it.row).what("a cell"));
    missing.map(|it| Failed::new(not_stored("this row")).id(&it.row).what("a row")).chain(cells).collect()
}
