//! A line on stderr by which a person sees that a long call runs.

use std::io::Write;
use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;
use unicode_width::UnicodeWidthStr;

use super::screen::Screen;
use crate::words::AnswerWords;

/// The time after which a call is long, and the interval of the signs of life.
const LONG: Duration = Duration::from_secs(2);
const EVERY: Duration = Duration::from_secs(1);

/// The line. It is wiped before anything else is written.
#[derive(Debug, Default)]
pub(super) struct Progress {
    line: Mutex<ProgressLine>,
}

#[derive(Debug, Default)]
struct ProgressLine {
    length: usize,
    /// Whether a person is asked, and nothing may be written over the question.
    is_asking: bool,
}

impl Progress {
    /// Runs a call, and says how long it has run, if there is a terminal to say it on.
    pub(super) async fn watch<T>(&self, what: &str, call: impl Future<Output = T>) -> T {
        if !Screen::err().can_rewrite() {
            return call.await;
        }
        let words = AnswerWords::here();
        let began = Instant::now();
        let mut signs = tokio::time::interval_at(began + LONG, EVERY);
        // Wiped also if the call is dropped.
        let _wiped = Wiped(self);
        tokio::pin!(call);
        loop {
            tokio::select! {
                done = &mut call => return done,
                _ = signs.tick() => self.say(&words.running(what, began.elapsed().as_secs())),
            }
        }
    }

    /// Keeps the line free while a person is asked.
    pub(super) fn asks(&self, is_asking: bool) {
        self.wipe();
        if let Ok(mut line) = self.line.lock() {
            line.is_asking = is_asking;
        }
    }

    fn say(&self, text: &str) {
        let Ok(mut line) = self.line.lock() else { return };
        if !line.is_asking {
            let _ = write!(std::io::stderr(), "\r{text}");
            line.length = text.width();
        }
    }

    fn wipe(&self) {
        let Ok(mut line) = self.line.lock() else { return };
        if line.length > 0 {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(line.length));
            line.length = 0;
        }
    }
}

struct Wiped<'a>(&'a Progress);

impl Drop for Wiped<'_> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}
