//! `puppyStats.json`: when this process's part of coins and calls is written (B-291).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use puppy_core::activity::purse::{self, Short};
use puppy_core::activity::shop::Purchase;
use puppy_core::activity::stats::{Part, STATS_FILE, Stats};
use puppy_core::kernel::{KernelError, files};
use tokio_util::sync::CancellationToken;

use super::beat::Beat;
use crate::kernel::{HttpKernel, now_ms};

/// How often the file is written at most.
const EVERY: Duration = Duration::from_secs(1);
/// When the last write is read back at the soonest: another process may have written over it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// On a busy machine that process takes longer between its reading and its writing, as this one does.
const SLOWER: u32 = 3;
/// How often the last write is done at most.
const LAST_TRIES: usize = 20;

/// The part of this process, and the rhythm in which it is written.
#[derive(Debug)]
pub(super) struct Purse {
    part: Mutex<purse::Purse>,
    beat: Beat,
}

impl Purse {
    pub(super) fn new(instance: String, stop: CancellationToken) -> Purse {
        Purse { part: Mutex::new(purse::Purse::new(instance)), beat: Beat::new(stop) }
    }

    fn part(&self) -> std::sync::MutexGuard<'_, purse::Purse> {
        self.part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call.
    pub(super) fn count(&self, earns: bool) {
        self.part().count(earns, now_ms());
        self.beat.wake();
    }

    /// Pays in a file that was just read, for the caller to write; this process writes it again soon.
    pub(super) fn buy(&self, stats: &mut Stats, purchase: Purchase) -> Result<(), Short> {
        let now = now_ms();
        let mut part = self.part();
        part.buy(stats, purchase, now)?;
        part.settle(stats, now, false);
        drop(part);
        self.beat.wake();
        Ok(())
    }

    /// Takes back what could not be written.
    pub(super) fn refund(&self, purchase: Purchase) {
        self.part().refund(purchase);
    }

    /// Balance and calls of everybody, as far as known, for the file of events.
    pub(super) async fn shown(&self, kernel: &HttpKernel) -> (u64, u64) {
        if !self.part().knows_others()
            && let Ok(stats) = read(kernel).await
        {
            self.part().remember(&stats);
        }
        self.part().shown()
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
            let began = Instant::now();
            let Ok((name, part)) = self.write(kernel, true).await else { return };
            tokio::time::sleep(LOOK_AGAIN.max(began.elapsed() * SLOWER)).await;
            match read(kernel).await {
                Ok(stats) if !stats.holds(&name, part) => {}
                _ => return,
            }
        }
    }

    /// Reads the file, sets the own part, writes it; tells what was written under which name.
    async fn write(&self, kernel: &HttpKernel, ended: bool) -> Result<(String, Part), KernelError> {
        let mut stats = read(kernel).await?;
        let set = self.part().settle(&mut stats, now_ms(), ended);
        let bytes = serde_json::to_vec(&stats).unwrap_or_default();
        let written = files::write(kernel, &path(), bytes).await;
        if let Err(error) = &written {
            tracing::debug!("{STATS_FILE} was not written: {error:?}");
        }
        written.map(|()| set)
    }
}

async fn read(kernel: &HttpKernel) -> Result<Stats, KernelError> {
    let bytes = files::read(kernel, &path()).await?;
    Ok(bytes.map(|bytes| Stats::parse(&bytes)).unwrap_or_default())
}

fn path() -> String {
    format!("{}{STATS_FILE}", files::TEMP)
}
