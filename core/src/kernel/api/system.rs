//! SiYuan itself: version, clock, settings.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::endpoints;

endpoints! { "/api/system/";
    /// The kernel's version; answers without a token.
    read VERSION version() -> String = "version" {};
    /// The kernel's clock in milliseconds.
    read CURRENT_TIME current_time() -> u64 = "currentTime" {};
    /// The configuration. It contains secrets, so only an allow-list of fields is read.
    read GET_CONF get_conf() -> Conf = "getConf" {};
}

/// Reply of `getConf`, reduced to an allow-list; all other fields stay unread.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Conf {
    /// The configuration.
    #[serde(default)]
    pub conf: ConfFields,
}

/// The allowed fields of the configuration.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ConfFields {
    /// Interface language, such as `en`.
    pub lang: String,
    /// Whether the kernel refuses writes.
    pub readonly: bool,
    /// The platform.
    pub system: ConfSystem,
    /// Sync settings.
    pub sync: ConfSync,
    /// The default settings of a search.
    pub search: Map<String, Value>,
    /// AI settings.
    pub ai: ConfAi,
    /// Snapshots.
    pub repo: ConfRepo,
    pub flashcard: ConfFlashcard,
    /// Editing.
    pub editor: ConfEditor,
    pub export: ConfExport,
    /// The tree of documents.
    pub file_tree: ConfFileTree,
    pub appearance: ConfAppearance,
}

/// Declares parts of the configuration that keep the settings of these names only, in SiYuan's spelling.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident = [$($key:literal),+];)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Default)]
        pub struct $name(pub Map<String, Value>);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(settings: D) -> Result<Self, D::Error> {
                Ok($name(named(Value::deserialize(settings)?, &[$($key),+])))
            }
        }
    )+};
}

settings! {
    /// Settings of the editor.
    ConfEditor = [
        "readOnly", "markdown", "codeTabSpaces", "generateHistoryInterval", "historyRetentionDays", "virtualBlockRef"
    ];
    /// Settings of exports.
    ConfExport = ["blockRefMode", "blockEmbedMode", "addTitle", "includeSubDocs"];
    /// Settings of the tree; a folder for new documents beside the id of its notebook.
    ConfFileTree = [
        "sort", "createDocAtTop", "maxListCount", "boxDocEnabled", "refCreateSaveBox", "refCreateSavePath",
        "docCreateSaveBox", "docCreateSavePath"
    ];
}

/// The settings of these names that are plain values, or switches by name.
fn named(settings: Value, keys: &[&str]) -> Map<String, Value> {
    let Value::Object(all) = settings else { return Map::new() };
    let is_plain = |it: &Value| match it {
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        Value::Object(switches) => switches.values().all(Value::is_boolean),
        Value::Null | Value::Array(_) => false,
    };
    all.into_iter().filter(|(key, value)| keys.contains(&key.as_str()) && is_plain(value)).collect()
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfAppearance {
    /// 0 light, 1 dark.
    pub mode: u64,
    /// Interface language.
    pub lang: String,
}

/// The settings of sync, without account, addresses and passwords.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfSync {
    /// Whether it is on.
    pub enabled: bool,
    /// 1 automatic, 2 by hand, 3 by hand with a direction.
    pub mode: u64,
    /// SiYuan's number of the service.
    pub provider: u64,
    /// The last time, in milliseconds since 1970.
    pub synced: u64,
    /// The last outcome in words, which count what was sent.
    pub stat: String,
}

/// The settings of flashcards, with SiYuan's own defaults.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ConfFlashcard {
    pub new_card_limit: usize,
    /// Cards reviewed before.
    pub review_card_limit: usize,
    /// 0 mixed, 1 new cards first, 2 old cards first.
    review_mode: u64,
    request_retention: f64,
    /// Days.
    maximum_interval: u64,
}

impl ConfFlashcard {
    /// The settings, in SiYuan's spelling.
    pub fn settings(&self) -> Map<String, Value> {
        let settings = json!({
            "newCardLimit": self.new_card_limit, "reviewCardLimit": self.review_card_limit,
            "reviewMode": self.review_mode, "requestRetention": self.request_retention,
            "maximumInterval": self.maximum_interval,
        });
        settings.as_object().cloned().unwrap_or_default()
    }
}

impl Default for ConfFlashcard {
    fn default() -> ConfFlashcard {
        ConfFlashcard {
            new_card_limit: 20,
            review_card_limit: 200,
            review_mode: 0,
            request_retention: 0.9,
            maximum_interval: 36_500,
        }
    }
}

/// The platform of the kernel.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfSystem {
    /// `std`, `docker`, `android` ...
    pub container: String,
    /// Operating system.
    pub os: String,
}

impl ConfFileTree {
    /// The order of documents, as the kernel's number for it.
    pub fn sort(&self) -> u64 {
        self.0.get("sort").and_then(Value::as_u64).unwrap_or_default()
    }
}

/// The AI settings, of which only one switch is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfAi {
    /// Embedding model.
    pub embedding: FeatureSwitch,
}

/// The settings of snapshots, of which only one fact is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfRepo {
    /// Whether the repository has its key; the key itself is dropped unread.
    #[serde(rename = "key", deserialize_with = "is_set")]
    pub has_key: bool,
}

fn is_set<'de, D: serde::Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    Ok(Value::deserialize(value)?.as_str().is_some_and(|it| !it.is_empty()))
}

/// A feature that can be switched on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct FeatureSwitch {
    /// Whether it is on.
    pub enabled: bool,
}
