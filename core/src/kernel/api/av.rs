//! Databases, as the kernel stores them: columns with the values of all rows, and views.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::endpoints;
use crate::id::AvId;
use crate::kernel::NonEmpty;

endpoints! { "/api/av/";
    /// A database with all its rows, including those of hidden notebooks.
    read GET_ATTRIBUTE_VIEW get_attribute_view(id: &AvId) -> DatabaseReply = "getAttributeView" { "id": id };
    /// Sets cells, one after the other; returns code 0 even for a row or column that does not exist.
    silent SET_CELLS set_cells(id: &AvId, cells: NonEmpty<'_, NewCell>) -> ()
        = "batchSetAttributeViewBlockAttrs" { "avID": id, "values": cells };
}

/// A cell with its new value, under the kernel's names.
#[derive(Debug, Clone, Hash, Serialize)]
pub struct NewCell {
    /// The column.
    #[serde(rename = "keyID")]
    pub column: String,
    /// The row.
    #[serde(rename = "itemID")]
    pub row: String,
    /// The value.
    pub value: Value,
}

/// Reply of `getAttributeView`.
#[derive(Debug, Deserialize)]
pub struct DatabaseReply {
    /// The database; null if there is none.
    pub av: Option<Database>,
}

/// A database with the rows of every notebook; `content::database` narrows it to those that the caller may see.
#[derive(Debug, Clone, Deserialize)]
pub struct Database {
    /// Its name; empty until a person names it.
    #[serde(default)]
    pub name: String,
    /// Its columns.
    #[serde(rename = "keyValues", default)]
    pub columns: Vec<Column>,
    /// Its views.
    #[serde(default)]
    pub views: Vec<View>,
}

/// A column with its values.
#[derive(Debug, Clone, Deserialize)]
pub struct Column {
    /// Its definition.
    pub key: Key,
    /// The values, only for rows that have one.
    #[serde(default)]
    pub values: Vec<Stored>,
}

/// The definition of a column.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type: `block`, `text`, `mSelect` ...
    #[serde(rename = "type")]
    pub kind: String,
    /// Its description.
    #[serde(default)]
    pub desc: String,
    /// The options of a select.
    #[serde(default)]
    pub options: Vec<SelectOption>,
    /// The format in which numbers are printed.
    #[serde(default)]
    pub number_format: String,
    /// The text of a template column.
    #[serde(default)]
    pub template: String,
    /// The database that a relation leads to.
    #[serde(default)]
    pub relation: Option<Relation>,
    /// The definition of a rollup.
    #[serde(default)]
    pub rollup: Option<Rollup>,
}

/// An option of a select.
#[derive(Debug, Clone, Deserialize)]
pub struct SelectOption {
    /// Its name.
    pub name: String,
    /// Its colour, from 1 to 14.
    #[serde(default)]
    pub color: String,
    /// Its description.
    #[serde(default)]
    pub desc: String,
}

/// The target of a relation.
#[derive(Debug, Clone, Deserialize)]
pub struct Relation {
    /// The other database; empty until one is chosen.
    #[serde(rename = "avID", default)]
    pub database: String,
    /// Whether the other database has a column that leads back.
    #[serde(rename = "isTwoWay", default)]
    pub two_way: bool,
}

/// The definition of a rollup.
#[derive(Debug, Clone, Deserialize)]
pub struct Rollup {
    /// The relation it follows.
    #[serde(rename = "relationKeyID", default)]
    pub relation: String,
    /// The column in the other database.
    #[serde(rename = "keyID", default)]
    pub column: String,
    /// The calculation over the values.
    #[serde(default)]
    pub calc: Option<Value>,
}

/// The value of one cell.
#[derive(Debug, Clone, Deserialize)]
pub struct Stored {
    /// The row. The kernel calls it a block, although it is none.
    #[serde(rename = "blockID", default)]
    pub row: String,
    /// Whether the row is detached, that is, stands for no block.
    #[serde(rename = "isDetached", default)]
    pub detached: bool,
    /// The content of a primary cell.
    #[serde(default)]
    pub block: Option<Bound>,
    /// The parts under the kernel's names; the column's type decides which part counts.
    #[serde(flatten)]
    pub parts: Map<String, Value>,
}

impl Stored {
    /// Its parts, including the title of a primary cell.
    pub fn whole(&self) -> Value {
        let mut parts = self.parts.clone();
        if let Some(bound) = &self.block {
            parts.insert("block".to_owned(), json!({ "content": bound.content }));
        }
        Value::Object(parts)
    }
}

/// A primary cell.
#[derive(Debug, Clone, Deserialize)]
pub struct Bound {
    /// The block; empty in a detached row.
    #[serde(default)]
    pub id: String,
    /// The title.
    #[serde(default)]
    pub content: String,
}

/// A view.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Its id.
    pub id: String,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// `table`, `gallery`, `kanban` ...
    #[serde(rename = "type", default)]
    pub layout: String,
    /// Groups of conditions; null and groups without a column mean no condition.
    #[serde(default)]
    pub filters: Option<Vec<Value>>,
    /// Columns in order of precedence.
    #[serde(default)]
    pub sorts: Option<Vec<Value>>,
    /// The grouping of rows.
    #[serde(default)]
    pub group: Option<Value>,
    /// Rows per page.
    #[serde(default)]
    pub page_size: u64,
    /// The settings of its layout, including the columns.
    #[serde(flatten)]
    pub own: Map<String, Value>,
}
