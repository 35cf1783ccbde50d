//! A cell to set, and the things that its value may name: rows of this database, rows of others, assets.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::Value;

use crate::content::cell::{self, CellValue};
use crate::content::database::{DatabaseRow, Visible};
use crate::error::ErrorType;
use crate::kernel::api::av::{Column, ColumnKey};
use crate::permission::Where;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Assets looked up at the same time.
const AT_ONCE: usize = 16;
/// The maximum number of different assets in one call.
const MOST_ASSETS: usize = 500;

/// One cell.
#[derive(Debug, Record)]
pub struct CellToSet {
    /// The row, or the block that is one.
    pub row: Child<RowId>,
    /// The column, by id or exact name.
    #[read_by()]
    pub column: Text<1, 512>,
    /// Its value; null clears it.
    pub value: CellValue,
}

/// The arguments that name a cell, for errors.
#[derive(Debug, Clone)]
pub(super) struct CellArguments {
    column: String,
    value: String,
}

impl CellArguments {
    /// The cell at this place in the list of cells.
    pub(super) fn listed(at: usize) -> CellArguments {
        CellArguments { column: format!("cells[{at}].column"), value: format!("cells[{at}].value") }
    }

    /// The cell in this column of the row at this place in the list of rows.
    pub(super) fn of_row(at: usize, column: &str) -> CellArguments {
        CellArguments { column: format!("rows[{at}].cells"), value: format!("rows[{at}].cells.{column}") }
    }

    /// The argument that names the column.
    pub(super) fn column(&self) -> &str {
        &self.column
    }

    /// The error of the column.
    fn wrong_column(&self, expected: impl Into<String>) -> ToolError {
        ToolError::field(&self.column, expected)
    }

    /// The error of the value.
    pub(super) fn wrong(&self, expected: impl Into<String>) -> ToolError {
        ToolError::field(&self.value, expected)
    }
}

/// The error for a success that the kernel reported and that cannot be found.
pub(super) fn not_stored(what: &str) -> ToolError {
    ToolError::new(ErrorType::Api, format!("SiYuan reported success but did not store {what}."))
}

/// A database without the parts that the caller may not see.
pub(super) async fn read(id: &AvId, found: &Where, cx: &Cx<'_>) -> Result<Visible, ToolError> {
    let reply = cx.ask(av::get_attribute_view(id)).await?;
    Ok(Visible::new(reply.av.ok_or_else(ToolError::not_found)?, found))
}

/// The row and column of a cell.
pub(super) fn place<'d>(
    at: usize,
    cell: &CellToSet,
    database: &'d Visible,
) -> Result<(&'d DatabaseRow, &'d Column), ToolError> {
    let row = cell.row.among(|id| database.row(id.as_str()));
    let row = row.ok_or_else(|| {
        ToolError::field(&format!("cells[{at}].row"), "a row of this database, or a block that is one")
    })?;
    let spot = CellArguments::listed(at);
    let column = database.column(spot.column(), cell.column.as_str())?;
    if column.key.kind == "block" && row.block.is_some() {
        return Err(spot.wrong_column("another one: this row is a block, so rename the block instead"));
    }
    Ok((row, column))
}

