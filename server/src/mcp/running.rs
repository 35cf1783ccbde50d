//! The running requests of one client, by id: of two with the same id rmcp would leave one unanswered (B-141).

use std::collections::{HashMap, VecDeque};

use rmcp::model::{ErrorCode, ErrorData, ProgressToken, RequestId};

/// The number of cancelled ids to remember. A call may end shortly after its client cancelled it, and rmcp would take
/// its late answer for the answer to a new request with the same id.
const CANCELLED: usize = 64;

/// The maximum length of an id and of a progress token, in characters: both are kept while a request runs, and ids
/// longer.
const LONGEST: usize = 256;

/// The ids in use, with the known facts of each running request.
#[derive(Debug)]
pub(super) struct RunningRequests<T = ()> {
    requests: HashMap<RequestId, T>,
    cancelled: VecDeque<RequestId>,
}

impl<T> Default for RunningRequests<T> {
    fn default() -> RunningRequests<T> {
        RunningRequests { requests: HashMap::new(), cancelled: VecDeque::new() }
    }
}

/// The reason why a request may not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartRefusal {
    /// A request with this id is running or was cancelled recently.
    SameId,
    /// The id or the progress token is too long.
    LongId,
    /// Too many requests are running.
    Busy,
    /// The session has ended.
    Gone,
}

impl<T> RunningRequests<T> {
    /// Takes a place for a request, of `most` in total.
    pub(super) fn begin(&mut self, id: &RequestId, most: usize, known: T) -> Result<(), StartRefusal> {
        if self.requests.contains_key(id) || self.cancelled.contains(id) {
            return Err(StartRefusal::SameId);
        }
        if self.requests.len() >= most {
            return Err(StartRefusal::Busy);
        }
        self.requests.insert(id.clone(), known);
        Ok(())
    }

    /// The facts of a running request.
    pub(super) fn get_mut(&mut self, id: &RequestId) -> Option<&mut T> {
        self.requests.get_mut(id)
    }

    /// The facts of every running request.
    pub(super) fn known(&self) -> impl Iterator<Item = &T> {
        self.requests.values()
    }

    /// Ends an answered request; its id may be used again.
    pub(super) fn end(&mut self, id: &RequestId) -> Option<T> {
        self.requests.remove(id)
    }

    /// Ends a request without an answer: its place becomes free, its id does not.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<T> {
        let known = self.requests.remove(id)?;
        self.cancelled.push_back(id.clone());
        if self.cancelled.len() > CANCELLED {
            self.cancelled.pop_front();
        }
        Some(known)
    }
}

/// Refuses an overlong id or progress token, which would fill the memory.
pub(super) fn short(id: &RequestId, token: Option<&ProgressToken>) -> Result<(), StartRefusal> {
    let is_long =
        |it: &RequestId| matches!(it, RequestId::String(text) if text.chars().nth(LONGEST).is_some());
    if is_long(id) || token.is_some_and(|it| is_long(&it.0)) { Err(StartRefusal::LongId) } else { Ok(()) }
}

impl From<StartRefusal> for ErrorData {
    fn from(why: StartRefusal) -> ErrorData {
        match why {
            StartRefusal::SameId => ErrorData::invalid_request(
                "Another running request has this id. Give each request its own id.",
                None,
            ),
            StartRefusal::LongId => {
                let why = format!("Ids and progress tokens have at most {LONGEST} characters.");
                ErrorData::invalid_request(why, None)
            }
            StartRefusal::Busy => {
                let why = "Too many requests are running. Wait until one ends.";
                ErrorData::new(ErrorCode(-32000), why, None)
            }
            StartRefusal::Gone => {
                ErrorData::new(ErrorCode(-32000), "The session has ended. Send `initialize` again.", None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-141: an id is free once its request is answered, and stays in use after a cancellation.
    #[test]
    fn id_is_free_once_its_request_is_answered() {
        let mut running = RunningRequests::<()>::default();
        let [one, two] = [1, 2].map(RequestId::Number);
        assert_eq!(running.begin(&one, 1, ()), Ok(()));
        assert_eq!(running.begin(&one, 1, ()), Err(StartRefusal::SameId));
        assert_eq!(running.begin(&two, 1, ()), Err(StartRefusal::Busy));
        running.end(&one);
        assert_eq!(running.begin(&one, 1, ()), Ok(()));
        running.cancel(&one);
        assert_eq!(running.begin(&one, 1, ()), Err(StartRefusal::SameId));
        assert_eq!(running.begin(&two, 1, ()), Ok(()));
    }

    /// The memory for cancelled ids is bounded; ids that never ran are not remembered.
    #[test]
    fn memory_for_cancelled_ids_is_bounded() {
        let mut running = RunningRequests::<()>::default();
        running.cancel(&RequestId::Number(-1));
        assert!(running.cancelled.is_empty());
        for id in 0..1_000 {
            running.begin(&RequestId::Number(id), 1, ()).unwrap();
            running.cancel(&RequestId::Number(id));
        }
        assert_eq!(running.cancelled.len(), CANCELLED);
    }
}
