//! Step 8: who is asked before something dangerous is done, and about what exactly.
//!
//! A person approves a plan, not a call: after they agreed the call is planned anew, and runs only
//! when the plan is still the one they saw.

use std::fmt;
use std::future::Future;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::config::CallSettings;
use crate::error::{ErrorType, ToolError};
use crate::plan::Plan;
use crate::spec::ActionSpec;

/// What tells two calls or two plans apart: the first 16 bytes of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 16]);

impl Fingerprint {
    /// Of some texts in order; none of them can reach into the next.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Fingerprint {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Fingerprint::end(hasher)
    }

    fn end(hasher: Sha256) -> Fingerprint {
        let mut first = [0; 16];
        for (to, from) in first.iter_mut().zip(hasher.finalize()) {
            *to = from;
        }
        Fingerprint(first)
    }

    /// Of a call: the action, and its arguments whatever their order and spelling.
    pub(crate) fn of_call(spec: &ActionSpec, settled: &Map<String, Value>) -> Fingerprint {
        let mut text = String::new();
        canonical(settled, &mut text);
        Fingerprint::of([spec.path().as_str(), text.as_str()])
    }

    /// Of a plan: what is shown of it, and everything that was read for it.
    pub(crate) fn of_plan<F: Hash>(plan: &Plan<F>) -> Fingerprint {
        let mut text = String::new();
        canonical(&plan.shows, &mut text);
        let mut hasher = Whole(Sha256::new());
        (text, plan.n, &plan.name, &plan.facts).hash(&mut hasher);
        Fingerprint::end(hasher.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Hashes what derives `Hash` without a collision that somebody could look for.
struct Whole(Sha256);

impl Hasher for Whole {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Nobody asks for it: the whole digest is taken.
    fn finish(&self) -> u64 {
        0
    }
}

/// JSON with the fields of every object in alphabetical order.
fn canonical(map: &Map<String, Value>, out: &mut String) {
    let mut fields: Vec<_> = map.iter().collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    out.push('{');
    for (name, value) in fields {
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push(':');
        canonical_value(value, out);
        out.push(',');
    }
    out.push('}');
}

fn canonical_value(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => canonical(map, out),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical_value(item, out);
                out.push(',');
            }
            out.push(']');
        }
        single => out.push_str(&single.to_string()),
    }
}

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
    pub(crate) fn new<F: Hash>(spec: &ActionSpec, plan: &Plan<F>, call: Fingerprint) -> Question {
        Question {
            path: spec.path(),
            danger: spec.danger.sentence().map(|it| plan.worded(it)).unwrap_or_default(),
            plan: plan.shows.clone(),
            call,
            means: Fingerprint::of_plan(plan),
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

/// Whoever can ask a person. Its futures need not be `Send`: those of a page are not.
pub trait Gate {
    /// What is known of a call already; `confirm` is the argument of that name.
    fn standing(&self, settings: &CallSettings, call: Fingerprint, confirm: Option<&str>) -> Standing;

    /// Whether `ask` waits for a person, so that the puppy barks meanwhile.
    fn waits(&self, _settings: &CallSettings) -> bool {
        false
    }

    /// Asks.
    fn ask(&self, settings: &CallSettings, question: Question) -> impl Future<Output = Verdict>;
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

    async fn ask(&self, _: &CallSettings, question: Question) -> Verdict {
        Verdict::Refused(question.unanswered("Ask them to do it in SiYuan or on the command line."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(arguments: Value) -> Fingerprint {
        let Value::Object(map) = arguments else { unreachable!() };
        Fingerprint::of_call(crate::registry::ACTIONS[0], &map)
    }

    /// B-074: the same arguments in another order are the same call, anything else is another.
    #[test]
    fn the_order_of_fields_does_not_count_and_everything_else_does() {
        let one = of(json!({ "a": { "x": 1, "y": [1, 2] }, "b": "c" }));
        assert_eq!(one, of(json!({ "b": "c", "a": { "y": [1, 2], "x": 1 } })));
        for other in [
            json!({ "a": { "x": 1, "y": [2, 1] }, "b": "c" }),
            json!({ "a": { "x": 1, "y": [1, 2] }, "b": "d" }),
            json!({ "a": { "x": 1, "y": [1, 2], "b": "c" } }),
            json!({ "a": { "x": 1, "y": [1, 2] }, "b": "c", "d": false }),
        ] {
            assert_ne!(one, of(other));
        }
        assert_ne!(of(json!({ "a": "1,\"b\":2" })), of(json!({ "a": 1, "b": 2 })));
        assert_ne!(Fingerprint::of(["ab", "c"]), Fingerprint::of(["a", "bc"]));
    }
}
