//! Questions that wait in SiYuan: the calls that they hold up, and their outcomes.
//!
//! An approved plan is carried out here and not by the call that asked: the call may have ended, and several may wait
//! for one question. Each gets the same answer.

use puppy_core::channel::{APPROVE, NewQuestion, NotAsked, PeerId, QuestionState, Ruling};
use puppy_core::dispatch::{Call, Fingerprint, KeptReply};
use puppy_core::error::{ErrorType, ToolError};

use super::{Channel, locked};
use crate::Sidecar;
use crate::caller::{Caller, token_ended};

/// A call that a question holds up.
#[derive(Debug)]
pub(super) struct PendingCall {
    call: Call,
    caller: Caller,
    /// The calls that wait for the answer.
    waiters: usize,
    /// The answer, once it was carried out.
    reply: Option<KeptReply>,
    /// Whether a call has had the answer.
    is_heard: bool,
}

/// The end of a question, for the call that asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum QuestionOutcome {
    /// Approved; the answer of the call.
    Ran(Box<KeptReply>),
    Denied,
    /// Nobody answered in time, or another plan took its place.
    Unanswered,
}

/// The standing of a question that a call names by its token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// The question is open.
    Open,
    /// Its plan is being carried out.
    Running,
    Over(QuestionOutcome),
}

impl Channel {
    /// Whether a page is there that shows questions.
    pub(crate) fn can_approve(&self) -> bool {
        self.end().has_page(APPROVE, self.now())
    }

    /// Withdraws the questions about a call that has run without an answer.
    pub(crate) fn withdraw(&self, principal: &str, call: Fingerprint) {
        self.act(|end, now| end.withdraw(principal, call, now));
        self.0.settled.notify_waiters();
    }

    /// Whether a new question is not asked for now, because the person refused the last ones.
    pub(crate) fn is_braked(&self) -> bool {
        self.end().questions().is_braked(self.now())
    }

    /// Asks, or joins the same question; returns its id.
    ///
    /// # Errors
    /// If the person refused the last questions a moment ago, or if too many are open.
    pub(crate) fn ask(&self, new: NewQuestion, call: Call, caller: &Caller) -> Result<String, NotAsked> {
        let chance = [super::random(), super::random()];
        let id = self.act_for(|end, now| {
            let (id, duties) = end.ask(new, now, chance);
            if let Ok(id) = &id {
                let caller = caller.clone();
                let pending = PendingCall { call, caller, waiters: 0, reply: None, is_heard: false };
                let mut all = locked(&self.0.pending);
                all.retain(|id, _| end.questions().state_of(id).is_some());
                all.entry(id.clone()).or_insert(pending);
            }
            (id, duties)
        });
        // Another question of the same call may have been withdrawn.
        self.0.settled.notify_waiters();
        id
    }

    /// The standing of a question, for its caller and its call only.
    pub(crate) fn token(&self, id: &str, principal: &str, call: Fingerprint) -> Option<Token> {
        let state = self.end().questions().state(id, principal, call)?;
        Some(match self.over(id, Some(state)) {
            Some(outcome) => Token::Over(self.heard(id, outcome)),
            None if state == QuestionState::Open => Token::Open,
            None => Token::Running,
        })
    }

    /// The standing of an approved question, for a call that is sent again without its token: an agent that gave up
    /// waiting does so. Once a call has had the answer, the next one is a new call.
    pub(crate) fn unheard(&self, principal: &str, client: &str, call: Fingerprint) -> Option<Token> {
        let (id, state) = {
            let end = self.end();
            let (id, state) = end.questions().approved(principal, client, call)?;
            (id.to_owned(), state)
        };
        match self.over(&id, Some(state)) {
            None => Some(Token::Running),
            Some(_) if locked(&self.0.pending).get(&id).is_none_or(|it| it.is_heard) => None,
            Some(outcome) => Some(Token::Over(self.heard(&id, outcome))),
        }
    }

