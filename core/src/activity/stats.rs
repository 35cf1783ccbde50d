//! `puppyStats.json`: everybody's coins and totals at a glance, as of the last sum (B-291).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::purse::{Gifts, Purse, WornItem};
pub use super::purse::{Meal, Totals};
use super::shop::{Purchase, ShopItem};

/// Name of the file, below the plugin's temp folder.
pub const STATS_FILE: &str = "puppyStats.json";

/// The file. Its totals follow from the purses; only the counts from before purses existed are stored here alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(default)]
pub struct Stats {
    /// The coins left.
    pub balance: u64,
    /// The coins ever earned.
    pub total_earned: u64,
    /// The total number of calls.
    pub total_calls: u64,
    /// The number of times each item was given.
    pub fed: BTreeMap<String, u64>,
    /// The item that the puppy wears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wears: Option<String>,
    /// The last meal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_fed: Option<Meal>,
    /// The time of the last activity, in milliseconds since 1970.
    pub updated_at: u64,
    /// Totals from before purses existed. Nobody adds to them, so it does not matter which process writes the file.
    base: Totals,
    /// Like `base`, by process.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<String, Totals>,
    /// The gifts from before purses existed; a file without this key is from that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<Gifts>,
}

/// The error of a purchase that the coins do not cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoinShortage {
    /// The coins left.
    pub balance: u64,
    /// The price.
    pub cost: u64,
}

/// A purchase that the coins cover.
#[derive(Debug, Clone, Hash)]
pub struct CoveredPurchase {
    pub(super) stats: Stats,
    pub(super) purchase: Purchase,
}

impl CoveredPurchase {
    /// The item that is bought.
    pub fn item(&self) -> ShopItem {
        self.purchase.item
    }
}

impl Stats {
    /// Reads the file; a broken one counts as zero.
    pub fn parse(bytes: &[u8]) -> Stats {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// Adds the content of all purses to the counts from before they existed.
    #[must_use]
    pub fn sum<'a>(&self, purses: impl IntoIterator<Item = &'a Purse>) -> Stats {
        let gifts = self.given.clone().unwrap_or_else(|| self.gifts());
        let totals = self.parts.values().fold(self.base, |sum, it| sum.plus(*it));
        let before = Purse { totals, gifts: gifts.clone(), at: self.updated_at };
        let all = purses.into_iter().fold(before, Purse::and);
        Stats { base: self.base, parts: self.parts.clone(), given: Some(gifts), ..Stats::of(all) }
    }

    /// The totals with the content of one more purse.
    #[must_use]
    pub(super) fn with(self, more: &Purse) -> Stats {
        let sums = Purse { totals: self.totals(), gifts: self.gifts(), at: self.updated_at };
        Stats { base: self.base, parts: self.parts, given: self.given, ..Stats::of(sums.and(more)) }
    }

    /// The gifts from before purses existed, as far as the file lists them.
    fn gifts(&self) -> Gifts {
        Gifts {
            fed: self.fed.clone(),
            wears: self.wears.clone().map(|item| WornItem { item, since: 0 }),
            last_fed: self.last_fed.clone(),
        }
    }

    fn of(all: Purse) -> Stats {
        Stats {
            balance: all.totals.balance(),
            total_earned: all.totals.earned,
            total_calls: all.totals.calls,
            fed: all.gifts.fed,
            wears: all.gifts.wears.map(|it| it.item),
            last_fed: all.gifts.last_fed,
            updated_at: all.at,
            ..Stats::default()
        }
    }

    /// The totals of coins earned, coins spent and calls.
    pub fn totals(&self) -> Totals {
        let spent = self.total_earned.saturating_sub(self.balance);
        Totals { earned: self.total_earned, spent, calls: self.total_calls }
    }

    /// An order for the purchase, if the coins cover it.
    pub fn order(self, purchase: Purchase) -> Result<CoveredPurchase, CoinShortage> {
        let (balance, cost) = (self.balance, purchase.cost());
        if balance < cost {
            Err(CoinShortage { balance, cost })
        } else {
            Ok(CoveredPurchase { stats: self, purchase })
        }
    }

    /// The puppy's mood at a moment. A new puppy has no reason to be asleep.
    pub fn mood(&self, now: u64) -> Mood {
        let active = if self.updated_at == 0 { now } else { self.updated_at };
        CareFacts { meal: self.last_fed.clone(), calls: self.total_calls, active }.mood(now)
    }
}

const MINUTE: u64 = 60_000;
/// The time without a call after which it is asleep.
const ASLEEP_AFTER: u64 = 60 * MINUTE;
/// The time without a meal after which it is hungry, if there were enough calls since.
const HUNGRY_AFTER: u64 = 240 * MINUTE;
const HUNGRY_CALLS: u64 = 50;

