//! `accessSettings` as a person changes it: setting by setting, with the rest of the file kept.

use serde_json::{Map, Value};

use super::ACCESS_FILE;
use crate::kernel::{Kernel, files};
use crate::permission::{AccessSettings, Closed};
use crate::strict;

/// One of the settings, for a person who changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKey {
    /// The level of a notebook that an agent creates.
    NewNotebookLevel,
    /// The one local folder for uploads and exports.
    TransferFolder,
    /// The tag that turns a document into an MCP prompt.
    PromptTag,
}

impl AccessKey {
    const ALL: [AccessKey; 3] =
        [AccessKey::NewNotebookLevel, AccessKey::TransferFolder, AccessKey::PromptTag];

    const fn word(self) -> &'static str {
        match self {
            AccessKey::NewNotebookLevel => "new_notebook_level",
            AccessKey::TransferFolder => "transfer_folder",
            AccessKey::PromptTag => "prompt_tag",
        }
    }
}

/// The file as a person changes it, setting by setting; everything else in it is kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AccessFile(Map<String, Value>);

impl AccessFile {
    /// Reads the file; `None` where [`AccessSettings::parse`] reads nothing either.
    pub fn parse(bytes: &[u8]) -> Option<AccessFile> {
        let map = strict::object(bytes)?;
        let is_text = |key: AccessKey| map.get(key.word()).is_none_or(Value::is_string);
        AccessKey::ALL.into_iter().all(is_text).then_some(AccessFile(map))
    }

    /// Reads the file; the defaults if there is none.
    ///
    /// # Errors
    /// Returns the reason why the settings are unknown.
    pub async fn read(kernel: &dyn Kernel) -> Result<AccessFile, Closed> {
        let file = files::read(kernel, &path()).await.map_err(Closed::Kernel)?;
        let settings = file.map(|bytes| AccessFile::parse(&bytes).ok_or(Closed::Malformed(ACCESS_FILE)));
        settings.unwrap_or_else(|| Ok(AccessFile::default()))
    }

    /// Changes one setting in the file; a file that cannot be read is left as it is.
    ///
    /// # Errors
    /// Returns the reason why nothing was changed.
    pub async fn save(kernel: &dyn Kernel, key: AccessKey, value: &str) -> Result<(), Closed> {
        let mut file = AccessFile::read(kernel).await?;
        file.set(key, value);
        files::write(kernel, &path(), file.to_json().into_bytes()).await.map_err(Closed::Kernel)
    }

    /// A setting, or its default.
    pub fn get(&self, key: AccessKey) -> String {
        let default = || {
            let AccessSettings { new_notebook_level, transfer_folder, prompt_tag, .. } =
                AccessSettings::default();
            match key {
                AccessKey::NewNotebookLevel => new_notebook_level,
                AccessKey::TransferFolder => transfer_folder,
                AccessKey::PromptTag => prompt_tag,
            }
        };
        self.0.get(key.word()).and_then(Value::as_str).map_or_else(default, str::to_owned)
    }

    /// Changes a setting.
    pub fn set(&mut self, key: AccessKey, value: &str) {
        self.0.insert(key.word().to_owned(), Value::from(value.trim()));
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

fn path() -> String {
    format!("{}{ACCESS_FILE}", files::STORAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Level;

    /// Calls read the values that a person sets, and keys of other versions stay.
    #[test]
    fn changed_file_is_read_by_calls() {
        let mut file = AccessFile::parse(br#"{"of_tomorrow":[1]}"#).unwrap();
        assert_eq!(
            (file.get(AccessKey::PromptTag).as_str(), file.get(AccessKey::TransferFolder)),
            ("prompt", String::new())
        );
        for (key, value) in [
            (AccessKey::NewNotebookLevel, "r"),
            (AccessKey::TransferFolder, " /home/me/exchange "),
            (AccessKey::PromptTag, ""),
        ] {
            file.set(key, value);
            assert_eq!(file.get(key), value.trim());
        }
        let read = AccessSettings::parse(file.to_json().as_bytes()).unwrap();
        assert_eq!((read.new_notebook_level(), read.prompt_tag.as_str()), (Level::Read, ""));
        assert_eq!(read.transfer_folder, "/home/me/exchange");
        assert!(read.other.contains_key("of_tomorrow"));
    }

    #[test]
    fn file_that_calls_cannot_read_is_not_changed() {
        for torn in ["", "[]", "{", r#"{"prompt_tag":1}"#, r#"{"a":1,"a":2}"#, r#"{"code":404,"msg":""}"#] {
            assert_eq!(AccessFile::parse(torn.as_bytes()), None, "{torn}");
            assert!(AccessSettings::parse(torn.as_bytes()).is_none(), "{torn}");
        }
    }
}
