//! `analytics/<instance>.jsonl`: one line per call, one file per process, rotated when large (B-254).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use puppy_core::activity::analytics::{CLEARED_FILE, FOLDER, ROTATE_AT, cleared, line, since};
use puppy_core::activity::{Ended, Record};
use puppy_core::kernel::{Ambient as _, files};
use tokio_util::sync::CancellationToken;

use super::beat::Beat;
use crate::kernel::HttpKernel;

/// The kernel has no append, so each write sends the whole file: the larger the file, the longer the pause.
const BYTES_A_SECOND: usize = 100_000;

/// The analytics lines of this process.
#[derive(Debug)]
pub(super) struct Analytics {
    path: String,
    text: Mutex<Text>,
    beat: Beat,
}

#[derive(Debug, Default)]
struct Text {
    /// The content of the file, including lines that are not written yet.
    now: String,
    /// A full file that still has to be written as `.1`.
    full: Option<String>,
    /// The moment up to which a person has cleared the record.
    cleared: u64,
}

impl Analytics {
    pub(super) fn new(instance: &str, stop: CancellationToken) -> Analytics {
        let path = format!("{}{FOLDER}{instance}.jsonl", files::TEMP);
        Analytics { path, text: Mutex::default(), beat: Beat::new(stop) }
    }

    fn text(&self) -> std::sync::MutexGuard<'_, Text> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(&self, record: &Record, ended: &Ended) {
        self.add(&line(record, ended));
        self.beat.wake();
    }

    fn add(&self, line: &str) {
        let mut text = self.text();
        if text.now.len() + line.len() >= ROTATE_AT {
            text.full = Some(std::mem::take(&mut text.now));
        }
        text.now.push_str(line);
        text.now.push('\n');
    }

    pub(super) async fn keep_written(&self, kernel: &HttpKernel) {
        while let Some(began) = self.beat.news().await {
            let pause = self.write(kernel).await;
            self.beat.rest(began, pause).await;
        }
    }

    /// Writes the full file, if any, and then the current one; returns the pause before the next write.
    pub(super) async fn write(&self, kernel: &HttpKernel) -> Duration {
        self.forget_cleared(kernel).await;
        let (full, now) = {
            let text = self.text();
            (text.full.clone(), text.now.clone())
        };
        let pause = Duration::from_secs(1 + (now.len() / BYTES_A_SECOND) as u64);
        if now.is_empty() {
            return pause;
        }
        if let Some(full) = full {
            let bytes = full.clone().into_bytes();
            if files::write(kernel, &format!("{}.1", self.path), bytes).await.is_ok() {
                // Another file may have become full meanwhile; that one stays.
                let mut text = self.text();
                if text.full.as_ref() == Some(&full) {
                    text.full = None;
                }
            }
        }
        if let Err(error) = files::write(kernel, &self.path, now.into_bytes()).await {
            tracing::debug!("analytics were not written: {error:?}");
        }
        pause
    }

    /// Forgets the lines that a person has cleared away; the next write would bring them back.
    async fn forget_cleared(&self, kernel: &HttpKernel) {
        let file = files::read(kernel, &format!("{}{CLEARED_FILE}", files::TEMP)).await;
        let moment = file.ok().flatten().and_then(|bytes| cleared(&bytes, kernel.now_ms()));
        let mut text = self.text();
        if let Some(moment) = moment.filter(|it| *it > text.cleared) {
            text.cleared = moment;
            text.now = since(&text.now, moment);
            text.full = text.full.take().map(|it| since(&it, moment)).filter(|it| !it.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-254: a full file is kept whole next to the new one.
    #[test]
    fn full_analytics_file_is_rotated() {
        let analytics = Analytics::new("i", CancellationToken::new());
        let line = "x".repeat(ROTATE_AT / 4);
        for _ in 0..5 {
            analytics.add(&line);
        }
        let text = analytics.text();
        let full = text.full.as_ref().unwrap();
        assert_eq!((full.lines().count(), text.now.lines().count()), (3, 2));
        assert!(full.len() < ROTATE_AT && full.ends_with('\n'));
    }
}
