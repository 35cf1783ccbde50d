//! The files of settings that the panel saves immediately. A change leaves the rest of the file unchanged.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use puppy_core::config::{ACCESS_FILE, AccessFile, AccessKey, HTTP_FILE};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::server::{HttpChange, HttpSettings};
use puppy_ui_web::state::trouble::StorageTrouble;

use crate::channel;

/// The settings of the server.
pub(crate) async fn read_server() -> Result<HttpSettings, StorageTrouble> {
    Ok(HttpSettings::read(&PageKernel).await?)
}

/// Changes the settings of the server and notifies the servers.
pub(crate) async fn save_server(change: &HttpChange) -> Result<(), StorageTrouble> {
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
    AccessFile::save(&PageKernel, key, value).await?;
    tell(ACCESS_FILE);
    Ok(())
}

/// A change of a settings file.
pub(crate) enum SettingChange {
    Http(HttpChange),
    Access(AccessKey, String),
}

impl SettingChange {
    /// Saves the change and notifies the servers.
    async fn save(self) -> Result<(), StorageTrouble> {
        match self {
            SettingChange::Http(change) => save_server(&change).await,
            SettingChange::Access(key, value) => save_access(key, &value).await,
        }
    }
}

/// The changes on their way to the files; clones share them. They are saved one after the other, because a write contains
/// the whole file.
#[derive(Clone, Default)]
pub(crate) struct SettingQueue(Rc<PendingChanges>);

#[derive(Default)]
struct PendingChanges {
    changes: RefCell<VecDeque<SettingChange>>,
    is_saving: Cell<bool>,
}

impl SettingQueue {
    /// Whether a change is not saved yet.
    pub(crate) fn is_saving(&self) -> bool {
        self.0.is_saving.get()
    }

    /// Saves a change. Once no other waits, `done` hears whether one failed. The work continues after the page is left.
    pub(crate) fn change(&self, change: SettingChange, done: impl FnOnce(Option<StorageTrouble>) + 'static) {
        self.0.changes.borrow_mut().push_back(change);
        if self.0.is_saving.replace(true) {
            return;
        }
        let pending = self.0.clone();
        host::spawn(async move {
            let mut failed = None;
            loop {
                let next = pending.changes.borrow_mut().pop_front();
                let Some(change) = next else { break };
                failed = change.save().await.err().or(failed);
            }
            pending.is_saving.set(false);
            done(failed);
        });
    }
}

fn tell(file: &'static str) {
    host::spawn(async move {
        channel::changed(&[file]).await;
    });
}
