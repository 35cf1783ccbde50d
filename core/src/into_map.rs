//! Maps from iterators, entry by entry.

use std::collections::BTreeMap;

/// Makes a map of an iterator's entries.
///
/// `collect` sorts a list of the entries first, with code of its own for every caller: 7 kB each, which the page loads
/// too.
pub(crate) trait IntoMap<K, V> {
    /// The map; the last of several values of a key stays, as with `collect`.
    fn into_map(self) -> BTreeMap<K, V>;
}

impl<K: Ord, V, I: Iterator<Item = (K, V)>> IntoMap<K, V> for I {
    fn into_map(self) -> BTreeMap<K, V> {
        let mut map = BTreeMap::new();
        self.for_each(|(key, value)| {
            map.insert(key, value);
        });
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map has the same entries as one that was collected.
    #[test]
    fn entries_are_those_of_collect() {
        let entries = [(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd')];
        assert_eq!(entries.into_iter().into_map(), entries.into_iter().collect());
    }
}
