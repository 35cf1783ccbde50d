//! An action with its type erased, as the pipeline carries it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Perform, PlanOutline};
use crate::args::{Args, Problem};
use crate::ask::Ask;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::fingerprint::Fingerprint;
use crate::id::DocId;
use crate::kernel::{Boxed, Shared};
use crate::output::Reply;
use crate::permission::Need;
use crate::spec::{Back, Effect, Verb};

/// A decoded action.
pub(crate) trait DynAction: Shared {
    /// The targets of this call.
    fn targets(&self) -> Vec<Need>;

    /// Prepares the plan.
    fn planned<'a>(self: Box<Self>, cx: &'a Cx<'a>) -> Boxed<'a, Result<PreparedCall<'a>, ToolError>>;
}

/// A planned action that only needs to run.
pub(crate) struct PreparedCall<'a> {
    /// The changes and losses, as `preview` shows them.
    pub(crate) shows: Map<String, Value>,
    /// Whether a person must approve the plan.
    pub(crate) asks: bool,
    /// The sentence that the person approves.
    pub(crate) danger: Option<String>,
    /// The question about it; none for an action without a danger.
    pub(crate) ask: Option<Ask>,
    /// The number of things that it touches.
    pub(crate) n: usize,
    /// The effect of the plan.
    pub(crate) effect: Effect,
    /// The documents that it changes or removes.
    pub(crate) changes: BTreeSet<DocId>,
    /// The fingerprint of the plan.
    pub(crate) means: Fingerprint,
    /// The run, not yet started.
    pub(crate) run: Boxed<'a, Reply>,
}

/// The parts of a prepared call that are the same code for every action.
struct PlanTexts {
    shows: Map<String, Value>,
    danger: Option<String>,
    ask: Option<Ask>,
    changes: BTreeSet<DocId>,
}

impl PlanOutline<'_> {
    fn texts(&self, danger: Option<&str>, deed: Option<(Verb, Back)>) -> PlanTexts {
        PlanTexts {
            shows: self.shows.clone(),
            danger: danger.map(|it| self.worded(it)),
            ask: deed.map(|(verb, back)| Ask { verb, back, about: self.about.clone() }),
            changes: self.changes.clone(),
        }
    }
}

/// Decodes the arguments of one action.
pub(crate) type Decoder = fn(Args) -> Result<Box<dyn DynAction>, Vec<Problem>>;

/// The decoder of an action.
pub(crate) fn decoder<A: Perform>(mut args: Args) -> Result<Box<dyn DynAction>, Vec<Problem>> {
    let decoded = A::decode(&mut args);
    Ok(Box::new(args.finish(decoded)?))
}

impl<A: Perform> DynAction for A {
    fn targets(&self) -> Vec<Need> {
        self.needs()
    }

    fn planned<'a>(self: Box<Self>, cx: &'a Cx<'a>) -> Boxed<'a, Result<PreparedCall<'a>, ToolError>> {
        Box::pin(async move {
            let plan = self.prepare(cx).await?;
            let (asks, effect, means) = (self.asks(&plan), self.effect(&plan), plan.fingerprint());
            let n = plan.n;
            let PlanTexts { shows, danger, ask, changes } =
                plan.outline().texts(A::SPEC.danger.sentence(), A::SPEC.deed);
            Ok(PreparedCall {
                shows,
                asks,
                danger,
                ask,
                n,
                effect,
                changes,
                means,
                run: Box::pin(self.perform(plan, cx)),
            })
        })
    }
}
