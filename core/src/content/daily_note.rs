//! Daily notes: where a notebook keeps them, and whether making one reads notes.

use serde_json::Value;

use super::template::{Marks, only_computes};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::NotebookId;
use crate::kernel::Route;
use crate::kernel::api::{file, notebook};

/// The routes that `settings` calls.
pub const CALLS: &[Route] = &[notebook::GET_NOTEBOOK_CONF, file::GET_FILE];

/// The folder of templates in the workspace.
const TEMPLATES: &str = "/data/templates";

/// The settings of a notebook for its daily notes.
#[derive(Debug)]
pub struct Settings {
    /// The hpath of a day's note, as a template.
    pub path: String,
    /// Whether that template only computes.
    pub path_computes: bool,
    /// The file of the template of a new note; often empty.
    pub template: String,
}

/// The settings of a notebook. While a notebook is hidden, this refuses templates that read notes: the kernel runs them
/// over every notebook, and the results would stand in the new note.
pub async fn settings(notebook: &NotebookId, cx: &Cx<'_>) -> Result<Settings, ToolError> {
    cx.declares(CALLS)?;
    let conf = cx.ask(notebook::get_notebook_conf(notebook)).await?.conf;
    let setting = |name: &str| conf.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (path, template) = (setting("dailyNoteSavePath"), setting("dailyNoteTemplatePath"));
    let path_computes = only_computes(&path, Marks::Braces);
    // Without the file, SiYuan makes an empty note.
    if cx.grants().any_hidden() && !(path_computes && template_computes(&template, cx).await?.unwrap_or(true))
    {
        return Err(ToolError::disabled(
            "The daily note of this notebook comes from a template that runs queries, which see notebooks that are closed to agents. A person can open the note in SiYuan, or take the queries out of the template.",
        ));
    }
    Ok(Settings { path, path_computes, template })
}

/// Whether a file below the folder of templates only computes: `None` where there is no file, or none is named. One
/// elsewhere does not.
pub async fn template_computes(file: &str, cx: &Cx<'_>) -> Result<Option<bool>, ToolError> {
    let name = file.trim_start_matches('/');
    if name.is_empty() {
        return Ok(None);
    }
    if name.contains(['\\', '\0']) || name.split('/').any(|part| part == "..") {
        return Ok(Some(false));
    }
    let text = cx.read_file(&format!("{TEMPLATES}/{name}")).await?;
    Ok(text.map(|it| std::str::from_utf8(&it).is_ok_and(|text| only_computes(text, Marks::File))))
}
