//! Tables of FROM, and the conditions that join them. SQLite tries every pair of rows of two tables that no equality
//! relates, and the kernel never stops a statement.

use sqlite3_parser::ast::{Expr, Name, Operator};

use super::names::name;
use crate::index::Table;

/// The rows of a table that have the same value in a column, from fewest to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Alike {
    /// One: the column is the id of a block.
    One,
    /// Those of one document or block: the column is an id.
    Family,
    /// Any number of rows: the column is a text.
    Any,
    /// Nearly all rows: there are only a few notebooks and kinds of blocks.
    Most,
}

/// A column of a table of FROM.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) alike: Alike,
}

/// A table of FROM, under the name by which columns are qualified.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) alias: String,
    pub(super) columns: Vec<Field>,
}

/// A table that WITH defines.
pub(super) struct Defined {
    /// The caller's name, in small letters.
    pub(super) name: String,
    /// The name in the printed statement.
    pub(super) printed: String,
    pub(super) columns: Vec<Field>,
    pub(super) weight: usize,
}

/// The columns of a view.
pub(super) fn fields(table: Table) -> Vec<Field> {
    let alike = |column: &str| match (table, column) {
        (Table::Blocks, "id") => Alike::One,
        (_, "id" | "parent_id" | "root_id" | "block_id" | "annotation_id") => Alike::Family,
        (_, "def_block_id" | "def_block_parent_id" | "def_block_root_id") => Alike::Family,
        (_, "box" | "type" | "subtype" | "sort") => Alike::Most,
        _ => Alike::Any,
    };
    table.columns().iter().map(|it| Field { name: (*it).to_owned(), alike: alike(it) }).collect()
}

impl Source {
    fn column(&self, name: &str) -> Option<Alike> {
        self.columns.iter().find(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.alike)
    }
}

/// The table among these that a column is of, by its place, and how many rows are alike in it.
pub(super) fn found(expr: &Expr<'_>, sources: &[Source]) -> Option<(usize, Alike)> {
    match expr {
        Expr::Parenthesized(list) => match list.as_slice() {
            [one] => found(one, sources),
            _ => None,
        },
        Expr::Id(id) => {
            let column = name(id.0).ok()?;
            sources.iter().enumerate().find_map(|(at, it)| Some((at, it.column(&column)?)))
        }
        Expr::Qualified(table, column) => {
            let (table, column) = (name(table.0).ok()?, name(column.0).ok()?);
            let named = sources.iter().enumerate().find(|(_, it)| it.alias.eq_ignore_ascii_case(&table));
            named.and_then(|(at, it)| Some((at, it.column(&column)?)))
        }
        _ => None,
    }
}

/// The rows of the last table that a condition relates to one of a table before it; `None` where no equality of two
/// columns does, or where nearly all rows are equal.
pub(super) fn related(condition: &Expr<'_>, sources: &[Source]) -> Option<Alike> {
    let last = sources.len().checked_sub(1)?;
    equal(condition, &|lhs, rhs| {
        let (one, other) = (found(lhs, sources)?, found(rhs, sources)?);
        match (one.0 == last, other.0 == last) {
            (true, false) => Some(by(one.1, other.1)),
            (false, true) => Some(by(other.1, one.1)),
            _ => None,
        }
    })
    .filter(|it| *it < Alike::Most)
}

/// Like `related`, for `USING`.
pub(super) fn related_by_names(names: &[Name<'_>], sources: &[Source]) -> Option<Alike> {
    let (last, before) = sources.split_last()?;
    let each = names.iter().filter_map(|it| {
        let column = name(it.0).ok()?;
        Some(by(last.column(&column)?, before.iter().find_map(|it| it.column(&column))?))
    });
    each.min().filter(|it| *it < Alike::Most)
}

/// Whether a condition only holds for rows of these tables with an id from a select around them.
pub(super) fn is_looked_up(
    condition: &Expr<'_>,
    sources: &[Source],
    around: &dyn Fn(&Expr<'_>) -> bool,
) -> bool {
    let id = |own: &Expr<'_>, other: &Expr<'_>| {
        let (_, alike) = found(own, sources)?;
        (found(other, sources).is_none() && around(other)).then_some(alike)
    };
    let alike = equal(condition, &|lhs, rhs| id(lhs, rhs).or_else(|| id(rhs, lhs)));
    alike.is_some_and(|it| it <= Alike::Family)
}

/// The rows of a table whose column equals another one: few where it is an id, else as many as either has.
fn by(own: Alike, other: Alike) -> Alike {
    if own <= Alike::Family { own } else { own.max(other) }
}

/// The rows that the equalities of a condition leave: the fewest of those that all must hold, the most of those of
/// which one must hold.
fn equal(condition: &Expr<'_>, pair: &dyn Fn(&Expr<'_>, &Expr<'_>) -> Option<Alike>) -> Option<Alike> {
    match condition {
        Expr::Parenthesized(list) => match list.as_slice() {
            [one] => equal(one, pair),
            _ => None,
        },
        Expr::Binary(lhs, Operator::And, rhs) => {
            [equal(lhs, pair), equal(rhs, pair)].into_iter().flatten().min()
        }
        Expr::Binary(lhs, Operator::Or, rhs) => Some(equal(lhs, pair)?.max(equal(rhs, pair)?)),
        Expr::Binary(lhs, Operator::Equals | Operator::Is, rhs) => pair(lhs, rhs),
        _ => None,
    }
}
