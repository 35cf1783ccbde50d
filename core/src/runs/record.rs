//! The file of a run: what its calls created, changed, moved and removed. Ids and hashes, never text.

use serde::{Deserialize, Serialize};

use crate::agents::AgentMark;
use crate::kernel::files;

/// The folder of the files, one for each run; not synced.
const FOLDER: &str = "runs";
/// The ending of a file's name.
const ENDING: &str = ".json";
/// The maximum number of changes of a run that are listed one by one; later ones are only counted.
pub const MOST_CHANGES: usize = 2_000;

/// The path of the folder.
pub fn folder() -> String {
    format!("{}{FOLDER}", files::TEMP)
}

/// The path of the file of a run.
pub fn path_of(id: &str) -> String {
    format!("{}/{id}{ENDING}", folder())
}

/// The id of the run whose file has this name.
pub fn id_of(name: &str) -> Option<&str> {
    name.strip_suffix(ENDING).filter(|it| is_run_id(it))
}

/// Whether a text can be the id of a run, so that no caller's text leads to another file.
pub fn is_run_id(text: &str) -> bool {
    let is_part = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_hexdigit());
    text.len() <= 40 && text.split_once('-').is_some_and(|(time, random)| is_part(time) && is_part(random))
}

/// A run: one agent's stretch of work, until ten minutes pass without a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunRecord {
    /// The id, which is the name of its file too.
    pub id: String,
    /// The name that the client gave itself; empty where a person acted.
    pub client: String,
    /// The agent as which the caller was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentMark>,
    /// The transport, as analytics name it.
    pub transport: String,
    /// A hash of client, agent, transport, session and process, by which a caller's own runs are known.
    pub author: String,
    /// Whether a person acted.
    #[serde(skip_serializing_if = "is_no")]
    pub is_person: bool,
    /// The time of its first call, in milliseconds since 1970.
    pub started: u64,
    /// The time of its last call, in milliseconds since 1970.
    pub latest: u64,
    /// The id of the errand that it is; empty if it is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub errand: String,
    /// The run that it puts back; empty if it is none that does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub puts_back: String,
    /// The run that put back all of it that could come back; empty while none did.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub put_back_by: String,
    /// The calls that changed something, in their order.
    pub calls: Vec<RunCall>,
    /// The documents concerned, in the order of their first change.
    pub documents: Vec<RunDocument>,
    /// The changes, in their order.
    pub changes: Vec<RunChange>,
    /// The number of further changes.
    pub more: usize,
    /// The orders of documents that its calls changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<RunOrder>,
}

/// A call of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunCall {
    /// The time at which its change began, in milliseconds since 1970.
    pub at: u64,
    /// The action, such as `document.rename`.
    pub action: String,
    /// Whether what it did has been recorded. A call that a crash interrupted stays unfinished.
    pub finished: bool,
}

/// A document that a run changed, created, moved or removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunDocument {
    /// Its id.
    pub id: String,
    /// Its notebook before the run; for a created document, its notebook afterwards.
    pub notebook: String,
    /// Its storage path there; empty while it is not known.
    pub path: String,
    /// The local time from which its version was made, as `YYYYMMDDHHmmss`; empty where none was.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub versioned: String,
    /// The path of the version from before the run; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The hash before the run; empty for a created document.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// The hash after the last call of the run that changed it; empty for a removed document.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
    /// Whether the run created it.
    #[serde(skip_serializing_if = "is_no")]
    pub created: bool,
    /// Whether the run removed it.
    #[serde(skip_serializing_if = "is_no")]
    pub removed: bool,
    /// Its storage path after the run, with its notebook before it, if the run moved it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub moved_to: String,
    /// Whether a call that changed it did something that can never be put back, such as a renamed file.
    #[serde(skip_serializing_if = "is_no")]
    pub is_tied: bool,
    /// Whether it was not there before the run.
    #[serde(skip_serializing_if = "is_no")]
    pub was_absent: bool,
    /// The local time at which the first call that names it began, as `YYYYMMDDHHmmss`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// Whether what became of it has been recorded. A crash leaves it unsettled.
    #[serde(skip_serializing_if = "is_no")]
    pub is_settled: bool,
    /// The blocks that somebody else changed between two calls of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// The databases that it shows and the run changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<RunDatabase>,
}

/// The person's order of the documents below a place, before a call and after it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOrder {
    /// The number of the call, from 0.
    pub call: usize,
    /// The notebook.
    pub notebook: String,
    /// The storage path of the document above them; `/` at the top of the notebook.
    pub below: String,
    /// The ids of the documents before the call.
    pub before: Vec<String>,
    /// The same after it.
    pub after: Vec<String>,
}

