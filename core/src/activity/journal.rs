//! The record that one process keeps of its calls, for the puppy and for people: events, coins and analytics.
//!
//! Calls are only noted. A driver writes the files now and then; a failed write is retried with the next one.

mod analytics_log;
mod event_log;
mod purse_keeper;

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{join, join3};

use self::analytics_log::AnalyticsLog;
use self::event_log::EventLog;
use self::purse_keeper::PurseKeeper;
use super::{CallEnd, Record};
use crate::kernel::{Kernel, KernelError};
use crate::spec::Tool;

/// The record of one process.
#[derive(Debug)]
pub struct Journal {
    events: EventLog,
    purse: PurseKeeper,
    analytics: AnalyticsLog,
    /// Whether a call has been made: an unused process writes nothing.
    is_used: AtomicBool,
}

impl Journal {
    /// The record of a process by its name in the puppy's files; see [`instance`](super::instance).
    pub fn new(instance: String) -> Journal {
        Journal {
            events: EventLog::new(instance.clone()),
            analytics: AnalyticsLog::new(&instance),
            purse: PurseKeeper::new(instance),
            is_used: AtomicBool::new(false),
        }
    }

    /// Notes that a call began. Every call earns a coin, failed ones too; the puppy's own tool earns none (B-291).
    pub fn started(&self, record: &Record) {
        self.is_used.store(true, Ordering::Relaxed);
        self.purse.count(record.spec.tool != Tool::Mascot, record.started_ms);
        self.events.started(record);
    }

    /// Notes that a call waits for a person.
    pub fn asked(&self, record: &Record, so_far: &CallEnd) {
        self.events.ended(record, so_far);
    }

    /// Notes that a call ended.
    pub fn ended(&self, record: &Record, ended: &CallEnd) {
        self.events.ended(record, ended);
        self.analytics.note(record, ended);
    }

    /// Whether a call has been made.
    pub fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    /// Writes what is new. `changes` counts the changes that pages have reported, `None` without a connected page: a person
    /// clears the record in a page.
    ///
    /// # Errors
    /// Returns the first failure; the rest is written all the same.
    pub async fn write(&self, kernel: &dyn Kernel, changes: Option<u64>) -> Result<(), KernelError> {
        // The events contain the sum of all purses, which must not change hands meanwhile.
        let events = self.events.write(kernel, &self.purse).await;
        let (purse, analytics) = join(self.purse.write(kernel), self.analytics.write(kernel, changes)).await;
        events.and(purse).and(analytics)
    }

    /// Writes the coins and releases their purse to the next process: they exist nowhere else.
    ///
    /// # Errors
    /// If a request failed.
    pub async fn release(&self, kernel: &dyn Kernel) -> Result<(), KernelError> {
        self.purse.write_last(kernel).await
    }

    /// Writes the rest after [`Journal::release`], with the sums for those who only display them.
    ///
    /// # Errors
    /// Returns the first failure; the rest is written all the same.
    pub async fn finish(&self, kernel: &dyn Kernel) -> Result<(), KernelError> {
        let (events, shown, analytics) = join3(
            self.events.write(kernel, &self.purse),
            self.purse.show(kernel),
            self.analytics.write(kernel, None),
        )
        .await;
        events.and(shown).and(analytics)
    }
}
