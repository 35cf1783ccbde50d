//! Default values of a new row, chosen so that the filters and its group show it.

use std::collections::HashMap;

use super::database::{Database, Key};
use super::render::{Item, Source};
use super::value::{Asset, BlockCell, Checkbox, Choice, Date, Number, Text, Value, ValueKind};
use super::view::{Filter, View};
use super::{dates, filter, group, render, sort};
use crate::answer::Refusal;

/// Fills a row; `new` says whether it was made just now or moved from another group.
pub(super) fn fill(
    source: &Source<'_>,
    database: &mut Database,
    view: &View,
    in_group: &View,
    previous: &str,
    item: &str,
    new: bool,
) -> Result<(), Refusal> {
    if view.filters.is_empty() && !view.is_grouped() {
        return Ok(());
    }
    let near = near(source, database, view, in_group, previous)?;
    let mut values = HashMap::new();
    let mut filtered = Vec::new();
    let stopped = by_filters(database, &view.filters, near.as_ref(), item, &mut values, &mut filtered);
    if !stopped {
        by_group(database, view, in_group, near.as_ref(), item, new, &filtered, &mut values);
    }
    for (key, mut value) in values {
        let Some(column) = database.column_mut(&key) else { continue };
        if column.key.kind == ValueKind::Rollup {
            continue;
        }
        item.clone_into(&mut value.item);
        let is_row = column.key.kind == ValueKind::Block;
        match column.value_mut(item) {
            None => column.values.push(value),
            // The title of a bound row is that of its block.
            Some(known) if is_row && !known.is_detached => {}
            Some(known) => {
                let (id, created_at, detached) = (known.id.clone(), known.created_at, known.is_detached);
                *known = Value { id, created_at, is_detached: detached, ..value };
            }
        }
    }
    Ok(())
}

/// The row next to which the new one goes.
fn near(
    source: &Source<'_>,
    database: &Database,
    view: &View,
    in_group: &View,
    previous: &str,
) -> Result<Option<Item>, Refusal> {
    let shown = if in_group.id == view.id { view.clone() } else { group::in_group(view, in_group) };
    let mut rendered = render::render(source, database, &shown, "")?;
    filter::filter(source, database, &mut rendered)?;
    sort::sort(&mut rendered, database);
    let mut items = rendered.items.into_iter();
    Ok(if previous.is_empty() { items.next() } else { items.find(|item| item.id == previous) })
}

fn copy(near: Option<&Item>, key: &str, item: &str) -> Option<Value> {
    let value = near?.cell(key)?.clone();
    Some(renewed(value, key, item))
}

fn renewed(value: Value, key: &str, item: &str) -> Value {
    let now = crate::id::now_ms();
    let (id, key, item) = (crate::id::new_id(), key.to_owned(), item.to_owned());
    Value { id, key, item, created_at: now, updated_at: now + 1000, ..value }
}

/// Answers whether a condition on files ended the search for values.
fn by_filters(
    database: &Database,
    filters: &[Filter],
    near: Option<&Item>,
    item: &str,
    values: &mut HashMap<String, Value>,
    filtered: &mut Vec<String>,
) -> bool {
    for filter in filters {
        if filter.is_group() {
            if by_filters(database, &filter.filters, near, item, values, filtered) {
                return true;
            }
            continue;
        }
        filtered.push(filter.column.clone());
        let Some(key) = database.key(&filter.column) else { continue };
        match key.kind {
            ValueKind::Template | ValueKind::Rollup if near.is_some() => continue,
            ValueKind::MAsset => {
                if let Some(value) = copy(near, &key.id, item) {
                    values.entry(key.id.clone()).or_insert(value);
                }
                return true;
            }
            _ => {}
        }
        let wanted = || is_valid(filter).then(|| copy(near, &key.id, item)).flatten();
        let Some(mut value) = passing(filter, key).map(|v| renewed(v, &key.id, item)).or_else(wanted) else {
            continue;
        };
        if let Some(date) = value.date.as_mut().filter(|_| key.kind == ValueKind::Date) {
            if let Some(beside) = near.and_then(|near| near.cell(&key.id)).and_then(|cell| cell.date.as_ref())
            {
                date.is_not_time = beside.is_not_time;
            }
            if key.date.is_some_and(|date| date.auto_fill_now) {
                (date.content, date.is_not_empty) = (crate::id::now_ms(), true);
            }
        }
        values.insert(key.id.clone(), value);
    }
    false
}

