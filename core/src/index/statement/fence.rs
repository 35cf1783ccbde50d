//! The parts of a printed statement around the caller's: the readable rows before it, and the bounds of its result after
//! it.
//!
//! SQLite tests conditions in the order that it likes, and may move one into the select that it reads from. So the
//! readable rows are selected behind a fence: a table of WITH that is MATERIALIZED, which SQLite documents as a barrier,
//! and that has a LIMIT, into which SQLite moves no condition either. The caller's words name the fenced rows alone, so
//! none of their conditions, functions and orders is computed for any other row.
//!
//! Neither parser of SiYuan knows `[NOT] MATERIALIZED`, so that SQLite gets a statement exactly as it is printed here.

use sqlite3_parser::ast::{Expr, Literal, Operator};

use super::SelectedColumn;
use super::joined::FromTable;
use super::names::{name, quoted};
use crate::index::view::{Lookup, LookupValues};
use crate::index::{Table, Visibility};

/// More rows than a table has. A number that SQLite must compute: it cannot know that the limit changes nothing.
const ALL: &str = "9000000000";
/// The most bytes of texts in a result, so that the answer stays below the 4 MB that are read of it.
const BYTES: usize = 2_500_000;

/// The fenced rows that a statement names, each by its place in WITH.
#[derive(Debug, Default)]
pub(super) struct Fences {
    each: Vec<String>,
}

impl Fences {
    /// The name of these rows in the printed statement.
    pub(super) fn name(&mut self, rows: String, visibility: &Visibility) -> String {
        // If nothing is hidden, SQLite may test the caller's conditions in any order.
        if visibility.is_whole() {
            return format!("({rows})");
        }
        let at = self.each.iter().position(|it| *it == rows).unwrap_or_else(|| {
            self.each.push(rows);
            self.each.len() - 1
        });
        format!("v{at}")
    }

    /// WITH and its tables. Rows that are read once, in order, need not be copied: SQLite passes them on one by one.
    fn print(&self, is_stream: bool) -> String {
        let how = if is_stream { "NOT MATERIALIZED" } else { "MATERIALIZED" };
        let each = self.each.iter().enumerate();
        each.map(|(at, rows)| format!("v{at} AS {how} ({rows} LIMIT {ALL}), ")).collect()
    }
}

/// The column that is 1 in a row after which others are left out.
pub(super) const MORE: &str = "more";
/// The column with the number of a column whose text is too long, from 1 on.
pub(super) const LONG: &str = "long";

/// The bytes that one text of a row may have, of so many that may be long: a row has its place in any result.
pub(super) fn bytes_each(columns: &[SelectedColumn]) -> usize {
    BYTES / columns.iter().filter(|it| it.size.is_long()).count().max(1)
}

/// The whole statement around a caller's select; its columns get names that no other one has. Texts that are too long,
/// and rows whose texts exceed the bound with those before, are left out.
pub(super) fn around(
    select: &str,
    columns: &mut [SelectedColumn],
    fences: &Fences,
    is_stream: bool,
    most: usize,
) -> String {
    for (at, column) in columns.iter_mut().enumerate() {
        column.name = format!("k{at}");
    }
    let each = bytes_each(columns);
    let names =
        |print: &dyn Fn(&SelectedColumn) -> String| columns.iter().map(print).collect::<Vec<_>>().join(", ");
    let own = names(&|it| quoted(&it.name));
    let start = format!("WITH {}r ({own}) AS NOT MATERIALIZED ({select})", fences.print(is_stream));
    let long: Vec<(usize, &SelectedColumn)> =
        columns.iter().enumerate().filter(|(_, it)| it.size.is_long()).collect();
    if long.is_empty() {
        return format!("{start} SELECT {own} FROM r LIMIT {most}");
    }
    // A number stays a number.
    let bounded = names(&|it| match (quoted(&it.name), it.size.is_long()) {
        (name, true) => format!("CASE WHEN octet_length({name}) <= {each} THEN {name} END AS {name}"),
        (name, false) => name,
    });
    let too_long = long
        .iter()
        .map(|(at, it)| format!(" WHEN octet_length({}) > {each} THEN {}", quoted(&it.name), at + 1));
    let too_long: String = too_long.collect();
    let bytes = long.iter().map(|(_, it)| format!("ifnull(octet_length({}), 0)", quoted(&it.name)));
    let bytes = bytes.collect::<Vec<_>>().join(" + ");
    let exceeds =
        |frame: &str| format!("sum({bytes}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND {frame}) > {BYTES}");
    format!(
        "{start}, c AS NOT MATERIALIZED (SELECT {bounded}, CASE{too_long} ELSE 0 END AS \"{LONG}\" FROM r LIMIT {ALL}) \
         SELECT {own}, \"{LONG}\", \"{MORE}\" FROM (SELECT {own}, \"{LONG}\", {} AS \"left\", {} AS \"{MORE}\" FROM c) \
         WHERE \"left\" = 0 LIMIT {most}",
        exceeds("CURRENT ROW"),
        exceeds("1 FOLLOWING"),
    )
}

