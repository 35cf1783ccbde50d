//! The settings of a notebook that actions show and change, by the kernel's names.

use serde_json::{Map, Value};

use crate::content::daily_note::template_computes;
use crate::content::template::{self, Marks};
use crate::id::is_node_id;
use crate::permission::Grants;
use crate::prelude::*;

/// The settings that are shown; all others stay with the kernel, encryption keys first of all.
const SHOWN: [&str; 7] = [
    "dailyNoteSavePath",
    "dailyNoteTemplatePath",
    "docCreateSaveBox",
    "docCreateSavePath",
    "refCreateSaveBox",
    "refCreateSavePath",
    "sortMode",
];

/// A setting that names a notebook, and the one that names a path in it.
pub(super) const PAIRS: [(&str, &str); 2] =
    [("docCreateSaveBox", "docCreateSavePath"), ("refCreateSaveBox", "refCreateSavePath")];

/// The settings that the caller may see. A setting that names a hidden notebook is left out together with the path in
/// it, so that it looks like one that is not set (B-055). A path may name its notebook too.
pub(super) fn shown(mut conf: Map<String, Value>, grants: &Grants) -> Map<String, Value> {
    for (notebook, path) in PAIRS {
        let text = |key: &str| conf.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_hidden = |id: &str| grants.level_of(id) < Level::Read;
        let hides = (!text(notebook).is_empty() && is_hidden(text(notebook)))
            || text(path).split('/').any(|it| is_node_id(it) && is_hidden(it));
        if hides {
            conf.remove(notebook);
            conf.remove(path);
        }
    }
    let mut kept = Map::new();
    for key in SHOWN {
        put(&mut kept, key, conf.remove(key).unwrap_or_default());
    }
    kept
}

/// A path that SiYuan runs as a template later, over every notebook, so it may only compute.
pub(super) fn computed(path: &str) -> Result<&str, ToolError> {
    if [Marks::Braces, Marks::File].into_iter().all(|marks| template::computes_within_bounds(path, marks)) {
        return Ok(path);
    }
    let expected =
        "paths without functions that read notes; those of text, numbers and dates such as now and date work";
    Err(ToolError::field("conf", expected))
}

/// Refuses a template file that may read notes while some are closed: the daily note would show them.
pub(super) async fn check_template(path: &str, cx: &Cx<'_>) -> Result<(), ToolError> {
    const FIELD: &str = "conf.daily_note_template_path";
    if path.is_empty() {
        return Ok(());
    }
    let path = path.trim_start_matches('/');
    if path.split('/').any(|it| matches!(it.trim(), "" | "." | "..")) || path.contains(['\\', '\0']) {
        return Err(ToolError::field(FIELD, "a path below data/templates, such as daily.md"));
    }
    if !cx.grants().any_hidden() {
        return Ok(());
    }
    let ending = if path.ends_with(".md") { "" } else { ".md" };
    match template_computes(&format!("{path}{ending}"), cx).await? {
        Some(true) => Ok(()),
        Some(false) => Err(ToolError::field(
            FIELD,
            "a template that reads no notes, while some notebooks are closed to agents",
        )),
        None => Err(ToolError::field(FIELD, "a file that exists below data/templates")),
    }
}
