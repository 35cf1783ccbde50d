//! The index: SQL over it, and flushing it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::endpoints;
use crate::grants::{InNotebook, Unfiltered};
use crate::kernel::TypedRequest;

endpoints! { "/api/query/";
    /// SQL over the index. The statement is always built here and has a LIMIT. Without `mode`, statements that write
    /// would run. Where neither of the kernel's own parsers knows the statement, no rows are null.
    optional SQL sql(stmt: &str) -> Unfiltered<Rows> = "sql" { "stmt": stmt, "mode": "readonly" };
}

endpoints! { "/api/sqlite/";
    /// Flushes the index, so that it is current.
    silent FLUSH_TRANSACTION flush_transaction() -> () = "flushTransaction" {};
}

/// The most bytes of an answer to a caller's own statement.
const OWN_BYTES: usize = 4_000_000;

/// A caller's own statement (`SQL`), printed from its parse; a longer answer is not read.
pub fn own(stmt: &str) -> TypedRequest<Unfiltered<Rows>> {
    TypedRequest::json(SQL.at_most(OWN_BYTES), json!({ "stmt": stmt, "mode": "readonly" }))
}

/// Rows of an SQL reply.
pub type Rows = Vec<Row>;

/// One row: column to value. A row without the column `box` is never shown.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct Row(pub Map<String, Value>);

impl Row {
    /// A text column; empty when absent.
    pub fn text(&self, column: &str) -> &str {
        self.0.get(column).and_then(Value::as_str).unwrap_or_default()
    }

    /// A number column; 0 when absent.
    pub fn number(&self, column: &str) -> u64 {
        self.0.get(column).and_then(Value::as_u64).unwrap_or_default()
    }
}

impl InNotebook for Row {
    fn notebook(&self) -> &str {
        self.text("box")
    }
}
