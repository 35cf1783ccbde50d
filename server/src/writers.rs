//! Records activity for the puppy and for people: events, coins, analytics and runs, written through the kernel in the background.
//!
//! A call only notes the event, and only the end of the process waits for the writes. A failed write is retried with
//! the next one and does no harm (B-037, B-255).

mod beat;
mod defaults;
mod runs;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use puppy_core::activity::journal::Journal;
use puppy_core::activity::{CallEnd, Observer, Outcome, Record, instance};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::{Ambient, KernelError};
use puppy_core::output::{Reply, is_partial};
use puppy_core::runs::Runs;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::channel::Channel;
use crate::kernel::HttpKernel;
use beat::Beat;
use runs::Ledger;

/// The time that shutdown waits for the last writes; the process has 2 s after its parent's end (B-145).
const LAST_WRITES: Duration = Duration::from_millis(1_200);

/// The time between an event and its write: a call that takes less costs one write.
const LEAD: Duration = Duration::from_millis(20);
/// The shortest interval between two writes of a file.
const EVERY: Duration = Duration::from_secs(1);

/// The observer of the process, with the files it writes.
#[derive(Debug)]
pub struct Writers {
    files: Arc<WrittenFiles>,
    /// Stops the background task between two writes.
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct WrittenFiles {
    kernel: HttpKernel,
    /// Tells the pages of new events.
    channel: Channel,
    journal: Journal,
    ledger: Ledger,
    beat: Beat,
    /// The calls that were answered while their questions wait in SiYuan, by question: their lines are written with the
    /// person's answer.
    open: Mutex<HashMap<String, (Record, CallEnd)>>,
}

impl Writers {
    /// A second observer of the same files; only the first one writes them.
    pub(crate) fn beside(&self) -> Writers {
        Writers { files: self.files.clone(), stop: self.stop.clone(), task: Mutex::default() }
    }

    /// Makes writers whose background task has not started; without [`Writers::start`] everything is written at the
    /// end.
    pub fn new(kernel: HttpKernel) -> Writers {
        Writers::telling(Channel::new(), kernel)
    }

    /// Like `new`; the pages on the channel are notified of new events.
    pub(crate) fn telling(channel: Channel, kernel: HttpKernel) -> Writers {
        let instance = instance(kernel.now_ms(), kernel.random());
        let stop = CancellationToken::new();
        let files = WrittenFiles {
            journal: Journal::new(instance),
            ledger: Ledger::new(stop.clone()),
            beat: Beat::new(stop.clone()),
            open: Mutex::default(),
            kernel,
            channel,
        };
        Writers { files: Arc::new(files), stop, task: Mutex::new(None) }
    }

    /// The runs of the process, for its engine.
    pub fn runs(&self) -> Arc<Runs> {
        self.files.ledger.runs()
    }

    /// Starts the one background task.
    pub fn start(&self) {
        let files = self.files.clone();
        let task = tokio::spawn(async move {
            tokio::join!(files.keep_written(), files.ledger.keep_written(&files.kernel));
        });
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }

    /// Writes the default switches if a person has none yet, once the kernel answers (B-233).
    ///
    /// The returned task need not be awaited.
    pub fn write_defaults(&self) -> JoinHandle<()> {
        let kernel = self.files.kernel.clone();
        tokio::spawn(async move { defaults::write_once(&kernel).await })
    }

    /// Stops the background task and writes the rest; gives up if the kernel does not accept it.
    pub async fn finish(&self) {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.stop.cancel();
        let files = &self.files;
        // Nobody answers them any more.
        let unanswered: Vec<String> = files.open().keys().cloned().collect();
        for question in unanswered {
            self.settle(&question, &Err(ToolError::new(ErrorType::Expired, "")));
        }
        let last = async {
            if let Some(task) = task {
                let _ = task.await;
            }
            if files.journal.is_used() {
                // Coins first: they exist nowhere else, and time may run out. Then the way back of the last change.
                note(files.journal.release(&files.kernel).await);
                files.ledger.write(&files.kernel).await;
                note(files.journal.finish(&files.kernel).await);
            }
        };
        if tokio::time::timeout(LAST_WRITES, last).await.is_err() {
            tracing::debug!("the last events were not written in time");
        }
    }
}

impl Writers {
    /// Whether a call was answered while this question waited.
    pub fn has_left(&self, question: &str) -> bool {
        self.files.open().contains_key(question)
    }

    /// Notes what came of a question whose call was answered before: the record of that call gets its end.
    pub fn settle(&self, question: &str, reply: &Reply) {
        let Some((record, so_far)) = self.files.open().remove(question) else { return };
        let waited_ms = self.files.kernel.now_ms().saturating_sub(record.started_ms);
        let waited = waited_ms.saturating_sub(so_far.duration_ms);
        let ended = CallEnd {
            outcome: Outcome::of(reply),
            // Of several documents the one with the title may be the one that stayed.
            title: so_far.title.clone().filter(|_| !is_partial(reply)),
            duration_ms: so_far.duration_ms.saturating_add(waited),
            waited_ms: so_far.waited_ms.saturating_add(waited),
            ..so_far
        };
        self.ended(&record, &ended);
    }
}

impl WrittenFiles {
    /// Writes whatever is new: shortly after a pause, then at a limited rate, until the process stops.
    async fn keep_written(&self) {
        while let Some(began) = self.beat.news().await {
            self.beat.rest(began, LEAD).await;
            note(self.journal.write(&self.kernel, self.channel.changes()).await);
            // Pages that show calls read all these files now.
            self.channel.stir();
            self.beat.rest(began, EVERY).await;
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, (Record, CallEnd)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Writers {
    fn started(&self, record: &Record) {
        self.files.journal.started(record);
        self.files.beat.wake();
    }

    fn asked(&self, record: &Record, so_far: &CallEnd) {
        self.files.journal.asked(record, so_far);
        self.files.beat.wake();
    }

    fn left(&self, record: &Record, so_far: &CallEnd, question: &str) {
        self.asked(record, so_far);
        let kept = (record.clone(), so_far.clone());
        let before = self.files.open().insert(question.to_owned(), kept);
        // A call that asks again waits for the same question: the earlier one has no other end.
        if let Some((record, so_far)) = before {
            self.ended(&record, &so_far);
        }
    }

    fn ended(&self, record: &Record, ended: &CallEnd) {
        self.files.journal.ended(record, ended);
        self.files.ledger.stir();
        self.files.channel.touched(ended);
        self.files.beat.wake();
    }
}

/// A failed write does no harm: the next one makes up for it.
fn note(written: Result<(), KernelError>) {
    if let Err(error) = written {
        tracing::debug!("the record of calls was not written: {error:?}");
    }
}
