//! Faults of a world: a refused request, somebody who comes between two requests, a clock that differs.

use std::sync::atomic::Ordering;

use puppy_core::kernel::KernelError;

use super::World;

/// Requests that get an error instead of an answer.
pub(crate) struct Outage {
    /// The beginning of their paths.
    pub(crate) path: &'static str,
    /// The number of those that are left.
    pub(crate) left: usize,
    pub(crate) error: fn() -> KernelError,
}

impl World {
    /// Gives the next requests of a path an error, so many times.
    pub(crate) fn fail_times(&self, path: &'static str, times: usize, error: fn() -> KernelError) {
        *self.outage.lock().unwrap() = Some(Outage { path, left: times, error });
    }

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

    /// Lets a request of a path meet its fault; the error that it gets instead of an answer.
    pub(super) fn meet(&self, path: &str) -> Option<KernelError> {
        if let Some((_, words)) = self.refused.lock().unwrap().take_if(|(it, _)| *it == path) {
            return Some(KernelError::Code(-1, words.to_owned()));
        }
        let mut outage = self.outage.lock().unwrap();
        if let Some(it) = outage.as_mut().filter(|it| it.left > 0 && path.starts_with(it.path)) {
            it.left -= 1;
            return Some((it.error)());
        }
        drop(outage);
        let interruption = self.interrupted.lock().unwrap().take_if(|(it, _)| *it == path);
        if let Some((_, by)) = interruption {
            by(self);
        }
        None
    }
}
