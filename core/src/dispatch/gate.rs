//! Step 8: who is asked before something dangerous is done, and about what exactly.
//!
//! A person approves a plan, not a call: after they agreed the call is planned anew, and runs only
//! when the plan is still the one they saw.

use serde_json::{Map, Value};

use crate::config::CallSettings;
use crate::error::{ErrorType, ToolError};
use crate::fingerprint::Fingerprint;
use crate::kernel::{Boxed, Shared};
use crate::plan::Prepared;
use crate::spec::ActionSpec;

/// What a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The action, as `tool.action`.
    pub path: String,
    /// The danger in a sentence, its holes filled.
    pub danger: String,
    /// What would change and what would be lost.
    pub plan: Map<String, Value>,
    /// Which call it is.
    pub call: Fingerprint,
    /// What it would do.
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

    /// The error of a call that was stopped here: what would happen, and how it can be approved.
    pub fn unanswered(&self, how: &str) -> ToolError {
        let message =
            format!("A person must approve {}: {} Nothing was changed. {how}", self.path, self.danger);
        ToolError::new(ErrorType::ConfirmationRequired, message)
            .with("danger", self.danger.as_str())
            .with("plan", self.plan.clone())
    }
}

/// What is known of a call before it is planned.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Nobody was asked yet.
    Open,
    /// A person wants it, whatever it does: they typed it.
    Approved,
    /// A person approved this plan and no other.
    ApprovedPlan(Fingerprint),
    /// A person said no.
    Refused(Box<ToolError>),
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// A person approved what they were shown.
    Approved,
    /// They did not, or there is nobody to ask.
    Refused(ToolError),
    /// It is still open; the caller comes again with the answer.
    Later(ToolError),
}

/// Whoever can ask a person.
pub trait Gate: Shared {
    /// What is known of a call already; `confirm` is the argument of that name.
    fn standing(&self, settings: &CallSettings, call: Fingerprint, confirm: Option<&str>) -> Standing;

    /// Whether `ask` waits for a person, so that the puppy barks meanwhile.
    fn waits(&self, _settings: &CallSettings) -> bool {
        false
    }

    /// Asks.
    fn ask<'a>(&'a self, settings: &'a CallSettings, question: Question) -> Boxed<'a, Verdict>;
}

/// The gate where nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has approved: what is dangerous is not done.
    Missing,
    /// A person typed it.
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
