//! Step 8: who is asked before something dangerous is done, and about what exactly.
//!
//! A person approves a plan, not a call: after the approval the call is planned again, and it runs only if the plan
//! is still the one that they saw, under the titles and places that they read.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::agents::AgentMark;
use crate::ask::Ask;
use crate::config::CallSettings;
use crate::content::written::OUTCOME;
use crate::errands::ErrandBounds;
use crate::error::{ErrorType, ToolError};
use crate::find::ResolvedCall;
use crate::fingerprint::Fingerprint;
use crate::kernel::{Boxed, Shared};
use crate::output::{Output, Reply};
use crate::permission::{Grants, Places};
use crate::plan::PreparedCall;
use crate::sorted::IntoSorted as _;
use crate::spec::Tool;

/// The time for which the text holds that a person's client sends back to confirm a call.
pub const CONFIRM_MS: u64 = 5 * 60 * 1_000;

/// The message of an error whose details are not kept.
const FORGOTTEN: &str = "The call failed after a person approved it. Levels or settings have changed since, so the reason is no longer kept. Read before you try again.";

/// A question to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanQuestion {
    /// The tool.
    pub tool: Tool,
    /// The action, as `tool.action`.
    pub path: String,
    /// The arguments of the call, `action` included, for carrying it out after it has ended.
    pub arguments: Map<String, Value>,
    /// The agent as which the caller is known.
    pub agent: Option<AgentMark>,
    /// Whether the caller is none of the agents that a person has named: its name may be that of one, or look like it.
    pub is_stranger: bool,
    /// Ids of the notebooks that the call names or finds; empty for one about the whole workspace.
    pub notebooks: BTreeSet<String>,
    /// The danger sentence with its placeholders filled, for a model.
    pub danger: String,
    /// The question, for a person.
    pub ask: Ask,
    /// Whether only a person in SiYuan can approve it.
    pub in_siyuan: bool,
    /// The bounds of the errand that the question offers; none if it offers none.
    pub offers: Option<ErrandBounds>,
    /// The changes and losses as `preview` shows them, shortened for a model.
    pub plan: Map<String, Value>,
    /// The fingerprint of the call.
    pub call: Fingerprint,
    /// The fingerprint of the plan with the titles and places of the question.
    pub means: Fingerprint,
}

impl PlanQuestion {
    pub(crate) fn new(
        called: &ResolvedCall,
        plan: &PreparedCall<'_>,
        ask: Ask,
        offers: Option<ErrandBounds>,
        places: Option<&Places>,
    ) -> PlanQuestion {
        let ResolvedCall { spec, arguments, .. } = called;
        let mut arguments = arguments.clone();
        arguments.insert("action".to_owned(), Value::from(spec.name));
        PlanQuestion {
            tool: spec.tool,
            path: spec.path(),
            arguments,
            agent: None,
            is_stranger: false,
            notebooks: places.into_iter().flat_map(Places::iter).map(|it| it.notebook.to_string()).into_set(),
            danger: plan.danger.clone().unwrap_or_default(),
            ask,
            in_siyuan: spec.danger.is_for_siyuan(),
            offers,
            plan: short(&plan.shows),
            call: called.fingerprint(),
            means: plan.means,
        }
    }

    /// The error of a call that was stopped here. It says what would happen and how a person can approve it.
    pub fn unanswered(&self, how: &str) -> ToolError {
        let message = format!("A person must approve {}. Nothing was changed. {how}", self.path);
        ToolError::new(ErrorType::ConfirmationRequired, message)
            .with("danger", self.danger.as_str())
            .with("plan", self.plan.clone())
    }
}

/// The plan without the rows of what breaks: their documents suffice to tell a person, and a preview has them all.
fn short(shows: &Map<String, Value>) -> Map<String, Value> {
    let mut short = shows.clone();
    for (rows, of) in [("references", None), ("rows", Some("row"))] {
        let Some(all) = short.get_mut(rows).and_then(Value::as_array_mut) else { continue };
        let text = |it: &Value, key: &str| it.get(key).and_then(Value::as_str).map(str::to_owned);
        let documents: BTreeSet<String> = match of {
            None => all.iter().filter_map(|it| text(it, "hpath")).collect(),
            Some(of) => all.iter().filter_map(|it| text(it.get(of)?, "text")).collect(),
        };
        *all = documents.into_iter().map(Value::from).collect();
    }
    short
}

