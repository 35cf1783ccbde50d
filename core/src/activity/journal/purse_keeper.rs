//! The purse of this process: writes its coins and calls (B-291).

use std::sync::{Mutex, PoisonError};

use crate::activity::coins;
use crate::activity::counter::Counter;
use crate::activity::stats::Stats;
use crate::kernel::{Kernel, KernelError};

/// The counts of this process.
#[derive(Debug)]
pub(super) struct PurseKeeper {
    counter: Mutex<Counter>,
    /// The purses of ended processes, which nobody changes any more.
    known: async_lock::Mutex<coins::PurseCache>,
}

impl PurseKeeper {
    pub(super) fn new(instance: String) -> PurseKeeper {
        PurseKeeper { counter: Mutex::new(Counter::new(instance)), known: async_lock::Mutex::default() }
    }

    fn counter(&self) -> std::sync::MutexGuard<'_, Counter> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call.
    pub(super) fn count(&self, earns: bool, now_ms: u64) {
        self.counter().count(earns, now_ms);
    }

    /// The total balance and calls of all processes, as far as known, for the file of events.
    pub(super) async fn shown(&self, kernel: &dyn Kernel) -> (u64, u64) {
        if !self.counter().has_seen() {
            // Purses that cannot be summed now are summed next time.
            let _ = self.look(kernel).await;
        }
        self.counter().shown()
    }

    /// Writes the purse and releases it to the next process.
    pub(super) async fn write_last(&self, kernel: &dyn Kernel) -> Result<(), KernelError> {
        let written = self.write(kernel).await;
        if let Some(name) = self.held() {
            coins::leave(kernel, &name).await?;
        }
        written
    }

    /// The name of the held purse.
    fn held(&self) -> Option<String> {
        let counter = self.counter();
        counter.holds().then(|| counter.name())
    }

    /// Writes the counts into the purse. Without news it writes nothing: another process may hold the purse by now. Nobody
    /// else writes it, so one write is enough.
    pub(super) async fn write(&self, kernel: &dyn Kernel) -> Result<(), KernelError> {
        let name = {
            let mut counter = self.counter();
            counter.let_go(kernel.now_ms());
            if !counter.owes() {
                return Ok(());
            }
            counter.name()
        };
        if self.held().is_none() {
            let purse = coins::hold(kernel, &name).await?;
            self.counter().hold(purse, kernel.now_ms());
        }
        let filled = self.counter().filled(kernel.now_ms());
        if let Some(filled) = filled {
            coins::write(kernel, &name, &filled.purse).await?;
            self.counter().put(filled);
        }
        Ok(())
    }

    /// Writes the sums for read-only viewers; at the end of the process, because `puppyEvents.json` has them too.
    pub(super) async fn show(&self, kernel: &dyn Kernel) -> Result<(), KernelError> {
        coins::show(kernel, &self.look(kernel).await?).await
    }

    async fn look(&self, kernel: &dyn Kernel) -> Result<Stats, KernelError> {
        let mut known = self.known.lock().await;
        let stats = coins::sum(kernel, &mut known).await?;
        self.counter().see(&stats);
        Ok(stats)
    }
}
