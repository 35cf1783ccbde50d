//! The danger gate: a person approves through the client or with a returned token, or the call is not carried out.
//!
//! The person's settings choose the way (`--confirm`, or `confirm` in `mcpHttpSettings`); the first available one
//! applies. The gate believes a client's report about its person. It believes nothing that a model writes into its
//! arguments, except a token issued for exactly this call.

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

/// The time a person has to answer through the client.
pub(crate) const PATIENCE: Duration = Duration::from_millis(seal::LIFE_MS);

/// The part of the gate that lives as long as the process.
#[derive(Debug, Clone)]
pub(crate) struct Gatehouse {
    seals: Option<Arc<Seals>>,
    /// The order given when the process started.
    order: Vec<Way>,
}

impl Gatehouse {
    /// Makes a gatehouse with a fresh key; if no random bits are available, it never issues a token.
    pub(crate) fn new(order: Vec<Way>) -> Gatehouse {
        let mut key = [0; 32];
        let seals = getrandom::fill(&mut key).ok().map(|()| Arc::new(Seals::new(key)));
        Gatehouse { seals, order }
    }
}

/// The way in which a client can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The client cannot show questions to a person.
    Never,
    /// The client can be asked while the call waits.
    Now,
    /// The call returns the question, and the client calls again with the answer.
    NextCall,
}

/// The person's answer, as the client reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The person accepted and filled in every required field.
    Yes,
    /// The person did not approve, for this reason.
    No(&'static str),
    /// The client turned out to be unable to show the question.
    Cannot,
}

/// The client that made a call.
pub(crate) trait Client: Send + Sync {
    /// The way in which this client can be asked.
    fn reach(&self) -> Reach;
    /// The state and the answer that this call returned to an earlier question.
    fn brought(&self) -> Option<(&str, Answer)>;
    /// Asks the person; the gate applies its own timeout.
    fn ask(&self, question: &Question) -> impl Future<Output = Answer> + Send;
}

/// The gate for one call.
#[derive(Debug)]
pub(crate) struct CallGate<C> {
    house: Gatehouse,
    client: C,
    /// The caller: nobody else can confirm this caller's calls.
    principal: String,
    now_ms: u64,
    /// The fault of the token that the call carried.
    trouble: OnceLock<&'static str>,
    /// The question for the client to answer with its next call, and its state.
    open: OnceLock<(Question, String)>,
}

impl<C: Client> CallGate<C> {
    pub(crate) fn new(house: Gatehouse, client: C, principal: String, now_ms: u64) -> CallGate<C> {
        CallGate { house, client, principal, now_ms, trouble: OnceLock::new(), open: OnceLock::new() }
    }

    /// The question to send instead of an answer, and the state that must come back with it.
    pub(crate) fn into_open(self) -> Option<(Question, String)> {
        self.open.into_inner()
    }

    /// The ways in force now, in order of preference; if none is available, the call is refused.
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

    /// Issues a token to send back (B-074).
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

/// The error after a person's no, which is final; it tells the model so, and tells a person who was never asked what to
/// do.
fn refused(why: &str) -> ToolError {
    ToolError::new(ErrorType::ConfirmationRequired, format!("{why} {}", words::FINAL))
}

#[cfg(test)]
mod tests;
