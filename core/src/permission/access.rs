//! The person's settings about what agents may create, and where.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Level;
use crate::strict;

/// `accessSettings`; unknown keys survive a round trip.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct AccessSettings {
    /// The level, as a word, of a notebook that an agent creates.
    pub new_notebook_level: String,
    /// The one local folder for uploads and exports; empty means none.
    pub transfer_folder: String,
    /// The tag that turns a document into an MCP prompt.
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
    /// Reads the file; `None` when it is not such an object, names a key twice or holds a value of another type.
    pub fn parse(bytes: &[u8]) -> Option<AccessSettings> {
        serde_json::from_value(Value::Object(strict::object(bytes)?)).ok()
    }

    /// The settings while nobody can read the file: nothing new, nothing from the disk, no prompts.
    pub fn closed() -> AccessSettings {
        AccessSettings {
            new_notebook_level: Level::None.word().to_owned(),
            prompt_tag: String::new(),
            ..AccessSettings::default()
        }
    }

    /// The level of a notebook that an agent creates.
    pub fn new_notebook_level(&self) -> Level {
        Level::from_word(&self.new_notebook_level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F13, F21: settings that cannot be read give agents nothing new.
    #[test]
    fn malformed_access_settings_fall_back_to_the_narrower_value() {
        let level = |text: &str| {
            AccessSettings::parse(text.as_bytes()).unwrap_or_else(AccessSettings::closed).new_notebook_level()
        };
        assert_eq!((level("{}"), level(r#"{"new_notebook_level":"rwd"}"#)), (Level::Write, Level::Delete));
        for narrow in [
            "",
            "{",
            "[]",
            "null",
            r#"{"new_notebook_level":true}"#,
            r#"{"new_notebook_level":null}"#,
            r#"{"new_notebook_level":"all"}"#,
            r#"{"new_notebook_level":["rwd"]}"#,
            r#"{"new_notebook_level":"none","new_notebook_level":"rwd"}"#,
            r#"{"prompt_tag":1}"#,
        ] {
            assert_eq!(level(narrow), Level::None, "{narrow}");
        }
        let closed = AccessSettings::closed();
        assert_eq!((closed.prompt_tag.as_str(), closed.transfer_folder.as_str()), ("", ""));
    }
}
