//! The danger gate: a person approves in SiYuan, through the client or with a returned token, or the call is not
//! carried out.
//!
//! The person's settings choose the way (`--confirm`, or `confirm` in `mcpHttpSettings`); the first available one
//! applies. The gate believes a client's report about its person. It believes nothing that a model writes into its
//! arguments, except a token issued for exactly this call.

mod question_text;
mod seal;
mod words;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use puppy_core::agents::shown_client;
use puppy_core::ask::{LONGEST, clean};
use puppy_core::channel::{NewQuestion, NotAsked};
use puppy_core::config::{ApprovalMethod, CallSettings};
use puppy_core::dispatch::{ApprovalRequest, ApprovalState, Call, Fingerprint, Gate, PlanQuestion, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Boxed;
use puppy_core::part::Part;

use crate::caller::{Caller, token_ended};
use crate::channel::{Channel, QuestionOutcome, Token};
pub(crate) use question_text::{deed_of, form_text, on_terminal};
use seal::{Purpose, SealBinding, SealError, Seals};

/// The time a person has to answer through the client.
pub(crate) const PATIENCE: Duration = Duration::from_millis(seal::LIFE_MS);
/// The time that a call waits for a question in SiYuan where its client hears nothing meanwhile: many give up after a
/// minute. The question waits on.
const WAIT: Duration = Duration::from_secs(50);

/// The part of the gate that lives as long as the process.
#[derive(Debug, Clone)]
pub(crate) struct Gatehouse {
    seals: Option<Arc<Seals>>,
    /// The order given when the process started.
    order: Vec<ApprovalMethod>,
}

impl Gatehouse {
    /// Makes a gatehouse with a fresh key; if no random bits are available, it never issues a token.
    pub(crate) fn new(order: Vec<ApprovalMethod>) -> Gatehouse {
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
    /// The name that it gave itself, which proves nothing.
    fn name(&self) -> String;
    /// Whether it hears that its call goes on, and so waits for it.
    fn is_patient(&self) -> bool;
    /// Asks the person; the gate applies its own timeout.
    fn ask(&self, question: &PlanQuestion) -> impl Future<Output = Answer> + Send;
}

/// The gate for one call.
#[derive(Debug)]
pub(crate) struct CallGate<C> {
    house: Gatehouse,
    channel: Channel,
    client: C,
    caller: Caller,
    now_ms: u64,
    /// The question that waits in SiYuan and that the call named.
    waits: OnceLock<String>,
    /// The fault of the token that the call carried.
    trouble: OnceLock<&'static str>,
    /// The question for the client to answer with its next call, and its state.
    open: OnceLock<(PlanQuestion, String)>,
}

impl<C: Client> CallGate<C> {
    pub(crate) fn new(
        house: Gatehouse,
        channel: Channel,
        client: C,
        caller: Caller,
        now_ms: u64,
    ) -> CallGate<C> {
        let (waits, trouble, open) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        CallGate { house, channel, client, caller, now_ms, waits, trouble, open }
    }

    /// The question to send instead of an answer, and the state that must come back with it.
    pub(crate) fn into_open(self) -> Option<(PlanQuestion, String)> {
        self.open.into_inner()
    }

    /// The ways in force now, in order of preference; if none is available, the call is refused. What only a person in
    /// SiYuan can approve has one way, whatever the order.
    fn ways(&self, settings: &CallSettings, in_siyuan: bool) -> Vec<ApprovalMethod> {
        if in_siyuan {
            return vec![ApprovalMethod::Approve];
        }
        let chosen = [&self.house.order, &settings.confirm].into_iter().find(|it| !it.is_empty());
        chosen.map_or_else(|| ApprovalMethod::ALL.to_vec(), Clone::clone)
    }

    /// The first way that is available.
    fn way(&self, settings: &CallSettings, in_siyuan: bool) -> ApprovalMethod {
        let ways = self.ways(settings, in_siyuan);
        let is_available = |way: &ApprovalMethod| match way {
            ApprovalMethod::Approve => self.can_approve(&ways),
            ApprovalMethod::Ask => self.client.reach() != Reach::Never,
            ApprovalMethod::Token | ApprovalMethod::Block => true,
        };
        ways.iter().copied().find(is_available).unwrap_or(ApprovalMethod::Block)
    }

    /// Whether SiYuan is asked: a window is open there, the question waits there already, or there is no other way, so
    /// that it waits for a window.
    fn can_approve(&self, ways: &[ApprovalMethod]) -> bool {
        let has_other = ways.iter().any(|way| match way {
            ApprovalMethod::Ask => self.client.reach() != Reach::Never,
            ApprovalMethod::Token => true,
            ApprovalMethod::Approve | ApprovalMethod::Block => false,
        });
        self.channel.can_approve() || self.waits.get().is_some() || !has_other
    }

    /// The standing of a call that names a question in SiYuan; `None` if there is no such question of this call.
    fn waiting(&self, id: &str, call: Fingerprint) -> Option<ApprovalState> {
        let token = self.channel.token(id, &self.caller.principal, call)?;
        if token == Token::Open {
            let _ = self.waits.set(id.to_owned());
        }
        Some(self.standing_of(token))
    }

    /// The standing of a call that is sent again without its token, after a person approved it.
    fn again(&self, call: Fingerprint) -> Option<ApprovalState> {
        let token = self.channel.unheard(&self.caller.principal, &self.name(), call)?;
        Some(self.standing_of(token))
    }

    fn standing_of(&self, token: Token) -> ApprovalState {
        match token {
            Token::Over(QuestionOutcome::Ran(kept)) => ApprovalState::Ran(kept),
            Token::Over(QuestionOutcome::Denied) => ApprovalState::Refused(Box::new(denied(words::DENIED))),
            Token::Running => ApprovalState::Refused(Box::new(ToolError::conflict(words::RUNNING))),
            Token::Open => ApprovalState::Open,
            Token::Over(QuestionOutcome::Unanswered) => {
                let _ = self.trouble.set(words::UNANSWERED);
                ApprovalState::Open
            }
        }
    }

    /// The name of the client as a question shows it.
    fn name(&self) -> String {
        shown_client(&clean(&self.client.name(), LONGEST)).into_owned()
    }

    /// Asks in SiYuan, and waits as long as the client does. When no question can be asked there, no other way is taken: it
    /// would let an agent choose who answers.
    async fn in_siyuan(&self, settings: &CallSettings, question: &PlanQuestion) -> Verdict {
        let new = NewQuestion {
            principal: self.caller.principal.clone(),
            client: self.name(),
            agent: question.agent.clone(),
            is_stranger: question.is_stranger,
            identity: self.caller.identity.clone(),
            ask: question.ask.clone(),
            call: question.call,
            means: question.means,
            notebooks: question.notebooks.clone(),
            offers: question.offers.filter(|_| !question.in_siyuan),
            is_shared: !self.caller.is_in_session,
            named: self.waits.get().cloned(),
            patience_ms: settings.patience.ms(),
        };
        let (tool, arguments) = (question.tool, question.arguments.clone());
        let client = self.client.name();
        let call = Call { tool, arguments, part: Part::Whole, transport: self.caller.transport, client };
        let id = match self.channel.ask(new, call, &self.caller) {
            Ok(id) => id,
            Err(NotAsked::Full) => return Verdict::Refused(question.unanswered(words::FULL)),
            Err(NotAsked::Braked { seconds }) => {
                let error = question.unanswered(&words::braked(seconds));
                return Verdict::Refused(error.with("seconds", seconds));
            }
        };
        let outcome = self.channel.outcome(&id);
        let outcome = if self.client.is_patient() {
            Ok(outcome.await)
        } else {
            tokio::time::timeout(WAIT, outcome).await
        };
        match outcome {
            Ok(QuestionOutcome::Ran(kept)) => Verdict::Ran(Box::new(kept.reply)),
            Ok(QuestionOutcome::Denied) => Verdict::Refused(denied(words::DENIED)),
            Ok(QuestionOutcome::Unanswered) => {
                Verdict::Refused(refused(ErrorType::Expired, words::NO_ANSWER))
            }
            Err(_) => {
                let error = question.unanswered(words::WAITS).with("waiting", true);
                let error = error.with("confirm", id.as_str());
                Verdict::Later { error, question: Some(id) }
            }
        }
    }

    fn bound(&self, purpose: Purpose, call: Fingerprint) -> SealBinding<'_> {
        SealBinding { purpose, principal: &self.caller.principal, call }
    }

    fn open(&self, sealed: &str, purpose: Purpose, call: Fingerprint) -> ApprovalState {
        let seals = self.house.seals.as_ref().ok_or(SealError::Foreign);
        match seals.and_then(|it| it.open(sealed, self.bound(purpose, call), self.now_ms)) {
            Ok(plan) => ApprovalState::ApprovedPlan(plan),
            Err(broken) => {
                let _ = self.trouble.set(words::trouble(broken));
                ApprovalState::Open
            }
        }
    }

    fn seal(&self, purpose: Purpose, question: &PlanQuestion) -> Option<String> {
        self.house.seals.as_ref()?.seal(self.bound(purpose, question.call), question.means, self.now_ms)
    }

    /// Issues a token to send back (B-074).
    fn token(&self, question: &PlanQuestion) -> Verdict {
        let trouble = self.trouble.get().copied().unwrap_or_default();
        match self.seal(Purpose::Confirm, question) {
            Some(token) => {
                let error = question.unanswered(&format!("{trouble}{}", words::HOW_TO_CONFIRM));
                Verdict::Later { error: error.with("confirm", token), question: None }
            }
            None => self.block(question),
        }
    }

    fn block(&self, question: &PlanQuestion) -> Verdict {
        Verdict::Refused(question.unanswered(words::BLOCKED))
    }
}

impl<C: Client> Gate for CallGate<C> {
    fn standing(&self, settings: &CallSettings, asking: ApprovalRequest<'_>) -> ApprovalState {
        let ApprovalRequest { call, in_siyuan, confirm } = asking;
        if let Some(standing) = confirm.and_then(|id| self.waiting(id, call)) {
            return standing;
        }
        let brought = self.client.brought();
        if confirm.is_none()
            && brought.is_none()
            && let Some(standing) = self.again(call)
        {
            return standing;
        }
        match (self.way(settings, in_siyuan), brought, confirm) {
            (ApprovalMethod::Ask, Some((state, Answer::Yes)), _) => self.open(state, Purpose::Answer, call),
            (ApprovalMethod::Ask, Some((_, Answer::No(why))), _) => {
                ApprovalState::Refused(Box::new(refused_by_client(ErrorType::Denied, why)))
            }
            (ApprovalMethod::Token, _, Some(token)) => self.open(token, Purpose::Confirm, call),
            _ => ApprovalState::Open,
        }
    }

    fn waits(&self, settings: &CallSettings, question: &PlanQuestion) -> bool {
        match self.way(settings, question.in_siyuan) {
            ApprovalMethod::Approve => !self.channel.is_braked(),
            ApprovalMethod::Ask => self.client.reach() == Reach::Now,
            ApprovalMethod::Token | ApprovalMethod::Block => false,
        }
    }

    fn covered(&self, call: Fingerprint) {
        self.channel.withdraw(&self.caller.principal, call);
    }

    fn ask<'a>(&'a self, settings: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            let ways = self.ways(settings, question.in_siyuan);
            for way in &ways {
                match (way, self.client.reach()) {
                    (ApprovalMethod::Approve, _) if self.can_approve(&ways) => {
                        return self.in_siyuan(settings, &question).await;
                    }
                    (ApprovalMethod::Approve, _) | (ApprovalMethod::Ask, Reach::Never) => {}
                    (ApprovalMethod::Ask, Reach::NextCall) => {
                        let Some(state) = self.seal(Purpose::Answer, &question) else { break };
                        let error = question.unanswered("");
                        let _ = self.open.set((question, state));
                        return Verdict::Later { error, question: None };
                    }
                    (ApprovalMethod::Ask, Reach::Now) => {
                        match tokio::time::timeout(PATIENCE, self.client.ask(&question)).await {
                            Ok(Answer::Yes) if self.caller.is_admitted() => return Verdict::Approved,
                            Ok(Answer::Yes) => return Verdict::Refused(token_ended()),
                            Ok(Answer::No(why)) => {
                                return Verdict::Refused(refused_by_client(ErrorType::Denied, why));
                            }
                            Ok(Answer::Cannot) => {}
                            Err(_) => {
                                let error = refused_by_client(ErrorType::Expired, words::NO_ANSWER);
                                return Verdict::Refused(error);
                            }
                        }
                    }
                    (ApprovalMethod::Token, _) => return self.token(&question),
                    (ApprovalMethod::Block, _) => break,
                }
            }
            self.block(&question)
        })
    }
}

/// The error after a person's no, which is final.
fn denied(why: &str) -> ToolError {
    refused(ErrorType::Denied, why)
}

/// The error after a question that was not approved.
fn refused(kind: ErrorType, why: &str) -> ToolError {
    ToolError::new(kind, format!("{why} {}", words::FINAL))
}

/// Like [`refused`], where the client reported the answer: a person who was never asked learns what to do.
fn refused_by_client(kind: ErrorType, why: &str) -> ToolError {
    ToolError::new(kind, format!("{why} {} {}", words::FINAL, words::BY_CLIENT))
}

#[cfg(test)]
mod tests;
