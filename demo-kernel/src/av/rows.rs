//! Rows: adding them with default values, removing and sorting them.

use serde_json::Value as Json;

use super::database::{Database, Key};
use super::defaults;
use super::render::Source;
use super::value::{BlockCell, Date, Value, ValueKind};
use super::view::View;
use crate::answer::Refusal;
use crate::store::Db;

/// The place at which rows are added.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowPlace<'a> {
    pub(crate) carrier: &'a str,
    pub(crate) view: &'a str,
    pub(crate) group: &'a str,
    pub(crate) previous: &'a str,
}

/// Adds one row: a block, or one of its own; all rows of a request have the same time, `now`. A block that already is a row only updates its text.
pub(crate) fn add(
    db: &Db<'_>,
    id: &str,
    source: &Json,
    place: RowPlace<'_>,
    ignore_default_fill: bool,
    now: i64,
) -> Result<(), Refusal> {
    let text = |name: &str| match source.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or_else(Refusal::panicked),
    };
    let detached = source.get("isDetached").and_then(Json::as_bool).ok_or_else(Refusal::panicked)?;
    let item = text("itemID")?.map_or_else(crate::id::new_id, str::to_owned);
    let mut block =
        BlockCell { content: text("content")?.unwrap_or_default().to_owned(), ..BlockCell::default() };
    if !detached {
        let bound = text("id")?.ok_or_else(Refusal::panicked)?;
        if !crate::id::is_node_id(bound) {
            return Ok(());
        }
        let found = db.row_text(bound, "")?.ok_or_else(|| Refusal::new("tree not found"))?;
        (block.icon, block.content) = found;
        bound.clone_into(&mut block.id);
    }
    let item = if item.is_empty() { crate::id::new_id() } else { item };
    let mut database = db.database(id)?;
    let known = database
        .primary()?
        .values
        .iter_mut()
        .find(|row| !block.id.is_empty() && row.block.as_ref().is_some_and(|known| known.id == block.id));
    if let Some(row) = known {
        row.is_detached = false;
        let bound = row.block.get_or_insert_default();
        (bound.icon, bound.content) = (block.icon, block.content);
        row.updated_at = now;
        db.save_database(&mut database)?;
        return db.bind(id, &block.id);
    }
    let bound = block.id.clone();
    (block.created, block.updated) = (now, now);
    let key = database.primary()?.key.id.clone();
    let row = Value {
        id: crate::id::new_id(),
        key,
        item: item.clone(),
        kind: Some(ValueKind::Block),
        is_detached: detached,
        created_at: now,
        updated_at: now,
        block: Some(block),
        ..Value::default()
    };
    database.primary()?.values.push(row);
    let shown = if place.view.is_empty() { db.shown_view(place.carrier)? } else { place.view.to_owned() };
    let view = match place.view {
        "" => database.view_or_current(&shown)?,
        given => database.find_view(given).ok_or_else(|| Refusal::new("view not found"))?,
    }
    .clone();
    if !ignore_default_fill {
        let group = if place.group.is_empty() {
            Some(&view)
        } else {
            view.groups.iter().find(|group| group.id == place.group)
        };
        let group = group.ok_or_else(Refusal::panicked)?.clone();
        defaults::fill(&Source::new(db), &mut database, &view, &group, place.previous, &item, true)?;
    }
    fill_now(&mut database, &item, detached, now);
    for view in &mut database.views {
        put_in(view, &item, place.previous);
    }
    db.regroup_and_save(&mut database)?;
    if detached { Ok(()) } else { db.bind(id, &bound) }
}

/// Date columns that want it are filled with the present time.
fn fill_now(database: &mut Database, item: &str, is_detached: bool, now: i64) {
    for column in &mut database.columns {
        let wants = column.key.date.filter(|date| column.key.kind == ValueKind::Date && date.auto_fill_now);
        let Some(settings) = wants.filter(|_| column.value(item).is_none()) else { continue };
        let date = Date {
            content: now,
            is_not_empty: true,
            is_not_time: !settings.fill_specific_time,
            ..Date::default()
        };
        column.values.push(Value {
            id: crate::id::new_id(),
            key: column.key.id.clone(),
            item: item.to_owned(),
            kind: Some(ValueKind::Date),
            is_detached,
            created_at: now,
            updated_at: now + 1000,
            date: Some(date),
            ..Value::default()
        });
    }
}

