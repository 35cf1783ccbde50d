//! The person's table of levels, read from the kernel's storage.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Level;
use crate::error::{ErrorType, ToolError};
use crate::id::NotebookId;
use crate::kernel::KernelError;

/// The table as it lies in `notebookPermissions`: notebook id to word. Unknown ids are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table(BTreeMap<String, Level>);

impl Table {
    /// Reads the file; `None` when it is not a JSON object of words (B-053).
    pub fn parse(bytes: &[u8]) -> Option<Table> {
        let map: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        // The kernel's envelope for a missing file is an object too; it is no table.
        if map.contains_key("code") && map.contains_key("msg") {
            return None;
        }
        Some(Table(
            map.into_iter()
                .map(|(id, word)| (id, word.as_str().map_or(Level::None, Level::from_word)))
                .collect(),
        ))
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        let map: Map<String, Value> =
            self.0.iter().map(|(id, level)| (id.clone(), Value::from(level.word()))).collect();
        Value::Object(map).to_string()
    }

    /// The level written for a notebook, if one is.
    pub fn get(&self, notebook: &str) -> Option<Level> {
        self.0.get(notebook).copied()
    }

    /// Writes a notebook's level.
    pub fn set(&mut self, notebook: &NotebookId, level: Level) {
        self.0.insert(notebook.as_str().to_owned(), level);
    }

    /// Takes a notebook's entry away; the default holds again.
    pub fn unset(&mut self, notebook: &str) {
        self.0.remove(notebook);
    }

    /// Every entry.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Level)> {
        self.0.iter().map(|(id, level)| (id.as_str(), *level))
    }
}

/// Why a file of ours could not be used; then nothing is allowed (B-053).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// The kernel did not give it.
    Kernel(KernelError),
    /// It is no object of the expected shape.
    Malformed(&'static str),
}

impl From<&Closed> for ToolError {
    fn from(closed: &Closed) -> ToolError {
        match closed {
            Closed::Kernel(error) => error.clone().into(),
            Closed::Malformed(file) => ToolError::new(
                ErrorType::Api,
                format!(
                    "The file {file} could not be read, so nothing is allowed. Open the plugin's settings in SiYuan to repair it."
                ),
            ),
        }
    }
}

/// What an agent may do in every notebook of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grants {
    /// The table, or why there is none.
    pub table: Result<Table, Closed>,
    /// Encrypted notebooks: the person locked them away, so they count as `none`.
    pub encrypted: BTreeSet<String>,
}

impl Grants {
    /// What a notebook without an entry gets (B-051).
    pub const DEFAULT: Level = Level::Read;

    /// Grants by a table alone.
    pub fn of(table: Table) -> Grants {
        Grants { table: Ok(table), encrypted: BTreeSet::new() }
    }

    /// The level of a notebook.
    pub fn level(&self, notebook: &NotebookId) -> Level {
        self.level_of(notebook.as_str())
    }

    /// As `level`, for an id that came out of the kernel as text; no text is no notebook.
    pub fn level_of(&self, notebook: &str) -> Level {
        match &self.table {
            Ok(table) if !notebook.is_empty() && !self.encrypted.contains(notebook) => {
                table.get(notebook).unwrap_or(Self::DEFAULT)
            }
            _ => Level::None,
        }
    }

    /// Whether some notebook is closed to agents, which switches some kernel doors off.
    pub fn any_hidden(&self) -> bool {
        match &self.table {
            Ok(table) => !self.encrypted.is_empty() || table.entries().any(|(_, level)| level == Level::None),
            Err(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> NotebookId {
        NotebookId::parse(text).unwrap()
    }

    /// B-051, B-053.
    #[test]
    fn entries_defaults_and_garbage() {
        let a = id("20210808180117-aaaaaaa");
        let b = id("20210808180117-bbbbbbb");
        let table = Table::parse(br#"{"20210808180117-aaaaaaa":"rw","x":7}"#).unwrap();
        assert_eq!(table.get("x"), Some(Level::None));
        let grants = Grants::of(table);
        assert_eq!((grants.level(&a), grants.level(&b)), (Level::Write, Level::Read));
        for garbage in ["", "[]", "null", "{", r#"{"code":404,"msg":"x","data":null}"#] {
            assert_eq!(Table::parse(garbage.as_bytes()), None, "{garbage}");
        }
        let closed = Grants { table: Err(Closed::Malformed("x")), encrypted: BTreeSet::new() };
        assert_eq!((closed.level(&a), closed.any_hidden()), (Level::None, true));
        let locked = Grants { encrypted: BTreeSet::from([a.to_string()]), ..grants };
        assert_eq!((locked.level(&a), locked.level_of("")), (Level::None, Level::None));
    }

    #[test]
    fn a_table_survives_a_round_trip() {
        let mut table = Table::default();
        table.set(&id("20210808180117-aaaaaaa"), Level::Delete);
        assert_eq!(Table::parse(table.to_json().as_bytes()), Some(table));
    }
}
