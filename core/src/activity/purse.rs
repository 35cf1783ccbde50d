//! One process's part of `puppyStats.json`: what it earned and spent, set into the file without a lock (B-291).

use super::shop::{Kind, Purchase};
use super::stats::{Meal, Part, Stats, Totals};

/// A part that was silent this long is left to be folded, and a new one begun.
const SILENT_MS: u64 = 24 * 60 * 60 * 1_000;

/// What this process earned and spent, and what it knows of the others.
#[derive(Debug, Default)]
pub struct Purse {
    instance: String,
    /// Since the part began.
    own: Totals,
    /// When it was set into the file last; 0 when never.
    written_at: u64,
    /// How many parts were begun before this one.
    parts_before: u32,
    /// Everybody else, as read last; `None` when never.
    others: Option<Totals>,
    /// Purchases that were not found in the file yet: another process may write over them.
    unsure: Vec<(Purchase, u64)>,
}

/// Why something was not bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    /// Coins there are.
    pub balance: u64,
    /// Coins it takes.
    pub cost: u64,
}

impl Purse {
    /// The empty purse of a process that has just begun.
    pub fn new(instance: String) -> Purse {
        Purse { instance, ..Purse::default() }
    }

    /// Counts a call.
    pub fn count(&mut self, earns: bool, now: u64) {
        if self.written_at > 0 && now.saturating_sub(self.written_at) > SILENT_MS {
            self.others = self.others.map(|others| others.plus(self.own));
            self.own = Totals::default();
            self.written_at = 0;
            self.parts_before += 1;
        }
        self.own.calls += 1;
        self.own.earned += u64::from(earns);
    }

    /// Keeps from a file that was just read what others have.
    pub fn remember(&mut self, stats: &Stats) {
        let name = self.name();
        let parts = stats.parts.iter().filter(|(it, _)| **it != name).map(|(_, part)| part.totals);
        self.others = Some(parts.fold(stats.base, Totals::plus));
        if self.is_paid_in(stats) {
            self.unsure.clear();
        }
    }

    /// Whether a file was ever read.
    pub fn knows_others(&self) -> bool {
        self.others.is_some()
    }

    /// Balance and calls of everybody, as far as known.
    pub fn shown(&self) -> (u64, u64) {
        let all = self.others.unwrap_or_default().plus(self.own);
        (all.earned.saturating_sub(all.spent), all.calls)
    }

    /// Pays, if the coins of a file that was just read are enough.
    pub fn buy(&mut self, stats: &Stats, purchase: Purchase, now: u64) -> Result<(), Short> {
        self.remember(stats);
        let (balance, _) = self.shown();
        let cost = purchase.cost();
        if balance < cost {
            return Err(Short { balance, cost });
        }
        self.own.spent += cost;
        self.unsure.push((purchase, now));
        Ok(())
    }

    /// Takes a purchase back that could not be written.
    pub fn refund(&mut self, purchase: Purchase) {
        if let Some(at) = self.unsure.iter().rposition(|(it, _)| *it == purchase) {
            self.unsure.remove(at);
            self.own.spent = self.own.spent.saturating_sub(purchase.cost());
        }
    }

    /// Sets the own part into a file that was just read; tells what was set under which name.
    pub fn settle(&mut self, stats: &mut Stats, now: u64, ended: bool) -> (String, Part) {
        self.remember(stats);
        let (name, part) = (self.name(), Part { totals: self.own, at: now, ended });
        stats.merge(&name, part, now);
        for (purchase, at) in &self.unsure {
            stats.give(*purchase, *at);
        }
        self.written_at = now;
        (name, part)
    }

    fn is_paid_in(&self, stats: &Stats) -> bool {
        stats.parts.get(&self.name()).map_or(0, |part| part.totals.spent) >= self.own.spent
    }

    fn name(&self) -> String {
        match self.parts_before {
            0 => self.instance.clone(),
            n => format!("{}-{n}", self.instance),
        }
    }
}

impl Stats {
    /// Gives the puppy what was paid for.
    fn give(&mut self, Purchase { item, count }: Purchase, now: u64) {
        *self.fed.entry(item.word().to_owned()).or_default() += count;
        match item.kind() {
            Kind::Toy => {}
            Kind::Wear => self.wears = Some(item.word().to_owned()),
            Kind::Food if self.last_fed.as_ref().is_some_and(|meal| meal.at > now) => {}
            Kind::Food => {
                let item = item.word().to_owned();
                self.last_fed = Some(Meal { item, at: now, calls: self.total_calls });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activity::shop::Item;
    use crate::activity::stats::Mood;

    const BONES: Purchase = Purchase { item: Item::Bone, count: 2 };

    fn earned(name: &str, calls: u64, file: &mut Stats) -> Purse {
        let mut purse = Purse::new(name.to_owned());
        for _ in 0..calls {
            purse.count(true, 1);
        }
        purse.settle(file, 1, false);
        purse
    }

    #[test]
    fn what_others_earned_can_be_spent_and_never_more() {
        let mut file = Stats::default();
        earned("a", 7, &mut file);
        let mut page = Purse::new("b".to_owned());
        page.buy(&file, BONES, 5).unwrap();
        page.settle(&mut file, 5, true);
        assert_eq!((file.balance, file.total_earned, file.fed["bone"]), (1, 7, 2));
        assert_eq!(file.mood(5), Mood::Happy);
        assert_eq!(page.buy(&file, BONES, 6), Err(Short { balance: 1, cost: 6 }));
        assert_eq!(page.shown(), (1, 7));
    }

    /// B-291: another process wrote over the purchase; it comes back once, and is not given twice.
    #[test]
    fn a_purchase_that_was_written_over_comes_back_once() {
        let mut file = Stats::default();
        let mut other = earned("a", 20, &mut file);
        let mut stale = file.clone();
        let mut purse = Purse::new("b".to_owned());
        purse.buy(&file, BONES, 5).unwrap();
        purse.settle(&mut file, 5, false);
        other.settle(&mut stale, 6, false);
        assert_eq!((stale.balance, stale.last_fed.clone()), (20, None));
        for now in 7..10 {
            purse.settle(&mut stale, now, false);
            assert_eq!((stale.balance, stale.fed["bone"]), (14, 2), "{now}");
        }
        assert_eq!(stale.last_fed.unwrap().at, 5);
    }

    #[test]
    fn a_refund_gives_the_coins_back() {
        let mut file = Stats::default();
        let mut purse = earned("a", 6, &mut file);
        purse.buy(&file, BONES, 5).unwrap();
        purse.refund(BONES);
        purse.settle(&mut file, 6, false);
        assert_eq!((file.balance, file.fed.len()), (6, 0));
    }

    #[test]
    fn after_a_silent_day_a_new_part_begins_and_the_sum_stays() {
        let mut file = Stats::default();
        let mut purse = earned("a", 6, &mut file);
        purse.count(true, 2 + SILENT_MS);
        assert_eq!(purse.shown(), (7, 7));
        let (name, part) = purse.settle(&mut file, 2 + SILENT_MS, false);
        assert_eq!((name.as_str(), part.totals.calls, file.total_calls), ("a-1", 1, 7));
    }

    #[test]
    fn a_bow_is_worn_and_is_no_meal() {
        let mut file = Stats::default();
        let mut purse = earned("a", 30, &mut file);
        purse.buy(&file, Purchase { item: Item::Bow, count: 1 }, 5).unwrap();
        purse.settle(&mut file, 5, false);
        assert_eq!((file.wears.as_deref(), file.last_fed), (Some("bow"), None));
    }
}
