//! `document.info`: what documents are, by id or by hpath.

use std::collections::BTreeMap;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::content::kramdown::AttributeList;
use crate::content::{attrs, stamp};
use crate::kernel::api::attr::BlockAttrs;
use crate::kernel::api::block::Counts;
use crate::kernel::api::query::Row;
use crate::permission::{Grants, Place};
use crate::prelude::*;

/// Characters of `/<id>.sy`, the last segment of a storage path.
const SEGMENT: usize = 26;

/// What documents are: title, path, notebook, times, properties, counts; also finds ids for a human path.
#[derive(Debug, Action)]
#[action(
    document.info,
    danger = None,
    idempotent = true,
    calls = [
        query::SQL, filetree::GET_IDS_BY_HPATH, attr::GET_BLOCK_ATTRS, filetree::GET_HPATH_BY_ID,
        block::GET_TREE_STAT,
    ],
)]
pub struct Info {
    /// By ids, or by a path of titles in a notebook.
    #[needs(Read)]
    #[one_of]
    pub which: Which,
    /// Whether words, blocks and documents directly below are counted too.
    pub counts: Flag<false>,
}

/// Which documents.
#[derive(Debug, OneOf)]
pub enum Which {
    /// Ids of documents.
    #[target]
    Ids(Many<DocId, 1, 64>),
    /// By a path of titles.
    Named {
        /// Path of titles inside the notebook, such as /Plants/Mint.
        hpath: Text<1, 4096>,
        /// A notebook's id or exact name.
        #[target]
        notebook: NotebookRef,
    },
}

impl Run for Info {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let ids: Vec<DocId> = match &self.which {
            Which::Ids(ids) => ids.as_slice().to_vec(),
            Which::Named { hpath, notebook } => {
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
        let items: Vec<Value> = found.iter().map(|it| it.item(cx.grants())).collect();
        let output = Output::new().with("items", items);
        Ok(if missing.is_empty() { output } else { output.with("missing", missing) })
    }
}

impl Info {
    /// A document where it lies now: from its row, or, where the index does not have it there (yet), from its
    /// attributes. The index is up to 3 s behind, so its word on the place is not taken (F17).
    async fn document(&self, id: &DocId, rows: &[Row], cx: &Cx<'_>) -> Result<Option<Document>, ToolError> {
        // By hpath the kernel itself named the id, inside a notebook that may be read.
        let place = match &self.which {
            Which::Ids(_) => cx.place(id).await,
            Which::Named { notebook, .. } => cx.place(notebook).await,
        };
        let Some(place) = place else { return Ok(None) };
        let lies_there = |row: &&Row| {
            let known = place.storage.as_ref().is_none_or(|it| it.as_str() == row.text("path"));
            row.text("id") == id.as_str() && row.text("box") == place.notebook.as_str() && known
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
            let below = children.get(&(document.notebook.clone(), document.below()));
            document.counts = Some((stat?.stat, below.copied().unwrap_or_default()));
        }
        Ok(())
    }
}

/// The rows of documents the caller may read.
async fn rows(ids: &[DocId], cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
    let list = sql::list(ids.iter().map(DocId::as_str));
    let stmt = format!(
        "SELECT id, box, path, hpath, content, ial, created, updated FROM blocks WHERE type = 'd' AND id IN ({list}) GROUP BY id, box, path LIMIT 1000"
    );
    Ok(cx.visible(cx.ask(query::sql(&stmt)).await?))
}

/// How many documents lie directly below each, by notebook and storage path.
async fn children(found: &[Document], cx: &Cx<'_>) -> Result<BTreeMap<(String, String), u64>, ToolError> {
    let parents: Vec<String> = found.iter().map(Document::below).collect();
    let stmt = format!(
        "SELECT box, substr(path, 1, length(path) - {SEGMENT}) AS parent, COUNT(DISTINCT id) AS n FROM blocks WHERE type = 'd' AND id <> box AND substr(path, 1, length(path) - {SEGMENT}) IN ({}) GROUP BY box, parent LIMIT 4096",
        sql::list(parents.iter().map(String::as_str)),
    );
    let rows = cx.visible(cx.ask(query::sql(&stmt)).await?);
    Ok(rows
        .iter()
        .map(|row| ((row.text("box").to_owned(), row.text("parent").to_owned()), row.number("n")))
        .collect())
}

/// One document, whatever it was read from.
#[derive(Debug)]
struct Document {
    id: DocId,
    title: String,
    hpath: String,
    notebook: String,
    storage_path: String,
    created: String,
    updated: String,
    attrs: AttributeList,
    counts: Option<(Counts, u64)>,
}

impl Document {
    fn of_row(id: &DocId, row: &Row) -> Document {
        let notebook = row.text("box").to_owned();
        // Of a notebook's own document the index says `/Name`, everything else `/`.
        let hpath = if id.as_str() == notebook { "/".to_owned() } else { row.text("hpath").to_owned() };
        Document {
            id: id.clone(),
            notebook,
            hpath,
            title: row.text("content").to_owned(),
            storage_path: row.text("path").to_owned(),
            created: row.text("created").to_owned(),
            updated: row.text("updated").to_owned(),
            attrs: AttributeList::parse(row.text("ial")).map(|(list, _)| list).unwrap_or_default(),
            counts: None,
        }
    }

