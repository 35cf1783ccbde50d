//! `tag.list`: labels with counts, or the blocks that carry one.
//!
//! The kernel's own lists count every notebook, and its tag tree writes the person's settings, so
//! both come from SQL over readable notebooks. `LIKE ... ESCAPE` breaks the kernel's printer of
//! statements: labels are compared with `instr`.

use serde_json::{Value, json};

use crate::kernel::api::query::Row;
use crate::kernel::sql;
use crate::prelude::*;

/// List tags or bookmarks with counts, or the blocks that carry one label.
#[derive(Debug, Action)]
#[action(tag.list, workspace = Read, danger = None, idempotent = true, calls = [query::SQL])]
pub struct List {
    /// Tags stand in text and on documents, bookmarks on blocks.
    pub kind: LabelKind,
    /// Only labels that contain this, in any case.
    pub query: Option<Text<1, 128>>,
    /// Exactly this label, a tag with its subtags; list gives its blocks then.
    pub label: Option<Text<1, 128>>,
    /// Only in this notebook, by id or exact name.
    #[needs(Read, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// By name, or the most used first.
    pub sort: Sort,
    /// Most items.
    pub limit: Int<1, 500, 200>,
    /// The `next` of an earlier answer, to go on there.
    pub cursor: Option<Text<1, 600>>,
}

/// What a label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum LabelKind {
    /// `#tag#` in text, or a tag of a document.
    #[default]
    Tag,
    /// An attribute of a block.
    Bookmark,
}

/// Which label comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Sort {
    /// By name.
    #[default]
    Label,
    /// The most used.
    Count,
}

/// Most characters of a block's text.
const TEXT: usize = 200;

impl Run for List {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let after = self.after()?;
        let boxes: Vec<String> = match &self.notebook {
            Some(notebook) => vec![cx.found(notebook).await?.notebook.to_string()],
            None => cx.readable_boxes().into_iter().map(str::to_owned).collect(),
        };
        let start = match &self.label {
            None => Output::new().with("kind", self.kind.word()),
            Some(label) => Output::new().with("label", label.as_str()),
        };
        if boxes.is_empty() {
            return Ok(start.with("items", json!([])).with("total", 0));
        }
        let boxes = sql::list(boxes.iter().map(String::as_str));
        let stmt = match &self.label {
            None => self.labels(&boxes, after.as_ref()),
            Some(label) => self.blocks(label.as_str(), &boxes, after.as_ref()),
        };
        let mut rows = cx.visible(cx.ask(query::sql(&stmt)).await?);
        let more = rows.len() > self.limit.get();
        rows.truncate(self.limit.get());
        let total = rows.first().map_or(0, |row| row.number("n_all"));
        let next = rows.last().filter(|_| more).map(|row| self.cursor_of(row));
        let withhold = cx.grants().any_hidden();
        let items: Vec<Value> = rows
            .iter()
            .map(|row| if self.label.is_some() { block(row, withhold) } else { label(row) })
            .collect();
        let start = start.with("items", items);
        // Past the end nothing tells the total.
        let total = if total == 0 && after.is_some() { Value::Null } else { json!(total) };
        Ok(start.with("total", total).with("next", next))
    }
}

impl List {
    /// Table, condition and column of this kind of label, in these notebooks.
    fn places(&self, boxes: &str) -> (&'static str, String, &'static str) {
        match self.kind {
            LabelKind::Tag => {
                let is_tag = "(s.type = 'tag' OR s.type LIKE '% tag%')";
                ("spans", format!("{is_tag} AND s.content <> '' AND s.box IN ({boxes})"), "s.content")
            }
            LabelKind::Bookmark => {
                let is_bookmark = "s.name = 'bookmark'";
                ("attributes", format!("{is_bookmark} AND s.value <> '' AND s.box IN ({boxes})"), "s.value")
            }
        }
    }

