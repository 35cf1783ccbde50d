//! Daily notes: where a notebook stores them, and the note that its template makes.
//!
//! SiYuan would fill in the template and store the result unseen. So a template that only computes is filled in here
//! first, the result passes the gate of incoming Markdown, and the note is created with exactly that text.

use serde_json::{Map, Value};

use super::incoming::{self, Incoming, ReplacedContent};
use super::new_document::NewDocument;
use super::template::{Marks, only_computes, pieces, with_braces};
use crate::cx::Cx;
use crate::error::{ErrorType, ToolError};
use crate::id::NotebookId;
use crate::kernel::Route;
use crate::kernel::api::{attr, block, file, filetree, notebook, query, template};

/// The routes that `settings`, `missing` and `create` call.
pub const CALLS: &[Route] = &[
    notebook::GET_NOTEBOOK_CONF,
    file::GET_FILE,
    template::RENDER_SPRIG,
    filetree::GET_IDS_BY_HPATH,
    filetree::CREATE_DOC_WITH_MD,
    block::GET_CHILD_BLOCKS,
    attr::SET_BLOCK_ATTRS,
    filetree::GET_PATH_BY_ID,
    query::SQL,
    query::FLUSH_TRANSACTION,
];

/// The folder of templates in the workspace.
const TEMPLATES: &str = "/data/templates";

/// The settings of a notebook for its daily notes.
#[derive(Debug)]
pub struct DailyNoteSettings {
    /// The hpath of a day's note, as a template.
    pub path: String,
    /// Whether that template only computes.
    pub path_computes: bool,
    /// The file of the template of a new note; often empty.
    pub template: String,
    /// The text of that file, if it only computes.
    pub text: Option<String>,
}

/// A daily note that is missing, with the template that makes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MissingNote {
    notebook: NotebookId,
    hpath: String,
    text: String,
}

/// The settings of a notebook. While a notebook is hidden, this refuses templates that read notes: the kernel runs them
/// over every notebook, and the results would stand in the new note.
pub async fn settings(notebook: &NotebookId, cx: &Cx<'_>) -> Result<DailyNoteSettings, ToolError> {
    cx.declares(CALLS)?;
    let conf = cx.ask(notebook::get_notebook_conf(notebook)).await?.conf;
    let setting = |name: &str| conf.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (path, template) = (setting("dailyNoteSavePath"), setting("dailyNoteTemplatePath"));
    let path_computes = only_computes(&path, Marks::Braces);
    let closed = || {
        ToolError::disabled(
            "The template of this notebook's daily note runs queries, which can read notebooks that are hidden from agents. A person can open the note in SiYuan, or remove the queries from the template.",
        )
    };
    if cx.grants().any_hidden() && !path_computes {
        return Err(closed());
    }
    let text = match read(&template, cx).await? {
        // Without the file, SiYuan makes an empty note.
        TemplateFile::None => None,
        TemplateFile::Computes(text) => Some(text),
        TemplateFile::Reads if cx.grants().any_hidden() => return Err(closed()),
        TemplateFile::Reads => None,
    };
    Ok(DailyNoteSettings { path, path_computes, template, text })
}

/// A file below the folder of templates.
enum TemplateFile {
    None,
    /// A template that only computes, with its text.
    Computes(String),
    /// A template that may read notes, or a file elsewhere.
    Reads,
}

async fn read(file: &str, cx: &Cx<'_>) -> Result<TemplateFile, ToolError> {
    let name = file.trim_start_matches('/');
    if name.is_empty() {
        return Ok(TemplateFile::None);
    }
    if name.contains(['\\', '\0']) || name.split('/').any(|part| part == "..") {
        return Ok(TemplateFile::Reads);
    }
    let Some(bytes) = cx.read_file(&format!("{TEMPLATES}/{name}")).await? else {
        return Ok(TemplateFile::None);
    };
    let text = String::from_utf8(bytes).ok().filter(|text| only_computes(text, Marks::File));
    Ok(text.map_or(TemplateFile::Reads, TemplateFile::Computes))
}

/// Whether a file below the folder of templates only computes: `None` where there is no file, or none is named. One
/// elsewhere does not.
pub async fn template_computes(file: &str, cx: &Cx<'_>) -> Result<Option<bool>, ToolError> {
    Ok(match read(file, cx).await? {
        TemplateFile::None => None,
        TemplateFile::Computes(_) => Some(true),
        TemplateFile::Reads => Some(false),
    })
}

/// The note of today if it is missing and a template makes it, once its text has been judged; `exists` is known where
/// the path could be filled in.
///
/// # Errors
/// Returns the error for a template whose result the caller may not write.
pub async fn missing(
    notebook: &NotebookId,
    settings: &DailyNoteSettings,
    rendered: Option<(&str, bool)>,
    cx: &Cx<'_>,
) -> Result<Option<MissingNote>, ToolError> {
    let Some(text) = settings.text.clone().filter(|_| rendered.is_none_or(|(_, exists)| !exists)) else {
        return Ok(None);
    };
    let parts = rendered.map_or("", |(hpath, _)| hpath).split('/').map(str::trim);
    let note = MissingNote { notebook: notebook.clone(), hpath: parts.collect::<Vec<_>>().join("/"), text };
    note.filled("", cx).await?;
    Ok(rendered.is_some().then_some(note))
}

/// Fills in the path of today's note, and finds out whether the note exists.
pub async fn today(
    notebook: &NotebookId,
    settings: &DailyNoteSettings,
    cx: &Cx<'_>,
) -> Result<Option<(String, bool)>, ToolError> {
    if !settings.path_computes {
        return Ok(None);
    }
    let hpath = cx.ask(template::render_sprig(&settings.path)).await?;
    cx.foresees(notebook, &hpath);
    let exists = !cx.ask(filetree::get_ids_by_hpath(notebook, &hpath)).await?.is_empty();
    Ok(Some((hpath, exists)))
}

impl MissingNote {
    /// The text of the note, which the caller may write.
    async fn filled(&self, id: &str, cx: &Cx<'_>) -> Result<Incoming, ToolError> {
        cx.declares(CALLS)?;
        let refused = || {
            ToolError::disabled(
                "The template of this notebook's daily note contains text that agents may not write, such as scripts, databases, or references to blocks that you may not read. A person can open the note in SiYuan, or change the template.",
            )
        };
        let Ok(pieces) = pieces(&self.text, Marks::File) else { return Err(refused()) };
        let title = self.hpath.rsplit('/').next().unwrap_or_default();
        let fields = [("title", title), ("id", id), ("name", ""), ("alias", "")];
        let text = cx.ask(template::render_sprig(&with_braces(&pieces, fields))).await?;
        incoming::check(cx, &text, &ReplacedContent::nothing()).await.map_err(|error| match error.kind {
            ErrorType::Validation | ErrorType::NotFound | ErrorType::PermissionDenied => refused(),
            _ => error,
        })
    }

    /// Creates the note. The kernel then finds it where it would create one.
    pub async fn create(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        let id = NewDocument::fresh_id(cx)?;
        let text = self.filled(id.as_str(), cx).await?;
        let new = NewDocument {
            notebook: self.notebook.clone(),
            hpath: self.hpath.clone(),
            parent: None,
            tags: String::new(),
            attrs: Map::new(),
        };
        new.create_as(&id, cx, &text.markdown).await.map(|_| ())
    }
}
