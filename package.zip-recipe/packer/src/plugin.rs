//! The files of a plugin, by their names with `/`, in the order of names.

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// The plugin's name: its folder, its entry in the marketplace, its storage.
pub(crate) const NAME: &str = "siyuan-mcp-puppy";

/// Files and their contents.
#[derive(Clone, Default)]
pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Reads a folder.
    pub(crate) fn load(folder: &Path) -> Result<Self> {
        let mut files = Self::default();
        files.collect(folder, "")?;
        if files.0.is_empty() {
            bail!("{} is empty", folder.display());
        }
        Ok(files)
    }

    fn collect(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        let listed =
            std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in listed {
            let path = entry.context("cannot list a folder")?.path();
            let leaf = path.file_name().and_then(|it| it.to_str()).context("a name is not UTF-8")?;
            let name = format!("{prefix}{leaf}");
            if path.is_dir() {
                self.collect(&path, &format!("{name}/"))?;
            } else {
                let bytes = std::fs::read(&path).with_context(|| format!("cannot read {name}"))?;
                self.put(&name, bytes);
            }
        }
        Ok(())
    }

    /// Writes all files below a folder, none outside.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        for (name, bytes) in &self.0 {
            let relative = Path::new(name);
            if name.contains('\\') || !relative.components().all(|it| matches!(it, Component::Normal(_))) {
                bail!("{name} would lie outside of its folder");
            }
            let path = folder.join(relative);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).context("a folder cannot be made")?;
            }
            std::fs::write(path, bytes).with_context(|| format!("{name} cannot be written"))?;
        }
        Ok(())
    }

    /// Adds or replaces a file.
    pub(crate) fn put(&mut self, name: &str, bytes: Vec<u8>) {
        self.0.insert(name.to_owned(), bytes);
    }

    /// The content of a file.
    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// The content of a file as text; empty where it is missing, which another rule tells.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// The content of a file as JSON; null where it is missing or is no JSON.
    pub(crate) fn json(&self, name: &str) -> Value {
        self.get(name).and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
    }

    /// Names and contents.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes a file and returns its content.
    pub(crate) fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.remove(name)
    }

    /// Removes a file.
    #[cfg(test)]
    pub(crate) fn remove(&mut self, name: &str) {
        assert!(self.take(name).is_some(), "{name} is not there");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_as_they_were_read_and_none_lies_outside() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::default();
        files.put("index.js", b"one".to_vec());
        files.put("i18n/en.json", b"{}".to_vec());
        files.save(&folder.path().join("new")).unwrap();
        let again = Files::load(&folder.path().join("new")).unwrap();
        assert_eq!(again.iter().collect::<Vec<_>>(), files.iter().collect::<Vec<_>>());

        for name in ["../index.js", "/index.js", "a/../../index.js", "..\\index.js"] {
            let mut files = Files::default();
            files.put(name, Vec::new());
            assert!(files.save(&folder.path().join("other")).is_err(), "{name}");
        }
    }
}
