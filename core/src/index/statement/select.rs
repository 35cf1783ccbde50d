//! Selects of a caller's statement: tables as views, names from WITH under names of our own.

use std::fmt;

use sqlite3_parser::ast::fmt::ToTokens;
use sqlite3_parser::ast::{
    As, CommonTableExpr, CompoundOperator, Distinctness, Expr, FromClause, JoinConstraint, JoinOperator,
    JoinType, JoinedSelectTable, Limit, Literal, Name, OneSelect, ResultColumn, Select, SelectTable,
};

use super::functions::{JSON_COLUMNS, JSON_TABLES};
use super::joined::{Source, relates};
use super::named::Named;
use super::names::name;
use super::{Column, DEEPEST, DEPENDENT, TABLES, cut};
use crate::index::{Table, Visibility};

/// The maximum number of letters of a column's name that is its expression.
const SHOWN: usize = 64;

/// A table that WITH defines.
struct Defined {
    /// The caller's name, in small letters.
    name: String,
    /// The name in the printed statement.
    printed: String,
    columns: Vec<String>,
    weight: usize,
}

/// Prints what it knows, and refuses everything else.
pub(super) struct Printer<'a> {
    visibility: &'a Visibility,
    defined: Vec<Defined>,
    tables: usize,
    /// The tables of the present FROM and of the selects around it.
    dependent: usize,
    /// The most of them so far.
    most_dependent: usize,
    numbers: usize,
    depth: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(visibility: &'a Visibility) -> Self {
        Printer {
            visibility,
            defined: Vec::new(),
            tables: 0,
            dependent: 0,
            most_dependent: 0,
            numbers: 0,
            depth: 0,
        }
    }

    pub(super) fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(format!("it is more than {DEEPEST} levels deep")) } else { Ok(()) }
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// A select inside of another, without its columns.
    pub(super) fn nested(&mut self, select: &Select<'_>) -> Result<String, String> {
        Ok(self.select(select, None)?.0)
    }

    /// A select with its columns. The outermost one returns a row more than `most`.
    pub(super) fn select(
        &mut self,
        select: &Select<'_>,
        most: Option<usize>,
    ) -> Result<(String, Vec<Column>), String> {
        self.enter()?;
        let known = self.defined.len();
        let mut out = String::new();
        if let Some(with) = &select.with {
            let each: Result<Vec<String>, String> = with.ctes.iter().map(|it| self.define(it)).collect();
            out = format!("WITH {} ", each?.join(", "));
        }
        let (first, columns) = self.one(&select.body.select)?;
        out.push_str(&first);
        for compound in select.body.compounds.iter().flatten() {
            let word = match compound.operator {
                CompoundOperator::Union => "UNION",
                CompoundOperator::UnionAll => "UNION ALL",
                CompoundOperator::Except => "EXCEPT",
                CompoundOperator::Intersect => "INTERSECT",
            };
            out.push_str(&format!(" {word} {}", self.one(&compound.select)?.0));
        }
        if let Some(each) = select.order_by {
            out.push_str(&format!(" {}", self.order(each)?));
        }
        out.push_str(&limit(select.limit, most)?);
        // Names that WITH defines end with the select.
        self.defined.truncate(known);
        self.leave();
        Ok((out, columns))
    }

    /// A select that is read like a table. Its weight is the number of tables that depend on each other in it: it may
    /// have as many rows as they have together, and SQLite may look for them again for every row of another table.
    fn weighed(&mut self, select: &Select<'_>) -> Result<(String, Vec<Column>, usize), String> {
        let before = std::mem::replace(&mut self.most_dependent, self.dependent);
        let (printed, columns) = self.select(select, None)?;
        let weight = (self.most_dependent - self.dependent).max(1);
        self.most_dependent = self.most_dependent.max(before);
        Ok((printed, columns, weight))
    }

    /// Counts a table of a FROM.
    fn count(&mut self, weight: usize) -> Result<(), String> {
        self.tables += weight;
        if self.tables > TABLES {
            return Err(format!("more than {TABLES} tables"));
        }
        self.dependent += weight;
        self.most_dependent = self.most_dependent.max(self.dependent);
        if self.dependent > DEPENDENT {
            return Err(format!("more than {DEPENDENT} tables that depend on each other"));
        }
        Ok(())
    }

    /// A table of WITH. Only names before it are known in it, so none is defined by itself without end.
    fn define(&mut self, cte: &CommonTableExpr<'_>) -> Result<String, String> {
        let (select, columns, weight) = self.weighed(cte.select)?;
        let mut columns: Vec<String> = columns.into_iter().map(|it| it.name).collect();
        let mut list = String::new();
        if let Some(named) = cte.columns {
            let each: Result<Vec<String>, String> = named.iter().map(|it| name(it.col_name.0)).collect();
            columns = each?;
            list = format!("({})", columns.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", "));
        }
        let printed = format!("q{}", self.number());
        let out = format!("{printed}{list} AS ({select})");
        self.defined.push(Defined { name: name(cte.tbl_name.0)?.to_lowercase(), printed, columns, weight });
        Ok(out)
    }

    fn one(&mut self, select: &OneSelect<'_>) -> Result<(String, Vec<Column>), String> {
        let OneSelect::Select {
            distinctness,
            columns,
            from,
            where_clause,
            group_by,
            having,
            window_clause: None,
        } = select
        else {
            return Err("VALUES and WINDOW are not available".to_owned());
        };
        let around = self.dependent;
        let (from, sources) = match from {
            Some(from) => self.from(from)?,
            None => (String::new(), Vec::new()),
        };
        let distinct = match distinctness {
            Some(Distinctness::Distinct) => "DISTINCT ",
            Some(Distinctness::All) | None => "",
        };
        let (mut printed, mut named) = (Vec::new(), Named::default());
        for column in *columns {
            self.column(column, &sources, &mut printed, &mut named)?;
        }
        let mut out = format!("SELECT {distinct}{}{from}", printed.join(", "));
        if let Some(condition) = where_clause {
            out.push_str(&format!(" WHERE {}", self.expr(condition)?));
        }
        if let Some(each) = group_by {
            out.push_str(&format!(" GROUP BY {}", self.list(each)?));
        }
        if let Some(condition) = having {
            out.push_str(&format!(" HAVING {}", self.expr(condition)?));
        }
        self.dependent = around;
        Ok((out, named.into_columns()))
    }

    fn column(
        &mut self,
        column: &ResultColumn<'_>,
        sources: &[Source],
        printed: &mut Vec<String>,
        named: &mut Named,
    ) -> Result<(), String> {
        let stars: Vec<&Source> = match column {
            ResultColumn::Expr(expr, alias) => {
                named.room(1)?;
                // The caller's own text names the column, never the printed one, which holds ids of notebooks.
                let (text, name) = (self.expr(expr)?, own_name(expr, alias.as_ref())?);
                let shown = named.unique(&name.clone().unwrap_or_else(|| spelled(expr)));
                let name = name.map_or_else(|| format!("c{}", named.len() + 1), |_| shown.clone());
                printed.push(format!("{text} AS {}", quoted(&name)));
                named.push(Column { name, shown });
                return Ok(());
            }
            ResultColumn::Star => sources.iter().collect(),
            ResultColumn::TableStar(table) => {
                let table = name(table.0)?;
                sources.iter().filter(|it| it.alias.eq_ignore_ascii_case(&table)).collect()
            }
        };
        if stars.is_empty() {
            return Err("* needs a table".to_owned());
        }
        named.room(stars.iter().map(|it| it.columns.len()).sum())?;
        for (source, column) in
            stars.iter().flat_map(|it| it.columns.iter().map(|column| (&it.alias, column)))
        {
            let shown = named.unique(column);
            printed.push(format!("{}.{} AS {}", quoted(source), quoted(column), quoted(&shown)));
            named.push(Column { name: shown.clone(), shown });
        }
        Ok(())
    }

    fn from(&mut self, from: &FromClause<'_>) -> Result<(String, Vec<Source>), String> {
        let first = from.select.ok_or("FROM needs a table")?;
        let mut sources = Vec::new();
        let mut out = format!(" FROM {}", self.table(first, &mut sources)?);
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
            // A table made of a JSON text has no rows but those of the text.
            let is_json = matches!(table, SelectTable::TableCall(..));
            let table = self.table(table, &mut sources)?;
            let how = match constraint {
                Some(JoinConstraint::On(condition)) => {
                    if !is_json && !relates(condition, &sources) {
                        return Err("each JOIN needs ON with a column that equals one of a table before it, such as b.id = r.block_id".to_owned());
                    }
                    format!("ON {}", self.expr(condition)?)
                }
                Some(JoinConstraint::Using(names)) => {
                    let each: Result<Vec<String>, String> =
                        names.iter().map(|it| Ok(quoted(&name(it.0)?))).collect();
                    format!("USING ({})", each?.join(", "))
                }
                None => return Err("each JOIN needs ON or USING".to_owned()),
            };
            out.push_str(&format!(" {word} {table} {how}"));
        }
        Ok((out, sources))
    }

    fn table(&mut self, table: &SelectTable<'_>, sources: &mut Vec<Source>) -> Result<String, String> {
        let (printed, own, columns, alias) = match table {
            SelectTable::Table(called, alias, None) if called.db_name.is_none() && called.alias.is_none() => {
                let (printed, own, columns, weight) = self.named(&called.name)?;
                self.count(weight)?;
                (printed, own, columns, alias)
            }
            SelectTable::TableCall(called, arguments, alias) if called.db_name.is_none() => {
                let wanted = name(called.name.0)?;
                let known = JSON_TABLES.into_iter().find(|it| it.eq_ignore_ascii_case(&wanted));
                let known = known.ok_or_else(|| unknown(&wanted))?;
                self.count(1)?;
                let printed = format!("{known}({})", self.list(arguments.unwrap_or_default())?);
                (printed, known.to_owned(), JSON_COLUMNS.map(str::to_owned).to_vec(), alias)
            }
            SelectTable::Select(select, alias) => {
                let (printed, columns, weight) = self.weighed(select)?;
                self.count(weight)?;
                let columns = columns.into_iter().map(|it| it.name).collect();
                (format!("({printed})"), format!("s{}", self.number()), columns, alias)
            }
            SelectTable::Table(called, ..) | SelectTable::TableCall(called, ..)
                if called.db_name.is_some() =>
            {
                return Err("tables have no schema before their name".to_owned());
            }
            _ => return Err("INDEXED BY and parentheses around joins are not available".to_owned()),
        };
        let alias = match alias {
            Some(As::As(alias) | As::Elided(alias)) => name(alias.0)?,
            None => own,
        };
        let printed = format!("{printed} AS {}", quoted(&alias));
        sources.push(Source { alias, columns });
        Ok(printed)
    }

    /// A table by its name, from WITH or else a view, with its weight.
    fn named(&self, called: &Name<'_>) -> Result<(String, String, Vec<String>, usize), String> {
        let wanted = name(called.0)?;
        let lower = wanted.to_lowercase();
        if let Some(it) = self.defined.iter().rev().find(|it| it.name == lower) {
            return Ok((it.printed.clone(), wanted, it.columns.clone(), it.weight));
        }
        let table = Table::FOR_CALLERS.into_iter().find(|it| it.name() == lower);
        let table = table.ok_or_else(|| unknown(&wanted))?;
        let columns = table.columns().iter().map(|it| (*it).to_owned()).collect();
        Ok((table.view(self.visibility), wanted, columns, 1))
    }
}

