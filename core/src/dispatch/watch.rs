//! Step 12: reports one call to the observer, also a call that is dropped halfway.

use std::sync::Arc;

use crate::activity::shop::ShopItem;
use crate::activity::{CallEnd, Observer, Outcome, Record};
use crate::agents::AgentMark;
use crate::error::{ErrorType, ToolError};
use crate::kernel::Ambient;
use crate::output::{Reply, is_partial};
use crate::permission::Places;

/// The observer of a call that another one reports.
#[derive(Debug)]
pub(super) struct Unobserved;

impl Observer for Unobserved {
    fn started(&self, _: &Record) {}

    fn ended(&self, _: &Record, _: &CallEnd) {}
}

/// A call that has been reported as begun. Dropping it without an end reports that too: the caller cancelled it, or a
/// panic broke it.
pub(crate) struct Watch<'a> {
    ambient: &'a dyn Ambient,
    observer: &'a dyn Observer,
    record: Record,
    request_chars: usize,
    waited_ms: u64,
    title: Option<String>,
    bought: Option<ShopItem>,
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
        Watch {
            ambient,
            observer,
            record,
            request_chars,
            waited_ms: 0,
            title: None,
            bought: None,
            over: false,
        }
    }

    /// Notes the agent as which the caller is known.
    pub(crate) fn known_as(&mut self, agent: Option<Arc<AgentMark>>) {
        self.record.agent = agent;
    }

    /// Reports that the call now waits for a person.
    pub(super) fn asks(&self, places: Option<&Places>) {
        let waiting = Err(ToolError::new(ErrorType::ConfirmationRequired, ""));
        self.observer.asked(&self.record, &self.sums(Outcome::Dangerous, &waiting, places));
    }

    /// Notes the time that the call waited for a person.
    pub(super) fn waited(&mut self, ms: u64) {
        self.waited_ms += ms;
    }

    /// Notes the title of the document that the call deletes.
    pub(super) fn title(&mut self, title: Option<String>) {
        self.title = title;
    }

    /// Notes the item that the call bought.
    pub(super) fn bought(&mut self, item: Option<ShopItem>) {
        self.bought = item;
    }

    /// Reports that the call was answered while its question waits.
    pub(super) fn leave(mut self, outcome: Outcome, reply: &Reply, places: Option<&Places>, question: &str) {
        self.over = true;
        self.observer.left(&self.record, &self.sums(outcome, reply, places), question);
    }

    /// Reports the end of the call.
    pub(crate) fn end(mut self, outcome: Outcome, reply: &Reply, places: Option<&Places>) {
        self.over = true;
        self.observer.ended(&self.record, &self.sums(outcome, reply, places));
    }

    fn sums(&self, outcome: Outcome, reply: &Reply, places: Option<&Places>) -> CallEnd {
        let times = (self.record.started_ms, self.ambient.now_ms());
        // Of several documents the one with the title may be the one that stayed.
        let title = self.title.clone().filter(|_| !is_partial(reply));
        let waited_ms = self.waited_ms;
        let item = self.bought.map(|it| it.word().to_owned());
        CallEnd { waited_ms, title, item, ..CallEnd::of(outcome, reply, self.request_chars, times, places) }
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