fn is_valid(filter: &Filter) -> bool {
    let about_emptiness = matches!(filter.operator.as_str(), "Is empty" | "Is not empty");
    let said = |value: &Value| about_emptiness || !value.is_empty() || filter.relative_date.is_some();
    filter.value.as_ref().is_some_and(said)
}

/// A value that passes a condition.
fn passing(filter: &Filter, key: &Key) -> Option<Value> {
    let wanted = filter.value.as_ref().filter(|_| is_valid(filter))?;
    let kind = wanted.kind?;
    let mut value = Value { kind: Some(kind), ..Value::default() };
    let operator = filter.operator.as_str();
    match kind {
        ValueKind::Block | ValueKind::Text | ValueKind::Url | ValueKind::Email | ValueKind::Phone => {
            let content = match operator {
                "=" | "Contains" | "Starts with" | "Ends with" => {
                    wanted.plain().unwrap_or_default().to_owned()
                }
                "!=" | "Does not contains" | "Is empty" => String::new(),
                "Is not empty" => return None,
                _ => wanted.plain().unwrap_or_default().to_owned(),
            };
            set_plain(&mut value, kind, content);
        }
        ValueKind::Number => {
            let content = wanted.number.as_ref().map_or(0.0, |number| number.content);
            let (content, is_not_empty) = match operator {
                ">" => (content + 1.0, true),
                "<" => (content - 1.0, true),
                "!=" | "Is empty" => (0.0, false),
                "Is not empty" => (0.0, true),
                _ => (content, true),
            };
            value.number = Some(Number { content, is_not_empty, ..Number::default() });
        }
        ValueKind::Date => value.date = passing_date(filter, wanted),
        ValueKind::Select | ValueKind::MSelect => {
            let first = wanted.m_select.first().cloned();
            let option = key.options.first();
            value.m_select = match operator {
                "=" | "Contains" => first.into_iter().collect(),
                "Is empty" => Vec::new(),
                "Is not empty" => {
                    vec![Choice { content: option?.name.clone(), color: option?.color.clone() }]
                }
                _ => return None,
            };
        }
        ValueKind::MAsset => {
            let asset = wanted.m_asset.first().cloned();
            value.m_asset =
                asset.filter(|_| matches!(operator, "=" | "Contains")).into_iter().collect::<Vec<Asset>>();
        }
        ValueKind::Checkbox => {
            let checked = match operator {
                "Is true" => true,
                "Is false" => false,
                _ => wanted.is_checked(),
            };
            value.checkbox = Some(Checkbox { checked });
        }
        _ => return None,
    }
    Some(value)
}

fn passing_date(filter: &Filter, wanted: &Value) -> Option<Date> {
    const DAY: i64 = 86_400_000;
    let stored = wanted.date.as_ref().map(|date| (date.content, date.content2));
    let (start, end) = match filter.relative_date {
        Some(relative) => {
            let span = dates::around_now(relative);
            (span.start, span.end)
        }
        None => stored?,
    };
    let content = match filter.operator.as_str() {
        ">" => end + DAY,
        "<" => start - DAY,
        "Is between" => {
            let now = crate::id::now_ms();
            let (start, end) = (start.min(end), start.max(end));
            if start < now && now < end { now } else { start }
        }
        "Is empty" => return Some(Date::default()),
        "Is not empty" => crate::id::now_ms(),
        _ => start,
    };
    Some(Date { content, is_not_empty: true, ..Date::default() })
}

