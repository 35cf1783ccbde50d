//! `av.create`: makes a database in a document, with columns and rows.

use serde_json::json;

use super::cells::not_stored;
use super::database_blocks::fresh_id;
use super::layout::LayoutName;
use super::new_columns::{Columns, NewColumn};
use super::new_rows::{self, CheckedRows, RowToAdd};
use crate::content::cell::plain_text;
use crate::content::written;
use crate::kernel::api::av::{Operation, RowPlace};
use crate::prelude::*;

/// Create a database in a document, with columns, and optionally rows.
#[derive(Debug, Action)]
#[action(
    av.create,
    danger = None,
    idempotent = false,
    calls = [
        query::FLUSH_TRANSACTION, block::APPEND_BLOCK, block::INSERT_BLOCK, av::MAKE_DATABASE, transactions::TRANSACTIONS,
        ..new_rows,
    ],
    examples = [
        {
            "parent": "{doc}", "name": "{new}", "columns": [{ "name": "Status", "type": "select", "options": ["Todo"] }],
            "rows": [{ "title": "Mint", "cells": { "Status": "Todo" } }]
        },
        { "after": "{block}", "name": "{new}", "rows": [{ "block": "{block}" }], "layout": "gallery" },
    ],
)]
pub struct Create {
    /// The place of the new database.
    #[needs(Write)]
    #[one_of]
    pub place: NewPlace,
    /// The name.
    #[read_by(Html)]
    pub name: Text<1, 512>,
    /// Columns after the primary one.
    pub columns: Option<Many<NewColumn, 0, 64>>,
    /// Each with a block or a title, and cells by column.
    #[needs(Write)]
    pub rows: Option<Many<RowToAdd, 0, 200>>,
    /// The layout of the rows.
    pub layout: LayoutName,
}

/// The place of a new database.
#[derive(Debug, OneOf)]
pub enum NewPlace {
    /// The document to append it to.
    #[target]
    Parent(DocId),
    /// The block to place it after.
    #[target]
    After(BlockId),
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    name: String,
    columns: Columns,
    rows: CheckedRows,
}

impl Change for Create {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let name = plain_text("name", self.name.as_str())?;
        let columns = Columns::judge(self.columns.as_ref().map(Many::as_slice).unwrap_or_default())?;
        let rows = self.rows.as_ref().map(Many::as_slice).unwrap_or_default();
        let rows = CheckedRows::judge(rows, &columns.model()?, cx).await?;
        let (names, count) = (json!(columns.names()), rows.len());
        let plan = Plan::new("create", Facts { name: name.clone(), columns, rows });
        Ok(plan.show("name", name.clone()).show("columns", names).show("rows", count).touching(1, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { name, columns, rows } = plan.facts;
        let new = fresh_id(cx)?;
        let id = AvId::parse(&new).ok_or_else(|| not_stored("this database"))?;
        let element =
            format!(r#"<div data-type="NodeAttributeView" data-av-id="{id}" data-av-type="table"></div>"#);
        let made = match &self.place {
            NewPlace::Parent(doc) => cx.ask(block::append_block(doc, &element)).await?,
            NewPlace::After(behind) => cx.ask(block::insert_behind(behind, &element)).await?,
        };
        let carrier = written::ids(&made)?.into_iter().next().ok_or_else(|| not_stored("this database"))?;
        let output =
            Output::new().with("id", id.as_str()).with("block", carrier.as_str()).with("name", name.as_str());
        match self.fill(&id, &carrier, &name, (&columns, rows), cx).await {
            Ok(filled) => {
                Ok(Output { data: output.data.into_iter().chain(filled.data).collect(), ..Output::new() })
            }
            Err(error) => Ok(output.partly("the block", vec![Failed::new(error).what("the database")])),
        }
    }
}

impl Create {
    /// Makes the database of a block that shows none yet.
    async fn fill(
        &self,
        id: &AvId,
        carrier: &str,
        name: &str,
        (columns, mut rows): (&Columns, CheckedRows),
        cx: &Cx<'_>,
    ) -> Result<Output, ToolError> {
        let view = cx.ask(av::make_database(id, carrier)).await?.view_id;
        let before =
            cx.ask(av::get_attribute_view(id)).await?.av.ok_or_else(|| not_stored("this database"))?;
        let (primary, own): (Vec<_>, Vec<_>) = before.columns.iter().partition(|it| it.key.kind == "block");
        let mut added = columns.add(id, primary.first().map_or("", |it| it.key.id.as_str()), cx)?;
        let mut operations = vec![Operation::rename(id, name)];
        operations.append(&mut added.operations);
        // A new database has a column of its own besides the primary one.
        let replaced = own.iter().filter(|_| !columns.names().is_empty());
        operations.extend(replaced.map(|it| Operation::remove_column(id, &it.key.id, false)));
        if self.layout != LayoutName::Table {
            operations.push(Operation::set_layout(id, carrier, self.layout.name()));
        }
        if let Some(operations) = NonEmpty::of(&operations) {
            cx.ask(av::change(operations)).await?;
        }
        let after = cx.ask(av::get_attribute_view(id)).await?.av;
        if !after.is_some_and(|it| it.name == name && added.are_in(&it)) {
            return Err(not_stored("these columns"));
        }
        let output = Output::new().with("columns", added.to_json());
        if rows.len() == 0 {
            return Ok(output);
        }
        rows.rename_columns(&added.ids());
        let place = RowPlace { view: &view, group: "", previous: "", fill: false };
        let added = rows.add(id, place, cx).await?;
        Ok(Output { data: output.data.into_iter().chain(added.data).collect(), ..Output::new() })
    }
}

#[cfg(test)]
#[path = "create_tests.rs"]
mod tests;
