//! Template columns: each cell is a template that sees the other cells of its row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{Item, RenderedView, Source};
use crate::answer::Refusal;
use crate::av::database::Database;
use crate::av::format::time_of;
use crate::av::value::{Text, Value, ValueKind};
use crate::markdown::Attrs;
use crate::markdown::attrs::escape;
use crate::template::{self, ACTION, Any};

static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("<(/?)([a-zA-Z0-9]+)[^>]*?>").ok());

/// Renders the template columns; those that use other template columns come after them.
pub(super) fn fill(source: &Source<'_>, database: &Database, out: &mut RenderedView) -> Result<(), Refusal> {
    let order = order(database);
    if order.is_empty() {
        return Ok(());
    }
    for item in &mut out.items {
        let row = database.row(&item.id).cloned();
        let attrs = source.attrs(row.as_ref())?;
        let mut data = data(database, item, row.as_ref(), &attrs);
        for (key, name, text) in &order {
            let content = match template::render(source.db, text, ACTION, &Any::Map(data.clone().into())) {
                Ok(content) => safe(content),
                Err(refusal) if refusal.code == 501 => return Err(refusal),
                // A failing template shows nothing.
                Err(_) => String::new(),
            };
            data.insert(name.clone(), Any::text(content.trim()));
            for cell in item.cells.iter_mut().filter(|cell| cell.key == *key) {
                cell.template = Some(Text { content: content.clone() });
            }
        }
    }
    Ok(())
}

/// The template columns: key, name and template, each behind those that it names.
fn order(database: &Database) -> Vec<(String, String, String)> {
    let keys =
        database.columns.iter().map(|column| &column.key).filter(|key| key.kind == ValueKind::Template);
    let mut left: Vec<_> = keys.collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let waits = |key: &&crate::av::database::Key| {
            let names = template::names_in(&key.template, ACTION);
            left.iter().any(|other| other.id != key.id && names.contains(&other.name))
        };
        let (later, now): (Vec<_>, Vec<_>) = left.iter().copied().partition(waits);
        // Templates that name each other in a circle are evaluated in column order.
        let (later, now) = if now.is_empty() { (Vec::new(), later) } else { (later, now) };
        order.extend(now.iter().map(|key| (key.id.clone(), key.name.clone(), key.template.clone())));
        left = later;
    }
    order
}

/// The data of a template: the attributes of the block, and the cells by the names of their columns.
fn data(database: &Database, item: &Item, row: Option<&Value>, attrs: &Attrs) -> BTreeMap<String, Any> {
    let time = |ms: i64| Any::Time(time_of(ms));
    let block = row.and_then(|row| row.block.clone()).unwrap_or_default();
    let mut data: BTreeMap<String, Any> =
        attrs.iter().map(|(name, value)| (name.to_owned(), Any::text(value))).collect();
    let id =
        [attrs.text("id"), &block.id, &item.id].into_iter().find(|id| !id.is_empty()).unwrap_or_default();
    let stamp = |stamp: &str| time(stamp.get(..14).map_or(0, crate::id::seconds_of) * 1000);
    let updated = attrs.get("updated").map_or_else(|| time(block.updated), stamp);
    data.insert("id".into(), Any::text(id));
    data.insert("created".into(), stamp(id));
    data.insert("updated".into(), updated);
    for cell in &item.cells {
        let Some(key) = database.key(&cell.key).filter(|key| key.kind != ValueKind::Template) else {
            continue;
        };
        let mut put = |suffix: &str, value: Any| _ = data.insert(format!("{}{suffix}", key.name), value);
        match key.kind {
            ValueKind::Number => {
                if let Some(number) = cell.number.as_ref().filter(|number| number.is_not_empty) {
                    put("", Any::Float(number.content));
                }
            }
            ValueKind::Date => {
                if let Some(date) = cell.date.as_ref().filter(|date| date.is_not_empty) {
                    put("", time(date.content));
                    if date.is_not_empty2 {
                        put("_end", time(date.content2));
                    }
                }
            }
            ValueKind::MSelect => {
                put("_str", Any::Text(cell.shown(true)));
                put("", Any::list(cell.m_select.iter().map(|choice| Any::text(&choice.content))));
            }
            ValueKind::Relation | ValueKind::Rollup => {
                let numbers = cell.contents().iter().filter_map(|value| value.number.as_ref());
                let numbers: Vec<Any> = numbers.map(|number| Any::Float(number.content)).collect();
                let texts = cell.contents().iter().map(|value| Any::Text(value.shown(true)));
                if !cell.contents().is_empty() {
                    put("", if numbers.is_empty() { Any::list(texts) } else { Any::list(numbers) });
                }
            }
            _ => put("", Any::Text(cell.shown(true))),
        }
        if key.kind == ValueKind::Block {
            data.insert("entryCreated".into(), time(block.created));
            data.insert("entryUpdated".into(), time(block.updated));
        }
    }
    data
}

/// Text with unclosed tags is escaped; a single missing value shows nothing.
fn safe(content: String) -> String {
    if content == "<no value>" {
        return String::new();
    }
    let mut open: Vec<String> = Vec::new();
    let mut broken = false;
    for tag in TAG.iter().flat_map(|tag| tag.captures_iter(&content)) {
        let name = tag.get(2).map_or("", |name| name.as_str()).to_lowercase();
        if tag.get(1).is_some_and(|slash| !slash.as_str().is_empty()) {
            broken |= open.pop().as_ref() != Some(&name);
        } else if !["br", "img", "hr", "input", "meta", "link"].contains(&name.as_str()) {
            open.push(name);
        }
    }
    if broken || !open.is_empty() { escape(&content) } else { content }
}
