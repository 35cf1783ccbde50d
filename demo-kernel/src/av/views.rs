//! Views: adding, removing, sorting and changing them. All act on the view that a block shows.

use serde_json::Value as Json;

use super::columns::show_at_end;
use super::database::{Column, Database, Key};
use super::group;
use super::render::Source;
use super::value::{ValueKind, read};
use super::view::{Filter, Grouping, LayoutKind, Sort, View};
use crate::answer::Refusal;
use crate::store::Db;

/// The greatest depth of nested groups of conditions.
const FILTER_DEPTH: usize = 3;

/// Changes the view that a block shows.
pub(crate) fn change(
    db: &Db<'_>,
    id: &str,
    carrier: &str,
    f: impl FnOnce(&mut View) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let shown = db.shown_view(carrier)?;
    f(database.view_or_current_mut(&shown)?)?;
    db.save_database(&mut database)
}

/// Changes a view by its id.
pub(crate) fn change_named(
    db: &Db<'_>,
    id: &str,
    view: &str,
    f: impl FnOnce(&mut View),
) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    if let Some(view) = database.views.iter_mut().find(|other| other.id == view) {
        f(view);
        db.save_database(&mut database)?;
    }
    Ok(())
}

pub(crate) fn set_filters(db: &Db<'_>, id: &str, carrier: &str, data: &Json) -> Result<(), Refusal> {
    let database = db.database(id)?;
    database.view_or_current("")?;
    let mut filters: Vec<Filter> = read(data)?;
    if !matches!(filters.as_slice(), [one] if one.is_group()) {
        filters = vec![Filter::all(filters)];
    }
    if filters.iter().any(|filter| filter.depth() > FILTER_DEPTH) {
        return Err(Refusal::new("filter nesting depth exceeds the maximum allowed"));
    }
    change(db, id, carrier, |view| {
        view.filters = filters;
        Ok(())
    })
}

pub(crate) fn set_sorts(db: &Db<'_>, id: &str, carrier: &str, data: &Json) -> Result<(), Refusal> {
    let database = db.database(id)?;
    database.view_or_current("")?;
    let sorts: Vec<Sort> = read(data)?;
    change(db, id, carrier, |view| {
        view.sorts = sorts;
        Ok(())
    })
}

pub(crate) fn set_group(db: &Db<'_>, id: &str, carrier: &str, group: &Json) -> Result<(), Refusal> {
    let group: Grouping = read(group)?;
    let mut database = db.database(id)?;
    let view = database.view_or_current(&db.shown_view(carrier)?)?.id.clone();
    group::set_group(&Source::new(db), &mut database, &view, &group)?;
    db.save_database(&mut database)
}

/// Lets a block show a view; the database remembers it as the last one shown.
pub(crate) fn show_on(db: &Db<'_>, id: &str, carrier: &str, view: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let layout = database.find_view(view).ok_or_else(|| Refusal::new("view not found"))?.layout;
    if db.root_of(carrier)?.is_none() {
        return Err(Refusal::new("tree not found"));
    }
    view.clone_into(&mut database.view);
    db.save_database(&mut database)?;
    db.show_view(carrier, view, layout.name())
}

/// Gives the view of a block another layout.
pub(crate) fn change_layout(db: &Db<'_>, id: &str, carrier: &str, layout: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let shown = db.shown_view(carrier)?;
    let layout = LayoutKind::named(db.siyuan(), layout).ok_or_else(Refusal::panicked)?;
    let view = database.view_or_current_mut(&shown)?;
    if view.layout == layout {
        return Ok(());
    }
    view.change_layout(layout);
    let (view_id, grouped) = (view.id.clone(), view.is_grouped());
    if layout == LayoutKind::Kanban && !grouped {
        group_by_select(db, &mut database, &view_id)?;
    }
    for block in db.carriers_there(id)? {
        if block == carrier || db.shown_view(&block)? == view_id {
            db.show_view(&block, &view_id, layout.name())?;
            if block == carrier {
                database.view.clone_from(&view_id);
            }
        }
    }
    db.regroup_and_save(&mut database)
}

/// A board is grouped by the first select column; one is made when there is none.
pub(super) fn group_by_select(db: &Db<'_>, database: &mut Database, view: &str) -> Result<(), Refusal> {
    let known = database.columns.iter().find(|column| column.key.kind == ValueKind::Select);
    let field = match known {
        Some(column) => column.key.id.clone(),
        None => {
            let key = Key::new(&crate::id::new_id(), "Select", "", ValueKind::Select);
            let id = key.id.clone();
            database.columns.push(Column { key, values: Vec::new() });
            database.views.iter_mut().for_each(|view| show_at_end(view, &id, false));
            id
        }
    };
    group::set_group(&Source::new(db), database, view, &Grouping { field, ..Grouping::default() })
}

