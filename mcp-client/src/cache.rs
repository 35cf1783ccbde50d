//! A small cache of resources: bounded, with the server's own term, and deaf to answers that were on their way when an
//! entry was dropped.

use std::collections::VecDeque;
use std::rc::Rc;

const MOST: usize = 64;

struct Entry<T> {
    uri: String,
    value: Rc<T>,
    /// The end of its term, in milliseconds since 1970.
    until_ms: Option<u64>,
}

/// The cache, least recently used entry first.
pub(crate) struct Cache<T> {
    entries: VecDeque<Entry<T>>,
    /// Counts what was dropped because it changed.
    age: u64,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache { entries: VecDeque::new(), age: 0 }
    }
}

impl<T> Cache<T> {
    /// The entry of an address, if its term is not over.
    pub(crate) fn get(&mut self, uri: &str, now_ms: u64) -> Option<Rc<T>> {
        let entry = self.take(uri)?;
        if entry.until_ms.is_some_and(|until| until <= now_ms) {
            return None;
        }
        let value = entry.value.clone();
        self.entries.push_back(entry);
        Some(value)
    }

    /// A number that rises whenever something is dropped because it changed.
    pub(crate) const fn age(&self) -> u64 {
        self.age
    }

    /// Keeps a value that was asked for at an age; one that may have changed since then is not kept.
    pub(crate) fn put(&mut self, uri: &str, value: Rc<T>, until_ms: Option<u64>, asked_at: u64) {
        if asked_at != self.age {
            return;
        }
        self.take(uri);
        if self.entries.len() == MOST {
            self.entries.pop_front();
        }
        self.entries.push_back(Entry { uri: uri.to_owned(), value, until_ms });
    }

    /// Drops an entry that changed.
    pub(crate) fn remove(&mut self, uri: &str) {
        self.age += 1;
        self.take(uri);
    }

    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        self.age += 1;
        self.entries.clear();
    }

    fn take(&mut self, uri: &str) -> Option<Entry<T>> {
        let at = self.entries.iter().position(|it| it.uri == uri)?;
        self.entries.remove(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-210: what changed is asked for again, even if an older answer comes after the news.
    #[test]
    fn a_changed_entry_is_dropped_and_an_answer_from_before_does_not_bring_it_back() {
        let mut cache = Cache::default();
        cache.put("a", Rc::new(1), None, cache.age());
        assert_eq!(cache.get("a", 0), Some(Rc::new(1)));
        let asked_at = cache.age();
        cache.remove("a");
        assert_eq!(cache.get("a", 0), None);
        cache.put("a", Rc::new(1), None, asked_at);
        assert_eq!(cache.get("a", 0), None);
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_to_terms() {
        let mut cache = Cache::default();
        cache.put("term", Rc::new(0), Some(100), 0);
        assert!(cache.get("term", 99).is_some() && cache.get("term", 100).is_none());
        cache.put("used", Rc::new(0), None, 0);
        for n in 0..MOST {
            cache.put(&n.to_string(), Rc::new(n), None, 0);
            assert!(cache.get("used", 0).is_some());
        }
        assert_eq!(cache.entries.len(), MOST);
        assert!(cache.get("0", 0).is_none(), "the least recently used goes first");
    }
}
