//! A document as the store has it: its place, and the tree of its blocks.

use rusqlite::Row;

use crate::markdown::{Kind, Node};

/// A document with its place.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) notebook: String,
    /// The storage path: ids, ending in `.sy`.
    pub(crate) path: String,
    pub(crate) sort: i64,
    pub(crate) root: Node,
}

/// Marks a document whose shown title is only a placeholder.
const UNTITLED: &str = "custom-sy-title-empty";

pub(super) fn set_title(root: &mut Node, title: &str) {
    root.attrs.set("title", if title.is_empty() { "Untitled" } else { title });
    root.attrs.set(UNTITLED, if title.is_empty() { "true" } else { "" });
}

impl Tree {
    /// A new document at a storage path without its own name.
    pub(crate) fn new(notebook: &str, folder: &str, id: &str, title: &str) -> Tree {
        let mut root = Node::new(Kind::Document);
        id.clone_into(&mut root.id);
        set_title(&mut root, title);
        root.attrs.set("type", "doc");
        Tree { notebook: notebook.to_owned(), path: format!("{folder}{id}.sy"), sort: 0, root }
    }

    pub(crate) fn id(&self) -> &str {
        &self.root.id
    }

    pub(crate) fn title(&self) -> &str {
        self.root.attrs.text("title")
    }

    /// Whether the shown title is only a placeholder.
    pub(crate) fn is_untitled(&self) -> bool {
        self.root.attrs.get(UNTITLED) == Some("true")
    }

    /// The folder of the documents below this one.
    pub(crate) fn folder(&self) -> String {
        format!("{}/", self.path.trim_end_matches(".sy"))
    }

    /// The parent folder of this document.
    pub(super) fn place(&self) -> &str {
        self.path.rsplit_once('/').map_or("/", |(folder, _)| self.path.get(..=folder.len()).unwrap_or("/"))
    }

    /// Whether this is the document that a notebook has of its own.
    pub(crate) fn is_notebook(&self) -> bool {
        self.root.id == self.notebook
    }

    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Tree> {
        let root: String = row.get("root")?;
        let root = serde_json::from_str(&root).map_err(|e| {
            rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(e))
        })?;
        Ok(Tree { notebook: row.get("box")?, path: row.get("path")?, sort: row.get("sort")?, root })
    }
}
