//! The progress of a command in several parts, and the format of times.

use std::time::{Duration, Instant};

/// The parts of a command, counted as they begin.
pub(crate) struct Parts {
    all: usize,
    begun: usize,
    started: Instant,
}

impl Parts {
    /// A command with this number of parts, which starts now.
    pub(crate) fn new(all: usize) -> Self {
        Self { all, begun: 0, started: Instant::now() }
    }

    /// Announces the next part.
    pub(crate) fn next(&mut self, what: &str) {
        self.begun += 1;
        println!("\n{}", self.line(what, self.started.elapsed()));
    }

    /// Reports that something within the part is finished.
    pub(crate) fn done(&self, what: &str) {
        println!("━━ {what}: built ({} so far)", clock(self.started.elapsed()));
    }

    fn line(&self, what: &str, so_far: Duration) -> String {
        format!("━━ {} of {} ━━ {what} ({} so far)", self.begun, self.all, clock(so_far))
    }
}

/// A time as a person reads it.
pub(crate) fn clock(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        seconds => format!("{} min {:02}", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_with_its_number_and_the_time() {
        let mut parts = Parts::new(3);
        parts.next("nothing");
        parts.next("nothing");
        let line = parts.line("the page's modules", Duration::from_millis(95_400));
        assert_eq!(line, "━━ 2 of 3 ━━ the page's modules (1 min 35 so far)");
        assert_eq!(clock(Duration::from_millis(9_870)), "9.8 s");
    }
}
