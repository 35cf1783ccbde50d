//! SiYuan itself: version, clock, settings.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::endpoints;

endpoints! { "/api/system/";
    /// The kernel's version; answers without a token.
    read VERSION version() -> String = "version" {};
    /// The kernel's clock in milliseconds.
    read CURRENT_TIME current_time() -> u64 = "currentTime" {};
    /// The configuration; holds secrets, so it is read by an allow-list only.
    read GET_CONF get_conf() -> Conf = "getConf" {};
}

/// Reply of `getConf`: an allow-list; everything else in it stays unread.
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
    /// Where it runs.
    pub system: ConfSystem,
    /// Sync settings.
    pub sync: Enabled,
    /// What a search looks at by default.
    pub search: Map<String, Value>,
    /// AI settings.
    pub ai: ConfAi,
    /// Snapshots.
    pub repo: ConfRepo,
}

/// Where the kernel runs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfSystem {
    /// `std`, `docker`, `android` ...
    pub container: String,
    /// Operating system.
    pub os: String,
}

/// AI settings of which only one switch is read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ConfAi {
    /// Embedding model.
    pub embedding: Enabled,
}

/// Settings of snapshots: only whether they can be made.
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

/// Something that can be switched on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Enabled {
    /// Whether it is on.
    pub enabled: bool,
}
