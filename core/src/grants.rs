//! The person's table of levels, and rows that it has not yet filtered.
//!
//! It lies below [`kernel`](crate::kernel), whose replies are [`Unfiltered`], and below the declarations, which name
//! levels. Targets, places and decisions are in [`permission`](crate::permission).

mod ceiling;
mod level;
mod unfiltered;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

pub use ceiling::Ceiling;
pub use level::Level;
pub(crate) use level::MORE_ALLOWED;
pub use unfiltered::{Filter, InNotebook, Unfiltered};

use crate::id::NotebookId;
use crate::kernel_error::KernelError;
use crate::sorted::IntoSorted as _;
use crate::strict;

/// Name of the grants table, below the plugin's storage.
pub const GRANTS_FILE: &str = "notebookPermissions";
/// Name of the file of levels for notebooks that agents created, below the plugin's storage; the table takes
/// precedence.
pub const MADE_FILE: &str = "agentNotebooks";

/// The table as stored in `notebookPermissions`: notebook id to word. Unknown ids are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelTable(BTreeMap<String, Level>);

impl LevelTable {
    /// Reads the file; `None` when it is not a JSON object of words, or names a notebook twice (B-053).
    pub fn parse(bytes: &[u8]) -> Option<LevelTable> {
        let level = |word: Value| word.as_str().map_or(Level::None, Level::from_word);
        Some(LevelTable(strict::object(bytes)?.into_iter().map(|(id, word)| (id, level(word))).into_map()))
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        let map: Map<String, Value> =
            self.0.iter().map(|(id, level)| (id.clone(), Value::from(level.word()))).collect();
        Value::Object(map).to_string()
    }

    /// The level that the table gives a notebook, if any.
    pub fn get(&self, notebook: &str) -> Option<Level> {
        self.0.get(notebook).copied()
    }

    /// Sets a notebook's level.
    pub fn set(&mut self, notebook: &NotebookId, level: Level) {
        self.0.insert(notebook.as_str().to_owned(), level);
    }

    /// Removes a notebook's entry, so that the default applies again.
    pub fn unset(&mut self, notebook: &str) {
        self.0.remove(notebook);
    }

    /// Every entry.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Level)> {
        self.0.iter().map(|(id, level)| (id.as_str(), *level))
    }
}

/// The reason why one of the plugin's own files cannot be used; nothing is allowed then (B-053).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// The kernel did not return it.
    Kernel(KernelError),
    /// It is not an object of the expected shape.
    Malformed(&'static str),
}

/// The levels that agents have in every notebook of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grants {
    /// The table, or the reason why there is none.
    pub table: Result<LevelTable, Closed>,
    /// The levels given to notebooks that agents created, or the reason why nobody knows; an entry in the table takes
    /// precedence.
    ///
    /// This is a separate file because the kernel has no locks: a server that read the table, added an entry and
    /// wrote it back would now and then overwrite a person's choice. So the table is the person's alone. When two
    /// servers write this file at once, one entry may get lost; its notebook then has the default, which is no wider
    /// than the level that agents get.
    pub made: Result<LevelTable, Closed>,
    /// Encrypted notebooks: the person locked them away, so they count as `none`.
    pub encrypted: BTreeSet<String>,
    /// The ceiling of the caller.
    pub ceiling: Ceiling,
}

impl Grants {
    /// The level of a notebook without an entry (B-051).
    pub const DEFAULT: Level = Level::Read;

    /// Grants from a table alone.
    pub fn of(table: LevelTable) -> Grants {
        Grants {
            table: Ok(table),
            made: Ok(LevelTable::default()),
            encrypted: BTreeSet::new(),
            ceiling: Ceiling::OPEN,
        }
    }

    /// The level of a notebook.
    pub fn level(&self, notebook: &NotebookId) -> Level {
        self.level_of(notebook.as_str())
    }

    /// Like `level`, for an id that the kernel returned as text; an empty text is no notebook.
    pub fn level_of(&self, notebook: &str) -> Level {
        match &self.table {
            Ok(table) if !notebook.is_empty() && !self.encrypted.contains(notebook) => {
                let made = || self.made.as_ref().ok()?.get(notebook);
                let level = table.get(notebook).or_else(made).unwrap_or(Self::DEFAULT);
                level.min(self.ceiling.in_notebook(notebook))
            }
            _ => Level::None,
        }
    }

    /// Whether any notebook is hidden from agents, which closes some of the kernel's endpoints.
    pub fn any_hidden(&self) -> bool {
        match &self.table {
            Ok(table) => {
                let entries = table.entries().chain(self.made.iter().flat_map(LevelTable::entries));
                self.ceiling.hides_any()
                    || !self.encrypted.is_empty()
                    || entries.into_iter().any(|(_, level)| level == Level::None)
            }
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
    fn grants_table_parses_entries_defaults_and_garbage() {
        let a = id("20210808180117-aaaaaaa");
        let b = id("20210808180117-bbbbbbb");
        let table = LevelTable::parse(br#"{"20210808180117-aaaaaaa":"rw","x":7}"#).unwrap();
        assert_eq!(table.get("x"), Some(Level::None));
        let grants = Grants::of(table);
        assert_eq!((grants.level(&a), grants.level(&b)), (Level::Write, Level::Read));
        // F21: for a notebook that is named twice, nobody knows which level a person sees.
        let doubled = r#"{"20210808180117-aaaaaaa":"none","20210808180117-aaaaaaa":"rwd"}"#;
        for garbage in ["", "[]", "null", "{", r#"{"code":404,"msg":"x","data":null}"#, doubled] {
            assert_eq!(LevelTable::parse(garbage.as_bytes()), None, "{garbage}");
        }
        let closed = Grants { table: Err(Closed::Malformed("x")), ..Grants::of(LevelTable::default()) };
        assert_eq!((closed.level(&a), closed.any_hidden()), (Level::None, true));
        let locked = Grants { encrypted: BTreeSet::from([a.to_string()]), ..grants };
        assert_eq!((locked.level(&a), locked.level_of("")), (Level::None, Level::None));
    }

    /// F8: a person's entry for a notebook applies, whatever the notebook got when an agent created it.
    #[test]
    fn persons_table_takes_precedence_over_agent_levels() {
        let (a, b) = (id("20210808180117-aaaaaaa"), id("20210808180117-bbbbbbb"));
        let mut made = LevelTable::default();
        made.set(&a, Level::Write);
        made.set(&b, Level::Write);
        let mut grants = Grants { made: Ok(made), ..Grants::of(LevelTable::default()) };
        assert_eq!(
            (grants.level(&a), grants.level(&b), grants.any_hidden()),
            (Level::Write, Level::Write, false)
        );
        for level in Level::ALL {
            grants.table.as_mut().unwrap().set(&a, level);
            assert_eq!((grants.level(&a), grants.level(&b)), (level, Level::Write));
        }
        grants.made = Err(Closed::Malformed("x"));
        assert_eq!((grants.level(&a), grants.level(&b)), (Level::Delete, Grants::DEFAULT));
        grants.table = Err(Closed::Malformed("x"));
        assert_eq!((grants.level(&a), grants.level(&b)), (Level::None, Level::None));
    }

    #[test]
    fn grants_table_survives_a_round_trip() {
        let mut table = LevelTable::default();
        table.set(&id("20210808180117-aaaaaaa"), Level::Delete);
        assert_eq!(LevelTable::parse(table.to_json().as_bytes()), Some(table));
    }
}
