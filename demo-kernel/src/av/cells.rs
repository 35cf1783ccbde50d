//! Cells: what a caller sends is merged into what is there.

use serde_json::Value as Json;

use super::database::Database;
use super::rows::know_options;
use super::value::{Value, ValueKind, read};
use crate::answer::Refusal;
use crate::moment;
use crate::store::Db;

/// Changes one cell and returns it. An unknown row gets a cell of its own, as in the kernel.
pub(crate) fn set(db: &Db<'_>, id: &str, key: &str, item: &str, given: &Json) -> Result<Value, Refusal> {
    let mut database = db.database(id)?;
    let now = crate::id::now_ms();
    let row = database.row(item).cloned();
    let column = database.column_mut(key).ok_or_else(Refusal::panicked)?;
    let kind = column.key.kind;
    let fresh = || Value {
        id: crate::id::new_id(),
        key: key.to_owned(),
        item: item.to_owned(),
        created_at: now,
        updated_at: now,
        ..Value::default()
    };
    let mut old = column.value(item).cloned().unwrap_or_else(fresh);
    old.kind = Some(kind);
    let mut value = merged(&old, given)?;
    match value.kind {
        Some(ValueKind::Number) => {
            if let Some(number) = value.number.as_mut().filter(|number| !number.is_not_empty) {
                number.content = 0.0;
            }
            value.format_number(None);
        }
        Some(ValueKind::Date) => {
            if let Some(date) = value.date.as_mut().filter(|date| !date.is_not_empty) {
                (date.content, date.formatted_content) = (0, String::new());
            }
        }
        Some(ValueKind::Select | ValueKind::MSelect) if !value.m_select.is_empty() => {
            value.m_select.retain(|choice| !choice.content.is_empty());
            if value.m_select.is_empty() {
                // The kernel gives up here, before it writes.
                return Ok(value);
            }
            know_options(&mut column.key, &mut value, |choice| match choice.color.as_str() {
                "" => moment::draw(|dice| dice.u8(1..15)).to_string(),
                color => color.to_owned(),
            });
        }
        _ => {}
    }
    let before = old.relation.as_ref().map(|relation| relation.ids().to_vec()).unwrap_or_default();
    if value.kind == Some(ValueKind::Relation) {
        let relation = value.relation.as_mut().ok_or_else(Refusal::panicked)?;
        relation.contents = None;
        let mut seen = std::collections::HashSet::new();
        relation.items.iter_mut().for_each(|items| items.retain(|id| seen.insert(id.clone())));
    }
    if value.kind == Some(ValueKind::Block) {
        bind_row(db, id, row.as_ref(), &mut value)?;
    }
    if let Some(row) = row {
        let detached = if kind == ValueKind::Block { value.is_detached } else { row.is_detached };
        if let Some(row) = database.primary()?.value_mut(item) {
            row.block.get_or_insert_default().updated = now;
            row.touch(now);
            row.is_detached = detached;
        }
        if kind == ValueKind::Block {
            value.block.get_or_insert_default().updated = now;
        }
    }
    value.touch(now);
    put(&mut database, &value)?;
    if value.kind == Some(ValueKind::Relation) {
        mirror(db, &mut database, &value, &before, now)?;
    }
    db.regroup_and_save(&mut database)?;
    db.refresh_related(id)?;
    // The kernel returns the cell in its state after grouping.
    Ok(database.value(key, item).cloned().unwrap_or(value))
}

/// Lists are replaced, objects are merged; what is of another shape is refused.
fn merged(old: &Value, given: &Json) -> Result<Value, Refusal> {
    fn merge(into: &mut Json, given: &Json) {
        match (into, given) {
            (Json::Object(into), Json::Object(given)) => {
                for (name, value) in given {
                    merge(into.entry(name.clone()).or_insert(Json::Null), value);
                }
            }
            (into, given) => given.clone_into(into),
        }
    }
    if given.is_null() {
        return Err(Refusal::panicked());
    }
    let mut json = serde_json::to_value(old).map_err(|e| Refusal::new(e.to_string()))?;
    if !given.is_object() {
        let kind = match given {
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Bool(_) => "bool",
            _ => "number",
        };
        return Err(Refusal::new(format!("json: cannot unmarshal {kind} into Go value of type av.Value")));
    }
    merge(&mut json, given);
    read(&json)
}

fn put(database: &mut Database, value: &Value) -> Result<(), Refusal> {
    let column = database.column_mut(&value.key).ok_or_else(Refusal::panicked)?;
    match column.values.iter_mut().find(|known| known.id == value.id) {
        Some(known) => known.clone_from(value),
        None => column.values.push(value.clone()),
    }
    Ok(())
}

/// Applies a new primary cell to the blocks that it named before and names now.
fn bind_row(db: &Db<'_>, id: &str, row: Option<&Value>, value: &mut Value) -> Result<(), Refusal> {
    let detached = value.is_detached;
    let block = value.block.as_mut().ok_or_else(Refusal::panicked)?;
    let was_detached = row.is_none_or(|row| row.is_detached);
    let before = row.and_then(|row| row.block.as_ref()).map(|block| block.id.clone()).unwrap_or_default();
    match (was_detached, detached) {
        (true, true) => {}
        (true, false) => db.bind(id, &block.id)?,
        (false, true) => {
            db.unbind(id, &block.id)?;
            block.id.clear();
        }
        (false, false) if before != block.id => {
            db.unbind(id, &before)?;
            db.bind(id, &block.id)?;
            block.content = crate::markdown::attrs::unescape(&block.content);
        }
        (false, false) => {
            let title = block.content.trim().to_owned();
            db.set_static_text(&block.id, id, &title)?;
            block.content = match (title.as_str(), db.row_text(&block.id, "")?) {
                ("", Some((_, text))) => text,
                _ => title,
            };
        }
    }
    Ok(())
}

/// Lets the other side of a two-way relation follow.
fn mirror(
    db: &Db<'_>,
    database: &mut Database,
    value: &Value,
    before: &[String],
    now: i64,
) -> Result<(), Refusal> {
    let Some(relation) = database.key(&value.key).and_then(|key| key.relation.clone()) else { return Ok(()) };
    let after = value.relation.as_ref().map(|relation| relation.ids().to_vec()).unwrap_or_default();
    if !relation.is_two_way || before == after {
        return Ok(());
    }
    // Fewer rows than before means that some were removed; anything else that some were added.
    let added: Vec<&String> = after.iter().filter(|id| !before.contains(id)).collect();
    let removed: Vec<&String> = before.iter().filter(|id| !after.contains(id)).collect();
    let fewer = before.len() > after.len();
    let change = |other: &mut Database| {
        let Some(column) = other.column_mut(&relation.back_key) else { return };
        for item in added.iter().filter(|_| !fewer) {
            column.relate(item, &value.item, now);
        }
        for item in removed.iter().filter(|_| fewer) {
            if let Some(back) = column.value_mut(item) {
                let items = back.relation.get_or_insert_default().items.get_or_insert_default();
                items.retain(|id| *id != value.item);
                back.touch(now);
            }
        }
    };
    if relation.database == database.id {
        change(database);
        return Ok(());
    }
    let Some(mut other) = db.find_database(&relation.database)? else { return Ok(()) };
    change(&mut other);
    db.regroup_and_save(&mut other)
}