/// The facts that decide the mood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CareFacts {
    /// The last meal.
    pub meal: Option<Meal>,
    /// The total number of calls.
    pub calls: u64,
    /// The time of the last activity, in milliseconds since 1970.
    pub active: u64,
}

impl CareFacts {
    /// The mood at a moment.
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
    /// The time for which the last meal keeps it happy.
    fn happy_for(&self) -> u64 {
        if self.item == "cake" { 240 * MINUTE } else { 30 * MINUTE }
    }
}

/// The puppy's mood; it only affects the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Fed a short while ago.
    Happy,
    /// Nothing special.
    Content,
    /// A long time without a meal, and much work since.
    Hungry,
    /// No call for an hour.
    Asleep,
}

impl Mood {
    /// Every mood.
    pub const ALL: [Mood; 4] = [Mood::Happy, Mood::Content, Mood::Hungry, Mood::Asleep];

    /// The word in answers.
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

    /// B-291: a file from before purses existed keeps counting, in whatever order files are written.
    #[test]
    fn stats_from_before_purses_count_once() {
        let old = br#"{"balance": 9, "total_earned": 16, "total_calls": 18, "base": {"earned": 10, "spent": 6, "calls": 11},
            "parts": {"a": {"earned": 5, "spent": 1, "calls": 5, "at": 7, "ended": true}, "b": {"earned": 1, "calls": 2, "at": 8}},
            "fed": {"bone": 2}, "wears": "bow", "last_fed": {"item": "bone", "at": 5, "calls": 12}, "updated_at": 8}"#;
        let mut purse = Purse { totals: Totals { earned: 4, spent: 3, calls: 4 }, at: 9, ..Purse::default() };
        purse.gifts.give(Purchase { item: ShopItem::Bone, count: 1 }, 9, 20);
        let mut file = Stats::parse(old);
        for _ in 0..3 {
            file = Stats::parse(&serde_json::to_vec(&file.sum([&purse])).unwrap());
            assert_eq!((file.balance, file.total_earned, file.total_calls, file.updated_at), (10, 20, 22, 9));
            assert_eq!((file.fed["bone"], file.wears.as_deref()), (3, Some("bow")));
            assert_eq!(file.last_fed.as_ref().map(|it| it.at), Some(9));
        }
        assert_eq!(file.sum([]).balance, 9, "a purse that is gone takes its coins along");
    }

    #[test]
    fn newest_meal_and_clothes_win_across_purses() {
        let given = |item, count, now| {
            let mut purse = Purse::default();
            purse.pay(Purchase { item, count }, now, now);
            purse
        };
        let purses = [
            given(ShopItem::Bow, 1, 3),
            given(ShopItem::Cake, 1, 7),
            given(ShopItem::Bone, 2, 5),
            given(ShopItem::Ball, 1, 9),
        ];
        for turn in 0..purses.len() {
            let (first, rest) = purses.split_at(turn);
            let sum = Stats::default().sum(rest.iter().chain(first));
            assert_eq!((sum.balance, sum.updated_at, sum.wears.as_deref()), (0, 9, Some("bow")));
            assert_eq!(sum.last_fed, Some(Meal { item: "cake".to_owned(), at: 7, calls: 7 }));
            assert_eq!(sum.fed["bone"], 2);
        }
    }

    #[test]
    fn order_cannot_cost_more_than_the_balance() {
        let stats = |balance| Stats { balance, ..Stats::default() };
        let bones = Purchase { item: ShopItem::Bone, count: 2 };
        assert_eq!(stats(5).order(bones).unwrap_err(), CoinShortage { balance: 5, cost: 6 });
        assert_eq!(stats(6).order(bones).unwrap().purchase, bones);
    }

    /// The mood changes only at one of these moments.
    #[test]
    fn mood_changes_only_at_the_listed_moments() {
        let meal = |item: &str| Some(Meal { item: item.to_owned(), at: 0, calls: 0 });
        for (meal, calls, expected) in [
            (None, 900, [Mood::Content; 4]),
            (meal("bone"), 49, [Mood::Happy, Mood::Content, Mood::Content, Mood::Content]),
            (meal("bone"), 50, [Mood::Happy, Mood::Content, Mood::Content, Mood::Hungry]),
            (meal("cake"), 50, [Mood::Happy, Mood::Happy, Mood::Happy, Mood::Hungry]),
        ] {
            let awake = CareFacts { meal, calls, active: 300 * MINUTE };
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
    fn broken_stats_file_counts_as_zero() {
        assert_eq!(Stats::parse(b"{"), Stats::default());
        assert_eq!(Stats::parse(b"{").mood(u64::MAX), Mood::Content);
    }
}
