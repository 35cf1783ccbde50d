//! Which assets are found by their text: of files that change in one burst only the last one, as in the real kernel.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Changes that follow each other so fast are one burst.
const BURST: Duration = Duration::from_millis(200);

/// A file with the id of its entry.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) path: String,
}

/// What happened to a file.
#[derive(Debug)]
enum Event {
    Came(String),
    Went(String),
}

#[derive(Debug, Default)]
struct State {
    entries: Vec<Entry>,
    /// What happened last, when nothing has followed it for long enough yet.
    pending: Option<(Event, Instant)>,
}

/// The entries in the order in which files came.
#[derive(Debug, Default)]
pub(crate) struct Index(Mutex<State>);

impl Index {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file that is simply there.
    pub(crate) fn add(&self, path: &str) {
        self.state().add(path);
    }

    pub(crate) fn came(&self, path: &str) {
        self.state().happened(Event::Came(path.to_owned()));
    }

    pub(crate) fn went(&self, path: &str) {
        self.state().happened(Event::Went(path.to_owned()));
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut state = self.state();
        state.settle(BURST);
        state.entries.clone()
    }
}

impl State {
    fn happened(&mut self, event: Event) {
        self.settle(BURST);
        self.pending = Some((event, Instant::now()));
    }

    /// Takes the last event in when nothing has followed it.
    fn settle(&mut self, burst: Duration) {
        match self.pending.take() {
            Some((event, at)) if at.elapsed() < burst => self.pending = Some((event, at)),
            Some((Event::Came(path), _)) => self.add(&path),
            Some((Event::Went(path), _)) => self.entries.retain(|entry| entry.path != path),
            None => {}
        }
    }

    fn add(&mut self, path: &str) {
        self.entries.retain(|entry| entry.path != path);
        self.entries.push(Entry { id: crate::id::new_id(), path: path.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_burst_only_the_last_event_counts() {
        let mut state = State::default();
        state.add("there");
        state.happened(Event::Went("there".into()));
        state.happened(Event::Came("one".into()));
        state.happened(Event::Came("two".into()));
        state.settle(Duration::ZERO);
        let paths: Vec<_> = state.entries.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(paths, ["there", "two"]);
    }
}
