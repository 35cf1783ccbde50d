//! `notebook.set_conf`: changes some of a notebook's settings.

use serde_json::{Map, Value, json};

use super::settings::{PAIRS, asked, changes, check_template, computed, shown, with_template};
use crate::id::resembles_id;
use crate::kernel::api::notebook::Notebook;
use crate::prelude::*;

/// Change some of a notebook's settings.
#[derive(Debug, Action)]
#[action(
    notebook.set_conf,
    danger = "Changes where SiYuan stores new documents of the notebook {name}, or the template for its daily notes.",
    deed = Set(Reverse),
    idempotent = true,
    calls = [notebook::GET_NOTEBOOK_CONF, notebook::SET_NOTEBOOK_CONF, file::GET_FILE],
    tier = advanced,
    examples = [{
        "notebook": "{notebook}",
        "conf": {
            "daily_note_save_path": "/daily/{{now | date \"2006-01-02\"}}", "daily_note_template_path": "",
            "doc_create_save_box": "{notebook}", "doc_create_save_path": "/inbox", "ref_create_save_box": "",
            "ref_create_save_path": "", "sort_mode": 15,
        },
    }],
)]
pub struct SetConf {
    /// A notebook's id or exact name.
    #[needs(Write)]
    pub notebook: NotebookRef,
    /// The settings to change, by the keys that info shows.
    pub conf: ConfSettings,
}

/// The settings to change. A notebook and the path in it are set together.
#[derive(Debug, Record)]
pub struct ConfSettings {
    /// Path of daily notes; values of {{actions}} are words.
    #[read_by(Template)]
    pub daily_note_save_path: Option<Text<1, 512>>,
    /// File below data/templates for daily notes; empty for none.
    #[read_by(Html)]
    pub daily_note_template_path: Option<Text<0, 512>>,
    /// Notebook of new documents, by id or exact name; empty for this one.
    #[read_by()]
    pub doc_create_save_box: Option<Text<0, 512>>,
    /// Path of new documents in it.
    #[read_by(Template)]
    pub doc_create_save_path: Option<Text<0, 512>>,
    /// Notebook of documents made from references; empty for this one.
    #[read_by()]
    pub ref_create_save_box: Option<Text<0, 512>>,
    /// Path of documents made from references in it.
    #[read_by(Template)]
    pub ref_create_save_path: Option<Text<0, 512>>,
    /// Number of SiYuan's order of documents.
    pub sort_mode: Option<Int<0, 15>>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    before: Map<String, Value>,
    new: Map<String, Value>,
}

impl Change for SetConf {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        let new = self.conf.checked(cx).await?;
        let before = cx.ask(notebook::get_notebook_conf(&place.notebook)).await?.conf;
        let facts = Facts { notebook: place.notebook.clone(), before: shown(before, cx.grants()), new };
        let changes = changes(&facts.before, &facts.new);
        let of = |conf: &Map<String, Value>| {
            conf.get("dailyNoteTemplatePath").and_then(Value::as_str).map(str::to_owned)
        };
        let template = of(&facts.new).or_else(|| of(&facts.before));
        let settings = asked(&changes, template.as_deref(), cx);
        let plan = Plan::new("set", facts)
            .about(ThingKind::Notebook, Things::of([Thing::titled(&place.notebook_name)]));
        let plan = settings.into_iter().fold(plan, Plan::also);
        Ok(plan
            .show("notebook", place.notebook.as_str())
            .show("conf", changes)
            .touching(1, with_template(place.notebook_name.as_str(), template.as_deref())))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { notebook, before, new } = plan.facts;
        let differs = new.iter().any(|(key, value)| before.get(key).unwrap_or(&json!("")) != value);
        let after = match differs {
            true => shown(cx.ask(notebook::set_notebook_conf(&notebook, &new)).await?, cx.grants()),
            false => before.clone(),
        };
        // The values as the kernel keeps them: it adds slashes and endings.
        let kept = new.keys().map(|key| (key.clone(), after.get(key).cloned().unwrap_or_default())).collect();
        let changed = Value::Object(changes(&before, &kept));
        Ok(Output::new().with("id", notebook.as_str()).with("changed", changed))
    }
}

impl ConfSettings {
    /// The given settings by the kernel's names.
    async fn checked(&self, cx: &Cx<'_>) -> Result<Map<String, Value>, ToolError> {
        let mut new = Map::new();
        let of_documents = (self.doc_create_save_box.as_ref(), self.doc_create_save_path.as_ref());
        let of_references = (self.ref_create_save_box.as_ref(), self.ref_create_save_path.as_ref());
        for (pair, (notebook, path)) in PAIRS.into_iter().zip([of_documents, of_references]) {
            match (notebook, path) {
                (None, None) => {}
                (Some(notebook), Some(path)) => {
                    new.insert(pair.0.to_owned(), json!(writable(notebook.as_str(), cx)?));
                    new.insert(pair.1.to_owned(), json!(computed(path.as_str())?));
                }
                // A path alone would apply in a notebook that the caller may not know of.
                _ => {
                    let expected = format!("{} and {} together", pair.0, pair.1);
                    return Err(ToolError::field("conf", expected));
                }
            }
        }
        if let Some(path) = &self.daily_note_save_path {
            new.insert("dailyNoteSavePath".to_owned(), json!(computed(path.as_str())?));
        }
        if let Some(path) = &self.daily_note_template_path {
            check_template(path.as_str(), cx).await?;
            new.insert("dailyNoteTemplatePath".to_owned(), json!(path.as_str()));
        }
        if let Some(sort) = self.sort_mode {
            new.insert("sortMode".to_owned(), json!(sort.get()));
        }
        if new.is_empty() { Err(ToolError::field("conf", "at least one setting")) } else { Ok(new) }
    }
}

/// The id of a notebook in which the caller may write; empty for an empty text.
fn writable<'a>(notebook: &str, cx: &'a Cx<'_>) -> Result<&'a str, ToolError> {
    if notebook.is_empty() {
        return Ok("");
    }
    let by_id = |it: &&Notebook| it.id == notebook;
    let by_name = |it: &&Notebook| it.name == notebook && !resembles_id(notebook);
    let all = || cx.scope().visible_notebooks();
    let meant: Vec<&Notebook> = match all().find(by_id) {
        Some(one) => vec![one],
        None => all().filter(by_name).collect(),
    };
    match meant.as_slice() {
        [] => Err(ToolError::not_found()),
        [one] => cx.require(Level::Write, [one.id.as_str()]).map(|()| one.id.as_str()),
        several => {
            let ids: Vec<&str> = several.iter().map(|it| it.id.as_str()).collect();
            Err(ToolError::field("conf", "a notebook's id: several have this name").with("candidates", ids))
        }
    }
}

#[cfg(test)]
#[path = "set_conf_tests.rs"]
mod tests;
