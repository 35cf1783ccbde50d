//! A settings file that people and other programs write too: one entry in it is changed, and nothing else is lost.
//!
//! The new content takes the place of the old one by renaming, so that a reader sees one or the other. The old content
//! stays beside it. A link is followed, because people keep such files elsewhere; its target is replaced, not the link.

mod json;
mod toml;

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::folders;

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
pub(crate) struct Edited {
    file: ConfigFile,
    text: String,
}

impl ConfigFile {
    /// Reads the file; one that is missing counts as empty.
    ///
    /// # Errors
    /// Returns a sentence for the user if it cannot be used.
    pub(crate) fn open(path: &Path) -> Result<ConfigFile, String> {
        let failed =
            |error: &io::Error| format!("{} cannot be read: {}.", folders::shown(path), error.kind());
        let place = match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => path.canonicalize().map_err(|error| failed(&error))?,
            Ok(_) => path.to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(failed(&error)),
        };
        let read = bytes(&place).map_err(|error| failed(&error))?;
        let text = String::from_utf8(read.clone().unwrap_or_default())
            .map_err(|_| format!("{} is no text, so it was left as it is.", folders::shown(path)))?;
        let format =
            if place.extension().is_some_and(|it| it == "toml") { Format::Toml } else { Format::Json };
        let values = format.values(&text).map_err(|why| {
            format!("{} was left as it is, because {why}. Mend it first.", folders::shown(path))
        })?;
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

    /// The content.
    pub(crate) const fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// Sets entries and removes those without a value, each by the keys that lead to it.
    ///
    /// # Errors
    /// Returns a sentence for the user if the file has another shape, or if more than these entries would change.
    pub(crate) fn edit(self, edits: &[(Vec<&str>, Option<Value>)]) -> Result<Edited, String> {
        let left = |why: String| format!("{} was left as it is, because {why}.", folders::shown(&self.place));
        let mut text = self.text.clone();
        for (keys, value) in edits {
            text = match value {
                Some(value) => self.format.set(&text, keys, value),
                None => self.format.remove(&text, keys),
            }
            .map_err(left)?;
        }
        // The libraries that edit keep what they do not know. That is checked, because the file is another's.
        let mut before = self.values.clone();
        let mut after = self.format.values(&text).map_err(left)?;
        for (keys, value) in edits {
            if get(&after, keys) != value.as_ref() {
                return Err(left("the entry would not be read back".to_owned()));
            }
            forget(&mut before, keys);
            forget(&mut after, keys);
        }
        if before != after {
            return Err(left("more than one entry would change".to_owned()));
        }
        Ok(Edited { file: self, text })
    }
}

impl Edited {
    /// Whether nothing changes.
    pub(crate) fn is_same(&self) -> bool {
        self.text == self.file.text
    }

    /// The old and the new text.
    pub(crate) fn texts(&self) -> (&str, &str) {
        (&self.file.text, &self.text)
    }

    /// The place of the content.
    pub(crate) fn place(&self) -> &Path {
        self.file.place()
    }

    /// Writes it over our own file.
    ///
    /// # Errors
    /// Returns a sentence for the user; the file is then as it was.
    pub(crate) fn replace(self) -> Result<(), String> {
        self.put(false).map(drop)
    }

    /// Writes it over another program's file and returns the place of the old content, if there was any.
    ///
    /// # Errors
    /// Returns a sentence for the user; the file is then as it was.
    pub(crate) fn write(self) -> Result<Option<PathBuf>, String> {
        self.put(true)
    }

    fn put(self, keeps: bool) -> Result<Option<PathBuf>, String> {
        let place = &self.file.place;
        let failed =
            |error: &io::Error| format!("{} cannot be written: {}.", folders::shown(place), error.kind());
        let folder = place.parent().ok_or_else(|| failed(&io::ErrorKind::InvalidInput.into()))?;
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        if bytes(place).map_err(|error| failed(&error))? != self.file.read {
            return Err(format!(
                "{} was changed by another program meanwhile. Nothing was written; run this again.",
                folders::shown(place)
            ));
        }
        let mode = fs::metadata(place).ok().map(|it| it.permissions());
        let kept = match &self.file.read {
            Some(old) if keeps => Some(keep(place, old, mode.as_ref()).map_err(|error| failed(&error))?),
            _ => None,
        };
        let new = unfinished(folder, self.text.as_bytes(), mode.as_ref()).map_err(|error| failed(&error))?;
        new.persist(place).map_err(|error| failed(&error.error))?;
        Ok(kept)
    }
}

/// Puts the old content beside the file, under a name that nothing has yet.
fn keep(place: &Path, old: &[u8], mode: Option<&Permissions>) -> io::Result<PathBuf> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let time = chrono::Local::now().format("%Y%m%d-%H%M%S");
    for more in 0..100 {
        let more = if more == 0 { String::new() } else { format!("-{more}") };
        let kept = place.with_file_name(format!("{name}.{time}{more}.bak"));
        let folder = place.parent().unwrap_or(Path::new("."));
        match unfinished(folder, old, mode)?.persist_noclobber(&kept) {
            Ok(_) => return Ok(kept),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A file that still has another name; without a mode only its owner may read it.
fn unfinished(
    folder: &Path,
    bytes: &[u8],
    mode: Option<&Permissions>,
) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(".siyuan-puppy-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode.clone())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
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

/// Waits until no other of these programs changes such a file, and holds the others back while the result lives. Without
/// a folder for the lock there is no waiting.
pub(crate) fn turn() -> Option<File> {
    let folder = folders::data()?;
    fs::create_dir_all(&folder).ok()?;
    let file = File::create(folder.join("config.lock")).ok()?;
    file.lock().ok()?;
    Some(file)
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
    format!("`{key}` in it holds no entries")
}

#[cfg(test)]
mod tests;