/// A table of FROM, and those before it.
pub(super) struct TablePosition<'p> {
    pub(super) table: Table,
    pub(super) alias: &'p str,
    /// Whether a column without a table can be none but its own.
    pub(super) is_only: bool,
    pub(super) before: &'p [FromTable],
}

/// The lookups of a table's rows that every one of these conditions needs: equalities of an indexed column with texts, or
/// with a column of few fenced rows.
///
/// The fence keeps conditions from the indexes, so these are printed once more behind it. They read the ids of hidden
/// rows and nothing else, and cannot fail.
pub(super) fn lookups(at: &TablePosition<'_>, conditions: &[Option<&Expr<'_>>]) -> Vec<Lookup> {
    let mut found = Vec::new();
    conditions.iter().flatten().for_each(|it| at.gather(it, &mut found));
    found
}

impl TablePosition<'_> {
    fn gather(&self, condition: &Expr<'_>, found: &mut Vec<Lookup>) {
        let (column, among) = match condition {
            Expr::Parenthesized(list) => {
                if let [one] = list.as_slice() {
                    self.gather(one, found);
                }
                return;
            }
            Expr::Binary(lhs, Operator::And, rhs) => {
                self.gather(lhs, found);
                self.gather(rhs, found);
                return;
            }
            Expr::Binary(lhs, Operator::Equals, rhs) => {
                let one = |own, other| Some((self.column(own)?, self.values(other)?));
                match one(lhs, rhs).or_else(|| one(rhs, lhs)) {
                    Some((column, among)) => (Some(column), Some(among)),
                    None => return,
                }
            }
            Expr::InList { lhs, not: false, rhs: Some(rhs) } => {
                let texts: Option<Vec<String>> = rhs.iter().map(text).collect();
                (self.column(lhs), texts.map(LookupValues::Texts))
            }
            _ => return,
        };
        if let (Some(column), Some(among)) = (column, among) {
            found.push(Lookup { column, among });
        }
    }

    /// The indexed column of the table that an expression is.
    fn column(&self, it: &Expr<'_>) -> Option<&'static str> {
        let own = match it {
            Expr::Id(id) if self.is_only => name(id.0).ok()?,
            Expr::Qualified(of, id) if name(of.0).is_ok_and(|it| it.eq_ignore_ascii_case(self.alias)) => {
                name(id.0).ok()?
            }
            _ => return None,
        };
        Lookup::columns(self.table).iter().copied().find(|it| it.eq_ignore_ascii_case(&own))
    }

    /// The values that an expression may have, if they can be looked up.
    fn values(&self, it: &Expr<'_>) -> Option<LookupValues> {
        let Expr::Qualified(of, id) = it else { return Some(LookupValues::Texts(vec![text(it)?])) };
        let (of, id) = (name(of.0).ok()?, name(id.0).ok()?);
        if of.eq_ignore_ascii_case(self.alias) {
            return None;
        }
        let mut named = self.before.iter().filter(|it| it.alias.eq_ignore_ascii_case(&of));
        let source = named.next().filter(|_| named.next().is_none())?;
        let fenced = source.fenced.as_ref().filter(|it| it.is_small)?;
        let column = fenced.table.columns().iter().find(|it| it.eq_ignore_ascii_case(&id))?;
        Some(LookupValues::Rows(format!("SELECT o.{column} FROM {} AS o", fenced.name)))
    }
}

/// A text of the statement, unless it is empty: no block has an empty id, but a document has an empty parent.
fn text(it: &Expr<'_>) -> Option<String> {
    let Expr::Literal(Literal::String(text)) = it else { return None };
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inside.is_empty()).then(|| inside.replace("''", "'"))
}
