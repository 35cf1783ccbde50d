//! The settings of a notebook that actions show and change, by the kernel's names.

use serde_json::{Map, Value, json};

use crate::ask::{LONGEST, clean};
use crate::content::daily_note::template_computes;
use crate::content::incoming::is_plain;
use crate::content::template::{self, Marks, TemplateUse};
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

/// A path that SiYuan runs as a template later, over every notebook, so it may only compute; as it is stored.
pub(super) fn computed(path: &str) -> Result<String, ToolError> {
    // The kernel fills in paths between braces. None of them may be a template of the other form.
    if path.contains(".action{") {
        return Err(ToolError::field("conf", "paths whose actions are between {{ and }}"));
    }
    if !template::only_computes(path, Marks::Braces) {
        let expected = "paths without functions that read notes; those of text, numbers and dates such as now and date work";
        return Err(ToolError::field("conf", expected));
    }
    let settled = template::settle(path, (Marks::Braces, TemplateUse::Path), "conf")?;
    if !is_plain(path) {
        return Err(ToolError::field("conf", "paths of plain text and actions, without markup"));
    }
    Ok(settled.printed())
}

/// Refuses a template file that may read notes while some are closed: the daily note would show them. SiYuan puts the path
/// between the quotes of an attribute, so it contains none.
pub(super) async fn check_template(path: &str, cx: &Cx<'_>) -> Result<(), ToolError> {
    const FIELD: &str = "conf.daily_note_template_path";
    if path.is_empty() {
        return Ok(());
    }
    let path = path.trim_start_matches('/');
    if path.split('/').any(|it| matches!(it.trim(), "" | "." | ".."))
        || path.contains(['\\', '\0', '"'])
        || !is_plain(path)
    {
        return Err(ToolError::field(
            FIELD,
            "a path below data/templates, such as daily.md, without quotes and markup",
        ));
    }
    if !cx.grants().any_hidden() {
        return Ok(());
    }
    let ending = if path.ends_with(".md") { "" } else { ".md" };
    match template_computes(&format!("{path}{ending}"), cx).await? {
        Some(true) => Ok(()),
        Some(false) => Err(ToolError::field(
            FIELD,
            "a template that reads no notes, while some notebooks are hidden from agents",
        )),
        None => Err(ToolError::field(FIELD, "a file that exists below data/templates")),
    }
}

/// The name of a notebook, with the template that its daily notes will come from: a person who is asked must see both.
pub(super) fn with_template(name: &str, template: Option<&str>) -> String {
    match template.map(|it| it.trim_start_matches('/')).filter(|it| !it.is_empty()) {
        Some(template) => format!("{name}, whose daily notes will come from the template {template}"),
        None => format!("{name}, whose daily notes will come from no template"),
    }
}

/// The setting with the template of daily notes.
const TEMPLATE: &str = "dailyNoteTemplatePath";

/// The changes as a question lists them, notebooks by their names. The template of daily notes is always among them:
/// its code runs later, when nobody is asked.
pub(super) fn asked(changes: &Map<String, Value>, template: Option<&str>, cx: &Cx<'_>) -> Vec<Consequence> {
    let word = |value: Option<&Value>| {
        let text = match value {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let notebook = cx.scope().visible_notebooks().find(|it| it.id == text).map(|it| it.name.clone());
        clean(&notebook.unwrap_or(text), LONGEST)
    };
    let setting = |(name, pair): (&String, &Value)| Consequence::Setting {
        name: name.clone(),
        from: word(pair.get(0)),
        to: word(pair.get(1)),
    };
    let mut all: Vec<Consequence> = changes.iter().map(setting).collect();
    if !changes.contains_key(TEMPLATE) {
        let value = clean(template.unwrap_or_default(), LONGEST);
        all.push(Consequence::Setting { name: TEMPLATE.to_owned(), from: value.clone(), to: value });
    }
    all
}

/// The old and the new value of each setting that changes.
pub(super) fn changes(before: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let old = |key: &str| before.get(key).cloned().unwrap_or_else(|| json!(""));
    let text = |value: &Value| if value.is_null() { json!("") } else { value.clone() };
    let pairs = new.iter().map(|(key, value)| (key.clone(), old(key), text(value)));
    pairs.filter(|(_, old, new)| old != new).map(|(key, old, new)| (key, json!([old, new]))).collect()
}
