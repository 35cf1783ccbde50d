//! The rows of a view as the caller may see them: which ones, in which order, with their cells.
//!
//! The kernel filters, sorts and groups over every row, over related rows and over templates that may query any
//! notebook. While a notebook is hidden from the caller, conditions on such columns would tell of it, so rows are then
//! listed without them, and the answer says so.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::related::{RelatedDatabases, RolledUp};
use crate::content::cell;
use crate::content::database::{Cells, DatabaseRow, Visible};
use crate::kernel::api::av::{ColumnKey, Item, Rendered, View, ViewFilter};
use crate::prelude::*;
use crate::sorted::{IntoSorted as _, SharedSort as _};

/// Types of columns whose values come from their own row alone.
const OWN: [&str; 14] = [
    "block",
    "text",
    "url",
    "email",
    "phone",
    "number",
    "date",
    "select",
    "mSelect",
    "checkbox",
    "mAsset",
    "created",
    "updated",
    "lineNumber",
];

/// The relation of a rollup, by its id, with the column that it shows.
type RollupColumn<'t> = (&'t str, RolledUp<'t>);

/// A view with its rows.
#[derive(Debug)]
pub(super) struct ViewTable<'d> {
    database: &'d Visible,
    related: RelatedDatabases,
    /// Numbers of the rows among those of the database, each with its groups.
    order: Vec<(usize, Vec<String>)>,
    /// Values that the kernel computed, by column and row.
    computed: BTreeMap<(String, String), Map<String, Value>>,
    /// Names of the columns whose conditions do not count.
    pub(super) ignored: Vec<String>,
    any_hidden: bool,
}

impl<'d> ViewTable<'d> {
    /// Reads a view.
    pub(super) async fn read(
        id: &AvId,
        database: &'d Visible,
        view: &View,
        cx: &Cx<'_>,
    ) -> Result<ViewTable<'d>, ToolError> {
        let any_hidden = cx.grants().any_hidden();
        let used = conditions(view);
        let names = database.column_names();
        let shared = used.iter().filter_map(|it| names.get(*it)).filter(|it| !is_own(it));
        let ignored: Vec<String> = shared.filter(|_| any_hidden).map(|it| it.name.clone()).collect();
        let related = RelatedDatabases::read(database.keys(), cx).await?;
        let rendering = cx.ask(av::render_view(id, &view.id)).await?;
        let rendered = rendering.view.filter(|_| rendering.view_id == view.id).unwrap_or_default();
        let mut table = ViewTable {
            database,
            related,
            order: Vec::new(),
            computed: BTreeMap::new(),
            ignored,
            any_hidden,
        };
        table.take(&rendered);
        if !table.ignored.is_empty()
            || rendered.items().or(rendered.groups.as_ref().map(|_| [].as_slice())).is_none()
        {
            table.order = stored_order(database, view);
        }
        Ok(table)
    }

    /// A database with its stored values and no view.
    pub(super) fn stored(
        database: &'d Visible,
        related: RelatedDatabases,
        any_hidden: bool,
    ) -> ViewTable<'d> {
        let (order, computed, ignored) = Default::default();
        ViewTable { database, related, order, computed, ignored, any_hidden }
    }

    /// Takes the rows that the kernel shows, and the cells that it computed.
    fn take(&mut self, rendered: &Rendered) {
        let places: BTreeMap<&str, usize> =
            self.database.rows().iter().enumerate().map(|(at, row)| (row.id.as_str(), at)).into_map();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        let groups = rendered.groups.as_deref().unwrap_or_default();
        let shown = groups.iter().filter(|it| it.group_hidden == 0).map(|it| (Some(&it.name), it));
        let parts: Vec<_> = if groups.is_empty() { vec![(None, rendered)] } else { shown.collect() };
        for (group, part) in parts {
            for item in part.items().unwrap_or_default() {
                let Some(at) = places.get(item.id.as_str()) else { continue };
                let next = self.order.len();
                let place = *known.entry(*at).or_insert(next);
                if place == next {
                    self.order.push((*at, Vec::new()));
                    self.compute(item);
                }
                if let Some((_, groups)) = self.order.get_mut(place) {
                    groups.extend(group.cloned());
                }
            }
        }
    }

    fn compute(&mut self, item: &Item) {
        for key in self.database.keys().filter(|it| is_computed(it)) {
            if let Some(value) = item.cells().find_map(|cell| cell.of(&key.id)) {
                self.computed.insert((key.id.clone(), item.id.clone()), value.clone());
            }
        }
    }

    /// The rows in their order, each with its groups.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'d DatabaseRow, &[String])> {
        self.order.iter().filter_map(|(at, groups)| Some((self.database.rows().get(*at)?, groups.as_slice())))
    }

    /// The cells of these columns, empty ones left out, by the labels of their columns.
    pub(super) fn cells<'t>(
        &'t self,
        columns: &'t [(&'d ColumnKey, String)],
        ambient: &'t dyn Ambient,
    ) -> impl Fn(usize, &DatabaseRow) -> Map<String, Value> + 't {
        let mut wanted: BTreeSet<String> = columns.iter().map(|(key, _)| key.id.clone()).into_set();
        wanted.extend(columns.iter().filter_map(|(key, _)| Some(key.rollup.as_ref()?.relation.clone())));
        let stored = Cells::of(self.database.database(), &wanted);
        let rolled_up: BTreeMap<&str, RollupColumn<'_>> =
            columns.iter().filter_map(|(key, _)| Some((key.id.as_str(), self.rollup(key)?))).into_map();
        move |number, row| {
            let mut cells = Map::new();
            for (key, label) in columns {
                let value = match key.kind.as_str() {
                    "block" => None,
                    "lineNumber" => Some(json!(number)),
                    "number" => {
                        let shown = self.computed.get(&(key.id.clone(), row.id.clone()));
                        number_of(key, &stored.get(&key.id, &row.id), shown, ambient)
                    }
                    "relation" => self.related.rows(key, &stored.get(&key.id, &row.id)),
                    "rollup" => self.rolled_up(key, rolled_up.get(key.id.as_str()), row, &stored, ambient),
                    _ if is_own(key) && !is_computed(key) => own(key, &stored.get(&key.id, &row.id), ambient),
                    _ if self.withholds(key) => None,
                    _ => self.computed.get(&(key.id.clone(), row.id.clone())).and_then(|parts| {
                        let raw = || parts.get(&key.kind).filter(|_| !is_known(key)).cloned();
                        cell::of_kernel(&key.kind, parts, ambient).or_else(raw)
                    }),
                };
                put(&mut cells, label, value.unwrap_or_default());
            }
            cells
        }
    }

    /// Whether values of this column are left out, because they may come from a notebook that is hidden from the caller.
    pub(super) fn withholds(&self, key: &ColumnKey) -> bool {
        let calculates = key.rollup.as_ref().is_some_and(av::Rollup::calculates);
        self.any_hidden
            && match key.kind.as_str() {
                "relation" => false,
                "rollup" => calculates,
                _ => !is_own(key),
            }
    }

    /// The relation and column of a rollup that is computed here, because a notebook is hidden from the caller.
    fn rollup(&self, key: &ColumnKey) -> Option<RollupColumn<'_>> {
        let rollup = key.rollup.as_ref().filter(|_| self.any_hidden && !self.withholds(key))?;
        let relation = self.database.keys().find(|it| it.id == rollup.relation)?;
        Some((&relation.id, self.related.rolled_up(relation, &rollup.column)?))
    }

    fn rolled_up(
        &self,
        key: &ColumnKey,
        rollup: Option<&RollupColumn<'_>>,
        row: &DatabaseRow,
        stored: &Cells<'_>,
        ambient: &dyn Ambient,
    ) -> Option<Value> {
        if self.any_hidden {
            let (relation, shown) = rollup?;
            return shown.values(&stored.get(relation, &row.id), ambient);
        }
        let parts = self.computed.get(&(key.id.clone(), row.id.clone()))?;
        let told = cell::rolled_up(parts, ambient);
        (!told.is_empty()).then(|| told.into())
    }
}

