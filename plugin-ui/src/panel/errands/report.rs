//! The usage report: sent to the address that a person gave, where it was switched on and is due (B-272).

use puppy_plugin_ui::host;
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::report::{ReportSettings, report};

use crate::record::Record;

/// The time that the receiver may take, in milliseconds.
const DEADLINE_MS: u32 = 15_000;

/// Sends the report if it is due; failures are ignored.
pub(crate) async fn send() -> Option<String> {
    let now = host::clock();
    let mut settings = ReportSettings::read(&PageKernel).await.ok()?;
    if !settings.is_due(now.now_ms) {
        return None;
    }
    let (calls, _) = Record::default().read().await.ok()?;
    // Noted first: a receiver that fails is not asked more often than one that works.
    settings.note_sent(now.now_ms);
    settings.write(&PageKernel).await.ok()?;
    let _ = host::net::post(settings.address(), &report(&calls, now), DEADLINE_MS).await;
    Some("sent".to_owned())
}
