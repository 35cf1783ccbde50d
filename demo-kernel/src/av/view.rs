//! Views of a database: their layout, filters, sorting and groups, as they are stored.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};

use super::key::{Column, Key};
use super::value::{Value, ValueKind, short_number};
use crate::siyuan::Siyuan;

/// The default number of rows that a view shows.
pub(crate) const PAGE_SIZE: i64 = 50;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum LayoutKind {
    #[default]
    Table,
    Gallery,
    Kanban,
    /// Since SiYuan 3.8.
    List,
    /// Since SiYuan 3.8.
    Calendar,
    /// Newer than SiYuan 3.8.6.
    Map,
}

impl LayoutKind {
    const ALL: [LayoutKind; 6] = {
        use LayoutKind::{Calendar, Gallery, Kanban, List, Map, Table};
        [Table, Gallery, Kanban, List, Calendar, Map]
    };

    /// The layout of that name, if the version of SiYuan has it.
    pub(crate) fn named(siyuan: Siyuan, name: &str) -> Option<LayoutKind> {
        let kind: LayoutKind = serde_json::from_value(Json::from(name)).ok()?;
        let is_new = matches!(kind, LayoutKind::List | LayoutKind::Calendar | LayoutKind::Map);
        (siyuan.is_newer() || !is_new).then_some(kind)
    }

    /// Whether it shows rows with columns, not cards.
    pub(crate) fn has_rows(self) -> bool {
        !matches!(self, LayoutKind::Gallery | LayoutKind::Kanban)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            LayoutKind::Table => "table",
            LayoutKind::Gallery => "gallery",
            LayoutKind::Kanban => "kanban",
            LayoutKind::List => "list",
            LayoutKind::Calendar => "calendar",
            LayoutKind::Map => "map",
        }
    }

    /// The name of a new view.
    pub(crate) fn title(self) -> &'static str {
        match self {
            LayoutKind::Table => "Table",
            LayoutKind::Gallery => "Card",
            LayoutKind::Kanban => "Kanban",
            LayoutKind::List => "List",
            LayoutKind::Calendar => "Calendar",
            LayoutKind::Map => "Map",
        }
    }
}

/// A view, or a group of one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct View {
    pub(crate) id: String,
    pub(crate) icon: String,
    pub(crate) name: String,
    pub(crate) hide_attr_view_name: bool,
    pub(crate) desc: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) filters: Vec<Filter>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sorts: Vec<Sort>,
    pub(crate) page_size: i64,
    #[serde(rename = "type")]
    pub(crate) layout: LayoutKind,
    #[serde(skip_serializing_if = "Option::is_none", with = "columns")]
    pub(crate) table: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gallery: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kanban: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none", with = "columns")]
    pub(crate) list: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none", with = "columns")]
    pub(crate) calendar: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none", with = "columns")]
    pub(crate) map: Option<Layout>,
    /// The order of the rows.
    #[serde(rename = "itemIds", skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<Grouping>,
    pub(crate) group_created: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) groups: Vec<View>,
    #[serde(rename = "groupItemIds")]
    pub(crate) group_items: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group_key: Option<Key>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group_val: Option<Value>,
    pub(crate) group_folded: bool,
    /// 0 shown, 1 hidden while empty, 2 hidden by hand.
    pub(crate) group_hidden: i64,
    pub(crate) group_sort: i64,
}

/// The own settings of a layout: the columns, and the look of cards.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Layout {
    pub(crate) spec: i64,
    pub(crate) id: String,
    pub(crate) show_icon: bool,
    pub(crate) wrap_field: bool,
    #[serde(deserialize_with = "maybe_null", serialize_with = "null_when_empty")]
    pub(crate) fields: Vec<ViewColumn>,
    #[serde(flatten)]
    pub(crate) look: Map<String, Json>,
}

fn maybe_null<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ViewColumn>, D::Error> {
    Ok(Option::<Vec<ViewColumn>>::deserialize(from)?.unwrap_or_default())
}

fn null_when_empty<S: Serializer>(fields: &[ViewColumn], to: S) -> Result<S::Ok, S::Error> {
    (!fields.is_empty()).then_some(fields).serialize(to)
}

