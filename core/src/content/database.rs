//! A database as the caller may see it: its columns by name, and the rows whose blocks the caller may read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::error::ToolError;
use crate::kernel::api::av::{Column, ColumnKey, Database, Stored};
use crate::permission::Where;
use crate::sorted::IntoSorted as _;

/// A row that the caller may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseRow {
    /// Its id.
    pub id: String,
    /// The block of the row; `None` for a detached row.
    pub block: Option<String>,
    /// Its title.
    pub title: String,
}

/// The stored values of some columns, by column and row.
#[derive(Debug)]
pub struct Cells<'d>(BTreeMap<(&'d str, &'d str), &'d Stored>);

impl<'d> Cells<'d> {
    /// The values of these columns; the first one where the kernel stored several for one cell.
    pub fn of(database: &'d Database, columns: &BTreeSet<String>) -> Cells<'d> {
        let mut all = BTreeMap::new();
        for column in database.columns.iter().filter(|it| columns.contains(&it.key.id)) {
            for value in &column.values {
                all.entry((column.key.id.as_str(), value.row.as_str())).or_insert(value);
            }
        }
        Cells(all)
    }

    /// The parts of a cell, under the kernel's names; empty if no value was ever set.
    pub fn get(&self, column: &str, row: &str) -> Value {
        self.0.get(&(column, row)).map(|it| it.whole()).unwrap_or_default()
    }
}

/// A database without the rows whose blocks the caller may not read: those do not exist for it.
#[derive(Debug)]
pub struct Visible {
    database: Database,
    rows: Vec<DatabaseRow>,
    /// The number of each row, by its id and by that of its block.
    named: BTreeMap<String, usize>,
}

impl Visible {
    /// The visible part of a database; `found` knows the notebooks of its rows.
    pub fn new(database: Database, found: &Where) -> Visible {
        let primary = database.columns.iter().find(|it| it.key.kind == "block");
        let (mut rows, mut named): (Vec<DatabaseRow>, BTreeMap<String, usize>) = Default::default();
        for cell in primary.iter().flat_map(|it| &it.values) {
            let block = cell.block.as_ref().map(|it| it.id.as_str()).filter(|id| !id.is_empty());
            let block = if cell.detached { None } else { block };
            if block.is_none_or(|id| found.row(id).is_some()) && !named.contains_key(&cell.row) {
                named.insert(cell.row.clone(), rows.len());
                let title = cell.block.as_ref().map(|it| it.content.clone()).unwrap_or_default();
                rows.push(DatabaseRow { id: cell.row.clone(), block: block.map(str::to_owned), title });
            }
        }
        for (at, row) in rows.iter().enumerate() {
            if let Some(block) = &row.block {
                named.entry(block.clone()).or_insert(at);
            }
        }
        Visible { database, rows, named }
    }

    /// The database itself; the values of its columns include those of hidden rows.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Its rows.
    pub fn rows(&self) -> &[DatabaseRow] {
        &self.rows
    }

    /// The row with that id, or of the block with that id.
    pub fn row(&self, id: &str) -> Option<&DatabaseRow> {
        self.rows.get(*self.named.get(id)?)
    }

    /// The column with that id or name; a name that fits several columns is an error that lists them.
    pub fn column(&self, param: &str, name: &str) -> Result<&Column, ToolError> {
        let of_id = self.database.columns.iter().find(|it| it.key.id == name);
        let named: Vec<&Column> = self.database.columns.iter().filter(|it| it.key.name == name).collect();
        match (of_id, named.as_slice()) {
            (Some(one), _) | (None, &[one]) => Ok(one),
            (None, []) => {
                let known: Vec<&str> = self.keys().map(|it| it.name.as_str()).collect();
                Err(ToolError::field(param, format!("one of the columns {}", known.join(", "))))
            }
            (None, several) => {
                let ids: Vec<&str> = several.iter().map(|it| it.key.id.as_str()).collect();
                let expected = format!("an id: {} columns are called \"{name}\"", ids.len());
                Err(ToolError::field(param, expected).with("candidates", ids))
            }
        }
    }

    /// The definitions of its columns.
    pub fn keys(&self) -> impl Iterator<Item = &ColumnKey> {
        self.database.columns.iter().map(|it| &it.key)
    }

    /// Its columns by id.
    pub fn column_names(&self) -> BTreeMap<&str, &ColumnKey> {
        self.keys().map(|it| (it.id.as_str(), it)).into_map()
    }
}
