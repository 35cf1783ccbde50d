//! Expressions of a caller's statement, each printed in parentheses.

use sqlite3_parser::ast::{
    Distinctness, Expr, FunctionTail, LikeOperator, Literal, NullsOrder, Operator, Over, SortOrder,
    SortedColumn, Type, UnaryOperator, Window,
};

use super::functions;
use super::growth::{self, Size};
use super::names::{PrintResult, name};
use super::select::StatementPrinter;
use crate::kernel::sql;

/// The maximum number of terms in a row, such as `a OR b OR c`.
const TERMS: usize = 200;

/// A name of a column: quoted if the caller quoted it, because SQLite takes an unknown quoted name as a text.
fn column(raw: &str) -> PrintResult {
    let name = name(raw)?;
    Ok(if name == raw { name } else { format!("\"{name}\"") })
}

impl StatementPrinter<'_> {
    /// An expression. `self.size` becomes the bound of its length.
    pub(super) fn expr(&mut self, expr: &Expr<'_>) -> PrintResult {
        self.enter()?;
        let (printed, size) = self.inner(expr)?;
        self.size = size.check()?;
        self.leave();
        Ok(printed)
    }

    fn inner(&mut self, expr: &Expr<'_>) -> Result<(String, Size), String> {
        let not = |it: &bool| if *it { "NOT " } else { "" };
        // A comparison is a number.
        let mut size = Size::NUMBER;
        let printed = match expr {
            Expr::Between { lhs, not: is_not, start, end } => {
                let (lhs, start, end) = (self.expr(lhs)?, self.expr(start)?, self.expr(end)?);
                format!("({lhs} {}BETWEEN {start} AND {end})", not(is_not))
            }
            Expr::Binary(lhs, operator, rhs) => return self.binary(lhs, *operator, rhs),
            Expr::Case { base, when_then_pairs, else_expr } => {
                let mut out = "CASE".to_owned();
                if let Some(base) = base {
                    out.push_str(&format!(" {}", self.expr(base)?));
                }
                for (when, then) in *when_then_pairs {
                    out.push_str(&format!(" WHEN {} THEN {}", self.expr(when)?, self.expr(then)?));
                    size = size.or(self.size);
                }
                if let Some(other) = else_expr {
                    out.push_str(&format!(" ELSE {}", self.expr(other)?));
                    size = size.or(self.size);
                }
                format!("({out} END)")
            }
            Expr::Cast { expr, type_name } => {
                let printed = format!("CAST({} AS {})", self.expr(expr)?, kind(type_name.as_ref())?);
                size = self.size;
                printed
            }
            Expr::Collate(expr, collation) => {
                let known =
                    ["nocase", "binary", "rtrim"].into_iter().find(|it| it.eq_ignore_ascii_case(collation));
                let known = known.ok_or("that collation is not available")?;
                let printed = format!("({} COLLATE {known})", self.expr(expr)?);
                size = self.size;
                printed
            }
            Expr::Exists(select) => format!("EXISTS ({})", self.nested(select)?),
            Expr::FunctionCall { name, distinctness, args, order_by: None, filter_over } => {
                return self.call(name.0, *distinctness, args.unwrap_or_default(), filter_over.as_ref());
            }
            Expr::FunctionCallStar { name, filter_over } if name.0.eq_ignore_ascii_case("count") => {
                let tail = filter_over.as_ref();
                format!("{}(*){}", functions::named(name.0, 0, false)?, self.tail(tail)?)
            }
            Expr::Id(id) => {
                self.mention(expr);
                size = self.size_of(expr);
                column(id.0)?
            }
            Expr::InList { lhs, not: is_not, rhs: Some(rhs) } if !rhs.is_empty() => {
                let (lhs, list) = (self.expr(lhs)?, self.list(rhs)?);
                format!("({lhs} {}IN ({list}))", not(is_not))
            }
            Expr::InSelect { lhs, not: is_not, rhs } => {
                let lhs = self.expr(lhs)?;
                format!("({lhs} {}IN ({}))", not(is_not), self.nested(rhs)?)
            }
            Expr::IsNull(expr) => format!("({} IS NULL)", self.expr(expr)?),
            Expr::NotNull(expr) => format!("({} IS NOT NULL)", self.expr(expr)?),
            Expr::Like { lhs, not: is_not, op, rhs, escape: None } => {
                let word = match op {
                    LikeOperator::Glob => "GLOB",
                    LikeOperator::Like => "LIKE",
                    LikeOperator::Match | LikeOperator::Regexp => {
                        return Err("MATCH and REGEXP are not available: use search.text".to_owned());
                    }
                };
                let (lhs, rhs) = (self.expr(lhs)?, self.expr(rhs)?);
                format!("({lhs} {}{word} {rhs})", not(is_not))
            }
            Expr::Like { .. } => return Err("ESCAPE is not available: use instr or GLOB".to_owned()),
            Expr::Literal(it) => {
                let printed = literal(it)?;
                if let Literal::String(text) = it {
                    size = Size::literal(u64::try_from(text.len().saturating_sub(2)).unwrap_or(u64::MAX));
                }
                printed
            }
            Expr::Parenthesized(list) => match list.as_slice() {
                [one] => {
                    let printed = self.expr(one)?;
                    return Ok((printed, self.size));
                }
                _ => return Err("a list of values is allowed after IN only".to_owned()),
            },
            Expr::Qualified(table, name) => {
                self.mention(expr);
                size = self.size_of(expr);
                format!("\"{}\".\"{}\"", self::name(table.0)?, self::name(name.0)?)
            }
            Expr::Subquery(select) => {
                let number = self.selects;
                let printed = format!("({})", self.nested(select)?);
                size = self.size.of_select(self.is_looked_up(number + 1));
                printed
            }
            Expr::Unary(operator, expr) => {
                let sign = match operator {
                    UnaryOperator::BitwiseNot => "~",
                    UnaryOperator::Negative => "-",
                    UnaryOperator::Not => "NOT ",
                    UnaryOperator::Positive => "+",
                };
                let printed = format!("({sign}{})", self.expr(expr)?);
                // A plus changes nothing.
                size = self.size;
                printed
            }
            Expr::DoublyQualified(..) => return Err("a schema before a table is not available".to_owned()),
            Expr::InTable { .. } => return Err("IN with a table: write IN (SELECT ...)".to_owned()),
            Expr::FunctionCall { .. }
            | Expr::FunctionCallStar { .. }
            | Expr::InList { .. }
            | Expr::Name(_)
            | Expr::Raise(..)
            | Expr::Variable(_) => return Err("an expression of this kind is not available".to_owned()),
        };
        Ok((printed, size))
    }

    /// A row of the same or other operators, which lean to the left however many there are.
    fn binary(
        &mut self,
        lhs: &Expr<'_>,
        operator: Operator,
        rhs: &Expr<'_>,
    ) -> Result<(String, Size), String> {
        let (mut first, mut rest) = (lhs, vec![(operator, rhs)]);
        while let Expr::Binary(lhs, operator, rhs) = first {
            rest.push((*operator, rhs));
            first = lhs;
            if rest.len() > TERMS {
                return Err(format!("more than {TERMS} terms in a row"));
            }
        }
        let mut out = self.expr(first)?;
        let mut size = self.size;
        for (operator, rhs) in rest.into_iter().rev() {
            out = format!("({out} {} {})", sign(operator), self.expr(rhs)?);
            size = Size::of_operator(operator, size, self.size).check()?;
        }
        Ok((out, size))
    }

    /// Expressions with commas between them.
    pub(super) fn list(&mut self, each: &[Expr<'_>]) -> PrintResult {
        Ok(self.sized(each)?.0)
    }

    /// The same with the bounds of their lengths.
    fn sized(&mut self, each: &[Expr<'_>]) -> Result<(String, Vec<Size>), String> {
        let (mut printed, mut sizes) = (Vec::with_capacity(each.len()), Vec::with_capacity(each.len()));
        for it in each {
            printed.push(self.expr(it)?);
            sizes.push(self.size);
        }
        Ok((printed.join(", "), sizes))
    }

    fn call(
        &mut self,
        name: &str,
        distinctness: Option<Distinctness>,
        arguments: &[Expr<'_>],
        tail: Option<&FunctionTail<'_>>,
    ) -> Result<(String, Size), String> {
        let has_over = tail.is_some_and(|it| it.over_clause.is_some());
        let name = functions::named(name, arguments.len(), has_over)?;
        let (each, sizes) = self.sized(arguments)?;
        let distinct = match distinctness {
            Some(Distinctness::Distinct) => "DISTINCT ",
            Some(Distinctness::All) | None => "",
        };
        let printed = format!("{name}({distinct}{each}){}", self.tail(tail)?);
        let size = match growth::gathers(&name) {
            true if has_over => return Err(format!("{name} is not available with OVER")),
            true => Size::gathered(&name, &sizes, self.is_single())?,
            false => {
                let literals: Vec<_> = arguments.iter().map(plain).collect();
                Size::of_call(&name, &sizes, &literals)?
            }
        };
        Ok((printed, size))
    }

    /// FILTER and OVER behind a call.
    fn tail(&mut self, tail: Option<&FunctionTail<'_>>) -> PrintResult {
        let mut out = String::new();
        if let Some(filter) = tail.and_then(|it| it.filter_clause) {
            out.push_str(&format!(" FILTER (WHERE {})", self.expr(filter)?));
        }
        match tail.and_then(|it| it.over_clause) {
            None => {}
            Some(Over::Window(window)) => out.push_str(&format!(" OVER ({})", self.window(window)?)),
            Some(Over::Name(_)) => return Err("OVER with a name is not available".to_owned()),
        }
        Ok(out)
    }

    fn window(&mut self, window: &Window<'_>) -> PrintResult {
        let Window { base: None, partition_by, order_by, frame_clause: None } = window else {
            return Err("frames and named windows are not available".to_owned());
        };
        let mut out = Vec::new();
        if let Some(each) = partition_by {
            out.push(format!("PARTITION BY {}", self.list(each)?));
        }
        if let Some(each) = order_by {
            out.push(self.order(each)?);
        }
        Ok(out.join(" "))
    }

    /// `ORDER BY` with its expressions.
    pub(super) fn order(&mut self, each: &[SortedColumn<'_>]) -> PrintResult {
        let mut keys = Vec::with_capacity(each.len());
        for SortedColumn { expr, order, nulls } in each {
            let order = match order {
                Some(SortOrder::Desc) => " DESC",
                Some(SortOrder::Asc) | None => "",
            };
            let nulls = match nulls {
                Some(NullsOrder::First) => " NULLS FIRST",
                Some(NullsOrder::Last) => " NULLS LAST",
                None => "",
            };
            keys.push(format!("{}{order}{nulls}", self.expr(expr)?));
        }
        Ok(format!("ORDER BY {}", keys.join(", ")))
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::And => "AND",
        Operator::ArrowRight => "->",
        Operator::ArrowRightShift => "->>",
        Operator::BitwiseAnd => "&",
        Operator::BitwiseOr => "|",
        Operator::Concat => "||",
        Operator::Equals => "=",
        Operator::Divide => "/",
        Operator::Greater => ">",
        Operator::GreaterEquals => ">=",
        Operator::Is => "IS",
        Operator::IsNot => "IS NOT",
        Operator::LeftShift => "<<",
        Operator::Less => "<",
        Operator::LessEquals => "<=",
        Operator::Modulus => "%",
        Operator::Multiply => "*",
        Operator::NotEquals => "<>",
        Operator::Or => "OR",
        Operator::RightShift => ">>",
        Operator::Subtract => "-",
    }
}

/// The text or number that an argument is, without quotes.
fn plain<'e>(argument: &Expr<'e>) -> Option<&'e str> {
    match argument {
        Expr::Literal(Literal::String(text)) => text.strip_prefix('\'')?.strip_suffix('\''),
        Expr::Literal(Literal::Numeric(number)) => Some(number),
        _ => None,
    }
}

fn kind(kind: Option<&Type<'_>>) -> Result<&'static str, String> {
    let known = kind.filter(|it| it.size.is_none()).and_then(|it| {
        let name = it.name.trim();
        ["TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB"]
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
    });
    known.ok_or_else(|| "CAST to TEXT, INTEGER, REAL, NUMERIC or BLOB only".to_owned())
}

fn literal(literal: &Literal<'_>) -> PrintResult {
    Ok(match literal {
        Literal::Numeric(number) => {
            let plain = |it: char| it.is_ascii_hexdigit() || matches!(it, 'x' | 'X' | '.' | '+' | '-');
            if !number.chars().all(plain) {
                return Err("a number with digits, a point and an exponent only".to_owned());
            }
            (*number).to_owned()
        }
        Literal::String(text) => {
            let inside = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
            sql::text(&inside.ok_or("text must be between single quotes")?.replace("''", "'"))
        }
        Literal::Null => "NULL".to_owned(),
        // The kernel's own printer would make a text of the keyword.
        Literal::CurrentDate => "date('now')".to_owned(),
        Literal::CurrentTime => "time('now')".to_owned(),
        Literal::CurrentTimestamp => "datetime('now')".to_owned(),
        Literal::Blob(_) | Literal::Keyword(_) => {
            return Err("a literal of this kind is not available".to_owned());
        }
    })
}
