//! The runtimes of commands and of servers.

use tokio::runtime::{Builder, Runtime};

use crate::words::ErrorWords;

/// The maximum number of threads of a server that block or compute.
const MOST_BLOCKED: usize = 128;
/// The stack of a thread, in bytes: that of the main thread, which runs the calls of commands.
const STACK: usize = 8 * 1024 * 1024;

/// Makes the runtime of a command, or a sentence for the user.
pub(super) fn new() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_all().build().map_err(failed)
}

/// Makes the runtime of a server: one thread serves, and another takes its place while a call computes
/// ([`crate::aside`]).
pub(super) fn serving() -> Result<Runtime, String> {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(1).max_blocking_threads(MOST_BLOCKED).thread_stack_size(STACK);
    builder.enable_all().build().map_err(failed)
}

#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn failed(error: std::io::Error) -> String {
    ErrorWords::here().cannot_start(error)
}
