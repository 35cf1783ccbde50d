//! Sync with the service that the person set up.

use serde::Deserialize;
use serde_json::Value;

use super::endpoints;

endpoints! { "/api/sync/";
    /// Sends and receives everything; code 0 without effect while sync is switched off.
    silent PERFORM_SYNC perform_sync() -> Value = "performSync" {};
    /// The outcome of the last sync. Names of devices stay unread.
    read GET_SYNC_INFO get_sync_info() -> SyncInfo = "getSyncInfo" {};
}

/// Reply of `getSyncInfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct SyncInfo {
    /// Milliseconds since 1970; 0 if there was none.
    pub synced: u64,
    /// The outcome in words, which count what was sent.
    pub stat: String,
}