/// A database that a run changed. Its state before lies with the version of the document that shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunDatabase {
    /// Its id.
    pub id: String,
    /// The hash of its file before the run; empty if it cannot be put back.
    pub before: String,
    /// The hash of its file after the last call of the run that changed it.
    pub after: String,
    /// Whether somebody else changed it between two calls of the run.
    #[serde(skip_serializing_if = "is_no")]
    pub is_mixed: bool,
}

fn is_no(it: &bool) -> bool {
    !it
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is new.
    Created,
    /// It is another.
    #[default]
    Changed,
    /// It is the same in another place.
    Moved,
    /// It is gone.
    Removed,
}

/// The kind of a thing that a run changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangedThing {
    /// A document.
    Document,
    /// A block inside a document.
    #[default]
    Block,
    /// A row of a database.
    Row,
    /// A database.
    Database,
    /// An asset or a template.
    File,
    /// A notebook, its settings or its order.
    Notebook,
    /// A flashcard or a deck.
    Card,
    /// A snapshot, or what was sent to the cloud.
    Workspace,
}

/// A change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunChange {
    /// The number of its call, from 0.
    pub call: usize,
    /// Its kind.
    pub kind: ChangeKind,
    /// The kind of the thing.
    pub what: ChangedThing,
    /// The id of the thing, or the path of a file.
    pub id: String,
    /// The document or the database that it is in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub r#in: String,
    /// The hash before; empty for a created thing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// The hash after; empty for a removed thing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
    /// A hash of the place after; empty for a block that did not move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
}

impl RunDocument {
    /// Whether a crash kept what became of it from being recorded.
    pub fn is_unfinished(&self) -> bool {
        !self.is_settled
    }

    /// Whether the run left it otherwise than it was.
    pub fn is_changed(&self) -> bool {
        // A file that cannot be read has an empty hash, which equals nothing.
        let is_unknown = self.before.is_empty() || self.after.is_empty();
        let has_databases = self.databases.iter().any(|it| it.before != it.after);
        let is_other =
            self.removed || has_databases || self.before != self.after || !self.moved_to.is_empty();
        // A document that the run made and removed again, or did not make after all, is as it was.
        let is_as_before = (self.created && self.removed) || (self.was_absent && !self.created);
        (is_other || is_unknown) && !is_as_before
    }
}

impl RunRecord {
    /// Reads a file; `None` if it is torn or foreign.
    pub fn parse(bytes: &[u8]) -> Option<RunRecord> {
        serde_json::from_slice(bytes).ok().filter(|it: &RunRecord| is_run_id(&it.id))
    }

    /// Adds a change, or counts it.
    pub(crate) fn add(&mut self, change: RunChange) {
        match self.changes.len() < MOST_CHANGES {
            true => self.changes.push(change),
            false => self.more += 1,
        }
    }

    /// The entry of a document.
    pub fn document(&self, id: &str) -> Option<&RunDocument> {
        self.documents.iter().find(|it| it.id == id)
    }

    /// Like `document`, to change it; a new one if there is none.
    pub(crate) fn entry(&mut self, id: &str) -> Option<&mut RunDocument> {
        if self.document(id).is_none() {
            self.documents.push(RunDocument { id: id.to_owned(), ..RunDocument::default() });
        }
        self.documents.iter_mut().find(|it| it.id == id)
    }

    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        let is_known = |it: &RunDocument| !it.is_unfinished();
        self.changes.is_empty()
            && self.calls.iter().all(|it| it.finished)
            && self.documents.iter().all(is_known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_of_a_run_leads_elsewhere() {
        for wrong in ["", "-", "a", "../a-b", "a-b/c", "a-", "a-b.json", "18c-\u{e9}"] {
            assert!(!is_run_id(wrong), "{wrong}");
        }
        assert!(is_run_id("18c3f0a1b2c-0a1b2c3d"));
        assert_eq!(id_of("18c3f0a1b2c-0a1b2c3d.json"), Some("18c3f0a1b2c-0a1b2c3d"));
    }

    #[test]
    fn changes_beyond_the_limit_are_counted() {
        let mut run = RunRecord { id: "1-2".to_owned(), ..RunRecord::default() };
        (0..MOST_CHANGES + 3).for_each(|_| run.add(RunChange::default()));
        assert_eq!((run.changes.len(), run.more), (MOST_CHANGES, 3));
        let text = serde_json::to_vec(&run).unwrap();
        assert_eq!(RunRecord::parse(&text), Some(run));
        assert_eq!(RunRecord::parse(b"{torn"), None);
    }
}
