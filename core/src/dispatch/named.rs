//! The titles, places and notebooks of what a question names: looked up once, and only when a person is asked.
//!
//! They are no part of the plan that a person approves: ids are, and a document that was renamed meanwhile is still the
//! same one. A look-up that fails leaves the question as the plan has it.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::{About, Book, LONGEST, Thing, clean};
use crate::cx::Cx;
use crate::id::is_node_id;
use crate::index::{self, Select};
use crate::kernel::api::query::Row;
use crate::sorted::IntoSorted as _;

/// Adds titles and places to the things that have an id, as far as the caller may read them (`SQL`).
pub(super) async fn name(about: &mut About, cx: &Cx<'_>) {
    let ids: BTreeSet<String> =
        about.things_mut().filter_map(|it| it.id.clone()).filter(|id| is_node_id(id)).collect();
    if ids.is_empty() {
        return;
    }
    let select = Select::blocks().filter(index::in_list("b.id", ids.iter().map(String::as_str)));
    let rows = cx.look_up(select.limit(ids.len())).await;
    let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.text("id"), row)).into_map();
    for thing in about.things_mut() {
        let notebook = cx.scope().visible_notebooks().find(|it| Some(it.id.as_str()) == thing.id.as_deref());
        if let Some(notebook) = notebook {
            *thing = Thing::titled(&notebook.name);
        }
        if let Some(row) = thing.id.as_deref().and_then(|id| rows.get(id)) {
            of_row(thing, row, cx);
        }
    }
}

fn of_row(thing: &mut Thing, row: &Row, cx: &Cx<'_>) {
    let hpath = index::hpath(row);
    let is_document = row.text("type") == "d";
    // A plan has the Markdown of a block, the index its text.
    if thing.title.is_empty() || !(is_document || row.text("content").is_empty()) {
        thing.title = clean(row.text("content"), LONGEST);
    }
    let place = match hpath.rsplit_once('/') {
        Some((above, _)) if is_document => above,
        _ => hpath,
    };
    thing.place = clean(place, 2 * LONGEST);
    let notebook = cx.scope().visible_notebooks().find(|it| it.id == row.text("box"));
    thing.notebook =
        notebook.map(|it| Book { name: clean(&it.name, LONGEST), icon: clean(&it.icon, LONGEST) });
}
