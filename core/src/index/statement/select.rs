//! Selects of a caller's statement. One is printed twice: the first printing finds out how the selects depend on each
//! other and which columns are needed.

use std::collections::BTreeSet;
use std::fmt;

use sqlite3_parser::ast::fmt::ToTokens;
use sqlite3_parser::ast::{
    As, CompoundOperator, Distinctness, Expr, Limit, Literal, OneSelect, ResultColumn, Select, SortedColumn,
};

use super::fence::Fences;
use super::growth::Size;
use super::joined::{DefinedTable, FromTable, RowCount, found, is_looked_up, size};
use super::named::NamedColumns;
use super::names::{name, quoted};
use super::{DEEPEST, SelectedColumn};
use crate::index::Visibility;
use crate::index::view::INDEXED;

/// The maximum number of letters of a column's name that is its expression.
const SHOWN: usize = 64;

/// The facts that one printing of a statement passes to the next.
#[derive(Debug, Default)]
pub(super) struct PrintFacts {
    /// The selects, by their number, that run again for each row of a select around them and read all of their own
    /// rows each time: they name its columns, and look up no id.
    runs_again: BTreeSet<usize>,
    /// Whether the statement needs no columns but those that an index of the kernel has.
    is_indexed: bool,
    /// The names of columns in the statement, in small letters; `None` where it asks for all of a table.
    named: Option<BTreeSet<String>>,
    /// Whether one table is read, once and in order.
    pub(super) is_stream: bool,
}

/// A select that is being printed.
struct OpenSelect {
    number: usize,
    sources: Vec<FromTable>,
    /// The columns of the result so far, by the caller's names in small letters.
    results: Vec<(String, Size)>,
}

/// Prints what it knows, and refuses everything else.
pub(super) struct StatementPrinter<'a> {
    pub(super) visibility: &'a Visibility,
    pub(super) defined: Vec<DefinedTable>,
    pub(super) tables: usize,
    /// The tables of the present FROM and of the selects around it.
    pub(super) dependent: usize,
    /// The most of them so far.
    pub(super) most_dependent: usize,
    /// Whether only the columns of an index are printed.
    pub(super) is_indexed: bool,
    /// Whether the statement needs more columns than these, or conditions that another index serves better.
    pub(super) needs_more_columns: bool,
    /// Whether a star stands for all columns of a table.
    has_star: bool,
    /// The rows that tables of FROM are read from.
    pub(super) fences: Fences,
    /// The number of times that tables are read, and whether one may be read more than once, or joined with another.
    pub(super) reads: usize,
    pub(super) is_spread: bool,
    /// The selects in expressions and in WITH around the present one.
    pub(super) inside: usize,
    /// The bound of the length of the last printed expression, or of the first column of the last printed select.
    pub(super) size: Size,
    /// The names of columns so far, in small letters.
    mentioned: BTreeSet<String>,
    /// The selects around the present expression, the innermost last.
    open: Vec<OpenSelect>,
    pub(super) selects: usize,
    known: &'a PrintFacts,
    /// The selects that name columns of a select around them.
    outward: BTreeSet<usize>,
    /// Those that look up an id of a select around them.
    looked_up: BTreeSet<usize>,
    numbers: usize,
    depth: usize,
}

impl<'a> StatementPrinter<'a> {
    pub(super) fn new(visibility: &'a Visibility, known: &'a PrintFacts) -> Self {
        StatementPrinter {
            visibility,
            defined: Vec::new(),
            tables: 0,
            dependent: 0,
            most_dependent: 0,
            is_indexed: known.is_indexed,
            needs_more_columns: false,
            has_star: false,
            fences: Fences::default(),
            reads: 0,
            is_spread: false,
            inside: 0,
            size: Size::NUMBER,
            mentioned: BTreeSet::new(),
            open: Vec::new(),
            selects: 0,
            known,
            outward: BTreeSet::new(),
            looked_up: BTreeSet::new(),
            numbers: 0,
            depth: 0,
        }
    }

    /// Returns the facts for the next printing.
    pub(super) fn known(self) -> PrintFacts {
        let runs_again = self.outward.difference(&self.looked_up).copied().collect();
        let named = (!self.has_star).then_some(self.mentioned);
        let is_stream = self.reads == 1 && !self.is_spread;
        PrintFacts { runs_again, is_indexed: !self.needs_more_columns, named, is_stream }
    }

    /// Whether a select names a column of a select around it.
    pub(super) fn looks_outward(&self) -> bool {
        !self.outward.is_empty()
    }

    /// Whether a table needs a column of this name. A name counts wherever it stands, whichever table it is of.
    pub(super) fn needs(&self, column: &str) -> bool {
        self.known.named.as_ref().is_none_or(|it| it.contains(column))
    }

    /// The tables of the present select.
    pub(super) fn sources(&self) -> &[FromTable] {
        self.open.last().map_or(&[], |it| &it.sources)
    }

