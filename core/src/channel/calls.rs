//! The requests of a sidecar that wait for a page: one page, one deadline, one answer.

use serde_json::Value;

use super::message::{PageAnswer, PageCall};
use super::signed::PeerId;
use crate::kernel::page::{PageError, PageRequest};

/// The end of a request: its id and the page's answer.
pub(super) type CallReport = (String, Result<Value, PageError>);

/// The open requests.
#[derive(Debug, Default)]
pub(super) struct PageCalls {
    open: Vec<OpenCall>,
    last: u64,
}

#[derive(Debug)]
struct OpenCall {
    id: String,
    page: PeerId,
    until: u64,
    /// Whether it is a question, of which the person gets one at a time.
    is_question: bool,
}

impl PageCalls {
    /// Opens a request to a page.
    pub(super) fn open(
        &mut self,
        request: &PageRequest,
        page: &PeerId,
        now: u64,
    ) -> Result<PageCall, PageError> {
        let is_question = matches!(request, PageRequest::AskUser { .. });
        if is_question && self.open.iter().any(|it| it.is_question) {
            return Err(PageError::Busy);
        }
        self.last += 1;
        let call = PageCall::of(request, self.last.to_string());
        let until = now.saturating_add(call.deadline_ms);
        self.open.push(OpenCall { id: call.call_id.clone(), page: page.clone(), until, is_question });
        Ok(call)
    }

    /// Takes the answer of the page that was asked; late, doubled and foreign ones are none (B-184).
    pub(super) fn answered(&mut self, page: &PeerId, id: String, answer: PageAnswer) -> Option<CallReport> {
        let at = self.open.iter().position(|it| it.id == id && it.page == *page)?;
        self.open.remove(at);
        let answer = match answer {
            PageAnswer::Done(value) => Ok(value),
            PageAnswer::Busy => Err(PageError::Busy),
            PageAnswer::Failed => Err(PageError::Failed),
        };
        Some((id, answer))
    }

    /// Forgets a request whose caller has gone; returns the page that was asked.
    pub(super) fn dropped(&mut self, id: &str) -> Option<PeerId> {
        let at = self.open.iter().position(|it| it.id == id)?;
        Some(self.open.remove(at).page)
    }

    /// Ends the requests whose time is over.
    pub(super) fn expire(&mut self, now: u64) -> Vec<CallReport> {
        self.end(|it| it.until <= now)
    }

    /// Ends the requests to a page that has gone, or to all pages. Nobody knows whether they were carried out.
    pub(super) fn gone(&mut self, page: Option<&PeerId>) -> Vec<CallReport> {
        self.end(|it| page.is_none_or(|page| it.page == *page))
    }

    fn end(&mut self, is_over: impl Fn(&OpenCall) -> bool) -> Vec<CallReport> {
        let over = self.open.extract_if(.., |it| is_over(it));
        over.map(|it| (it.id, Err(PageError::TimedOut))).collect()
    }

    /// The next deadline.
    pub(super) fn due(&self) -> Option<u64> {
        self.open.iter().map(|it| it.until).min()
    }
}
