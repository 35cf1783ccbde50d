//! `system.get_config`: settings of SiYuan, field by field from an allow-list.

use serde_json::{Map, Value, json};

use super::sync_stat;
use crate::content::stamp;
use crate::kernel::api::system::ConfFields;
use crate::prelude::*;

/// Show the settings that affect editing.
#[derive(Debug, Action)]
#[action(
    system.get_config,
    workspace = Read,
    danger = None,
    tier = advanced,
    idempotent = true,
    calls = [system::GET_CONF],
    examples = [{ "section": "editor" }],
)]
pub struct GetConfig {
    /// Only this section.
    pub section: Option<ConfigSection>,
}

/// A section of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum ConfigSection {
    /// Editing.
    Editor,
    /// Export.
    Export,
    /// The tree of documents.
    FileTree,
    /// The defaults of a search.
    Search,
    /// Flashcards.
    Flashcard,
    /// Appearance.
    Appearance,
    /// Sync.
    Sync,
}

const SECTIONS: [ConfigSection; 7] = [
    ConfigSection::Editor,
    ConfigSection::Export,
    ConfigSection::FileTree,
    ConfigSection::Search,
    ConfigSection::Flashcard,
    ConfigSection::Appearance,
    ConfigSection::Sync,
];

impl Run for GetConfig {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let conf = cx.conf().await?;
        let asked = SECTIONS.into_iter().filter(|it| self.section.is_none_or(|only| only == *it));
        Ok(asked.fold(Output::new(), |output, section| {
            output.with(section.word(), Value::Object(section.of(&conf, cx)))
        }))
    }
}

impl ConfigSection {
    fn of(self, conf: &ConfFields, cx: &Cx<'_>) -> Map<String, Value> {
        match self {
            ConfigSection::Editor => conf.editor.0.clone(),
            ConfigSection::Export => conf.export.0.clone(),
            ConfigSection::FileTree => file_tree(conf, cx),
            ConfigSection::Search => searching(&conf.search),
            ConfigSection::Flashcard => conf.flashcard.settings(),
            ConfigSection::Appearance => object([
                ("mode", json!(if conf.appearance.mode == 1 { "dark" } else { "light" })),
                ("lang", json!(conf.appearance.lang)),
            ]),
            ConfigSection::Sync => object([
                ("enabled", json!(conf.sync.enabled)),
                ("mode", json!(conf.sync.mode)),
                ("provider", json!(provider(conf.sync.provider))),
                ("synced", json!(stamp::of_seconds(conf.sync.synced / 1_000))),
                ("stat", json!(sync_stat::without_numbers(&conf.sync.stat))),
            ]),
        }
    }
}

/// The settings of the tree. A folder for new documents is left out unless the caller may read its notebook, and so is
/// one that is not set: both look alike.
fn file_tree(conf: &ConfFields, cx: &Cx<'_>) -> Map<String, Value> {
    let mut settings = conf.file_tree.0.clone();
    let hides = |notebook: &str, path: &str| {
        let is_hidden = |id: &str| cx.grants().level_of(id) == Level::None;
        let names_one = path.split('/').any(|it| crate::id::is_node_id(it) && is_hidden(it));
        (!notebook.is_empty() && is_hidden(notebook)) || names_one
    };
    for (notebook, path) in
        [("refCreateSaveBox", "refCreateSavePath"), ("docCreateSaveBox", "docCreateSavePath")]
    {
        let text = |key: &str| settings.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        if text(path).is_empty() || hides(&text(notebook), &text(path)) {
            settings.shift_remove(path);
        }
        settings.shift_remove(notebook);
    }
    settings
}

/// The switches of a search: what may be searched is a word to a boolean.
fn searching(search: &Map<String, Value>) -> Map<String, Value> {
    let is_shown = |key: &str, value: &Value| value.is_boolean() || (key == "limit" && value.is_number());
    search
        .iter()
        .filter(|(key, value)| is_shown(key, value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

const fn provider(number: u64) -> &'static str {
    match number {
        0 => "siyuan",
        2 => "s3",
        3 => "webdav",
        4 => "local",
        _ => "other",
    }
}

#[cfg(test)]
#[path = "get_config_tests.rs"]
mod tests;
