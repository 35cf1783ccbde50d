//! `puppyStats.json`: this process's part of coins and calls, merged without a lock (B-291).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use puppy_core::activity::stats::{Part, STATS_FILE, Stats, Totals};
use puppy_core::kernel::{KernelError, files};
use tokio_util::sync::CancellationToken;

use super::beat::Beat;
use crate::kernel::{HttpKernel, now_ms};

/// How often the file is written at most.
const EVERY: Duration = Duration::from_secs(1);
/// When the last write is read back: another process may have written over it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How often the last write is done at most.
const LAST_TRIES: usize = 20;
/// A part that was silent this long is left to be folded, and a new one begun.
const SILENT_MS: u64 = 24 * 60 * 60 * 1_000;

/// What this process earned, and what it knows of the others.
#[derive(Debug)]
pub(super) struct Purse {
    instance: String,
    state: Mutex<State>,
    beat: Beat,
}

#[derive(Debug, Default)]
struct State {
    /// Since the part began.
    own: Totals,
    /// When it was written last; 0 when never.
    written_at: u64,
    /// How many parts were begun before this one.
    parts_before: u32,
    /// Everybody else, as read last; `None` when never.
    others: Option<Totals>,
}

impl Purse {
    pub(super) fn new(instance: String, stop: CancellationToken) -> Purse {
        Purse { instance, state: Mutex::default(), beat: Beat::new(stop) }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call.
    pub(super) fn count(&self, earns: bool) {
        let mut state = self.state();
        if state.written_at > 0 && now_ms().saturating_sub(state.written_at) > SILENT_MS {
            let others = state.others.map(|others| sum(others, state.own));
            *state = State { parts_before: state.parts_before + 1, others, ..State::default() };
        }
        state.own.calls += 1;
        state.own.earned += u64::from(earns);
        drop(state);
        self.beat.wake();
    }

    /// Balance and calls of everybody, as far as known, for the file of events.
    pub(super) async fn shown(&self, kernel: &HttpKernel) -> (u64, u64) {
        if self.state().others.is_none()
            && let Ok(stats) = self.read(kernel).await
        {
            self.remember(&stats);
        }
        let state = self.state();
        let all = sum(state.others.unwrap_or_default(), state.own);
        (all.earned.saturating_sub(all.spent), all.calls)
    }

    pub(super) async fn keep_written(&self, kernel: &HttpKernel) {
        while let Some(began) = self.beat.news().await {
            let _ = self.write(kernel, false).await;
            self.beat.rest(began, EVERY).await;
        }
    }

    /// Writes `ended` until it stays: then no increment is lost.
    pub(super) async fn write_last(&self, kernel: &HttpKernel) {
        for _ in 0..LAST_TRIES {
            let Ok((part, name)) = self.write(kernel, true).await else { return };
            tokio::time::sleep(LOOK_AGAIN).await;
            match self.read(kernel).await {
                Ok(stats) if !stats.holds(&name, part) => {}
                _ => return,
            }
        }
    }

    /// Reads the file, sets the own part, writes it; tells what was written under which name.
    async fn write(&self, kernel: &HttpKernel, ended: bool) -> Result<(Part, String), KernelError> {
        let mut stats = self.read(kernel).await?;
        self.remember(&stats);
        let now = now_ms();
        let (part, name) = {
            let mut state = self.state();
            state.written_at = now;
            (Part { totals: state.own, at: now, ended }, self.name(&state))
        };
        stats.merge(&name, part, now);
        let bytes = serde_json::to_vec(&stats).unwrap_or_default();
        let written = files::write(kernel, &path(), bytes).await;
        if let Err(error) = &written {
            tracing::debug!("{STATS_FILE} was not written: {error:?}");
        }
        written.map(|()| (part, name))
    }

    async fn read(&self, kernel: &HttpKernel) -> Result<Stats, KernelError> {
        let bytes = files::read(kernel, &path()).await?;
        Ok(bytes.map(|bytes| Stats::parse(&bytes)).unwrap_or_default())
    }

    /// Keeps the sums of everybody but this part.
    fn remember(&self, stats: &Stats) {
        let mut state = self.state();
        let name = self.name(&state);
        let parts = stats.parts.iter().filter(|(it, _)| **it != name).map(|(_, part)| part.totals);
        state.others = Some(parts.fold(stats.base, sum));
    }

    fn name(&self, state: &State) -> String {
        match state.parts_before {
            0 => self.instance.clone(),
            n => format!("{}-{n}", self.instance),
        }
    }
}

fn path() -> String {
    format!("{}{STATS_FILE}", files::TEMP)
}

fn sum(a: Totals, b: Totals) -> Totals {
    Totals { earned: a.earned + b.earned, spent: a.spent + b.spent, calls: a.calls + b.calls }
}
