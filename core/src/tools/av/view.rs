//! Views in this product's words: filters, sorting and grouping name columns, not their ids.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calc;
use crate::content::cell;
use crate::kernel::Ambient;
use crate::kernel::api::av::{Key, View};
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
pub(super) struct Words<'a> {
    pub(super) columns: BTreeMap<&'a str, &'a Key>,
    pub(super) ambient: &'a dyn Ambient,
}

impl Words<'_> {
    /// A view as an answer shows it.
    pub(super) fn view(&self, view: &View) -> Value {
        let filters: Vec<Value> =
            view.filters.iter().flatten().filter_map(|it| self.filter(it, DEEPEST)).collect();
        let filters = match filters.as_slice() {
            [] => Value::Null,
            [one] => one.clone(),
            several => json!({ "and": several }),
        };
        let sorts: Vec<Value> = view.sorts.iter().flatten().filter_map(|it| self.sort(it)).collect();
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
            (
                "order",
                listed(view.fields().filter_map(|it| self.name(it.get("id")?)).map(Value::from).collect()),
            ),
            ("calc", self.calc(view)),
            ("page_size", json!(view.page_size)),
        ]))
    }

    fn name(&self, id: &Value) -> Option<&str> {
        self.columns.get(id.as_str()?).map(|it| it.name.as_str())
    }

    /// One condition, or several that hold together; a condition without a column is dropped.
    fn filter(&self, filter: &Value, deepest: usize) -> Option<Value> {
        if let Some(inside) = filter.get("filters").and_then(Value::as_array).filter(|it| !it.is_empty()) {
            let deeper = deepest.checked_sub(1)?;
            let all: Vec<Value> = inside.iter().filter_map(|it| self.filter(it, deeper)).collect();
            let together = if filter["combination"] == "or" { "or" } else { "and" };
            return (!all.is_empty()).then(|| json!({ together: all }));
        }
        let key = self.columns.get(filter.get("column")?.as_str()?)?;
        let operator = filter.get("operator").and_then(Value::as_str).unwrap_or_default();
        let is = OPERATORS.iter().find(|(kernel, _)| *kernel == operator).map_or(operator, |(_, ours)| ours);
        // The operand of a relation or rollup may come from a database that is not shown.
        let parts = filter.get("value").and_then(Value::as_object);
        let value = parts.and_then(|it| self.operand(key, operator, it)).unwrap_or_default();
        let other = |name: &str| filter.get(name).cloned().unwrap_or_default();
        Some(Value::Object(object([
            ("column", json!(key.name)),
            ("is", json!(is)),
            ("value", value),
            ("quantifier", other("quantifier")),
            ("relative_date", other("relativeDate")),
            ("relative_date2", other("relativeDate2")),
        ])))
    }

    /// The value that a condition compares with; a span of time has two of them.
    fn operand(&self, key: &Key, operator: &str, parts: &Map<String, Value>) -> Option<Value> {
        let mut parts = parts.clone();
        if operator == "Is between"
            && let Some(date) = parts.get_mut("date").and_then(Value::as_object_mut)
        {
            date.insert("hasEndDate".to_owned(), true.into());
        }
        cell::of_kernel(&key.kind, &parts, self.ambient)
    }

    /// The calculations below columns, by their names.
    fn calc(&self, view: &View) -> Value {
        let calc = |it: &Value| {
            let operator = it.get("calc")?.get("operator")?.as_str().filter(|it| !it.is_empty())?;
            Some((self.name(it.get("id")?)?.to_owned(), json!(calc::told(operator))))
        };
        let all: Map<String, Value> = view.fields().filter_map(calc).collect();
        if all.is_empty() { Value::Null } else { all.into() }
    }

    fn sort(&self, sort: &Value) -> Option<Value> {
        let order = if sort["order"] == "DESC" { "desc" } else { "asc" };
        Some(json!({ "column": self.name(sort.get("column")?)?, "order": order }))
    }

    fn group(&self, group: &Value) -> Option<Value> {
        let by = usize::try_from(group["method"].as_u64().unwrap_or_default()).ok()?;
        let range = group.get("range").and_then(Value::as_object).map(|it| {
            let of = |name: &str| it.get(name).cloned().unwrap_or_default();
            json!({ "start": of("numStart"), "end": of("numEnd"), "step": of("numStep") })
        });
        Some(Value::Object(object([
            ("column", json!(self.name(group.get("field")?)?)),
            ("by", json!(GROUPS.get(by))),
            ("order", json!(ORDERS.get(usize::try_from(group["order"].as_u64().unwrap_or_default()).ok()?))),
            ("range", range.unwrap_or_default()),
            ("hide_empty", group["hideEmpty"].as_bool().filter(|it| *it).into()),
        ])))
    }

    /// The columns that a view hides; each layout stores its own.
    fn hidden(&self, view: &View) -> Vec<Value> {
        let hidden = view.fields().filter(|it| it["hidden"] == true);
        hidden.filter_map(|it| self.name(it.get("id")?)).map(Value::from).collect()
    }
}
