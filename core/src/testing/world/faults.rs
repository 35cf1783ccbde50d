//! Faults of a world: a refused request, somebody who comes between two requests, a clock that differs.

use std::sync::atomic::Ordering;

use super::World;

impl World {
    /// Refuses the next request of a path with these words.
    pub(crate) fn fail(&self, path: &'static str, words: &'static str) {
        *self.refused.lock().unwrap() = Some((path, words));
    }

    /// Lets somebody else do something before the next request of a path.
    pub(crate) fn interrupt(&self, path: &'static str, by: fn(&World)) {
        *self.interrupted.lock().unwrap() = Some((path, by));
    }

    /// Sets the local clock of this process behind the kernel's, as in another time zone.
    pub(crate) fn lag(&self, hours: u64) {
        self.hours_behind.store(hours, Ordering::Relaxed);
    }
}