/// The options of selects that values name, by the id of their column.
#[derive(Debug, Default)]
pub(super) struct Options<'d>(BTreeMap<&'d str, (&'d ColumnKey, Vec<String>)>);

impl<'d> Options<'d> {
    /// Adds those of a value to be sent. Where an option is new, SiYuan would give a colour to the option alone, and
    /// its page would show the cell without one: the value gets the colour that the option then takes from it.
    pub(super) fn add(&mut self, key: &'d ColumnKey, value: &mut Value) {
        let (_, new) = self.0.entry(&key.id).or_insert_with(|| (key, Vec::new()));
        for choice in value.get_mut("mSelect").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(name) = choice.get("content").and_then(Value::as_str).map(str::to_owned) else {
                continue;
            };
            if key.options.iter().any(|it| it.name == name) {
                continue;
            }
            let at = new.iter().position(|it| *it == name).unwrap_or_else(|| {
                new.push(name);
                new.len() - 1
            });
            choice["color"] = option_color(key.options.len() + at).into();
        }
    }

    /// Those that their columns lack, after the names of these columns.
    pub(super) fn created(self) -> Vec<(String, String)> {
        let named =
            |(key, new): (&'d ColumnKey, Vec<String>)| new.into_iter().map(|it| (key.name.clone(), it));
        let created: BTreeSet<_> = self.0.into_values().flat_map(named).into_set();
        created.into_iter().collect()
    }
}

/// The colour of a new option behind this many others, in turn from SiYuan's fourteen.
pub(super) fn option_color(before: usize) -> String {
    (before % 14 + 1).to_string()
}

/// The other databases and the assets that cells name.
#[derive(Debug, Default)]
pub(super) struct CellReferences {
    databases: BTreeMap<AvId, (Visible, Where)>,
    assets: Vec<(String, AssetPath)>,
}

impl CellReferences {
    /// The value of a cell; in a relation, ids of rows replace those of blocks.
    pub(super) async fn value(
        &mut self,
        spot: &CellArguments,
        value: &Value,
        (key, stored): (&ColumnKey, &Value),
        cx: &Cx<'_>,
    ) -> Result<Value, ToolError> {
        if key.kind == "mAsset" {
            self.assets.extend(cell::assets(value).into_iter().map(|path| (spot.value.clone(), path)));
        }
        let ids = match value {
            Value::Array(ids) if key.kind == "relation" => ids.as_slice(),
            Value::Null if key.kind == "relation" => &[],
            _ => return Ok(value.clone()),
        };
        // The rows that stay related do not count: their number is not the caller's to learn.
        if ids.len() > cell::MOST {
            return Err(spot.wrong(format!("a list of at most {} ids of rows", cell::MOST)));
        }
        let (other, found) = self.related(spot, key, cx).await?;
        let row = |id: &Value| other.row(id.as_str()?).map(|row| row.id.as_str());
        let rows: Option<Vec<&str>> = ids.iter().map(row).collect();
        let mut rows = rows.ok_or_else(|| spot.wrong("ids of rows of the related database"))?;
        let before: Vec<&str> = cell::related_rows(stored).collect();
        let is_seen = |id: &&&str| other.row(id).is_some();
        // A cell that already shows the caller these rows does not change, wherever the other rows stand.
        if before.iter().filter(is_seen).eq(&rows) {
            return Ok(before.into());
        }
        if key.relation.as_ref().is_some_and(|it| it.two_way) {
            // The cells of these rows change too, so their blocks are judged like those of rows set directly (B-056).
            let stays = |id: &&str| before.contains(id) && rows.contains(id);
            let changed = before.iter().chain(&rows).copied().filter(|id| !stays(id));
            let blocks = changed.filter_map(|id| found.row(other.row(id)?.block.as_deref()?));
            cx.require(Level::Write, blocks.map(NotebookId::as_str))?;
        }
        // Rows that the caller may not see stay related, because the caller cannot have removed them.
        rows.extend(before.iter().filter(|id| !is_seen(id)));
        Ok(rows.into())
    }

    /// The database that a relation leads to. It changes too if a column of it leads back.
    async fn related(
        &mut self,
        spot: &CellArguments,
        key: &ColumnKey,
        cx: &Cx<'_>,
    ) -> Result<&(Visible, Where), ToolError> {
        let missing =
            || spot.wrong_column("a relation to a database where you have the level that this needs");
        let relation = key.relation.as_ref().ok_or_else(missing)?;
        let id = AvId::parse(&relation.database).ok_or_else(missing)?;
        if !self.databases.contains_key(&id) {
            let level = if relation.two_way { Level::Write } else { Level::Read };
            let found = cx.databases(level, &[&id]).await?.pop().flatten().ok_or_else(missing)?;
            let other = read(&id, &found, cx).await?;
            self.databases.insert(id.clone(), (other, found));
        }
        self.databases.get(&id).ok_or_else(missing)
    }

    /// Refuses assets that do not exist, and those that the caller may not see.
    pub(super) async fn check_assets(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        let mut first: BTreeMap<&AssetPath, &str> = BTreeMap::new();
        for (field, path) in &self.assets {
            first.entry(path).or_insert(field);
        }
        if first.len() > MOST_ASSETS {
            let expected =
                format!("at most {MOST_ASSETS} different assets in one call; set the cells in parts");
            return Err(ToolError::field("cells", expected));
        }
        let paths: Vec<&AssetPath> = first.keys().copied().collect();
        let missing = |path: &AssetPath| {
            let field = first.get(path).copied().unwrap_or_default();
            ToolError::field(field, format!("assets that exist; {} does not", path.as_str()))
        };
        let found = if paths.is_empty() { Vec::new() } else { cx.assets(&paths).await? };
        if let Some((path, _)) = paths.iter().zip(found).find(|(_, found)| found.is_none()) {
            return Err(missing(path));
        }
        for some in paths.chunks(AT_ONCE) {
            let asked = some.iter().map(|it| cx.ask(asset::stat_asset(it)));
            for (path, stat) in some.iter().zip(join_all(asked).await) {
                stat.map_err(|error| if error.code == Some(1) { missing(path) } else { error })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "cells_tests.rs"]
mod tests;
