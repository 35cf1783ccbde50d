//! Named kernels of a person: an address, and where its token comes from; the token itself is never in this file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::config_file::{self, ConfigFile};
use crate::folders;

/// The keys of a profile: as typed, as in the file, and what they hold.
pub(crate) const KEYS: [(&str, &str, &str); 5] = [
    ("url", "url", "The address of SiYuan"),
    ("token-file", "tokenFile", "The file that holds its API token"),
    ("token-env", "tokenEnv", "The environment variable that holds its API token"),
    (
        "token-command",
        "tokenCommand",
        "The program that prints its API token, and its arguments, as a JSON list",
    ),
    ("ca-file", "caFile", "The certificates to trust at an https:// address"),
];
/// The profile that a first setting makes.
pub(crate) const FIRST: &str = "default";
/// The key of the name of the profile in use.
const CURRENT: &str = "currentProfile";
/// The key of all profiles.
const ALL: &str = "profiles";

/// The file of profiles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Profiles {
    /// The name of the one in use where the command line names no kernel.
    #[serde(rename = "currentProfile")]
    pub(crate) current: Option<String>,
    /// All by their names.
    pub(crate) profiles: BTreeMap<String, Profile>,
}

/// A kernel of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(crate) struct Profile {
    /// Its address.
    pub(crate) url: Option<String>,
    token_file: Option<PathBuf>,
    token_env: Option<String>,
    token_command: Option<Vec<String>>,
    /// The certificates to trust.
    pub(crate) ca_file: Option<PathBuf>,
}

/// The place of the file; `None` for a user without a home folder.
pub(crate) fn path() -> Option<PathBuf> {
    Some(folders::config()?.join("config.json"))
}

impl Profiles {
    /// Reads the file; without one there are no profiles.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub(crate) fn read() -> Result<Profiles, String> {
        let Some(path) = path() else { return Ok(Profiles::default()) };
        let file = ConfigFile::open(&path)?;
        let said = |error: serde_json::Error| {
            format!(
                "{} is not as it should be: {error}. See `siyuan-puppy config schema config`.",
                folders::shown(&path)
            )
        };
        serde_json::from_value(Value::Object(file.values().clone())).map_err(said)
    }

    /// The profile of a name.
    ///
    /// # Errors
    /// Returns a sentence for the user if there is none.
    pub(crate) fn named(&self, name: &str) -> Result<&Profile, String> {
        self.profiles.get(name).ok_or_else(|| {
            let near = puppy_core::args::nearest(name, self.profiles.keys().map(String::as_str));
            let near = near.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
            let name = puppy_core::render::visible::shown(name);
            format!("There is no profile {name}.{near} `siyuan-puppy config list` names all.")
        })
    }

    /// The JSON schema of the file.
    pub(crate) fn schema() -> Value {
        let property = |(_, key, about): (&str, &str, &str)| {
            let mut property = json!({ "type": "string", "description": about });
            if key == "tokenCommand" {
                property = json!({ "type": "array", "items": { "type": "string" }, "description": about });
            }
            (key.to_owned(), property)
        };
        let profile = json!({
            "type": "object",
            "properties": KEYS.into_iter().map(property).collect::<serde_json::Map<String, Value>>(),
            "required": ["url"],
            "additionalProperties": false,
        });
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "config",
            "description": "The profiles of siyuan-puppy: named kernels",
            "type": "object",
            "properties": {
                CURRENT: { "type": "string", "description": "The profile in use" },
                ALL: { "type": "object", "additionalProperties": profile },
            },
            "additionalProperties": false,
        })
    }
}

impl Profile {
    /// Whether it says where a token comes from.
    pub(crate) const fn has_token(&self) -> bool {
        self.token_file.is_some() || self.token_env.is_some() || self.token_command.is_some()
    }

    /// The token, if the profile says where it comes from.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub(crate) fn token(&self, name: &str) -> Result<Option<String>, String> {
        let token = match (&self.token_file, &self.token_env, &self.token_command) {
            (None, None, None) => return Ok(None),
            (Some(file), None, None) => std::fs::read_to_string(unfolded(file)).map_err(|error| {
                format!("The token file of the profile {name} cannot be read: {}.", error.kind())
            })?,
            (None, Some(variable), None) => std::env::var(variable).map_err(|_| {
                format!("The profile {name} takes its token from {variable}, which is not set.")
            })?,
            (None, None, Some(words)) => printed(words)
                .ok_or_else(|| format!("The command for the token of the profile {name} failed."))?,
            _ => {
                return Err(format!(
                    "The profile {name} names more than one source of its token. Keep one: `siyuan-puppy config unset`."
                ));
            }
        };
        match token.trim() {
            "" => Err(format!("The token of the profile {name} is empty.")),
            token => Ok(Some(token.to_owned())),
        }
    }

    /// Its settings as typed, each with its value.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let path = |path: &Option<PathBuf>| path.as_deref().map(folders::shown);
        let words = self.token_command.as_ref().map(|it| json!(it).to_string());
        let values =
            [self.url.clone(), path(&self.token_file), self.token_env.clone(), words, path(&self.ca_file)];
        KEYS.into_iter().zip(values).filter_map(|((typed, ..), value)| Some((typed, value?)))
    }
}

