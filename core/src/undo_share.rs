//! The share of agents in the undo logs of documents: the steps of the person must stay in them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::id::DocId;

/// The steps that the calls of this process have added, by document.
#[derive(Debug, Default)]
pub(crate) struct UndoShare(Mutex<BTreeMap<DocId, Steps>>);

#[derive(Debug, Clone, Copy)]
struct Steps {
    count: usize,
    /// The time of the last change, in milliseconds.
    last: u64,
}

impl UndoShare {
    /// The maximum number of steps in a row for a document. SiYuan keeps 64, those of the person included, and drops
    /// the oldest.
    const MOST: usize = 16;
    /// The time in milliseconds without a change after which the next one begins a new row.
    const REST_MS: u64 = 600_000;
    /// The maximum number of documents that are remembered.
    const DOCUMENTS: usize = 4_096;

    /// Whether a change of a document at this time may be a step; counts it.
    ///
    /// The changes after these are no steps, while the row lasts. Each step takes back what it did and nothing else, so
    /// those that remain are good whatever came after them.
    pub(crate) fn takes(&self, document: &DocId, now: u64) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |it: &Steps| now.saturating_sub(it.last) >= Self::REST_MS;
        if all.len() >= Self::DOCUMENTS {
            all.retain(|_, it| !is_over(it));
        }
        if all.len() >= Self::DOCUMENTS && !all.contains_key(document) {
            return false;
        }
        let steps = all.entry(document.clone()).or_insert(Steps { count: 0, last: now });
        if is_over(steps) {
            steps.count = 0;
        }
        steps.last = now;
        let takes = steps.count < Self::MOST;
        steps.count += usize::from(takes);
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(at: usize) -> DocId {
        DocId::parse(&format!("20250101000000-{at:07}")).unwrap()
    }

    #[test]
    fn most_steps_of_a_log_are_left_to_the_person() {
        let share = UndoShare::default();
        let taken = |document: &DocId, from: u64| {
            (0..100).filter(|at| share.takes(document, from + at * 1_000)).count()
        };
        assert_eq!(taken(&doc(1), 0), UndoShare::MOST);
        assert_eq!(taken(&doc(2), 0), UndoShare::MOST, "each document has its own");
        assert_eq!(taken(&doc(1), 600_000), 0, "the row goes on while changes are made");
        assert_eq!(taken(&doc(1), 2_000_000), UndoShare::MOST);
    }

    #[test]
    fn the_memory_of_documents_is_bounded() {
        let share = UndoShare::default();
        let all = |from: u64| (0..UndoShare::DOCUMENTS + 9).filter(|at| share.takes(&doc(*at), from)).count();
        assert_eq!(all(0), UndoShare::DOCUMENTS);
        assert_eq!(all(600_000), UndoShare::DOCUMENTS + 9 - 9);
    }
}
