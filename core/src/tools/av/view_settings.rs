//! The settings of a view: the arguments, their checks, and the operations on the view that a block shows.

use serde_json::{Map, Value};

use super::calc::operator;
use super::filters::Filters;
use super::grouping::grouping;
use super::view_setting::{Setting, Wanted, calculations};
use crate::args::Object;
use crate::content::database::Visible;
use crate::kernel::api::av::{NewSort, Operation, View};
use crate::prelude::*;
use crate::sorted::SharedSort as _;

/// The settings of a view other than its name and layout.
#[derive(Debug, Record)]
pub struct Settings {
    /// {and|or: [{column, is, value}]}, nested; [] clears.
    pub filters: Option<Filters>,
    /// Columns to sort by, in this order.
    pub sorts: Option<Many<SortBy, 0, 16>>,
    /// {column, by, range, hide_empty}; {} ungroups.
    #[read_by()]
    pub group: Option<Object>,
    /// Columns that are not shown; all others are.
    #[read_by()]
    pub hidden: Option<Many<Text<1, 512>, 0, 64>>,
    /// Columns from first to last; others follow.
    #[read_by()]
    pub order: Option<Many<Text<1, 512>, 1, 64>>,
    /// Calculation by column, such as sum or none.
    #[read_by()]
    pub calc: Option<Object>,
    /// Rows a page.
    pub page_size: Option<Int<1, 500>>,
    /// Whether the block shows this view from now on.
    pub show: Flag<false>,
}

/// A column to sort by.
#[derive(Debug, Record)]
pub struct SortBy {
    /// The column.
    #[read_by()]
    pub column: Text<1, 512>,
    /// Smallest or largest first.
    pub order: Direction,
}

/// Which comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Direction {
    /// Smallest.
    #[default]
    Asc,
    /// Largest.
    Desc,
}

impl Settings {
    /// Judges the settings of a view of this database, which that block shows by then.
    pub(super) fn judge(
        &self,
        (database, carrier): (&AvId, &str),
        view: &View,
        of: &Visible,
        cx: &Cx<'_>,
    ) -> Result<Setting, ToolError> {
        let mut all = Setting::default();
        if let Some(filters) = &self.filters {
            let root = filters.judge(of, cx)?;
            let wanted = root.conditions().into_iter().map(|(column, is)| (column.to_owned(), is.to_owned()));
            all.add(Wanted::Filters(wanted.collect()), Operation::set_filters(database, carrier, &[root]));
        }
        if let Some(sorts) = &self.sorts {
            let data = sorts_of(sorts.as_slice(), of)?;
            let wanted = data.iter().map(|it| (it.column.clone(), it.order.to_owned()));
            all.add(Wanted::Sorts(wanted.collect()), Operation::set_sorts(database, carrier, &data));
        }
        if let Some(Object(group)) = &self.group {
            if group.is_empty() {
                all.add(Wanted::Group(None), Operation::ungroup(database, carrier));
            } else {
                let data = grouping(group, of)?;
                let wanted = Wanted::Group(Some((data.field.clone(), data.method)));
                all.add(wanted, Operation::set_group(database, carrier, &data));
            }
        }
        let key = |field: &'static str, name: &Text<1, 512>| -> Result<String, ToolError> {
            Ok(of.column(field, name.as_str())?.key.id.clone())
        };
        if let Some(hidden) = &self.hidden {
            let mut wanted: Vec<String> =
                hidden.as_slice().iter().map(|it| key("hidden", it)).collect::<Result<_, _>>()?;
            wanted.sort_unstable();
            wanted.dedup();
            for key in of.keys() {
                let hides = wanted.contains(&key.id);
                all.operations.push(Operation::hide(database, carrier, &key.id, hides));
            }
            all.wanted.push(Wanted::Hidden(wanted));
        }
        if let Some(order) = &self.order {
            let mut first: Vec<String> =
                order.as_slice().iter().map(|it| key("order", it)).collect::<Result<_, _>>()?;
            if first.iter().enumerate().any(|(at, key)| first.iter().skip(at + 1).any(|it| it == key)) {
                return Err(ToolError::field("order", "each column once"));
            }
            let mut previous = "";
            for key in &first {
                all.operations.push(Operation::sort_column(database, carrier, key, previous));
                previous = key;
            }
            let others: Vec<String> =
                view.fields().iter().map(|it| it.id.clone()).filter(|it| !first.contains(it)).collect();
            first.extend(others);
            all.wanted.push(Wanted::Order(first));
        }
        if let Some(Object(calc)) = &self.calc {
            let wanted = calculated(calc, (database, carrier), view, of, &mut all.operations)?;
            // Calculations are compared in the order of the columns, which this call may change.
            if self.order.is_none() {
                all.wanted.push(Wanted::Calc(wanted));
            }
        }
        if let Some(size) = self.page_size.map(Int::get) {
            all.add(Wanted::PageSize(size as u64), Operation::set_page_size(database, carrier, size));
        }
        Ok(all)
    }
}

/// Judges columns to sort by.
fn sorts_of(sorts: &[SortBy], of: &Visible) -> Result<Vec<NewSort>, ToolError> {
    let judged = sorts.iter().enumerate().map(|(at, sort)| {
        let key = &of.column(&format!("sorts[{at}].column"), sort.column.as_str())?.key;
        let order = if sort.order == Direction::Desc { "DESC" } else { "ASC" };
        Ok(NewSort { column: key.id.clone(), order })
    });
    judged.collect()
}

/// Judges calculations and adds their operations. Returns all that the view then has, in the order of its columns.
fn calculated(
    calc: &Map<String, Value>,
    (database, carrier): (&AvId, &str),
    view: &View,
    of: &Visible,
    operations: &mut Vec<Operation>,
) -> Result<Vec<(String, String)>, ToolError> {
    let mut wanted = calculations(view);
    for (name, word) in calc {
        let field = format!("calc.{name}");
        let key = &of.column(&field, name)?.key;
        let word = operator(&field, word.as_str().unwrap_or_default())?;
        operations.push(Operation::calculate(database, carrier, &key.id, word));
        wanted.retain(|(id, _)| *id != key.id);
        wanted.extend((!word.is_empty()).then(|| (key.id.clone(), word.to_owned())));
    }
    wanted.sort_shared_by_key(|(id, _)| view.fields().iter().position(|it| it.id == *id));
    Ok(wanted)
}
