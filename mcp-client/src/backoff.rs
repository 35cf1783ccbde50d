//! The waits between attempts to reconnect: 1, 2, 4, 8, 16, 30, 30 s, each varied by up to a fifth, and an end.

/// The longest wait in seconds.
const LONGEST: f64 = 30.0;

/// The number of attempts after which a connection is given up.
pub(crate) const MOST: u32 = 10;

/// Waits that grow with every failed attempt.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Backoff {
    tries: u32,
}

impl Backoff {
    /// The attempts so far.
    pub(crate) const fn tries(self) -> u32 {
        self.tries
    }

    /// Begins again, after a connection that lasted.
    pub(crate) const fn reset(&mut self) {
        self.tries = 0;
    }

    /// The wait before the next attempt, in milliseconds; `None` when there have been enough.
    pub(crate) fn next(&mut self, chance: f64) -> Option<u64> {
        if self.tries == MOST {
            return None;
        }
        let wait = delay(self.tries, chance);
        self.tries += 1;
        Some(wait)
    }
}

/// The wait after this many attempts; `chance` from 0 to 1 spreads the attempts of many clients.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 800 to 36,000")]
pub(crate) fn delay(tries: u32, chance: f64) -> u64 {
    let exponent = i32::try_from(tries.min(10)).unwrap_or_default();
    let seconds = 2_f64.powi(exponent).min(LONGEST) * (0.8 + 0.4 * chance.clamp(0.0, 1.0));
    (seconds * 1_000.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-208: the series, its spread, and its end after ten tries.
    #[test]
    fn waits_double_up_to_half_a_minute_and_end_after_ten_tries() {
        let mut backoff = Backoff::default();
        let series: Vec<u64> = std::iter::from_fn(|| backoff.next(0.5)).collect();
        assert_eq!(series[..7], [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
        assert_eq!(series.len(), 10);
        backoff.reset();
        assert_eq!((backoff.next(0.0), backoff.next(1.0), backoff.tries()), (Some(800), Some(2_400), 2));
        assert_eq!(delay(u32::MAX, 0.5), 30_000);
    }
}
