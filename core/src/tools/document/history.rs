//! `document.history`: saved versions of a document or of a notebook's documents, and the text of one.

use serde_json::{Value, json};

use super::versions::{self, NextPosition, VersionEntry};
use crate::content::hash;
use crate::content::version::Version;
use crate::content::window::{self, Cursor};
use crate::kernel::api::history::VersionQuery;
use crate::prelude::*;

/// List saved versions, or read one.
///
/// SiYuan saves a version from time to time, and before it deletes or replaces a document. Versions appear a few seconds after they are saved.
#[derive(Debug, Action)]
#[action(
    document.history,
    workspace = Read,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [..versions],
    examples = [
        { "id": "{doc}", "op": "all", "limit": 5 },
        { "id": "{doc}", "version": "{version}", "budget": 500 },
        { "notebook": "{notebook}", "query": "mint" },
    ],
)]
pub struct History {
    /// The document.
    pub id: Option<Child<DocId>>,
    /// A notebook's id or exact name.
    #[needs(Read, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// A version, as history lists it.
    pub version: Option<Version>,
    /// Only versions saved by this operation.
    pub op: HistoryOp,
    /// Words in title, name, alias or memo.
    #[read_by(FullText)]
    pub query: Option<Text<0, 200>>,
    /// Maximum number of results.
    pub limit: Int<1, 50, 20>,
    /// The `next` of an earlier answer, to continue there.
    pub cursor: Option<Next<NextPosition>>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
}

/// The operation before which SiYuan saved a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum HistoryOp {
    /// Any.
    #[default]
    All,
    /// A change.
    Update,
    /// A removal.
    Delete,
    /// A formatting of the whole document.
    Format,
    /// A synchronisation.
    Sync,
    /// A replacement of words.
    Replace,
    /// A change of the outline.
    Outline,
    /// A removal of what nothing uses.
    Clean,
}

impl Run for History {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        match (&self.id, &self.notebook) {
            (Some(Child(id)), None) => self.of_document(id, cx).await,
            (None, Some(notebook)) => self.of_notebook(notebook, cx).await,
            _ => Err(ToolError::field("id", "sent, or else `notebook`")),
        }
    }
}

impl History {
    async fn of_document(&self, id: &DocId, cx: &Cx<'_>) -> Reply {
        if self.query.is_some() {
            return Err(ToolError::field("query", "left out with `id`"));
        }
        if let Some(version) = &self.version {
            let is_own = version.doc() == id;
            return if is_own { self.text(version, cx).await } else { Err(foreign()) };
        }
        let asked = VersionQuery { query: id.as_str(), notebook: None, op: self.op.word() };
        let place = cx.located(id).await?;
        let is_readable = place.as_ref().is_some_and(|place| place.level >= Level::Read);
        if !is_readable {
            let was_readable = versions::was_readable(&asked, cx).await?;
            if place.is_some() || !was_readable {
                return Err(ToolError::not_found());
            }
        }
        self.list(&asked, Some(id), cx).await
    }

    async fn of_notebook(&self, notebook: &NotebookRef, cx: &Cx<'_>) -> Reply {
        let notebook = &cx.found(notebook).await?.notebook;
        if let Some(version) = &self.version {
            let is_own = version.notebook() == notebook;
            return if is_own { self.text(version, cx).await } else { Err(foreign()) };
        }
        let query = self.query.as_ref().map(|it| it.as_str().trim()).unwrap_or_default();
        // The kernel makes a query of its own language from it.
        if !query.chars().all(|it| it.is_alphanumeric() || it == ' ') {
            return Err(ToolError::field("query", "letters, digits and blanks"));
        }
        self.list(&VersionQuery { query, notebook: Some(notebook), op: self.op.word() }, None, cx).await
    }

    fn onward(&self) -> Option<NextPosition> {
        self.cursor.as_ref().map(|it| *it.get())
    }

    async fn list(&self, asked: &VersionQuery<'_>, judged: Option<&DocId>, cx: &Cx<'_>) -> Reply {
        let after = match self.onward() {
            None => None,
            Some(NextPosition::List(position)) => Some(position),
            Some(NextPosition::Text(_)) => return Err(elsewhere()),
        };
        let page = versions::list(asked, after, self.limit.get(), judged, cx).await?;
        let with_ids = asked.notebook.is_some();
        let items: Vec<Value> = page.items.iter().map(|it| version_json(it, with_ids)).collect();
        Ok(Output::new().with("items", items).with("next", page.next.map(|it| it.to_string())))
    }

    /// The text of a version, and whether the document is another now.
    async fn text(&self, version: &Version, cx: &Cx<'_>) -> Reply {
        let now = cx.located(version.doc()).await?;
        let stored = versions::read(version, now.as_ref(), cx).await?;
        let present = match &now {
            Some(place) => versions::present(place, cx).await?,
            None => None,
        };
        let texts: Vec<String> = stored.texts().map(str::to_owned).collect();
        let from = match self.onward() {
            None => Cursor::default(),
            Some(NextPosition::Text(cursor)) => cursor,
            Some(NextPosition::List(_)) => return Err(elsewhere()),
        };
        let window = window::cut(&texts, 0, from, usize::MAX, self.budget.get());
        let differs = present.is_none_or(|it| it.blocks != stored.blocks || it.title != stored.title);
        Ok(Output::new()
            .with("title", stored.title.as_str())
            .with("saved", version.saved())
            .with("hash", hash::of_blocks(stored.texts()))
            .with("differs", differs)
            .with("blocks", stored.blocks.len())
            .with("shown", window.shown)
            .flag("truncated", window.next.is_some())
            .with("next", window.next.map(|it| it.to_string()))
            .body(window.text))
    }
}

fn elsewhere() -> ToolError {
    ToolError::field("cursor", "the `next` of an earlier answer to the same question")
}

fn foreign() -> ToolError {
    ToolError::field("version", "a version of this document or notebook, as history lists it")
}

fn version_json(VersionEntry { version, title }: &VersionEntry, with_id: bool) -> Value {
    Value::Object(object([
        ("version", json!(version.token())),
        ("saved", json!(version.saved())),
        ("op", json!(version.operation())),
        ("title", json!(title)),
        ("id", if with_id { json!(version.doc().as_str()) } else { Value::Null }),
    ]))
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
