//! The state of the screen, as far as the caller may see it.

use serde::Deserialize;

use crate::index::{self, Select};
use crate::kernel::Route;
use crate::kernel::api::query::Row;
use crate::kernel::page::PageRequest;
use crate::prelude::*;

/// The routes that `rows` and `place` call.
pub(super) const CALLS: &[Route] = &[query::SQL, filetree::GET_HPATH_BY_ID];

/// The maximum number of open documents that are read.
const MOST_OPEN: usize = 100;
/// The maximum number of selected blocks that are read.
const MOST_SELECTED: usize = 64;

/// The page's answer: ids only. What they name is read and judged here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ScreenState {
    /// `desktop`, `browser`, `mobile` ...
    pub(super) frontend: String,
    pub(super) active: Option<Active>,
    pub(super) open: Vec<Tab>,
    /// Databases on the screen.
    pub(super) databases: Vec<String>,
}

/// The editor in front.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Active {
    pub(super) doc: String,
    /// The block with the cursor.
    pub(super) block: String,
    /// The block that is shown alone.
    pub(super) zoomed: String,
    pub(super) selected: Vec<String>,
}

/// An open document.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tab {
    pub(super) doc: String,
    pub(super) pinned: bool,
}

/// Requests the open documents and databases and the selection from the page, each as a bounded list.
pub(super) async fn open(cx: &Cx<'_>) -> Result<ScreenState, ToolError> {
    let mut open: ScreenState = cx.page(PageRequest::UiState).await?;
    open.open.truncate(MOST_OPEN);
    open.databases.truncate(MOST_OPEN);
    if let Some(active) = &mut open.active {
        active.selected.truncate(MOST_SELECTED);
    }
    Ok(open)
}

impl ScreenState {
    /// Every block and document that the page named.
    pub(super) fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.open.iter().map(|it| it.doc.as_str()).collect();
        if let Some(active) = &self.active {
            ids.extend([active.doc.as_str(), &active.block, &active.zoomed]);
            ids.extend(active.selected.iter().map(String::as_str));
        }
        ids.retain(|id| crate::id::is_node_id(id));
        ids
    }
}

/// The rows of these blocks that the caller may see.
pub(super) async fn rows(ids: &[&str], cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
    cx.declares(CALLS)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let select = Select::blocks().filter(index::in_list("b.id", ids.iter().copied())).limit(ids.len());
    Ok(cx.select(select).await?.rows)
}

/// The path of titles of the document that a block lies in.
pub(super) async fn place(id: &BlockId, cx: &Cx<'_>) -> Result<(DocId, String), ToolError> {
    cx.declares(CALLS)?;
    let doc = cx.found(id).await?.doc.clone().ok_or_else(ToolError::not_found)?;
    let hpath = cx.ask(filetree::get_hpath_by_id(&doc)).await?;
    Ok((doc, hpath))
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
