//! `analytics/<instance>.jsonl`: one line per call, in files of bounded size for each process (B-254).

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::activity::analytics::{CLEARED_FILE, FOLDER, KEPT_FILES, ROTATE_AT, cleared, line, since};
use crate::activity::{CallEnd, Record};
use crate::kernel::{Kernel, KernelError, files};

/// The analytics lines of this process.
#[derive(Debug)]
pub(super) struct AnalyticsLog {
    path: String,
    text: Mutex<LogText>,
}

#[derive(Debug, Default)]
struct LogText {
    /// The content of the current file, including lines that are not written yet.
    now: String,
    /// Whether the file in the kernel has another content.
    differs: bool,
    /// Full files that still have to be written, oldest first.
    full: VecDeque<FullLog>,
    /// The number of files that became full.
    rotated: usize,
    /// The moment up to which a person has cleared the record.
    cleared: u64,
    /// The number of changes by pages when this moment was last read; `None` if it must be read.
    checked_at: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FullLog {
    /// The number behind its name; the oldest file gives its number to the newest.
    number: usize,
    lines: String,
}

impl AnalyticsLog {
    pub(super) fn new(instance: &str) -> AnalyticsLog {
        let path = format!("{}{FOLDER}{instance}.jsonl", files::TEMP);
        AnalyticsLog { path, text: Mutex::default() }
    }

    fn text(&self) -> std::sync::MutexGuard<'_, LogText> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(&self, record: &Record, ended: &CallEnd) {
        self.add(&line(record, ended));
    }

    fn add(&self, line: &str) {
        let mut text = self.text();
        if text.now.len() + line.len() >= ROTATE_AT {
            let lines = std::mem::take(&mut text.now);
            let number = text.rotated % KEPT_FILES + 1;
            text.rotated += 1;
            text.full.push_back(FullLog { number, lines });
            // An unreachable kernel may not fill the memory.
            if text.full.len() > KEPT_FILES {
                text.full.pop_front();
            }
        }
        text.now.push_str(line);
        text.now.push('\n');
        text.differs = true;
    }

    /// Writes the full files, if any, and then the current one: the kernel has no append. `changes` counts the changes
    /// that pages have reported, `None` without a connected page: a person clears the record in a page.
    pub(super) async fn write(&self, kernel: &dyn Kernel, changes: Option<u64>) -> Result<(), KernelError> {
        if !self.text().differs && changes.is_some() {
            return Ok(());
        }
        self.forget_cleared(kernel, changes).await;
        loop {
            let Some(full) = self.text().full.front().cloned() else { break };
            let path = format!("{}.{}", self.path, full.number);
            files::write(kernel, &path, full.lines.clone().into_bytes()).await?;
            // The queue may have dropped this one meanwhile.
            let mut text = self.text();
            if text.full.front() == Some(&full) {
                text.full.pop_front();
            }
        }
        let now = {
            let mut text = self.text();
            std::mem::take(&mut text.differs).then(|| text.now.clone())
        };
        let Some(now) = now else { return Ok(()) };
        let written = files::write(kernel, &self.path, now.into_bytes()).await;
        self.text().differs |= written.is_err();
        written
    }

    /// Forgets the lines that a person has cleared away; the next write would bring them back.
    async fn forget_cleared(&self, kernel: &dyn Kernel, changes: Option<u64>) {
        if changes.is_some() && self.text().checked_at == changes {
            return;
        }
        let file = files::read(kernel, &format!("{}{CLEARED_FILE}", files::TEMP)).await;
        let mut text = self.text();
        text.checked_at = changes.filter(|_| file.is_ok());
        let moment = file.ok().flatten().and_then(|bytes| cleared(&bytes, kernel.now_ms()));
        if let Some(moment) = moment.filter(|it| *it > text.cleared) {
            text.cleared = moment;
            let kept = since(&text.now, moment);
            text.differs |= kept != text.now;
            text.now = kept;
            for full in &mut text.full {
                full.lines = since(&full.lines, moment);
            }
            text.full.retain(|it| !it.lines.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_analytics_files_are_rotated_and_numbered() {
        let analytics = AnalyticsLog::new("i");
        let line = "x".repeat(ROTATE_AT / 4);
        for _ in 0..8 {
            analytics.add(&line);
        }
        let text = analytics.text();
        let full: Vec<_> = text.full.iter().map(|it| (it.number, it.lines.lines().count())).collect();
        assert_eq!((full, text.now.lines().count()), (vec![(1, 3), (2, 3)], 2));
        assert!(text.full.iter().all(|it| it.lines.len() < ROTATE_AT && it.lines.ends_with('\n')));
    }

    #[test]
    fn unwritten_analytics_stay_below_their_limit() {
        let analytics = AnalyticsLog::new("i");
        let line = "x".repeat(ROTATE_AT / 2);
        for _ in 0..=KEPT_FILES + 2 {
            analytics.add(&line);
        }
        let text = analytics.text();
        let numbers: Vec<_> = text.full.iter().map(|it| it.number).collect();
        let expected: Vec<_> = (3..=KEPT_FILES).chain([1, 2]).collect();
        assert_eq!(numbers, expected, "the oldest went, and their numbers are given again");
    }
}
