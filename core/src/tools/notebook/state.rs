//! The state of a notebook that an action depends on: open or closed, a person's or SiYuan's own.

use crate::permission::Place;
use crate::prelude::*;

/// The notebooks of SiYuan's user guide, by language. The kernel keeps no version of one: closing it deletes it, and
/// opening it writes it and its databases anew.
pub(super) const USER_GUIDES: [&str; 4] =
    ["20210808180117-czj9bvb", "20210808180117-6v0mkxr", "20211226090932-5lcq56f", "20240530133126-axarxgx"];

/// Whether a notebook that the caller may see is closed.
pub(super) fn is_closed(notebook: &NotebookId, cx: &Cx<'_>) -> bool {
    cx.scope().visible_notebooks().any(|it| it.id == notebook.as_str() && it.closed)
}

/// Refuses a closed notebook.
pub(super) fn refuse_closed(place: &Place, cx: &Cx<'_>) -> Result<(), ToolError> {
    if !is_closed(&place.notebook, cx) {
        return Ok(());
    }
    let name = &place.notebook_name;
    let message =
        format!("The notebook \"{name}\" is closed. Open it with notebook.set_open_state, then try again.");
    Err(ToolError::conflict(message).with("id", place.notebook.as_str()))
}

/// Refuses SiYuan's user guide.
pub(super) fn refuse_user_guide(notebook: &NotebookId) -> Result<(), ToolError> {
    if !USER_GUIDES.contains(&notebook.as_str()) {
        return Ok(());
    }
    let expected = "another notebook: SiYuan keeps no version of its user guide, so only a person may open, close or remove it";
    Err(ToolError::field("notebook", expected))
}
