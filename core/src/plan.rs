//! The plan of a change: read once, shown by `preview`, judged by the gate, used by `run`.
//!
//! A person approves all of the plan, the parts that are shown and the parts that are not. The facts are therefore
//! hashed as a whole, and an action cannot leave anything out: everything that `run` uses was approved.
//!
//! Actions implement [`Run`] or [`Change`]; the derive turns either into [`Perform`], and [`Carried`] erases the
//! type, so that the pipeline is compiled once instead of once per action.

mod carried;

use std::collections::BTreeSet;
use std::future::Future;
use std::hash::Hash;

use serde_json::{Map, Value};

pub(crate) use carried::{Decoder, DynAction, PreparedCall, decoder};

use crate::args::Decode;
use crate::ask::{About, Consequence, Thing, ThingKind, Things};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::fingerprint::{Fingerprint, PlanHasher};
use crate::id::DocId;
use crate::kernel::{MaybeSend, Shared};
use crate::output::{Reply, put};
use crate::permission::Need;
use crate::spec::{ActionSpec, Effect};

/// A change that has been read but not made.
#[derive(Debug, Clone, Default)]
pub struct Plan<F> {
    /// The changes and losses, as `preview` shows them.
    pub shows: Map<String, Value>,
    /// The number of things that it touches: `{n}` in a danger sentence.
    pub n: usize,
    /// The name of what it touches: `{name}` in a danger sentence.
    pub name: String,
    /// The subject of a question about it: the things, the other party, and further effects.
    pub about: About,
    /// The documents that it changes or removes. A document that it creates has no id yet and is not among them.
    pub changes: BTreeSet<DocId>,
    /// The facts that were read for `run`. An approval covers exactly these.
    pub facts: F,
}

impl<F> Plan<F> {
    /// A plan whose preview begins with its verb: `would` is what `run` would do, such as "rename".
    pub fn new(would: &str, facts: F) -> Plan<F> {
        Plan::of_facts(facts).show("would", would)
    }

    /// A plan whose preview has no verb, because the entries speak for themselves.
    pub fn of_facts(facts: F) -> Plan<F> {
        let about = About { things: Things { first: Vec::new(), n: 1 }, ..About::default() };
        Plan { shows: Map::new(), n: 1, name: String::new(), about, changes: BTreeSet::new(), facts }
    }

    /// Adds an entry to the preview.
    #[must_use]
    pub fn show(mut self, key: &str, value: impl Into<Value>) -> Plan<F> {
        put(&mut self.shows, key, value.into());
        self
    }

    /// Sets the number and name of what it touches.
    #[must_use]
    pub fn touching(mut self, n: usize, name: impl Into<String>) -> Plan<F> {
        self.n = n;
        self.name = name.into();
        self
    }

    /// Sets the things that a question names, of which there may be more than are kept.
    #[must_use]
    pub fn about(mut self, kind: ThingKind, things: Things) -> Plan<F> {
        self.about.kind = kind;
        self.about.things = things;
        self
    }

    /// Like `about`, for one thing with a name.
    #[must_use]
    pub fn about_one(self, kind: ThingKind, title: &str) -> Plan<F> {
        self.about(kind, Things::of([Thing::titled(title)]))
    }

    /// Adds that it happens in so many blocks of these documents, to the preview too.
    #[must_use]
    pub fn across(self, blocks: usize, documents: &BTreeSet<DocId>) -> Plan<F> {
        let also = Consequence::across(blocks, documents);
        self.show("blocks", blocks).show("documents", documents.len()).also(also)
    }

    /// Sets the other party that a question names: a destination, a new name.
    #[must_use]
    pub fn and(mut self, other: Thing) -> Plan<F> {
        self.about.other = Some(other);
        self
    }

    /// Adds something that a question says besides.
    #[must_use]
    pub fn also(mut self, effect: impl Into<Option<Consequence>>) -> Plan<F> {
        self.about.effects.extend(effect.into());
        self
    }

    /// Adds documents that it changes.
    #[must_use]
    pub fn changing(mut self, documents: impl IntoIterator<Item = DocId>) -> Plan<F> {
        self.changes.extend(documents);
        self
    }

    /// The parts without the facts.
    pub(crate) fn outline(&self) -> PlanOutline<'_> {
        PlanOutline {
            shows: &self.shows,
            n: self.n,
            name: &self.name,
            about: &self.about,
            changes: &self.changes,
        }
    }
}

impl<F: Hash> Plan<F> {
    /// The fingerprint that tells this plan from every other.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let mut hasher = self.outline().hasher();
        self.facts.hash(&mut hasher);
        hasher.end()
    }
}

/// A plan without its facts: a type of its own, so that its methods are compiled once, not once per action.
pub(crate) struct PlanOutline<'a> {
    shows: &'a Map<String, Value>,
    n: usize,
    name: &'a str,
    about: &'a About,
    changes: &'a BTreeSet<DocId>,
}

