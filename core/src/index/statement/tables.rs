//! The tables of a caller's FROM: views, names from WITH under names of our own, selects, JSON texts; and what it costs
//! to join them.

use sqlite3_parser::ast::{
    As, CommonTableExpr, Expr, FromClause, JoinConstraint, JoinOperator, JoinType, JoinedSelectTable, Name,
    Select, SelectTable,
};

use super::fence::{TablePosition, lookups};
use super::functions::{JSON_COLUMNS, JSON_TABLES};
use super::growth::Size;
use super::joined::{
    DefinedTable, FencedTable, Field, FromTable, JoinedRows, RowCount, fields, pins, related,
    related_by_names,
};
use super::names::{name, quoted};
use super::select::StatementPrinter;
use super::{DEPENDENT, SelectedColumn, TABLES, cut};
use crate::index::Table;
use crate::index::view::{INDEXED, Lookup, indexed_blocks};

/// A printed table of FROM; its weight is the number of tables that depend on each other in it.
struct PrintedTable {
    text: String,
    weight: usize,
}

impl StatementPrinter<'_> {
    /// A select that is read like a table. It may have as many rows as the tables that depend on each other in it have
    /// together, and SQLite may look for them again for every row of another table.
    fn weighed(&mut self, select: &Select<'_>) -> Result<(String, Vec<SelectedColumn>, usize), String> {
        let before = std::mem::replace(&mut self.most_dependent, self.dependent);
        let (printed, columns) = self.select(select, None)?;
        let weight = (self.most_dependent - self.dependent).max(1);
        self.most_dependent = self.most_dependent.max(before);
        Ok((printed, columns, weight))
    }

    /// Counts tables that are read again for every row of those before them.
    pub(super) fn depend(&mut self, more: usize) -> Result<(), String> {
        self.dependent += more;
        self.most_dependent = self.most_dependent.max(self.dependent);
        if self.dependent > DEPENDENT {
            return Err(format!(
                "more than {DEPENDENT} tables that depend on each other; one that is joined by the id of a block, or by the root_id, parent_id or block_id of a block that stands there once, adds nothing, any other counts twice"
            ));
        }
        Ok(())
    }

    /// A table of WITH. Only names before it are known in it, so none is defined by itself without end.
    pub(super) fn define(&mut self, cte: &CommonTableExpr<'_>) -> Result<String, String> {
        self.inside += 1;
        let (select, columns, weight) = self.weighed(cte.select)?;
        self.inside -= 1;
        let mut columns: Vec<Field> = columns.into_iter().map(SelectedColumn::into_field).collect();
        let mut list = String::new();
        if let Some(named) = cte.columns {
            let names: Result<Vec<String>, String> = named.iter().map(|it| name(it.col_name.0)).collect();
            let names = names?;
            list = format!("({})", names.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", "));
            let known = columns.iter().map(|it| (it.alike, it.size));
            let known = known.chain(std::iter::repeat((RowCount::Any, Size::TEXT.repeated(true))));
            let named = names.into_iter().zip(known);
            columns = named.map(|(name, (alike, size))| Field { name, alike, size }).collect();
        }
        let printed = format!("q{}", self.number());
        let out = format!("{printed}{list} AS ({select})");
        self.defined.push(DefinedTable {
            name: name(cte.tbl_name.0)?.to_lowercase(),
            printed,
            columns,
            weight,
        });
        Ok(out)
    }

    /// A FROM, whose tables become those of the present select. What WHERE says about their rows counts, too.
    pub(super) fn from(
        &mut self,
        from: &FromClause<'_>,
        condition: Option<&Expr<'_>>,
    ) -> Result<String, String> {
        let first = from.select.ok_or("FROM needs a table")?;
        let is_only = from.joins.iter().flatten().next().is_none();
        self.is_spread |= !is_only;
        let PrintedTable { text, weight } = self.table(first, is_only, &[condition])?;
        self.pin(&[condition]);
        self.depend(weight)?;
        let mut out = format!(" FROM {text}");
        for JoinedSelectTable { operator, table, constraint } in from.joins.iter().flatten() {
            let JoinOperator::TypedJoin(kind) = operator else {
                return Err("write JOIN ... ON instead of a comma between tables".to_owned());
            };
            let word = match kind {
                None => "JOIN",
                Some(it) if *it == JoinType::INNER => "JOIN",
                Some(it) if *it == JoinType::LEFT | JoinType::OUTER => "LEFT JOIN",
                Some(_) => return Err("joins are JOIN or LEFT JOIN".to_owned()),
            };
            self.needs_more_columns = true;
            let on = match constraint {
                Some(JoinConstraint::On(on)) => Some(on),
                _ => None,
            };
            let PrintedTable { text, weight } = self.table(table, false, &[condition, on])?;
            let related = match constraint {
                Some(JoinConstraint::On(on)) => {
                    self.pin(&[condition, Some(on)]);
                    related(on, self.sources())
                }
                Some(JoinConstraint::Using(names)) => {
                    self.pin(&[condition]);
                    related_by_names(names, self.sources())
                }
                None => return Err("each JOIN needs ON or USING".to_owned()),
            };
            if related.is_none() && !matches!(table, SelectTable::TableCall(..)) {
                return Err("each JOIN needs ON with a column that equals one of a table before it, such as b.id = r.block_id; box, type, subtype and sort are the same in too many rows".to_owned());
            }
            let more = self.multiplied(related, weight);
            self.depend(more)?;
            let how = match constraint {
                Some(JoinConstraint::On(condition)) => format!("ON {}", self.expr(condition)?),
                Some(JoinConstraint::Using(names)) => {
                    let names: Vec<String> = names.iter().map(|it| name(it.0)).collect::<Result<_, _>>()?;
                    self.mention_each(&names);
                    format!("USING ({})", names.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", "))
                }
                None => return Err("each JOIN needs ON or USING".to_owned()),
            };
            out.push_str(&format!(" {word} {text} {how}"));
        }
        Ok(out)
    }

    /// Narrows the last table where one of these conditions names its attributes.
    fn pin(&mut self, conditions: &[Option<&Expr<'_>>]) {
        let is_pinned = conditions.iter().flatten().any(|it| pins(it, self.sources()));
        if let Some(last) = self.sources_mut().last_mut().filter(|_| is_pinned) {
            last.pin();
        }
    }

    /// Returns the weight that the last table adds to the tables that depend on each other, and marks those that may
    /// now have a row several times.
    fn multiplied(&mut self, related: Option<JoinedRows>, weight: usize) -> usize {
        let Some((last, before)) = self.sources_mut().split_last_mut() else { return weight };
        match related {
            // One row for each row before: nothing multiplies.
            Some(JoinedRows { alike: RowCount::One, meets_several }) => {
                last.is_single = !meets_several;
                weight - 1
            }
            // One row before for each row: there are no more than the last table has.
            Some(JoinedRows { alike: RowCount::Named | RowCount::Family, meets_several: false }) => {
                before.iter_mut().for_each(|it| it.is_single = false);
                weight - 1
            }
            // All rows may have the same text, or lie in one document. A JSON text has all its rows for each row.
            _ => {
                before.iter_mut().chain([last]).for_each(|it| it.is_single = false);
                weight + 1
            }
        }
    }

    /// A table of FROM. It may be read by what these conditions require of it.
    fn table(
        &mut self,
        table: &SelectTable<'_>,
        is_only: bool,
        conditions: &[Option<&Expr<'_>>],
    ) -> Result<PrintedTable, String> {
        let mut fenced = None;
        let (printed, own, columns, weight, alias) = match table {
            SelectTable::Table(called, alias, None) if called.db_name.is_none() && called.alias.is_none() => {
                let shown = match alias {
                    Some(As::As(alias) | As::Elided(alias)) => name(alias.0)?,
                    None => name(called.name.0)?,
                };
                let before = self.sources();
                let found =
                    |table| lookups(&TablePosition { table, alias: &shown, is_only, before }, conditions);
                let each = Table::FOR_CALLERS.map(|table| (table, found(table)));
                let (printed, own, columns, weight) = self.named(&called.name, &each, &mut fenced)?;
                (printed, own, columns, weight, alias)
            }
            SelectTable::TableCall(called, arguments, alias) if called.db_name.is_none() => {
                let wanted = name(called.name.0)?;
                let known = JSON_TABLES.into_iter().find(|it| it.eq_ignore_ascii_case(&wanted));
                let known = known.ok_or_else(|| unknown(&wanted))?;
                let printed = format!("{known}({})", self.list(arguments.unwrap_or_default())?);
                // Each row of a tree has all that is below it.
                let size = Size::TEXT.repeated(true);
                let columns =
                    JSON_COLUMNS.map(|it| Field { name: it.to_owned(), alike: RowCount::Any, size });
                (printed, known.to_owned(), columns.to_vec(), 1, alias)
            }
            SelectTable::Select(select, alias) => {
                let (printed, columns, weight) = self.weighed(select)?;
                let columns = columns.into_iter().map(SelectedColumn::into_field).collect();
                (format!("({printed})"), format!("s{}", self.number()), columns, weight, alias)
            }
            SelectTable::Table(called, ..) | SelectTable::TableCall(called, ..)
                if called.db_name.is_some() =>
            {
                return Err("tables have no schema before their name".to_owned());
            }
            _ => return Err("INDEXED BY and parentheses around joins are not available".to_owned()),
        };
        self.tables += weight;
        if self.tables > TABLES {
            return Err(format!("more than {TABLES} tables"));
        }
        let alias = match alias {
            Some(As::As(alias) | As::Elided(alias)) => name(alias.0)?,
            None => own,
        };
        let text = format!("{printed} AS {}", quoted(&alias));
        self.has(FromTable { alias, columns, is_single: true, fenced });
        Ok(PrintedTable { text, weight })
    }

    /// A table by its name, from WITH or else a view, with its weight.
    fn named(
        &mut self,
        called: &Name<'_>,
        lookups: &[(Table, Vec<Lookup>)],
        fenced: &mut Option<FencedTable>,
    ) -> Result<(String, String, Vec<Field>, usize), String> {
        let wanted = name(called.0)?;
        let lower = wanted.to_lowercase();
        if let Some(it) = self.defined.iter().rev().find(|it| it.name == lower) {
            return Ok((it.printed.clone(), wanted, it.columns.clone(), it.weight));
        }
        let table = Table::FOR_CALLERS.into_iter().find(|it| it.name() == lower);
        let table = table.ok_or_else(|| unknown(&wanted))?;
        self.needs_more_columns |= table != Table::Blocks || self.visibility.is_whole();
        self.reads += 1;
        self.is_spread |= self.inside > 0;
        let mut columns = fields(table);
        let lookups = lookups.iter().find(|it| it.0 == table).map_or(&[][..], |it| &it.1);
        let rows = if self.is_indexed {
            columns.retain(|it| INDEXED.contains(&it.name.as_str()));
            indexed_blocks(self.visibility)
        } else {
            table.rows(self.visibility, &|column| self.needs(column), lookups)
        };
        let printed = self.fences.name(rows, self.visibility);
        *fenced = FencedTable::new(&printed, table, !lookups.is_empty());
        Ok((printed, wanted, columns, 1))
    }
}

fn unknown(table: &str) -> String {
    let known = Table::FOR_CALLERS.map(Table::name).join(", ");
    cut(&format!("table {table} is not available, only {known}"))
}
