//! State that the calls of one process share: cached SiYuan settings and version, skipped flashcards, whether the index is up to
//! date, and a lock on the plugin's files.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Lock, PoisonError};

use async_lock::{Mutex, MutexGuard};
use serde::de::DeserializeOwned;

use crate::error::ToolError;
use crate::kernel::api::system::{self, ConfFields};
use crate::kernel::{self, Ask, Kernel, KernelError};
use crate::siyuan::Siyuan;

/// The part of this state that actions reach.
#[derive(Debug, Default)]
pub(crate) struct Process {
    conf: Mutex<Option<(u64, Arc<ConfFields>)>>,
    siyuan: Mutex<Option<(u64, Siyuan)>>,
    writing: Mutex<()>,
    skipped: Lock<Skipped>,
    /// The notebooks that each session has written into.
    heard: Lock<VecDeque<(String, BTreeSet<String>)>>,
    /// Whether the index has everything that calls of this process wrote.
    flushed: AtomicBool,
    /// The time of a caller's statement whose answer nobody awaited.
    statements: Mutex<Option<u64>>,
}

/// The flashcards that callers skipped, and the day on which they did.
#[derive(Debug, Default)]
struct Skipped {
    day: String,
    cards: BTreeSet<String>,
}

impl Process {
    /// The time in milliseconds for which SiYuan's settings are cached.
    const CONF_LIFE_MS: u64 = 30_000;
    /// The time in milliseconds for which SiYuan's version is cached; an update restarts it.
    const VERSION_LIFE_MS: u64 = 600_000;
    /// The maximum number of skipped flashcards that are remembered.
    const MOST_SKIPPED: usize = 10_000;
    /// The maximum number of sessions whose first writes are remembered; beyond it, the oldest hears rules again.
    const SESSIONS: usize = 1_024;
    /// The time in milliseconds for which no statement of a caller follows one that nobody waited for.
    const STATEMENT_REST_MS: u64 = 600_000;

    /// The readable part of the person's SiYuan settings, cached for half a minute.
    pub(crate) async fn conf(&self, kernel: &dyn Kernel) -> Result<Arc<ConfFields>, KernelError> {
        let mut conf = self.conf.lock().await;
        let now = kernel.now_ms();
        if let Some((read_at, fields)) = conf.as_ref()
            && now.checked_sub(*read_at).is_some_and(|age| age < Self::CONF_LIFE_MS)
        {
            return Ok(fields.clone());
        }
        let fields = Arc::new(kernel::ask(kernel, system::get_conf()).await?.conf);
        *conf = Some((now, fields.clone()));
        Ok(fields)
    }

    /// The version of SiYuan, cached for ten minutes.
    pub(crate) async fn siyuan(&self, kernel: &dyn Kernel) -> Result<Siyuan, KernelError> {
        let mut siyuan = self.siyuan.lock().await;
        let now = kernel.now_ms();
        if let Some((read_at, siyuan)) = *siyuan
            && now.checked_sub(read_at).is_some_and(|age| age < Self::VERSION_LIFE_MS)
        {
            return Ok(siyuan);
        }
        let told = Siyuan::told(&kernel::ask(kernel, system::version()).await?);
        *siyuan = Some((now, told));
        Ok(told)
    }

    /// Leaves a flashcard out for the rest of the day `YYYYMMDD`. SiYuan itself forgets this when a round begins.
    pub(crate) fn skip_card(&self, day: &str, card: &str) {
        let mut skipped = self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        if skipped.day != day {
            *skipped = Skipped { day: day.to_owned(), cards: BTreeSet::new() };
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

    /// Notes that a call wrote something, which the index may lack for some seconds.
    pub(crate) fn note_write(&self) {
        self.flushed.store(false, Ordering::Relaxed);
    }

    /// Notes that the index is about to be told of everything written so far; whether it lacks any of it. A new
    /// process does not know what others wrote, so at first it does.
    pub(crate) fn note_flush(&self) -> bool {
        !self.flushed.swap(true, Ordering::Relaxed)
    }

    /// Runs a caller's own statement while no other one of this process runs. SiYuan has few connections to its index,
    /// and goes on with a statement that nobody waits for any more, so none follows such a one for a while.
    pub(crate) async fn statement<R: DeserializeOwned>(
        &self,
        kernel: &dyn Kernel,
        ask: Ask<R>,
    ) -> Result<R, ToolError> {
        let mut left_alone = self.statements.lock().await;
        let age = left_alone.and_then(|at| kernel.now_ms().checked_sub(at));
        if let Some(rest) = age.and_then(|age| Self::STATEMENT_REST_MS.checked_sub(age)) {
            let minutes = rest.div_ceil(60_000).max(1);
            return Err(ToolError::conflict(format!(
                "SiYuan may still be busy with an earlier statement that took too long or was cancelled. Use another action, or try again in {minutes} minutes with fewer joins and narrower conditions."
            )));
        }
        // It stays so if the call is dropped here.
        *left_alone = Some(kernel.now_ms());
        let reply = kernel::ask(kernel, ask).await;
        if !matches!(reply, Err(KernelError::TimedOut)) {
            *left_alone = None;
        }
        Ok(reply?)
    }

    /// Waits until no other call of this process changes one of the plugin's files.
    pub(crate) async fn alone(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().await
    }

    /// Notes that a session writes into a notebook; returns whether it is its first time there.
    pub(crate) fn is_first_write(&self, session: &str, notebook: &str) -> bool {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, notebooks)) = heard.iter_mut().find(|(it, _)| it == session) {
            return notebooks.insert(notebook.to_owned());
        }
        heard.push_back((session.to_owned(), BTreeSet::from([notebook.to_owned()])));
        if heard.len() > Self::SESSIONS {
            heard.pop_front();
        }
        true
    }
}
