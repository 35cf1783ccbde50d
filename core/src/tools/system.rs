//! The app itself: version and settings, messages, the screen, sync and snapshots.

pub mod ask_user;
mod back;
mod back_left;
mod back_order;
mod back_orders;
mod back_step;
mod back_text;
pub mod begin_errand;
mod changed;
pub mod create_snapshot;
pub mod get_changelog;
pub mod get_config;
pub mod get_info;
pub mod get_ui_state;
pub mod list_runs;
pub mod list_snapshots;
pub mod notify;
pub mod open_document;
mod own_agent;
pub mod put_back;
mod recovered;
pub mod reload_ui;
mod screen;
pub mod scroll_to_block;
mod snapshot;
pub mod sync;
mod sync_stat;
#[cfg(test)]
mod testing;

actions! {
    get_info::GetInfo,
    get_config::GetConfig,
    get_changelog::GetChangelog,
    notify::Notify,
    ask_user::AskUser,
    get_ui_state::GetUiState,
    open_document::OpenDocument,
    scroll_to_block::ScrollToBlock,
    reload_ui::ReloadUi,
    sync::Sync,
    list_runs::ListRuns,
    put_back::PutBack,
    begin_errand::BeginErrand,
    list_snapshots::ListSnapshots,
    create_snapshot::CreateSnapshot,
}
