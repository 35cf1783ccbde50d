//! SiYuan itself: version, clock, settings.

use serde::Deserialize;
use serde_json::{Map, Value};

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
    pub sync: Enabled,
    /// The default settings of a search.
    pub search: Map<String, Value>,
    /// The settings of the file tree.
    pub file_tree: ConfFileTree,
    /// AI settings.
    pub ai: ConfAi,
    /// Snapshots.
    pub repo: ConfRepo,
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

/// The settings of the file tree, of which only one is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfFileTree {
    /// The order of documents, as the kernel's number for it.
    pub sort: u64,
}

/// The AI settings, of which only one switch is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfAi {
    /// Embedding model.
    pub embedding: Enabled,
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
pub struct Enabled {
    /// Whether it is on.
    pub enabled: bool,
}
