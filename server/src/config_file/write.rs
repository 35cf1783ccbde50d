//! Writes the new content: the whole of it takes the place of the old one, by renaming.

use std::fs::{self, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{FileEdit, bytes};
use crate::folders;
use crate::words::FileWords;

/// The prefix of a file that is still being written.
const UNFINISHED: &str = ".siyuan-puppy-";

impl FileEdit {
    /// Whether nothing changes.
    pub(crate) fn is_same(&self) -> bool {
        self.text == self.file.text
    }

    /// The old and the new content.
    pub(crate) const fn values(&self) -> (&Map<String, Value>, &Map<String, Value>) {
        (&self.file.values, &self.values)
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
        let words = FileWords::here();
        let failed = |error: &io::Error| words.unwritable(folders::shown(place), error.kind());
        let folder = place.parent().ok_or_else(|| failed(&io::ErrorKind::InvalidInput.into()))?;
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        if bytes(place).map_err(|error| failed(&error))? != self.file.read {
            return Err(words.changed_meanwhile(folders::shown(place)));
        }
        crate::unfinished::clear(folder, UNFINISHED);
        let found = fs::metadata(place).ok();
        if let Some(found) = &found
            && let Some(why) = irreplaceable(found, folder).map_err(|error| failed(&error))?
        {
            return Err(words.unchanged(folders::shown(place), why));
        }
        let mode = found.map(|it| it.permissions());
        let kept = match &self.file.read {
            Some(old) if keeps => Some(keep(place, old, mode.as_ref()).map_err(|error| failed(&error))?),
            _ => None,
        };
        let new = unfinished(folder, self.text.as_bytes(), mode.as_ref()).map_err(|error| failed(&error))?;
        new.persist(place).map_err(|error| failed(&error.error))?;
        Ok(kept)
    }
}

/// Why renaming would lose something of a file, if it would: its owner, or its other names.
#[cfg(unix)]
fn irreplaceable(found: &Metadata, folder: &Path) -> io::Result<Option<&'static str>> {
    use std::os::unix::fs::MetadataExt;
    let ours = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?.as_file().metadata()?.uid();
    Ok(if found.uid() != ours {
        Some(FileWords::here().other_user())
    } else if found.nlink() > 1 {
        Some(FileWords::here().hard_link())
    } else {
        None
    })
}

#[cfg(not(unix))]
fn irreplaceable(_: &Metadata, _: &Path) -> io::Result<Option<&'static str>> {
    Ok(None)
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
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode.clone())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}
