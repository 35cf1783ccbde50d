//! Tables of FROM, and the conditions that join them. SQLite tries every pair of rows of two tables that no equality
//! relates, and the kernel never stops a statement.

use sqlite3_parser::ast::{Expr, Literal, Name, Operator};

use super::growth::Size;
use super::names::name;
use crate::index::Table;

/// The rows of a table that have the same value in a column, from fewest to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowCount {
    /// One: the column is the id of a block.
    One,
    /// One for each name: the column is the block of an attribute.
    Named,
    /// Those of one document or block, which may be all there are: the column is an id.
    Family,
    /// Any number of rows: the column is a text.
    Any,
    /// Nearly all rows: there are only a few notebooks and kinds of blocks.
    Most,
}

/// The rows of a table that a condition leaves for each row of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JoinedRows {
    pub(super) alike: RowCount,
    /// Whether a row of the table may meet several rows of the others. A block meets its document once.
    pub(super) meets_several: bool,
}

/// A column of a table of FROM.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) alike: RowCount,
    pub(super) size: Size,
}

/// A table of FROM that reads fenced rows.
#[derive(Debug, Clone)]
pub(super) struct FencedTable {
    /// The name of the rows.
    pub(super) name: String,
    pub(super) table: Table,
    /// Whether they are few: those of a table smaller than the one of blocks, or ones that are looked up.
    pub(super) is_small: bool,
}

impl FencedTable {
    pub(super) fn new(name: &str, table: Table, is_small: bool) -> Option<FencedTable> {
        // The name of a subselect is none.
        let is_fenced = !name.starts_with('(');
        is_fenced.then(|| FencedTable {
            name: name.to_owned(),
            table,
            is_small: is_small || table != Table::Blocks,
        })
    }
}

/// A table of FROM, under the name by which columns are qualified.
#[derive(Debug)]
pub(super) struct FromTable {
    pub(super) alias: String,
    pub(super) columns: Vec<Field>,
    /// Whether each of its rows stands at most once among the joined rows.
    pub(super) is_single: bool,
    /// The fenced rows that it reads, if it is no select.
    pub(super) fenced: Option<FencedTable>,
}

/// A table that WITH defines.
pub(super) struct DefinedTable {
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
        (Table::Blocks, "id") => RowCount::One,
        (Table::Attributes, "block_id") => RowCount::Named,
        (_, "id" | "parent_id" | "root_id" | "block_id" | "annotation_id") => RowCount::Family,
        (_, "def_block_id" | "def_block_parent_id" | "def_block_root_id") => RowCount::Family,
        (_, "box" | "type" | "subtype" | "sort") => RowCount::Most,
        _ => RowCount::Any,
    };
    let field =
        |it: &&str| Field { name: (*it).to_owned(), alike: alike(it), size: Size::of_column(table, it) };
    table.columns().iter().map(field).collect()
}

impl FromTable {
    fn column(&self, name: &str) -> Option<RowCount> {
        self.columns.iter().find(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.alike)
    }

    /// The number of joined rows that are alike in a column of this table: an id occurs once only where its row does.
    pub(super) fn joined(&self, alike: RowCount) -> RowCount {
        match alike {
            RowCount::One if self.is_single => alike,
            alike => alike.max(RowCount::Family),
        }
    }

    /// Narrows attributes to those of one name, of which a block has one.
    pub(super) fn pin(&mut self) {
        for column in self.columns.iter_mut().filter(|it| it.alike == RowCount::Named) {
            column.alike = RowCount::One;
        }
    }
}

/// Whether a condition only holds for rows of the last table with one name.
pub(super) fn pins(condition: &Expr<'_>, sources: &[FromTable]) -> bool {
    let is_name = |it: &Expr<'_>| {
        let column = match it {
            Expr::Id(id) => name(id.0),
            Expr::Qualified(_, column) => name(column.0),
            _ => return false,
        };
        let is_last = found(it, sources).is_some_and(|(at, _)| at + 1 == sources.len());
        is_last && column.is_ok_and(|it| it.eq_ignore_ascii_case("name"))
    };
    let is_text = |it: &Expr<'_>| matches!(it, Expr::Literal(Literal::String(_)));
    match condition {
        Expr::Parenthesized(list) => matches!(list.as_slice(), [one] if pins(one, sources)),
        Expr::Binary(lhs, Operator::And, rhs) => pins(lhs, sources) || pins(rhs, sources),
        Expr::Binary(lhs, Operator::Equals | Operator::Is, rhs) => {
            (is_name(lhs) && is_text(rhs)) || (is_text(lhs) && is_name(rhs))
        }
        _ => false,
    }
}

