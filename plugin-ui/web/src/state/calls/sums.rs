//! Sums of the recorded calls: in all, by day, by action.

use super::{Calls, Filter};
use crate::state::day::{Clock, Day};

/// The calls of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DayCount {
    /// All.
    pub all: u32,
    /// Those that failed or were not allowed.
    pub bad: u32,
}

/// The sums of the calls that pass a filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sums {
    /// The number of calls.
    pub calls: u64,
    /// Those that failed or were not allowed.
    pub bad: u64,
    /// The sum of their durations in milliseconds.
    took_ms: u64,
    /// Approximate tokens.
    pub tokens: u64,
    /// By action, in the order of their first call.
    actions: Vec<(String, u64)>,
    transports: Vec<(&'static str, u64)>,
    /// By day, the oldest first; the last one is today.
    pub days: Vec<DayCount>,
}

impl Sums {
    /// The sums of a period that ends now, with its days.
    pub fn of(calls: &Calls, filter: &Filter, clock: Clock) -> Sums {
        let mut sums = Sums { days: vec![DayCount::default(); usize::from(filter.days)], ..Sums::default() };
        for call in calls.calls.iter().filter(|it| filter.passes(it, clock)) {
            let is_bad = call.end.is_bad();
            sums.calls += 1;
            sums.bad += u64::from(is_bad);
            sums.took_ms = sums.took_ms.saturating_add(call.took_ms);
            sums.tokens = sums.tokens.saturating_add(call.tokens);
            match sums.actions.iter_mut().find(|it| it.0 == call.action) {
                Some(own) => own.1 += 1,
                None => sums.actions.push((call.action.clone(), 1)),
            }
            match sums.transports.iter_mut().find(|it| it.0 == call.transport) {
                Some(own) => own.1 += 1,
                None => sums.transports.push((call.transport, 1)),
            }
            let ago = clock.today().since(clock.day(call.at));
            if let Some(day) = ago.and_then(|it| sums.days.iter_mut().rev().nth(it)) {
                day.all += 1;
                day.bad += u32::from(is_bad);
            }
        }
        sums
    }

    /// The average duration in milliseconds.
    pub fn average_ms(&self) -> u64 {
        self.took_ms.checked_div(self.calls).unwrap_or_default()
    }

    /// The share of bad calls in thousandths.
    pub fn bad_per_mille(&self) -> u64 {
        (self.bad * 1_000).checked_div(self.calls).unwrap_or_default()
    }

    /// The most frequent actions, the most frequent first.
    pub fn top(&self, most: usize) -> Vec<(&str, u64)> {
        let mut top: Vec<(&str, u64)> = Vec::new();
        for (name, count) in &self.actions {
            let at = top.partition_point(|it| it.1 >= *count);
            if at < most {
                top.insert(at, (name, *count));
                top.truncate(most);
            }
        }
        top
    }

    /// The transports that were used, without those that nobody knows.
    pub fn transports(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.transports.iter().copied().filter(|it| !it.0.is_empty())
    }

    /// Each day with its calls, the newest first.
    pub fn by_day(&self, clock: Clock) -> impl Iterator<Item = (Day, DayCount)> {
        let today = clock.today();
        self.days.iter().rev().enumerate().map(move |(ago, count)| (today.back(ago), *count))
    }
}
