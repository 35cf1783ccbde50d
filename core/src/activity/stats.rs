//! `puppyStats.json`: coins and totals, one part per process, merged without a lock (B-291).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Name of the file, below the plugin's temp folder.
pub const STATS_FILE: &str = "puppyStats.json";
/// A part that ended this long ago is folded into the base, in milliseconds.
const FOLD_ENDED_MS: u64 = 60_000;
/// A part not written for this long is folded into the base, in milliseconds: 7 days.
const FOLD_SILENT_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// Totals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(default)]
pub struct Totals {
    /// Coins earned.
    pub earned: u64,
    /// Coins spent.
    pub spent: u64,
    /// Calls.
    pub calls: u64,
}

impl Totals {
    /// The sum of two.
    #[must_use]
    pub fn plus(self, other: Totals) -> Totals {
        Totals {
            earned: self.earned + other.earned,
            spent: self.spent + other.spent,
            calls: self.calls + other.calls,
        }
    }

    fn covers(self, other: Totals) -> bool {
        self.earned >= other.earned && self.spent >= other.spent && self.calls >= other.calls
    }
}

/// What one process did since its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(default)]
pub struct Part {
    /// Its totals.
    #[serde(flatten)]
    pub totals: Totals,
    /// When it was written last, in milliseconds since 1970.
    pub at: u64,
    /// Whether the process has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

/// The last meal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub struct Meal {
    /// What it was.
    pub item: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Calls ever at that moment.
    pub calls: u64,
}

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(default)]
pub struct Stats {
    /// Coins left.
    pub balance: u64,
    /// Coins earned ever.
    pub total_earned: u64,
    /// Calls ever.
    pub total_calls: u64,
    /// Parts that were folded.
    pub base: Totals,
    /// One part per process, by instance.
    pub parts: BTreeMap<String, Part>,
    /// How often each item was given.
    pub fed: BTreeMap<String, u64>,
    /// What the puppy wears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wears: Option<String>,
    /// The last meal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_fed: Option<Meal>,
    /// When the file was written last, in milliseconds since 1970.
    pub updated_at: u64,
}

impl Stats {
    /// Reads the file; a broken one counts as zero.
    pub fn parse(bytes: &[u8]) -> Stats {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// Sets one process's part, leaves all others as they stand, folds old ones, writes the sums.
    pub fn merge(&mut self, instance: &str, part: Part, now: u64) {
        self.parts.insert(instance.to_owned(), part);
        let old = |it: &Part| {
            let silent = now.saturating_sub(it.at);
            silent > FOLD_SILENT_MS || (it.ended && silent > FOLD_ENDED_MS)
        };
        for (_, folded) in self.parts.iter().filter(|(name, it)| *name != instance && old(it)) {
            self.base = self.base.plus(folded.totals);
        }
        self.parts.retain(|name, it| name == instance || !old(it));
        let all = self.parts.values().fold(self.base, |sum, it| sum.plus(it.totals));
        self.balance = all.earned.saturating_sub(all.spent);
        self.total_earned = all.earned;
        self.total_calls = all.calls;
        self.updated_at = now;
    }

    /// Whether a process's part is there, not smaller, and ended if it was: its last write was not overwritten.
    pub fn holds(&self, instance: &str, part: Part) -> bool {
        let covers = |it: &Part| it.totals.covers(part.totals) && (it.ended || !part.ended);
        self.parts.get(instance).is_some_and(covers)
    }

    /// How the puppy feels at a moment.
    pub fn mood(&self, now: u64) -> Mood {
        let meal = self.last_fed.clone();
        Care { meal, calls: self.total_calls, active: self.updated_at }.mood(now)
    }
}

const MINUTE: u64 = 60_000;
/// Without a call for so long it is asleep.
const ASLEEP_AFTER: u64 = 60 * MINUTE;
/// Without a meal for so long, and after so many calls since, it is hungry.
const HUNGRY_AFTER: u64 = 240 * MINUTE;
const HUNGRY_CALLS: u64 = 50;

/// What the mood follows from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Care {
    /// The last meal.
    pub meal: Option<Meal>,
    /// Calls ever.
    pub calls: u64,
    /// When something happened last, in milliseconds since 1970.
    pub active: u64,
}

