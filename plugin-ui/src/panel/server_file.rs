//! The settings of the server in their file: read, and changed with the rest of it kept.

use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::server::{Change, HttpSettings};
use puppy_plugin_ui::state::trouble::StorageTrouble;

/// The settings in the file.
pub(crate) async fn read() -> Result<HttpSettings, StorageTrouble> {
    Ok(HttpSettings::read(&PageKernel).await?)
}

/// Changes the file and keeps the rest of it.
pub(crate) async fn save(change: &Change) -> Result<(), StorageTrouble> {
    Ok(HttpSettings::save(&PageKernel, change).await?)
}