/// Whether the values of a column come from its own row alone.
pub(super) fn is_own(key: &ColumnKey) -> bool {
    OWN.contains(&key.kind.as_str())
}

/// Whether the kernel computes the values of a column when it renders a view; of a number with a format its text.
fn is_computed(key: &ColumnKey) -> bool {
    matches!(key.kind.as_str(), "created" | "updated")
        || has_format(key)
        || !(is_own(key) || key.kind == "relation")
}

fn has_format(key: &ColumnKey) -> bool {
    key.kind == "number" && !key.number_format.is_empty()
}

fn is_known(key: &ColumnKey) -> bool {
    is_own(key) || matches!(key.kind.as_str(), "relation" | "rollup" | "template")
}

/// A stored value.
fn own(key: &ColumnKey, stored: &Value, ambient: &dyn Ambient) -> Option<Value> {
    cell::of_kernel(&key.kind, stored.as_object()?, ambient)
}

/// A stored number; one that has a format also as the text that a person sees, which the kernel makes when it shows the
/// row: the stored text may be older than the format.
fn number_of(
    key: &ColumnKey,
    stored: &Value,
    shown: Option<&Map<String, Value>>,
    ambient: &dyn Ambient,
) -> Option<Value> {
    let value = own(key, stored, ambient)?;
    match shown.and_then(cell::formatted).filter(|_| has_format(key)) {
        Some(text) => Some(json!({ "value": value, "text": text })),
        None => Some(value),
    }
}

/// Whether a view shows and groups its rows by values of their own alone.
pub(super) fn shows_by_own(view: &View, database: &Visible) -> bool {
    let names = database.column_names();
    restrictions(view).iter().filter_map(|it| names.get(*it)).all(|it| is_own(it))
}

/// The columns that a view filters, sorts or groups by.
fn conditions(view: &View) -> BTreeSet<&str> {
    restrictions(view).into_iter().chain(view.sorts.iter().map(|it| it.column.as_str())).into_set()
}

/// The columns that a view filters or groups by.
fn restrictions(view: &View) -> BTreeSet<&str> {
    fn filters<'v>(all: &'v [ViewFilter], found: &mut BTreeSet<&'v str>) {
        for filter in all {
            found.insert(&filter.column);
            filters(&filter.filters, found);
        }
    }
    let mut found = BTreeSet::new();
    filters(&view.filters, &mut found);
    found.extend(view.group.iter().map(|it| it.field.as_str()));
    found
}

/// All rows in the order in which a person arranged them.
fn stored_order(database: &Visible, view: &View) -> Vec<(usize, Vec<String>)> {
    let ranks: BTreeMap<&str, usize> =
        view.rows.iter().enumerate().map(|(at, id)| (id.as_str(), at)).into_map();
    let mut order: Vec<usize> = (0..database.rows().len()).collect();
    let rank = |at: &usize| database.rows().get(*at).and_then(|row| ranks.get(row.id.as_str()).copied());
    order.sort_shared_by_key(|at| rank(at).unwrap_or(usize::MAX));
    order.into_iter().map(|at| (at, Vec::new())).collect()
}
