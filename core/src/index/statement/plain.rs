//! Prints the statement of a query embed over SiYuan's own tables, with few parentheses: people read it in their notes.
//!
//! It knows less of the language than `search.sql`: nothing that SiYuan, its Markdown parser or a parser for MySQL
//! could read in another way. What it does not know is refused.

use sqlite3_parser::ast::{
    As, Distinctness, Expr, FromClause, JoinConstraint, JoinOperator, JoinType, JoinedSelectTable,
    LikeOperator, Limit, Literal, Name, OneSelect, Operator, ResultColumn, Select, SelectTable, SortOrder,
    SortedColumn, UnaryOperator,
};

use super::names::{PrintResult, name};
use crate::index::Table;

/// The number of blocks that an embed without a limit shows, as in SiYuan's search.
const USUAL: usize = 64;
/// The columns that an embed must select, for errors: SiYuan reads all columns of a block.
const BLOCKS: &str = "SELECT * FROM blocks, or b.* with JOIN, as SiYuan shows whole blocks";
/// Marks that a text may hold; each of them means itself to SiYuan, Markdown and every parser of SQL.
const MARKS: &str = " !#$%()*+,-./:=?@^_|~";

/// The binding strength of an expression's operator, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BindingStrength {
    Or,
    And,
    Not,
    Compares,
    Adds,
    Multiplies,
    Whole,
}

/// A printed expression.
struct Term(String, BindingStrength);

impl Term {
    fn whole(text: impl Into<String>) -> Term {
        Term(text.into(), BindingStrength::Whole)
    }

    /// The text, in parentheses if it binds less tightly than this.
    fn within(self, least: BindingStrength) -> String {
        if self.1 < least { format!("({})", self.0) } else { self.0 }
    }
}

/// An embed's statement, which shows at most so many blocks.
pub(super) fn print(select: &Select<'_>, most: usize) -> PrintResult {
    let Select { with: None, body, order_by, limit } = select else {
        return Err("WITH is not available in embeds".to_owned());
    };
    let OneSelect::Select {
        distinctness,
        columns,
        from: Some(from),
        where_clause,
        group_by: None,
        having: None,
        ..
    } = &body.select
    else {
        return Err(format!("no GROUP BY, HAVING or VALUES around an embed: write {BLOCKS}"));
    };
    if body.compounds.is_some() {
        return Err("one SELECT without UNION, EXCEPT and INTERSECT".to_owned());
    }
    let is_blocks = |alias: Option<&Name<'_>>| shows_blocks(from, alias);
    let columns = match *columns {
        [ResultColumn::Star] if from.joins.is_none() && is_blocks(None) => "*".to_owned(),
        [ResultColumn::TableStar(alias)] if is_blocks(Some(alias)) => format!("{}.*", identifier(alias.0)?),
        _ => return Err(BLOCKS.to_owned()),
    };
    let mut out = format!("SELECT {}{columns} FROM {}", distinct(distinctness.as_ref()), tables(from)?);
    if let Some(condition) = where_clause {
        out.push_str(&format!(" WHERE {}", expr(condition)?.0));
    }
    if let Some(keys) = order_by {
        out.push_str(&order(keys)?);
    }
    let (own, offset) = numbers(*limit)?;
    if own.is_some_and(|it| it > most) {
        return Err(format!("LIMIT {most} or less"));
    }
    out.push_str(&format!(" LIMIT {}", own.unwrap_or(USUAL)));
    if let Some(offset) = offset {
        out.push_str(&format!(" OFFSET {offset}"));
    }
    Ok(out)
}

/// A select inside of another: one column of plain tables.
fn nested(select: &Select<'_>) -> PrintResult {
    let Select { with: None, body, order_by, limit } = select else {
        return Err("WITH is not available in embeds".to_owned());
    };
    let OneSelect::Select { distinctness, columns, from: Some(from), where_clause, group_by, having, .. } =
        &body.select
    else {
        return Err("a nested select must read a table".to_owned());
    };
    let ([ResultColumn::Expr(column, None)], None) = (columns, &body.compounds) else {
        return Err("a nested select must have one column without an alias, and no UNION".to_owned());
    };
    let column = expr(column)?.0;
    let mut out = format!("SELECT {}{column} FROM {}", distinct(distinctness.as_ref()), tables(from)?);
    if let Some(condition) = where_clause {
        out.push_str(&format!(" WHERE {}", expr(condition)?.0));
    }
    if let Some(keys) = group_by {
        out.push_str(&format!(" GROUP BY {}", list(keys)?));
    }
    if let Some(condition) = having {
        out.push_str(&format!(" HAVING {}", expr(condition)?.0));
    }
    if let Some(keys) = order_by {
        out.push_str(&order(keys)?);
    }
    match numbers(*limit)? {
        (None, _) => {}
        (Some(limit), None) => out.push_str(&format!(" LIMIT {limit}")),
        (Some(limit), Some(offset)) => out.push_str(&format!(" LIMIT {limit} OFFSET {offset}")),
    }
    Ok(out)
}