    /// Notes that a call has the outcome.
    fn heard(&self, id: &str, outcome: QuestionOutcome) -> QuestionOutcome {
        if let Some(held) = locked(&self.0.pending).get_mut(id) {
            held.is_heard |= matches!(outcome, QuestionOutcome::Ran(_));
        }
        outcome
    }

    /// Waits for the end of a question.
    pub(crate) async fn outcome(&self, id: &str) -> QuestionOutcome {
        let _waiter = Waiter::new(self, id);
        loop {
            let settled = self.0.settled.notified();
            tokio::pin!(settled);
            settled.as_mut().enable();
            let state = self.end().questions().state_of(id);
            if let Some(outcome) = self.over(id, state) {
                return self.heard(id, outcome);
            }
            settled.await;
        }
    }

    fn over(&self, id: &str, state: Option<QuestionState>) -> Option<QuestionOutcome> {
        match state {
            Some(QuestionState::Open | QuestionState::Approved) => None,
            Some(QuestionState::Over(Ruling::Denied)) => Some(QuestionOutcome::Denied),
            _ => {
                let reply = locked(&self.0.pending).get(id).and_then(|it| it.reply.clone());
                Some(reply.map_or(QuestionOutcome::Unanswered, |it| QuestionOutcome::Ran(Box::new(it))))
            }
        }
    }

    /// Carries out the approved plan of a question, and reports the outcome to the page and the callers.
    pub(super) async fn carry_out(&self, sidecar: &Sidecar, id: &str, means: Fingerprint, page: PeerId) {
        let pending =
            locked(&self.0.pending).get(id).map(|it| (it.call.clone(), it.caller.clone(), it.waiters));
        let Some((call, caller, waiters)) = pending else {
            self.act(|end, now| end.carried_out(id, page, Ruling::Failed, now));
            self.0.settled.notify_waiters();
            return;
        };
        let is_alone = waiters == 0 && !sidecar.observer.has_left(id);
        // The agent may have been removed since, or its ceiling lowered.
        let sidecar = sidecar.known_as(caller.identity.clone());
        let kept = if caller.is_admitted() {
            sidecar.carry_out(caller.session(), call, means, is_alone).await
        } else {
            KeptReply::new(Err(token_ended()), sidecar.policy().await.scope.grants.clone())
        };
        sidecar.observer.settle(id, &kept.reply);
        let ruling = match &kept.reply {
            Ok(_) => Ruling::Done,
            // Only a plan that has changed is shown with the error.
            Err(error) if error.kind == ErrorType::Conflict && error.details.contains_key("plan") => {
                Ruling::Stale
            }
            Err(_) => Ruling::Failed,
        };
        if let Some(pending) = locked(&self.0.pending).get_mut(id) {
            pending.reply = Some(kept);
        }
        self.act(|end, now| end.carried_out(id, page, ruling, now));
        self.0.settled.notify_waiters();
    }

    /// Notes the end of a question that nobody approved in the record of the call that asked.
    pub(super) fn settle(&self, sidecar: &Sidecar, id: &str) {
        let kind = match self.end().questions().state_of(id) {
            Some(QuestionState::Over(Ruling::Denied)) => ErrorType::Denied,
            _ => ErrorType::Expired,
        };
        sidecar.observer.settle(id, &Err(ToolError::new(kind, "")));
    }

    /// Forgets the texts of kept answers: settings have changed, and with them perhaps what their callers may read.
    pub(super) fn forget_texts(&self) {
        for pending in locked(&self.0.pending).values_mut() {
            if let Some(kept) = &mut pending.reply {
                kept.forget_texts();
            }
        }
    }
}

/// A call that waits for a question.
struct Waiter<'a>(&'a Channel, &'a str);

impl<'a> Waiter<'a> {
    fn new(channel: &'a Channel, id: &'a str) -> Waiter<'a> {
        if let Some(pending) = locked(&channel.0.pending).get_mut(id) {
            pending.waiters += 1;
        }
        Waiter(channel, id)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        if let Some(pending) = locked(&self.0.0.pending).get_mut(self.1) {
            pending.waiters = pending.waiters.saturating_sub(1);
        }
    }
}
