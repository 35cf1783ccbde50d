//! The purse of this process: writes its coins and calls (B-291).

use std::sync::{Mutex, PoisonError};

use puppy_core::activity::coins;
use puppy_core::activity::counter::Counter;
use puppy_core::activity::stats::Stats;
use puppy_core::kernel::KernelError;

use crate::kernel::{HttpKernel, now_ms};

/// The counts of this process.
#[derive(Debug)]
pub(super) struct Purse {
    counter: Mutex<Counter>,
    /// The purses of ended processes, which nobody changes any more.
    known: tokio::sync::Mutex<coins::PurseCache>,
}

impl Purse {
    pub(super) fn new(instance: String) -> Purse {
        Purse { counter: Mutex::new(Counter::new(instance)), known: tokio::sync::Mutex::default() }
    }

    fn counter(&self) -> std::sync::MutexGuard<'_, Counter> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call.
    pub(super) fn count(&self, earns: bool) {
        self.counter().count(earns, now_ms());
    }

    /// The total balance and calls of all processes, as far as known, for the file of events.
    pub(super) async fn shown(&self, kernel: &HttpKernel) -> (u64, u64) {
        if !self.counter().has_seen() {
            // Purses that cannot be summed now are summed next time.
            let _ = self.look(kernel).await;
        }
        self.counter().shown()
    }

    /// Writes the purse. Nobody else writes it, so one write is enough.
    pub(super) async fn write(&self, kernel: &HttpKernel) {
        note(self.put(kernel).await);
    }

    /// Writes the purse and releases it to the next process.
    pub(super) async fn write_last(&self, kernel: &HttpKernel) {
        self.write(kernel).await;
        if let Some(name) = self.held() {
            note(coins::leave(kernel, &name).await);
        }
    }

    /// The name of the held purse.
    fn held(&self) -> Option<String> {
        let counter = self.counter();
        counter.holds().then(|| counter.name())
    }

    /// Writes the counts into the purse. Without news it writes nothing: another process may hold the purse by now.
    async fn put(&self, kernel: &HttpKernel) -> Result<(), KernelError> {
        let name = {
            let mut counter = self.counter();
            counter.let_go(now_ms());
            if !counter.owes() {
                return Ok(());
            }
            counter.name()
        };
        if self.held().is_none() {
            let purse = coins::hold(kernel, &name).await?;
            self.counter().hold(purse, now_ms());
        }
        let filled = self.counter().filled(now_ms());
        if let Some(filled) = filled {
            coins::write(kernel, &name, &filled.purse).await?;
            self.counter().put(filled);
        }
        Ok(())
    }

    /// Writes the sums for read-only viewers; at the end of the process, because `puppyEvents.json` has them too.
    pub(super) async fn show(&self, kernel: &HttpKernel) {
        let shown = async { coins::show(kernel, &self.look(kernel).await?).await };
        note(shown.await);
    }

    async fn look(&self, kernel: &HttpKernel) -> Result<Stats, KernelError> {
        let mut known = self.known.lock().await;
        let stats = coins::sum(kernel, &mut known).await?;
        self.counter().see(&stats);
        Ok(stats)
    }
}

fn note(written: Result<(), KernelError>) {
    if let Err(error) = written {
        tracing::debug!("the purse was not written: {error:?}");
    }
}
