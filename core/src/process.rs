//! State that the calls of one process share: cached SiYuan settings and version, skipped flashcards, whether the index is up to
//! date, the brake on questions, the share in undo logs, errands, and a lock on the plugin's files.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as Lock, MutexGuard as Locked, PoisonError};

use async_lock::{Mutex, MutexGuard};
use serde::de::DeserializeOwned;

use crate::brake::Brake;
use crate::errands::Errands;
use crate::error::ToolError;
use crate::kernel::api::query;
use crate::kernel::api::system::{self, ConfFields};
use crate::kernel::{self, Kernel, KernelError, TypedRequest};
use crate::runs::Runs;
use crate::siyuan::Siyuan;
use crate::text_lock::TextLock;
use crate::undo_share::UndoShare;

/// The part of this state that actions reach.
#[derive(Debug, Default)]
pub(crate) struct Process {
    conf: Timed<Arc<ConfFields>>,
    siyuan: Timed<Siyuan>,
    writing: Mutex<()>,
    /// The lock between writers of texts and of rows.
    pub(crate) texts: TextLock,
    skipped: Lock<SkippedCards>,
    /// The notebooks whose rules each session has received.
    heard: Lock<VecDeque<(String, BTreeSet<String>)>>,
    /// The number of times that a write of this process began or ended.
    writes: AtomicU64,
    statements: Mutex<Statements>,
    questions: Lock<Brake>,
    /// The ledger; a process without one records no runs.
    pub(crate) runs: Option<Arc<Runs>>,
    /// The share of calls in the undo logs of documents.
    pub(crate) undo: UndoShare,
    /// The active errands of all callers.
    pub(crate) errands: Arc<Errands>,
}

/// A value with the time at which it was read.
#[derive(Debug)]
struct Timed<T>(Mutex<Option<(u64, T)>>);

impl<T> Default for Timed<T> {
    fn default() -> Self {
        Timed(Mutex::default())
    }
}

impl<T: Clone> Timed<T> {
    /// The value, read again once it is older than `life_ms`; everybody waits for one read.
    async fn get(
        &self,
        now: u64,
        life_ms: u64,
        read: impl Future<Output = Result<T, KernelError>>,
    ) -> Result<T, KernelError> {
        let mut known = self.0.lock().await;
        if let Some((read_at, value)) = known.as_ref()
            && now.checked_sub(*read_at).is_some_and(|age| age < life_ms)
        {
            return Ok(value.clone());
        }
        let value = read.await?;
        *known = Some((now, value.clone()));
        Ok(value)
    }
}

/// The state that callers' own statements leave to later ones.
#[derive(Debug, Default)]
struct Statements {
    /// The time of one whose answer nobody awaited.
    left_alone: Option<u64>,
    /// The value of `writes` up to which the index has everything. A new process does not know what others wrote.
    flushed: Option<u64>,
}

/// A write that is under way. SiYuan may take it although its answer never arrives, or after the call was dropped, so
/// it counts when it begins and when it ends, whatever comes of it.
#[derive(Debug)]
pub(crate) struct Writing<'a>(&'a Process);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.writes.fetch_add(1, Ordering::Relaxed);
    }
}

/// A question to the person that is being asked. It counts as unanswered unless it is marked otherwise, also where its
/// call is cancelled: the question disappears, and the next one would take its place.
pub(crate) struct Questioning<'a> {
    process: &'a Process,
    kernel: &'a dyn Kernel,
    asked_at: u64,
    is_over: bool,
}

impl Questioning<'_> {
    /// Notes that the person answered.
    pub(crate) fn answered(mut self) {
        self.is_over = true;
        self.process.brake().answered();
    }

    /// Notes that no page showed the question.
    pub(crate) fn unseen(mut self) {
        self.is_over = true;
    }
}

impl Drop for Questioning<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.process.brake().refused(self.asked_at, self.kernel.now_ms());
        }
    }
}

/// The flashcards that callers skipped, and the day on which they did.
#[derive(Debug, Default)]
struct SkippedCards {
    day: String,
    cards: BTreeSet<String>,
}

