//! The undo log: the changes that Ctrl+Z of any window takes back, by document, in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// The maximum number of changes of a document that can be taken back.
const MOST: usize = 64;

/// A change with its way back.
#[derive(Debug)]
pub(crate) struct UndoEntry {
    number: u64,
    pub(crate) forward: Vec<Value>,
    pub(crate) back: Vec<Value>,
    /// The documents that it changed; the entry is in the stack of each.
    pub(crate) documents: Vec<String>,
}

/// The direction of a step through the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UndoStep {
    Undo,
    Redo,
}

/// The changes of one document.
#[derive(Debug, Default)]
struct UndoStack {
    undo: Vec<Arc<UndoEntry>>,
    redo: Vec<Arc<UndoEntry>>,
    /// Whether the next change drops the changes that could be brought again.
    undone: bool,
}

#[derive(Debug, Default)]
struct Stacks {
    next: u64,
    of: HashMap<String, UndoStack>,
}

/// The changes of all documents.
#[derive(Debug, Default)]
pub(crate) struct UndoLog(Mutex<Stacks>);

fn push(stack: &mut Vec<Arc<UndoEntry>>, entry: &Arc<UndoEntry>) {
    stack.push(Arc::clone(entry));
    let over = stack.len().saturating_sub(MOST);
    stack.drain(..over);
}

impl UndoLog {
    fn stacks(&self) -> MutexGuard<'_, Stacks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a change, unless it has no way back or changed no document.
    pub(crate) fn record(&self, forward: Vec<Value>, back: Vec<Value>, documents: Vec<String>) {
        if back.is_empty() || documents.is_empty() {
            return;
        }
        let mut stacks = self.stacks();
        stacks.next += 1;
        let entry = Arc::new(UndoEntry { number: stacks.next, forward, back, documents });
        for document in &entry.documents {
            let stack = stacks.of.entry(document.clone()).or_default();
            push(&mut stack.undo, &entry);
            if std::mem::take(&mut stack.undone) {
                stack.redo.clear();
            }
        }
    }

    /// The newest entry of a document in this direction.
    pub(crate) fn newest(&self, document: &str, step: UndoStep) -> Option<Arc<UndoEntry>> {
        let stacks = self.stacks();
        let stack = stacks.of.get(document)?;
        let entries = if step == UndoStep::Undo { &stack.undo } else { &stack.redo };
        entries.last().cloned()
    }

    /// Notes that an entry was taken back, or brought again, from this document. Only there it can then be brought
    /// again; the other documents lose it, and get it back with the redo.
    pub(crate) fn took(&self, document: &str, step: UndoStep, entry: &Arc<UndoEntry>) {
        let mut stacks = self.stacks();
        let others = entry.documents.iter().filter(|it| *it != document);
        match step {
            UndoStep::Undo => {
                let stack = stacks.of.entry(document.to_owned()).or_default();
                stack.undo.retain(|it| it.number != entry.number);
                push(&mut stack.redo, entry);
                stack.undone = true;
                for other in others {
                    let stack = stacks.of.entry(other.clone()).or_default();
                    stack.undo.retain(|it| it.number != entry.number);
                }
            }
            UndoStep::Redo => {
                let stack = stacks.of.entry(document.to_owned()).or_default();
                stack.redo.retain(|it| it.number != entry.number);
                stack.undo.push(Arc::clone(entry));
                for other in others {
                    push(&mut stacks.of.entry(other.clone()).or_default().undo, entry);
                }
            }
        }
    }

    /// Whether changes of a document can be taken back or brought again, and the documents of the newest one.
    pub(crate) fn state(&self, document: &str) -> (bool, bool, Option<Vec<String>>) {
        let stacks = self.stacks();
        let Some(stack) = stacks.of.get(document) else { return (false, false, None) };
        let top = stack.undo.last().map(|it| it.documents.clone());
        (!stack.undo.is_empty(), !stack.redo.is_empty(), top)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn log(changes: usize) -> UndoLog {
        let log = UndoLog::default();
        for at in 0..changes {
            log.record(vec![json!(at)], vec![json!("back")], vec!["a".into(), "b".into()]);
        }
        log
    }

    fn step(log: &UndoLog, document: &str, step: UndoStep) -> Option<Value> {
        let entry = log.newest(document, step)?;
        log.took(document, step, &entry);
        entry.forward.first().cloned()
    }

    #[test]
    fn a_change_of_two_documents_is_one_entry_of_both() {
        let log = log(2);
        assert_eq!(step(&log, "a", UndoStep::Undo), Some(json!(1)));
        assert_eq!(log.state("b"), (true, false, Some(vec!["a".into(), "b".into()])));
        assert_eq!(step(&log, "b", UndoStep::Redo), None);
        assert_eq!(step(&log, "a", UndoStep::Redo), Some(json!(1)));
        assert_eq!(step(&log, "b", UndoStep::Undo), Some(json!(1)));
    }

    #[test]
    fn a_new_change_drops_those_that_could_be_brought_again() {
        let log = log(1);
        step(&log, "a", UndoStep::Undo);
        log.record(vec![json!("new")], vec![json!("back")], vec!["a".into()]);
        assert_eq!(log.state("a"), (true, false, Some(vec!["a".into()])));
    }

    #[test]
    fn changes_without_a_way_back_never_enter_and_old_ones_leave() {
        let log = log(MOST + 1);
        log.record(vec![json!("none")], Vec::new(), vec!["a".into()]);
        let all = std::iter::from_fn(|| step(&log, "a", UndoStep::Undo)).count();
        assert_eq!(all, MOST);
    }
}