/// Behind the previous row; at the end when that is unknown, first when none is named.
fn put_in(view: &mut View, item: &str, previous: &str) {
    let put = |items: &mut Vec<String>| {
        let at = match previous {
            "" => 0,
            _ => items.iter().position(|id| id == previous).map_or(items.len(), |at| at + 1),
        };
        items.insert(at, item.to_owned());
    };
    put(&mut view.items);
    view.groups.iter_mut().for_each(|group| put(group.group_items.get_or_insert_default()));
}

/// Appends rows without blocks, with their values.
pub(crate) fn append(db: &Db<'_>, id: &str, rows: Vec<Vec<Value>>) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let now = crate::id::now_ms();
    for row in rows {
        let first = row.first().ok_or_else(Refusal::panicked)?;
        let item = if first.item.is_empty() { crate::id::new_id() } else { first.item.clone() };
        for mut value in row {
            let column = database
                .column_mut(&value.key)
                .ok_or_else(|| Refusal::new(format!("key [{}] not found", value.key)))?;
            value.id = crate::id::new_id();
            value.item.clone_from(&item);
            value.kind = Some(column.key.kind);
            value.is_detached = true;
            (value.created_at, value.updated_at) = (now, now);
            if column.key.kind == ValueKind::Block {
                let block = value.block.as_mut().ok_or_else(Refusal::panicked)?;
                (block.created, block.updated) = (now, now);
                block.id.clear();
            }
            if column.key.kind.is_choice() {
                know_options(&mut column.key, &mut value, |choice| choice.color.clone());
            }
            column.values.push(value);
        }
        database.views.iter_mut().for_each(|view| view.items.push(item.clone()));
    }
    db.regroup_and_save(&mut database)
}

/// Makes options of a select column that are not known yet, and gives known ones their colour.
pub(super) fn know_options(
    key: &mut Key,
    value: &mut Value,
    color: impl Fn(&super::value::Choice) -> String,
) {
    for choice in &mut value.m_select {
        match key.option(&choice.content) {
            Some(option) => choice.color.clone_from(&option.color),
            None => key.options.push(super::database::SelectOption {
                name: choice.content.clone(),
                color: color(choice),
                desc: String::new(),
            }),
        }
    }
}

/// Removes rows with their cells; unknown ones are passed over.
pub(crate) fn remove(db: &Db<'_>, id: &str, items: &[String]) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let mut unbound = Vec::new();
    for column in &mut database.columns {
        let gone = column.values.iter().filter(|value| items.contains(&value.item) && !value.is_detached);
        unbound.extend(gone.filter_map(|value| value.block.as_ref()).map(|block| block.id.clone()));
        column.values.retain(|value| !items.contains(&value.item));
    }
    database.views.iter_mut().for_each(|view| view.items.retain(|item| !items.contains(item)));
    unbound.iter().try_for_each(|block| db.unbind(id, block))?;
    db.regroup_and_save(&mut database)?;
    db.refresh_related(id)
}

/// Puts one row behind another in the order of a view; first when that is unknown.
pub(crate) fn sort(db: &Db<'_>, id: &str, carrier: &str, item: &str, previous: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let shown = db.shown_view(carrier)?;
    let view = database.view_or_current_mut(&shown)?;
    move_behind(&mut view.items, &item.to_owned(), previous);
    db.save_database(&mut database)
}

/// Takes an entry of a list behind another one; to the start when that is not there.
pub(super) fn move_behind(list: &mut Vec<String>, entry: &String, previous: &str) {
    list.retain(|other| other != entry);
    let at = list.iter().position(|other| other == previous).map_or(0, |at| at + 1);
    list.insert(at, entry.clone());
}