fn set_plain(value: &mut Value, kind: ValueKind, content: String) {
    let now = crate::id::now_ms();
    let text = Some(Text { content: content.clone() });
    match kind {
        ValueKind::Block => {
            value.block = Some(BlockCell { content, created: now, updated: now, ..BlockCell::default() });
        }
        ValueKind::Url => value.url = text,
        ValueKind::Email => value.email = text,
        ValueKind::Phone => value.phone = text,
        _ => value.text = text,
    }
}

#[allow(clippy::too_many_arguments, reason = "all of them are one place and one row")]
fn by_group(
    database: &Database,
    view: &View,
    in_group: &View,
    near: Option<&Item>,
    item: &str,
    new: bool,
    filtered: &[String],
    values: &mut HashMap<String, Value>,
) {
    let field = view.group.as_ref().map(|group| group.field.as_str()).unwrap_or_default();
    let Some(key) = database.key(field) else { return };
    let name = in_group.group_value();
    if key.kind.is_choice() {
        let beside = copy(near, &key.id, item);
        let Some(option) = key.option(&name) else {
            values.extend(beside.map(|value| (key.id.clone(), value)));
            return;
        };
        let choice = Choice { content: option.name.clone(), color: option.color.clone() };
        let stored = database.value(&key.id, item).cloned();
        let mut value = beside
            .or_else(|| values.get(&key.id).cloned())
            .or_else(|| stored.clone())
            .unwrap_or_else(|| Value::default_for(&crate::id::new_id(), &key.id, item, key.kind, false));
        if value.m_select.iter().any(|known| known.content == name) {
            let mut kept = if new { Vec::new() } else { stored.map(|v| v.m_select).unwrap_or_default() };
            let others = values.get(&key.id).map(|value| value.m_select.clone()).unwrap_or_default();
            for other in std::iter::once(choice).chain(others) {
                if !kept.iter().any(|known: &Choice| known.content == other.content) {
                    kept.push(other);
                }
            }
            value.m_select = kept;
        } else if key.kind == ValueKind::MSelect {
            value.m_select.push(choice);
        } else {
            value.m_select = vec![choice];
        }
        values.insert(key.id.clone(), value);
        return;
    }
    if matches!(key.kind, ValueKind::Template | ValueKind::Rollup) {
        return;
    }
    let is_filtered = filtered.iter().any(|column| column == &key.id);
    let value = match near {
        Some(_) => copy(near, &key.id, item),
        None if !is_filtered => Some(of_group(in_group, key, item, &name)),
        None => None,
    };
    if let Some(mut value) = value {
        if let Some(date) = value.date.as_mut().filter(|_| key.date.is_some_and(|date| date.auto_fill_now)) {
            (date.content, date.is_not_empty) = (crate::id::now_ms(), true);
        }
        values.insert(key.id.clone(), value);
    }
}

/// The value of a group without rows.
fn of_group(in_group: &View, key: &Key, item: &str, name: &str) -> Value {
    let mut value = Value::default_for(&crate::id::new_id(), &key.id, item, key.kind, false);
    let name = if name == "_@default@_" { "" } else { name };
    match key.kind {
        ValueKind::Block | ValueKind::Text | ValueKind::Url | ValueKind::Email | ValueKind::Phone => {
            set_plain(&mut value, key.kind, name.to_owned());
        }
        ValueKind::Number => {
            let start = name.split(" - ").next().unwrap_or_default().parse();
            value.number =
                Some(Number { content: start.unwrap_or(0.0), is_not_empty: true, ..Number::default() });
        }
        ValueKind::Checkbox => {
            value.checkbox = in_group.group_val.as_ref().and_then(|group| group.checkbox);
        }
        _ => {}
    }
    value
}
