//! Step 8: who is asked before something dangerous is done, and about what exactly.
//!
//! A person approves a plan, not a call: after the approval the call is planned again, and it runs only if the plan
//! is still the one that they saw.

use serde_json::{Map, Value};

use crate::config::CallSettings;
use crate::error::{ErrorType, ToolError};
use crate::fingerprint::Fingerprint;
use crate::kernel::{Boxed, Shared};
use crate::plan::Prepared;
use crate::spec::ActionSpec;

/// A question to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The action, as `tool.action`.
    pub path: String,
    /// The danger sentence with its placeholders filled.
    pub danger: String,
    /// What would change and what would be lost.
    pub plan: Map<String, Value>,
    /// The fingerprint of the call.
    pub call: Fingerprint,
    /// The fingerprint of the plan.
    pub means: Fingerprint,
}

impl Question {
    pub(crate) fn new(spec: &ActionSpec, plan: &Prepared<'_>, call: Fingerprint) -> Question {
        Question {
            path: spec.path(),
            danger: plan.danger.clone().unwrap_or_default(),
            plan: plan.shows.clone(),
            call,
            means: plan.means,
        }
    }

    /// The error of a call that was stopped here. It says what would happen and how a person can approve it.
    pub fn unanswered(&self, how: &str) -> ToolError {
        let message =
            format!("A person must approve {}: {} Nothing was changed. {how}", self.path, self.danger);
        ToolError::new(ErrorType::ConfirmationRequired, message)
            .with("danger", self.danger.as_str())
            .with("plan", self.plan.clone())
    }
}

/// The state of a call's approval before it is planned.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Nobody has been asked yet.
    Open,
    /// A person typed the call themselves and wants it, whatever it does.
    Approved,
    /// A person approved this plan and no other.
    ApprovedPlan(Fingerprint),
    /// A person refused.
    Refused(Box<ToolError>),
}

/// The outcome of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// A person approved the plan they were shown.
    Approved,
    /// The person refused, or there is nobody to ask.
    Refused(ToolError),
    /// The question is still open; the caller repeats the call with the answer.
    Later(ToolError),
}

/// The interface through which a person is asked.
pub trait Gate: Shared {
    /// The approval that a call already has; `confirm` is its argument of that name.
    fn standing(&self, settings: &CallSettings, call: Fingerprint, confirm: Option<&str>) -> Standing;

    /// Whether `ask` waits for a person; the puppy barks meanwhile.
    fn waits(&self, _settings: &CallSettings) -> bool {
        false
    }

    /// Asks a person.
    fn ask<'a>(&'a self, settings: &'a CallSettings, question: Question) -> Boxed<'a, Verdict>;
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
    fn standing(&self, _: &CallSettings, _call: Fingerprint, _confirm: Option<&str>) -> Standing {
        match self {
            Approval::Missing => Standing::Open,
            Approval::Given => Standing::Approved,
        }
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: Question) -> Boxed<'a, Verdict> {
        let refused = question.unanswered("Ask them to do it in SiYuan or on the command line.");
        Box::pin(async { Verdict::Refused(refused) })
    }
}