/// The table among these that a column is of, by its place, and how many rows are alike in it.
pub(super) fn found(expr: &Expr<'_>, sources: &[FromTable]) -> Option<(usize, RowCount)> {
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

/// The bound of the length of a column among these tables.
pub(super) fn size(expr: &Expr<'_>, sources: &[FromTable]) -> Option<Size> {
    let (at, _) = found(expr, sources)?;
    let column = match expr {
        Expr::Id(column) => name(column.0).ok()?,
        Expr::Qualified(_, column) => name(column.0).ok()?,
        _ => return None,
    };
    let source = sources.get(at)?;
    let field = source.columns.iter().find(|it| it.name.eq_ignore_ascii_case(&column))?;
    Some(field.size.repeated(!source.is_single))
}

/// The rows of the last table that a condition relates to one of a table before it; `None` where no equality of two
/// columns does, or where nearly all rows are equal.
pub(super) fn related(condition: &Expr<'_>, sources: &[FromTable]) -> Option<JoinedRows> {
    let last = sources.len().checked_sub(1)?;
    equal(condition, &|lhs, rhs| {
        let (one, other) = (found(lhs, sources)?, found(rhs, sources)?);
        match (one.0 == last, other.0 == last) {
            (true, false) => Some(by(one.1, sources.get(other.0)?.joined(other.1))),
            (false, true) => Some(by(other.1, sources.get(one.0)?.joined(one.1))),
            _ => None,
        }
    })
    .filter(|it| it.alike < RowCount::Most)
}

/// Like `related`, for `USING`.
pub(super) fn related_by_names(names: &[Name<'_>], sources: &[FromTable]) -> Option<JoinedRows> {
    let (last, before) = sources.split_last()?;
    let each = names.iter().filter_map(|it| {
        let column = name(it.0).ok()?;
        let other = before.iter().find_map(|it| Some(it.joined(it.column(&column)?)))?;
        Some(by(last.column(&column)?, other))
    });
    each.min().filter(|it| it.alike < RowCount::Most)
}

/// Whether a condition only holds for rows of these tables with an id from a select around them, and no row meets two
/// rows of it: a row is then looked at once. `around` tells how many rows around are alike in a column of theirs.
pub(super) fn is_looked_up(
    condition: &Expr<'_>,
    sources: &[FromTable],
    around: &dyn Fn(&Expr<'_>) -> Option<RowCount>,
) -> bool {
    let id = |own: &Expr<'_>, other: &Expr<'_>| {
        let (_, alike) = found(own, sources)?;
        if found(other, sources).is_some() { None } else { Some(by(alike, around(other)?)) }
    };
    let related = equal(condition, &|lhs, rhs| id(lhs, rhs).or_else(|| id(rhs, lhs)));
    related.is_some_and(|it| it.alike == RowCount::One || (it.alike <= RowCount::Family && !it.meets_several))
}

/// The rows of a table whose column equals another one: few where it is an id, else as many as either has.
fn by(own: RowCount, other: RowCount) -> JoinedRows {
    let alike = if own <= RowCount::Family { own } else { own.max(other) };
    JoinedRows { alike, meets_several: other > RowCount::One }
}

/// The rows that the equalities of a condition leave: the fewest of those that all must hold, the most of those of
/// which one must hold.
fn equal(
    condition: &Expr<'_>,
    pair: &dyn Fn(&Expr<'_>, &Expr<'_>) -> Option<JoinedRows>,
) -> Option<JoinedRows> {
    match condition {
        Expr::Parenthesized(list) => match list.as_slice() {
            [one] => equal(one, pair),
            _ => None,
        },
        Expr::Binary(lhs, Operator::And, rhs) => {
            [equal(lhs, pair), equal(rhs, pair)].into_iter().flatten().min()
        }
        Expr::Binary(lhs, Operator::Or, rhs) => {
            let most = equal(lhs, pair)?.max(equal(rhs, pair)?);
            Some(JoinedRows { meets_several: true, ..most })
        }
        Expr::Binary(lhs, Operator::Equals, rhs) => pair(lhs, rhs),
        // With IS, missing values equal each other, in any number of rows.
        Expr::Binary(lhs, Operator::Is, rhs) => {
            let related = pair(lhs, rhs)?;
            Some(JoinedRows { alike: related.alike.max(RowCount::Any), meets_several: true })
        }
        _ => None,
    }
}
