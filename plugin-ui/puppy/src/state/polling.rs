//! The times at which the puppy polls the kernel for events (B-292).

/// Waits between polls, in milliseconds: right after an event, after 10 s and after 30 s without one.
const WAITS: [u64; 3] = [500, 1_000, 5_000];
const CALM_AFTER: u64 = 10_000;
const QUIET_AFTER: u64 = 30_000;

/// The wait before the next poll, measured from the start of the last one.
///
/// Every failed poll is an error in the browser's console, so failures make the wait longer.
pub fn wait(since_event: u64, failures: u32) -> u64 {
    let [active, calm, quiet] = WAITS;
    let usual = match since_event {
        it if it < CALM_AFTER => active,
        it if it < QUIET_AFTER => calm,
        _ => quiet,
    };
    usual.max(active << failures.min(8)).min(quiet)
}

/// The polls of the kernel: one at a time.
#[derive(Debug)]
pub struct EventPolling {
    /// The time of the next one.
    next: u64,
    /// The start of the one on its way.
    open: Option<u64>,
    failures: u32,
}

impl EventPolling {
    /// The first poll is due at once.
    pub fn new(now: u64) -> EventPolling {
        EventPolling { next: now, open: None, failures: 0 }
    }

    /// Makes the next poll due at once: the page is visible again.
    pub fn hurry(&mut self, now: u64) {
        self.next = now;
    }

    /// The time of the next poll, unless one is on its way.
    pub fn due(&self) -> Option<u64> {
        self.open.is_none().then_some(self.next)
    }

    /// Whether to poll now; if so, the poll is on its way.
    pub fn begin(&mut self, now: u64, since_event: u64) -> bool {
        let is_due = self.due().is_some_and(|at| at <= now);
        if is_due {
            self.open = Some(now);
            self.next = now + wait(since_event, self.failures);
        }
        is_due
    }

    /// Ends a poll, answered or not.
    pub fn end(&mut self, now: u64, since_event: u64, answered: bool) {
        self.failures = if answered { 0 } else { self.failures + 1 };
        let wait = wait(since_event, self.failures);
        let began = self.open.take().unwrap_or(now);
        // News bring the next poll forward; a silent kernel gets its rest from now on.
        self.next = if answered { self.next.min(began + wait) } else { now + wait };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-292: fast while active, at most 0.2 polls a second after 30 s.
    #[test]
    fn polling_slows_down_while_nothing_happens() {
        assert_eq!(
            [0, 9_999, 10_000, 29_999, 30_000, 9_000_000].map(|it| wait(it, 0)),
            [500, 500, 1_000, 1_000, 5_000, 5_000]
        );
    }

    #[test]
    fn polling_waits_up_to_five_seconds_after_failures() {
        assert_eq!([0, 1, 2, 3, 4, 400].map(|it| wait(0, it)), [500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    }

    /// Polls per phase of an hour, each answered at once (B-292).
    #[test]
    fn polling_for_an_idle_hour_makes_few_requests() {
        let mut asking = EventPolling::new(0);
        let mut asked = Vec::new();
        for now in (0..3_600_000).step_by(100) {
            if asking.begin(now, now) {
                asked.push(now);
                asking.end(now + 5, now + 5, true);
            }
        }
        let within = |range: std::ops::Range<u64>| asked.iter().filter(|at| range.contains(at)).count();
        assert_eq!((within(0..10_000), within(10_000..30_000)), (20, 20));
        assert!(within(30_000..3_600_000) <= 714, "0.2 a second");
        asking.hurry(3_600_000);
        assert!(asking.begin(3_600_000, 3_600_000), "at once on return");
        assert!(!asking.begin(3_600_000, 0), "one at a time");
    }
}
