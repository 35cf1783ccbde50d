//! The runtime of a command: one thread, because calls wait for SiYuan and compute little.

use tokio::runtime::{Builder, Runtime};

/// Makes the runtime, or a sentence for the user.
pub(super) fn new() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_all().build().map_err(|error| format!("cannot start: {error}"))
}
