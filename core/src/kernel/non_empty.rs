//! A list with at least one entry, because many endpoints take an empty one to mean everything.

use serde::{Serialize, Serializer};

/// A list with at least one entry. `findReplace`, `resetRiffCards` and others take an empty list for everything there
/// is, so a list that may be empty cannot be sent to them.
#[derive(Debug, PartialEq, Eq)]
pub struct NonEmpty<'a, T>(&'a [T]);

impl<'a, T> NonEmpty<'a, T> {
    /// The list, if it has an entry.
    pub fn of(all: &'a [T]) -> Option<Self> {
        (!all.is_empty()).then_some(NonEmpty(all))
    }

    /// A list of one entry.
    pub fn one(only: &'a T) -> Self {
        NonEmpty(std::slice::from_ref(only))
    }

    /// Its entries in order.
    pub fn iter(&self) -> std::slice::Iter<'a, T> {
        self.0.iter()
    }
}

impl<T> Clone for NonEmpty<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for NonEmpty<'_, T> {}

impl<T: Serialize> Serialize for NonEmpty<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::NonEmpty;

    #[test]
    fn empty_list_is_not_a_non_empty_list() {
        assert_eq!(NonEmpty::<u8>::of(&[]), None);
        assert_eq!(NonEmpty::of(&[1, 2]).map(|it| serde_json::json!(it)), Some(serde_json::json!([1, 2])));
        assert_eq!(NonEmpty::one(&3).iter().copied().collect::<Vec<_>>(), [3]);
    }
}
