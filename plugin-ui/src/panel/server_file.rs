//! The settings of the server in their file: read, and changed with the rest of it kept.

use puppy_core::config::HTTP_FILE;
use puppy_core::kernel::files;
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::server::{Change, HttpSettings};
use puppy_plugin_ui::state::trouble::{StorageTrouble, content};

/// The settings in the file.
pub(crate) async fn read() -> Result<HttpSettings, StorageTrouble> {
    content(files::read(&PageKernel, &path()).await?, HttpSettings::parse)
}

/// Changes the file and keeps the rest of it.
pub(crate) async fn save(change: &Change) -> Result<(), StorageTrouble> {
    let mut settings = read().await?;
    settings.set(change);
    files::write(&PageKernel, &path(), settings.to_json().into_bytes()).await?;
    Ok(())
}

fn path() -> String {
    format!("{}{HTTP_FILE}", files::STORAGE)
}