impl Process {
    /// The state with a ledger.
    pub(crate) fn keeping(runs: Arc<Runs>) -> Process {
        Process { runs: Some(runs), ..Process::default() }
    }

    /// The time in milliseconds for which SiYuan's settings are cached.
    const CONF_LIFE_MS: u64 = 30_000;
    /// The time in milliseconds for which SiYuan's version is cached; an update restarts it.
    const VERSION_LIFE_MS: u64 = 600_000;
    /// The maximum number of skipped flashcards that are remembered.
    const MOST_SKIPPED: usize = 10_000;
    /// The maximum number of sessions that are remembered; beyond it, the oldest hears rules again.
    const SESSIONS: usize = 1_024;
    /// The time in milliseconds for which no statement of a caller follows one that nobody waited for.
    const STATEMENT_REST_MS: u64 = 600_000;

    /// The readable part of the person's SiYuan settings, cached for half a minute.
    pub(crate) async fn conf(&self, kernel: &dyn Kernel) -> Result<Arc<ConfFields>, KernelError> {
        let read = async { Ok(Arc::new(kernel::ask(kernel, system::get_conf()).await?.conf)) };
        self.conf.get(kernel.now_ms(), Self::CONF_LIFE_MS, read).await
    }

    /// The version of SiYuan, cached for ten minutes.
    pub(crate) async fn siyuan(&self, kernel: &dyn Kernel) -> Result<Siyuan, KernelError> {
        let read = async { Ok(Siyuan::parse(&kernel::ask(kernel, system::version()).await?)) };
        self.siyuan.get(kernel.now_ms(), Self::VERSION_LIFE_MS, read).await
    }

    /// Leaves a flashcard out for the rest of the day `YYYYMMDD`. SiYuan itself forgets this when a round begins.
    pub(crate) fn skip_card(&self, day: &str, card: &str) {
        let mut skipped = self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        if skipped.day != day {
            *skipped = SkippedCards { day: day.to_owned(), cards: BTreeSet::new() };
        }
        if skipped.cards.len() < Self::MOST_SKIPPED {
            skipped.cards.insert(card.to_owned());
        }
    }

    /// Whether a flashcard was skipped on that day.
    pub(crate) fn is_skipped(&self, day: &str, card: &str) -> bool {
        let skipped = self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        skipped.day == day && skipped.cards.contains(card)
    }

