//! The settings of a view: what a caller says, the checks, and the operations on the view that a block shows.

use serde_json::{Map, Value, json};

use super::calc::operator;
use super::view::{GROUPS, OPERATORS};
use crate::args::{Arg, Object, Plain, Spot};
use crate::content::cell;
use crate::content::database::Visible;
use crate::kernel::api::av::{Key, Operation, View};
use crate::prelude::*;
use crate::spec::{Kind, ReadBy};

/// The maximum depth of groups of conditions that the kernel takes.
const DEEPEST: usize = 3;
/// The maximum number of conditions.
const MOST: usize = 64;

/// The types of columns whose values agents write as words, or whose groups have names of SiYuan's own. SiYuan shows the
/// name of a group as HTML, and for other columns that is text of a block, a template or a file.
const NAMED: [&str; 11] = [
    "select", "mSelect", "checkbox", "number", "date", "created", "updated", "text", "url", "email", "phone",
];
const UNNAMED: &str = "a column of text, options, numbers, dates or checkboxes: SiYuan shows the names of groups as HTML, so only a person groups by titles, relations, rollups, templates and files";

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

/// Conditions: a group of them, a list of which all must hold, or none at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Filters(Map<String, Value>);

#[diagnostic::do_not_recommend]
impl Plain for Filters {}

impl Arg for Filters {
    const KIND: Kind = Kind::Object;
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            Some(Value::Object(group)) => Some(Filters(group)),
            Some(Value::Array(none)) if none.is_empty() => Some(Filters(Map::new())),
            Some(Value::Array(all)) => Some(Filters(Map::from_iter([("and".to_owned(), Value::Array(all))]))),
            _ => spot.expected("{and: [...]} or {or: [...]}, or [] for none"),
        }
    }
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

/// Operations on the view that a block shows, and the values that the view has after them.
#[derive(Debug, Default, Hash)]
pub(super) struct Setting {
    pub(super) operations: Vec<Operation>,
    pub(super) wanted: Vec<(&'static str, Value)>,
}

impl Setting {
    pub(super) fn add(&mut self, field: &'static str, wanted: Value, operation: Operation) {
        self.operations.push(operation);
        self.wanted.push((field, wanted));
    }

