//! A caller's own statement: parsed as SQLite parses it, and printed again over the views.
//!
//! The caller's text is never sent. Whatever the printer does not know is refused, so comments, quoting and odd
//! literals do not survive, and no table is named but through its view. The kernel, which parses statements with
//! parsers of its own, only ever gets the plain forms that are printed here.

mod embed;
mod expr;
mod fence;
mod functions;
mod growth;
mod joined;
mod named;
mod names;
mod plain;
mod scan;
mod select;
mod tables;

use std::mem::ManuallyDrop;

use sqlite3_parser::ast::{Cmd, Select, Stmt};
use sqlite3_parser::lexer::sql::Parser;
use sqlite3_parser::{Bump, FallibleIterator};

use super::Visibility;
use crate::error::{ErrorType, ToolError};
use crate::kernel::api::query::Row;
pub use embed::Embed;
use growth::Size;
use joined::{Field, RowCount};
use select::{PrintFacts, StatementPrinter};
use serde_json::{Map, Value};

/// The maximum number of tables in a statement.
const TABLES: usize = 8;
/// The maximum number of tables of which each may be read again for every row of another: those of a FROM and of the
/// selects around it, with those inside of each select that is read like a table. A table adds nothing where one row of
/// it meets each row before, as a block that is joined by its id does, or where each of its rows meets one row before,
/// as the blocks of a document do. What is joined otherwise, or runs again for each row around it without such an id,
/// counts twice: all rows may have the same text, lie in one document, or refer to one block. So at most two tables
/// multiply as a whole.
const DEPENDENT: usize = 4;
/// The maximum depth of expressions and selects inside each other.
const DEEPEST: usize = 32;

/// A column of the result: its name in the printed statement, and the name that the caller knows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SelectedColumn {
    name: String,
    shown: String,
    alike: RowCount,
    size: Size,
}

impl SelectedColumn {
    fn into_field(self) -> Field {
        Field { name: self.name, alike: self.alike, size: self.size }
    }
}

/// A printed statement with the columns of its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    text: String,
    columns: Vec<SelectedColumn>,
    limit: usize,
}

/// The rows of a caller's statement.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementRows {
    /// The names of the columns, in the caller's order.
    pub columns: Vec<String>,
    /// The rows, by these names.
    pub rows: Vec<Map<String, Value>>,
    /// Whether there are more rows than the limit.
    pub truncated: bool,
}

impl Statement {
    /// Reads one SELECT; it returns at most `limit` rows. The error is a sentence about what is refused.
    pub fn of(sql: &str, limit: usize, visibility: &Visibility) -> Result<Statement, String> {
        parsed(sql, |select| {
            let nothing = PrintFacts::default();
            let mut first = StatementPrinter::new(visibility, &nothing);
            first.select(select, Some(limit))?;
            let known = first.known();
            let mut printer = StatementPrinter::new(visibility, &known);
            let (select, mut columns) = printer.select(select, Some(limit))?;
            let text = fence::around(&select, &mut columns, &printer.fences, known.is_stream, limit + 1);
            Ok(Statement { text, columns, limit })
        })
    }

    /// The statement as text.
    pub(crate) fn print(&self) -> &str {
        &self.text
    }

    /// The error of a statement that SQLite refused. The kernel's message may repeat the printed statement, which
    /// holds ids of notebooks, so only SQLite's own sentences about names are repeated.
    pub(crate) fn failed(error: ToolError) -> ToolError {
        const SENTENCES: [&str; 5] = [
            "no such column: ",
            "ambiguous column name: ",
            "misuse of aggregate",
            "misuse of window function",
            "wrong number of arguments to function ",
        ];
        if error.kind != ErrorType::Api || error.code.is_none() {
            return error;
        }
        let sentence = SENTENCES.iter().find_map(|it| error.message.get(error.message.find(it)?..));
        let name = |it: &char| it.is_alphanumeric() || matches!(it, ' ' | ':' | '.' | '_' | '(' | ')');
        let known: Option<String> = sentence.map(|it| it.chars().take_while(name).take(100).collect());
        match known {
            Some(known) => {
                ToolError::field("sql", format!("one SELECT that SQLite can run; here: {}", known.trim()))
            }
            _ => ToolError::field("sql", "one query that SQLite can run; SiYuan could not run this one"),
        }
    }

    /// The rows under the names that the caller knows; an error if a text is too long for a result.
    pub(crate) fn found(&self, mut rows: Vec<Row>) -> Result<StatementRows, ToolError> {
        let long = rows.iter().find_map(|it| usize::try_from(it.number(fence::LONG)).ok()?.checked_sub(1));
        if let Some(column) = long.and_then(|at| self.columns.get(at)) {
            let (name, most) = (&column.shown, fence::bytes_each(&self.columns));
            return Err(ToolError::field(
                "sql",
                format!(
                    "texts of at most {most} bytes each; column {name} has a longer one: select substr of it, or fewer texts"
                ),
            ));
        }
        let truncated = rows.len() > self.limit || rows.iter().any(|it| it.number(fence::MORE) == 1);
        rows.truncate(self.limit);
        let named = |row: Row| {
            let mut row = row.0;
            let cell = |it: &SelectedColumn| (it.shown.clone(), row.remove(&it.name).unwrap_or_default());
            self.columns.iter().map(cell).collect()
        };
        let rows = rows.into_iter().map(named).collect();
        Ok(StatementRows {
            columns: self.columns.iter().map(|it| it.shown.clone()).collect(),
            rows,
            truncated,
        })
    }
}

/// Passes the one SELECT of a text to a function. A text with anything else is an error, and so is what the parsed
/// statement would not show.
fn parsed<T>(sql: &str, take: impl FnOnce(&Select<'_>) -> Result<T, String>) -> Result<T, String> {
    scan::check(sql)?;
    read(sql, take)
}

fn read<T>(sql: &str, take: impl FnOnce(&Select<'_>) -> Result<T, String>) -> Result<T, String> {
    let bump = Bump::new();
    let mut parser = Parser::new(&bump, sql.as_bytes());
    let one = ManuallyDrop::new(parser.next().map_err(|error| cut(&error.to_string()))?);
    let Some(Cmd::Stmt(Stmt::Select(select))) = &*one else { return Err("it is not a SELECT".to_owned()) };
    let more = ManuallyDrop::new(parser.next().map_err(|error| cut(&error.to_string()))?);
    if more.is_some() {
        return Err("there is a second statement".to_owned());
    }
    take(select)
}

/// The beginning of a message, which may repeat the caller's text.
fn cut(message: &str) -> String {
    message.chars().take(200).collect()
}

#[cfg(test)]
mod fence_tests;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod joined_tests;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod tests;
