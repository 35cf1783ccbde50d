//! The file of the puppy's settings. A change leaves the rest of the file unchanged.

use std::cell::RefCell;

use puppy_core::kernel::files;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::settings::{SETTINGS_FILE, SettingsFile};

thread_local! {
    /// Changes that wait for the present write to end: two writers at once would lose one.
    static WAITING: RefCell<(bool, Vec<(String, String)>)> = RefCell::default();
}

/// Sets a key and leaves the rest of the file unchanged; changes that arrive during a write are part of the next one.
pub(crate) async fn set(key: &str, value: &str) -> Option<String> {
    let is_written = WAITING.with_borrow_mut(|(is_written, waiting)| {
        waiting.push((key.to_owned(), value.to_owned()));
        std::mem::replace(is_written, true)
    });
    let mut saved = Some("done".to_owned());
    if is_written {
        return saved;
    }
    loop {
        let changes = WAITING.with_borrow_mut(|(is_written, waiting)| {
            *is_written = !waiting.is_empty();
            std::mem::take(waiting)
        });
        if changes.is_empty() {
            return saved;
        }
        saved = write(&changes).await;
    }
}

async fn write(changes: &[(String, String)]) -> Option<String> {
    let mut file = read().await?;
    for (key, value) in changes {
        file.set(key, value);
    }
    files::write(&PageKernel, &files::stored(SETTINGS_FILE), file.to_json().into_bytes()).await.ok()?;
    Some("done".to_owned())
}

/// Reads the file; an empty one where there is none.
pub(crate) async fn read() -> Option<SettingsFile> {
    let bytes = files::read(&PageKernel, &files::stored(SETTINGS_FILE)).await.ok()?;
    Some(bytes.map(|bytes| SettingsFile::parse(&bytes)).unwrap_or_default())
}