/// In a table the fields are called columns.
mod columns {
    use super::{Deserialize, Deserializer, Json, Layout, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(layout: &Option<Layout>, to: S) -> Result<S::Ok, S::Error> {
        let mut json = serde_json::to_value(layout).map_err(serde::ser::Error::custom)?;
        rename(&mut json, "fields", "columns");
        json.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Layout>, D::Error> {
        let mut json = Json::deserialize(from)?;
        rename(&mut json, "columns", "fields");
        serde_json::from_value(json).map_err(serde::de::Error::custom)
    }

    fn rename(json: &mut Json, from: &str, to: &str) {
        if let Some(map) = json.as_object_mut() {
            let fields = map.remove(from).unwrap_or_default();
            map.insert(to.to_owned(), fields);
        }
    }
}

/// A column as a view shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ViewColumn {
    pub(crate) id: String,
    pub(crate) wrap: bool,
    pub(crate) hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) calc: Option<Calculation>,
    // These three are of tables only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pin: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) align: Option<String>,
}

/// The calculation below a column.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Calculation {
    pub(crate) operator: String,
    pub(crate) result: Option<Box<Value>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) template: String,
}

/// A condition, or several that are combined.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Filter {
    pub(crate) column: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) quantifier: String,
    pub(crate) operator: String,
    pub(crate) value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relative_date: Option<RelativeDate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relative_date2: Option<RelativeDate>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) combination: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) filters: Vec<Filter>,
}

/// A number of units before (-1), around (0) or after (1) now; units are day, week, month, year.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RelativeDate {
    pub(crate) count: i32,
    pub(crate) unit: i64,
    pub(crate) direction: i64,
}

impl Filter {
    /// All of these.
    pub(crate) fn all(filters: Vec<Filter>) -> Filter {
        Filter { combination: "and".into(), filters, ..Filter::default() }
    }

    pub(crate) fn is_group(&self) -> bool {
        !self.combination.is_empty() || !self.filters.is_empty()
    }

    /// The depth of nested groups in it.
    pub(crate) fn depth(&self) -> usize {
        self.filters.iter().filter(|child| child.is_group()).map(|child| child.depth() + 1).max().unwrap_or(0)
    }

    /// Only the conditions on columns that pass; groups that lose all they had go too.
    pub(crate) fn keep(filters: Vec<Filter>, passes: &impl Fn(&str) -> bool) -> Vec<Filter> {
        let mut kept = Vec::new();
        for mut filter in filters {
            if filter.is_group() {
                filter.filters = Filter::keep(filter.filters, passes);
                if !filter.filters.is_empty() {
                    kept.push(filter);
                }
            } else if passes(&filter.column) {
                kept.push(filter);
            }
        }
        kept
    }