impl PlanOutline<'_> {
    /// The danger sentence with its placeholders filled: `{n}`, `{name}`, and the entries of the preview.
    fn worded(&self, sentence: &str) -> String {
        let mut worded = filled(sentence, "n", &self.n.to_string());
        for (key, value) in self.shows.iter().filter(|(_, value)| value.is_number()) {
            worded = filled(&worded, key, &value.to_string());
        }
        // The name comes last, because it may contain placeholders itself.
        worded.replace("{name}", self.name)
    }

    /// The hasher of this plan, which still lacks the facts.
    fn hasher(&self) -> PlanHasher {
        let mut hasher = Fingerprint::of_plan(self.shows);
        (self.n, self.name, self.about, self.changes).hash(&mut hasher);
        hasher
    }
}

/// A sentence with one of its holes filled. The noun of a single thing loses its plural: `{n} unused files` becomes
/// `1 unused file`.
fn filled(sentence: &str, hole: &str, value: &str) -> String {
    const PLURALS: [(&str, &str); 9] = [
        ("documents", "document"),
        ("blocks", "block"),
        ("rows", "row"),
        ("values", "value"),
        ("cells", "cell"),
        ("references", "reference"),
        ("unused files", "unused file"),
        ("flashcards", "flashcard"),
        ("bytes", "byte"),
    ];
    let hole = format!("{{{hole}}}");
    let mut parts = sentence.split(&hole);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(value);
        let rest = part.strip_prefix(' ').filter(|_| value == "1");
        let noun = rest.and_then(|rest| PLURALS.iter().find(|(many, _)| rest.starts_with(many)));
        match (rest, noun) {
            (Some(rest), Some((many, one))) => {
                out.push_str(&format!(" {one}{}", rest.strip_prefix(many).unwrap_or_default()));
            }
            _ => out.push_str(part),
        }
    }
    out
}

/// A type that declares one action; implemented by `#[derive(Action)]`.
pub trait Action: Shared + Sized + 'static {
    /// The declaration.
    const SPEC: ActionSpec;
    /// The targets of this call, from `#[needs]`.
    fn needs(&self) -> Vec<Need>;
}

/// An action that only reads. Its targets are resolved while its requests run.
pub trait Run: Action {
    /// Answers the call.
    fn run(self, cx: &Cx<'_>) -> impl Future<Output = Reply> + MaybeSend;
}

/// An action that changes something: it reads and plans first, then makes the change.
pub trait Change: Action {
    /// The facts that `plan` reads and `run` needs. Equal facts have equal hashes, in whatever order the kernel
    /// printed them.
    type Facts: Hash + Shared;

    /// Reads and judges, and changes nothing.
    fn plan(&self, cx: &Cx<'_>) -> impl Future<Output = Result<Plan<Self::Facts>, ToolError>> + MaybeSend;

    /// Makes the planned change.
    fn run(self, plan: Plan<Self::Facts>, cx: &Cx<'_>) -> impl Future<Output = Reply> + MaybeSend;
}

/// The interface of every action to the pipeline; `#[derive(Action)]` implements it over `Run` or `Change`.
pub trait Perform: Action + Decode {
    /// The facts that the plan read.
    type Facts: Hash + Shared;

    /// Prepares the plan; a reader's plan is empty.
    fn prepare(&self, cx: &Cx<'_>) -> impl Future<Output = Result<Plan<Self::Facts>, ToolError>> + MaybeSend;

    /// Runs the plan.
    fn perform(self, plan: Plan<Self::Facts>, cx: &Cx<'_>) -> impl Future<Output = Reply> + MaybeSend;

    /// The effect with these arguments.
    fn effect(&self, _plan: &Plan<Self::Facts>) -> Effect {
        Self::SPEC.effect
    }

    /// Whether a person must approve the call with these arguments.
    fn asks(&self, _plan: &Plan<Self::Facts>) -> bool {
        Self::SPEC.danger.always_asks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One thing is no things, in every sentence of a danger.
    #[test]
    fn dangers_count_one_thing_in_the_singular() {
        assert_eq!(filled("Removes {n} rows of {n}.", "n", "1"), "Removes 1 row of 1.");
        assert_eq!(filled("Removes {n} rows.", "n", "21"), "Removes 21 rows.");
        for sentence in crate::registry::ACTIONS.iter().filter_map(|spec| spec.danger.sentence()) {
            let mut worded = sentence.to_owned();
            for hole in ["n", "documents", "bytes"] {
                worded = filled(&worded, hole, "1");
            }
            for after in worded.split("1 ").skip(1) {
                let noun = after.split([' ', '.', ',', ')']).next().unwrap_or_default();
                assert!(
                    !noun.ends_with('s') && noun != "unused" || after.starts_with("unused file "),
                    "{worded}"
                );
            }
        }
    }

    /// The documents that a plan changes are part of what a person approves, and so is what a question names.
    #[test]
    fn plans_with_different_documents_differ() {
        let doc = |id: &str| DocId::parse(id);
        let plan = || Plan::new("remove", 1);
        let means = |documents: Option<DocId>| plan().changing(documents).fingerprint();
        let a = means(doc("20250101000000-aaaaaaa"));
        assert_eq!(a, means(doc("20250101000000-aaaaaaa")));
        assert_ne!(a, means(doc("20250101000000-bbbbbbb")));
        assert_ne!(a, means(None));
        let named =
            |title| plan().about(ThingKind::Document, Things::of([Thing::titled(title)])).fingerprint();
        assert_eq!(named("Basil"), named("Basil"));
        assert_ne!(named("Basil"), named("Mint"));
    }
}
