//! Views in this product's words: filters, sorting and grouping name columns, not their ids.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calc;
use crate::content::cell;
use crate::kernel::Ambient;
use crate::kernel::api::av::{ColumnKey, View, ViewFilter, ViewGroup, ViewSort};
use crate::output::object;

/// The kernel's operators and their words here.
pub(super) const OPERATORS: [(&str, &str); 15] = [
    ("=", "equal"),
    ("!=", "not_equal"),
    (">", "greater"),
    (">=", "greater_or_equal"),
    ("<", "less"),
    ("<=", "less_or_equal"),
    ("Contains", "contains"),
    ("Does not contains", "not_contains"),
    ("Starts with", "starts_with"),
    ("Ends with", "ends_with"),
    ("Is between", "between"),
    ("Is empty", "empty"),
    ("Is not empty", "not_empty"),
    ("Is true", "true"),
    ("Is false", "false"),
];
/// The words for groupings, in the order of the kernel's numbers.
pub(super) const GROUPS: [&str; 7] = ["value", "number", "relative_date", "day", "week", "month", "year"];
/// The words for the orders of groups, in the order of the kernel's numbers; the first goes without saying.
const ORDERS: [&str; 4] = ["", "desc", "manual", "options"];
/// The maximum depth of nested filters.
const DEEPEST: usize = 8;

/// The words of views for columns and dates.
pub(super) struct ViewWords<'a> {
    pub(super) columns: BTreeMap<&'a str, &'a ColumnKey>,
    pub(super) ambient: &'a dyn Ambient,
}

impl ViewWords<'_> {
    /// A view as an answer shows it.
    pub(super) fn view(&self, view: &View) -> Value {
        let filters: Vec<Value> = view.filters.iter().filter_map(|it| self.filter(it, DEEPEST)).collect();
        let filters = match filters.as_slice() {
            [] => Value::Null,
            [one] => one.clone(),
            several => json!({ "and": several }),
        };
        let sorts: Vec<Value> = view.sorts.iter().filter_map(|it| self.sort(it)).collect();
        let order = view.fields().iter().filter_map(|it| self.name(&it.id)).map(Value::from).collect();
        let hidden = self.hidden(view);
        let listed = |items: Vec<Value>| if items.is_empty() { Value::Null } else { json!(items) };
        Value::Object(object([
            ("id", json!(view.id)),
            ("name", json!(view.name)),
            ("layout", json!(view.layout)),
            ("filters", filters),
            ("sorts", listed(sorts)),
            ("group", view.group.as_ref().and_then(|it| self.group(it)).unwrap_or_default()),
            ("hidden_columns", listed(hidden)),
            ("order", listed(order)),
            ("calc", self.calc(view)),
            ("page_size", json!(view.page_size)),
        ]))
    }

    fn name(&self, id: &str) -> Option<&str> {
        self.columns.get(id).map(|it| it.name.as_str())
    }

    /// One condition, or several that hold together; a condition without a column is dropped.
    fn filter(&self, filter: &ViewFilter, deepest: usize) -> Option<Value> {
        if !filter.filters.is_empty() {
            let deeper = deepest.checked_sub(1)?;
            let all: Vec<Value> = filter.filters.iter().filter_map(|it| self.filter(it, deeper)).collect();
            let together = if filter.combination == "or" { "or" } else { "and" };
            return (!all.is_empty()).then(|| json!({ together: all }));
        }
        let key = self.columns.get(filter.column.as_str())?;
        let operator = filter.operator.as_str();
        let is = OPERATORS.iter().find(|(kernel, _)| *kernel == operator).map_or(operator, |(_, ours)| ours);
        // The operand of a relation or rollup may come from a database that is not shown.
        let value = filter.value.as_ref().and_then(|it| self.operand(key, operator, it));
        Some(Value::Object(object([
            ("column", json!(key.name)),
            ("is", json!(is)),
            ("value", value.unwrap_or_default()),
            ("quantifier", json!(filter.quantifier)),
            ("relative_date", filter.relative_date.clone()),
            ("relative_date2", filter.relative_date2.clone()),
        ])))
    }

    /// The value that a condition compares with; a span of time has two of them.
    fn operand(&self, key: &ColumnKey, operator: &str, parts: &Map<String, Value>) -> Option<Value> {
        if operator == "Is between" {
            return cell::of_kernel(&key.kind, &cell::with_end(parts), self.ambient);
        }
        cell::of_kernel(&key.kind, parts, self.ambient)
    }

    /// The calculations below columns, by their names.
    fn calc(&self, view: &View) -> Value {
        let calculated = view.fields().iter().filter_map(|it| Some((&it.id, it.calc.as_ref()?)));
        let all: Map<String, Value> = calculated
            .filter(|(_, calc)| !calc.operator.is_empty())
            .filter_map(|(id, it)| {
                Some((self.name(id)?.to_owned(), json!(calc::operator_word(&it.operator))))
            })
            .collect();
        if all.is_empty() { Value::Null } else { all.into() }
    }

    fn sort(&self, sort: &ViewSort) -> Option<Value> {
        let order = if sort.order == "DESC" { "desc" } else { "asc" };
        Some(json!({ "column": self.name(&sort.column)?, "order": order }))
    }

    fn group(&self, group: &ViewGroup) -> Option<Value> {
        let range = group.range.as_ref();
        let range = range.map(|it| json!({ "start": it.start, "end": it.end, "step": it.step }));
        Some(Value::Object(object([
            ("column", json!(self.name(&group.field)?)),
            ("by", json!(GROUPS.get(usize::try_from(group.method).ok()?))),
            ("order", json!(ORDERS.get(usize::try_from(group.order).ok()?))),
            ("range", range.unwrap_or_default()),
            ("hide_empty", group.hide_empty.then_some(true).into()),
        ])))
    }

    /// The columns that a view hides; each layout stores its own.
    fn hidden(&self, view: &View) -> Vec<Value> {
        let hidden = view.fields().iter().filter(|it| it.hidden);
        hidden.filter_map(|it| self.name(&it.id)).map(Value::from).collect()
    }
}