    fn of_attrs(id: &DocId, attrs: &BlockAttrs, hpath: String, place: &Place) -> Document {
        let mut list = AttributeList::default();
        for (name, value) in attrs {
            list.set(name, value);
        }
        Document {
            id: id.clone(),
            title: list.get("title").unwrap_or_default().to_owned(),
            hpath,
            notebook: place.notebook.to_string(),
            storage_path: place.storage.as_ref().map(|it| it.as_str().to_owned()).unwrap_or_default(),
            created: id.as_str().get(..14).unwrap_or_default().to_owned(),
            updated: list.get("updated").unwrap_or_default().to_owned(),
            attrs: list,
            counts: None,
        }
    }

    /// The storage path below which its children lie, without a slash at its end.
    fn below(&self) -> String {
        if self.id.as_str() == self.notebook {
            return String::new();
        }
        self.storage_path.strip_suffix(".sy").unwrap_or(&self.storage_path).to_owned()
    }

    fn item(&self, grants: &Grants) -> Value {
        const NAMED: [&str; 10] =
            ["id", "title", "type", "updated", "icon", "tags", "name", "alias", "memo", "bookmark"];
        let attr = |name: &str| json!(self.attrs.get(name));
        let tags: Vec<&str> = self
            .attrs
            .get("tags")
            .unwrap_or_default()
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        let mut rest = serde_json::Map::new();
        let rest_shown = |name: &str| !NAMED.contains(&name) && attrs::is_shown(name, grants);
        for (name, value) in self.attrs.iter().filter(|(name, _)| rest_shown(name)) {
            put(&mut rest, name, value.into());
        }
        let unless = |empty: bool, value: Value| if empty { Value::Null } else { value };
        let counts = self.counts.as_ref();
        Value::Object(object([
            ("id", json!(self.id.as_str())),
            ("title", json!(self.title)),
            ("hpath", json!(self.hpath)),
            ("notebook", json!(self.notebook)),
            ("storage_path", json!(self.storage_path)),
            ("created", json!(stamp::of_digits(&self.created))),
            ("updated", json!(stamp::of_digits(&self.updated))),
            ("icon", attr("icon")),
            ("tags", unless(tags.is_empty(), json!(tags))),
            ("name", attr("name")),
            ("alias", attr("alias")),
            ("memo", attr("memo")),
            ("bookmark", attr("bookmark")),
            ("attrs", unless(rest.is_empty(), json!(rest))),
            ("words", json!(counts.map(|(counts, _)| counts.word_count))),
            ("blocks", json!(counts.map(|(counts, _)| counts.block_count))),
            ("children", json!(counts.map(|(_, children)| children))),
        ]))
    }
}

#[cfg(test)]
#[path = "info_tests.rs"]
mod tests;
