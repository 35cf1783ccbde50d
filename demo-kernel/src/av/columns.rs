//! Columns: adding, changing, removing and sorting them, and the options of select columns.

use serde_json::Value as Json;

use super::database::{Column, Database, Key, RelationKey, RollupCalculation, RollupKey, SelectOption};
use super::rows::move_behind;
use super::value::{ValueKind, read};
use super::view::{Filter, View, ViewColumn};
use crate::answer::Refusal;
use crate::store::Db;

/// Adds a column behind another one. An unknown type, or a second primary column, is passed over.
pub(crate) fn add(
    db: &Db<'_>,
    id: &str,
    key: (&str, &str, &str),
    kind: &str,
    previous: &str,
) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let as_cards = !database.view_or_current("")?.layout.has_rows();
    let (key_id, name, icon) = key;
    let Some(kind) = ValueKind::named(kind).filter(|kind| *kind != ValueKind::Block) else { return Ok(()) };
    database.columns.push(Column { key: Key::new(key_id, name, icon, kind), values: Vec::new() });
    for view in &mut database.views {
        for (layout, shown) in view.layouts_mut() {
            let field = ViewColumn { wrap: shown.wrap_field, ..ViewColumn::new(key_id, layout) };
            let end = shown.fields.len();
            let at = match previous {
                "" if layout.has_rows() && !as_cards => 0,
                "" => end,
                _ => shown.fields.iter().position(|other| other.id == previous).map_or(end, |at| at + 1),
            };
            shown.fields.insert(at, field);
        }
    }
    db.save_database(&mut database)
}

/// Puts a column at the end of the views that show a database; of all their layouts or the shown one only.
pub(super) fn show_at_end(view: &mut View, key: &str, shown_only: bool) {
    let kind = view.layout;
    for (layout, shown) in view.layouts_mut().filter(|(layout, _)| !shown_only || *layout == kind) {
        let wrap = shown.wrap_field && !shown_only;
        shown.fields.push(ViewColumn { wrap, ..ViewColumn::new(key, layout) });
    }
}

fn hide(database: &mut Database, key: &str) {
    for view in &mut database.views {
        view.layouts_mut().for_each(|(_, layout)| layout.fields.retain(|field| field.id != key));
    }
}

/// Removes a column with its values; `both` also removes the other side of a two-way relation.
pub(crate) fn remove(db: &Db<'_>, id: &str, key_id: &str, both: bool) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let key = database.key(key_id).cloned().ok_or_else(|| Refusal::new("key not found"))?;
    if key.kind == ValueKind::Block {
        return Err(Refusal::new("cannot remove primary key field"));
    }
    database.columns.retain(|column| column.key.id != key_id);
    let leads_back = |relation: &RelationKey| key.kind == ValueKind::Relation && relation.is_two_way;
    if let Some(relation) = key.relation.filter(leads_back) {
        let cut = |other: &mut Database| {
            if let Some(back) = other.key_mut(&relation.back_key).and_then(|key| key.relation.as_mut())
                && back.database == id
                && back.is_two_way
            {
                (back.is_two_way, back.back_key) = (false, String::new());
            }
            if both {
                other.columns.retain(|column| column.key.id != relation.back_key);
                hide(other, &relation.back_key);
            }
        };
        if relation.database == id {
            cut(&mut database);
        } else if let Some(mut other) = db.find_database(&relation.database)? {
            cut(&mut other);
            db.save_database(&mut other)?;
        }
    }
    hide(&mut database, key_id);
    ungroup_by(&mut database, key_id);
    db.save_database(&mut database)?;
    db.refresh_related(id)
}

fn ungroup_by(database: &mut Database, key: &str) {
    let by_key = |view: &&mut View| view.group.as_ref().is_some_and(|group| group.field == key);
    database.views.iter_mut().filter(by_key).for_each(View::ungroup);
}

/// Gives a column a name and a type; values do not change. An unknown type changes nothing.
pub(crate) fn update(db: &Db<'_>, id: &str, key: &str, name: &str, kind: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let Some(kind) = ValueKind::named(kind) else { return Ok(()) };
    let Some(column) = database.column_mut(key) else { return Ok(()) };
    match (column.key.kind == ValueKind::Block, kind == ValueKind::Block) {
        (true, false) => return Err(Refusal::new("cannot change type of primary key field")),
        (false, true) => return Err(Refusal::new("cannot change field type to primary key")),
        _ => {}
    }
    name.trim().clone_into(&mut column.key.name);
    let changed = column.key.kind != kind;
    column.key.kind = kind;
    column.values.iter_mut().for_each(|value| value.kind = Some(kind));
    if changed {
        ungroup_by(&mut database, key);
    }
    db.save_database(&mut database)?;
    if changed { db.refresh_related(id) } else { Ok(()) }
}

/// Whether a change of a column's type fails once it is stored: the kernel then looks into every rollup of the databases
/// with a relation to this one, and one without a definition stops it.
pub(crate) fn update_fails_afterwards(db: &Db<'_>, id: &str, key: &str, kind: &str) -> Result<bool, Refusal> {
    let (database, kind) = (db.database(id)?, ValueKind::named(kind));
    let changes = database.columns.iter().any(|it| it.key.id == key && Some(it.key.kind) != kind);
    let undefined = |column: &super::database::Column, this: bool| {
        let becomes = if this && column.key.id == key { kind } else { Some(column.key.kind) };
        becomes == Some(ValueKind::Rollup) && column.key.rollup.is_none()
    };
    let leads_here = |column: &super::database::Column| {
        column.key.relation.as_ref().is_some_and(|relation| relation.database == id)
    };
    Ok(changes
        && db.databases()?.iter().any(|other| {
            other.columns.iter().any(leads_here)
                && other.columns.iter().any(|column| undefined(column, other.id == id))
        }))
}

