//! What a change is about to do: read once, shown by `preview`, judged by the gate, used by `run`.
//!
//! A person approves all of it: what is shown and what is not. The facts are therefore hashed whole, and an action
//! cannot forget to say what its plan was made from: whatever `run` uses was approved.
//!
//! Actions write [`Run`] or [`Change`]; the derive makes [`Perform`] of it, and [`Carried`] forgets the type, so
//! that the pipeline is compiled once and not once an action.

mod carried;

use std::collections::BTreeSet;
use std::future::Future;
use std::hash::Hash;

use serde_json::{Map, Value};

pub(crate) use carried::{Decoder, Prepared, decoder};

use crate::args::Decode;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::fingerprint::Fingerprint;
use crate::id::DocId;
use crate::kernel::{Sent, Shared};
use crate::output::{Reply, put};
use crate::permission::Need;
use crate::spec::{ActionSpec, Danger, Effect};

/// A change that has been read up and not yet done.
#[derive(Debug, Clone, Default)]
pub struct Plan<F> {
    /// What would change and what would be lost, as `preview` shows it.
    pub shows: Map<String, Value>,
    /// How many things it touches: `{n}` in a danger sentence.
    pub n: usize,
    /// What it touches: `{name}` in a danger sentence.
    pub name: String,
    /// The documents it changes, those that go among them; one that it makes is not there yet.
    pub changes: BTreeSet<DocId>,
    /// What was read, for `run`: an approval holds for these and no others.
    pub facts: F,
}

impl<F> Plan<F> {
    /// A plan that knows these facts.
    pub fn new(facts: F) -> Plan<F> {
        Plan { shows: Map::new(), n: 1, name: String::new(), changes: BTreeSet::new(), facts }
    }

    /// Adds something to show.
    #[must_use]
    pub fn show(mut self, key: &str, value: impl Into<Value>) -> Plan<F> {
        put(&mut self.shows, key, value.into());
        self
    }

    /// Says what it touches.
    #[must_use]
    pub fn touching(mut self, n: usize, name: impl Into<String>) -> Plan<F> {
        self.n = n;
        self.name = name.into();
        self
    }

    /// Says which documents it changes.
    #[must_use]
    pub fn changing(mut self, documents: impl IntoIterator<Item = DocId>) -> Plan<F> {
        self.changes.extend(documents);
        self
    }

    /// The danger sentence with its holes filled: by `{n}` and `{name}`, and by what the plan shows.
    pub(crate) fn worded(&self, sentence: &str) -> String {
        let mut worded = sentence.replace("{n}", &self.n.to_string());
        for (key, value) in self.shows.iter().filter(|(_, value)| value.is_number()) {
            worded = worded.replace(&format!("{{{key}}}"), &value.to_string());
        }
        // Last, for it may hold anything.
        worded.replace("{name}", &self.name)
    }
}

impl<F: Hash> Plan<F> {
    /// What tells it from every other plan.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_plan(&self.shows, &(self.n, &self.name, &self.changes, &self.facts))
    }
}

/// A type that is the declaration of one action; written by `#[derive(Action)]`.
pub trait Action: Shared + Sized + 'static {
    /// The declaration.
    const SPEC: ActionSpec;
    /// What this call touches, from `#[needs]`.
    fn needs(&self) -> Vec<Need>;
}

/// An action that only reads. Its targets are found side by side with its requests.
pub trait Run: Action {
    /// Answers the call.
    fn run(self, cx: &Cx<'_>) -> impl Future<Output = Reply> + Sent;
}

/// An action that changes something: first it reads and says what it would do, then it does it.
pub trait Change: Action {
    /// What the plan read and `run` needs; equal ones have one hash, however the kernel printed them this time.
    type Facts: Hash + Shared;

    /// Reads and judges; changes nothing.
    fn plan(&self, cx: &Cx<'_>) -> impl Future<Output = Result<Plan<Self::Facts>, ToolError>> + Sent;

    /// Does what was planned.
    fn run(self, plan: Plan<Self::Facts>, cx: &Cx<'_>) -> impl Future<Output = Reply> + Sent;
}

/// What the pipeline needs of every action; `#[derive(Action)]` writes it over `Run` or `Change`.
pub trait Perform: Action + Decode {
    /// What the plan read.
    type Facts: Hash + Shared;

    /// The plan; that of a reader is empty.
    fn prepare(&self, cx: &Cx<'_>) -> impl Future<Output = Result<Plan<Self::Facts>, ToolError>> + Sent;

    /// Runs the plan.
    fn perform(self, plan: Plan<Self::Facts>, cx: &Cx<'_>) -> impl Future<Output = Reply> + Sent;

    /// Its effect with these arguments.
    fn effect(&self, _plan: &Plan<Self::Facts>) -> Effect {
        Self::SPEC.effect
    }

    /// Whether a person must approve it with these arguments.
    fn asks(&self, _plan: &Plan<Self::Facts>) -> bool {
        matches!(Self::SPEC.danger, Danger::Always(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which documents a plan changes is part of what a person approves.
    #[test]
    fn plans_that_change_other_documents_are_other_plans() {
        let doc = |id: &str| DocId::parse(id);
        let plan = || Plan::new(1).show("would", "remove");
        let means = |documents: Option<DocId>| plan().changing(documents).fingerprint();
        let a = means(doc("20250101000000-aaaaaaa"));
        assert_eq!(a, means(doc("20250101000000-aaaaaaa")));
        assert_ne!(a, means(doc("20250101000000-bbbbbbb")));
        assert_ne!(a, means(None));
    }
}
