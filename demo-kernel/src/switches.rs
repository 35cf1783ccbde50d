//! Switches for tests: habits of the real kernel that would only slow other tests down.

use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

/// The role of every caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caller {
    /// Whoever passes the door is an administrator, as on a person's own machine.
    #[default]
    Admin,
    /// Readers of published notes. Only SiYuan 3.8 is known well enough here to refuse them anything.
    Reader,
}

/// The habits; a request resets those that it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Switches {
    /// Milliseconds until SQL and full-text search see a write, unless `flushTransaction` comes first.
    pub index_lag: u64,
    /// New and changed blocks are in the index twice, as they may be after a notebook was created.
    pub twice: bool,
    /// Endpoints that wait for the transaction queue take their 50 ms, `createDocWithMd` 250.
    pub waits: bool,
    /// Most paths serve one request at a time.
    pub one_at_a_time: bool,
    /// An embedding model is set up, so that semantic search finds something.
    pub embedding: bool,
    /// Notebooks have documents of their own. Workspaces of older versions leave that off; then a new notebook is empty.
    pub notebook_documents: bool,
    /// The role of every caller.
    pub caller: Caller,
}

impl Default for Switches {
    fn default() -> Self {
        Switches {
            index_lag: 0,
            twice: false,
            waits: false,
            one_at_a_time: true,
            embedding: false,
            notebook_documents: true,
            caller: Caller::Admin,
        }
    }
}

/// The present state of the switches.
#[derive(Debug, Default)]
pub(crate) struct Board(Mutex<Switches>);

impl Board {
    pub(crate) fn get(&self) -> Switches {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, switches: Switches) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = switches;
    }
}
