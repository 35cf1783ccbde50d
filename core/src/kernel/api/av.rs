//! Databases, as the kernel stores them: columns with the values of all rows, and views.

mod operation;
mod rendered;
mod view;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use operation::{Leads, Operation, change};
pub use rendered::{Item, Rendered, Rendering};
pub use view::{
    Calc, GroupRange, NewFilter, NewGroup, NewRange, NewSort, RowGroup, View, ViewField, ViewFilter,
    ViewGroup, ViewSort,
};

use super::endpoints;
use crate::id::{AvId, BlockId};
use crate::kernel::NonEmpty;

endpoints! { "/api/av/";
    /// A database with all its rows, including those of hidden notebooks.
    read GET_ATTRIBUTE_VIEW get_attribute_view(id: &AvId) -> DatabaseReply = "getAttributeView" { "id": id };
    /// Sets cells, one after the other; returns code 0 even for a row or column that does not exist.
    silent SET_CELLS set_cells(id: &AvId, cells: NonEmpty<'_, NewCell>) -> ()
        = "batchSetAttributeViewBlockAttrs" { "avID": id, "values": cells };
    /// All rows of a view, including those of hidden notebooks.
    read RENDER_VIEW render_view(id: &AvId, view: &str) -> Rendering = "renderAttributeView" {
        "id": id, "viewID": view, "page": 1, "pageSize": ALL_ROWS, "createIfNotExist": false,
    };
    /// Makes the database that a block shows, with a view and two columns.
    write MAKE_DATABASE make_database(id: &AvId, carrier: &str) -> Rendering
        = "renderAttributeView" { "id": id, "blockID": carrier, "createIfNotExist": true };
    /// Adds rows behind another one, or at the top with an empty `previous`; the last one is added first. A block that
    /// is a row already stays where it is.
    silent ADD_ROWS add_rows(id: &AvId, place: RowPlace<'_>, rows: NonEmpty<'_, NewRow>) -> ()
        = "addAttributeViewBlocks" {
            "avID": id, "viewID": place.view, "groupID": place.group, "previousID": place.previous, "srcs": rows,
            "ignoreDefaultFill": !place.fill,
        };
    /// Removes rows; the blocks of bound rows stay.
    silent REMOVE_ROWS remove_rows(id: &AvId, rows: NonEmpty<'_, String>) -> ()
        = "removeAttributeViewBlocks" { "avID": id, "srcIDs": rows };
    /// Copies a database, with its rows but without a block that shows the copy.
    write DUPLICATE duplicate(id: &AvId) -> Copied = "duplicateAttributeViewBlock" { "avID": id };
}

/// More rows than a view can have, so that the kernel sends all of them on one page.
const ALL_ROWS: u32 = 1_000_000;

/// The place at which rows are added.
#[derive(Debug, Clone, Copy)]
pub struct RowPlace<'a> {
    pub view: &'a str,
    /// A group of the view, or empty.
    pub group: &'a str,
    /// The row behind which they go, or empty.
    pub previous: &'a str,
    /// Whether cells take the values that filters, groups and the neighbour suggest.
    pub fill: bool,
}

/// A row to add.
#[derive(Debug, Clone, Serialize)]
pub struct NewRow {
    /// Its id, chosen by the caller.
    #[serde(rename = "itemID")]
    pub row: String,
    /// The block that it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<BlockId>,
    /// Whether it stands for none.
    #[serde(rename = "isDetached")]
    pub detached: bool,
    /// The title of one that stands for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// Reply of `duplicateAttributeViewBlock`.
#[derive(Debug, Deserialize)]
pub struct Copied {
    /// The copy.
    #[serde(rename = "avID")]
    pub database: AvId,
    /// The id for the block that is to show it.
    #[serde(rename = "blockID")]
    pub block: BlockId,
}

/// A cell with its new value, under the kernel's names.
#[derive(Debug, Clone, Hash, Serialize)]
pub struct NewCell {
    #[serde(rename = "keyID")]
    pub column: String,
    #[serde(rename = "itemID")]
    pub row: String,
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
    #[serde(rename = "keyValues", default)]
    pub columns: Vec<Column>,
    #[serde(default)]
    pub views: Vec<View>,
}

/// A column with its values.
#[derive(Debug, Clone, Deserialize)]
pub struct Column {
    /// Its definition.
    pub key: ColumnKey,
    /// The values, only for rows that have one.
    #[serde(default)]
    pub values: Vec<Stored>,
}

/// The definition of a column.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnKey {
    pub id: String,
    pub name: String,
    /// Its type: `block`, `text`, `mSelect` ...
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub icon: String,
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
    /// That column.
    #[serde(rename = "backKeyID", default)]
    pub back: String,
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
    pub calc: Option<Calc>,
}

impl Rollup {
    /// Whether it shows a calculation in place of the values.
    pub fn calculates(&self) -> bool {
        self.calc.as_ref().is_some_and(|it| !it.operator.is_empty())
    }
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