    /// The same, to change what is known about them.
    pub(super) fn sources_mut(&mut self) -> &mut [FromTable] {
        self.open.last_mut().map_or(&mut [], |it| &mut it.sources)
    }

    /// Adds a table to the present select.
    pub(super) fn has(&mut self, source: FromTable) {
        if let Some(open) = self.open.last_mut() {
            open.sources.push(source);
        }
    }

    /// Whether the select of this number looks up an id of a select around it.
    pub(super) fn is_looked_up(&self, number: usize) -> bool {
        self.looked_up.contains(&number)
    }

    /// Whether the rows of the present select are no more than those of one table.
    pub(super) fn is_single(&self) -> bool {
        self.sources().is_empty() || self.sources().iter().any(|it| it.is_single)
    }

    /// The bound of the length of a column. One of a select around the present one is the same in all of its rows, and
    /// nothing is known of a name that is of no column.
    pub(super) fn size_of(&self, column: &Expr<'_>) -> Size {
        let own = own_name(column, None).ok().flatten().map(|it| it.to_lowercase());
        let in_select = |open: &OpenSelect| {
            let result = open.results.iter().find(|it| Some(&it.0) == own.as_ref());
            size(column, &open.sources).or_else(|| result.map(|it| it.1))
        };
        let around = self.open.len().saturating_sub(1);
        let sizes = self.open.iter().enumerate().rev();
        let size = sizes.filter_map(|(at, open)| Some(in_select(open)?.repeated(at < around))).next();
        size.unwrap_or(Size::TEXT.repeated(true))
    }

    /// Notes a column: which selects look outward for it, and whether an index has it.
    pub(super) fn mention(&mut self, column: &Expr<'_>) {
        let own = self.open.iter().rposition(|it| found(column, &it.sources).is_some());
        let inside = own.map_or(self.open.len(), |own| own + 1);
        self.outward.extend(self.open.iter().skip(inside).map(|it| it.number));
        let name = own_name(column, None).ok().flatten();
        let is_indexed = |it: &String| INDEXED.iter().any(|column| column.eq_ignore_ascii_case(it));
        self.needs_more_columns |= own.is_some() && !name.as_ref().is_some_and(is_indexed);
        self.mentioned.extend(name.map(|it| it.to_ascii_lowercase()));
    }

    /// Notes the columns of `USING`.
    pub(super) fn mention_each(&mut self, names: &[String]) {
        self.mentioned.extend(names.iter().map(|it| it.to_ascii_lowercase()));
    }

