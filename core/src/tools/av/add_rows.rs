//! `av.add_rows`: adds blocks or titles as rows, with their cells.

use futures_util::future::join;

use super::cells::read;
use super::database_blocks::{carriers, view};
use super::new_rows::{self, CheckedRows, RowToAdd};
use super::table;
use crate::content::database::Visible;
use crate::kernel::api::av::{RowGroup, RowPlace, View};
use crate::prelude::*;

/// Add rows: existing blocks, or detached rows with a title, optionally with cells.
#[derive(Debug, Action)]
#[action(
    av.add_rows,
    danger = None,
    idempotent = false,
    calls = [query::FLUSH_TRANSACTION, ..new_rows],
    examples = [
        { "id": "{av}", "rows": [{ "title": "{new}", "cells": { "Status": "Done" } }] },
        {
            "id": "{carrier}", "rows": [{ "block": "{block}" }], "view": "{second_view}",
            "in_group": "Todo", "after_row": "{row}"
        },
    ],
)]
pub struct AddRows {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// Each with a block or a title, and cells by column.
    #[needs(Write)]
    pub rows: Many<RowToAdd, 1, 200>,
    /// A view, by id or exact name.
    #[read_by()]
    pub view: Option<Text<1, 255>>,
    /// The group to add them to.
    #[read_by()]
    pub in_group: Option<Text<1, 512>>,
    /// The row to place them after; by default the last.
    pub after_row: Option<Child<RowId>>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    rows: CheckedRows,
    view: String,
    group: String,
    previous: String,
    fill: bool,
}

impl Change for AddRows {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (database, carriers) = join(read(id, found, cx), carriers(id, cx)).await;
        let (database, carriers) = (database?, carriers?);
        let view =
            view(&database.database().views, self.view.as_ref().map(Text::as_str), &carriers, &self.id)?;
        let group = self.in_group.as_ref().map(|it| group(it.as_str(), view, &database, cx)).transpose()?;
        let previous = match &self.after_row {
            Some(row) => {
                row.among(|id| database.row(id.as_str())).map(|it| it.id.clone()).ok_or_else(|| {
                    ToolError::field("after_row", "a row of this database, or a block that is one")
                })?
            }
            None => last(view, &database).unwrap_or_default(),
        };
        let rows = CheckedRows::judge(self.rows.as_slice(), &database, cx).await?;
        let (n, preview) = (rows.len(), rows.preview());
        let name = database.database().name.clone();
        // Without a neighbour that the caller sees, the kernel would take the values of one that it does not see. Of a
        // relation, it would change the other side too, in a database that the caller may not write.
        let fill = !previous.is_empty() && table::shows_by_own(view, &database);
        let (view, group) = (view.id.clone(), group.unwrap_or_default());
        let plan = Plan::new("add_rows", Facts { database: id.clone(), rows, view, group, previous, fill });
        Ok(plan.show("rows", preview).touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, rows, view, group, previous, fill } = plan.facts;
        let place = RowPlace { view: &view, group: &group, previous: &previous, fill };
        if rows.len() == 0 {
            let output = rows.nothing();
            return Ok(output.with("id", database.as_str()).with("changed", false));
        }
        Ok(rows.add(&database, place, cx).await?.with("id", database.as_str()).with("changed", true))
    }
}

/// The last row of a view that the caller may see.
fn last(view: &View, database: &Visible) -> Option<String> {
    let seen = view.rows.iter().rev().find_map(|id| database.row(id)).or(database.rows().last());
    seen.map(|it| it.id.clone())
}

/// The group of that name or id. One without a row that the caller may see exists only where its name is an option.
/// Of a relation, a rollup or a template, the kernel names groups after notes of any notebook, for rows of any notebook.
fn group(name: &str, view: &View, database: &Visible, cx: &Cx<'_>) -> Result<String, ToolError> {
    let field = view.group.as_ref().map(|it| it.field.as_str());
    let key = database.keys().find(|it| Some(it.id.as_str()) == field);
    if cx.grants().any_hidden() && !key.is_some_and(table::is_own) {
        let expected =
            "left out: while notebooks are hidden from you, only groups by the rows' own values are known";
        return Err(ToolError::field("in_group", expected));
    }
    let options = key.filter(|it| it.kind.ends_with("elect")).map_or(&[][..], |it| it.options.as_slice());
    let is_option =
        |group: &RowGroup| group.title().is_some_and(|it| options.iter().any(|known| known.name == it));
    let is_seen =
        |group: &&RowGroup| is_option(group) || group.rows.iter().any(|id| database.row(id).is_some());
    let mut seen = view.groups.iter().filter(is_seen);
    let known: Vec<&str> = seen.clone().filter_map(RowGroup::title).collect();
    let found = seen.find(|group| group.id == name || group.title() == Some(name));
    found.map(|it| it.id.clone()).ok_or_else(|| {
        ToolError::field("in_group", "the name or id of a group of this view").with("candidates", known)
    })
}

#[cfg(test)]
#[path = "add_rows_tests.rs"]
mod tests;
