//! Steps back and forward through what a person changed: one step a gesture, with every value before and after it.

use std::sync::Arc;

/// The steps that are kept.
const KEPT: usize = 100;

/// One gesture: what it is called, and what it changed from what to what.
#[derive(Debug, PartialEq, Eq)]
struct Step<K, V> {
    name: String,
    /// Whether the gesture filled the draft as a whole, so that the next one of its kind takes its place.
    fills: bool,
    changes: Vec<(K, V, V)>,
}

/// The steps of a draft. A step keeps values and not differences to a file, so that one taken back after Apply is a
/// new change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps<K, V> {
    past: Vec<Arc<Step<K, V>>>,
    future: Vec<Arc<Step<K, V>>>,
}

impl<K, V> Default for Steps<K, V> {
    fn default() -> Self {
        Steps { past: Vec::new(), future: Vec::new() }
    }
}

impl<K: Clone, V: Copy + PartialEq> Steps<K, V> {
    /// Remembers a gesture with each value before and after it; one that changed nothing is none.
    pub fn took(&mut self, name: String, fills: bool, changes: impl Iterator<Item = (K, V, V)>) {
        let changes: Vec<_> = changes.filter(|(_, before, after)| before != after).collect();
        if changes.is_empty() {
            return;
        }
        self.future.clear();
        self.past.push(Arc::new(Step { name, fills, changes }));
        if self.past.len() > KEPT {
            self.past.remove(0);
        }
    }

    /// Steps back; the values to return to.
    pub fn back(&mut self) -> Vec<(K, V)> {
        let Some(step) = self.past.pop() else { return Vec::new() };
        let values = step.changes.iter().map(|(key, before, _)| (key.clone(), *before)).collect();
        self.future.push(step);
        values
    }

    /// Steps forward again; the values to return to.
    pub fn forward(&mut self) -> Vec<(K, V)> {
        let Some(step) = self.future.pop() else { return Vec::new() };
        let values = step.changes.iter().map(|(key, _, after)| (key.clone(), *after)).collect();
        self.past.push(step);
        values
    }

    /// The name of the gesture that a step back takes back.
    pub fn behind(&self) -> Option<&str> {
        self.past.last().map(|step| step.name.as_str())
    }

    /// The name of the gesture that a step forward makes again.
    pub fn ahead(&self) -> Option<&str> {
        self.future.last().map(|step| step.name.as_str())
    }

    /// Whether the last gesture filled the draft as a whole.
    pub fn has_filled(&self) -> bool {
        self.past.last().is_some_and(|step| step.fills)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_back_and_forward_and_a_new_one_ends_the_way_forward() {
        let mut steps = Steps::default();
        steps.took("both".to_owned(), false, [("a", 1, 2), ("b", 1, 1), ("c", 3, 4)].into_iter());
        steps.took("nothing".to_owned(), false, [("a", 2, 2)].into_iter());
        steps.took("again".to_owned(), true, [("a", 2, 5)].into_iter());
        assert_eq!((steps.behind(), steps.ahead(), steps.has_filled()), (Some("again"), None, true));
        assert_eq!(steps.back(), [("a", 2)]);
        assert_eq!(steps.back(), [("a", 1), ("c", 3)]);
        assert_eq!((steps.back(), steps.behind(), steps.ahead()), (Vec::new(), None, Some("both")));
        assert_eq!(steps.forward(), [("a", 2), ("c", 4)]);
        steps.took("other".to_owned(), false, [("c", 4, 6)].into_iter());
        assert_eq!((steps.forward(), steps.ahead(), steps.has_filled()), (Vec::new(), None, false));
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut steps = Steps::default();
        for n in 0..KEPT + 3 {
            steps.took(n.to_string(), false, [("a", n, n + 1)].into_iter());
        }
        let mut last = Vec::new();
        for _ in 0..KEPT {
            last = steps.back();
        }
        assert_eq!((last, steps.behind()), (vec![("a", 3)], None));
    }
}
