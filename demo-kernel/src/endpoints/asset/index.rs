//! Assets that full-text search finds: of files that change in one burst only the last one, as in the real kernel.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::moment::ticks;

/// The greatest pause between changes of one burst.
const BURST: Duration = Duration::from_millis(200);

/// A file with the id of its entry.
#[derive(Debug, Clone)]
pub(crate) struct AssetEntry {
    pub(crate) id: String,
    pub(crate) path: String,
}

#[derive(Debug, Default)]
struct IndexState {
    entries: Vec<AssetEntry>,
    /// The last file that came and the last that went, with their times, until a long enough pause follows.
    came: Option<(String, Duration)>,
    went: Option<(String, Duration)>,
}

/// The entries in the order in which files came.
#[derive(Debug, Default)]
pub(crate) struct Index(Mutex<IndexState>);

impl Index {
    fn state(&self) -> MutexGuard<'_, IndexState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file without a burst.
    pub(crate) fn add(&self, path: &str) {
        self.state().add(path);
    }

    pub(crate) fn came(&self, path: &str) {
        let mut state = self.state();
        state.settle(BURST);
        state.came = Some((path.to_owned(), ticks()));
    }

    pub(crate) fn went(&self, path: &str) {
        let mut state = self.state();
        state.settle(BURST);
        state.went = Some((path.to_owned(), ticks()));
    }

    pub(crate) fn renamed(&self, old: &str, new: &str) {
        let mut state = self.state();
        for entry in state.entries.iter_mut().filter(|entry| entry.path == old) {
            new.clone_into(&mut entry.path);
        }
    }

    pub(crate) fn entries(&self) -> Vec<AssetEntry> {
        let mut state = self.state();
        state.settle(BURST);
        state.entries.clone()
    }
}

impl IndexState {
    /// Applies changes whose burst is over.
    fn settle(&mut self, burst: Duration) {
        if let Some((path, _)) = self.came.take_if(|(_, at)| ticks().saturating_sub(*at) >= burst) {
            self.add(&path);
        }
        if let Some((path, _)) = self.went.take_if(|(_, at)| ticks().saturating_sub(*at) >= burst) {
            self.entries.retain(|entry| entry.path != path);
        }
    }

    fn add(&mut self, path: &str) {
        self.entries.retain(|entry| entry.path != path);
        self.entries.push(AssetEntry { id: crate::id::new_id(), path: path.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_file_of_a_burst_is_indexed() {
        let index = Index::default();
        index.add("there");
        index.add("gone");
        index.came("one");
        index.came("two");
        index.went("there");
        index.went("gone");
        index.state().settle(Duration::ZERO);
        index.renamed("two", "three");
        let paths: Vec<_> = index.entries().into_iter().map(|entry| entry.path).collect();
        assert_eq!(paths, ["there", "three"]);
    }
}