    /// The settings that a view has now, and those that it lacks although the kernel reported success.
    pub(super) fn found(&self, view: &View) -> (Vec<&'static str>, Vec<&'static str>) {
        let fields = self.wanted.iter();
        let (found, lost): (Vec<_>, Vec<_>) =
            fields.partition(|(field, wanted)| stored(view, field) == *wanted);
        (found.into_iter().map(|it| it.0).collect(), lost.into_iter().map(|it| it.0).collect())
    }
}

/// The part of a view that a setting sets.
fn stored(view: &View, field: &str) -> Value {
    let listed = |all: &Option<Vec<Value>>| all.clone().unwrap_or_default();
    match field {
        "name" => json!(view.name),
        "layout" => json!(view.layout),
        "page_size" => json!(view.page_size),
        "filters" => json!(leaves(&listed(&view.filters))),
        "sorts" => listed(&view.sorts).iter().map(|it| json!([it["column"], it["order"]])).collect(),
        "group" => match &view.group {
            Some(group) if group["field"] != "" => json!([group["field"], group["method"]]),
            _ => Value::Null,
        },
        "hidden" => {
            let mut ids: Vec<&str> = view.fields().filter(|it| it["hidden"] == true).filter_map(id).collect();
            ids.sort_unstable();
            json!(ids)
        }
        "order" => view.fields().filter_map(id).collect(),
        "calc" => {
            let calc =
                |it: &Value| Some(json!([id(it)?, it.get("calc")?["operator"]])).filter(|it| it[1] != "");
            view.fields().filter_map(calc).filter(|it| !it[1].is_null()).collect()
        }
        _ => Value::Null,
    }
}

fn id(field: &Value) -> Option<&str> {
    field.get("id")?.as_str()
}

/// Columns and operators of all conditions, from first to last.
fn leaves(filters: &[Value]) -> Vec<Value> {
    filters
        .iter()
        .flat_map(|it| match it.get("filters").and_then(Value::as_array) {
            Some(inside) if !inside.is_empty() => leaves(inside),
            _ if it["column"].as_str().is_none_or(str::is_empty) => Vec::new(),
            _ => vec![json!([it["column"], it["operator"]])],
        })
        .collect()
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
        if let Some(Filters(filters)) = &self.filters {
            let mut left = MOST;
            let root = match filters.is_empty() {
                true => json!({ "combination": "and", "filters": [] }),
                false => group_of_filters("filters", filters, (of, cx), DEEPEST, &mut left)?,
            };
            let data = json!([root]);
            let wanted = leaves(data.as_array().map_or(&[], Vec::as_slice));
            all.add("filters", json!(wanted), Operation::set_filters(database, carrier, &data));
        }
        if let Some(sorts) = &self.sorts {
            let mut data: Vec<Value> = Vec::new();
            for (at, sort) in sorts.as_slice().iter().enumerate() {
                let key = &of.column(&format!("sorts[{at}].column"), sort.column.as_str())?.key;
                let order = if sort.order == Direction::Desc { "DESC" } else { "ASC" };
                data.push(json!({ "column": key.id, "order": order }));
            }
            let wanted = data.iter().map(|it| json!([it["column"], it["order"]])).collect();
            all.add("sorts", wanted, Operation::set_sorts(database, carrier, &json!(data)));
        }
        if let Some(Object(group)) = &self.group {
            if group.is_empty() {
                all.add("group", Value::Null, Operation::ungroup(database, carrier));
            } else {
                let data = grouping(group, of)?;
                let wanted = json!([data.get("field"), data.get("method")]);
                all.add("group", wanted, Operation::set_group(database, carrier, &data));
            }
        }
        let keys =
            |field: &'static str, names: &Many<Text<1, 512>, 0, 64>| -> Result<Vec<String>, ToolError> {
                let key = |name: &Text<1, 512>| of.column(field, name.as_str()).map(|it| it.key.id.clone());
                names.as_slice().iter().map(key).collect()
            };
        if let Some(hidden) = &self.hidden {
            let mut wanted = keys("hidden", hidden)?;
            wanted.sort_unstable();
            wanted.dedup();
            for key in of.keys() {
                let hides = wanted.contains(&key.id);
                all.operations.push(Operation::hide(database, carrier, &key.id, hides));
            }
            all.wanted.push(("hidden", json!(wanted)));
        }
        if let Some(order) = &self.order {
            let key = |name: &Text<1, 512>| of.column("order", name.as_str()).map(|it| it.key.id.clone());
            let mut first: Vec<String> = order.as_slice().iter().map(key).collect::<Result<_, _>>()?;
            let known = first.len();
            first.sort_unstable();
            first.dedup();
            if first.len() < known {
                return Err(ToolError::field("order", "each column once"));
            }
            let mut first: Vec<String> = order.as_slice().iter().map(key).collect::<Result<_, _>>()?;
            let mut previous = "";
            for key in &first {
                all.operations.push(Operation::sort_column(database, carrier, key, previous));
                previous = key;
            }
            let others: Vec<&str> = view.fields().filter_map(id).collect();
            let others: Vec<String> = others
                .into_iter()
                .filter(|it| !first.iter().any(|key| key == it))
                .map(str::to_owned)
                .collect();
            first.extend(others);
            all.wanted.push(("order", json!(first)));
        }
        if let Some(Object(calc)) = &self.calc {
            let mut wanted = stored(view, "calc").as_array().cloned().unwrap_or_default();
            for (name, word) in calc {
                let field = format!("calc.{name}");
                let key = &of.column(&field, name)?.key;
                let word = operator(&field, word.as_str().unwrap_or_default())?;
                all.operations.push(Operation::calculate(database, carrier, &key.id, word));
                wanted.retain(|it| it[0] != *key.id);
                wanted.extend((!word.is_empty()).then(|| json!([key.id, word])));
            }
            let place = |it: &Value| view.fields().filter_map(id).position(|id| it[0] == *id);
            if self.order.is_none() {
                wanted.sort_by_key(place);
                all.wanted.push(("calc", json!(wanted)));
            }
        }
        if let Some(size) = self.page_size.map(Int::get) {
            all.add("page_size", json!(size), Operation::set_page_size(database, carrier, size));
        }
        Ok(all)
    }
}

