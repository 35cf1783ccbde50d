//! The titles, places and notebooks of what a question names: looked up only when a person is asked or has approved.
//!
//! They are part of what a person approves, so they are looked up again after the approval: a document that was renamed
//! or moved meanwhile is no longer the one that the person read. A look-up that fails leaves the question as the plan
//! has it.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::{About, Book, LONGEST, Thing, clean};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::is_node_id;
use crate::index::{self, Select};
use crate::kernel::api::query::Row;
use crate::sorted::IntoSorted as _;

/// Adds titles and places to the things that have an id, as far as the caller may read them (`SQL`). After an approval
/// the index is brought up to date first (`FLUSH_TRANSACTION`): a new title that still waits for it must not pass for the
/// one that the person read.
///
/// # Errors
/// If the index cannot be brought up to date.
pub(super) async fn name(about: &mut About, is_approved: bool, cx: &Cx<'_>) -> Result<(), ToolError> {
    let ids: BTreeSet<String> =
        about.things_mut().filter_map(|it| it.id.clone()).filter(|id| is_node_id(id)).collect();
    if ids.is_empty() {
        return Ok(());
    }
    if is_approved {
        cx.settle_index().await?;
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
    Ok(())
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

#[cfg(test)]
#[path = "named_tests.rs"]
mod tests;