    /// Notes that a request may write something, which the index may lack for some seconds.
    pub(crate) fn write(&self) -> Writing<'_> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        Writing(self)
    }

    /// Runs a caller's own statement while no other one of this process runs. SiYuan has few connections to its index,
    /// and goes on with a statement that nobody waits for any more, so none follows such a one for a while. Callers ask
    /// for what they have just written, so the index is flushed before, if this process wrote anything since the last
    /// time: that takes the kernel 50 ms.
    pub(crate) async fn statement<R: DeserializeOwned>(
        &self,
        kernel: &dyn Kernel,
        ask: TypedRequest<R>,
    ) -> Result<Result<R, KernelError>, ToolError> {
        let mut statements = self.statements.lock().await;
        let Statements { left_alone, flushed } = &mut *statements;
        let age = left_alone.and_then(|at| kernel.now_ms().checked_sub(at));
        if let Some(rest) = age.and_then(|age| Self::STATEMENT_REST_MS.checked_sub(age)) {
            let minutes = rest.div_ceil(60_000).max(1);
            return Err(ToolError::conflict(format!(
                "SiYuan may still be busy with an earlier statement that took too long or was cancelled. Use another action, or try again in {minutes} minutes with fewer joins and narrower conditions."
            )));
        }
        let writes = self.writes.load(Ordering::Relaxed);
        if *flushed != Some(writes) {
            kernel::ask(kernel, query::flush_transaction()).await?;
            *flushed = Some(writes);
        }
        // It stays so if the call is dropped here.
        *left_alone = Some(kernel.now_ms());
        let reply = kernel::ask(kernel, ask).await;
        if !matches!(reply, Err(KernelError::TimedOut)) {
            *left_alone = None;
        }
        Ok(reply)
    }

    /// Begins a question to the person.
    ///
    /// # Errors
    /// While the person has left an earlier question unanswered and the wait after it is not over.
    pub(crate) fn question<'a>(&'a self, kernel: &'a dyn Kernel) -> Result<Questioning<'a>, ToolError> {
        let asked_at = kernel.now_ms();
        match self.brake().seconds_left(asked_at) {
            None => Ok(Questioning { process: self, kernel, asked_at, is_over: false }),
            Some(seconds) => Err(ToolError::conflict(format!(
                "The person left the last question unanswered, so no question is shown for {seconds} more seconds. Continue without an answer, or ask after that time."
            ))
            .with("seconds", seconds)),
        }
    }

    fn brake(&self) -> Locked<'_, Brake> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other call of this process changes one of the plugin's files.
    pub(crate) async fn alone(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    /// Whether a session has received the rules of a notebook.
    pub(crate) fn has_heard(&self, session: &str, notebook: &str) -> bool {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.iter().any(|(it, notebooks)| it == session && notebooks.contains(notebook))
    }

    /// Notes that a session has received the rules of a notebook, or that there are none.
    pub(crate) fn note_heard(&self, session: &str, notebook: &str) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, notebooks)) = heard.iter_mut().find(|(it, _)| it == session) {
            notebooks.insert(notebook.to_owned());
            return;
        }
        heard.push_back((session.to_owned(), BTreeSet::from([notebook.to_owned()])));
        if heard.len() > Self::SESSIONS {
            heard.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};
    use std::time::Duration;

    use futures_util::FutureExt;
    use serde_json::{Value, json};

    use super::*;
    use crate::kernel::{Ambient, Answer, Boxed, Request};
    use crate::testing::FakeKernel;

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/sqlite/flushTransaction", |_| Value::Null)
            .answer("/api/query/sql", |_| json!([]))
    }

    fn flushes(kernel: &FakeKernel) -> usize {
        kernel.asked().iter().filter(|(path, _)| path.ends_with("flushTransaction")).count()
    }

    /// A kernel that never answers.
    struct Silent;

    impl Ambient for Silent {
        fn now_ms(&self) -> u64 {
            0
        }

        fn local_digits(&self) -> String {
            String::new()
        }

        fn random(&self) -> u64 {
            0
        }
    }

    impl Kernel for Silent {
        fn send(&self, _: Request) -> Boxed<'_, Result<Answer, KernelError>> {
            Box::pin(std::future::pending())
        }

        fn pause(&self, _: Duration) -> Boxed<'_, ()> {
            Box::pin(async {})
        }
    }

    /// A write that ends after a flush, in whatever way, is flushed once more, and a flush that nobody waited for is
    /// none.
    /// A call that is cancelled takes its question away, so it counts as unanswered; a question that no page showed
    /// does not count.
    #[test]
    fn a_cancelled_question_counts_as_unanswered() {
        let (kernel, process) = (kernel(), Process::default());
        process.question(&kernel).unwrap().unseen();
        process.question(&kernel).unwrap().answered();
        drop(process.question(&kernel).unwrap());
        let error = process.question(&kernel).err().unwrap();
        assert_eq!(error.details["seconds"], 30);
    }

    #[test]
    fn every_write_is_flushed_before_the_next_statement() {
        let (process, kernel) = (Process::default(), kernel());
        let ask = || {
            let reply = process.statement(&kernel, query::sql("SELECT 1")).now_or_never().unwrap();
            assert!(reply.unwrap().is_ok());
        };
        let dropped = {
            let mut reply = pin!(process.statement(&Silent, query::sql("SELECT 1")));
            reply.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
        };
        assert!(dropped);
        ask();
        ask();
        assert_eq!(flushes(&kernel), 1);
        let write = process.write();
        ask();
        assert_eq!(flushes(&kernel), 2);
        drop(write);
        ask();
        ask();
        assert_eq!(flushes(&kernel), 3);
    }
}
