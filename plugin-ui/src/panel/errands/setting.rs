//! The puppy's settings in their file: all of them, or one changed.

use puppy_core::kernel::files;
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::settings::{SETTINGS_FILE, Settings, SettingsFile};

/// Sets a key, whatever else the file says by now.
pub(crate) async fn set(key: &str, value: &str) -> Option<String> {
    let mut file = read_file().await?;
    file.set(key, value);
    files::write(&PageKernel, &path(), file.to_json().into_bytes()).await.ok()?;
    Some("done".to_owned())
}

/// What the file says.
pub(crate) async fn read() -> Option<Settings> {
    Some(read_file().await?.settings())
}

async fn read_file() -> Option<SettingsFile> {
    let bytes = files::read(&PageKernel, &path()).await.ok()?;
    Some(bytes.map(|bytes| SettingsFile::parse(&bytes)).unwrap_or_default())
}

fn path() -> String {
    format!("{}{SETTINGS_FILE}", files::STORAGE)
}
