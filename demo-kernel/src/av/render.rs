//! A view as callers see it: its columns, and the rows with all that the kernel computes for them.

mod cover;
pub(super) mod fill;
mod template;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Value as Json, json};

use super::database::{Database, Key};
use super::value::{Value, ValueKind};
use super::view::{Calculation, View, ViewColumn};
use crate::answer::Refusal;
use crate::markdown::{Attrs, Node};
use crate::store::Db;

/// The depth to which rollups of rollups are followed.
const DEPTH: usize = 7;

/// The input of rendering: the store, and the databases and blocks looked up so far.
pub(crate) struct Source<'s> {
    pub(crate) db: &'s Db<'s>,
    databases: RefCell<HashMap<String, Option<Rc<Database>>>>,
    nodes: RefCell<HashMap<String, Option<Rc<Node>>>>,
    /// Cells that are not stored keep their id while one answer is made.
    ids: RefCell<HashMap<(String, String), String>>,
    depth: Cell<usize>,
}

/// A row or card.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) id: String,
    /// In the order of the columns.
    pub(crate) cells: Vec<Value>,
}

/// A rendered view, or a rendered group.
#[derive(Debug, Clone)]
pub(crate) struct RenderedView {
    pub(crate) view: View,
    pub(crate) columns: Vec<(ViewColumn, Key)>,
    pub(crate) items: Vec<Item>,
    /// The number of rows on all pages.
    pub(crate) count: usize,
    pub(crate) groups: Vec<RenderedView>,
    covers: HashMap<String, (String, String)>,
}

impl<'s> Source<'s> {
    pub(crate) fn new(db: &'s Db<'s>) -> Source<'s> {
        Source {
            db,
            databases: RefCell::default(),
            nodes: RefCell::default(),
            ids: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    /// Another database.
    pub(crate) fn database(&self, id: &str) -> Result<Option<Rc<Database>>, Refusal> {
        if let Some(known) = self.databases.borrow().get(id) {
            return Ok(known.clone());
        }
        let found = self.db.find_database(id)?.map(Rc::new);
        self.databases.borrow_mut().insert(id.to_owned(), found.clone());
        Ok(found)
    }

    /// A block of the notes.
    pub(crate) fn node(&self, id: &str) -> Result<Option<Rc<Node>>, Refusal> {
        if let Some(known) = self.nodes.borrow().get(id) {
            return Ok(known.clone());
        }
        let tree = self.db.tree_of(id)?;
        let found = tree.as_ref().and_then(|tree| tree.root.find(id)).cloned().map(Rc::new);
        self.nodes.borrow_mut().insert(id.to_owned(), found.clone());
        Ok(found)
    }

    /// The attributes of a row's block.
    pub(crate) fn attrs(&self, row: Option<&Value>) -> Result<Attrs, Refusal> {
        let bound = row.filter(|row| !row.is_detached).and_then(|row| row.block.as_ref());
        let Some(block) = bound else { return Ok(Attrs::default()) };
        let Some(node) = self.node(&block.id)? else { return Ok(Attrs::default()) };
        let mut attrs = node.attrs.clone();
        attrs.set("id", &node.id);
        Ok(attrs)
    }

    /// Renders a database for the sake of another one's rollups; none when they go in circles.
    pub(crate) fn first_view(&self, database: &Database) -> Result<Option<RenderedView>, Refusal> {
        let Some(view) = database.views.first().filter(|_| self.depth.get() < DEPTH) else { return Ok(None) };
        render(self, database, view, "").map(Some)
    }
}

impl Item {
    pub(crate) fn cell(&self, key: &str) -> Option<&Value> {
        self.cells.iter().find(|value| value.key == key)
    }

    /// The primary cell.
    pub(crate) fn row(&self) -> Option<&Value> {
        self.cells.iter().find(|value| value.kind == Some(ValueKind::Block))
    }
}

/// The view with its columns and no rows.
pub(crate) fn frame(database: &Database, view: &View) -> RenderedView {
    let columns = view.fields().iter().filter_map(|f| Some((f.clone(), database.key(&f.id)?.clone())));
    RenderedView {
        view: view.clone(),
        columns: columns.collect(),
        items: Vec::new(),
        count: 0,
        groups: Vec::new(),
        covers: HashMap::new(),
    }
}

/// The view with all its rows in their stored order, before filters and sorting.
pub(crate) fn render(
    source: &Source<'_>,
    database: &Database,
    view: &View,
    query: &str,
) -> Result<RenderedView, Refusal> {
    source.depth.set(source.depth.get() + 1);
    let mut out = frame(database, view);
    for row in database.rows() {
        let in_group = view.group_items.as_ref().is_none_or(|items| items.contains(&row.item));
        if in_group && is_there(source, row)? && !out.items.iter().any(|item| item.id == row.item) {
            out.items.push(item(source, database, &out.columns, &row.item));
        }
    }
    fill::fill(source, database, &mut out)?;
    if !view.layout.has_rows() {
        for item in &out.items {
            let cover = cover::of(source, view, item, database.row(&item.id))?;
            out.covers.insert(item.id.clone(), cover);
        }
    }
    keep_matches(&mut out.items, query);
    let order = view.group_items.as_ref().filter(|items| !items.is_empty()).unwrap_or(&view.items);
    let ranks: HashMap<&str, usize> = order.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
    out.items.sort_by(|a, b| {
        let rank = |item: &Item| ranks.get(item.id.as_str()).copied().unwrap_or(0);
        rank(a).cmp(&rank(b)).then_with(|| a.id.cmp(&b.id))
    });
    source.depth.set(source.depth.get() - 1);
    Ok(out)
}

/// A row needs a primary cell. Of rows for missing blocks, only those with the block's id are left out, because
/// the kernel looks for them under that id.
fn is_there(source: &Source<'_>, row: &Value) -> Result<bool, Refusal> {
    let Some(block) = &row.block else { return Ok(false) };
    if row.is_detached {
        return Ok(true);
    }
    Ok(!block.id.is_empty() && (block.id != row.item || source.node(&block.id)?.is_some()))
}

fn item(source: &Source<'_>, database: &Database, columns: &[(ViewColumn, Key)], id: &str) -> Item {
    let cell = |key: &Key| {
        let stored = database.value(&key.id, id);
        let new_id = || {
            let mut ids = source.ids.borrow_mut();
            let fresh = || format!("{}-{}", id.get(..14).unwrap_or_default(), crate::id::letters());
            ids.entry((key.id.clone(), id.to_owned())).or_insert_with(fresh).clone()
        };
        let value_id = stored.map_or_else(new_id, |value| value.id.clone());
        let bare =
            || Value { id: value_id.clone(), key: key.id.clone(), item: id.to_owned(), ..Value::default() };
        let mut value = match (key.kind, stored) {
            (ValueKind::Template | ValueKind::Created | ValueKind::Updated, _) => bare(),
            (_, Some(value)) => value.clone(),
            (kind, None) => Value::default_for(&value_id, &key.id, id, kind, key.with_time()),
        };
        value.complete(key.kind);
        if key.kind == ValueKind::Number && value.number.as_ref().is_some_and(|number| number.is_not_empty) {
            value.format_number(Some(&key.number_format));
        }
        value
    };
    Item { id: id.to_owned(), cells: columns.iter().map(|(_, key)| cell(key)).collect() }
}

/// Keeps the rows in which one cell contains all the words.
fn keep_matches(items: &mut Vec<Item>, query: &str) {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return;
    }
    items.retain(|item| {
        item.cells.iter().any(|cell| {
            let text = cell.shown(true).to_lowercase();
            words.iter().all(|word| text.contains(word))
        })
    });
}