/// The answer of a call that a person approved, kept for a caller that repeats it.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptReply {
    /// The answer.
    pub reply: Reply,
    /// The levels under which the call ran.
    grants: Grants,
}

impl KeptReply {
    /// The answer of a call that ran under these levels.
    pub fn new(reply: Reply, grants: Grants) -> KeptReply {
        KeptReply { reply, grants }
    }

    /// The answer for a caller with these levels: without its texts unless they are those under which the call ran.
    pub(super) fn given(&self, now: &Grants) -> Reply {
        let mut kept = self.clone();
        if *now != self.grants {
            kept.forget_texts();
        }
        kept.reply
    }

    /// Keeps only whether the call succeeded. The rest may name what its caller can no longer read.
    pub fn forget_texts(&mut self) {
        self.reply = match &self.reply {
            Ok(_) => Ok(Output::new().with("done", true)),
            Err(error) => {
                let outcome = error.details.get(OUTCOME).cloned();
                let error = ToolError::new(error.kind, FORGOTTEN);
                Err(outcome.into_iter().fold(error, |error, it| error.with(OUTCOME, it)))
            }
        };
    }
}

/// The state of a call's approval before it is planned.
#[derive(Debug, Clone, PartialEq)]
pub enum ApprovalState {
    /// Nobody has been asked yet.
    Open,
    /// A person typed the call themselves and wants it, whatever it does.
    Approved,
    /// A person approved this plan and no other.
    ApprovedPlan(Fingerprint),
    /// A person refused.
    Refused(Box<ToolError>),
    /// It was carried out after a person approved it.
    Ran(Box<KeptReply>),
}

/// The outcome of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// A person approved the plan they were shown.
    Approved,
    /// The person refused, or there is nobody to ask.
    Refused(ToolError),
    /// The question is still open; the caller repeats the call with the answer.
    Later {
        /// The answer until then.
        error: ToolError,
        /// The id of a question that waits in SiYuan. The person's answer may come without the caller.
        question: Option<String>,
    },
    /// The person approved, and the plan was carried out; the answer.
    Ran(Box<Reply>),
}

/// A call that may have to ask, before it is planned.
#[derive(Debug, Clone, Copy)]
pub struct ApprovalRequest<'a> {
    /// The fingerprint of the call.
    pub call: Fingerprint,
    /// Whether only a person in SiYuan can approve it.
    pub in_siyuan: bool,
    /// The argument `confirm`.
    pub confirm: Option<&'a str>,
}

/// The interface through which a person is asked.
pub trait Gate: Shared {
    /// The approval that a call already has.
    fn standing(&self, settings: &CallSettings, call: ApprovalRequest<'_>) -> ApprovalState;

    /// Whether `ask` waits for a person; the puppy barks meanwhile.
    fn waits(&self, _settings: &CallSettings, _question: &PlanQuestion) -> bool {
        false
    }

    /// Notes that a call ran because an errand covers it: its earlier questions are over.
    fn covered(&self, _call: Fingerprint) {}

    /// Asks a person.
    fn ask<'a>(&'a self, settings: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict>;
}

/// The gate of a call whose plan a person approved after they had thought about it.
#[derive(Debug)]
pub(super) struct Approved(pub(super) Fingerprint);

impl Gate for Approved {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::ApprovedPlan(self.0)
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move { Verdict::Refused(question.unanswered("")) })
    }
}

/// The gate for callers without anybody to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has approved: dangerous plans do not run.
    Missing,
    /// A person typed the call.
    Given,
}

impl Gate for Approval {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        match self {
            Approval::Missing => ApprovalState::Open,
            Approval::Given => ApprovalState::Approved,
        }
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        let refused = question.unanswered("Ask them to do it in SiYuan or on the command line.");
        Box::pin(async { Verdict::Refused(refused) })
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
