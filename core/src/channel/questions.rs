//! Questions to the person: asked once, answered once, carried out at most once. An answer may begin an errand.
//!
//! A question belongs to a caller, a call and a plan. It can outlive its call. A second caller with the same plan under
//! the same name joins it, because a person could not distinguish two such questions. The server carries an approved plan
//! out exactly once.

use std::collections::BTreeSet;

use super::message::{Choice, OfferedErrand, OpenQuestion, Ruling};
use crate::agents::{AgentMark, Identity};
use crate::ask::Ask;
use crate::brake::{Brake, FREE_REFUSALS};
use crate::errands::{ErrandBounds, ErrandPlace, NewErrand};
use crate::fingerprint::Fingerprint;

/// The time for which the end of a question is remembered, for a caller that comes back.
const MEMORY_MS: u64 = 10 * 60 * 1_000;
/// The maximum number of open questions.
pub const MOST_OPEN: usize = 32;
/// The maximum number of further callers that share a question.
const MOST_JOINED: usize = 64;

/// A question to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewQuestion {
    /// The caller.
    pub principal: String,
    /// The name that the client gave itself, for the person.
    pub client: String,
    /// The agent as which the caller is known.
    pub agent: Option<AgentMark>,
    /// Whether the caller is none of the agents that a person has named.
    pub is_stranger: bool,
    /// The way in which the caller is known.
    pub identity: Identity,
    /// The content of the question, as keys and values that a page words.
    pub ask: Ask,
    /// The fingerprint of the call.
    pub call: Fingerprint,
    /// The fingerprint of the plan.
    pub means: Fingerprint,
    /// Ids of the notebooks that it touches; an errand is possible only if they are known.
    pub notebooks: BTreeSet<String>,
    /// The bounds of the errand that it offers; none if every call needs a question of its own.
    pub offers: Option<ErrandBounds>,
    /// Whether other programs may have the same principal, because the caller has no session. Then it has no errand, and
    /// it withdraws no question that it does not name.
    pub is_shared: bool,
    /// The question that the call names by its token.
    pub named: Option<String>,
    /// The time it waits; none for ever.
    pub patience_ms: Option<u64>,
}

/// The state of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionState {
    /// Nobody has answered.
    Open,
    /// Approved; its plan is being carried out.
    Approved,
    /// Over.
    Over(Ruling),
}

/// An answer that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The plan with this fingerprint is to be carried out, once.
    Approved(Fingerprint),
    /// Nothing is to be done.
    Denied,
}

/// The reason why a question is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAsked {
    /// Too many questions are open.
    Full,
    /// The person refused the last ones; the next may be asked after this many seconds.
    Braked {
        /// The number of seconds.
        seconds: u64,
    },
}

/// The questions of a sidecar.
#[derive(Debug)]
pub struct Questions {
    brake: Brake,
    all: Vec<Question>,
    /// Rises with every change that a page shows.
    revision: u64,
}

#[derive(Debug)]
struct Question {
    id: String,
    new: NewQuestion,
    asked_at: u64,
    state: QuestionState,
    /// The time of its end.
    over_at: u64,
    /// Further callers that asked the same.
    joined: BTreeSet<String>,
}

impl NewQuestion {
    fn may_stand(&self) -> bool {
        self.offers.is_some() && !self.is_shared && !self.notebooks.is_empty()
    }

    /// The errand that it offers: more of the same in the same notebooks.
    fn errand(&self) -> Option<NewErrand> {
        Some(NewErrand {
            principal: self.principal.clone(),
            identity: self.identity.clone(),
            ceiling: None,
            client: self.client.clone(),
            agent: self.agent.clone(),
            purpose: String::new(),
            place: ErrandPlace::Notebooks(self.notebooks.clone()),
            deed: Some((self.ask.verb, self.ask.about.kind)),
            bounds: self.offers?,
        })
    }