impl RenderedView {
    /// Keeps one page.
    pub(crate) fn cut(&mut self, page: i64, size: i64, default_size: i64) {
        self.count = self.items.len();
        self.view.page_size = default_size;
        let size = usize::try_from(if size < 1 { default_size } else { size }).unwrap_or(0);
        let start = usize::try_from(page - 1).unwrap_or(0).saturating_mul(size);
        self.items = std::mem::take(&mut self.items).into_iter().skip(start).take(size).collect();
    }

    /// The place of a column.
    pub(crate) fn place(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|(field, _)| field.id == key)
    }

    pub(crate) fn show(&self) -> Json {
        let view = &self.view;
        let layout = view.shown_layout().cloned().unwrap_or_default();
        let table = view.layout.has_rows();
        let columns: Vec<Json> = self.columns.iter().map(|(field, key)| column(field, key, table)).collect();
        let items: Vec<Json> = self.items.iter().map(|item| self.show_item(item, table)).collect();
        let mut shown = json!({
            "id": view.id, "icon": view.icon, "name": view.name, "desc": view.desc,
            "hideAttrViewName": view.hide_attr_view_name, "filters": view.filters, "sorts": view.sorts,
            "group": view.group, "pageSize": view.page_size, "showIcon": layout.show_icon,
            "wrapField": layout.wrap_field, "groupFolded": view.group_folded, "groupHidden": view.group_hidden,
        });
        let Some(map) = shown.as_object_mut() else { return shown };
        let mut put = |name: &str, value: Json| _ = map.insert(name.to_owned(), value);
        if let Some(key) = &view.group_key {
            put("groupKey", json!(key));
        }
        if let Some(value) = &view.group_val {
            put("groupValue", json!(value));
        }
        if !self.groups.is_empty() {
            put("groups", self.groups.iter().map(RenderedView::show).collect());
        }
        let names = if table { ["columns", "rows", "rowCount"] } else { ["fields", "cards", "cardCount"] };
        let parts = [json!(columns), json!(items), json!(self.count)];
        names.into_iter().zip(parts).for_each(|(name, part)| put(name, part));
        let look = layout.look.into_iter().filter(|(name, _)| name != "rowIds" && name != "cardIds");
        look.for_each(|(name, value)| put(&name, value));
        shown
    }

    fn show_item(&self, item: &Item, table: bool) -> Json {
        let cells = item.cells.iter().zip(&self.columns).map(|(value, (_, key))| {
            let mut cell = json!({ "id": value.id, "value": value, "valueType": key.kind });
            if let Some(cell) = cell.as_object_mut().filter(|_| table) {
                cell.insert("color".into(), json!(""));
                cell.insert("bgColor".into(), json!(""));
            }
            cell
        });
        let cells: Vec<Json> = cells.collect();
        if table {
            return json!({ "id": item.id, "cells": cells });
        }
        let (url, content) = self.covers.get(&item.id).cloned().unwrap_or_default();
        json!({ "id": item.id, "values": cells, "coverURL": url, "coverContent": content })
    }
}

fn column(field: &ViewColumn, key: &Key, table: bool) -> Json {
    let mut shown = json!(key);
    let Some(map) = shown.as_object_mut() else { return shown };
    let mut put = |name: &str, value: Json| _ = map.insert(name.to_owned(), value);
    put("wrap", json!(field.wrap));
    put("hidden", json!(field.hidden));
    put("calc", json!(field.calc.as_ref().map(|calc: &Calculation| calc)));
    if table {
        put("pin", json!(field.pin.unwrap_or_default()));
        put("width", json!(field.width.clone().unwrap_or_default()));
        put("align", json!(field.align.clone().unwrap_or_default()));
    }
    shown
}
