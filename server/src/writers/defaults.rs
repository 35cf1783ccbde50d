//! Default switches at first start: written once, and only if the file is certainly missing (B-233).

use std::time::Duration;

use puppy_core::config::{SWITCHES_FILE, Switches};
use puppy_core::kernel::{KernelError, files};

use crate::kernel::HttpKernel;

/// The interval at which an unresponsive kernel is asked again.
const AGAIN: Duration = Duration::from_secs(20);

/// Writes the defaults as soon as the kernel has reported that the file is missing.
pub(super) async fn write_once(kernel: &HttpKernel) {
    let path = format!("{}{SWITCHES_FILE}", files::STORAGE);
    loop {
        match files::read(kernel, &path).await {
            Ok(Some(_)) => return,
            Ok(None) => {
                let bytes = Switches::default().to_json().into_bytes();
                if let Err(error) = files::write(kernel, &path, bytes).await {
                    tracing::debug!("the default switches were not written: {error:?}");
                }
                return;
            }
            Err(KernelError::Refused | KernelError::TimedOut) => tokio::time::sleep(AGAIN).await,
            // An unreadable file is not a missing one: a person has to look at it.
            Err(_) => return,
        }
    }
}
