//! Versions of documents.

use serde::Deserialize;

use super::endpoints;
use crate::grants::{Filter, Grants, Level, Unfiltered};
use crate::id::{AvId, DocId, NotebookId};

endpoints! { "/api/history/";
    /// Saves a version of a document.
    silent CREATE_DOC_HISTORY create_doc_history(id: &DocId) -> () = "createDocHistory" { "id": id };
    /// The times at which versions were saved, a page of them, the latest first.
    read SEARCH_HISTORY search_history(asked: &VersionQuery<'_>, page: usize) -> Times = "searchHistory" {
        "query": asked.query, "notebook": asked.notebook, "op": asked.op, "type": asked.kind(), "page": page,
    };
    /// The versions of one time.
    read GET_HISTORY_ITEMS get_history_items(asked: &VersionQuery<'_>, created: &str) -> Unfiltered<HistoryItems>
        = "getHistoryItems" {
            "query": asked.query, "notebook": asked.notebook, "op": asked.op, "type": asked.kind(),
            "created": created,
        };
    /// Puts a version in the place of its document, and the databases of that version in the place of theirs. A
    /// version from a notebook that is not open would create a notebook.
    silent ROLLBACK_DOC_HISTORY rollback_doc_history(path: &str) -> ()
        = "rollbackDocHistory" { "historyPath": path };
}

/// The folder of the versions that an operation makes at a time, given as the kernel's digits `YYYYMMDDHHmmss`.
pub fn folder(digits: &str, operation: &str) -> Option<String> {
    let (date, time) = digits.split_at_checked(8)?;
    let (year, day) = date.split_at_checked(4)?;
    let (month, day) = day.split_at_checked(2)?;
    Some(format!("/history/{year}-{month}-{day}-{time}-{operation}"))
}

/// The path of a database inside a folder of versions.
pub fn database(id: &AvId) -> String {
    format!("storage/av/{id}.json")
}

/// The versions that are asked for.
#[derive(Debug, Clone, Copy)]
pub struct VersionQuery<'a> {
    /// The id of a document; with a notebook, words of titles. An id is pasted into SQL by the kernel, so nothing
    /// else may stand for one.
    pub query: &'a str,
    /// The notebook whose documents are meant.
    pub notebook: Option<&'a NotebookId>,
    /// The operation before which they were saved, or `all`.
    pub op: &'a str,
}

impl VersionQuery<'_> {
    /// The kernel's number: titles in a notebook, or the id of a document.
    fn kind(&self) -> u8 {
        if self.notebook.is_some() { 0 } else { 3 }
    }
}

/// Reply of `searchHistory`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Times {
    /// Times in seconds since 1970.
    #[serde(default, deserialize_with = "super::list")]
    pub histories: Vec<String>,
    /// The number of pages.
    #[serde(default)]
    pub page_count: usize,
}

/// Reply of `getHistoryItems`.
#[derive(Debug, Deserialize)]
pub struct HistoryItems {
    /// The versions.
    #[serde(default, deserialize_with = "super::list")]
    pub items: Vec<Option<HistoryItem>>,
}

/// One version.
#[derive(Debug, Deserialize)]
pub struct HistoryItem {
    /// The title of the document.
    #[serde(default)]
    pub title: String,
    /// The path of its file.
    pub path: String,
    /// Its notebook; empty for what belongs to none.
    #[serde(default)]
    pub notebook: String,
}

impl Filter for HistoryItems {
    fn filter(mut self, grants: &Grants) -> Self {
        self.items.retain(|it| it.as_ref().is_some_and(|it| grants.level_of(&it.notebook) >= Level::Read));
        self
    }
}