fn distinct(distinctness: Option<&Distinctness>) -> &'static str {
    if matches!(distinctness, Some(Distinctness::Distinct)) { "DISTINCT " } else { "" }
}

/// Whether the table of this name is that of blocks; without a name, the first one.
fn shows_blocks(from: &FromClause<'_>, wanted: Option<&Name<'_>>) -> bool {
    let first = from.select.into_iter();
    let each = first.chain(from.joins.iter().flatten().map(|it| &it.table));
    let found = each.map(named).find(|it| {
        wanted.is_none_or(|wanted| it.as_ref().is_ok_and(|(_, own)| wanted.0.eq_ignore_ascii_case(own)))
    });
    found.is_some_and(|it| it.is_ok_and(|(table, _)| table == Table::Blocks.name()))
}

/// A plain table, with the name by which columns are qualified.
fn named<'a>(table: &SelectTable<'a>) -> Result<(&'static str, &'a str), String> {
    let SelectTable::Table(called, alias, None) = table else {
        return Err("FROM and JOIN with a plain table".to_owned());
    };
    let wanted = identifier(called.name.0)?;
    let known = Table::FOR_CALLERS.map(Table::name).into_iter().find(|it| it.eq_ignore_ascii_case(wanted));
    let known = known.ok_or("FROM and JOIN with a plain table")?;
    Ok(match alias {
        Some(As::As(alias) | As::Elided(alias)) => (known, identifier(alias.0)?),
        None => (known, wanted),
    })
}

fn table(table: &SelectTable<'_>) -> PrintResult {
    let (known, own) = named(table)?;
    Ok(if known.eq_ignore_ascii_case(own) { known.to_owned() } else { format!("{known} AS {own}") })
}

fn tables(from: &FromClause<'_>) -> PrintResult {
    let mut out = table(from.select.ok_or("FROM needs a table")?)?;
    for JoinedSelectTable { operator, table: joined, constraint } in from.joins.iter().flatten() {
        let word = match operator {
            JoinOperator::TypedJoin(None) => "JOIN",
            JoinOperator::TypedJoin(Some(it)) if *it == JoinType::INNER => "JOIN",
            JoinOperator::TypedJoin(Some(it)) if *it == JoinType::LEFT | JoinType::OUTER => "LEFT JOIN",
            _ => return Err("write JOIN ... ON or LEFT JOIN ... ON".to_owned()),
        };
        let Some(JoinConstraint::On(condition)) = constraint else {
            return Err("each JOIN needs ON".to_owned());
        };
        out.push_str(&format!(" {word} {} ON {}", table(joined)?, expr(condition)?.0));
    }
    Ok(out)
}

fn order(keys: &[SortedColumn<'_>]) -> PrintResult {
    let mut each = Vec::with_capacity(keys.len());
    for key in keys {
        let SortedColumn { expr: key, order, nulls: None } = key else {
            return Err("ORDER BY without NULLS".to_owned());
        };
        let descending = if matches!(order, Some(SortOrder::Desc)) { " DESC" } else { "" };
        each.push(format!("{}{descending}", expr(key)?.0));
    }
    Ok(format!(" ORDER BY {}", each.join(", ")))
}

/// The limit and the offset, if they are there.
fn numbers(limit: Option<&Limit<'_>>) -> Result<(Option<usize>, Option<usize>), String> {
    let number = |expr: &Expr<'_>| match expr {
        Expr::Literal(Literal::Numeric(number)) if number.len() < 10 => {
            number.parse().map_err(|_| "LIMIT and OFFSET are plain numbers".to_owned())
        }
        _ => Err("LIMIT and OFFSET are plain numbers".to_owned()),
    };
    let Some(limit) = limit else { return Ok((None, None)) };
    Ok((Some(number(&limit.expr)?), limit.offset.as_ref().map(number).transpose()?))
}