    /// Calls `f` for each condition.
    pub(crate) fn each(filters: &mut [Filter], f: &mut impl FnMut(&mut Filter)) {
        for filter in filters {
            if filter.is_group() {
                Filter::each(&mut filter.filters, f);
            } else {
                f(filter);
            }
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Sort {
    pub(crate) column: String,
    pub(crate) order: String,
}

/// The rule by which a view groups rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Grouping {
    pub(crate) field: String,
    /// 0 value, 1 range of numbers, 2 relative date, 3 day, 4 week, 5 month, 6 year.
    pub(crate) method: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<Range>,
    /// 0 ascending, 1 descending, 2 manual, 3 in the order of the options.
    pub(crate) order: i64,
    pub(crate) hide_empty: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Range {
    #[serde(serialize_with = "short_number")]
    pub(crate) num_start: f64,
    #[serde(serialize_with = "short_number")]
    pub(crate) num_end: f64,
    #[serde(serialize_with = "short_number")]
    pub(crate) num_step: f64,
}

impl Layout {
    /// A layout of that kind with these columns.
    pub(crate) fn new(kind: LayoutKind, columns: &[ViewColumn]) -> Layout {
        let look = match kind {
            LayoutKind::Table | LayoutKind::List => json!({ "rowIds": null }),
            LayoutKind::Calendar => json!({
                "rowIds": null, "settings": { "dateKeyID": "", "colorKeyID": "", "weekStart": 0 },
            }),
            LayoutKind::Map => json!({
                "rowIds": null, "settings": { "serviceID": "", "locationKeyID": "", "showRecordList": true },
            }),
            LayoutKind::Gallery => json!({
                "coverFrom": 1, "cardAspectRatio": 0, "cardSize": 1, "fitImage": false, "displayFieldName": false,
                "cardIds": null,
            }),
            LayoutKind::Kanban => json!({
                "coverFrom": 1, "cardAspectRatio": 0, "cardSize": 1, "fitImage": false, "displayFieldName": false,
                "fillColBackgroundColor": false,
            }),
        };
        let look = look.as_object().cloned().unwrap_or_default();
        let fields = columns.iter().map(|field| ViewColumn::new(&field.id, kind)).collect();
        Layout { spec: 0, id: crate::id::new_id(), show_icon: true, wrap_field: false, fields, look }
    }
}

impl ViewColumn {
    pub(crate) fn new(id: &str, kind: LayoutKind) -> ViewColumn {
        let table = kind.has_rows();
        ViewColumn {
            id: id.to_owned(),
            pin: table.then_some(false),
            width: table.then(String::new),
            ..ViewColumn::default()
        }
    }
}

impl View {
    /// A view of that kind with these columns.
    pub(crate) fn new(kind: LayoutKind, columns: &[ViewColumn]) -> View {
        let mut view = View {
            id: crate::id::new_id(),
            name: kind.title().into(),
            filters: vec![Filter::all(Vec::new())],
            page_size: PAGE_SIZE,
            layout: kind,
            ..View::default()
        };
        *view.slot(kind) = Some(Layout::new(kind, columns));
        view
    }

    fn slot(&mut self, kind: LayoutKind) -> &mut Option<Layout> {
        match kind {
            LayoutKind::Table => &mut self.table,
            LayoutKind::Gallery => &mut self.gallery,
            LayoutKind::Kanban => &mut self.kanban,
            LayoutKind::List => &mut self.list,
            LayoutKind::Calendar => &mut self.calendar,
            LayoutKind::Map => &mut self.map,
        }
    }

    /// The layout it shows.
    pub(crate) fn shown_layout(&self) -> Option<&Layout> {
        match self.layout {
            LayoutKind::Table => self.table.as_ref(),
            LayoutKind::Gallery => self.gallery.as_ref(),
            LayoutKind::Kanban => self.kanban.as_ref(),
            LayoutKind::List => self.list.as_ref(),
            LayoutKind::Calendar => self.calendar.as_ref(),
            LayoutKind::Map => self.map.as_ref(),
        }
    }

    pub(crate) fn shown_layout_mut(&mut self) -> Option<&mut Layout> {
        self.slot(self.layout).as_mut()
    }

    /// The columns it shows.
    pub(crate) fn fields(&self) -> &[ViewColumn] {
        self.shown_layout().map(|layout| layout.fields.as_slice()).unwrap_or_default()
    }

    /// All layouts it has, with their kinds.
    pub(crate) fn layouts_mut(&mut self) -> impl Iterator<Item = (LayoutKind, &mut Layout)> {
        let all = [
            (LayoutKind::Table, self.table.as_mut()),
            (LayoutKind::Gallery, self.gallery.as_mut()),
            (LayoutKind::Kanban, self.kanban.as_mut()),
            (LayoutKind::List, self.list.as_mut()),
            (LayoutKind::Calendar, self.calendar.as_mut()),
            (LayoutKind::Map, self.map.as_mut()),
        ];
        all.into_iter().filter_map(|(kind, layout)| Some((kind, layout?)))
    }

    /// Takes another layout; columns come along when it is new.
    pub(crate) fn change_layout(&mut self, kind: LayoutKind) {
        let columns = self.fields().to_vec();
        self.layout = kind;
        let titles = LayoutKind::ALL.map(LayoutKind::title);
        if titles.contains(&self.name.as_str()) {
            self.name = kind.title().into();
        }
        self.slot(kind).get_or_insert_with(|| Layout::new(kind, &columns));
    }

    pub(crate) fn is_grouped(&self) -> bool {
        self.group.as_ref().is_some_and(|group| !group.field.is_empty())
    }

    /// Forgets the groups.
    pub(crate) fn ungroup(&mut self) {
        (self.group, self.groups, self.group_created) = (None, Vec::new(), 0);
    }

    /// The value that a group stands for, as text.
    pub(crate) fn group_value(&self) -> String {
        self.group_val.as_ref().map(|value| value.shown(false)).unwrap_or_default()
    }

    /// Whether it is grouped by dates, which move from day to day.
    pub(crate) fn is_grouped_by_date(&self) -> bool {
        self.is_grouped() && self.group.as_ref().is_some_and(|group| group.method >= 2)
    }

    /// Whether it is grouped by a column of that type.
    pub(crate) fn group_kind(&self, keys: &[Column]) -> Option<ValueKind> {
        let field = &self.group.as_ref()?.field;
        keys.iter().find(|column| column.key.id == *field).map(|column| column.key.kind)
    }
}
