//! The deed of a dangerous action and its way back, as declared beside its danger; each language words them.

use serde::{Deserialize, Serialize};

/// The deed of an action, as a key that each reader words in its own language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Deletes or removes things.
    Delete,
    /// Replaces the whole of things.
    Overwrite,
    /// Replaces a text within things.
    Replace,
    /// Brings an earlier version back.
    Restore,
    /// Takes the changes of a run back.
    PutBack,
    /// Moves things elsewhere.
    Move,
    /// Makes a document of a block.
    Extract,
    /// Makes a section of a document.
    Absorb,
    /// Makes two things change places.
    Swap,
    /// Makes references lead elsewhere.
    Redirect,
    /// Renames a thing.
    Rename,
    /// Sends a text out.
    Send,
    /// Sends and receives every notebook.
    Sync,
    /// Writes notes into a file.
    Export,
    /// Copies a file into the workspace.
    Upload,
    /// Forgets a learning history.
    Reset,
    /// Closes a notebook.
    Close,
    /// Changes settings.
    Set,
    /// Changes the level of agents.
    Allow,
    /// Makes several changes without a question for each.
    Errand,
}

/// The way back after a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Back {
    /// SiYuan's data history keeps what goes.
    DataHistory,
    /// The history of each document keeps a version.
    DocumentHistory,
    /// A person can do the reverse.
    Reverse,
    /// Putting back the run.
    PutBack,
    /// There is none.
    Never,
    /// None is needed: the notes stay as they are.
    Unchanged,
}
