//! Views of databases: conditions, sorting, grouping, and the columns that a layout shows.
//!
//! A stored view is only read, and its types cannot be serialized. The kernel replaces a setting as a whole, so what is
//! sent is built from the call alone ([`NewFilter`], [`NewSort`], [`NewGroup`]), and no field that is unknown here gets
//! lost by a write.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The fields of an object in a stored view. The API contract leaves the shapes of these objects open, so a field of
/// another type counts as absent: it neither hides the rest of a condition nor makes the database unreadable.
struct Fields(Map<String, Value>);

impl Fields {
    fn of(value: Value) -> Fields {
        Fields(match value {
            Value::Object(fields) => fields,
            _ => Map::new(),
        })
    }

    fn any(&mut self, name: &str) -> Value {
        self.0.remove(name).unwrap_or_default()
    }

    fn text(&mut self, name: &str) -> String {
        match self.any(name) {
            Value::String(text) => text,
            _ => String::new(),
        }
    }

    fn object(&mut self, name: &str) -> Option<Map<String, Value>> {
        match self.any(name) {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    fn list(&mut self, name: &str) -> Option<Vec<Value>> {
        match self.any(name) {
            Value::Array(list) => Some(list),
            _ => None,
        }
    }

    fn all<T: From<Value>>(&mut self, name: &str) -> Vec<T> {
        self.list(name).into_iter().flatten().map(T::from).collect()
    }

    fn flag(&mut self, name: &str) -> bool {
        self.any(name) == true
    }

    fn number(&mut self, name: &str) -> u64 {
        self.any(name).as_u64().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub id: String,
    #[serde(default)]
    pub name: String,
    /// `table`, `gallery`, `kanban` ...
    #[serde(rename = "type", default)]
    pub layout: String,
    /// Conditions of which all must hold.
    #[serde(default, deserialize_with = "super::super::list")]
    pub filters: Vec<ViewFilter>,
    /// Columns in order of precedence.
    #[serde(default, deserialize_with = "super::super::list")]
    pub sorts: Vec<ViewSort>,
    /// The grouping of rows.
    #[serde(default)]
    pub group: Option<ViewGroup>,
    /// The groups of a grouped view, each with its rows.
    #[serde(default, deserialize_with = "super::super::list")]
    pub groups: Vec<RowGroup>,
    /// Ids of the rows in the order in which a person arranged them.
    #[serde(rename = "itemIds", default, deserialize_with = "super::super::list")]
    pub rows: Vec<String>,
    /// Rows per page.
    #[serde(default)]
    pub page_size: u64,
    /// The settings of each layout under its name; other fields are layouts without columns.
    #[serde(flatten)]
    layouts: BTreeMap<String, Layout>,
}

/// The columns of a layout.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
struct Layout(Vec<ViewField>);

impl From<Value> for Layout {
    fn from(value: Value) -> Layout {
        let mut fields = Fields::of(value);
        // A table names its list otherwise than the layouts of cards.
        let columns = fields.list("columns").or_else(|| fields.list("fields"));
        Layout(columns.into_iter().flatten().map(ViewField::from).collect())
    }
}

impl View {
    /// A table with these columns, shown and without calculations.
    pub fn table(columns: impl Iterator<Item = String>) -> View {
        let columns = columns.map(|id| ViewField { id, hidden: false, calc: None }).collect();
        let layouts = BTreeMap::from([("table".to_owned(), Layout(columns))]);
        View { layout: "table".to_owned(), layouts, ..View::default() }
    }

    /// The columns as its layout shows them, in their order.
    pub fn fields(&self) -> &[ViewField] {
        self.layouts.get(&self.layout).map_or(&[], |it| it.0.as_slice())
    }
}

/// A column in a view.
#[derive(Debug, Clone)]
pub struct ViewField {
    /// The column.
    pub id: String,
    /// Whether the view hides it.
    pub hidden: bool,
    /// The calculation below it.
    pub calc: Option<Calc>,
}

impl From<Value> for ViewField {
    fn from(value: Value) -> ViewField {
        let mut fields = Fields::of(value);
        let calc = fields.object("calc").map(|it| Calc::from(Value::Object(it)));
        ViewField { id: fields.text("id"), hidden: fields.flag("hidden"), calc }
    }
}

/// A calculation over the values of a column.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub struct Calc {
    /// Its operator; empty for none.
    pub operator: String,
}

impl From<Value> for Calc {
    fn from(value: Value) -> Calc {
        Calc { operator: Fields::of(value).text("operator") }
    }
}

/// A condition, or several that hold together.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub struct ViewFilter {
    /// `or` if one of the conditions suffices.
    pub combination: String,
    /// The conditions; empty in a single one.
    pub filters: Vec<ViewFilter>,
    /// The column of a single condition; one without a column is no condition.
    pub column: String,
    pub operator: String,
    /// The value that it compares with, under the kernel's names.
    pub value: Option<Map<String, Value>>,
    /// The number of related values that must meet it.
    pub quantifier: String,
    /// The moment, relative to now, that it compares with; null for none.
    pub relative_date: Value,
    /// The end of a span of time, relative to now; null for none.
    pub relative_date2: Value,
}

impl From<Value> for ViewFilter {
    fn from(value: Value) -> ViewFilter {
        let mut fields = Fields::of(value);
        ViewFilter {
            combination: fields.text("combination"),
            filters: fields.all("filters"),
            column: fields.text("column"),
            operator: fields.text("operator"),
            value: fields.object("value"),
            quantifier: fields.text("quantifier"),
            relative_date: fields.any("relativeDate"),
            relative_date2: fields.any("relativeDate2"),
        }
    }
}

impl ViewFilter {
    /// Columns and operators of single conditions, from first to last.
    pub fn conditions(all: &[ViewFilter]) -> Vec<(&str, &str)> {
        let each = all.iter().flat_map(|it| match it.filters.as_slice() {
            [] => vec![(it.column.as_str(), it.operator.as_str())],
            inside => ViewFilter::conditions(inside),
        });
        each.filter(|(column, _)| !column.is_empty()).collect()
    }
}

/// A column by which rows are sorted.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub struct ViewSort {
    pub column: String,
    /// `ASC` or `DESC`.
    pub order: String,
}

