//! Settings that the pipeline reads: what agents may make, and whether everything is paused.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::permission::Level;

/// `accessSettings`; unknown keys survive a round trip.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct AccessSettings {
    /// Level that a notebook gets when an agent creates it, as a word.
    pub new_notebook_level: String,
    /// The one local folder for uploads and exports; empty: none.
    pub transfer_folder: String,
    /// Tag that makes a document an MCP prompt.
    pub prompt_tag: String,
    /// Keys of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for AccessSettings {
    fn default() -> Self {
        AccessSettings {
            new_notebook_level: Level::Write.word().to_owned(),
            transfer_folder: String::new(),
            prompt_tag: "prompt".to_owned(),
            other: Map::new(),
        }
    }
}

impl AccessSettings {
    /// Reads the file; `None` when it is no such object.
    pub fn parse(bytes: &[u8]) -> Option<AccessSettings> {
        serde_json::from_slice(bytes).ok()
    }

    /// The level of a notebook made by an agent.
    pub fn new_notebook_level(&self) -> Level {
        Level::from_word(&self.new_notebook_level)
    }
}

/// Whether `mcpHttpSettings` says that every agent call is to stop.
pub fn is_paused(bytes: &[u8]) -> bool {
    let settings: Value = serde_json::from_slice(bytes).unwrap_or_default();
    settings.get("paused").and_then(Value::as_bool).unwrap_or_default()
}