/// Conditions of which all or any must hold.
fn group_of_filters(
    field: &str,
    group: &Map<String, Value>,
    (of, cx): (&Visible, &Cx<'_>),
    deepest: usize,
    left: &mut usize,
) -> Result<Value, ToolError> {
    let expected =
        || ToolError::field(field, "{and: [...]} or {or: [...]}, nested at most 3 deep, of 64 conditions");
    let deeper = deepest.checked_sub(1).ok_or_else(expected)?;
    let mut parts = group.iter();
    let (Some((together, Value::Array(inside))), None) = (parts.next(), parts.next()) else {
        return Err(expected());
    };
    if !matches!(together.as_str(), "and" | "or") || inside.is_empty() {
        return Err(expected());
    }
    let mut all = Vec::with_capacity(inside.len());
    for (at, filter) in inside.iter().enumerate() {
        let field = format!("{field}.{together}[{at}]");
        let filter = filter.as_object().ok_or_else(expected)?;
        *left = left.checked_sub(1).ok_or_else(expected)?;
        all.push(match filter.contains_key("column") {
            true => condition(&field, filter, of, cx)?,
            false => group_of_filters(&field, filter, (of, cx), deeper, left)?,
        });
    }
    Ok(json!({ "combination": together, "filters": all }))
}

fn condition(
    field: &str,
    filter: &Map<String, Value>,
    of: &Visible,
    cx: &Cx<'_>,
) -> Result<Value, ToolError> {
    if let Some(other) = filter.keys().find(|it| !matches!(it.as_str(), "column" | "is" | "value")) {
        return Err(ToolError::field(
            &format!("{field}.{other}"),
            "left out: a condition is {column, is, value}",
        ));
    }
    let text = |name: &str| filter.get(name).and_then(Value::as_str).unwrap_or_default();
    let key = &of.column(&format!("{field}.column"), text("column"))?.key;
    let operator = OPERATORS.iter().find(|(_, ours)| *ours == text("is")).ok_or_else(|| {
        let known: Vec<&str> = OPERATORS.iter().map(|(_, ours)| *ours).collect();
        ToolError::field(&format!("{field}.is"), format!("one of {}", known.join(", ")))
    })?;
    let value = filter.get("value").filter(|it| !it.is_null());
    let takes_none = matches!(operator.1, "empty" | "not_empty" | "true" | "false");
    let mut operand = match value {
        None if takes_none => json!({}),
        Some(value) if !takes_none => operand(key, value, cx)
            .map_err(|expected| ToolError::field(&format!("{field}.value"), expected))?,
        _ => {
            let expected =
                if takes_none { "left out: this condition takes none" } else { "the value to compare with" };
            return Err(ToolError::field(&format!("{field}.value"), expected));
        }
    };
    if let Some(map) = operand.as_object_mut() {
        map.insert("type".to_owned(), json!(key.kind));
    }
    Ok(json!({ "column": key.id, "operator": operator.0, "value": operand }))
}

/// The value that a condition compares with, as the kernel stores it.
fn operand(key: &Key, value: &Value, cx: &Cx<'_>) -> Result<Value, String> {
    match key.kind.as_str() {
        "created" | "updated" => {
            let date = cell::to_kernel("date", value, cx.ambient())?;
            Ok(json!({ key.kind.as_str(): date.get("date") }))
        }
        "template" => {
            let text = cell::to_kernel("text", value, cx.ambient())?;
            Ok(json!({ "template": text.get("text") }))
        }
        "relation" | "rollup" | "mAsset" | "lineNumber" => {
            Err("left out: a column of this type is compared by empty and not_empty only".to_owned())
        }
        kind => cell::to_kernel(kind, value, cx.ambient()),
    }
}

fn grouping(group: &Map<String, Value>, of: &Visible) -> Result<Value, ToolError> {
    const EXPECTED: &str = "{column, by?, range?: {start, end, step}, hide_empty?}";
    let expected = || ToolError::field("group", EXPECTED);
    if group.keys().any(|it| !matches!(it.as_str(), "column" | "by" | "range" | "hide_empty")) {
        return Err(expected());
    }
    let text = |name: &str| group.get(name).map(|it| it.as_str().ok_or_else(expected)).transpose();
    let key = &of.column("group.column", text("column")?.ok_or_else(expected)?)?.key;
    if !NAMED.contains(&key.kind.as_str()) {
        return Err(ToolError::field("group.column", UNNAMED));
    }
    let by = text("by")?.unwrap_or("value");
    let method = GROUPS.iter().position(|it| *it == by);
    let method =
        method.ok_or_else(|| ToolError::field("group.by", format!("one of {}", GROUPS.join(", "))))?;
    let fits = match method {
        0 => true,
        1 => key.kind == "number",
        _ => matches!(key.kind.as_str(), "date" | "created" | "updated"),
    };
    if !fits {
        return Err(ToolError::field(
            "group.by",
            format!("another way: the column is of the type {}", key.kind),
        ));
    }
    let mut data = json!({ "field": key.id, "method": method, "order": 0 });
    if let (Some(map), Some(hides)) = (data.as_object_mut(), group.get("hide_empty")) {
        map.insert("hideEmpty".to_owned(), json!(hides.as_bool().ok_or_else(expected)?));
    }
    if method == 1 {
        let of = |name: &str| group.get("range")?.get(name)?.as_f64();
        let (start, end, step) = (of("start"), of("end"), of("step"));
        let (Some(start), Some(end), Some(step)) = (start, end, step) else { return Err(expected()) };
        // The kernel makes a group for each step.
        if !(step > 0.0 && end > start && (end - start) / step <= 200.0) {
            return Err(ToolError::field("group.range", "at most 200 steps from start to a larger end"));
        }
        if let Some(map) = data.as_object_mut() {
            map.insert("range".to_owned(), json!({ "numStart": start, "numEnd": end, "numStep": step }));
        }
    }
    Ok(data)
}