/// Adds a view with the columns of the first one and lets the block show it.
pub(crate) fn add(db: &Db<'_>, id: &str, view_id: &str, carrier: &str, layout: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let layout = match layout {
        "" => LayoutKind::Table,
        name => LayoutKind::named(db.siyuan(), name).ok_or_else(|| Refusal::new("wrong layout type"))?,
    };
    let Some(first) = database.views.first() else { return Ok(()) };
    let mut view = View::new(layout, first.fields());
    if layout == LayoutKind::Table && first.layout == LayoutKind::Table {
        let fields = view.table.iter_mut().flat_map(|table| table.fields.iter_mut());
        for (field, model) in fields.zip(first.fields()) {
            (field.width, field.align) = (model.width.clone(), model.align.clone());
        }
    }
    view.items.clone_from(&first.items);
    view_id.clone_into(&mut view.id);
    view_id.clone_into(&mut database.view);
    database.views.push(view);
    if layout == LayoutKind::Kanban {
        group_by_select(db, &mut database, view_id)?;
    }
    // Without the block the kernel forgets the new view.
    if db.root_of(carrier)?.is_none() {
        return Ok(());
    }
    db.show_view(carrier, view_id, layout.name())?;
    db.save_database(&mut database)
}

/// Removes the view that a block shows, unless it is the last; the previous view is shown then.
pub(crate) fn remove(db: &Db<'_>, id: &str, carrier: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    if database.views.len() <= 1 {
        return Ok(());
    }
    let gone = database.view_or_current(&db.shown_view(carrier)?)?.id.clone();
    let at = database.views.iter().position(|view| view.id == gone).unwrap_or_default();
    database.views.remove(at);
    let Some(next) = database.views.get(at.saturating_sub(1)) else { return Ok(()) };
    let (next, layout) = (next.id.clone(), next.layout);
    database.view.clone_from(&next);
    db.save_database(&mut database)?;
    for block in db.carriers_there(id)? {
        if db.shown_view(&block)? == gone {
            db.show_view(&block, &next, layout.name())?;
        }
    }
    Ok(())
}

/// Copies a view and lets the block show the copy.
pub(crate) fn duplicate(
    db: &Db<'_>,
    id: &str,
    model: &str,
    copy: &str,
    carrier: &str,
) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let Some(mut view) = database.find_view(model).cloned() else { return Ok(()) };
    if db.root_of(carrier)?.is_none() {
        return Ok(());
    }
    copy.clone_into(&mut view.id);
    view.name = format!("{} (1)", view.name);
    view.groups.clear();
    view.layouts_mut().for_each(|(_, layout)| layout.id = crate::id::new_id());
    let layout = view.layout;
    database.views.push(view);
    copy.clone_into(&mut database.view);
    db.regroup_and_save(&mut database)?;
    db.show_view(carrier, copy, layout.name())
}

/// Puts a view behind another one.
pub(crate) fn sort(db: &Db<'_>, id: &str, view: &str, previous: &str) -> Result<(), Refusal> {
    let mut database = db.database(id)?;
    let Some(at) = database.views.iter().position(|other| other.id == view) else { return Ok(()) };
    if view == previous {
        return Ok(());
    }
    let moved = database.views.remove(at);
    let to = database.views.iter().position(|other| other.id == previous).map_or(0, |at| at + 1);
    database.views.insert(to, moved);
    db.save_database(&mut database)
}

/// Puts a column behind another one in the view of a block; first when that is unknown.
pub(crate) fn sort_field(
    db: &Db<'_>,
    id: &str,
    carrier: &str,
    key: &str,
    previous: &str,
) -> Result<(), Refusal> {
    change(db, id, carrier, |view| {
        let Some(layout) = view.shown_layout_mut().filter(|_| key != previous) else { return Ok(()) };
        let Some(at) = layout.fields.iter().position(|field| field.id == key) else { return Ok(()) };
        let moved = layout.fields.remove(at);
        let to = layout.fields.iter().position(|field| field.id == previous).map_or(0, |at| at + 1);
        layout.fields.insert(to, moved);
        Ok(())
    })
}