/// Changes profiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProfileChange<'a> {
    /// Gives a key of a profile a value, or none.
    Set(&'a str, &'a str, Option<Value>),
    /// Makes a profile the current one.
    Use(&'a str),
    /// Removes a profile.
    Remove(&'a str),
}

/// Changes the file and keeps the rest of it, comments too.
///
/// # Errors
/// Returns a sentence for the user.
pub(crate) fn change(change: &ProfileChange<'_>) -> Result<(), String> {
    let path = path().ok_or("This user has no home folder, so there is no place for profiles.")?;
    let _turn = config_file::turn();
    let profiles = Profiles::read()?;
    let current = profiles.current.as_deref();
    let mut edits: Vec<(Vec<&str>, Option<Value>)> = Vec::new();
    match change {
        ProfileChange::Set(name, key, value) => {
            let (name, key) = (*name, *key);
            if !is_name(name) {
                return Err("The name of a profile has 1 to 32 letters, digits, - and _.".to_owned());
            }
            edits.push((vec![ALL, name, key], value.clone()));
            if current.is_none() && value.is_some() {
                edits.push((vec![CURRENT], Some(json!(name))));
            }
        }
        ProfileChange::Use(name) => {
            profiles.named(name)?;
            edits.push((vec![CURRENT], Some(json!(name))));
        }
        ProfileChange::Remove(name) => {
            let name = *name;
            profiles.named(name)?;
            edits.push((vec![ALL, name], None));
            if current == Some(name) {
                edits.push((vec![CURRENT], None));
            }
        }
    }
    let edited = ConfigFile::open(&path)?.edit(&edits)?;
    if !edited.is_same() {
        edited.replace()?;
    }
    Ok(())
}

/// Whether a text may name a profile.
fn is_name(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it))
}

/// A path in which `~/` stands for the home folder, as in a shell.
pub(crate) fn unfolded(path: &Path) -> PathBuf {
    let inside = path.strip_prefix("~").ok();
    inside.and_then(|it| Some(std::env::home_dir()?.join(it))).unwrap_or_else(|| path.to_owned())
}

/// The output of a program. It may ask the person at the terminal for a password.
fn printed(words: &[String]) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let ended = Command::new(program)
        .args(arguments)
        .stdin(Stdio::inherit())
        .stderr(Stdio::inherit())
        .output()
        .ok()?;
    ended.status.success().then(|| String::from_utf8(ended.stdout).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_names_are_plain_words() {
        for name in ["home", "work-2", "A_b"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "../x", "a/b", "a b", "a.b", "\u{1b}[31m", "ü", &"x".repeat(33)] {
            assert!(!is_name(name), "{name}");
        }
    }

    /// B-095: a token comes from one place, and no error shows it.
    #[test]
    fn tokens_come_from_one_place() {
        let read = |text: &str| serde_json::from_str::<Profile>(text).unwrap().token("home");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, " secret\n").unwrap();
        let file = json!(file).to_string();
        assert_eq!(read(&format!("{{\"tokenFile\":{file}}}")), Ok(Some("secret".to_owned())));
        assert_eq!(read(r#"{"url":"http://127.0.0.1:1"}"#), Ok(None));
        let said = read(r#"{"tokenEnv":"NO_SUCH_VARIABLE"}"#).unwrap_err();
        assert!(said.contains("NO_SUCH_VARIABLE"), "{said}");
        assert!(read(r#"{"tokenFile":"/no/such"}"#).is_err());
        assert!(read(&format!("{{\"tokenFile\":{file},\"tokenEnv\":\"PATH\"}}")).is_err());
        assert!(read(r#"{"tokenCommand":[]}"#).is_err() && read(r#"{"tokenCommand":["/no/such"]}"#).is_err());
        assert!(serde_json::from_str::<Profile>(r#"{"token":"secret"}"#).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_command_may_print_the_token() {
        let profile: Profile = serde_json::from_str(r#"{"tokenCommand":["echo","a b"]}"#).unwrap();
        assert_eq!(profile.token("home"), Ok(Some("a b".to_owned())));
    }

    /// Every key of the schema is one that the type reads, and the other way round.
    #[test]
    fn schema_has_the_keys_of_the_type() {
        let schema = Profiles::schema();
        let properties = &schema["properties"][ALL]["additionalProperties"]["properties"];
        let value = |it: &Value| if it["type"] == "array" { json!(["x"]) } else { json!("x") };
        let all = properties.as_object().unwrap();
        let filled: Value = all.iter().map(|(key, it)| (key.clone(), value(it))).collect();
        let profile: Profile = serde_json::from_value(filled).unwrap();
        assert_eq!(profile.settings().count(), all.len());
    }
}