    /// Whether a question is of this call. A call that shares its principal proves it by the question's id.
    fn is_of(&self, question: &Question) -> bool {
        let is_known = !self.is_shared || self.named.as_ref() == Some(&question.id);
        is_known && question.new.principal == self.principal && question.new.call == self.call
    }

    /// Whether a person would read the same question of the same client and agent.
    fn is_same(&self, question: &Question) -> bool {
        let other = &question.new;
        let caller = |it: &NewQuestion| (it.client.clone(), it.agent.clone());
        (self.call, self.means, caller(self)) == (other.call, other.means, caller(other))
    }
}

impl Default for Questions {
    fn default() -> Questions {
        Questions { brake: Brake::after(FREE_REFUSALS), all: Vec::new(), revision: 0 }
    }
}

impl Question {
    fn until(&self) -> Option<u64> {
        self.new.patience_ms.map(|it| self.asked_at.saturating_add(it))
    }

    fn is_open(&self) -> bool {
        self.state == QuestionState::Open
    }

    /// Whether an errand may begin. Names prove nothing, so none does once a second caller shares the question.
    fn may_stand(&self) -> bool {
        self.new.may_stand() && self.joined.is_empty()
    }

    fn is_of(&self, principal: &str, call: Fingerprint) -> bool {
        self.new.call == call && (self.new.principal == principal || self.joined.contains(principal))
    }
}

impl Questions {
    /// Asks, or joins the same question that is open or being carried out; returns its id. An open question about another
    /// plan of the same call is withdrawn. `random` makes the id, which nobody guesses.
    ///
    /// # Errors
    /// If the person refused the last questions a moment ago, or if too many are open.
    pub fn ask(&mut self, new: NewQuestion, now: u64, random: [u64; 2]) -> Result<String, NotAsked> {
        self.expire(now);
        let is_same = |it: &&mut Question| !matches!(it.state, QuestionState::Over(_)) && new.is_same(it);
        if let Some(same) = self.all.iter_mut().find(is_same) {
            if new.principal != same.new.principal && !same.joined.contains(&new.principal) {
                if same.joined.len() >= MOST_JOINED {
                    return Err(NotAsked::Full);
                }
                same.joined.insert(new.principal.clone());
                self.revision += 1;
            }
            let id = same.id.clone();
            self.withdraw_others(&new, now);
            return Ok(id);
        }
        if let Some(seconds) = self.brake.seconds_left(now) {
            return Err(NotAsked::Braked { seconds });
        }
        self.withdraw_others(&new, now);
        if self.all.iter().filter(|it| it.is_open()).count() >= MOST_OPEN {
            return Err(NotAsked::Full);
        }
        let id = random_id(random);
        self.revision += 1;
        let (state, joined) = (QuestionState::Open, BTreeSet::new());
        self.all.push(Question { id: id.clone(), new, asked_at: now, state, over_at: now, joined });
        Ok(id)
    }

    /// Withdraws the open questions about other plans of the same call.
    fn withdraw_others(&mut self, new: &NewQuestion, now: u64) {
        let is_other = |it: &&mut Question| it.is_open() && new.is_of(it) && it.new.means != new.means;
        for old in self.all.iter_mut().filter(is_other) {
            (old.state, old.over_at) = (QuestionState::Over(Ruling::Gone), now);
            self.revision += 1;
            // A caller that changes its plan again and again replaces the question on the screen each time.
            self.brake.refused(old.asked_at, now);
        }
    }

    /// Takes an answer: the first one, while the question is open. An errand begins with the answer that allows one.
    pub fn answer(&mut self, id: &str, choice: Choice, now: u64) -> Option<(Decision, Option<NewErrand>)> {
        self.expire(now);
        let question = self.all.iter_mut().find(|it| it.id == id && it.is_open())?;
        self.revision += 1;
        if choice == Choice::Deny {
            (question.state, question.over_at) = (QuestionState::Over(Ruling::Denied), now);
            self.brake.refused(question.asked_at, now);
            return Some((Decision::Denied, None));
        }
        question.state = QuestionState::Approved;
        self.brake.answered();
        let begins = choice == Choice::Errand && question.may_stand();
        Some((Decision::Approved(question.new.means), question.new.errand().filter(|_| begins)))
    }