impl From<Value> for ViewSort {
    fn from(value: Value) -> ViewSort {
        let mut fields = Fields::of(value);
        ViewSort { column: fields.text("column"), order: fields.text("order") }
    }
}

/// The grouping of rows.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub struct ViewGroup {
    /// The column; empty for no grouping.
    pub field: String,
    /// The kernel's number for the kind of grouping.
    pub method: u64,
    /// The kernel's number for the order of groups.
    pub order: u64,
    /// The span of numbers that is cut into groups.
    pub range: Option<GroupRange>,
    /// Whether groups without rows are hidden.
    pub hide_empty: bool,
}

impl From<Value> for ViewGroup {
    fn from(value: Value) -> ViewGroup {
        let mut fields = Fields::of(value);
        let range = fields.object("range").map(|it| {
            let mut range = Fields(it);
            GroupRange { start: range.any("numStart"), end: range.any("numEnd"), step: range.any("numStep") }
        });
        ViewGroup {
            field: fields.text("field"),
            method: fields.number("method"),
            order: fields.number("order"),
            range,
            hide_empty: fields.flag("hideEmpty"),
        }
    }
}

/// The span of numbers that is cut into groups; numbers as the kernel prints them, null where one is missing.
#[derive(Debug, Clone)]
pub struct GroupRange {
    /// The smallest number.
    pub start: Value,
    /// The largest number.
    pub end: Value,
    /// The span of one group.
    pub step: Value,
}

/// One group of a grouped view.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub struct RowGroup {
    pub id: String,
    /// Its name; empty if it is named after the value that its rows share.
    pub name: String,
    /// The value that its rows share, under the kernel's names.
    pub value: Option<Map<String, Value>>,
    /// Ids of its rows.
    pub rows: Vec<String>,
}

impl From<Value> for RowGroup {
    fn from(value: Value) -> RowGroup {
        let mut fields = Fields::of(value);
        let rows = fields.list("groupItemIds").into_iter().flatten();
        RowGroup {
            rows: rows.filter_map(|it| it.as_str().map(str::to_owned)).collect(),
            id: fields.text("id"),
            name: fields.text("name"),
            value: fields.object("groupVal"),
        }
    }
}

impl RowGroup {
    /// The text above the group: its own name, the option, or the text that its rows share.
    pub fn title(&self) -> Option<&str> {
        if !self.name.is_empty() {
            return Some(&self.name);
        }
        let value = self.value.as_ref()?;
        let option = value.get("mSelect").and_then(|it| it.pointer("/0/content"));
        let text = || value.get(value.get("type")?.as_str()?)?.get("content");
        option.or_else(text)?.as_str()
    }
}

