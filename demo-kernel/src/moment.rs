//! The clock and the random numbers: the machine's, or those that a test has set for one request on this thread.

use std::cell::RefCell;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fastrand::Rng;
use time::OffsetDateTime;

/// The time at which a kernel in process answers, and the seed of its random choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub ms: i64,
    /// Equal seeds give equal ids.
    pub seed: u64,
}

/// The moment of the running request.
struct FixedMoment {
    ms: i64,
    dice: Rng,
    /// Rows of the index draw their ids separately, so that their number does not show in other ids.
    row_dice: Rng,
}

thread_local! {
    static SET: RefCell<Option<FixedMoment>> = const { RefCell::new(None) };
}

/// Ends the moment, also where `f` panics.
struct ResetOnDrop;

impl Drop for ResetOnDrop {
    fn drop(&mut self) {
        SET.with_borrow_mut(|set| *set = None);
    }
}

/// Runs `f` at a moment.
pub(crate) fn at<T>(moment: Moment, f: impl FnOnce() -> T) -> T {
    let dice = |seed: u64| Rng::with_seed(seed);
    let set = FixedMoment { ms: moment.ms, dice: dice(moment.seed), row_dice: dice(!moment.seed) };
    SET.with_borrow_mut(|it| *it = Some(set));
    let _ends = ResetOnDrop;
    f()
}

fn set_ms() -> Option<i64> {
    SET.with_borrow(|set| set.as_ref().map(|set| set.ms))
}

pub(crate) fn now() -> OffsetDateTime {
    let set = set_ms().map(|ms| OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000));
    set.map_or_else(OffsetDateTime::now_utc, |set| set.unwrap_or(OffsetDateTime::UNIX_EPOCH))
}

/// Now, as flashcards count time.
pub(crate) fn now_chrono() -> chrono::DateTime<chrono::Utc> {
    set_ms().and_then(chrono::DateTime::from_timestamp_millis).unwrap_or_else(chrono::Utc::now)
}

/// The time since some moment that stays the same, for spans of time.
pub(crate) fn ticks() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let set = set_ms().map(|ms| Duration::from_millis(ms.try_into().unwrap_or_default()));
    set.unwrap_or_else(|| START.elapsed())
}

/// Draws from the dice.
pub(crate) fn draw<T>(f: impl FnOnce(&mut Rng) -> T) -> T {
    SET.with_borrow_mut(|set| match set {
        Some(set) => f(&mut set.dice),
        None => f(&mut Rng::new()),
    })
}

/// Draws for a row of the index.
pub(crate) fn draw_for_row<T>(f: impl FnOnce(&mut Rng) -> T) -> T {
    SET.with_borrow_mut(|set| match set {
        Some(set) => f(&mut set.row_dice),
        None => f(&mut Rng::new()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moment_applies_to_its_request_only() {
        let moment = Moment { ms: 1_738_367_999_000, seed: 7 };
        let ids = || (crate::id::new_id(), crate::id::new_id());
        let (first, again) = (at(moment, ids), at(moment, ids));
        assert_eq!(first, again);
        assert!(first.0.starts_with("20250131235959-") && first.0 != first.1, "{first:?}");
        assert_ne!(at(Moment { seed: 8, ..moment }, ids), first);
        assert_eq!(at(moment, ticks), Duration::from_millis(1_738_367_999_000));
        assert!(now() > OffsetDateTime::from_unix_timestamp(1_738_367_999).unwrap());
    }

    #[test]
    fn index_row_ids_do_not_affect_other_ids() {
        let moment = Moment { ms: 0, seed: 7 };
        let beside_rows = || {
            crate::id::row_id();
            crate::id::new_id()
        };
        assert_eq!(at(moment, beside_rows), at(moment, crate::id::new_id));
    }
}
