//! The requests of one client that run, by their ids: rmcp would leave one of two with the same id unanswered (B-141).

use std::collections::{HashMap, VecDeque};

use rmcp::model::{ErrorCode, ErrorData, ProgressToken, RequestId};

/// Cancelled ids that are remembered: a call may end a moment after its client gave it up, and rmcp would
/// take its late answer for the answer to a new request with the same id.
const CANCELLED: usize = 64;

/// Characters of an id and of a progress token: both are kept while a request runs, and ids for longer.
const LONGEST: usize = 256;

/// The ids that a new request may not have, with what is known of each request that runs.
#[derive(Debug)]
pub(super) struct Running<T = ()> {
    requests: HashMap<RequestId, T>,
    cancelled: VecDeque<RequestId>,
}

impl<T> Default for Running<T> {
    fn default() -> Running<T> {
        Running { requests: HashMap::new(), cancelled: VecDeque::new() }
    }
}

/// Why a request may not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// A request with its id runs, or was cancelled lately.
    SameId,
    /// Its id, or its progress token, is longer than any needs to be.
    LongId,
    /// As many run as may.
    Busy,
    /// The session has ended.
    Gone,
}

impl<T> Running<T> {
    /// Takes a place for a request, of `most`.
    pub(super) fn begin(&mut self, id: &RequestId, most: usize, known: T) -> Result<(), Refused> {
        if self.requests.contains_key(id) || self.cancelled.contains(id) {
            return Err(Refused::SameId);
        }
        if self.requests.len() >= most {
            return Err(Refused::Busy);
        }
        self.requests.insert(id.clone(), known);
        Ok(())
    }

    /// What is known of a request that runs.
    pub(super) fn get_mut(&mut self, id: &RequestId) -> Option<&mut T> {
        self.requests.get_mut(id)
    }

    /// What is known of each.
    pub(super) fn known(&self) -> impl Iterator<Item = &T> {
        self.requests.values()
    }

    /// The request was answered; its id may come again.
    pub(super) fn end(&mut self, id: &RequestId) -> Option<T> {
        self.requests.remove(id)
    }

    /// The request runs no more and has no answer; its place is free, its id is not.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<T> {
        let known = self.requests.remove(id)?;
        self.cancelled.push_back(id.clone());
        if self.cancelled.len() > CANCELLED {
            self.cancelled.pop_front();
        }
        Some(known)
    }
}

/// Refuses an id or a progress token that would fill the memory.
pub(super) fn short(id: &RequestId, token: Option<&ProgressToken>) -> Result<(), Refused> {
    let is_long =
        |it: &RequestId| matches!(it, RequestId::String(text) if text.chars().nth(LONGEST).is_some());
    if is_long(id) || token.is_some_and(|it| is_long(&it.0)) { Err(Refused::LongId) } else { Ok(()) }
}

impl From<Refused> for ErrorData {
    fn from(why: Refused) -> ErrorData {
        match why {
            Refused::SameId => {
                ErrorData::invalid_request("Another request has this id; give each its own.", None)
            }
            Refused::LongId => {
                let why = format!("Ids and progress tokens have at most {LONGEST} characters.");
                ErrorData::invalid_request(why, None)
            }
            Refused::Busy => {
                let why = "As many requests run as may. Wait for one to end.";
                ErrorData::new(ErrorCode(-32000), why, None)
            }
            Refused::Gone => ErrorData::new(ErrorCode(-32000), "The session has ended. Greet anew.", None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-141: an id is free when its request was answered, and stays taken when it was cancelled.
    #[test]
    fn an_id_is_free_when_its_request_is_answered() {
        let mut running = Running::<()>::default();
        let [one, two] = [1, 2].map(RequestId::Number);
        assert_eq!(running.begin(&one, 1, ()), Ok(()));
        assert_eq!(running.begin(&one, 1, ()), Err(Refused::SameId));
        assert_eq!(running.begin(&two, 1, ()), Err(Refused::Busy));
        running.end(&one);
        assert_eq!(running.begin(&one, 1, ()), Ok(()));
        running.cancel(&one);
        assert_eq!(running.begin(&one, 1, ()), Err(Refused::SameId));
        assert_eq!(running.begin(&two, 1, ()), Ok(()));
    }

    /// However many are cancelled, little is remembered; what never ran is not.
    #[test]
    fn few_cancelled_ids_are_remembered() {
        let mut running = Running::<()>::default();
        running.cancel(&RequestId::Number(-1));
        assert!(running.cancelled.is_empty());
        for id in 0..1_000 {
            running.begin(&RequestId::Number(id), 1, ()).unwrap();
            running.cancel(&RequestId::Number(id));
        }
        assert_eq!(running.cancelled.len(), CANCELLED);
    }
}
