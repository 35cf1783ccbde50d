//! Expressions of a caller's statement, each printed in parentheses.

use sqlite3_parser::ast::{
    Distinctness, Expr, FunctionTail, LikeOperator, Literal, NullsOrder, Operator, Over, SortOrder,
    SortedColumn, Type, UnaryOperator, Window,
};

use super::functions;
use super::names::{Printed, name};
use super::select::Printer;
use crate::kernel::sql;

/// The maximum number of terms in a row, such as `a OR b OR c`.
const TERMS: usize = 200;

/// A name of a column: quoted if the caller quoted it, because SQLite takes an unknown quoted name as a text.
fn column(raw: &str) -> Printed {
    let name = name(raw)?;
    Ok(if name == raw { name } else { format!("\"{name}\"") })
}

impl Printer<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr<'_>) -> Printed {
        self.enter()?;
        let printed = self.inner(expr);
        self.leave();
        printed
    }

    fn inner(&mut self, expr: &Expr<'_>) -> Printed {
        let not = |it: &bool| if *it { "NOT " } else { "" };
        Ok(match expr {
            Expr::Between { lhs, not: is_not, start, end } => {
                let (lhs, start, end) = (self.expr(lhs)?, self.expr(start)?, self.expr(end)?);
                format!("({lhs} {}BETWEEN {start} AND {end})", not(is_not))
            }
            Expr::Binary(lhs, operator, rhs) => self.binary(lhs, *operator, rhs)?,
            Expr::Case { base, when_then_pairs, else_expr } => {
                let mut out = "CASE".to_owned();
                if let Some(base) = base {
                    out.push_str(&format!(" {}", self.expr(base)?));
                }
                for (when, then) in *when_then_pairs {
                    out.push_str(&format!(" WHEN {} THEN {}", self.expr(when)?, self.expr(then)?));
                }
                if let Some(other) = else_expr {
                    out.push_str(&format!(" ELSE {}", self.expr(other)?));
                }
                format!("({out} END)")
            }
            Expr::Cast { expr, type_name } => {
                format!("CAST({} AS {})", self.expr(expr)?, kind(type_name.as_ref())?)
            }
            Expr::Collate(expr, collation) => {
                let known =
                    ["nocase", "binary", "rtrim"].into_iter().find(|it| it.eq_ignore_ascii_case(collation));
                let known = known.ok_or("that collation is not available")?;
                format!("({} COLLATE {known})", self.expr(expr)?)
            }
            Expr::Exists(select) => format!("EXISTS ({})", self.nested(select)?),
            Expr::FunctionCall { name, distinctness, args, order_by: None, filter_over } => {
                let args = args.unwrap_or_default();
                let each = self.list(args)?;
                let distinct = match distinctness {
                    Some(Distinctness::Distinct) => "DISTINCT ",
                    Some(Distinctness::All) | None => "",
                };
                self.call(name.0, args.len(), &format!("{distinct}{each}"), filter_over.as_ref())?
            }
            Expr::FunctionCallStar { name, filter_over } if name.0.eq_ignore_ascii_case("count") => {
                self.call(name.0, 0, "*", filter_over.as_ref())?
            }
            Expr::Id(id) => {
                self.mention(expr);
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
            Expr::Literal(it) => literal(it)?,
            Expr::Parenthesized(list) => match list.as_slice() {
                [one] => self.expr(one)?,
                _ => return Err("a list of values stands behind IN only".to_owned()),
            },
            Expr::Qualified(table, name) => {
                self.mention(expr);
                format!("\"{}\".\"{}\"", self::name(table.0)?, self::name(name.0)?)
            }
            Expr::Subquery(select) => format!("({})", self.nested(select)?),
            Expr::Unary(operator, expr) => {
                let sign = match operator {
                    UnaryOperator::BitwiseNot => "~",
                    UnaryOperator::Negative => "-",
                    UnaryOperator::Not => "NOT ",
                    UnaryOperator::Positive => "+",
                };
                format!("({sign}{})", self.expr(expr)?)
            }
            Expr::DoublyQualified(..) => return Err("a schema before a table is not available".to_owned()),
            Expr::InTable { .. } => return Err("IN with a table: write IN (SELECT ...)".to_owned()),
            Expr::FunctionCall { .. }
            | Expr::FunctionCallStar { .. }
            | Expr::InList { .. }
            | Expr::Name(_)
            | Expr::Raise(..)
            | Expr::Variable(_) => return Err("an expression of this kind is not available".to_owned()),
        })
    }

    /// A row of the same or other operators, which lean to the left however many there are.
    fn binary(&mut self, lhs: &Expr<'_>, operator: Operator, rhs: &Expr<'_>) -> Printed {
        let (mut first, mut rest) = (lhs, vec![(operator, rhs)]);
        while let Expr::Binary(lhs, operator, rhs) = first {
            rest.push((*operator, rhs));
            first = lhs;
            if rest.len() > TERMS {
                return Err(format!("more than {TERMS} terms in a row"));
            }
        }
        let mut out = self.expr(first)?;
        for (operator, rhs) in rest.into_iter().rev() {
            out = format!("({out} {} {})", sign(operator), self.expr(rhs)?);
        }
        Ok(out)
    }

    /// Expressions with commas between them.
    pub(super) fn list(&mut self, each: &[Expr<'_>]) -> Printed {
        let each: Result<Vec<String>, String> = each.iter().map(|it| self.expr(it)).collect();
        Ok(each?.join(", "))
    }

    fn call(
        &mut self,
        name: &str,
        count: usize,
        arguments: &str,
        tail: Option<&FunctionTail<'_>>,
    ) -> Printed {
        let over = tail.and_then(|it| it.over_clause);
        let mut out = format!("{}({arguments})", functions::named(name, count, over.is_some())?);
        if let Some(filter) = tail.and_then(|it| it.filter_clause) {
            out.push_str(&format!(" FILTER (WHERE {})", self.expr(filter)?));
        }
        match over {
            None => {}
            Some(Over::Window(window)) => out.push_str(&format!(" OVER ({})", self.window(window)?)),
            Some(Over::Name(_)) => return Err("OVER with a name is not available".to_owned()),
        }
        Ok(out)
    }

    fn window(&mut self, window: &Window<'_>) -> Printed {
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
    pub(super) fn order(&mut self, each: &[SortedColumn<'_>]) -> Printed {
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

fn kind(kind: Option<&Type<'_>>) -> Result<&'static str, String> {
    let known = kind.filter(|it| it.size.is_none()).and_then(|it| {
        let name = it.name.trim();
        ["TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB"]
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
    });
    known.ok_or_else(|| "CAST to TEXT, INTEGER, REAL, NUMERIC or BLOB only".to_owned())
}

fn literal(literal: &Literal<'_>) -> Printed {
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
            sql::text(&inside.ok_or("a text stands between single quotes")?.replace("''", "'"))
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
