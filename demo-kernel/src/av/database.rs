//! A database as it is stored: columns with their values, and views.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

pub(crate) use super::key::{Column, Key, RelationKey, RollupCalculation, RollupKey, SelectOption};
use super::value::{Value, ValueKind};
use super::view::{LayoutKind, PAGE_SIZE, View, ViewColumn};
use crate::answer::Refusal;

/// The kernel's name for a database without one.
pub(crate) const UNTITLED: &str = "Untitled";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Database {
    pub(crate) spec: i64,
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(rename = "keyValues")]
    pub(crate) columns: Vec<Column>,
    /// The order of the columns where a block shows them; null until a person sorts them.
    #[serde(rename = "keyIDs")]
    pub(crate) key_order: Option<Vec<String>>,
    #[serde(rename = "viewID")]
    pub(crate) view: String,
    pub(crate) views: Vec<View>,
}

impl Database {
    /// A database as `renderAttributeView` makes it: a primary column, a select column, a table.
    pub(crate) fn new(id: &str) -> Database {
        let new = |name, kind| Key::new(&crate::id::new_id(), name, "", kind);
        let keys = [new("Primary Key", ValueKind::Block), new("Select", ValueKind::Select)];
        let fields = keys.each_ref().map(|key| ViewColumn::new(&key.id, LayoutKind::Table));
        let view = View::new(LayoutKind::Table, &fields);
        Database {
            spec: 5,
            id: id.to_owned(),
            name: String::new(),
            columns: keys.into_iter().map(|key| Column { key, values: Vec::new() }).collect(),
            key_order: None,
            view: view.id.clone(),
            views: vec![view],
        }
    }

    /// The name people see.
    pub(crate) fn shown_name(&self) -> &str {
        let name = self.name.trim();
        if name.is_empty() { UNTITLED } else { name }
    }

    pub(crate) fn column(&self, key: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.key.id == key)
    }

    pub(crate) fn column_mut(&mut self, key: &str) -> Option<&mut Column> {
        self.columns.iter_mut().find(|column| column.key.id == key)
    }

    pub(crate) fn key(&self, id: &str) -> Option<&Key> {
        self.column(id).map(|column| &column.key)
    }

    pub(crate) fn key_mut(&mut self, id: &str) -> Option<&mut Key> {
        self.column_mut(id).map(|column| &mut column.key)
    }

    pub(crate) fn value(&self, key: &str, item: &str) -> Option<&Value> {
        self.column(key)?.value(item)
    }

    /// The primary cells.
    pub(crate) fn rows(&self) -> &[Value] {
        let primary = self.columns.iter().find(|column| column.key.kind == ValueKind::Block);
        primary.map(|column| column.values.as_slice()).unwrap_or_default()
    }

    pub(crate) fn primary(&mut self) -> Result<&mut Column, Refusal> {
        let primary = self.columns.iter_mut().find(|column| column.key.kind == ValueKind::Block);
        primary.ok_or_else(Refusal::panicked)
    }

    pub(crate) fn row(&self, item: &str) -> Option<&Value> {
        self.rows().iter().find(|value| value.item == item)
    }

    /// The row of a block.
    pub(crate) fn row_of_block(&self, block: &str) -> Option<&Value> {
        self.rows().iter().find(|value| value.block.as_ref().is_some_and(|b| b.id == block))
    }

    /// The blocks of the rows.
    pub(crate) fn bound_blocks(&self) -> Vec<String> {
        let bound = self.rows().iter().filter(|row| !row.is_detached).filter_map(|row| row.block.as_ref());
        bound.map(|block| block.id.clone()).filter(|id| !id.is_empty()).collect()
    }

    pub(crate) fn find_view(&self, id: &str) -> Option<&View> {
        self.views.iter().find(|view| view.id == id)
    }

    /// The view of that id, else the one shown last, else the first.
    pub(crate) fn view_or_current(&self, id: &str) -> Result<&View, Refusal> {
        let view = self.find_view(id).or_else(|| self.find_view(&self.view)).or_else(|| self.views.first());
        view.ok_or_else(|| Refusal::new("view not found"))
    }

    pub(crate) fn view_or_current_mut(&mut self, id: &str) -> Result<&mut View, Refusal> {
        let id = self.view_or_current(id)?.id.clone();
        let view = self.views.iter_mut().find(|view| view.id == id);
        view.ok_or_else(|| Refusal::new("view not found"))
    }

    /// The views as lists of them are sent.
    pub(crate) fn view_list(&self) -> Vec<Json> {
        let show = |view: &View| {
            json!({
                "id": view.id, "icon": view.icon, "name": view.name, "desc": view.desc,
                "hideAttrViewName": view.hide_attr_view_name, "type": view.layout.name(), "pageSize": view.page_size,
            })
        };
        self.views.iter().map(show).collect()
    }

    /// The index text of a block that shows it: its name, its views, and all columns with their values.
    pub(crate) fn content(&self) -> String {
        let mut words = vec![self.name.clone()];
        words.extend(self.views.iter().map(|view| view.name.clone()));
        for column in &self.columns {
            words.push(column.key.name.clone());
            words.extend(column.values.iter().map(|value| value.shown(true)));
        }
        words.join(" ").trim().to_owned()
    }

    /// Applies the kernel's corrections to every database that it writes.
    pub(crate) fn tidy(&mut self) {
        if let Ok(primary) = self.primary() {
            let mut seen = std::collections::HashSet::new();
            primary.values.retain(|value| seen.insert(value.item.clone()));
        }
        for view in &mut self.views {
            let mut seen = std::collections::HashSet::new();
            view.items.retain(|item| seen.insert(item.clone()));
            if view.page_size < 1 {
                view.page_size = PAGE_SIZE;
            }
        }
    }

    /// Puts keys that the order does not know behind the others and forgets those that are gone.
    pub(crate) fn complete_key_order(&mut self) {
        let all: Vec<String> = self.columns.iter().map(|column| column.key.id.clone()).collect();
        let order = self.key_order.get_or_insert_default();
        order.extend(all.iter().filter(|key| !order.contains(key)).cloned().collect::<Vec<_>>());
        order.retain(|key| all.contains(key));
    }
}
