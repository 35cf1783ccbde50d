//! The files of runs: what each change did is read and written as soon as its call was answered.

use std::sync::Arc;
use std::time::Duration;

use puppy_core::runs::Runs;
use tokio_util::sync::CancellationToken;

use super::beat::Beat;
use crate::kernel::HttpKernel;

/// The shortest interval between two writes. It is short, because what a person changes before the documents are read
/// would count as the agent's.
const EVERY: Duration = Duration::from_millis(50);

/// The ledger of the process.
#[derive(Debug)]
pub(super) struct Ledger {
    runs: Arc<Runs>,
    beat: Beat,
}

impl Ledger {
    pub(super) fn new(stop: CancellationToken) -> Ledger {
        Ledger { runs: Arc::default(), beat: Beat::new(stop) }
    }

    /// The runs that it writes.
    pub(super) fn runs(&self) -> Arc<Runs> {
        Arc::clone(&self.runs)
    }

    /// Wakes the writer if a call changed something.
    pub(super) fn stir(&self) {
        if self.runs.has_news() {
            self.beat.wake();
        }
    }

    pub(super) async fn keep_written(&self, kernel: &HttpKernel) {
        while let Some(began) = self.beat.news().await {
            self.write(kernel).await;
            self.beat.rest(began, EVERY).await;
        }
    }

    /// Records what waits.
    pub(super) async fn write(&self, kernel: &HttpKernel) {
        if self.runs.has_news() {
            self.runs.settle(kernel).await;
        }
    }
}