    fn labels(&self, boxes: &str, after: Option<&After>) -> String {
        let (table, mut places, label) = self.places(boxes);
        if let Some(query) = &self.query {
            places.push_str(&format!(" AND ({})", contains(label, query.as_str())));
        }
        let by_name = |last: &str| {
            let last = sql::text(last);
            format!(
                "(lower({label}) > lower({last}) OR (lower({label}) = lower({last}) AND {label} > {last}))"
            )
        };
        let count = "COUNT(DISTINCT s.block_id)";
        let (order, rest) = match (self.sort, after) {
            (Sort::Label, None) => (format!("lower({label}), {label}"), String::new()),
            (Sort::Label, Some(after)) => {
                (format!("lower({label}), {label}"), format!(" HAVING {}", by_name(&after.key)))
            }
            (Sort::Count, None) => (format!("{count} DESC, lower({label}), {label}"), String::new()),
            (Sort::Count, Some(After { n, key })) => (
                format!("{count} DESC, lower({label}), {label}"),
                format!(" HAVING ({count} < {n} OR ({count} = {n} AND {}))", by_name(key)),
            ),
        };
        // One of the notebooks stands for all of them: the condition holds each to be readable.
        format!(
            "SELECT {label} AS label, MIN(s.box) AS box, {count} AS n_blocks, \
             COUNT(DISTINCT s.root_id) AS n_docs, \
             (SELECT COUNT(DISTINCT {label}) FROM {table} AS s WHERE {places}) AS n_all \
             FROM {table} AS s WHERE {places} GROUP BY {label}{rest} ORDER BY {order} LIMIT {}",
            self.limit.get() + 1
        )
    }

    fn blocks(&self, label: &str, boxes: &str, after: Option<&After>) -> String {
        let (table, mut places, column) = self.places(boxes);
        let exact = format!("{column} = {}", sql::text(label));
        places.push_str(&match self.kind {
            LabelKind::Tag => {
                format!(" AND ({exact} OR instr({column}, {}) = 1)", sql::text(&format!("{label}/")))
            }
            LabelKind::Bookmark => format!(" AND {exact}"),
        });
        let rest = after.map_or_else(String::new, |After { n, key }| {
            format!(" AND (b.updated < '{n:014}' OR (b.updated = '{n:014}' AND b.id > {}))", sql::text(key))
        });
        format!(
            "SELECT b.id AS id, b.type AS type, b.hpath AS hpath, b.box AS box, b.root_id AS root_id, \
             b.content AS content, b.updated AS updated, \
             (SELECT COUNT(DISTINCT s.block_id) FROM {table} AS s WHERE {places}) AS n_all \
             FROM {table} AS s JOIN blocks AS b ON b.id = s.block_id \
             WHERE {places} AND b.box IN ({boxes}){rest} \
             GROUP BY b.id ORDER BY b.updated DESC, b.id LIMIT {}",
            self.limit.get() + 1
        )
    }

    /// The last row of an earlier page.
    fn after(&self) -> Result<Option<After>, ToolError> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let read = cursor
            .as_str()
            .split_once('.')
            .and_then(|(n, key)| Some(After { n: n.parse().ok()?, key: key.to_owned() }));
        read.map(Some).ok_or_else(|| ToolError::field("cursor", "the `next` of an earlier answer"))
    }

    fn cursor_of(&self, row: &Row) -> String {
        match self.label {
            None => format!("{}.{}", row.number("n_blocks"), row.text("label")),
            Some(_) => {
                let updated: u64 = row.text("updated").parse().unwrap_or_default();
                format!("{updated}.{}", row.text("id"))
            }
        }
    }
}

/// Where a page begins: after a row with this number (count or time) and this name or id.
#[derive(Debug)]
struct After {
    n: u64,
    key: String,
}

/// A condition: the column contains the text in any case. SQLite lowers ASCII only, so the usual
/// spellings of other scripts are tried one by one.
fn contains(column: &str, query: &str) -> String {
    let mut capital = query.to_lowercase();
    if let Some(first) = capital.chars().next() {
        capital.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    let mut spellings = vec![query.to_owned(), query.to_lowercase(), query.to_uppercase(), capital];
    spellings.iter_mut().for_each(|it| it.make_ascii_lowercase());
    spellings.sort();
    spellings.dedup();
    let each = spellings.iter().map(|it| format!("instr(lower({column}), {}) > 0", sql::text(it)));
    each.collect::<Vec<_>>().join(" OR ")
}

fn label(row: &Row) -> Value {
    json!({
        "label": row.text("label"),
        "blocks": row.number("n_blocks"),
        "documents": row.number("n_docs"),
    })
}

fn block(row: &Row, withhold: bool) -> Value {
    let kind = row.text("type");
    // What these two show may come from any notebook (K19).
    let text = if withhold && matches!(kind, "av" | "query_embed") { "" } else { row.text("content") };
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TEXT).collect();
    let own = row.text("root_id") == row.text("box");
    Value::Object(object([
        ("id", json!(row.text("id"))),
        ("type", json!(kind)),
        ("doc", json!(row.text("root_id"))),
        ("hpath", json!(if own { "/" } else { row.text("hpath") })),
        ("notebook", json!(row.text("box"))),
        ("text", json!(line)),
    ]))
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
