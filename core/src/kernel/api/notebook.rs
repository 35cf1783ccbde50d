//! Notebooks: their list, counts and settings, and making and removing one.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::endpoints;
use crate::id::NotebookId;
use crate::permission::{Filter, Grants, Level, Unfiltered};

endpoints! { "/api/notebook/";
    /// All notebooks with their names, in the person's order.
    read LS_NOTEBOOKS ls_notebooks() -> Unfiltered<Notebooks> = "lsNotebooks" {};
    /// Counts, size and times of an open notebook; a closed one is missing to it.
    read GET_NOTEBOOK_INFO get_notebook_info(notebook: &NotebookId) -> NotebookInfo
        = "getNotebookInfo" { "notebook": notebook };
    /// The settings of a notebook, of a closed one too.
    read GET_NOTEBOOK_CONF get_notebook_conf(notebook: &NotebookId) -> NotebookConf
        = "getNotebookConf" { "notebook": notebook };
    /// Makes a notebook.
    write CREATE_NOTEBOOK create_notebook(name: &str) -> CreatedNotebook = "createNotebook" { "name": name };
    /// Sets a notebook's icon; an unknown id makes a ghost notebook, so only ids of the table are sent.
    silent SET_NOTEBOOK_ICON set_notebook_icon(notebook: &NotebookId, icon: &str) -> ()
        = "setNotebookIcon" { "notebook": notebook, "icon": icon };
    /// Deletes a notebook.
    silent REMOVE_NOTEBOOK remove_notebook(notebook: &NotebookId) -> () = "removeNotebook" { "notebook": notebook };
}

/// Reply of `lsNotebooks`.
#[derive(Debug, Deserialize)]
pub struct Notebooks {
    /// The notebooks.
    pub notebooks: Vec<Notebook>,
}

impl Filter for Notebooks {
    fn filter(mut self, grants: &Grants) -> Self {
        self.notebooks.retain(|it| !it.encrypted && grants.level_of(&it.id) >= Level::Read);
        self
    }
}

/// One notebook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notebook {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Emoji codepoint or file; often empty.
    #[serde(default)]
    pub icon: String,
    /// Whether it is closed.
    #[serde(default)]
    pub closed: bool,
    /// Documents at its top; 0 while it is closed.
    #[serde(default)]
    pub sub_file_count: u64,
    /// Whether the person locked it away; counts as `none`.
    #[serde(default)]
    pub encrypted: bool,
}

/// Reply of `getNotebookInfo`.
#[derive(Debug, Deserialize)]
pub struct NotebookInfo {
    /// What was counted.
    #[serde(rename = "boxInfo")]
    pub counts: NotebookCounts,
}

/// What an open notebook holds.
#[derive(Debug, Deserialize)]
pub struct NotebookCounts {
    /// Documents at every depth.
    #[serde(rename = "docCount")]
    pub documents: u64,
    /// Bytes of its files.
    pub size: u64,
    /// Seconds since 1970 when it was made.
    #[serde(rename = "ctime", default)]
    pub created: u64,
    /// Seconds since 1970 of the last change.
    #[serde(rename = "mtime", default)]
    pub updated: u64,
}

/// Reply of `getNotebookConf`.
#[derive(Debug, Deserialize)]
pub struct NotebookConf {
    /// The settings under the kernel's names.
    pub conf: Map<String, Value>,
}

/// Reply of `createNotebook`.
#[derive(Debug, Deserialize)]
pub struct CreatedNotebook {
    /// The new notebook.
    pub notebook: Notebook,
}
