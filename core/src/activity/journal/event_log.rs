//! `puppyEvents.json`: the newest events of all processes (B-290).

use std::sync::{Mutex, PoisonError};

use super::purse_keeper::PurseKeeper;
use crate::activity::events::{EVENTS_FILE, Event, EventFile, keep};
use crate::activity::{CallEnd, Record};
use crate::kernel::{Kernel, KernelError, files};

/// Events that are not in the file yet.
#[derive(Debug)]
pub(super) struct EventLog {
    instance: String,
    waiting: Mutex<PendingEvents>,
}

#[derive(Debug, Default)]
struct PendingEvents {
    seq: u64,
    events: Vec<Event>,
}

impl EventLog {
    pub(super) fn new(instance: String) -> EventLog {
        EventLog { instance, waiting: Mutex::default() }
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
    pub(super) async fn write(&self, kernel: &dyn Kernel, purse: &PurseKeeper) -> Result<(), KernelError> {
        let new = std::mem::take(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner).events);
        if new.is_empty() {
            return Ok(());
        }
        let path = format!("{}{EVENTS_FILE}", files::TEMP);
        let present = files::read(kernel, &path).await?;
        let mut file = present.and_then(|bytes| EventFile::parse(&bytes)).unwrap_or_default();
        file.add(new);
        (file.balance, file.total_calls) = purse.shown(kernel).await;
        // Serializing it cannot fail.
        files::write(kernel, &path, serde_json::to_vec(&file).unwrap_or_default()).await
    }
}
