//! `puppyEvents.json`: the newest events of all processes (B-290).

use std::sync::{Mutex, PoisonError};

use puppy_core::activity::events::{EVENTS_FILE, Event, EventFile, keep};
use puppy_core::activity::{CallEnd, Record};
use puppy_core::kernel::files;

use super::purse::Purse;
use crate::kernel::HttpKernel;

/// Events that are not in the file yet.
#[derive(Debug)]
pub(super) struct Events {
    instance: String,
    waiting: Mutex<PendingEvents>,
}

#[derive(Debug, Default)]
struct PendingEvents {
    seq: u64,
    events: Vec<Event>,
}

impl Events {
    pub(super) fn new(instance: String) -> Events {
        Events { instance, waiting: Mutex::default() }
    }

    pub(super) fn started(&self, record: &Record) {
        self.add(|seq| Event::started(seq, &self.instance, record));
    }

    pub(super) fn ended(&self, record: &Record, ended: &CallEnd) {
        self.add(|seq| Event::ended(seq, &self.instance, record, ended));
    }

    /// The number is assigned under the lock, so that numbers rise in the file.
    fn add(&self, event: impl FnOnce(u64) -> Event) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.seq += 1;
        let event = event(waiting.seq);
        waiting.events.push(event);
        // The file keeps no more; without this bound an unreachable kernel would let the memory grow.
        keep(&mut waiting.events);
    }

    /// Adds the waiting events to the file. A lost event does no harm, so nothing is retried.
    pub(super) async fn write(&self, kernel: &HttpKernel, purse: &Purse) {
        let new = std::mem::take(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner).events);
        if new.is_empty() {
            return;
        }
        let path = format!("{}{EVENTS_FILE}", files::TEMP);
        let Ok(present) = files::read(kernel, &path).await else { return };
        let mut file = present.and_then(|bytes| EventFile::parse(&bytes)).unwrap_or_default();
        file.add(new);
        (file.balance, file.total_calls) = purse.shown(kernel).await;
        if let Ok(bytes) = serde_json::to_vec(&file)
            && let Err(error) = files::write(kernel, &path, bytes).await
        {
            tracing::debug!("{EVENTS_FILE} was not written: {error:?}");
        }
    }
}
