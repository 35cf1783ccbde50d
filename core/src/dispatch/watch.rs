//! Step 12: tells the observer of one call, also of one that is dropped halfway.

use crate::activity::{Ended, Observer, Outcome, Record};
use crate::error::{ErrorType, ToolError};
use crate::kernel::Ambient;
use crate::output::Reply;
use crate::permission::Places;

/// A call that was told to have begun. When it goes without an end, that is told too: cancelled by
/// its caller, or broken by a panic.
pub(crate) struct Watch<'a> {
    ambient: &'a dyn Ambient,
    observer: &'a dyn Observer,
    record: Record,
    request_chars: usize,
    over: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn start(
        ambient: &'a dyn Ambient,
        observer: &'a dyn Observer,
        record: Record,
        request_chars: usize,
    ) -> Self {
        observer.started(&record);
        Watch { ambient, observer, record, request_chars, over: false }
    }

    /// A person is asked now, and the call waits for them.
    pub(super) fn asks(&self, places: Option<&Places>) {
        let waiting = Err(ToolError::new(ErrorType::ConfirmationRequired, ""));
        self.observer.asked(&self.record, &self.sums(Outcome::Dangerous, &waiting, places));
    }

    /// It is over.
    pub(crate) fn end(mut self, outcome: Outcome, reply: &Reply, places: Option<&Places>) {
        self.over = true;
        self.observer.ended(&self.record, &self.sums(outcome, reply, places));
    }

    fn sums(&self, outcome: Outcome, reply: &Reply, places: Option<&Places>) -> Ended {
        let times = (self.record.started_ms, self.ambient.now_ms());
        Ended::of(outcome, reply, self.request_chars, times, places)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let outcome = if std::thread::panicking() {
            Outcome::Error(ErrorType::Internal, None)
        } else {
            Outcome::Cancelled
        };
        let nothing = Err(ToolError::new(ErrorType::Internal, ""));
        self.observer.ended(&self.record, &self.sums(outcome, &nothing, None));
    }
}