fn unknown(table: &str) -> String {
    let known = Table::FOR_CALLERS.map(Table::name).join(", ");
    cut(&format!("table {table} is not available, only {known}"))
}

fn quoted(name: &str) -> String {
    // A name holds no quote, see `name`.
    format!("\"{name}\"")
}

/// The name of a column that the caller gave, or that of the column that it is.
fn own_name(expr: &Expr<'_>, alias: Option<&As<'_>>) -> Result<Option<String>, String> {
    Ok(match (alias, expr) {
        (Some(As::As(alias) | As::Elided(alias)), _) => Some(name(alias.0)?),
        (None, Expr::Id(id)) => Some(name(id.0)?),
        (None, Expr::Qualified(_, column)) => Some(name(column.0)?),
        (None, _) => None,
    })
}

/// An expression as the caller spelled it.
fn spelled(expr: &Expr<'_>) -> String {
    struct Spelled<'a>(&'a Expr<'a>);
    impl fmt::Display for Spelled<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.to_fmt(f)
        }
    }
    let spaced = Spelled(expr).to_string();
    let spelled = spaced.replace(" (", "(").replace("( ", "(").replace(" )", ")").replace(" ,", ",");
    spelled.chars().take(SHOWN).collect()
}

/// ` LIMIT n OFFSET m` with plain numbers; the outermost select always has one.
fn limit(limit: Option<&Limit<'_>>, most: Option<usize>) -> Result<String, String> {
    let number = |expr: &Expr<'_>| match expr {
        Expr::Literal(Literal::Numeric(number)) if number.len() < 10 => number.parse::<usize>().ok(),
        _ => None,
    };
    let plain = "LIMIT and OFFSET are plain numbers";
    let own = limit.map(|it| number(&it.expr).ok_or(plain)).transpose()?;
    let offset = limit.and_then(|it| it.offset.as_ref()).map(|it| number(it).ok_or(plain)).transpose()?;
    let most = most.map(|it| it + 1);
    let Some(limit) = own.into_iter().chain(most).min() else { return Ok(String::new()) };
    Ok(offset.map_or_else(|| format!(" LIMIT {limit}"), |offset| format!(" LIMIT {limit} OFFSET {offset}")))
}
