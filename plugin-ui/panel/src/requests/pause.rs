//! The pause of every call of agents, without the panel.

use puppy_ui_web::state::server::HttpChange;

use crate::setting_files::{read_server, save_server};

/// Pauses or resumes all calls; `None` toggles. Returns the new state.
pub(crate) async fn pause(wanted: Option<bool>) -> Option<String> {
    let is = match wanted {
        Some(is) => is,
        None => !read_server().await.ok()?.is_paused(),
    };
    save_server(&HttpChange::Paused(is)).await.ok()?;
    Some(is.to_string())
}
