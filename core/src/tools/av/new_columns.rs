//! Columns of a new database: what a caller says about them, the checks, and the operations that add them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::cells::option_color;
use super::column::ColumnType;
use super::database_blocks::fresh_id;
use crate::content::cell::plain_text;
use crate::content::database::Visible;
use crate::kernel::api::av::{Database, Operation};
use crate::permission::Where;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// A column to make.
#[derive(Debug, Record)]
pub struct NewColumn {
    /// The name.
    #[read_by(Html)]
    pub name: Text<1, 512>,
    /// A type such as text, number, date, select or checkbox; an error lists all.
    pub r#type: ColumnType,
    /// Names of the options of a select.
    #[read_by(Html)]
    pub options: Option<Many<Text<1, 256>, 0, 200>>,
}

/// A column as it was judged.
#[derive(Debug, Hash)]
struct CheckedColumn {
    name: String,
    kind: &'static str,
    options: Vec<Value>,
}

/// The columns of a call.
#[derive(Debug, Hash)]
pub(super) struct Columns(Vec<CheckedColumn>);

/// Columns to add, each with its new id.
#[derive(Debug)]
pub(super) struct ColumnsToAdd {
    pub(super) operations: Vec<Operation>,
    /// Ids with names, in the order of the columns.
    columns: Vec<(String, String)>,
}

impl Columns {
    /// Judges the columns of a call.
    pub(super) fn judge(given: &[NewColumn]) -> Result<Columns, ToolError> {
        let mut names = BTreeSet::new();
        let judged = given.iter().enumerate().map(|(at, column)| {
            let field = format!("columns[{at}].name");
            let name = plain_text(&field, column.name.as_str())?;
            // Cells are given by the names of columns.
            if !names.insert(name.clone()) {
                return Err(ToolError::field(&field, "a name that no other column has"));
            }
            let kind = column.r#type.name();
            let options = named_options(&format!("columns[{at}].options"), column)?;
            Ok(CheckedColumn { name, kind, options })
        });
        judged.collect::<Result<_, _>>().map(Columns)
    }

    /// Their names.
    pub(super) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|it| it.name.as_str()).collect()
    }

    /// A database with these columns, to judge rows by.
    pub(super) fn model(&self) -> Result<Visible, ToolError> {
        let mut all = vec![json!({ "key": { "id": "primary", "name": "Primary Key", "type": "block" } })];
        all.extend(self.0.iter().enumerate().map(|(at, it)| {
            json!({ "key": { "id": placeholder(at), "name": it.name, "type": it.kind, "options": it.options } })
        }));
        // Read from bytes like the kernel's answers: a decoder of values, or of text, would be a second one for every type.
        let text = json!({ "keyValues": all }).to_string();
        let database: Database = serde_json::from_slice(text.as_bytes())
            .map_err(|error| ToolError::internal(error.to_string()))?;
        Ok(Visible::new(database, &Where::default()))
    }

    /// The operations that add them to a database, behind one of its columns.
    pub(super) fn add(&self, id: &AvId, behind: &str, cx: &Cx<'_>) -> Result<ColumnsToAdd, ToolError> {
        let mut added = ColumnsToAdd { operations: Vec::new(), columns: Vec::new() };
        for column in &self.0 {
            let key = fresh_id(cx)?;
            let previous = added.columns.last().map_or(behind, |(key, _)| key.as_str());
            let add = Operation::add_column(id, &key, &column.name, column.kind, previous);
            added.operations.push(add);
            if !column.options.is_empty() {
                added.operations.push(Operation::set_options(id, &key, &json!(column.options)));
            }
            added.columns.push((key, column.name.clone()));
        }
        Ok(added)
    }
}

impl ColumnsToAdd {
    /// The entries of an answer.
    pub(super) fn to_json(&self) -> Vec<Value> {
        self.columns.iter().map(|(key, name)| json!({ "id": key, "name": name })).collect()
    }

    /// The new ids by those that stand for them in the model.
    pub(super) fn ids(&self) -> BTreeMap<String, String> {
        self.columns.iter().enumerate().map(|(at, (key, _))| (placeholder(at), key.clone())).into_map()
    }

    /// Whether a database has all of them.
    pub(super) fn are_in(&self, database: &Database) -> bool {
        self.columns.iter().all(|(key, _)| database.columns.iter().any(|it| it.key.id == *key))
    }
}

/// The options of a column as the kernel stores them.
fn named_options(field: &str, column: &NewColumn) -> Result<Vec<Value>, ToolError> {
    let has_options = matches!(column.r#type.name(), "select" | "mSelect");
    let mut options: Vec<Value> = Vec::new();
    for option in column.options.iter().flat_map(Many::as_slice) {
        let option = plain_text(field, option.as_str())?;
        if !has_options || options.iter().any(|it| it["name"] == *option) {
            return Err(ToolError::field(
                field,
                "different names, of a column of the type select or mSelect",
            ));
        }
        let color = option_color(options.len());
        options.push(json!({ "name": option, "color": color, "desc": "" }));
    }
    Ok(options)
}

/// The id that stands for a column that does not exist yet.
fn placeholder(at: usize) -> String {
    format!("column {at}")
}