/// Conditions to set.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum NewFilter {
    /// Several that hold together.
    All {
        combination: String,
        /// The conditions.
        filters: Vec<NewFilter>,
    },
    /// A single one.
    One {
        column: String,
        operator: &'static str,
        /// The value that it compares with, under the kernel's names.
        value: Value,
    },
}

impl NewFilter {
    /// Columns and operators of single conditions, from first to last.
    pub fn conditions(&self) -> Vec<(&str, &str)> {
        match self {
            NewFilter::All { filters, .. } => filters.iter().flat_map(NewFilter::conditions).collect(),
            NewFilter::One { column, operator, .. } => vec![(column, operator)],
        }
    }
}

/// A column to sort by.
#[derive(Debug, Clone, Serialize)]
pub struct NewSort {
    pub column: String,
    /// `ASC` or `DESC`.
    pub order: &'static str,
}

/// A grouping to set.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewGroup {
    /// The column.
    pub field: String,
    /// The kernel's number for the kind of grouping.
    pub method: u64,
    /// The kernel's number for the order of groups.
    pub order: u64,
    /// Whether groups without rows are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hide_empty: Option<bool>,
    /// The span of numbers that is cut into groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<NewRange>,
}

/// A span of numbers to cut into groups.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewRange {
    /// The smallest number.
    pub num_start: f64,
    /// The largest number.
    pub num_end: f64,
    /// The span of one group.
    pub num_step: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> View {
        serde_json::from_str(text).unwrap()
    }

    /// Layouts of later versions are fields with names that are not known here, among fields that are no layouts.
    #[test]
    fn columns_are_those_of_the_views_own_layout() {
        let fields = |layout: &str| {
            let text = r#"{"id":"a","type":"LAYOUT","desc":"","itemIds":["r"],"filters":null,"wrap":true,"hat":{"fields":7},
                "table":{"columns":[{"id":"one","width":"80px"}]},"orbit":{"fields":[{"id":"two","hidden":true}]}}"#;
            let view = view(&text.replace("LAYOUT", layout));
            let each = view.fields().iter().map(|it| (it.id.clone(), it.hidden));
            each.collect::<Vec<_>>()
        };
        assert_eq!(fields("table"), [("one".to_owned(), false)]);
        assert_eq!(fields("orbit"), [("two".to_owned(), true)]);
        for none in ["desc", "hat", "kanban"] {
            assert_eq!(fields(none), [], "{none}");
        }
    }

    /// A condition keeps its column, by which its notebooks are judged, whatever else is in it.
    #[test]
    fn a_field_of_another_type_hides_nothing_else() {
        let filters = r#"["x",null,{"column":"c","operator":"=","value":[],"quantifier":1,"filters":[{"column":"d"}]}]"#;
        let view =
            view(&format!(r#"{{"id":"a","filters":{filters},"sorts":["x"],"group":"x","groups":["x"]}}"#));
        let columns: Vec<&str> = view.filters.iter().map(|it| it.column.as_str()).collect();
        assert_eq!(columns, ["", "", "c"]);
        assert_eq!(ViewFilter::conditions(&view.filters), [("d", "")]);
        assert_eq!((view.sorts.len(), view.group.is_some(), view.groups.len()), (1, true, 1));
    }

    #[test]
    fn a_group_is_named_after_itself_its_option_or_its_text() {
        let title = |text: &str| {
            let group: RowGroup = serde_json::from_str(text).unwrap();
            group.title().map(str::to_owned)
        };
        let option = r#""groupVal":{"type":"mSelect","mSelect":[{"content":"Done"}]}"#;
        assert_eq!(title(&format!(r#"{{"name":"Own",{option}}}"#)).as_deref(), Some("Own"));
        assert_eq!(title(&format!(r#"{{"name":"",{option}}}"#)).as_deref(), Some("Done"));
        let text = r#"{"groupVal":{"type":"text","text":{"content":"Mint"}}}"#;
        assert_eq!(title(text).as_deref(), Some("Mint"));
        for none in [r#"{"groupVal":null}"#, r#"{"groupVal":{"type":"number","number":{"content":3}}}"#] {
            assert_eq!(title(none), None, "{none}");
        }
    }
}
