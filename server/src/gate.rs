//! The danger gate of the server: a person is asked through the client, or by a token that comes back, or it is not done.
//!
//! Which way is taken is a setting of the person (`--confirm`, or `confirm` in `mcpHttpSettings`); the
//! first that is available counts. What a client says about its person is believed; what a model
//! writes into its arguments is not, but for a token that was made for exactly this call.

mod seal;
mod words;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use puppy_core::config::{CallSettings, Way};
use puppy_core::dispatch::{Fingerprint, Gate, Question, Standing, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Boxed;

use seal::{Bound, Broken, Purpose, Seals};
pub(crate) use words::asked;

/// How long a person may take to answer through the client.
pub(crate) const PATIENCE: Duration = Duration::from_millis(seal::LIFE_MS);

/// What a process keeps for its gate.
#[derive(Debug, Clone)]
pub(crate) struct Gatehouse {
    seals: Option<Arc<Seals>>,
    /// The order that was given when the process was started.
    order: Vec<Way>,
}

impl Gatehouse {
    /// With a fresh key; without random bits no token is ever given.
    pub(crate) fn new(order: Vec<Way>) -> Gatehouse {
        let mut key = [0; 32];
        let seals = getrandom::fill(&mut key).ok().map(|()| Arc::new(Seals::new(key)));
        Gatehouse { seals, order }
    }
}

/// How a client can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It shows its person no questions.
    Never,
    /// While the call waits.
    Now,
    /// The question is the answer of this call, and the client calls again.
    NextCall,
}

/// What a client says its person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// They accepted and filled in what they had to.
    Yes,
    /// They did not, for this reason.
    No(&'static str),
    /// The client cannot show the question after all.
    Cannot,
}

/// The other side of a call.
pub(crate) trait Client: Send + Sync {
    /// How it can be asked.
    fn reach(&self) -> Reach;
    /// The state and answer that came with this call to a question of an earlier one.
    fn brought(&self) -> Option<(&str, Answer)>;
    /// Asks; the gate gives up by itself when it takes too long.
    fn ask(&self, question: &Question) -> impl Future<Output = Answer> + Send;
}

/// The gate of one call.
#[derive(Debug)]
pub(crate) struct CallGate<C> {
    house: Gatehouse,
    client: C,
    /// Who calls: calls of one principal cannot be confirmed by another.
    principal: String,
    now_ms: u64,
    /// What was wrong with the token that came along.
    trouble: OnceLock<&'static str>,
    /// The question that the client is to bring an answer to, with its state.
    open: OnceLock<(Question, String)>,
}

impl<C: Client> CallGate<C> {
    pub(crate) fn new(house: Gatehouse, client: C, principal: String, now_ms: u64) -> CallGate<C> {
        CallGate { house, client, principal, now_ms, trouble: OnceLock::new(), open: OnceLock::new() }
    }

    /// The question to send instead of an answer, with the state that is to come back.
    pub(crate) fn into_open(self) -> Option<(Question, String)> {
        self.open.into_inner()
    }

    /// The ways of this moment, first choice first; the last is always to leave it.
    fn ways(&self, settings: &CallSettings) -> Vec<Way> {
        let chosen = [&self.house.order, &settings.confirm].into_iter().find(|it| !it.is_empty());
        chosen.map_or_else(|| Way::ALL.to_vec(), Clone::clone)
    }

    /// The first way that is available.
    fn way(&self, settings: &CallSettings) -> Way {
        let available = |way: &Way| *way != Way::Ask || self.client.reach() != Reach::Never;
        self.ways(settings).into_iter().find(available).unwrap_or(Way::Block)
    }

    fn bound(&self, purpose: Purpose, call: Fingerprint) -> Bound<'_> {
        Bound { purpose, principal: &self.principal, call }
    }

    fn open(&self, sealed: &str, purpose: Purpose, call: Fingerprint) -> Standing {
        let seals = self.house.seals.as_ref().ok_or(Broken::Foreign);
        match seals.and_then(|it| it.open(sealed, self.bound(purpose, call), self.now_ms)) {
            Ok(plan) => Standing::ApprovedPlan(plan),
            Err(broken) => {
                let _ = self.trouble.set(words::trouble(broken));
                Standing::Open
            }
        }
    }

    fn seal(&self, purpose: Purpose, question: &Question) -> Option<String> {
        self.house.seals.as_ref()?.seal(self.bound(purpose, question.call), question.means, self.now_ms)
    }

    /// A token to come back with (B-074).
    fn token(&self, question: &Question) -> Verdict {
        let trouble = self.trouble.get().copied().unwrap_or_default();
        match self.seal(Purpose::Confirm, question) {
            Some(token) => Verdict::Later(
                question.unanswered(&format!("{trouble}{}", words::HOW_TO_CONFIRM)).with("confirm", token),
            ),
            None => self.block(question),
        }
    }

    fn block(&self, question: &Question) -> Verdict {
        Verdict::Refused(question.unanswered(words::BLOCKED))
    }
}

impl<C: Client> Gate for CallGate<C> {
    fn standing(&self, settings: &CallSettings, call: Fingerprint, confirm: Option<&str>) -> Standing {
        match (self.way(settings), self.client.brought(), confirm) {
            (Way::Ask, Some((state, Answer::Yes)), _) => self.open(state, Purpose::Answer, call),
            (Way::Ask, Some((_, Answer::No(why))), _) => Standing::Refused(Box::new(refused(why))),
            (Way::Token, _, Some(token)) => self.open(token, Purpose::Confirm, call),
            _ => Standing::Open,
        }
    }

    fn waits(&self, settings: &CallSettings) -> bool {
        self.way(settings) == Way::Ask && self.client.reach() == Reach::Now
    }

    fn ask<'a>(&'a self, settings: &'a CallSettings, question: Question) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            for way in self.ways(settings) {
                match (way, self.client.reach()) {
                    (Way::Ask, Reach::Never) => {}
                    (Way::Ask, Reach::NextCall) => {
                        let Some(state) = self.seal(Purpose::Answer, &question) else { break };
                        let stopped = question.unanswered("");
                        let _ = self.open.set((question, state));
                        return Verdict::Later(stopped);
                    }
                    (Way::Ask, Reach::Now) => {
                        match tokio::time::timeout(PATIENCE, self.client.ask(&question)).await {
                            Ok(Answer::Yes) => return Verdict::Approved,
                            Ok(Answer::No(why)) => return Verdict::Refused(refused(why)),
                            Ok(Answer::Cannot) => {}
                            Err(_) => return Verdict::Refused(refused(words::NO_ANSWER)),
                        }
                    }
                    (Way::Token, _) => return self.token(&question),
                    (Way::Block, _) => break,
                }
            }
            self.block(&question)
        })
    }
}

/// A person's no is final; the model is told so, and a person how to find out that they were never asked.
fn refused(why: &str) -> ToolError {
    ToolError::new(ErrorType::ConfirmationRequired, format!("{why} {}", words::FINAL))
}

#[cfg(test)]
mod tests;
