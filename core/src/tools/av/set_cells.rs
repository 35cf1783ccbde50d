//! `av.set_cells`: any number of cells of one database.
//!
//! The kernel accepts any shape of value and reports success for rows and columns that do not exist. So every cell is
//! checked against its column before the write, and the database is read again after it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::cells::{CellArguments, CellReferences, CellToSet, Options, not_stored, place, read};
use crate::content::cell;
use crate::content::database::Cells;
use crate::kernel::api::av::NewCell;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Set cells: any number of rows and columns in one call.
#[derive(Debug, Action)]
#[action(
    av.set_cells,
    danger = None,
    idempotent = true,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, asset::STAT_ASSET, av::SET_CELLS,
    ],
    examples = [{ "id": "{av}", "cells": [{ "row": "{row}", "column": "{column}", "value": "Done" }] }],
)]
pub struct SetCells {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// The cells, each with row, column and value; the column's type determines the form of the value.
    pub cells: Many<CellToSet, 1, 500>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    cells: Vec<NewCell>,
    created: Vec<(String, String)>,
}

impl Change for SetCells {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let database = read(id, found, cx).await?;
        let asked = || self.cells.as_slice().iter().enumerate();
        let placed: Vec<_> =
            asked().map(|(at, cell)| place(at, cell, &database)).collect::<Result<_, ToolError>>()?;
        let columns: BTreeSet<String> = placed.iter().map(|(_, column)| column.key.id.clone()).into_set();
        let before = Cells::of(database.database(), &columns);
        let (mut named, mut options) = (CellReferences::default(), Options::default());
        let (mut cells, mut seen, mut bound) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for ((at, cell), (row, column)) in asked().zip(placed) {
            if !seen.insert((row.id.clone(), column.key.id.clone())) {
                return Err(ToolError::field(
                    CellArguments::listed(at).column(),
                    "another cell: this one is set twice",
                ));
            }
            bound.extend(row.block.as_deref().and_then(|block| found.row(block)));
            let stored = before.get(&column.key.id, &row.id);
            let spot = CellArguments::listed(at);
            let value = named.value(&spot, &cell.value.0, (&column.key, &stored), cx).await?;
            let mut sent = cell::to_kernel(&column.key.kind, &value, cx.ambient())
                .map_err(|expected| spot.wrong(expected))?;
            options.add(&column.key, &mut sent);
            if !cell::is_stored(&sent, &stored) {
                cells.push(NewCell { column: column.key.id.clone(), row: row.id.clone(), value: sent });
            }
        }
        cx.require(Level::Write, bound.into_iter().map(NotebookId::as_str))?;
        named.check_assets(cx).await?;
        let created = options.created();
        let plan = Plan::new(
            "set_cells",
            Facts { database: id.clone(), cells: cells.clone(), created: created.clone() },
        )
        .show("cells", cells.len());
        let plan =
            if created.is_empty() { plan } else { plan.show("created_options", options_json(&created)) };
        Ok(plan.touching(cells.len(), database.database().name.clone()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, cells, created } = plan.facts;
        let reply = Output::new().with("id", database.as_str());
        let Some(new) = NonEmpty::of(&cells) else {
            return Ok(reply.with("changed", false).with("cells", 0));
        };
        cx.ask(av::set_cells(&database, new)).await?;
        let stored = match cx.ask(av::get_attribute_view(&database)).await {
            Ok(reply) => reply.av,
            Err(error) => {
                let unseen = Failed::new(error).what("the check of the stored values");
                return Ok(reply.with("changed", true).with("cells", cells.len()).failed(vec![unseen]));
            }
        };
        let columns: BTreeSet<String> = cells.iter().map(|it| it.column.clone()).into_set();
        let after = stored.as_ref().map(|it| Cells::of(it, &columns));
        let stored = |it: &NewCell| after.as_ref().map(|after| after.get(&it.column, &it.row));
        let (set, not): (Vec<&NewCell>, Vec<&NewCell>) =
            cells.iter().partition(|it| cell::is_stored(&it.value, &stored(it).unwrap_or_default()));
        let lost = || not_stored("this cell");
        let failed = not.iter().map(|it| Failed::new(lost()).id(&it.row).what("a cell")).collect();
        Ok(reply
            .with("changed", !set.is_empty())
            .with("cells", set.len())
            .list("created_options", options_json(&created))
            .failed(failed))
    }
}

fn options_json(created: &[(String, String)]) -> Vec<Value> {
    created.iter().map(|(column, name)| json!({ "column": column, "name": name })).collect()
}

#[cfg(test)]
#[path = "set_cells_tests.rs"]
mod tests;
