//! Settings that the pipeline reads: what agents may make, and whether everything is paused.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::HTTP_FILE;
use crate::kernel::{Kernel, KernelError, files};
use crate::permission::{Closed, Level};
use crate::strict;

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
    /// Reads the file; `None` when it is no such object, names a key twice or holds something of another type.
    pub fn parse(bytes: &[u8]) -> Option<AccessSettings> {
        serde_json::from_value(Value::Object(strict::object(bytes)?)).ok()
    }

    /// What holds while nobody can read them: nothing new, nothing from the disk, no prompts.
    pub fn closed() -> AccessSettings {
        AccessSettings {
            new_notebook_level: Level::None.word().to_owned(),
            prompt_tag: String::new(),
            ..AccessSettings::default()
        }
    }

    /// The level of a notebook made by an agent.
    pub fn new_notebook_level(&self) -> Level {
        Level::from_word(&self.new_notebook_level)
    }
}

/// One way in which a person is asked before something dangerous is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Through the agent's own client.
    Ask,
    /// By a token that comes back with the same call.
    Token,
    /// Not at all: it is not done.
    Block,
}

impl Way {
    /// Every way, in the order that counts until a person chooses another.
    pub const ALL: [Way; 3] = [Way::Ask, Way::Token, Way::Block];

    /// The word in settings and flags.
    pub const fn word(self) -> &'static str {
        match self {
            Way::Ask => "ask",
            Way::Token => "token",
            Way::Block => "block",
        }
    }

    /// The way of that word.
    pub fn named(word: &str) -> Option<Way> {
        Way::ALL.into_iter().find(|way| way.word() == word.trim())
    }
}

/// The token that callers over HTTP must show where the server was started with none.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum CallerToken {
    /// None is asked for.
    #[default]
    None,
    /// This one.
    Is(String),
    /// The settings cannot be read: there may be one.
    Unknown,
}

impl fmt::Debug for CallerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CallerToken::None => "None",
            CallerToken::Is(_) => "Is(hidden)",
            CallerToken::Unknown => "Unknown",
        })
    }
}

/// Whether a person has stopped every call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Pause {
    /// They have not.
    #[default]
    No,
    /// They have, or said something that could mean it.
    Yes,
    /// What they said cannot be read: calls stop too.
    Unknown(Closed),
}

/// What of `mcpHttpSettings` holds for every call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallSettings {
    /// Whether every agent call is to stop.
    pub pause: Pause,
    /// The ways to ask, first that is available; none when a person chose nothing.
    pub confirm: Vec<Way>,
    /// What callers over HTTP must show.
    pub token: CallerToken,
}

impl CallSettings {
    /// Asks the kernel for them.
    ///
    /// # Errors
    /// When the kernel cannot be asked.
    pub async fn read<K: Kernel>(kernel: &K) -> Result<CallSettings, KernelError> {
        let file = files::read(kernel, &format!("{}{HTTP_FILE}", files::STORAGE)).await?;
        Ok(file.map(|bytes| CallSettings::parse(&bytes)).unwrap_or_default())
    }

    /// Settings that nobody can read: whatever they could say holds.
    pub fn unknown(why: Closed) -> CallSettings {
        CallSettings { pause: Pause::Unknown(why), confirm: vec![Way::Block], token: CallerToken::Unknown }
    }

    /// Reads the file; what is not of the type it should be has the strictest meaning.
    pub fn parse(bytes: &[u8]) -> CallSettings {
        let Some(settings) = strict::object(bytes) else {
            return CallSettings::unknown(Closed::Malformed(HTTP_FILE));
        };
        let confirm = match settings.get("confirm") {
            None => Vec::new(),
            Some(Value::Array(words)) => {
                // A word of a later version could be stricter than any that is known here.
                words.iter().map(|it| it.as_str().and_then(Way::named).unwrap_or(Way::Block)).collect()
            }
            Some(_) => vec![Way::Block],
        };
        let token = match settings.get("token") {
            None => CallerToken::None,
            Some(Value::String(token)) if token.trim().is_empty() => CallerToken::None,
            Some(Value::String(token)) => CallerToken::Is(token.trim().to_owned()),
            Some(_) => CallerToken::Unknown,
        };
        let pause = match settings.get("paused") {
            None | Some(Value::Bool(false)) => Pause::No,
            Some(_) => Pause::Yes,
        };
        CallSettings { pause, confirm, token }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-071: an order that cannot be understood blocks.
    #[test]
    fn the_order_of_the_ways_is_read() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).confirm;
        assert_eq!(read("{}"), []);
        assert_eq!(read("[]"), [Way::Block]);
        assert_eq!(read("torn"), [Way::Block]);
        assert_eq!(read(r#"{"confirm":[["ask"],null]}"#), [Way::Block, Way::Block]);
        assert_eq!(read(r#"{"confirm":["token","block"]}"#), [Way::Token, Way::Block]);
        assert_eq!(read(r#"{"confirm":["approve","ask"]}"#), [Way::Block, Way::Ask]);
        for word in ["\"ask\"", "null", "true", "{}"] {
            assert_eq!(read(&format!("{{\"confirm\":{word}}}")), [Way::Block], "{word}");
        }
    }

    /// F13, F21: only an absent word and `false` let agents go on.
    #[test]
    fn whatever_could_mean_a_pause_is_one() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).pause;
        for runs in ["{}", r#"{"paused":false,"port":1}"#] {
            assert_eq!(read(runs), Pause::No, "{runs}");
        }
        for word in ["true", "\"true\"", "1", "0", "\"yes\"", "\"false\"", "{}", "[]", "null"] {
            assert_eq!(read(&format!("{{\"paused\":{word}}}")), Pause::Yes, "{word}");
        }
        for torn in ["", "{", "[]", "true", r#"{"paused":true,"paused":false}"#, r#"{"code":404,"msg":""}"#] {
            assert_eq!(read(torn), Pause::Unknown(Closed::Malformed(HTTP_FILE)), "{torn}");
        }
    }

    /// F13, F21: what cannot be read gives agents nothing new.
    #[test]
    fn settings_about_what_agents_make_fall_to_the_narrow_side() {
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

    /// B-136, B-137: a file that cannot be read is no open door, and no token is ever printed.
    #[test]
    fn the_token_of_callers_is_read() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).token;
        assert_eq!(read(r#"{"paused":true}"#), CallerToken::None);
        assert_eq!(read(r#"{"token":" "}"#), CallerToken::None);
        assert_eq!(read(r#"{"token":"canary\n"}"#), CallerToken::Is("canary".to_owned()));
        for unknown in
            ["torn", "[]", "", r#"{"token":7}"#, r#"{"token":null}"#, r#"{"token":"a","token":""}"#]
        {
            assert_eq!(read(unknown), CallerToken::Unknown, "{unknown}");
        }
        assert!(!format!("{:?}", read(r#"{"token":"canary"}"#)).contains("canary"));
    }
}
