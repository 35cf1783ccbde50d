//! A brake on questions to the person: each one that goes unanswered doubles the wait before the next.
//!
//! There is one brake per kind of question and per process, not per session or client: a caller opens new sessions and
//! changes its name as it likes.

/// The number of refusals in a row after which the next question about a dangerous call waits. A person who denies one
/// thing may want another.
pub const FREE_REFUSALS: u32 = 2;
/// The first wait, in milliseconds.
const FIRST_MS: u64 = 30_000;
/// The longest wait, in milliseconds.
const LONGEST_MS: u64 = 30 * 60 * 1_000;

/// A brake.
#[derive(Debug, Default)]
pub struct Brake {
    /// The number of refusals in a row that cost nothing.
    free: u32,
    /// The number of refusals in a row.
    refused: u32,
    /// The moment at which the last wait began.
    since: Option<u64>,
    /// The length of the last wait, in milliseconds.
    wait_ms: u64,
}

impl Brake {
    /// A brake that lets this many refusals in a row pass before the first wait.
    pub const fn after(free: u32) -> Brake {
        Brake { free, refused: 0, since: None, wait_ms: 0 }
    }

    /// The number of seconds until the next question may be asked; `None` if it may be asked now. A clock that was set
    /// back ends the wait.
    pub fn seconds_left(&self, now: u64) -> Option<u64> {
        let passed = now.checked_sub(self.since?)?;
        let left = self.wait_ms.checked_sub(passed)?;
        (left > 0).then(|| left.div_ceil(1_000))
    }

    /// Notes that a question was refused or ignored. Questions that were open together count as one: the person could
    /// not answer them before the wait began.
    pub fn refused(&mut self, asked_at: u64, now: u64) {
        if self.since.is_some_and(|since| asked_at <= since) {
            return;
        }
        self.refused = self.refused.saturating_add(1);
        if let Some(doublings) = self.refused.checked_sub(self.free + 1) {
            self.since = Some(now);
            self.wait_ms = FIRST_MS.saturating_mul(2_u64.saturating_pow(doublings)).min(LONGEST_MS);
        }
    }

    /// Notes that the person answered.
    pub const fn answered(&mut self) {
        (self.refused, self.wait_ms) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits double up to half an hour, and start again after an answer.
    #[test]
    fn waits_double_until_an_answer() {
        let (mut brake, mut now, mut waits) = (Brake::default(), 5_000, Vec::new());
        assert_eq!(brake.seconds_left(now), None);
        for _ in 0..9 {
            brake.refused(now, now);
            let wait = brake.seconds_left(now).unwrap();
            assert_eq!(brake.seconds_left(now + 1), Some(wait));
            assert_eq!(brake.seconds_left(now + wait * 1_000 - 1), Some(1));
            now += wait * 1_000;
            assert_eq!(brake.seconds_left(now), None);
            waits.push(wait);
        }
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800]);
        brake.answered();
        brake.refused(now, now);
        assert_eq!(brake.seconds_left(now), Some(30));
        assert_eq!(brake.seconds_left(now - 1), None, "a clock that was set back");
    }

    /// Questions that were open together count once, and the first refusals may be free.
    #[test]
    fn questions_that_were_open_together_count_once() {
        let mut brake = Brake::after(2);
        for (now, left) in [(100, None), (101, None), (102, Some(30)), (103, Some(30)), (20_000, Some(11))] {
            brake.refused(90, now);
            assert_eq!(brake.seconds_left(now), left, "{now}");
        }
        brake.refused(40_000, 40_000);
        assert_eq!(brake.seconds_left(40_000), Some(60));
    }
}
