//! The stored files of settings: a file is read again only if the listing of its folder may hide a change.
//!
//! The listing says when each file was changed, in whole seconds, so a second change within one second shows nothing. A
//! content is reused only if it was read so long after its time of change was first seen that this second was over. Only
//! our own clock is compared with itself: the kernel's may be wrong.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::join_all;

use super::{ACCESS_FILE, AGENTS_FILE, GRANTS_FILE, HTTP_FILE, MADE_FILE, SWITCHES_FILE};
use crate::kernel::api::file;
use crate::kernel::{self, Kernel, KernelError, files};
use crate::sorted::IntoSorted as _;

/// The content of a file, or `None` if there is none.
type Content = Result<Option<Vec<u8>>, KernelError>;

/// The files of settings as they are now.
#[derive(Debug)]
pub(super) struct StoredSettings {
    pub(super) switches: Content,
    pub(super) grants: Content,
    pub(super) made: Content,
    pub(super) access: Content,
    pub(super) agents: Content,
    pub(super) http: Content,
}

/// The files as read before, by name.
#[derive(Debug, Default)]
pub(super) struct StoredFiles(Mutex<BTreeMap<&'static str, KeptFile>>);

#[derive(Debug, Clone)]
struct KeptFile {
    /// The time of its last change by the kernel's clock, in seconds since 1970.
    updated: u64,
    /// When this time was first seen, in milliseconds of our clock.
    seen_ms: u64,
    /// When the content was read, in milliseconds of our clock.
    read_ms: u64,
    content: Vec<u8>,
}

impl KeptFile {
    /// The time in milliseconds after which the second of a change is over, however the clocks round.
    const SETTLED_MS: u64 = 2_000;

    /// Whether no later change can have the same time.
    fn is_settled(&self) -> bool {
        self.read_ms.checked_sub(self.seen_ms).is_some_and(|it| it >= Self::SETTLED_MS)
    }
}

impl StoredFiles {
    /// Lists the folder and reads every file that may have changed, all side by side.
    pub(super) async fn read(&self, kernel: &dyn Kernel) -> StoredSettings {
        let listed = times(kernel).await;
        let now = kernel.now_ms();
        let read = async |name: &'static str| self.file(kernel, name, listed.as_ref(), now).await;
        let names = [SWITCHES_FILE, GRANTS_FILE, MADE_FILE, ACCESS_FILE, AGENTS_FILE, HTTP_FILE];
        let mut read = join_all(names.map(read)).await.into_iter();
        let mut next = || read.next().unwrap_or(Ok(None));
        StoredSettings {
            switches: next(),
            grants: next(),
            made: next(),
            access: next(),
            agents: next(),
            http: next(),
        }
    }

    async fn file(
        &self,
        kernel: &dyn Kernel,
        name: &'static str,
        listed: Option<&BTreeMap<String, u64>>,
        now: u64,
    ) -> Content {
        let updated = listed.map(|it| it.get(name).copied());
        if updated == Some(None) {
            self.kept().remove(name);
            return Ok(None);
        }
        let known = self.kept().get(name).filter(|it| updated == Some(Some(it.updated))).cloned();
        if let Some(known) = known.as_ref().filter(|it| it.is_settled()) {
            return Ok(Some(known.content.clone()));
        }
        let content = files::read(kernel, &files::stored(name)).await;
        let mut kept = self.kept();
        match (&content, updated.flatten()) {
            (Ok(Some(content)), Some(updated)) => {
                let seen_ms = known.map_or(now, |it| it.seen_ms);
                kept.insert(name, KeptFile { updated, seen_ms, read_ms: now, content: content.clone() });
            }
            _ => drop(kept.remove(name)),
        }
        drop(kept);
        content
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<&'static str, KeptFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The times of change of all files of settings; `None` if the folder cannot be listed, which the kernel also answers
/// while a file is being replaced: then the files themselves say what is there.
async fn times(kernel: &dyn Kernel) -> Option<BTreeMap<String, u64>> {
    match kernel::ask(kernel, file::read_dir(files::STORAGE.trim_end_matches('/'))).await {
        // A folder in the place of a file counts as there, so that reading it fails.
        Ok(entries) => Some(entries.into_iter().map(|it| (it.name, it.updated)).into_map()),
        Err(KernelError::Code(404, _)) => Some(BTreeMap::new()),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use serde_json::{Value, json};

    use super::*;
    use crate::kernel::{Ambient, Answer, Body, Boxed, Request};

    /// A kernel whose folder has a table of levels, with a clock of its own.
    #[derive(Default)]
    struct Folder {
        now_ms: AtomicU64,
        /// Time of change and content of the table; none without a table.
        table: Mutex<Option<(u64, Value)>>,
        /// The status code of listings.
        fails: Mutex<Option<u16>>,
        reads: AtomicU64,
    }

    impl Ambient for Folder {
        fn now_ms(&self) -> u64 {
            self.now_ms.load(Ordering::Relaxed)
        }

        fn local_digits(&self) -> String {
            String::new()
        }

        fn random(&self) -> u64 {
            0
        }
    }

    impl Kernel for Folder {
        fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
            let table = self.table.lock().unwrap().clone();
            let missing = json!({ "code": 404, "msg": "", "data": null });
            let (status, body) = match &request.body {
                Body::Json(_) if request.route.path == file::READ_DIR.path => {
                    let entries = table.map(|(updated, _)| {
                        json!({ "name": GRANTS_FILE, "isDir": false, "isSymlink": false, "updated": updated })
                    });
                    let entries: Vec<_> = entries.into_iter().collect();
                    let status = self.fails.lock().unwrap().unwrap_or(200);
                    (status, json!({ "code": 0, "msg": "", "data": entries }))
                }
                Body::Json(body) => {
                    self.reads.fetch_add(1, Ordering::Relaxed);
                    match table {
                        Some((_, table)) if body["path"] == files::stored(GRANTS_FILE) => (200, table),
                        _ => (202, missing),
                    }
                }
                Body::File { .. } => (403, missing),
            };
            let answer = Answer { status, retry_after: None, body: body.to_string().into_bytes() };
            Box::pin(async { Ok(answer) })
        }

        fn pause(&self, _time: Duration) -> Boxed<'_, ()> {
            Box::pin(async {})
        }
    }

    impl Folder {
        fn write(&self, updated: u64, table: Value) {
            *self.table.lock().unwrap() = Some((updated, table));
        }

        /// The table at a moment, and how many files were read for it.
        fn read(&self, files: &StoredFiles, now_ms: u64) -> (Value, u64) {
            self.now_ms.store(now_ms, Ordering::Relaxed);
            self.reads.store(0, Ordering::Relaxed);
            let stored = files.read(self).now_or_never().unwrap();
            let table = stored.grants.unwrap().map_or(Value::Null, |it| serde_json::from_slice(&it).unwrap());
            (table, self.reads.load(Ordering::Relaxed))
        }
    }

    /// B-010: a file is read until its second is over, whatever the kernel's clock says, and then once per change.
    #[test]
    fn a_file_is_read_again_only_if_it_may_have_changed() {
        let (folder, files) = (Folder::default(), StoredFiles::default());
        let (first, second, third) = (json!({ "a": "r" }), json!({ "a": "rw" }), json!({ "a": "rwd" }));
        assert_eq!(folder.read(&files, 0), (Value::Null, 0));
        folder.write(9_000, first.clone());
        assert_eq!(folder.read(&files, 10_000), (first, 1));
        // In the same second of the kernel.
        folder.write(9_000, second.clone());
        assert_eq!(folder.read(&files, 10_900), (second.clone(), 1));
        assert_eq!(folder.read(&files, 12_000), (second.clone(), 1));
        assert_eq!([13_000, 99_000].map(|now| folder.read(&files, now)), [(second.clone(), 0), (second, 0)]);
        // An older time is another time: a file may come from another device.
        folder.write(8_000, third.clone());
        assert_eq!(folder.read(&files, 99_100), (third, 1));
        *folder.table.lock().unwrap() = None;
        assert_eq!(folder.read(&files, 99_200), (Value::Null, 0));
    }

    /// A clock that was set back keeps no content, and a folder that cannot be listed hides no file.
    #[test]
    fn without_a_listing_or_a_steady_clock_every_file_is_read() {
        let (folder, files) = (Folder::default(), StoredFiles::default());
        let table = json!({ "a": "none" });
        folder.write(5, table.clone());
        assert_eq!([50_000, 1_000, 2_000].map(|now| folder.read(&files, now).1), [1, 1, 1]);
        *folder.fails.lock().unwrap() = Some(500);
        assert_eq!([3_000, 90_000].map(|now| folder.read(&files, now)), [(table.clone(), 6), (table, 6)]);
    }
}
