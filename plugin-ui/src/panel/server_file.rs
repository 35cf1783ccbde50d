//! The settings of the server in their file: read, and changed with the rest of it kept.

use puppy_core::config::HTTP_FILE;
use puppy_plugin_ui::host;
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::server::{Change, HttpSettings};
use puppy_plugin_ui::state::trouble::StorageTrouble;

use crate::line;

/// The settings in the file.
pub(crate) async fn read() -> Result<HttpSettings, StorageTrouble> {
    Ok(HttpSettings::read(&PageKernel).await?)
}

/// Changes the file, keeps the rest of it, and tells the servers.
pub(crate) async fn save(change: &Change) -> Result<(), StorageTrouble> {
    HttpSettings::save(&PageKernel, change).await?;
    host::spawn(async {
        line::changed(&[HTTP_FILE]).await;
    });
    Ok(())
}
