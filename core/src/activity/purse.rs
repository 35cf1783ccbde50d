//! A purse: a file that one process at a time adds to, so that no process overwrites another's coins (B-291).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::shop::{ItemKind, Purchase};

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
            earned: self.earned.saturating_add(other.earned),
            spent: self.spent.saturating_add(other.spent),
            calls: self.calls.saturating_add(other.calls),
        }
    }

    /// The difference from an earlier moment.
    #[must_use]
    pub fn since(self, earlier: Totals) -> Totals {
        Totals {
            earned: self.earned.saturating_sub(earlier.earned),
            spent: self.spent.saturating_sub(earlier.spent),
            calls: self.calls.saturating_sub(earlier.calls),
        }
    }

    /// Coins left.
    pub fn balance(self) -> u64 {
        self.earned.saturating_sub(self.spent)
    }
}

/// The content of a purse: everything that its holders counted and gave, one after another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(from = "FlatPurse", into = "FlatPurse")]
pub struct Purse {
    /// Coins and calls.
    pub totals: Totals,
    /// The gifts to the puppy.
    pub gifts: Gifts,
    /// The time of the last addition, in milliseconds since 1970.
    pub at: u64,
}

/// A purse as it is written: in one layer. By hand, because `flatten` takes several times the code.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct FlatPurse {
    earned: u64,
    spent: u64,
    calls: u64,
    fed: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wears: Option<WornItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_fed: Option<Meal>,
    at: u64,
}

impl From<FlatPurse> for Purse {
    fn from(FlatPurse { earned, spent, calls, fed, wears, last_fed, at }: FlatPurse) -> Purse {
        Purse { totals: Totals { earned, spent, calls }, gifts: Gifts { fed, wears, last_fed }, at }
    }
}

impl From<Purse> for FlatPurse {
    fn from(Purse { totals: Totals { earned, spent, calls }, gifts, at }: Purse) -> FlatPurse {
        let Gifts { fed, wears, last_fed } = gifts;
        FlatPurse { earned, spent, calls, fed, wears, last_fed, at }
    }
}

/// The gifts to the puppy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(default)]
pub struct Gifts {
    /// The number of times each item was given.
    pub fed: BTreeMap<String, u64>,
    /// The item it wears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wears: Option<WornItem>,
    /// The last meal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_fed: Option<Meal>,
}

/// The last meal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub struct Meal {
    /// The item.
    pub item: String,
    /// The time, in milliseconds since 1970.
    pub at: u64,
    /// The total number of calls at that moment.
    pub calls: u64,
}

/// The item that the puppy wears until it gets another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub struct WornItem {
    /// The item.
    pub item: String,
    /// The time it was put on, in milliseconds since 1970.
    pub since: u64,
}

impl Purse {
    /// Reads a purse; a broken one is empty.
    pub fn parse(bytes: &[u8]) -> Purse {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// Pays for a purchase and gives it; `calls` is the total number of calls at that moment.
    pub fn pay(&mut self, purchase: Purchase, now: u64, calls: u64) {
        self.totals.spent = self.totals.spent.saturating_add(purchase.cost());
        self.gifts.give(purchase, now, calls);
        self.at = now;
    }

    /// The content of both.
    #[must_use]
    pub(super) fn and(self, other: &Purse) -> Purse {
        Purse {
            totals: self.totals.plus(other.totals),
            gifts: self.gifts.and(&other.gifts),
            at: self.at.max(other.at),
        }
    }
}

impl Gifts {
    /// Gives a paid item.
    pub(super) fn give(&mut self, Purchase { item, count }: Purchase, now: u64, calls: u64) {
        let word = item.word().to_owned();
        let fed = self.fed.entry(word.clone()).or_default();
        *fed = fed.saturating_add(count);
        match item.kind() {
            ItemKind::Toy => {}
            ItemKind::Wear => self.wears = Some(WornItem { item: word, since: now }),
            ItemKind::Food => self.last_fed = Some(Meal { item: word, at: now, calls }),
        }
    }

    fn and(mut self, other: &Gifts) -> Gifts {
        for (item, count) in &other.fed {
            let fed = self.fed.entry(item.clone()).or_default();
            *fed = fed.saturating_add(*count);
        }
        let newer = |it: &&WornItem| self.wears.as_ref().is_none_or(|worn| worn.since < it.since);
        if let Some(worn) = other.wears.as_ref().filter(newer) {
            self.wears = Some(worn.clone());
        }
        let newer = |it: &&Meal| self.last_fed.as_ref().is_none_or(|meal| meal.at < it.at);
        if let Some(meal) = other.last_fed.as_ref().filter(newer) {
            self.last_fed = Some(meal.clone());
        }
        self
    }
}