impl Care {
    /// How the puppy feels at a moment.
    pub fn mood(&self, now: u64) -> Mood {
        if now.saturating_sub(self.active) > ASLEEP_AFTER {
            return Mood::Asleep;
        }
        let Some(meal) = &self.meal else { return Mood::Content };
        let ago = now.saturating_sub(meal.at);
        if ago <= meal.happy_for() {
            Mood::Happy
        } else if ago > HUNGRY_AFTER && self.calls.saturating_sub(meal.calls) >= HUNGRY_CALLS {
            Mood::Hungry
        } else {
            Mood::Content
        }
    }

    /// The first moments of other moods, if nothing happens until then.
    pub fn changes(&self) -> impl Iterator<Item = u64> {
        let meals = self.meal.iter().flat_map(|meal| [meal.at + meal.happy_for(), meal.at + HUNGRY_AFTER]);
        meals.chain([self.active + ASLEEP_AFTER]).map(|last| last + 1)
    }
}

impl Meal {
    /// For how long it makes happy.
    fn happy_for(&self) -> u64 {
        if self.item == "cake" { 240 * MINUTE } else { 30 * MINUTE }
    }
}

/// How the puppy feels; changes nothing but the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Fed a short while ago.
    Happy,
    /// As usual.
    Content,
    /// Long without a meal, and much work since.
    Hungry,
    /// No call for an hour.
    Asleep,
}

impl Mood {
    /// Every mood.
    pub const ALL: [Mood; 4] = [Mood::Happy, Mood::Content, Mood::Hungry, Mood::Asleep];

    /// The word in replies.
    pub const fn word(self) -> &'static str {
        match self {
            Mood::Happy => "happy",
            Mood::Content => "content",
            Mood::Hungry => "hungry",
            Mood::Asleep => "asleep",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(calls: u64, at: u64, ended: bool) -> Part {
        Part { totals: Totals { earned: calls, spent: 0, calls }, at, ended }
    }

    /// B-291: four writers that overwrite each other lose nothing once each has written its last.
    #[test]
    fn no_increment_is_lost_when_each_writes_its_last() {
        let mut file = Stats::default();
        let mut stale = Stats::default();
        for (name, calls) in [("a", 50), ("b", 50), ("c", 50), ("d", 50)] {
            stale.merge(name, part(calls / 2, 1, false), 1);
            file.merge(name, part(calls, 2, true), 2);
        }
        assert!(!stale.holds("a", part(50, 2, true)));
        assert!(!stale.holds("a", part(25, 2, true)), "an end that was overwritten is written again");
        assert!(stale.holds("a", part(25, 2, false)));
        assert_eq!((file.total_calls, file.balance), (200, 200));
    }

    #[test]
    fn ended_parts_are_folded_and_counted_once() {
        let mut file = Stats::default();
        file.merge("a", part(7, 0, true), 0);
        file.merge("b", part(3, 200_000, false), 200_000);
        assert_eq!((file.base.calls, file.parts.len(), file.total_calls), (7, 1, 10));
        file.merge("b", part(4, 200_001, false), 200_001);
        assert_eq!(file.total_calls, 11);
    }

    /// Between the moments that are told, no mood changes; at each one it may.
    #[test]
    fn moods_change_only_when_it_is_told() {
        let meal = |item: &str| Some(Meal { item: item.to_owned(), at: 0, calls: 0 });
        for (meal, calls, expected) in [
            (None, 900, [Mood::Content; 4]),
            (meal("bone"), 49, [Mood::Happy, Mood::Content, Mood::Content, Mood::Content]),
            (meal("bone"), 50, [Mood::Happy, Mood::Content, Mood::Content, Mood::Hungry]),
            (meal("cake"), 50, [Mood::Happy, Mood::Happy, Mood::Happy, Mood::Hungry]),
        ] {
            let awake = Care { meal, calls, active: 300 * MINUTE };
            assert_eq!([30, 31, 240, 241].map(|minute| awake.mood(minute * MINUTE)), expected);
            let mut moments: Vec<u64> = awake.changes().collect();
            moments.sort_unstable();
            moments.dedup();
            assert_eq!(moments.last().map(|it| awake.mood(*it)), Some(Mood::Asleep));
            for pair in moments.windows(2) {
                assert_eq!(awake.mood(pair[0]), awake.mood(pair[1] - 1), "{pair:?}");
            }
        }
    }

    #[test]
    fn a_broken_file_counts_as_zero() {
        assert_eq!(Stats::parse(b"{"), Stats::default());
    }
}
