//! A settings file that people and other programs write too: one entry in it is changed, and nothing else is lost.
//!
//! The new content takes the place of the old one by renaming, so that a reader sees one or the other. The old content
//! stays beside it. A link is followed, because people keep such files elsewhere; its target is replaced, not the link.

mod json;
mod toml;
mod turn;
mod write;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::folders;
use crate::words::FileWords;
pub(crate) use turn::turn;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 8 * 1_024 * 1_024;
/// The mark of byte order that some editors put before a text.
const MARK: char = '\u{feff}';

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// JSON, with comments and commas behind the last entry where its program takes them.
    Json,
    Toml,
}

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    /// The place of the content: links are followed.
    place: PathBuf,
    format: Format,
    /// The bytes; `None` if there is no file.
    read: Option<Vec<u8>>,
    text: String,
    values: Map<String, Value>,
}

/// A change of one file.
#[derive(Debug)]
pub(crate) struct FileEdit {
    file: ConfigFile,
    text: String,
    values: Map<String, Value>,
}

impl ConfigFile {
    /// Reads the file; one that is missing counts as empty.
    ///
    /// # Errors
    /// Returns a sentence for the user if it cannot be used.
    pub(crate) fn open(path: &Path) -> Result<ConfigFile, String> {
        let words = FileWords::here();
        let failed = |error: &io::Error| words.unreadable(folders::shown(path), error.kind());
        let place = match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => path.canonicalize().map_err(|error| failed(&error))?,
            Ok(_) => path.to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(failed(&error)),
        };
        let read = bytes(&place).map_err(|error| failed(&error))?;
        let text = String::from_utf8(read.clone().unwrap_or_default())
            .map_err(|_| words.unusable(folders::shown(path), words.not_text()))?;
        // The program that reads the file knows it by this name, wherever a link leads.
        let format =
            if path.extension().is_some_and(|it| it == "toml") { Format::Toml } else { Format::Json };
        let values = format.values(&text).map_err(|why| words.unusable(folders::shown(path), why))?;
        Ok(ConfigFile { place, format, read, text, values })
    }

    /// Whether there is a file.
    pub(crate) const fn exists(&self) -> bool {
        self.read.is_some()
    }

    /// The place of the content.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    pub(crate) const fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// Sets entries and removes those without a value, each by the keys that lead to it.
    ///
    /// # Errors
    /// Returns a sentence for the user if the file has another shape, or if more than these entries would change.
    pub(crate) fn edit<K: AsRef<str>>(self, edits: &[(Vec<K>, Option<Value>)]) -> Result<FileEdit, String> {
        let words = FileWords::here();
        let left = |why: String| words.unchanged(folders::shown(&self.place), why);
        let edits: Vec<(Vec<&str>, &Option<Value>)> =
            edits.iter().map(|(keys, value)| (keys.iter().map(AsRef::as_ref).collect(), value)).collect();
        let mut text = self.text.clone();
        for (keys, value) in &edits {
            text = match value {
                Some(value) => self.format.set(&text, keys, value),
                None => self.format.remove(&text, keys),
            }
            .map_err(left)?;
        }
        // The libraries that edit keep what they do not know. That is checked, because the file is another's.
        let mut before = self.values.clone();
        let values = self.format.values(&text).map_err(left)?;
        let mut after = values.clone();
        for (keys, value) in &edits {
            if get(&after, keys) != value.as_ref() {
                return Err(left(words.not_read_back().to_owned()));
            }
            forget(&mut before, keys);
            forget(&mut after, keys);
        }
        if before != after {
            return Err(left(words.too_many().to_owned()));
        }
        let own: Vec<String> =
            edits.iter().flat_map(|(keys, _)| self.format.inside(&self.text, keys)).collect();
        if !lost(self.format, &self.text, &text).iter().all(|it| own.iter().any(|line| line == it)) {
            return Err(left(words.comment_lost().to_owned()));
        }
        Ok(FileEdit { file: self, text, values })
    }
}

/// The lines of comments that a new text does not have any more.
fn lost<'a>(format: Format, old: &'a str, new: &str) -> Vec<&'a str> {
    let comments = |text: &'_ str| -> Vec<String> {
        text.lines().map(str::trim).filter(|it| it.starts_with(format.comment())).map(str::to_owned).collect()
    };
    let mut left = comments(new);
    let mut is_lost = |line: &str| match left.iter().position(|it| it == line) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    let old = old.lines().map(str::trim).filter(|it| it.starts_with(format.comment()));
    old.filter(|it| is_lost(it)).collect()
}

/// The content of a file; `None` if there is none. Opening a pipe would wait for its writer, so only files are opened.
fn bytes(place: &Path) -> io::Result<Option<Vec<u8>>> {
    let found = match fs::metadata(place) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !found.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    File::open(place)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(Some(bytes))
}

impl Format {
    fn values(self, text: &str) -> Result<Map<String, Value>, String> {
        let text = text.strip_prefix(MARK).unwrap_or(text);
        match self {
            Format::Json => json::values(text),
            Format::Toml => toml::values(text),
        }
    }

    fn set(self, text: &str, keys: &[&str], value: &Value) -> Result<String, String> {
        marked(text, |text| match self {
            Format::Json => json::set(text, keys, value),
            Format::Toml => toml::set(text, keys, value),
        })
    }

    /// The beginning of a comment.
    const fn comment(self) -> &'static str {
        match self {
            Format::Json => "//",
            Format::Toml => "#",
        }
    }

    /// The lines of an entry, which go with it. Of TOML every comment stays.
    fn inside(self, text: &str, keys: &[&str]) -> Vec<String> {
        match self {
            Format::Json => json::inside(text.strip_prefix(MARK).unwrap_or(text), keys),
            Format::Toml => Vec::new(),
        }
    }

    fn remove(self, text: &str, keys: &[&str]) -> Result<String, String> {
        marked(text, |text| match self {
            Format::Json => json::remove(text, keys),
            Format::Toml => toml::remove(text, keys),
        })
    }
}

/// Changes what stands behind the mark of byte order, if there is one.
fn marked(text: &str, change: impl FnOnce(&str) -> Result<String, String>) -> Result<String, String> {
    match text.strip_prefix(MARK) {
        Some(text) => Ok(format!("{MARK}{}", change(text)?)),
        None => change(text),
    }
}

/// The value to which keys lead.
pub(crate) fn get<'a>(values: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let (first, rest) = keys.split_first()?;
    rest.iter().try_fold(values.get(*first)?, |value, key| value.get(key))
}

/// Removes what keys lead to, and what is empty then.
fn forget(values: &mut Map<String, Value>, keys: &[&str]) {
    let Some((first, rest)) = keys.split_first() else { return };
    if let Some(Value::Object(inner)) = values.get_mut(*first)
        && !rest.is_empty()
    {
        forget(inner, rest);
        if !inner.is_empty() {
            return;
        }
    } else if !rest.is_empty() {
        return;
    }
    values.shift_remove(*first);
}

/// The sentence for a value that should hold entries and does not.
fn no_object(key: &str) -> String {
    FileWords::here().no_entries(key)
}

#[cfg(test)]
mod tests;
