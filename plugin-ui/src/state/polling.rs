//! When the puppy asks the kernel for events again (B-292).

/// Waits between questions, in milliseconds: right after an event, after 10 s and after 30 s without one.
const WAITS: [u64; 3] = [500, 1_000, 5_000];
const CALM_AFTER: u64 = 10_000;
const QUIET_AFTER: u64 = 30_000;

/// The wait before the next question, measured from the start of the last one.
///
/// Every failed question is an error in the browser's console, so failures make the wait longer.
pub fn wait(since_event: u64, failures: u32) -> u64 {
    let [active, calm, quiet] = WAITS;
    let usual = match since_event {
        it if it < CALM_AFTER => active,
        it if it < QUIET_AFTER => calm,
        _ => quiet,
    };
    usual.max(active << failures.min(8)).min(quiet)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-292: fast while active, at most 0.2 questions a second after 30 s.
    #[test]
    fn it_asks_less_the_longer_nothing_happens() {
        assert_eq!(
            [0, 9_999, 10_000, 29_999, 30_000, 9_000_000].map(|it| wait(it, 0)),
            [500, 500, 1_000, 1_000, 5_000, 5_000]
        );
    }

    #[test]
    fn failures_make_it_wait_up_to_five_seconds() {
        assert_eq!([0, 1, 2, 3, 4, 400].map(|it| wait(0, it)), [500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    }
}
