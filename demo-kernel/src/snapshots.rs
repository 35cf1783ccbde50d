//! The snapshots of a workspace: their list only, no copies of files.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::answer::Refusal;
use crate::moment;

const NO_KEY: &str =
    "Please initialize the data repo key first in [Settings - Account & Sync - Data repo key]";

#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) id: String,
    memo: String,
    /// Milliseconds since 1970.
    created: i64,
    state: WorkspaceState,
}

/// A state of the workspace: its files by extension, and a hash that changes with any of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkspaceState {
    pub(crate) mark: u64,
    size: u64,
    types: BTreeMap<String, usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Repo {
    pub(crate) key: String,
    /// The newest last.
    pub(crate) snapshots: Vec<Snapshot>,
    /// By name: the id, and when it was given.
    pub(crate) tags: BTreeMap<String, (String, i64)>,
}

/// The snapshots since the start of this kernel.
#[derive(Debug, Default)]
pub(crate) struct Snapshots(Mutex<Repo>);

impl Snapshots {
    pub(crate) fn repo(&self) -> MutexGuard<'_, Repo> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As above, if there is a key.
    pub(crate) fn with_key(&self) -> Result<MutexGuard<'_, Repo>, Refusal> {
        let repo = self.repo();
        if repo.key.is_empty() { Err(Refusal::new(NO_KEY)) } else { Ok(repo) }
    }

    /// The key, as the configuration shows it.
    pub(crate) fn key(&self) -> String {
        self.repo().key.clone()
    }
}

impl Repo {
    /// Adds a snapshot unless nothing has changed since the last one.
    pub(crate) fn add(&mut self, memo: &str, state: WorkspaceState) {
        if self.snapshots.last().is_some_and(|last| last.state.mark == state.mark) {
            return;
        }
        let id = moment::draw(|dice| format!("{:08x}{:032x}", dice.u32(..), dice.u128(..)));
        self.snapshots.push(Snapshot { id, memo: memo.to_owned(), created: crate::id::now_ms(), state });
    }
}

impl Snapshot {
    pub(crate) fn show(&self, tag: &str, tagged: i64) -> Value {
        let clock = |ms: i64| if ms == 0 { String::new() } else { crate::id::clock(ms / 1000) };
        let mut types: Vec<_> = self.state.types.iter().collect();
        types.sort_by(|a, b| b.1.cmp(a.1));
        let types = types.into_iter().map(|(end, count)| json!({ "type": end, "count": count }));
        json!({
            "id": self.id,
            "memo": self.memo,
            "created": self.created,
            "hCreated": clock(self.created),
            "files": null,
            "count": self.state.types.values().sum::<usize>(),
            "size": self.state.size,
            "hSize": size(self.state.size),
            "systemID": "d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0",
            "systemName": "demo",
            "systemOS": std::env::consts::OS,
            "tag": tag,
            "hTagUpdated": clock(tagged),
            "typesCount": types.take(10).collect::<Value>(),
        })
    }
}

/// A size in steps of a thousand, rounded up.
fn size(bytes: u64) -> String {
    let step = if bytes < 1000 { 0 } else { bytes.ilog10() / 3 }.min(3);
    match step {
        0 => format!("{bytes} B"),
        _ => {
            let hundredths = bytes.div_ceil(10_u64.pow(3 * step - 2));
            let unit = ["kB", "MB", "GB"].get(step as usize - 1).unwrap_or(&"GB");
            format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100)
        }
    }
}

impl WorkspaceState {
    pub(crate) fn count(&mut self, path: &str, size: u64) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let end = name.rsplit_once('.').map_or("NoExt".to_owned(), |(_, end)| format!(".{end}"));
        *self.types.entry(end).or_default() += 1;
        self.size += size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_up() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(4261), "4.27 kB");
        assert_eq!(size(1_000_000), "1.00 MB");
    }

    #[test]
    fn unchanged_state_adds_no_snapshot() {
        let mut repo = Repo::default();
        repo.add("one", WorkspaceState::default());
        repo.add("two", WorkspaceState::default());
        repo.add("three", WorkspaceState { mark: 1, ..WorkspaceState::default() });
        let memos: Vec<_> = repo.snapshots.iter().map(|snapshot| snapshot.memo.as_str()).collect();
        assert_eq!(memos, ["one", "three"]);
    }
}
