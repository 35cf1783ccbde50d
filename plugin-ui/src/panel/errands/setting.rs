//! Changes one setting of the puppy in its file.

use puppy_core::kernel::files;
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::settings::{SETTINGS_FILE, SettingsFile};

/// Sets a key, whatever else the file says by now.
pub(crate) async fn set(key: &str, value: &str) -> Option<String> {
    let path = format!("{}{SETTINGS_FILE}", files::STORAGE);
    let bytes = files::read(&PageKernel, &path).await.ok()?;
    let mut file = bytes.map(|bytes| SettingsFile::parse(&bytes)).unwrap_or_default();
    file.set(key, value);
    files::write(&PageKernel, &path, file.to_json().into_bytes()).await.ok()?;
    Some("done".to_owned())
}
