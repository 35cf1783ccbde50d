//! A row of the index as an answer renders it.

use serde_json::{Value, json};

use super::{Select, Table, eq, not, same};
use crate::kernel::api::query::Row;
use crate::output::object;

/// The maximum number of characters of a block's text.
const TEXT: usize = 200;

/// The hpath of a row's document; `/` for a notebook's own document, which the index calls `/Name`.
pub fn hpath(row: &Row) -> &str {
    if row.text("root_id") == row.text("box") { "/" } else { row.text("hpath") }
}

/// A block: {id, type, doc, hpath, notebook, text}.
pub fn block(row: &Row) -> Value {
    let text = row.text("content").split_whitespace().collect::<Vec<_>>().join(" ");
    Value::Object(object([
        ("id", json!(row.text("id"))),
        ("type", json!(row.text("type"))),
        ("doc", json!(row.text("root_id"))),
        ("hpath", json!(hpath(row))),
        ("notebook", json!(row.text("box"))),
        ("text", json!(text.chars().take(TEXT).collect::<String>())),
    ]))
}

impl Select {
    /// A statement for blocks, with the columns that [`block`] needs.
    pub fn blocks() -> Select {
        let columns = ["b.id", "b.type", "b.root_id", "b.hpath", "b.content", "b.updated"];
        Select::from(Table::Blocks).columns(columns).per(["b.id"])
    }

    /// A statement for documents.
    pub fn documents() -> Select {
        let columns = ["b.id", "b.path", "b.hpath", "b.content"];
        Select::from(Table::Blocks).columns(columns).per(["b.id"]).filter(eq("b.type", "d"))
    }

    /// Leaves out the documents that are a notebook's own.
    #[must_use]
    pub fn below_notebooks(self) -> Select {
        self.filter(not(same("b.id", "b.box")))
    }
}
