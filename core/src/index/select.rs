//! A statement over the views: built from parts, never written out in an action.

use super::{RowCondition, Table, Visibility};
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel, KernelError, sql};
use crate::permission::Grants;

/// The name of the column that counts all rows of a statement, regardless of the page.
const ALL: &str = "n_all";

/// A statement. It returns one row per group, and one row more than its limit.
#[derive(Debug, Clone)]
pub struct Select {
    table: Table,
    joins: Vec<(Table, &'static str, &'static str, &'static str)>,
    columns: Vec<String>,
    counts: Vec<(&'static str, &'static str)>,
    filters: Vec<RowCondition>,
    per: Vec<&'static str>,
    order: Vec<Order>,
    after: Vec<StartKey>,
    limit: usize,
    counted: bool,
}

/// One sort key of rows.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    /// Smallest first.
    Up(&'static str),
    /// Largest first.
    Down(&'static str),
    /// By name: smallest first, ignoring case.
    Name(&'static str),
    /// Those with the most distinct values of this column first.
    Most(&'static str),
}

/// A key of the row that a page begins after; one for each sort key.
#[derive(Debug, Clone)]
pub enum StartKey {
    /// Of a text column.
    Text(String),
    /// Of a number.
    Number(u64),
}

impl From<&str> for StartKey {
    fn from(text: &str) -> StartKey {
        StartKey::Text(text.to_owned())
    }
}

/// A page of rows that the caller may see.
#[derive(Debug, Clone, Default)]
pub struct RowPage {
    /// The rows.
    pub rows: Vec<Row>,
    /// Whether there are more.
    pub more: bool,
    /// The total number of rows, if it was requested; unknown past the end.
    pub total: Option<u64>,
}

impl Order {
    fn column(self) -> String {
        match self {
            Order::Up(column) | Order::Down(column) => column.to_owned(),
            Order::Name(column) => format!("lower({column})"),
            Order::Most(column) => format!("COUNT(DISTINCT {column})"),
        }
    }

    fn is_down(self) -> bool {
        matches!(self, Order::Down(_) | Order::Most(_))
    }

    fn print(self) -> String {
        let (column, word) = (self.column(), if self.is_down() { " DESC" } else { "" });
        format!("{column}{word}")
    }

    /// The key as a literal that this order compares with.
    fn literal(self, key: &StartKey) -> String {
        match (self, key) {
            (_, StartKey::Number(number)) => number.to_string(),
            (Order::Name(_), StartKey::Text(text)) => sql::text(&text.to_ascii_lowercase()),
            (_, StartKey::Text(text)) => sql::text(text),
        }
    }
}

impl Select {
    /// Rows of a table, one per id. Where tables are joined, columns carry the table's letter: `b.id`.
    pub fn from(table: Table) -> Select {
        Select {
            table,
            joins: Vec::new(),
            columns: Vec::new(),
            counts: Vec::new(),
            filters: Vec::new(),
            per: vec!["id"],
            order: Vec::new(),
            after: Vec::new(),
            limit: 1_000,
            counted: false,
        }
    }

    /// Joins the rows of another table whose `column` equals `other`.
    #[must_use]
    pub fn join(self, table: Table, column: &'static str, other: &'static str) -> Select {
        self.join_as(table.letter(), table, column, other)
    }

    /// Like `join`, with another letter for the table, for one that is joined twice.
    #[must_use]
    pub fn join_as(
        mut self,
        letter: &'static str,
        table: Table,
        column: &'static str,
        other: &'static str,
    ) -> Select {
        self.joins.push((table, letter, column, other));
        self
    }

    /// Returns these columns; `box` is always among them.
    #[must_use]
    pub fn columns<const N: usize>(mut self, columns: [&'static str; N]) -> Select {
        self.columns.extend(columns.map(|column| {
            let name = column.rsplit('.').next().unwrap_or(column);
            format!("{column} AS {name}")
        }));
        self
    }

    /// Returns a column or expression under a name.
    #[must_use]
    pub fn column(mut self, column: &'static str, name: &'static str) -> Select {
        self.columns.push(format!("{column} AS {name}"));
        self
    }

    /// Returns the number of distinct values of a column.
    #[must_use]
    pub fn count(mut self, column: &'static str, name: &'static str) -> Select {
        self.columns.push(format!("COUNT(DISTINCT {column}) AS {name}"));
        self
    }

    /// Returns in every row the number of distinct values of a column in the rows of all pages.
    #[must_use]
    pub fn count_all(mut self, column: &'static str, name: &'static str) -> Select {
        self.counts.push((column, name));
        self
    }

    /// Returns 1 if this holds for any row of the group, else 0.
    #[must_use]
    pub fn for_any(mut self, filter: &RowCondition, name: &'static str) -> Select {
        self.columns.push(format!("MAX({}) AS {name}", filter.0));
        self
    }

    /// Returns 1 if this holds for all rows of the group, else 0.
    #[must_use]
    pub fn for_all(mut self, filter: &RowCondition, name: &'static str) -> Select {
        self.columns.push(format!("MIN({}) AS {name}", filter.0));
        self
    }

    /// Keeps only rows for which this holds too.
    #[must_use]
    pub fn filter(mut self, filter: RowCondition) -> Select {
        self.filters.push(filter);
        self
    }

    /// Returns one row per combination of these columns instead of one per id.
    #[must_use]
    pub fn per<const N: usize>(mut self, columns: [&'static str; N]) -> Select {
        self.per = columns.to_vec();
        self
    }

    /// Sorts the rows; the last key must tell any two apart.
    #[must_use]
    pub fn order(mut self, order: impl Into<Vec<Order>>) -> Select {
        self.order = order.into();
        self
    }

    /// Begins after the row with these keys, in the order of `order`.
    #[must_use]
    pub fn after(mut self, keys: impl Into<Vec<StartKey>>) -> Select {
        self.after = keys.into();
        self
    }

    /// Returns at most this many rows.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Select {
        self.limit = limit;
        self
    }

    /// Counts the rows of all pages.
    #[must_use]
    pub fn counted(mut self) -> Select {
        self.counted = true;
        self
    }

    /// The statement as text, for a caller with this visibility.
    pub(crate) fn print(&self, visibility: &Visibility) -> String {
        let letter = self.table.letter();
        let mut from = format!("{} AS {letter}", self.table.view(visibility));
        for (table, letter, column, other) in &self.joins {
            from.push_str(&format!(" JOIN {} AS {letter} ON {column} = {other}", table.view(visibility)));
        }
        let filters: Vec<&str> = self.filters.iter().map(|it| it.0.as_str()).collect();
        let condition =
            if filters.is_empty() { String::new() } else { format!(" WHERE {}", filters.join(" AND ")) };
        let per = self.per.join(", ");
        let own_box = format!("{letter}.box");
        let has_box = self.per.iter().any(|it| *it == "box" || *it == own_box);
        // Any of several notebooks may stand for a row: the views contain readable ones only.
        let own_box = if has_box { own_box } else { format!("MIN({own_box})") };
        let mut columns = self.columns.clone();
        columns.push(format!("{own_box} AS box"));
        for (column, name) in &self.counts {
            columns.push(format!("(SELECT COUNT(DISTINCT {column}) FROM {from}{condition}) AS {name}"));
        }
        if self.counted {
            // COUNT takes one value.
            let each = self.per.join(" || char(10) || ");
            columns.push(format!("(SELECT COUNT(DISTINCT {each}) FROM {from}{condition}) AS {ALL}"));
        }
        let mut statement = format!("SELECT {} FROM {from}{condition} GROUP BY {per}", columns.join(", "));
        if let Some(rest) = self.rest() {
            statement.push_str(&format!(" HAVING {rest}"));
        }
        if !self.order.is_empty() {
            let order: Vec<String> = self.order.iter().map(|it| it.print()).collect();
            statement.push_str(&format!(" ORDER BY {}", order.join(", ")));
        }
        statement.push_str(&format!(" LIMIT {}", self.limit + 1));
        statement
    }

    /// The condition for rows after the keys: larger in the first column, or equal there and larger in the rest.
    fn rest(&self) -> Option<String> {
        let pairs: Vec<_> = self.order.iter().zip(&self.after).collect();
        pairs.into_iter().rev().fold(None, |rest, (order, key)| {
            let (column, key) = (order.column(), order.literal(key));
            let sign = if order.is_down() { '<' } else { '>' };
            Some(match rest {
                None => format!("{column} {sign} {key}"),
                Some(rest) => format!("({column} {sign} {key} OR ({column} = {key} AND {rest}))"),
            })
        })
    }

    /// The rows that a caller with these grants may see. A caller that may read nothing gets none, without a request.
    pub(crate) async fn visible_rows(
        &self,
        kernel: &dyn Kernel,
        visibility: &Visibility,
        grants: &Grants,
    ) -> Result<Vec<Row>, KernelError> {
        if visibility.is_nothing() {
            return Ok(Vec::new());
        }
        let found = kernel::ask(kernel, query::sql(&self.print(visibility))).await?;
        Ok(self.page(visibility.locked(found.visible(grants))).rows)
    }

    /// The page of these rows, without the extra one.
    pub(crate) fn page(&self, mut rows: Vec<Row>) -> RowPage {
        let more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let total = match rows.first() {
            Some(row) => Some(row.number(ALL)),
            None => self.after.is_empty().then_some(0),
        };
        RowPage { rows, more, total: total.filter(|_| self.counted) }
    }
}