fn list(each: &[Expr<'_>]) -> PrintResult {
    let each: Result<Vec<String>, String> = each.iter().map(|it| Ok(expr(it)?.0)).collect();
    Ok(each?.join(", "))
}

fn expr(it: &Expr<'_>) -> Result<Term, String> {
    let compares = |text: String| Term(text, BindingStrength::Compares);
    let operand = |it: &Expr<'_>| Ok::<_, String>(expr(it)?.within(BindingStrength::Adds));
    let not = |it: &bool| if *it { "NOT " } else { "" };
    Ok(match it {
        Expr::Between { lhs, not: is_not, start, end } => compares(format!(
            "{} {}BETWEEN {} AND {}",
            operand(lhs)?,
            not(is_not),
            operand(start)?,
            operand(end)?
        )),
        Expr::Binary(lhs, operator, rhs) => binary(lhs, *operator, rhs)?,
        Expr::Case { base, when_then_pairs, else_expr } => {
            let mut out = "CASE".to_owned();
            if let Some(base) = base {
                out.push_str(&format!(" {}", operand(base)?));
            }
            for (when, then) in *when_then_pairs {
                out.push_str(&format!(" WHEN {} THEN {}", expr(when)?.0, expr(then)?.0));
            }
            if let Some(other) = else_expr {
                out.push_str(&format!(" ELSE {}", expr(other)?.0));
            }
            Term::whole(out + " END")
        }
        Expr::FunctionCall { name, distinctness, args, order_by: None, filter_over: None } => {
            let name = identifier(name.0)?.to_ascii_lowercase();
            let each = list(args.unwrap_or_default())?;
            Term::whole(format!("{name}({}{each})", distinct(distinctness.as_ref())))
        }
        Expr::FunctionCallStar { name, filter_over: None } => {
            Term::whole(format!("{}(*)", identifier(name.0)?.to_ascii_lowercase()))
        }
        Expr::Id(id) => Term::whole(column(id.0)?),
        Expr::Qualified(table, name) => Term::whole(format!("{}.{}", identifier(table.0)?, column(name.0)?)),
        Expr::InList { lhs, not: is_not, rhs: Some(rhs) } if !rhs.is_empty() => {
            compares(format!("{} {}IN ({})", operand(lhs)?, not(is_not), list(rhs)?))
        }
        Expr::InSelect { lhs, not: is_not, rhs } => {
            compares(format!("{} {}IN ({})", operand(lhs)?, not(is_not), nested(rhs)?))
        }
        Expr::IsNull(it) => compares(format!("{} IS NULL", operand(it)?)),
        Expr::NotNull(it) => compares(format!("{} IS NOT NULL", operand(it)?)),
        Expr::Like { lhs, not: is_not, op, rhs, escape: None } => {
            let word = match op {
                LikeOperator::Glob => "GLOB",
                LikeOperator::Like => "LIKE",
                _ => return Err("MATCH and REGEXP are not available".to_owned()),
            };
            compares(format!("{} {}{word} {}", operand(lhs)?, not(is_not), operand(rhs)?))
        }
        Expr::Literal(it) => Term::whole(literal(it)?),
        Expr::Parenthesized(inner) => match inner.as_slice() {
            [one] => expr(one)?,
            _ => return Err("a list of values is allowed after IN only".to_owned()),
        },
        Expr::Subquery(select) => Term::whole(format!("({})", nested(select)?)),
        Expr::Unary(UnaryOperator::Not, it) => {
            Term(format!("NOT {}", expr(it)?.within(BindingStrength::Whole)), BindingStrength::Not)
        }
        Expr::Unary(UnaryOperator::Negative, it) => match expr(it)?.within(BindingStrength::Whole) {
            // Two of them in a row would be a comment.
            inner if inner.starts_with('-') => Term::whole(format!("-({inner})")),
            inner => Term::whole(format!("-{inner}")),
        },
        _ => return Err("an expression of this kind is not available in embeds".to_owned()),
    })
}

/// A row of the same or other operators, which lean to the left however many there are.
fn binary(lhs: &Expr<'_>, operator: Operator, rhs: &Expr<'_>) -> Result<Term, String> {
    let (mut first, mut rest) = (lhs, vec![(operator, rhs)]);
    while let Expr::Binary(lhs, operator, rhs) = first {
        rest.push((*operator, rhs));
        first = lhs;
    }
    let mut out = expr(first)?;
    for (operator, rhs) in rest.into_iter().rev() {
        let (sign, binds, left, right) = sign(operator)?;
        out = Term(format!("{} {sign} {}", out.within(left), expr(rhs)?.within(right)), binds);
    }
    Ok(out)
}

/// The sign of an operator, how tightly it binds, and how tightly its sides must bind to stand without parentheses.
fn sign(
    operator: Operator,
) -> Result<(&'static str, BindingStrength, BindingStrength, BindingStrength), String> {
    use BindingStrength::{Adds, And, Compares, Multiplies, Not, Or, Whole};
    let compares = |sign| (sign, Compares, Adds, Adds);
    Ok(match operator {
        Operator::Or => ("OR", Or, Or, And),
        Operator::And => ("AND", And, And, Not),
        Operator::Equals => compares("="),
        Operator::NotEquals => compares("<>"),
        Operator::Greater => compares(">"),
        Operator::GreaterEquals => compares(">="),
        Operator::Less => compares("<"),
        Operator::LessEquals => compares("<="),
        Operator::Is => compares("IS"),
        Operator::IsNot => compares("IS NOT"),
        Operator::Add => ("+", Adds, Adds, Multiplies),
        Operator::Subtract => ("-", Adds, Adds, Multiplies),
        Operator::Multiply => ("*", Multiplies, Multiplies, Whole),
        Operator::Divide => ("/", Multiplies, Multiplies, Whole),
        Operator::Modulus => ("%", Multiplies, Multiplies, Whole),
        Operator::Concat => {
            return Err(
                "|| is not available in embeds, because SiYuan reads it as OR when it exports".to_owned()
            );
        }
        _ => return Err("an operator that is not available in embeds".to_owned()),
    })
}

fn literal(literal: &Literal<'_>) -> PrintResult {
    match literal {
        Literal::Numeric(number) if number.bytes().all(|it| it.is_ascii_digit() || it == b'.') => {
            Ok((*number).to_owned())
        }
        Literal::Numeric(_) => Err("a number with digits and a point only".to_owned()),
        Literal::String(text) => {
            let inside = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
            let inside = inside.ok_or("text must be between single quotes")?;
            let is_plain = |it: char| it.is_alphanumeric() || MARKS.contains(it) || is_symbol(it);
            if let Some(odd) = inside.chars().find(|it| !is_plain(*it)) {
                let code = u32::from(odd);
                return Err(format!(
                    "a text with the character U+{code:04X}: write LIKE with _, which stands for any one character"
                ));
            }
            if let Some(odd) = ["--", "/*", "((", "_esc_newline_"].into_iter().find(|it| inside.contains(it))
            {
                return Err(format!(
                    "a text with {odd}: write LIKE with _, which stands for any one character"
                ));
            }
            Ok((*text).to_owned())
        }
        Literal::Null => Ok("NULL".to_owned()),
        _ => Err("a literal of this kind is not available: write date('now') for today".to_owned()),
    }
}

/// Punctuation and pictures beyond ASCII, without characters that are not drawn or that SiYuan drops.
fn is_symbol(letter: char) -> bool {
    matches!(letter,
        '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2037}'
        | '\u{2039}'..='\u{205e}' | '\u{2190}'..='\u{2bff}' | '\u{3001}'..='\u{303f}' | '\u{30fb}' | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}' | '\u{1f300}'..='\u{1faff}')
}

/// An unquoted name: letters, digits and underscores.
fn identifier(raw: &str) -> Result<&str, String> {
    let plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if !raw.starts_with(|it: char| it.is_ascii_alphabetic()) || !raw.chars().all(plain) {
        return Err("names without quotes, and texts between single quotes".to_owned());
    }
    name(raw)?;
    Ok(raw)
}

/// The name of a column that a table has.
fn column(raw: &str) -> PrintResult {
    let wanted = identifier(raw)?;
    let mut known = Table::FOR_CALLERS.into_iter().flat_map(|it| it.columns().iter());
    let known = known.find(|it| it.eq_ignore_ascii_case(wanted));
    known.map(|it| (*it).to_owned()).ok_or_else(|| super::cut(&format!("no table has a column {wanted}")))
}
