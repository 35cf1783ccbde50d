//! `document.info`: facts about documents, by id or by hpath.

use std::collections::BTreeMap;

use futures_util::future::{join, join_all};
use serde_json::Value;

use crate::content::document::{COLUMNS, Document};
use crate::index::{self, Select, Table};
use crate::kernel::api::query::Row;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The maximum number of documents in one answer.
const MOST: usize = 64;

/// Show facts about documents, or find ids for a path of titles.
#[derive(Debug, Action)]
#[action(
    document.info,
    danger = None,
    idempotent = true,
    calls = [
        query::SQL, filetree::GET_IDS_BY_HPATH, attr::GET_BLOCK_ATTRS, filetree::GET_HPATH_BY_ID,
        block::GET_TREE_STAT,
    ],
    examples = [{ "ids": ["{doc}"] }, { "hpath": "{hpath}", "notebook": "{notebook}", "counts": true }],
)]
pub struct Info {
    /// By ids, or by a path of titles in a notebook.
    #[needs(Read)]
    #[one_of]
    pub which: InfoTarget,
    /// Whether words, blocks and documents directly below are counted too.
    pub counts: Flag<false>,
}

/// Which documents.
#[derive(Debug, OneOf)]
pub enum InfoTarget {
    /// Ids of documents.
    #[target]
    Ids(Many<DocId, 1, MOST>),
    /// By a path of titles.
    Named {
        /// Path of titles inside the notebook, such as /Plants/Mint.
        #[read_by()]
        hpath: Text<1, 4096>,
        /// A notebook's id or exact name.
        #[target]
        notebook: NotebookRef,
    },
}

impl Run for Info {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let mut ids: Vec<DocId> = match &self.which {
            InfoTarget::Ids(ids) => ids.as_slice().to_vec(),
            InfoTarget::Named { hpath, notebook } => {
                let hpath = hpath.as_str();
                if !hpath.starts_with('/') {
                    return Err(ToolError::field("hpath", "a path of titles that begins with /"));
                }
                let notebook = &cx.found(notebook).await?.notebook;
                let mut ids = cx.ask(filetree::get_ids_by_hpath(notebook, hpath)).await?;
                ids.dedup();
                if ids.is_empty() {
                    return Err(ToolError::not_found());
                }
                ids
            }
        };
        // Any number of documents may share a path, and each costs requests.
        let total = (ids.len() > MOST).then_some(ids.len());
        ids.truncate(MOST);
        let rows = rows(&ids, cx).await?;
        let documents = join_all(ids.iter().map(|id| self.document(id, &rows, cx))).await;
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for (id, document) in ids.iter().zip(documents) {
            match document? {
                Some(document) => found.push(document),
                None => missing.push(id.as_str()),
            }
        }
        if self.counts.is_set() {
            self.count(&mut found, cx).await?;
        }
        let items: Vec<Value> = found.iter().map(|it| it.to_json(cx.grants())).collect();
        Ok(Output::new().with("items", items).with("total", total).list("missing", missing))
    }
}

impl Info {
    /// A document at its current place: from its row, or, if the index does not have it there (yet), from the
    /// document itself. The index lags by up to 3 s, so its place is not trusted (F17).
    async fn document(&self, id: &DocId, rows: &[Row], cx: &Cx<'_>) -> Result<Option<Document>, ToolError> {
        // For an hpath, the kernel itself named the id, inside a notebook that the caller may read.
        let place = match &self.which {
            InfoTarget::Ids(_) => cx.place(id).await,
            InfoTarget::Named { notebook, .. } => cx.place(notebook).await,
        };
        let Some(place) = place else { return Ok(None) };
        let lies_there = |row: &&Row| {
            let known = place.storage.as_ref().is_none_or(|it| it.as_str() == row.text("path"));
            let is_it = row.text("id") == id.as_str() && row.text("box") == place.notebook.as_str();
            // A row whose attributes name databases arrives without any attributes, and is not used.
            is_it && known && !row.text("ial").is_empty()
        };
        let mut there = rows.iter().filter(lies_there);
        if let (Some(row), None) = (there.next(), there.next()) {
            return Ok(Some(Document::of_row(id, row)));
        }
        let (attrs, hpath) =
            join(cx.ask(attr::get_block_attrs(id)), cx.ask(filetree::get_hpath_by_id(id))).await;
        Ok(Some(Document::of_attrs(id, &attrs?, hpath?, place)))
    }

    async fn count(&self, found: &mut [Document], cx: &Cx<'_>) -> Result<(), ToolError> {
        let stats = join_all(found.iter().map(|it| cx.ask(block::get_tree_stat(&it.id))));
        let (stats, children) = join(stats, children(found, cx)).await;
        let children = children?;
        for (document, stat) in found.iter_mut().zip(stats) {
            let below = children.get(&document.place());
            document.counts = Some((stat?.stat, below.copied().unwrap_or_default()));
        }
        Ok(())
    }
}

/// The rows of documents.
async fn rows(ids: &[DocId], cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
    let asked = index::in_list("id", ids.iter().map(DocId::as_str));
    let select = Select::from(Table::Blocks).columns(COLUMNS).filter(index::eq("type", "d")).filter(asked);
    Ok(cx.select(select.per(["id", "box", "path"])).await?.rows)
}

/// The number of documents directly below each, by notebook and storage path.
async fn children(found: &[Document], cx: &Cx<'_>) -> Result<BTreeMap<(String, String), u64>, ToolError> {
    let parents: Vec<String> = found.iter().map(Document::below).collect();
    let select = Select::from(Table::Blocks)
        .column(index::PARENT, "parent")
        .count("id", "n")
        .filter(index::eq("type", "d").and(index::not(index::same("id", "box"))))
        .filter(index::in_list(index::PARENT, parents.iter().map(String::as_str)))
        .per(["box", "parent"]);
    let rows = cx.select(select.limit(4_096)).await?.rows;
    let place = |row: &Row| (row.text("box").to_owned(), row.text("parent").to_owned());
    Ok(rows.iter().map(|row| (place(row), row.number("n"))).into_map())
}

#[cfg(test)]
#[path = "info_tests.rs"]
mod tests;
