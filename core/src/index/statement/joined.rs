//! Tables of FROM, and the conditions that join them. SQLite tries every pair of rows of two tables that no equality
//! relates, and the kernel never stops a statement.

use sqlite3_parser::ast::{Expr, Operator};

use super::names::name;

/// A table of FROM, under the name by which columns are qualified.
pub(super) struct Source {
    pub(super) alias: String,
    pub(super) columns: Vec<String>,
}

/// Whether a condition only holds where a column of the last table equals one of a table before it.
pub(super) fn relates(condition: &Expr<'_>, sources: &[Source]) -> bool {
    match condition {
        Expr::Parenthesized(list) => matches!(list.as_slice(), [one] if relates(one, sources)),
        Expr::Binary(lhs, Operator::And, rhs) => relates(lhs, sources) || relates(rhs, sources),
        Expr::Binary(lhs, Operator::Or, rhs) => relates(lhs, sources) && relates(rhs, sources),
        Expr::Binary(lhs, Operator::Equals | Operator::Is, rhs) => {
            let last = sources.len().checked_sub(1);
            match (source(lhs, sources), source(rhs, sources)) {
                (Some(one), Some(other)) => one != other && (Some(one) == last || Some(other) == last),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The number of the table that a column is of.
fn source(expr: &Expr<'_>, sources: &[Source]) -> Option<usize> {
    match expr {
        Expr::Parenthesized(list) => match list.as_slice() {
            [one] => source(one, sources),
            _ => None,
        },
        Expr::Id(id) => {
            let column = name(id.0).ok()?;
            sources.iter().position(|it| it.columns.iter().any(|known| known.eq_ignore_ascii_case(&column)))
        }
        Expr::Qualified(table, _) => {
            let table = name(table.0).ok()?;
            sources.iter().position(|it| it.alias.eq_ignore_ascii_case(&table))
        }
        _ => None,
    }
}
