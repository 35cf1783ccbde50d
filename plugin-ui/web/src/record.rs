//! The record of calls in the kernel's files: read again where it changed, and cleared.

use puppy_core::activity::analytics::{CLEARED_FILE, FOLDER, cleared};
use puppy_core::activity::events::EVENTS_FILE;
use puppy_core::kernel::api::file::Entry;
use puppy_core::kernel::api::{file, system};
use puppy_core::kernel::{ask, files};

use crate::host;
use crate::kernel::{PageKernel, events};
use crate::state::calls::Calls;
use crate::state::trouble::StorageTrouble;
use serde_json::Value;

/// The most files that are read, the newest: every process writes one of its own.
const MOST_FILES: usize = 500;
/// The number of calls after which no older file is read.
const MOST_CALLS: usize = 50_000;
/// A file that changed so many seconds ago may change again within the second that the kernel tells.
const FRESH_S: u64 = 3;

#[derive(Debug)]
struct ReadFile {
    name: String,
    updated: u64,
    calls: Calls,
}

/// The files read so far.
#[derive(Debug, Default)]
pub struct Record(Vec<ReadFile>);

impl Record {
    /// The newest calls, and whether older ones are left out.
    ///
    /// # Errors
    /// Returns the reason why nothing was read.
    pub async fn read(&mut self) -> Result<(Calls, bool), StorageTrouble> {
        let mut entries = Vec::new();
        for entry in files::list(&PageKernel, &path(FOLDER)).await? {
            // Newest first; names start with the time of their process. `sort_by` would add 4 kB of code.
            let is_newer = |it: &Entry| (it.updated, &it.name) > (entry.updated, &entry.name);
            let at = entries.partition_point(is_newer);
            entries.insert(at, entry);
        }
        let mut is_cut = entries.len() > MOST_FILES;
        entries.truncate(MOST_FILES);
        let now_s = host::now_ms() / 1_000;
        let mut earlier = std::mem::take(&mut self.0);
        let mut count = 0;
        for entry in entries {
            if count >= MOST_CALLS {
                is_cut = true;
                break;
            }
            let is_same = |it: &ReadFile| it.name == entry.name && it.updated == entry.updated;
            let known = earlier.iter().position(is_same).filter(|_| entry.updated + FRESH_S <= now_s);
            let own = match known {
                Some(at) => earlier.swap_remove(at),
                None => {
                    let bytes = files::read(&PageKernel, &path(&format!("{FOLDER}{}", entry.name))).await?;
                    let calls = bytes.map(|bytes| Calls::parse(&bytes)).unwrap_or_default();
                    ReadFile { name: entry.name, updated: entry.updated, calls }
                }
            };
            count += own.calls.calls.len();
            self.0.push(own);
        }
        let mut all = Calls::default();
        for own in &self.0 {
            all.add(&own.calls);
        }
        if let Some(file) = events().await.flatten() {
            all.join(&file);
        }
        all.lapse(host::now_ms());
        let moment = files::read(&PageKernel, &path(CLEARED_FILE)).await?;
        if let Some(moment) = moment.and_then(|bytes| cleared(&bytes, host::now_ms())) {
            all.forget(moment);
        }
        Ok((all, is_cut))
    }
}

/// Deletes the record permanently. The time is written first, and `tell` notifies the servers of the changed
/// [`CLEARED_FILE`]: a server with pending lines reads it before it writes.
///
/// # Errors
/// Returns the reason why a part of it is left.
pub async fn clear(tell: impl AsyncFnOnce()) -> Result<(), StorageTrouble> {
    let now = ask(&PageKernel, system::current_time()).await?;
    files::write(&PageKernel, &path(CLEARED_FILE), now.to_string().into_bytes()).await?;
    tell().await;
    for entry in files::list(&PageKernel, &path(FOLDER)).await? {
        ask(&PageKernel, file::remove_file(&path(&format!("{FOLDER}{}", entry.name)))).await?;
    }
    let path = path(EVENTS_FILE);
    let events = files::read(&PageKernel, &path).await?;
    // Balance and number of calls stay.
    if let Some(Value::Object(mut file)) = events.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        file.insert("events".to_owned(), Value::Array(Vec::new()));
        files::write(&PageKernel, &path, Value::Object(file).to_string().into_bytes()).await?;
    }
    Ok(())
}

fn path(name: &str) -> String {
    format!("{}{name}", files::TEMP)
}
