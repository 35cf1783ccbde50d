//! Sorted maps, sets and lists with little code per type.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Makes a map or a set of what an iterator yields.
///
/// `collect` sorts a list first, with code of its own for every map that a caller makes and every type of set: up to
/// 7 kB each. With `collect` the module of the actions is 33 kB larger after gzip, and over its limit.
pub(crate) trait IntoSorted: Iterator + Sized {
    /// The map; the last of several values of a key stays, as with `collect`.
    fn into_map<K: Ord, V>(self) -> BTreeMap<K, V>
    where
        Self: Iterator<Item = (K, V)>,
    {
        let mut map = BTreeMap::new();
        self.for_each(|(key, value)| {
            map.insert(key, value);
        });
        map
    }

    /// The set.
    fn into_set(self) -> BTreeSet<Self::Item>
    where
        Self::Item: Ord,
    {
        let mut set = BTreeSet::new();
        self.for_each(|it| {
            set.insert(it);
        });
        set
    }
}

impl<I: Iterator> IntoSorted for I {}

/// Sorts lists stably with one sort for all types.
///
/// The standard library compiles its sort once more for every type and key: 4 to 6 kB in the sidecar each. These methods
/// sort positions, and then swap the elements.
pub(crate) trait SharedSort<T> {
    /// Like `sort_by`.
    fn sort_shared_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Like `sort_by_key`.
    fn sort_shared_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.sort_shared_by(|one, other| key(one).cmp(&key(other)));
    }
}

impl<T> SharedSort<T> for [T] {
    fn sort_shared_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let swaps = sorting_swaps(self.len(), &|one, other| match (self.get(one), self.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        });
        for (one, other) in swaps {
            self.swap(one, other);
        }
    }
}

/// The swaps that sort a list of `n` elements, each the two positions of one swap. `compare` takes positions in the list
/// before the first swap.
fn sorting_swaps(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut sources: Vec<usize> = (0..n).collect();
    sources.sort_by(|one, other| compare(*one, *other));
    let mut swaps = Vec::new();
    for start in 0..n {
        let mut at = start;
        // Follows one cycle of positions; a finished position is its own source.
        while let Some(source) = sources.get_mut(at).map(|source| std::mem::replace(source, at)) {
            if source == start {
                break;
            }
            swaps.push((at, source));
            at = source;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map and a set have the same entries as those that were collected.
    #[test]
    fn entries_are_those_of_collect() {
        let entries = [(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd')];
        assert_eq!(entries.into_iter().into_map(), entries.into_iter().collect());
        assert_eq!(entries.into_iter().into_set(), entries.into_iter().collect());
    }
    /// Every arrangement of equal and different keys is sorted as the standard library sorts it, ties included.
    #[test]
    fn lists_have_the_order_of_the_standard_sort() {
        for seed in 0..4_u32.pow(6) {
            let mut list: Vec<(u32, usize)> =
                (0..6).map(|at| (seed / 4_u32.pow(at) % 4, at as usize)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|(key, _)| *key);
            list.sort_shared_by_key(|(key, _)| *key);
            assert_eq!(list, expected);
        }
    }
}
