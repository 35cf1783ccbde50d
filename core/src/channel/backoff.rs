//! The waits before an end connects again: 1, 2, 4, 8, 16, 30, 30 s, each varied by up to a fifth (B-208).

use std::time::Duration;

const LONGEST: f64 = 30.0;

/// Waits that grow with every failed attempt.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backoff {
    tries: i32,
}

impl Backoff {
    /// Begins again, after a success.
    pub const fn reset(&mut self) {
        self.tries = 0;
    }

    /// The wait before the next attempt; `chance` from 0 to 1 spreads the attempts of many ends.
    pub fn next_wait(&mut self, chance: f64) -> Duration {
        let seconds = 2_f64.powi(self.tries.clamp(0, 10)).min(LONGEST);
        self.tries = self.tries.saturating_add(1);
        Duration::from_secs_f64(seconds * (0.8 + 0.4 * chance.clamp(0.0, 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-208: waits double up to half a minute, and begin again after a success.
    #[test]
    fn waits_double_up_to_half_a_minute() {
        let mut backoff = Backoff::default();
        let series: Vec<f64> = (0..7).map(|_| backoff.next_wait(0.5).as_secs_f64()).collect();
        assert_eq!(series, [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]);
        backoff.reset();
        assert_eq!(backoff.next_wait(0.5), Duration::from_secs(1));
        let mut long = Backoff { tries: i32::MAX };
        assert_eq!(long.next_wait(0.5), Duration::from_secs(30));
        for tries in 0..9 {
            let wait = |chance| Backoff { tries }.next_wait(chance).as_secs_f64();
            assert!(wait(0.0) >= wait(0.5) * 0.79 && wait(1.0) <= wait(0.5) * 1.21, "{tries}");
            assert!(wait(-1.0) >= wait(0.0) && wait(2.0) <= wait(1.0), "{tries}");
        }
    }
}
