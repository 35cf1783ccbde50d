//! The engine of all calls that run in the page.

use std::rc::Rc;
use std::sync::Arc;

use puppy_core::dispatch::Engine;
use puppy_core::runs::Runs;
use puppy_ui_web::host::Host;

use crate::journal::Recorder;
use crate::kernel::{self, PatientKernel};

/// The engine of this page.
pub(crate) type PageEngine = Engine<PatientKernel, Recorder>;

thread_local! {
    /// One for all calls, so that the index is flushed once and statements take turns.
    static ENGINE: Rc<PageEngine> =
        Rc::new(Engine::new(PatientKernel, Recorder).keeping(RUNS.with(Arc::clone)));
    /// The ledger of these calls: a person's changes have a way back too.
    static RUNS: Arc<Runs> = Arc::default();
}

/// The engine, for a call from this page.
pub(crate) fn engine(page: &Host) -> Rc<PageEngine> {
    kernel::serves(page);
    ENGINE.with(Rc::clone)
}

/// Records what the last calls changed: before their answers, so that a list that is read next has it.
pub(crate) async fn record_runs() {
    let runs = RUNS.with(Arc::clone);
    if runs.has_news() {
        runs.settle(&PatientKernel).await;
    }
}
