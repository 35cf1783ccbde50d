//! Reads the file of profiles. Errors name the key and the expected form, never the value, which may be a secret.

use std::path::PathBuf;

use puppy_core::args::nearest;
use serde_json::{Map, Value};

use super::{ALL, CURRENT, Profile, Profiles, Setting, Source};
use crate::discover::Address;
use crate::words::{ErrorWords, FileWords, comma};

impl Profiles {
    /// The profiles of a file's content.
    ///
    /// # Errors
    /// Returns the key and what is due there.
    pub(crate) fn of(values: &Map<String, Value>) -> Result<Profiles, String> {
        if let Some(key) = values.keys().find(|it| ![CURRENT, ALL].contains(&it.as_str())) {
            return Err(FileWords::here().no_setting(key, [CURRENT, ALL].join(comma())));
        }
        let current = values.get(CURRENT).map(|it| text(it, CURRENT)).transpose()?;
        let all =
            values.get(ALL).map(|it| it.as_object().ok_or_else(|| FileWords::here().must_be_object(ALL)));
        let all = all.transpose()?.into_iter().flatten();
        let profiles = all.map(|(name, value)| Ok((name.clone(), profile(name, value)?)));
        Ok(Profiles { current, profiles: profiles.collect::<Result<_, String>>()? })
    }
}

fn profile(name: &str, value: &Value) -> Result<Profile, String> {
    let at = format!("{ALL}.{name}");
    let says = FileWords::here();
    let fields = value.as_object().ok_or_else(|| says.must_be_object(&at))?;
    let known = Setting::ALL.map(Setting::key);
    if let Some(key) = fields.keys().find(|it| !known.contains(&it.as_str())) {
        let near = nearest(key, known.into_iter());
        let (key, all) = (format!("{at}.{key}"), known.join(comma()));
        return Err(match near {
            Some(near) => says.no_setting_near(key, ErrorWords::here().did_you_mean(near), all),
            None => says.no_setting(key, all),
        });
    }
    let there =
        |setting: Setting| fields.get(setting.key()).map(|value| (value, format!("{at}.{}", setting.key())));
    let text_of = |setting: Setting| there(setting).map(|(value, path)| text(value, &path)).transpose();
    let url = text_of(Setting::Url)?.ok_or_else(|| says.no_url(&at))?;
    Address::given(&url).map_err(|_| says.must_be_address(format!("{at}.url")))?;
    let words = there(Setting::TokenCommand).map(|(value, path)| words(value, &path)).transpose()?;
    let sources = [
        text_of(Setting::TokenFile)?.map(|it| Source::File(PathBuf::from(it))),
        text_of(Setting::TokenEnv)?.map(Source::Variable),
        words.map(Source::Command),
    ];
    let mut sources = sources.into_iter().flatten();
    let token = sources.next();
    if sources.next().is_some() {
        return Err(says.two_sources(at));
    }
    Ok(Profile { url, token, ca_file: text_of(Setting::CaFile)?.map(PathBuf::from) })
}

fn text(value: &Value, path: &str) -> Result<String, String> {
    let text = value.as_str().filter(|it| !it.trim().is_empty());
    text.map(str::to_owned).ok_or_else(|| FileWords::here().must_be_text(path))
}

fn words(value: &Value, path: &str) -> Result<Vec<String>, String> {
    let words: Option<Vec<String>> =
        value.as_array().and_then(|it| it.iter().map(|it| it.as_str().map(str::to_owned)).collect());
    words
        .filter(|it| it.first().is_some_and(|program| !program.trim().is_empty()))
        .ok_or_else(|| FileWords::here().must_be_words(path))
}
