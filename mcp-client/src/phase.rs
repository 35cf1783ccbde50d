//! The phases of a connection, with their times and reasons, and its state between them.

use std::collections::VecDeque;

use crate::failure::Failure;

/// The most steps that are kept.
const MOST: usize = 200;

/// A phase of connecting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The request is on its way; nothing has answered.
    Creating,
    /// Something answers at the address.
    Ready,
    /// Revision and session are being agreed upon.
    Initialising,
    /// The server has said what it can do.
    Exchanged,
    /// The lists are being fetched.
    Listing,
    /// Everything is there.
    Connected,
    /// The connection was lost or ended.
    Disconnected,
    /// The attempt failed.
    Failed,
}

/// One step of a connection's life.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The phase that began.
    pub phase: Phase,
    /// The time, in milliseconds since 1970.
    pub at_ms: u64,
    /// The reason, where there is one.
    pub why: Option<Failure>,
}

/// The state of a connection.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum State {
    /// Nobody has asked for it.
    #[default]
    Idle,
    /// It waits for its turn, or an attempt is under way.
    Connecting,
    /// It works.
    Connected,
    /// It was lost and is tried again.
    Retrying {
        /// The attempts so far.
        tries: u32,
        /// The time of the next one, in milliseconds since 1970.
        next_ms: u64,
    },
    /// It failed, and nothing more is tried by itself.
    Failed {
        /// The last phase that was reached.
        in_phase: Phase,
        /// The reason.
        why: Failure,
    },
    /// It was closed.
    Closed,
}

/// The newest steps, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal {
    steps: VecDeque<Step>,
    /// The last phase of progress: failing and disconnecting are not progress.
    reached: Option<Phase>,
}

impl Journal {
    pub(crate) fn step(&mut self, phase: Phase, at_ms: u64, why: Option<Failure>) {
        if !matches!(phase, Phase::Failed | Phase::Disconnected) {
            self.reached = Some(phase);
        }
        if self.steps.len() == MOST {
            self.steps.pop_front();
        }
        self.steps.push_back(Step { phase, at_ms, why });
    }

    /// The last phase that was reached.
    pub(crate) fn reached(&self) -> Phase {
        self.reached.unwrap_or(Phase::Creating)
    }

    pub(crate) fn steps(&self) -> Vec<Step> {
        self.steps.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_bounded_and_knows_how_far_it_came() {
        let mut journal = Journal::default();
        assert_eq!(journal.reached(), Phase::Creating);
        journal.step(Phase::Initialising, 1, None);
        journal.step(Phase::Failed, 2, Some(Failure::Broken));
        assert_eq!(journal.reached(), Phase::Initialising);
        for at_ms in 0..1_000 {
            journal.step(Phase::Creating, at_ms, None);
        }
        let steps = journal.steps();
        assert_eq!((steps.len(), steps.last().map(|it| it.at_ms)), (MOST, Some(999)));
    }
}
