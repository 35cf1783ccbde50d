//! TOML, changed in place: comments, order and blanks stay.

use serde_json::{Map, Value};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike};

use crate::words::FileWords;
pub(super) fn values(text: &str) -> Result<Map<String, Value>, String> {
    Ok(object(parsed(text)?.as_table()))
}

/// Sets one entry.
pub(super) fn set(text: &str, keys: &[&str], value: &Value) -> Result<String, String> {
    let mut document = parsed(text)?;
    let Some((last, above)) = keys.split_last() else { return Ok(text.to_owned()) };
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut is_inline = false;
    for key in above {
        let fresh = || if is_inline { Item::Value(InlineTable::new().into()) } else { implicit() };
        let item = table.entry(key).or_insert_with(fresh);
        is_inline = item.is_inline_table();
        table = item.as_table_like_mut().ok_or_else(|| super::no_object(key))?;
    }
    let mut new = item(value, is_inline);
    match table.get_mut(last) {
        Some(old) => {
            match (&*old, &mut new) {
                // The comment at the end of its line belongs to the line.
                (Item::Value(old), Item::Value(new)) => *new.decor_mut() = old.decor().clone(),
                (Item::Table(old), Item::Table(new)) => {
                    *new.decor_mut() = old.decor().clone();
                    new.set_position(old.position());
                }
                _ => {}
            }
            *old = new;
        }
        None => drop(table.insert(last, new)),
    }
    Ok(kept(text, &document.to_string()))
}

/// Removes one entry, if it is there.
pub(super) fn remove(text: &str, keys: &[&str]) -> Result<String, String> {
    let mut document = parsed(text)?;
    let Some((last, above)) = keys.split_last() else { return Ok(text.to_owned()) };
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for key in above {
        let Some(inner) = table.get_mut(key).and_then(Item::as_table_like_mut) else {
            return Ok(text.to_owned());
        };
        table = inner;
    }
    table.remove(last);
    Ok(kept(text, &document.to_string()))
}

/// The new text with what the library drops of the old one: the ends of lines, and the comments that stood before an
/// entry which is gone. They may be about anything, such as an entry that a person switched off.
fn kept(old: &str, new: &str) -> String {
    let usual = if old.contains("\r\n") { "\r\n" } else { "\n" };
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let [old_bare, new_bare] = [&old, &new]
        .map(|lines| lines.iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect::<Vec<&str>>());
    let mut text = String::new();
    let mut push = |line: &str| {
        // The last line of a text may have no end.
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(usual);
        }
        text.push_str(line);
    };
    for change in capture_diff_slices(Algorithm::Myers, &old_bare, &new_bare) {
        let gone = old.get(change.old_range()).unwrap_or_default();
        if matches!(change, DiffOp::Equal { .. }) {
            gone.iter().for_each(|line| push(line));
            continue;
        }
        let comments = gone.iter().enumerate().filter(|(at, _)| is_comment(gone, *at));
        comments.for_each(|(_, line)| push(line));
        for line in new.get(change.new_range()).unwrap_or_default() {
            let bare = line.trim_end_matches(['\r', '\n']);
            let end = if bare.len() < line.len() { usual } else { "" };
            push(&format!("{bare}{end}"));
        }
    }
    text
}

/// Whether a line is a comment, or a blank that parts two comments or stands before one.
fn is_comment(lines: &[&str], at: usize) -> bool {
    let mut rest = lines.iter().skip(at).map(|it| it.trim());
    rest.find(|it| !it.is_empty()).is_some_and(|it| it.starts_with('#'))
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        // The library's own message quotes the line, which may hold a token.
        let before = error.span().and_then(|it| text.get(..it.start)).unwrap_or_default();
        FileWords::here().bad_toml(before.matches('\n').count() + 1)
    })
}

/// A table that is printed with its first entry only.
fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

fn item(value: &Value, is_inline: bool) -> Item {
    match value {
        Value::Object(fields) if !is_inline => {
            let mut table = Table::new();
            for (key, value) in fields {
                table.insert(key, item(value, false));
            }
            Item::Table(table)
        }
        value => Item::Value(plain(value)),
    }
}

fn plain(value: &Value) -> toml_edit::Value {
    match value {
        // TOML knows no null; nothing here writes one.
        Value::Null => "".into(),
        Value::Bool(is) => (*is).into(),
        Value::Number(number) => {
            number.as_i64().map_or_else(|| number.as_f64().unwrap_or_default().into(), Into::into)
        }
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(plain).collect::<toml_edit::Array>().into(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.as_str(), plain(value)));
            fields.collect::<InlineTable>().into()
        }
    }
}

fn object(table: &dyn TableLike) -> Map<String, Value> {
    table.iter().map(|(key, item)| (key.to_owned(), read(item))).collect()
}

fn read(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Table(table) => Value::Object(object(table)),
        Item::ArrayOfTables(tables) => tables.iter().map(|it| Value::Object(object(it))).collect(),
        Item::Value(value) => read_value(value),
    }
}

fn read_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => Value::from(text.value().as_str()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => Value::from(*number.value()),
        toml_edit::Value::Boolean(is) => Value::from(*is.value()),
        toml_edit::Value::Datetime(time) => Value::from(time.value().to_string()),
        toml_edit::Value::Array(items) => items.iter().map(read_value).collect(),
        toml_edit::Value::InlineTable(table) => Value::Object(object(table)),
    }
}