    /// Withdraws the open questions about a call, which has run without an answer.
    pub fn withdraw(&mut self, principal: &str, call: Fingerprint, now: u64) {
        for it in self.all.iter_mut().filter(|it| it.is_open() && it.is_of(principal, call)) {
            (it.state, it.over_at) = (QuestionState::Over(Ruling::Gone), now);
            self.revision += 1;
        }
    }

    /// Notes what came of an approved plan.
    pub fn carried_out(&mut self, id: &str, ruling: Ruling, now: u64) {
        if let Some(question) =
            self.all.iter_mut().find(|it| it.id == id && it.state == QuestionState::Approved)
        {
            (question.state, question.over_at) = (QuestionState::Over(ruling), now);
        }
    }

    /// The state of a question, for the caller and the call that it belongs to.
    pub fn state(&self, id: &str, principal: &str, call: Fingerprint) -> Option<QuestionState> {
        let is_it = |it: &&Question| it.id == id && it.is_of(principal, call);
        self.all.iter().find(is_it).map(|it| it.state)
    }

    /// The newest question about a call that a person approved, for a caller that sends the call again without naming it.
    pub fn approved(
        &self,
        principal: &str,
        client: &str,
        call: Fingerprint,
    ) -> Option<(&str, QuestionState)> {
        let is_approved =
            |it: &&Question| matches!(it.state, QuestionState::Approved | QuestionState::Over(Ruling::Done));
        let mut all = self.all.iter().rev().filter(is_approved);
        let found = all.find(|it| it.is_of(principal, call) && it.new.client == client)?;
        Some((&found.id, found.state))
    }

    /// The state of a question; `None` once it is forgotten.
    pub fn state_of(&self, id: &str) -> Option<QuestionState> {
        self.all.iter().find(|it| it.id == id).map(|it| it.state)
    }

    /// Whether a new question must wait, because the person refused the last ones.
    pub fn is_braked(&self, now: u64) -> bool {
        self.brake.seconds_left(now).is_some()
    }

    /// Ends what has had its time; returns the ids of the questions that nobody answered.
    pub fn expire(&mut self, now: u64) -> Vec<String> {
        let mut expired = Vec::new();
        for it in &mut self.all {
            if it.is_open() && it.until().is_some_and(|until| until <= now) {
                (it.state, it.over_at) = (QuestionState::Over(Ruling::Expired), now);
                expired.push(it.id.clone());
            }
        }
        let is_kept = |it: &Question| {
            !matches!(it.state, QuestionState::Over(_)) || now.saturating_sub(it.over_at) < MEMORY_MS
        };
        self.all.retain(is_kept);
        self.revision += u64::from(!expired.is_empty());
        expired
    }

    /// The next moment at which something ends.
    pub(super) fn due(&self) -> Option<u64> {
        self.all.iter().filter(|it| it.is_open()).filter_map(Question::until).min()
    }

    /// Tells two states apart that pages show.
    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    /// The questions that pages show.
    pub(super) fn shown(&self, now: u64) -> Vec<OpenQuestion> {
        let asked = |it: &Question| OpenQuestion {
            id: it.id.clone(),
            ask: it.new.ask.clone(),
            client: it.new.client.clone(),
            agent: it.new.agent.clone(),
            is_stranger: it.new.is_stranger,
            waited_ms: now.saturating_sub(it.asked_at),
            left_ms: it.until().map(|until| until.saturating_sub(now)),
            may_stand: it.may_stand(),
            offered: it.new.offers.filter(|_| it.may_stand()).map(|bounds| OfferedErrand {
                n: bounds.most.changes.max(bounds.most.deletes),
                minutes: bounds.minutes,
            }),
        };
        self.all.iter().filter(|it| it.is_open()).map(asked).collect()
    }
}

fn random_id([high, low]: [u64; 2]) -> String {
    format!("{high:016x}{low:016x}")
}
