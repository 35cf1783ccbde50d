//! `fs.grep`: finds lines by literal text or regular expression below a path.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::cursor::LineCursor;
use super::lines::Matcher;
use super::place::{self, printed, stored};
use crate::content::{kinds, pattern};
use crate::index::{self, Order, RowCondition, RowPage, Select, StartKey, Table};
use crate::kernel::api::query::Row;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Find lines by literal text or regular expression below a path.
#[derive(Debug, Action)]
#[alias(search)]
#[action(
    fs.grep,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [query::SQL, ..place],
    examples = [
        { "pattern": "spring", "path": "{path}" },
        { "pattern": "gr[oe]w", "regex": true, "ignore_case": false, "context": 1, "limit": 20 },
    ],
)]
pub struct Grep {
    /// Workspace path such as /Notebook/Folder/Doc, or a document's id.
    #[needs(Read, else = workspace)]
    pub path: Option<WorkspacePath>,
    /// The text or regular expression to find.
    #[read_by(Regex)]
    pub pattern: Text<1, 500>,
    /// Whether the pattern is a regular expression (RE2).
    pub regex: Flag<false>,
    /// Whether to ignore case.
    pub ignore_case: Flag<true>,
    /// Lines of the same block before and after a hit.
    pub context: Int<0, 3, 0>,
    /// A page of the lines.
    #[args]
    pub page: Paging<LineCursor, 50, 200>,
}

impl Run for Grep {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        if let Some(problem) = pattern::problem(self.pattern.as_str()).filter(|_| self.regex.is_set()) {
            let expected = format!("a regular expression (RE2); here: {problem}");
            return Err(ToolError::field("pattern", expected));
        }
        let RowPage { rows, more, .. } = cx.select(self.statement(cx).await?).await?;
        let paths = Paths::of(&rows, cx).await?;
        let matcher = if self.regex.is_set() { Matcher::regex } else { Matcher::literal };
        let matcher = matcher(self.pattern.as_str(), self.ignore_case.is_set());
        let mut at = self.page.after().cloned().unwrap_or_default();
        let (mut items, mut next) = (Vec::new(), None);
        'rows: for row in &rows {
            let hits = match title_of(row) {
                Some(title) => matcher.hit_in_title(title).into_iter().collect(),
                None => matcher.hits(text_of(row), self.context.get()),
            };
            for (number, hit) in hits.into_iter().enumerate().skip(at.skip) {
                if items.len() == self.page.limit.get() {
                    next = Some(LineCursor { skip: number, ..at });
                    break 'rows;
                }
                items.push(json!({
                    "path": paths.of_row(row, cx), "id": row.text("root_id"), "block": row.text("id"),
                    "line": hit.line, "text": hit.text,
                }));
            }
            at = LineCursor::behind(row);
        }
        let next = next.or_else(|| more.then(|| rows.last().map(LineCursor::behind)).flatten());
        Ok(Output::new().with("items", items).with("next", next.map(|it| it.to_string())))
    }
}

impl Grep {
    /// The statement for the blocks and titles that match.
    async fn statement(&self, cx: &Cx<'_>) -> Result<Select, ToolError> {
        let title = index::eq("b.type", "d").and(self.matches("b.content"));
        let text = kinds::leaves().and(self.matches("b.markdown"));
        let titled = kinds::titled().and(self.matches("b.markdown"));
        let mut select = Select::from(Table::Blocks)
            .columns(["b.id", "b.root_id", "b.hpath", "b.type", "b.content", "b.fcontent", "b.markdown"])
            .per(["b.id"])
            .filter(index::any([title, text, titled]))
            .order([Order::Up("b.root_id"), Order::Up("b.id")])
            .limit(self.page.limit.get());
        if let Some(path) = self.path.as_ref().filter(|it| !it.is_root()) {
            let place = cx.found(path).await?;
            select = if place.doc.as_ref() == Some(&place.notebook.own_document()) {
                select.filter(index::eq("b.box", place.notebook.as_str()))
            } else {
                let (_, place) = stored(place, cx).await?;
                select.filter(index::within(Table::Blocks, [&place]))
            };
        }
        if let Some(LineCursor { after: Some((doc, block)), .. }) = self.page.after() {
            select = select.after([StartKey::from(doc.as_str()), StartKey::from(block.as_str())]);
        }
        Ok(select)
    }

    fn matches(&self, column: &'static str) -> RowCondition {
        let pattern = self.pattern.as_str();
        match (self.regex.is_set(), self.ignore_case.is_set()) {
            // The start and end of a line, not only of the block.
            (true, true) => index::matches(column, &format!("(?mi){pattern}")),
            (true, false) => index::matches(column, &format!("(?m){pattern}")),
            (false, true) => index::in_any_case(column, pattern),
            (false, false) => index::contains(column, pattern),
        }
    }
}

/// The text that is looked through: the title of a document, else the block's own.
fn text_of(row: &Row) -> &str {
    row.text(if row.text("type") == "d" { "content" } else { "markdown" })
}

/// The title of a container, whose Markdown may have matched by a block inside.
fn title_of(row: &Row) -> Option<&str> {
    kinds::title(row.text("type"), row.text("markdown"), row.text("fcontent"))
}

/// The hpaths that several documents share, by notebook: a path of titles would not lead to one of them.
struct Paths(BTreeSet<(String, String)>);

impl Paths {
    async fn of(rows: &[Row], cx: &Cx<'_>) -> Result<Paths, ToolError> {
        let hpaths: BTreeSet<&str> = rows.iter().map(|row| row.text("hpath")).into_set();
        if hpaths.is_empty() {
            return Ok(Paths(BTreeSet::new()));
        }
        let select = Select::from(Table::Blocks)
            .columns(["hpath"])
            .count("id", "n")
            .filter(index::eq("type", "d").and(index::not(index::same("id", "box"))))
            .filter(index::in_list("hpath", hpaths))
            .per(["box", "hpath"])
            .limit(4_096);
        let found = cx.select(select).await?.rows;
        let several = found.iter().filter(|row| row.number("n") > 1);
        Ok(Paths(several.map(|row| (row.text("box").to_owned(), row.text("hpath").to_owned())).collect()))
    }

    /// The path of a row's document, or its id where no path leads to it alone.
    fn of_row(&self, row: &Row, cx: &Cx<'_>) -> Value {
        let shared = self.0.contains(&(row.text("box").to_owned(), row.text("hpath").to_owned()));
        let notebook = NotebookId::parse(row.text("box")).filter(|_| !shared);
        let path = notebook.and_then(|it| printed(&it, index::hpath(row), cx));
        json!(path.unwrap_or_else(|| row.text("root_id").to_owned()))
    }
}

#[cfg(test)]
#[path = "grep_tests.rs"]
mod tests;
