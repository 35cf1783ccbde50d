//! The waits of the bridge between attempts: 1, 2, 4, 8, 16, 30, 30 s, each varied by up to a fifth (B-208).

use std::time::Duration;

const LONGEST: f64 = 30.0;

/// Waits that grow with every failed attempt.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    tries: i32,
}

impl Backoff {
    /// Resets the wait after a success.
    pub(super) fn reset(&mut self) {
        self.tries = 0;
    }

    pub(super) async fn wait(&mut self) {
        let time = delay(self.tries, fastrand::f64());
        self.tries = self.tries.saturating_add(1);
        tokio::time::sleep(time).await;
    }
}

/// The wait after this many attempts; `chance` from 0 to 1 spreads the attempts of many clients.
fn delay(tries: i32, chance: f64) -> Duration {
    Duration::from_secs_f64(2_f64.powi(tries.clamp(0, 10)).min(LONGEST) * (0.8 + 0.4 * chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-208: waits double up to half a minute.
    #[test]
    fn backoff_doubles_up_to_half_a_minute() {
        let series: Vec<f64> = (0..7).map(|tries| delay(tries, 0.5).as_secs_f64()).collect();
        assert_eq!(series, [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]);
        assert_eq!(delay(i32::MAX, 0.5), Duration::from_secs(30));
        for tries in 0..9 {
            let (low, mid, high) = (delay(tries, 0.0), delay(tries, 0.5), delay(tries, 1.0));
            assert!(low >= mid.mul_f64(0.79) && high <= mid.mul_f64(1.21), "{tries}");
        }
    }
}
