//! `system.get_ui_state`: what is open, in front and selected.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::screen::{self, ScreenState};
use crate::index;
use crate::kernel::api::query::Row;
use crate::output::object;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Show the open documents, the one in front, the cursor and the selection.
#[derive(Debug, Action)]
#[action(system.get_ui_state, workspace = Read, danger = None, idempotent = true, calls = [..screen])]
pub struct GetUiState;

/// The maximum number of characters of a selected block.
const TEXT: usize = 80;

impl Run for GetUiState {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let open = screen::open(cx).await?;
        let rows = screen::rows(&open.ids(), cx).await?;
        let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.text("id"), row)).into_map();
        let document = |id: &str| rows.get(id).copied().filter(|row| row.text("type") == "d");
        let tabs: Vec<Value> = open
            .open
            .iter()
            .filter_map(|tab| {
                let pinned = if tab.pinned { json!(true) } else { Value::Null };
                Some(document_json(document(&tab.doc)?, [("pinned", pinned)]))
            })
            .collect();
        let active = active(&open, &rows);
        Ok(Output::new().with("frontend", open.frontend).with("active", active).with("open", tabs))
    }
}

fn document_json<const N: usize>(row: &Row, more: [(&str, Value); N]) -> Value {
    let mut document = object([
        ("doc", json!(row.text("id"))),
        ("title", json!(row.text("content"))),
        ("hpath", json!(index::hpath(row))),
        ("notebook", json!(row.text("box"))),
    ]);
    document.extend(object(more));
    Value::Object(document)
}

/// The editor in front; null if its document is not to be seen.
fn active(open: &ScreenState, rows: &BTreeMap<&str, &Row>) -> Value {
    let Some(active) = &open.active else { return Value::Null };
    let Some(row) = rows.get(active.doc.as_str()).filter(|row| row.text("type") == "d") else {
        return Value::Null;
    };
    // A block counts only inside of that document.
    let inside = |id: &str| rows.get(id).copied().filter(|it| it.text("root_id") == active.doc);
    let selected: Vec<Value> = active.selected.iter().filter_map(|id| inside(id)).map(selected).collect();
    let selected = if selected.is_empty() { Value::Null } else { Value::Array(selected) };
    let id = |id: &str| json!(inside(id).map(|it| it.text("id")));
    document_json(row, [("block", id(&active.block)), ("zoomed", id(&active.zoomed)), ("selected", selected)])
}

fn selected(row: &Row) -> Value {
    let text = row.text("content").chars().take(TEXT).collect::<String>();
    Value::Object(object([
        ("id", json!(row.text("id"))),
        ("type", json!(row.text("type"))),
        ("text", json!(text)),
    ]))
}

#[cfg(test)]
#[path = "get_ui_state_tests.rs"]
mod tests;
