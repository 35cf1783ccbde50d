//! Changes the file of profiles, so that the next command can use what it holds.

use std::path::Path;

use serde_json::{Value, json};

use super::{ALL, CURRENT, Profiles, Setting, path};
use crate::config_file::{self, ConfigFile};
use crate::folders;
use crate::words::{FileWords, comma};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProfileChange<'a> {
    /// Gives a setting of a profile a value, or none.
    Set(&'a str, Setting, Option<Value>),
    /// Makes a profile the current one.
    Use(&'a str),
    Remove(&'a str),
    /// Adds the profiles of another file, and replaces those of the same name if that is wanted.
    Import(&'a Path, bool),
}

/// The result of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChangeOutcome {
    /// Whether nothing is different now.
    pub(crate) is_same: bool,
    /// The source of a token that a new one replaced.
    pub(crate) replaced: Option<Setting>,
    /// The names of the profiles that came in.
    pub(crate) imported: Vec<String>,
}

/// Changes the file and keeps the rest of it, comments too.
///
/// # Errors
/// Returns a sentence for the user.
pub(crate) fn change(change: &ProfileChange<'_>) -> Result<ChangeOutcome, String> {
    let path = path().ok_or(FileWords::here().no_home_profiles())?;
    let _turn = config_file::turn()?;
    let profiles = Profiles::read()?;
    let mut done = ChangeOutcome::default();
    let edits = match change {
        ProfileChange::Set(name, setting, value) => {
            done.replaced = replaced(&profiles, name, *setting, value.as_ref());
            set(&profiles, name, *setting, value.clone(), done.replaced)?
        }
        ProfileChange::Use(name) => {
            profiles.named(name)?;
            vec![(vec![CURRENT.to_owned()], Some(json!(name)))]
        }
        ProfileChange::Remove(name) => {
            profiles.named(name)?;
            let is_current = profiles.current.as_deref() == Some(name);
            let current = is_current.then(|| (vec![CURRENT.to_owned()], None));
            current.into_iter().chain([(keys(name, None), None)]).collect()
        }
        ProfileChange::Import(from, replaces) => {
            let (edits, names) = import(&profiles, from, *replaces)?;
            done.imported = names;
            edits
        }
    };
    let edited = ConfigFile::open(&path)?.edit(&edits)?;
    done.is_same = edited.is_same();
    if !done.is_same {
        edited.replace()?;
    }
    Ok(done)
}

/// Keys with their values; none removes.
type Edits = Vec<(Vec<String>, Option<Value>)>;

fn keys(name: &str, setting: Option<Setting>) -> Vec<String> {
    [ALL, name].into_iter().chain(setting.map(Setting::key)).map(str::to_owned).collect()
}

/// The source of a token that stands where another one is set.
fn replaced(profiles: &Profiles, name: &str, setting: Setting, value: Option<&Value>) -> Option<Setting> {
    let is_source = [Setting::TokenFile, Setting::TokenEnv, Setting::TokenCommand].contains(&setting);
    let old = profiles.profiles.get(name)?.token.as_ref()?.setting();
    (value.is_some() && is_source && old != setting).then_some(old)
}

fn set(
    profiles: &Profiles,
    name: &str,
    setting: Setting,
    value: Option<Value>,
    replaced: Option<Setting>,
) -> Result<Edits, String> {
    let words = FileWords::here();
    if !is_name(name) && !profiles.profiles.contains_key(name) {
        return Err(words.profile_names().to_owned());
    }
    match (setting, &value) {
        (Setting::Url, None) => {
            return Err(words.needs_address(name));
        }
        (Setting::Url, Some(_)) => {}
        (_, Some(_)) if !profiles.profiles.contains_key(name) => {
            return Err(words.address_first(name));
        }
        (_, _) => drop(profiles.named(name)?),
    }
    let gone = replaced.map(|old| (keys(name, Some(old)), None));
    let current = profiles.current.is_none().then(|| (vec![CURRENT.to_owned()], Some(json!(name))));
    let current = current.filter(|_| value.is_some());
    Ok(gone.into_iter().chain([(keys(name, Some(setting)), value)]).chain(current).collect())
}

/// The profiles of another file as edits, and their names.
fn import(profiles: &Profiles, from: &Path, replaces: bool) -> Result<(Edits, Vec<String>), String> {
    let file = ConfigFile::open(from)?;
    let theirs = Profiles::inside(&file, from)?;
    let words = FileWords::here();
    if theirs.profiles.is_empty() {
        return Err(words.no_profiles_in(folders::shown(from)));
    }
    let names: Vec<String> = theirs.profiles.keys().cloned().collect();
    if !names.iter().all(|it| is_name(it)) {
        return Err(words.profile_names().to_owned());
    }
    let taken: Vec<&str> =
        names.iter().filter(|it| profiles.profiles.contains_key(*it)).map(String::as_str).collect();
    if !taken.is_empty() && !replaces {
        return Err(words.profiles_taken(taken.join(comma())));
    }
    let value = |name: &String| config_file::get(file.values(), &[ALL, name]).cloned();
    let current = theirs.current.filter(|it| profiles.current.is_none() && theirs.profiles.contains_key(it));
    let current = current.map(|it| (vec![CURRENT.to_owned()], Some(json!(it))));
    Ok((names.iter().map(|name| (keys(name, None), value(name))).chain(current).collect(), names))
}

/// Whether a text may name a profile.
fn is_name(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it))
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
}
