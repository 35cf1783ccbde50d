//! Zips to download: their contents and their location.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

use crate::answer::Refusal;
use crate::kernel::Kernel;

/// The characters that Go's `url.PathEscape` escapes.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// A name as part of a path of a URL.
pub(super) fn escape(name: &str) -> String {
    utf8_percent_encode(name, ESCAPED).to_string()
}

/// The file name that the kernel makes of a title.
pub(super) fn file_name(title: &str) -> String {
    let name = title.chars().filter(|c| !c.is_control());
    let name: String = name.map(|c| if "\\/:*?\"'<>|".contains(c) { '_' } else { c }).collect();
    let name = name.trim();
    name.strip_suffix('.').unwrap_or(name).to_owned()
}

/// The same for a folder: one cannot be made whose name ends in two dots.
pub(super) fn folder_name(title: &str) -> String {
    let mut name = file_name(title);
    if name.ends_with("..") {
        name.push('_');
    }
    name
}

/// Files by their paths; a path without bytes is a folder.
#[derive(Debug, Default)]
pub(super) struct Pack(BTreeMap<PathBuf, Option<Vec<u8>>>);

impl Pack {
    pub(super) fn add(&mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) {
        self.0.insert(path.into(), Some(bytes));
    }

    /// A folder, which is visible even when it is empty.
    pub(super) fn add_folder(&mut self, path: &Path) {
        self.0.entry(path.to_owned()).or_default();
    }

    pub(super) fn get(&self, path: &Path) -> Option<&[u8]> {
        self.0.get(path)?.as_deref()
    }

    /// Writes the zip and returns its download path.
    pub(super) fn publish(&self, kernel: &Kernel, name: &str) -> Result<String, Refusal> {
        self.write(kernel, name)?;
        Ok(format!("/export/{}", escape(name)))
    }

    /// Writes the zip below `temp/export/`.
    pub(super) fn write(&self, kernel: &Kernel, path: &str) -> Result<(), Refusal> {
        let bytes = self.bytes().map_err(|e| Refusal::code(1, e.to_string()))?;
        kernel.write_file(&format!("/temp/export/{path}"), &bytes)
    }

    fn bytes(&self) -> Result<Vec<u8>, ZipError> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        for (path, bytes) in &self.0 {
            let name = path.to_string_lossy();
            match bytes {
                Some(bytes) => {
                    zip.start_file(name, options)?;
                    zip.write_all(bytes)?;
                }
                None if path.as_os_str().is_empty() => {}
                None if self.0.keys().any(|other| other != path && other.starts_with(path)) => {}
                None => zip.add_directory(name, options)?,
            }
        }
        Ok(zip.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn empty_folders_are_packed() {
        let mut pack = Pack::default();
        pack.add_folder(Path::new(""));
        pack.add_folder(Path::new("full"));
        pack.add_folder(Path::new("empty"));
        pack.add("full/ä.md", b"text".to_vec());
        let mut zip = zip::ZipArchive::new(Cursor::new(pack.bytes().unwrap())).unwrap();
        assert_eq!(zip.file_names().map(Result::unwrap).collect::<Vec<_>>(), ["empty/", "full/ä.md"]);
        let mut text = String::new();
        zip.by_name("full/ä.md").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
    }

    #[test]
    fn packed_file_names_match_the_kernel() {
        assert_eq!(file_name(" a/b: \"c\"?. "), "a_b_ _c__");
        assert_eq!(escape("Beta_ x.md.zip"), "Beta_%20x.md.zip");
    }
}
