//! `av.create`: makes a database in a document, with columns and rows.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::cells::not_stored;
use super::column::ColumnType;
use super::new_rows::{self, RowToAdd, Rows};
use super::shown::fresh_id;
use crate::content::cell::plain_text;
use crate::content::database::Visible;
use crate::content::written;
use crate::kernel::api::av::{Database, Operation, RowPlace};
use crate::permission::Where;
use crate::prelude::*;

/// Create a database in a document, with columns, and optionally rows.
#[derive(Debug, Action)]
#[action(
    av.create,
    danger = None,
    idempotent = false,
    calls = [
        query::FLUSH_TRANSACTION, block::APPEND_BLOCK, block::INSERT_BLOCK, av::MAKE_DATABASE, block::TRANSACTIONS,
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
    /// Where it goes.
    #[needs(Write)]
    #[one_of]
    pub place: NewPlace,
    /// The name.
    pub name: Text<1, 512>,
    /// Columns after the primary one.
    pub columns: Option<Many<NewColumn, 0, 64>>,
    /// Each a block or a title, with cells by column.
    #[needs(Write)]
    pub rows: Option<Many<RowToAdd, 0, 200>>,
    /// How rows are shown.
    pub layout: Layout,
}

/// The place of a new database.
#[derive(Debug, OneOf)]
pub enum NewPlace {
    /// The document at whose end it goes.
    #[target]
    Parent(DocId),
    /// The block behind which it goes.
    #[target]
    After(BlockId),
}

/// A column to make.
#[derive(Debug, Record)]
pub struct NewColumn {
    /// The name.
    pub name: Text<1, 512>,
    /// Such as text, number, date, select, checkbox; an error lists all.
    pub r#type: ColumnType,
    /// Names of the options of a select.
    pub options: Option<Many<Text<1, 256>, 0, 200>>,
}

/// How a view shows rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Choice)]
pub enum Layout {
    /// Rows and columns.
    #[default]
    Table,
    /// Cards.
    Gallery,
    /// A board with a column of cards for each group.
    Kanban,
}

impl Layout {
    /// The kernel's name.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Table => "table",
            Layout::Gallery => "gallery",
            Layout::Kanban => "kanban",
        }
    }
}

/// A column as it was judged.
#[derive(Debug, Clone, Hash)]
struct Column {
    name: String,
    kind: &'static str,
    options: Vec<Value>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    name: String,
    columns: Vec<Column>,
    rows: Rows,
}

impl Change for Create {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let name = plain_text("name", self.name.as_str())?;
        let columns = self.columns()?;
        let rows = self.rows.as_ref().map(Many::as_slice).unwrap_or_default();
        let rows = Rows::judge(rows, &model(&columns)?, cx).await?;
        let told: Vec<&str> = columns.iter().map(|it| it.name.as_str()).collect();
        let (told, count) = (json!(told), rows.len());
        let plan = Plan::new(Facts { name: name.clone(), columns, rows }).show("would", "create");
        Ok(plan.show("name", name.clone()).show("columns", told).show("rows", count).touching(1, name))
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
        let told =
            Output::new().with("id", id.as_str()).with("block", carrier.as_str()).with("name", name.as_str());
        match self.fill(&id, &carrier, &name, (&columns, rows), cx).await {
            Ok(filled) => {
                Ok(Output { data: told.data.into_iter().chain(filled.data).collect(), ..Output::new() })
            }
            Err(error) => Ok(told.partly("the block", vec![Failed::new(error).what("the database")])),
        }
    }
}

impl Create {
    fn columns(&self) -> Result<Vec<Column>, ToolError> {
        let mut all: Vec<Column> = Vec::new();
        for (at, column) in self.columns.iter().flat_map(Many::as_slice).enumerate() {
            let name = plain_text(&format!("columns[{at}].name"), column.name.as_str())?;
            let kind = column.r#type.name();
            let mut options: Vec<Value> = Vec::new();
            for option in column.options.iter().flat_map(Many::as_slice) {
                let field = format!("columns[{at}].options");
                let option = plain_text(&field, option.as_str())?;
                let fits =
                    matches!(kind, "select" | "mSelect") && options.iter().all(|it| it["name"] != *option);
                if !fits {
                    return Err(ToolError::field(
                        &field,
                        "different names, of a column of the type select or mSelect",
                    ));
                }
                let color = (options.len() % 14 + 1).to_string();
                options.push(json!({ "name": option, "color": color, "desc": "" }));
            }
            all.push(Column { name, kind, options });
        }
        Ok(all)
    }

    /// Makes the database of a block that shows none yet.
    async fn fill(
        &self,
        id: &AvId,
        carrier: &str,
        name: &str,
        (columns, mut rows): (&[Column], Rows),
        cx: &Cx<'_>,
    ) -> Result<Output, ToolError> {
        let view = cx.ask(av::make_database(id, carrier)).await?.view_id;
        let before =
            cx.ask(av::get_attribute_view(id)).await?.av.ok_or_else(|| not_stored("this database"))?;
        let mut operations = vec![Operation::rename(id, name)];
        let primary = before.columns.iter().find(|it| it.key.kind == "block");
        let mut previous = primary.map(|it| it.key.id.clone()).unwrap_or_default();
        let (mut told, mut ids): (Vec<Value>, BTreeMap<String, String>) = Default::default();
        for (at, column) in columns.iter().enumerate() {
            let key = fresh_id(cx)?;
            operations.push(Operation::add_column(id, &key, &column.name, column.kind, &previous));
            if !column.options.is_empty() {
                operations.push(Operation::set_options(id, &key, &json!(column.options)));
            }
            told.push(json!({ "id": key, "name": column.name }));
            ids.insert(placeholder(at), key.clone());
            previous = key;
        }
        // A new database has a column of its own besides the primary one.
        let own = before.columns.iter().filter(|it| it.key.kind != "block" && !columns.is_empty());
        operations.extend(own.map(|it| Operation::remove_column(id, &it.key.id, false)));
        if self.layout != Layout::Table {
            operations.push(Operation::set_layout(id, carrier, self.layout.name()));
        }
        if let Some(operations) = NonEmpty::of(&operations) {
            cx.ask(av::change(operations)).await?;
        }
        let after = cx.ask(av::get_attribute_view(id)).await?.av;
        let is_there = |key: &str| after.iter().flat_map(|it| &it.columns).any(|it| it.key.id == key);
        if after.as_ref().is_none_or(|it| it.name != name) || !ids.values().all(|key| is_there(key)) {
            return Err(not_stored("these columns"));
        }
        let output = Output::new().with("columns", told);
        if rows.len() == 0 {
            return Ok(output);
        }
        rows.rename_columns(&ids);
        let place = RowPlace { view: &view, group: "", previous: "", fill: false };
        let added = rows.add(id, place, cx).await?;
        Ok(Output { data: output.data.into_iter().chain(added.data).collect(), ..Output::new() })
    }
}

/// The id that stands for a column that does not exist yet.
fn placeholder(at: usize) -> String {
    format!("column {at}")
}

/// A database with these columns, to judge rows by.
fn model(columns: &[Column]) -> Result<Visible, ToolError> {
    let mut all = vec![json!({ "key": { "id": "primary", "name": "Primary Key", "type": "block" } })];
    all.extend(columns.iter().enumerate().map(|(at, it)| {
        json!({ "key": { "id": placeholder(at), "name": it.name, "type": it.kind, "options": it.options } })
    }));
    let database: Database = serde_json::from_value(json!({ "keyValues": all }))
        .map_err(|error| ToolError::internal(error.to_string()))?;
    Ok(Visible::new(database, &Where::default()))
}
