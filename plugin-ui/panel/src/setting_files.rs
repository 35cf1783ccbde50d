//! The files of settings that the panel saves immediately. A change leaves the rest of the file unchanged.

use async_lock::Mutex;
use puppy_core::config::{ACCESS_FILE, AccessFile, AccessKey, HTTP_FILE};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::server::{HttpChange, HttpSettings};
use puppy_ui_web::state::trouble::StorageTrouble;

use crate::channel;

/// A write contains the whole file, so changes are made one after the other: each reads the one before it.
static CHANGES: Mutex<()> = Mutex::new(());

/// The settings of the server.
pub(crate) async fn read_server() -> Result<HttpSettings, StorageTrouble> {
    Ok(HttpSettings::read(&PageKernel).await?)
}

/// Changes the settings of the server and notifies the servers.
pub(crate) async fn save_server(change: &HttpChange) -> Result<(), StorageTrouble> {
    let _turn = CHANGES.lock().await;
    HttpSettings::save(&PageKernel, change).await?;
    tell(HTTP_FILE);
    Ok(())
}

/// The settings of access.
pub(crate) async fn read_access() -> Result<AccessFile, StorageTrouble> {
    Ok(AccessFile::read(&PageKernel).await?)
}

/// Changes a setting of access and notifies the servers.
pub(crate) async fn save_access(key: AccessKey, value: &str) -> Result<(), StorageTrouble> {
    let _turn = CHANGES.lock().await;
    AccessFile::save(&PageKernel, key, value).await?;
    tell(ACCESS_FILE);
    Ok(())
}

fn tell(file: &'static str) {
    host::spawn(async move {
        channel::changed(&[file]).await;
    });
}
