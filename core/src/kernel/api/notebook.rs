//! Notebooks: their list, counts and settings; creating and removing one.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::endpoints;
use crate::grants::{Filter, Grants, Level, Unfiltered};
use crate::id::NotebookId;
use crate::kernel::NonEmpty;

endpoints! { "/api/notebook/";
    /// All notebooks with their names, in the person's order.
    read LS_NOTEBOOKS ls_notebooks() -> Unfiltered<Notebooks> = "lsNotebooks" {};
    /// Counts, size and times of an open notebook; a closed notebook is reported as missing.
    read GET_NOTEBOOK_INFO get_notebook_info(notebook: &NotebookId) -> NotebookInfo
        = "getNotebookInfo" { "notebook": notebook };
    /// The settings of a notebook, open or closed.
    read GET_NOTEBOOK_CONF get_notebook_conf(notebook: &NotebookId) -> NotebookConf
        = "getNotebookConf" { "notebook": notebook };
    /// Creates a notebook.
    write CREATE_NOTEBOOK create_notebook(name: &str) -> CreatedNotebook = "createNotebook" { "name": name };
    /// Sets a notebook's icon. An unknown id creates a ghost notebook, so only ids from the list are sent.
    silent SET_NOTEBOOK_ICON set_notebook_icon(notebook: &NotebookId, icon: &str) -> ()
        = "setNotebookIcon" { "notebook": notebook, "icon": icon };
    /// Renames a notebook and its own document.
    silent RENAME_NOTEBOOK rename_notebook(notebook: &NotebookId, name: &str) -> ()
        = "renameNotebook" { "notebook": notebook, "name": name };
    /// Opens a notebook. The user guide would be written anew.
    silent OPEN_NOTEBOOK open_notebook(notebook: &NotebookId) -> () = "openNotebook" { "notebook": notebook };
    /// Closes a notebook, with success for any id. The user guide would be deleted.
    silent CLOSE_NOTEBOOK close_notebook(notebook: &NotebookId) -> () = "closeNotebook" { "notebook": notebook };
    /// The person's order of all notebooks. One that is left out gets the place of another; an unknown id creates a
    /// ghost notebook.
    silent CHANGE_SORT_NOTEBOOK change_sort_notebook(notebooks: NonEmpty<'_, &str>) -> ()
        = "changeSortNotebook" { "notebooks": notebooks };
    /// Changes the given settings of a notebook, and returns them all.
    write SET_NOTEBOOK_CONF set_notebook_conf(notebook: &NotebookId, conf: &Map<String, Value>) -> Map<String, Value>
        = "setNotebookConf" { "notebook": notebook, "conf": conf };
    /// Deletes a notebook.
    silent REMOVE_NOTEBOOK remove_notebook(notebook: &NotebookId) -> () = "removeNotebook" { "notebook": notebook };
}

/// Reply of `lsNotebooks`.
#[derive(Debug, Deserialize)]
pub struct Notebooks {
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
    pub id: String,
    pub name: String,
    /// Emoji code point or file; often empty.
    #[serde(default)]
    pub icon: String,
    /// Whether it is closed.
    #[serde(default)]
    pub closed: bool,
    /// Number of documents at its top; 0 while it is closed.
    #[serde(default)]
    pub sub_file_count: u64,
    /// Whether the person locked it; it then counts as `none`.
    #[serde(default)]
    pub encrypted: bool,
}

/// Reply of `getNotebookInfo`.
#[derive(Debug, Deserialize)]
pub struct NotebookInfo {
    #[serde(rename = "boxInfo")]
    pub counts: NotebookCounts,
}

/// The counts of an open notebook.
#[derive(Debug, Deserialize)]
pub struct NotebookCounts {
    /// Number of documents at every depth.
    #[serde(rename = "docCount")]
    pub documents: u64,
    /// Size of its files in bytes.
    pub size: u64,
    /// Time of creation, in seconds since 1970.
    #[serde(rename = "ctime", default)]
    pub created: u64,
    /// Time of the last change, in seconds since 1970.
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