    pub(super) fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(format!("it is more than {DEEPEST} levels deep")) } else { Ok(()) }
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// A select inside of an expression. `self.size` becomes the bound of its value.
    pub(super) fn nested(&mut self, select: &Select<'_>) -> Result<String, String> {
        self.inside += 1;
        let (printed, columns) = self.select(select, None)?;
        self.inside -= 1;
        self.size = columns.first().map_or(Size::NUMBER, |it| it.size);
        Ok(printed)
    }

    /// A select with its columns. The outermost one returns a row more than `most`.
    pub(super) fn select(
        &mut self,
        select: &Select<'_>,
        most: Option<usize>,
    ) -> Result<(String, Vec<SelectedColumn>), String> {
        self.enter()?;
        let known = self.defined.len();
        let mut out = String::new();
        if let Some(with) = &select.with {
            let each: Result<Vec<String>, String> = with.ctes.iter().map(|it| self.define(it)).collect();
            out = format!("WITH {} ", each?.join(", "));
        }
        let compounds = select.body.compounds.as_ref().map_or(&[][..], |it| it.as_slice());
        // The order of a select without others may name its tables.
        let own_order = select.order_by.filter(|_| compounds.is_empty());
        let (first, mut columns) = self.one(&select.body.select, own_order)?;
        out.push_str(&first);
        for compound in compounds {
            let word = match compound.operator {
                CompoundOperator::Union => "UNION",
                CompoundOperator::UnionAll => "UNION ALL",
                CompoundOperator::Except => "EXCEPT",
                CompoundOperator::Intersect => "INTERSECT",
            };
            let (printed, others) = self.one(&compound.select, None)?;
            out.push_str(&format!(" {word} {printed}"));
            for (column, other) in columns.iter_mut().zip(&others) {
                column.alike = column.alike.max(other.alike).max(RowCount::Any);
                column.size = column.size.or(other.size);
            }
        }
        if let Some(each) = select.order_by.filter(|_| own_order.is_none()) {
            out.push_str(&format!(" {}", self.order(each)?));
        }
        out.push_str(&limit(select.limit, most)?);
        // Names that WITH defines end with the select.
        self.defined.truncate(known);
        self.leave();
        Ok((out, columns))
    }

    fn one(
        &mut self,
        select: &OneSelect<'_>,
        order: Option<&[SortedColumn<'_>]>,
    ) -> Result<(String, Vec<SelectedColumn>), String> {
        self.selects += 1;
        let number = self.selects;
        let around = self.dependent;
        self.open.push(OpenSelect { number, sources: Vec::new(), results: Vec::new() });
        if self.known.runs_again.contains(&number) {
            self.depend(1)?;
        }
        let printed = self.clauses(select, order);
        self.open.pop();
        self.dependent = around;
        printed
    }

    fn clauses(
        &mut self,
        select: &OneSelect<'_>,
        order: Option<&[SortedColumn<'_>]>,
    ) -> Result<(String, Vec<SelectedColumn>), String> {
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
        let from =
            from.as_ref().map(|it| self.from(it, where_clause.as_deref())).transpose()?.unwrap_or_default();
        if where_clause.is_some_and(|it| self.looks_up(it)) {
            self.looked_up.extend(self.open.last().map(|it| it.number));
        }
        let distinct = match distinctness {
            Some(Distinctness::Distinct) => "DISTINCT ",
            Some(Distinctness::All) | None => "",
        };
        let (mut printed, mut named) = (Vec::new(), NamedColumns::default());
        for column in *columns {
            self.column(column, &mut printed, &mut named)?;
        }
        let mut out = format!("SELECT {distinct}{}{from}", printed.join(", "));
        if let Some(condition) = where_clause {
            self.needs_more_columns = true;
            out.push_str(&format!(" WHERE {}", self.expr(condition)?));
        }
        if let Some(each) = group_by {
            out.push_str(&format!(" GROUP BY {}", self.list(each)?));
        }
        if let Some(condition) = having {
            out.push_str(&format!(" HAVING {}", self.expr(condition)?));
        }
        if let Some(each) = order {
            out.push_str(&format!(" {}", self.order(each)?));
        }
        let mut columns = named.into_columns();
        let has_one_row_each = group_by.is_some() || matches!(distinctness, Some(Distinctness::Distinct));
        for column in &mut columns {
            column.alike = match column.alike {
                _ if self.sources().is_empty() => RowCount::Family,
                // A select may have once what its tables repeat.
                RowCount::Most if has_one_row_each => RowCount::Any,
                alike => alike,
            };
        }
        Ok((out, columns))
    }

    /// Whether a condition only holds for rows with an id from a select around this one.
    fn looks_up(&self, condition: &Expr<'_>) -> bool {
        let around = self.open.len().saturating_sub(1);
        let in_select = |open: &OpenSelect, column: &Expr<'_>| {
            let (at, alike) = found(column, &open.sources)?;
            Some(open.sources.get(at)?.joined(alike))
        };
        let is_around =
            |it: &Expr<'_>| self.open.iter().take(around).rev().find_map(|open| in_select(open, it));
        is_looked_up(condition, self.sources(), &is_around)
    }

    fn column(
        &mut self,
        column: &ResultColumn<'_>,
        printed: &mut Vec<String>,
        named: &mut NamedColumns,
    ) -> Result<(), String> {
        let sources = || self.open.last().map_or(&[][..], |it| &it.sources).iter();
        let stars: Vec<&FromTable> = match column {
            ResultColumn::Expr(expr, alias) => {
                named.room(1)?;
                // The caller's own text names the column, never the printed one, which holds ids of notebooks.
                let (text, name) = (self.expr(expr)?, own_name(expr, alias.as_ref())?);
                let size = self.size;
                if let (Some(name), Some(open)) = (&name, self.open.last_mut()) {
                    open.results.push((name.to_lowercase(), size));
                }
                let shown = named.unique(&name.clone().unwrap_or_else(|| spelled(expr)));
                let name = name.map_or_else(|| format!("c{}", named.len() + 1), |_| shown.clone());
                printed.push(format!("{text} AS {}", quoted(&name)));
                let alike = found(expr, self.sources())
                    .and_then(|(at, alike)| Some(self.sources().get(at)?.joined(alike)));
                let alike = alike.unwrap_or(RowCount::Any);
                named.push(SelectedColumn { name, shown, alike, size });
                return Ok(());
            }
            ResultColumn::Star => sources().collect(),
            ResultColumn::TableStar(table) => {
                let table = name(table.0)?;
                sources().filter(|it| it.alias.eq_ignore_ascii_case(&table)).collect()
            }
        };
        if stars.is_empty() {
            return Err("* needs a table".to_owned());
        }
        named.room(stars.iter().map(|it| it.columns.len()).sum())?;
        for (source, column) in stars.iter().flat_map(|it| it.columns.iter().map(move |column| (it, column)))
        {
            let shown = named.unique(&column.name);
            let from = quoted(&source.alias);
            printed.push(format!("{from}.{} AS {}", quoted(&column.name), quoted(&shown)));
            let size = column.size.repeated(!source.is_single).check()?;
            named.push(SelectedColumn {
                name: shown.clone(),
                shown,
                alike: source.joined(column.alike),
                size,
            });
        }
        (self.needs_more_columns, self.has_star) = (true, true);
        Ok(())
    }
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
    struct ExprName<'a>(&'a Expr<'a>);
    impl fmt::Display for ExprName<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.to_fmt(f)
        }
    }
    let spaced = ExprName(expr).to_string();
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
