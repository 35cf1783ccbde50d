//! `notebook.list`: the notebooks a caller may use.

use serde_json::{Value, json};

use crate::prelude::*;

/// List the notebooks you may use, with id, name, level, and whether each is open.
#[derive(Debug, Action)]
#[action(notebook.list, workspace = Read, danger = None, idempotent = true, calls = [LS_NOTEBOOKS])]
pub struct List {
    /// Whether closed notebooks are listed too.
    pub include_closed: Flag<true>,
}

impl Run for List {
    async fn run<K: Kernel>(self, cx: &Cx<'_, K>) -> Reply {
        let listed = cx.visible(cx.call(api::LS_NOTEBOOKS, json!({})).await?);
        let items: Vec<Value> = listed
            .notebooks
            .iter()
            .filter(|it| self.include_closed.is_set() || !it.closed)
            .map(|it| {
                Value::Object(object([
                    ("id", json!(it.id)),
                    ("name", json!(it.name)),
                    ("level", json!(cx.grants().level_of(&it.id).word())),
                    ("closed", json!(it.closed)),
                    ("icon", json!(it.icon)),
                    ("documents", if it.closed { Value::Null } else { json!(it.sub_file_count) }),
                ]))
            })
            .collect();
        let total = items.len();
        Ok(Output::new().with("items", items).with("total", total))
    }
}
