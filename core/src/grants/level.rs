//! Levels: the rights of an agent in one notebook.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The sentence that names the place to raise levels, the same in lists, help and refusals (B-015).
pub(crate) const MORE_ALLOWED: &str =
    "A person can allow more in SiYuan: Settings of the plugin MCP Puppy, Permissions and Agents.";

/// Ordered: `None < Read < Write < Delete` (B-050).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", from = "String")]
pub enum Level {
    /// The notebook does not exist for the agent.
    None,
    /// Read.
    Read,
    /// Also create, edit and move.
    Write,
    /// Also delete.
    Delete,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Level; 4] = [Level::None, Level::Read, Level::Write, Level::Delete];

    /// The word in the grants table and in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Read => "r",
            Level::Write => "rw",
            Level::Delete => "rwd",
        }
    }

    /// Reads a word of the grants table; `readonly` and `write` are older words, anything else is `none` (B-051).
    pub fn from_word(word: &str) -> Level {
        match word {
            "r" | "readonly" => Level::Read,
            "rw" | "write" => Level::Write,
            "rwd" => Level::Delete,
            _ => Level::None,
        }
    }
}

impl From<Level> for &'static str {
    fn from(level: Level) -> &'static str {
        level.word()
    }
}

impl From<String> for Level {
    fn from(word: String) -> Level {
        Level::from_word(&word)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    /// B-050, B-051.
    #[test]
    fn level_words_parse_and_anything_else_is_none() {
        assert!(Level::ALL.is_sorted());
        for level in Level::ALL {
            assert_eq!(Level::from_word(level.word()), level);
        }
        assert_eq!(Level::from_word("readonly"), Level::Read);
        assert_eq!(Level::from_word("write"), Level::Write);
        for other in ["", "R", "admin", "rwx", "true"] {
            assert_eq!(Level::from_word(other), Level::None, "{other:?}");
        }
    }
}
