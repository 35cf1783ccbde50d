//! The pause of every call of agents, without the panel.

use puppy_plugin_ui::state::server::Change;

use crate::server_file;

/// Pauses, or lets agents go on; without a wish the other of both. Returns what holds now.
pub(crate) async fn pause(wanted: Option<bool>) -> Option<String> {
    let is = match wanted {
        Some(is) => is,
        None => !server_file::read().await.ok()?.is_paused(),
    };
    server_file::save(&Change::Paused(is)).await.ok()?;
    Some(is.to_string())
}
