//! Named kernels of a person: an address, and where its token comes from; the token itself is never in this file.

mod change;
mod read;
mod token;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use puppy_core::args::nearest;
use serde_json::{Map, Value, json};

use crate::config_file::ConfigFile;
use crate::words::{ErrorWords, FileWords, gap};
use crate::{discover, folders};
pub(crate) use change::{ChangeOutcome, ProfileChange, change};
pub(crate) use token::{PromptPolicy, Source};

/// A setting of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// The address of the kernel.
    Url,
    /// The file that holds its token.
    TokenFile,
    /// The variable that holds its token.
    TokenEnv,
    /// The program that prints its token.
    TokenCommand,
    /// The certificates to trust.
    CaFile,
}

impl Setting {
    /// Every setting.
    pub(crate) const ALL: [Setting; 5] =
        [Setting::Url, Setting::TokenFile, Setting::TokenEnv, Setting::TokenCommand, Setting::CaFile];

    /// The word that a person types.
    pub(crate) const fn typed(self) -> &'static str {
        match self {
            Setting::Url => "url",
            Setting::TokenFile => "token-file",
            Setting::TokenEnv => "token-env",
            Setting::TokenCommand => "token-command",
            Setting::CaFile => "ca-file",
        }
    }

    /// The key in the file.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Setting::Url => "url",
            Setting::TokenFile => "tokenFile",
            Setting::TokenEnv => "tokenEnv",
            Setting::TokenCommand => "tokenCommand",
            Setting::CaFile => "caFile",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Setting::Url => "The address of SiYuan",
            Setting::TokenFile => "The file that contains its API token",
            Setting::TokenEnv => "The environment variable that contains its API token",
            Setting::TokenCommand => {
                "The program that prints its API token, and its arguments, as a JSON list"
            }
            Setting::CaFile => "The certificates to trust at an https:// address",
        }
    }
}

/// The profile that a first setting makes.
pub(crate) const FIRST: &str = "default";
/// The key of the name of the profile in use.
const CURRENT: &str = "currentProfile";
/// The key of all profiles.
const ALL: &str = "profiles";

/// The file of profiles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Profiles {
    /// The name of the one in use where the command line names no kernel.
    pub(crate) current: Option<String>,
    /// All by their names.
    pub(crate) profiles: BTreeMap<String, Profile>,
}

/// A kernel of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) url: String,
    /// The place of its token.
    pub(crate) token: Option<Source>,
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
        Profiles::inside(&ConfigFile::open(&path)?, &path)
    }

    fn inside(file: &ConfigFile, path: &Path) -> Result<Profiles, String> {
        Profiles::of(file.values()).map_err(|why| {
            let path = folders::shown(path);
            FileWords::here().malformed(path, why)
        })
    }

    /// The profile of a name.
    ///
    /// # Errors
    /// Returns a sentence for the user if there is none.
    pub(crate) fn named(&self, name: &str) -> Result<&Profile, String> {
        self.profiles.get(name).ok_or_else(|| {
            let near = nearest(name, self.profiles.keys().map(String::as_str));
            let near = near.map(|near| format!("{}{}", gap(), ErrorWords::here().did_you_mean(near)));
            FileWords::here().no_profile(name, near.unwrap_or_default())
        })
    }

    /// The JSON schema of the file.
    pub(crate) fn schema() -> Value {
        let property = |setting: Setting| {
            let about = setting.about();
            let property = if setting == Setting::TokenCommand {
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "description": about })
            } else {
                json!({ "type": "string", "minLength": 1, "description": about })
            };
            (setting.key().to_owned(), property)
        };
        let profile = json!({
            "type": "object",
            "properties": Setting::ALL.into_iter().map(property).collect::<Map<String, Value>>(),
            "required": [Setting::Url.key()],
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
    /// The value of a setting for people and programs: without the password that an address may hold.
    pub(crate) fn shown(&self, setting: Setting) -> Option<String> {
        match (setting, &self.token) {
            (Setting::Url, _) => Some(discover::shown(&self.url)),
            (Setting::CaFile, _) => self.ca_file.as_deref().map(folders::shown),
            (Setting::TokenFile, Some(Source::File(file))) => Some(folders::shown(file)),
            (Setting::TokenEnv, Some(Source::Variable(name))) => Some(name.clone()),
            (Setting::TokenCommand, Some(Source::Command(words))) => Some(json!(words).to_string()),
            _ => None,
        }
    }
}

/// A path in which `~/` stands for the home folder, as in a shell.
pub(crate) fn unfolded(path: &Path) -> PathBuf {
    let inside = path.strip_prefix("~").ok();
    inside.and_then(|it| Some(std::env::home_dir()?.join(it))).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(profile: &Value) -> Result<Profiles, String> {
        Profiles::of(json!({ ALL: { "a": profile } }).as_object().unwrap())
    }

    /// Every setting of the schema is one that is read, and what the schema requires the reader requires.
    #[test]
    fn schema_has_what_is_read() {
        let schema = Profiles::schema();
        let profile = &schema["properties"][ALL]["additionalProperties"];
        let all = profile["properties"].as_object().unwrap();
        assert_eq!(all.len(), Setting::ALL.len());
        for (key, property) in all {
            let value = if property["type"] == "array" { json!(["x"]) } else { json!("x") };
            let mut fields = json!({ "url": "http://127.0.0.1:1" });
            if key != "url" {
                fields[key] = value;
            }
            let read = one(&fields).unwrap();
            assert!(
                Setting::ALL.into_iter().any(|it| it.key() == key && read.profiles["a"].shown(it).is_some())
            );
        }
        assert_eq!(profile["required"], json!(["url"]));
        assert_eq!(one(&json!({})), Err("profiles.a has no url".to_owned()));
        let two = json!({ "url": "http://127.0.0.1:1", "tokenFile": "/t", "tokenEnv": "T" });
        assert!(one(&two).unwrap_err().contains("more than one"));
    }
}
