//! The coins and calls that one process counts and shows, and the purse that it holds (B-291).

use super::purse::{Purse, Totals};
use super::stats::Stats;

/// The time in milliseconds without additions after which a purse is released and another one taken.
const SILENT_MS: u64 = 24 * 60 * 60 * 1_000;

/// The counts of one process, and the purse that it holds.
#[derive(Debug, Default)]
pub struct Counter {
    /// The name of the purse that is held or will be held.
    name: String,
    /// The counts since the process began.
    counted: Totals,
    /// The part of the counts that is in purses.
    put: Totals,
    held: Option<Purse>,
    /// Everybody's totals at the last read, and the part of `counted` that they included; `None` before the first
    /// read.
    seen: Option<(Totals, Totals)>,
}

impl Counter {
    /// The counter of a process that has just begun; it holds no purse yet.
    pub fn new(instance: String) -> Counter {
        Counter { name: instance, ..Counter::default() }
    }

    /// Counts one call.
    pub fn count(&mut self, earns: bool, now: u64) {
        if self.counted == Totals::default() {
            self.name = renamed(&self.name, now);
        }
        self.let_go(now);
        self.counted.calls += 1;
        self.counted.earned += u64::from(earns);
    }

    /// Releases a purse to which nothing was added for long: by now another process may hold it.
    pub fn let_go(&mut self, now: u64) {
        if self.held.as_ref().is_some_and(|it| now.saturating_sub(it.at) > SILENT_MS) {
            self.held = None;
            self.name = renamed(&self.name, now);
        }
    }

    /// The name of the purse that is held or will be held. It says when, so that nobody takes the purse for an
    /// abandoned one before its holder has written it.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Whether something was counted that is in no purse.
    pub fn owes(&self) -> bool {
        self.counted != self.put
    }

    /// Whether there is a purse to put coins into.
    pub fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Holds a purse with this content from now on.
    pub fn hold(&mut self, purse: Purse, now: u64) {
        self.held = Some(Purse { at: now, ..purse });
    }

    /// The purse with everything counted, to be written; `None` if none is held.
    pub fn filled(&self, now: u64) -> Option<PurseWrite> {
        let held = self.held.as_ref()?;
        let totals = held.totals.plus(self.counted.since(self.put));
        Some(PurseWrite {
            purse: Purse { totals, gifts: held.gifts.clone(), at: now },
            counted: self.counted,
        })
    }

    /// Records that it was written; counts that failed to be written are in the next one.
    pub fn put(&mut self, PurseWrite { purse, counted }: PurseWrite) {
        self.put = counted;
        self.held = self.held.take().map(|_| purse);
    }

    /// Keeps everybody's totals as read since the purse was written.
    pub fn see(&mut self, stats: &Stats) {
        self.seen = Some((stats.totals(), self.put));
    }

    /// Whether everybody's totals have ever been read.
    pub fn has_seen(&self) -> bool {
        self.seen.is_some()
    }

    /// Balance and calls of everybody, as far as known.
    pub fn shown(&self) -> (u64, u64) {
        let (seen, among) = self.seen.unwrap_or_default();
        let all = seen.plus(self.counted.since(among));
        (all.balance(), all.calls)
    }
}

/// The name of a process with another moment in it.
fn renamed(name: &str, now: u64) -> String {
    let who = name.split_once('-').map_or(name, |(_, who)| who);
    format!("{now:x}-{who}")
}

/// A purse that is being written, and the part of the counts that it contains.
#[derive(Debug)]
pub struct PurseWrite {
    /// The purse.
    pub purse: Purse,
    counted: Totals,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activity::instance;

    /// Writes the purse as the sidecar does; returns the stored purse.
    fn write(counter: &mut Counter, now: u64) -> Purse {
        let filled = counter.filled(now).unwrap();
        let purse = filled.purse.clone();
        counter.put(filled);
        purse
    }

    /// The shown totals rise with each call, before the purse is written and after.
    #[test]
    fn shown_totals_include_unwritten_coins() {
        let mut counter = Counter::new("a".to_owned());
        let before = Purse { totals: Totals { earned: 10, spent: 4, calls: 12 }, ..Purse::default() };
        counter.count(true, 1);
        assert_eq!(counter.shown(), (1, 1));
        counter.see(&Stats::default().sum([&before]));
        assert_eq!(counter.shown(), (7, 13));
        counter.hold(before, 1);
        let written = write(&mut counter, 2);
        counter.count(false, 3);
        counter.see(&Stats::default().sum([&written]));
        assert_eq!(counter.shown(), (7, 14));
        assert_eq!(write(&mut counter, 3).totals, Totals { earned: 11, spent: 4, calls: 14 });
    }

    #[test]
    fn failed_purse_write_is_included_in_the_next_purse() {
        let mut counter = Counter::new("a".to_owned());
        counter.count(true, 1);
        counter.hold(Purse::default(), 1);
        drop(counter.filled(1));
        counter.count(true, 2);
        assert_eq!(write(&mut counter, 2).totals.earned, 2);
        assert_eq!(write(&mut counter, 3).totals.earned, 2);
    }

    #[test]
    fn idle_day_switches_purse_without_counting_twice() {
        let mut counter = Counter::new(instance(0, 7));
        counter.count(true, SILENT_MS);
        assert_eq!(counter.name(), instance(SILENT_MS, 7), "the name tells when the purse is taken");
        counter.hold(Purse::default(), SILENT_MS);
        let old = write(&mut counter, SILENT_MS);
        counter.count(true, 2 * SILENT_MS);
        assert_eq!((counter.name(), counter.holds()), (instance(SILENT_MS, 7), true));
        // At the end of a process too: nothing may be written into a purse that another one has taken over.
        counter.let_go(2 * SILENT_MS + 1);
        assert_eq!((counter.name(), counter.holds()), (instance(2 * SILENT_MS + 1, 7), false));
        assert!(counter.owes());
        counter.count(true, 2 * SILENT_MS + 1);
        // A purse that was last written long ago is held from now on.
        counter.hold(Purse { at: 1, ..Purse::default() }, 2 * SILENT_MS + 1);
        counter.count(true, 2 * SILENT_MS + 2);
        let new = write(&mut counter, 2 * SILENT_MS + 2);
        let sum = Stats::default().sum([&old, &new]);
        assert_eq!((sum.balance, sum.total_calls, new.totals.calls), (4, 4, 3));
        assert!(!counter.owes());
    }
}