/// Changes the definition of a column, when there is one of that id.
pub(crate) fn change_key(
    db: &Db<'_>,
    id: &str,
    key: &str,
    regroup: bool,
    f: impl FnOnce(&mut Key) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let Some(key) = database.key_mut(key) else { return Ok(()) };
    f(key)?;
    if regroup { db.regroup_and_save(&mut database) } else { db.save_database(&mut database) }
}

/// Sets which column of a related database a rollup shows; filters on it go.
pub(crate) fn set_rollup(db: &Db<'_>, id: &str, key: &str, operation: &Json) -> Result<(), Refusal> {
    let text = |name: &str| operation.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let data = operation.get("data").filter(|data| !data.is_null());
    let calc = data.and_then(|data| data.get("calc")).filter(|calc| !calc.is_null());
    let calc = calc.map(read::<RollupCalculation>).transpose()?;
    let mut database = db.database(id)?;
    let Some(known) = database.key_mut(key) else { return Ok(()) };
    known.rollup = Some(RollupKey { relation_key: text("parentID"), key: text("keyID"), calc });
    if data.is_none() {
        return Ok(());
    }
    for view in &mut database.views {
        view.filters = Filter::keep(std::mem::take(&mut view.filters), &|column| column != key);
        if view.filters.is_empty() {
            view.filters.push(Filter::all(Vec::new()));
        }
    }
    db.save_database(&mut database)
}

/// Puts a column behind another in the order that blocks show.
pub(crate) fn sort(db: &Db<'_>, id: &str, key: &str, previous: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    if key == previous {
        return Ok(());
    }
    database.complete_key_order();
    if let Some(order) = database.key_order.as_mut().filter(|order| order.iter().any(|other| other == key)) {
        move_behind(order, &key.to_owned(), previous);
    }
    db.save_database(&mut database)
}

/// Updates the options of a select column: known ones are changed, unknown ones added; without new ones the order is
/// that of the list. No option is removed.
pub(crate) fn set_options(db: &Db<'_>, id: &str, key: &str, given: &Json) -> Result<(), Refusal> {
    let options: Vec<SelectOption> = read(given)?;
    let mut database = db.database(id)?;
    let Some(column) = database.column_mut(key) else { return Ok(()) };
    let options: Vec<SelectOption> = options.into_iter().filter(|option| !option.name.is_empty()).collect();
    let known = column.key.options.len();
    for option in &options {
        match column.key.options.iter_mut().find(|known| known.name == option.name) {
            Some(known) => known.clone_from(option),
            None => column.key.options.push(option.clone()),
        }
    }
    if column.key.options.len() == known {
        let rank = |name: &str| options.iter().position(|option| option.name == name).unwrap_or(0);
        column.key.options.sort_by_key(|option| rank(&option.name));
    }
    db.regroup_and_save(&mut database)
}

/// Removes an option, also from cells and filters.
pub(crate) fn remove_option(db: &Db<'_>, id: &str, key: &str, name: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let Some(column) = database.column_mut(key) else { return Ok(()) };
    column.key.options.retain(|option| option.name != name);
    for value in &mut column.values {
        value.m_select.retain(|choice| choice.content != name);
    }
    for view in &mut database.views {
        Filter::each(&mut view.filters, &mut |filter| {
            if let Some(value) = filter.value.as_mut().filter(|_| filter.column == key) {
                let had = !value.m_select.is_empty();
                value.m_select.retain(|choice| choice.content != name);
                if had && value.m_select.is_empty() && !filter.operator.contains("empty") {
                    filter.column.clear();
                }
            }
        });
        view.filters = Filter::keep(std::mem::take(&mut view.filters), &|column| !column.is_empty());
    }
    db.regroup_and_save(&mut database)
}

/// Renames or recolours an option, in cells and filters too.
pub(crate) fn update_option(db: &Db<'_>, id: &str, key: &str, data: &Json) -> Result<(), Refusal> {
    let text = |name: &str| data.get(name).and_then(Json::as_str).ok_or_else(Refusal::panicked);
    let (old, new, color) = (text("oldName")?, text("newName")?.trim(), text("newColor")?);
    let mut database = db.database(id)?;
    let Some(column) = database.column_mut(key) else { return Ok(()) };
    if old != new && column.key.option(new).is_some() {
        column.key.options.retain(|option| option.name != old);
    }
    for option in column.key.options.iter_mut().filter(|option| option.name == old || option.name == new) {
        (option.name, option.color) = (new.to_owned(), color.to_owned());
        if let Some(desc) = data.get("newDesc").and_then(Json::as_str) {
            desc.clone_into(&mut option.desc);
        }
    }
    let rename = |choices: &mut Vec<super::value::Choice>| {
        for choice in choices.iter_mut().filter(|choice| choice.content == old) {
            (choice.content, choice.color) = (new.to_owned(), color.to_owned());
        }
        let mut seen = std::collections::HashSet::new();
        choices.retain(|choice| seen.insert(choice.content.clone()));
    };
    column.values.iter_mut().for_each(|value| rename(&mut value.m_select));
    for view in &mut database.views {
        Filter::each(&mut view.filters, &mut |filter| {
            if let Some(value) = filter.value.as_mut().filter(|_| filter.column == key) {
                rename(&mut value.m_select);
            }
        });
    }
    db.regroup_and_save(&mut database)
}
