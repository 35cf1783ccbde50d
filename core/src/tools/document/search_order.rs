//! The orders of `document.search`, and the position behind a row in each.

use crate::args::After;
use crate::index::{Order, Select, StartKey};
use crate::kernel::api::query::Row;
use crate::prelude::Choice;

/// The time of the last change: that of a document's row does not always move when a block changes.
pub(super) const UPDATED: &str = "MAX(c.updated)";
/// More than the largest 14 digits of a time.
const RANK: u64 = 100_000_000_000_000;

/// Which document comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum SearchSort {
    /// The one changed last.
    #[default]
    Updated,
    /// The one created last.
    Created,
    /// By title.
    Title,
    /// Titles that equal or begin with the query, then the one changed last.
    Relevance,
}

impl SearchSort {
    /// The rows after a position, in this order.
    pub(super) fn ordered(self, select: Select, after: Option<&After>) -> Select {
        let id = |it: &After| StartKey::from(it.1.as_str());
        let digits = |number: u64| StartKey::Text(format!("{number:014}"));
        match self {
            SearchSort::Updated => select
                .order([Order::Down(UPDATED), Order::Up("b.id")])
                .after(after.map_or(vec![], |it| vec![digits(it.0), id(it)])),
            SearchSort::Created => {
                select.order([Order::Down("b.id")]).after(after.map_or(vec![], |it| vec![id(it)]))
            }
            SearchSort::Title => {
                let keys = after.map(|it| {
                    let (id, title) = it.1.split_once('.').unwrap_or((it.1.as_str(), ""));
                    vec![StartKey::from(title), StartKey::from(id)]
                });
                select.order([Order::Name("b.content"), Order::Up("b.id")]).after(keys.unwrap_or_default())
            }
            SearchSort::Relevance => select
                .order([
                    Order::Down("is_title"),
                    Order::Down("begins"),
                    Order::Down(UPDATED),
                    Order::Up("b.id"),
                ])
                .after(after.map_or(vec![], |it| {
                    let rank = it.0 / RANK;
                    vec![StartKey::Number(rank / 2), StartKey::Number(rank % 2), digits(it.0 % RANK), id(it)]
                })),
        }
    }

    /// The position behind a row.
    pub(super) fn after(self, row: &Row) -> After {
        let id = row.text("id").to_owned();
        let changed: u64 = row.text("changed").parse().unwrap_or_default();
        match self {
            SearchSort::Updated => After(changed, id),
            SearchSort::Created => After(0, id),
            SearchSort::Title => After(0, format!("{id}.{}", row.text("content"))),
            SearchSort::Relevance => {
                let rank = row.number("is_title") * 2 + row.number("begins");
                After(rank * RANK + changed, id)
            }
        }
    }
}
