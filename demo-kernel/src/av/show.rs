//! The answer of `renderAttributeView`: one view, checked, filtered, sorted, calculated, cut into pages.

use serde_json::{Map, Value as Json, json};

use super::database::Database;
use super::render::{self, Item, RenderedView, Source};
use super::view::{Filter, LayoutKind, View};
use super::{calc, filter, group, sort, views};
use crate::answer::{Outcome, Refusal};
use crate::store::Db;

/// The part of a database that a caller asks for.
#[derive(Debug, Default)]
pub(crate) struct ViewRequest<'a> {
    pub(crate) carrier: &'a str,
    pub(crate) view: &'a str,
    pub(crate) query: &'a str,
    pub(crate) page: i64,
    /// Below 1: as the view says.
    pub(crate) page_size: i64,
    pub(crate) group_paging: Map<String, Json>,
    pub(crate) ignore_rows: bool,
}

/// Renders a database that is there.
pub(crate) fn show(db: &Db<'_>, id: &str, request: &ViewRequest<'_>) -> Outcome {
    let mut database = db.database(id)?;
    let rendered = rendered(db, &mut database, request)?;
    Ok(json!({
        "name": database.name, "id": database.id, "viewType": rendered.view.layout.name(),
        "viewID": rendered.view.id, "views": database.view_list(), "view": rendered.show(),
        "isMirror": db.is_mirror(id)?, "newItemTemplates": null, "defaultTemplateID": "",
    }))
}

/// The view that a caller means.
pub(crate) fn rendered(
    db: &Db<'_>,
    database: &mut Database,
    request: &ViewRequest<'_>,
) -> Result<RenderedView, Refusal> {
    let shown =
        if request.view.is_empty() { db.shown_view(request.carrier)? } else { request.view.to_owned() };
    let view = database.view_or_current(&shown)?.id.clone();
    if !shown.is_empty() {
        database.view.clone_from(&view);
    }
    check(database, &view);
    let grouped = database.find_view(&view).is_some_and(View::is_grouped);
    let is_board = database.find_view(&view).is_some_and(|view| view.layout == LayoutKind::Kanban);
    if is_board && !grouped {
        views::group_by_select(db, database, &view)?;
    }
    renew_groups(db, database, &view, request)?;
    db.save_database(database)?;
    let source = Source::new(db);
    let view = database.view_or_current(&view)?.clone();
    let mut out = if request.ignore_rows {
        render::frame(database, &view)
    } else {
        let mut out = finish(&source, database, &view, request.query)?;
        out.cut(request.page, request.page_size, view.page_size);
        out
    };
    let Some(key) = view.group.as_ref().and_then(|group| database.key(&group.field)) else { return Ok(out) };
    let mut sorted = view.clone();
    group::sort_groups(&mut sorted, Some(key));
    for one in &sorted.groups {
        let part_view = group::in_group(&view, one);
        if request.ignore_rows {
            // The kernel still sends the rows of groups, neither filtered nor counted.
            let mut part = render::render(&source, database, &part_view, request.query)?;
            part.view.name = group::title(one, key);
            out.groups.push(part);
            continue;
        }
        let mut part = finish(&source, database, &part_view, request.query)?;
        part.view.name = group::title(one, key);
        let paging = request.group_paging.get(&one.id);
        let number = |name: &str, default| {
            let given = paging.and_then(|paging| paging.get(name)).and_then(Json::as_f64);
            given.map_or(default, |number| number as i64)
        };
        part.cut(number("page", request.page), number("pageSize", request.page_size), view.page_size);
        let hides = view.group.as_ref().is_some_and(|group| group.hide_empty);
        let hidden = &mut part.view.group_hidden;
        if (!hides && *hidden != 2) || (*hidden == 1 && !part.items.is_empty()) {
            *hidden = 0;
        }
        out.groups.push(part);
    }
    out.items.clear();
    Ok(out)
}

/// One row of a view, as it is rendered, before filters.
pub(crate) fn row(db: &Db<'_>, database: &Database, view: &str, item: &str) -> Result<Option<Item>, Refusal> {
    let view = View { groups: Vec::new(), ..database.view_or_current(view)?.clone() };
    let out = render::render(&Source::new(db), database, &view, "")?;
    Ok(out.items.into_iter().find(|other| other.id == item))
}

/// All rows of a view, filtered and sorted, without its groups.
pub(crate) fn rows(db: &Db<'_>, database: &Database, view: &str) -> Result<RenderedView, Refusal> {
    let view = View { groups: Vec::new(), group: None, ..database.view_or_current(view)?.clone() };
    finish(&Source::new(db), database, &view, "")
}

fn finish(
    source: &Source<'_>,
    database: &Database,
    view: &View,
    query: &str,
) -> Result<RenderedView, Refusal> {
    let mut out = render::render(source, database, view, query)?;
    filter::filter(source, database, &mut out)?;
    sort::sort(&mut out, database);
    calc::calculate(&mut out)?;
    Ok(out)
}

/// Forgets filters, sorting and groups by columns that are gone.
fn check(database: &mut Database, view: &str) {
    let keys: Vec<String> = database.columns.iter().map(|column| column.key.id.clone()).collect();
    let known = |id: &str| keys.iter().any(|key| key == id);
    let Ok(view) = database.view_or_current_mut(view) else { return };
    view.filters = Filter::keep(std::mem::take(&mut view.filters), &known);
    if view.filters.is_empty() {
        view.filters.push(Filter::all(Vec::new()));
    }
    view.sorts.retain(|sort| known(&sort.column));
    if view.group.as_ref().is_some_and(|group| !known(&group.field)) {
        view.group = None;
    }
}

/// Groups by date change from day to day, those by template with every rendering.
fn renew_groups(
    db: &Db<'_>,
    database: &mut Database,
    view: &str,
    request: &ViewRequest<'_>,
) -> Result<(), Refusal> {
    let Some(at) = database.views.iter().position(|other| other.id == view) else { return Ok(()) };
    let Some(view) = database.views.get(at) else { return Ok(()) };
    let Some(kind) = view.group_kind(&database.columns) else { return Ok(()) };
    let moves = group::is_stale(view) || kind == super::value::ValueKind::Template;
    if (moves && !request.ignore_rows) || view.groups.is_empty() {
        group::regroup_view(&Source::new(db), database, at)?;
    }
    Ok(())
}
