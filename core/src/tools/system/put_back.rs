//! `system.put_back`: what a run changed, as it was before, as far as nobody changed it since.

use serde_json::{Value, json};

use super::back::{self, LeftDocument};
use super::back_step::{BackKind, BackStep, in_order};
use super::runs::{self, RunId};
use crate::prelude::*;
use crate::runs::record::{ChangedThing, RunChange, RunRecord};

/// Put back what a run of yours changed.
///
/// Documents that somebody changed since stay as they are and are named.
#[derive(Debug, Action)]
#[action(
    system.put_back,
    workspace = Write,
    effect = Destructive,
    danger = When(Self::changes_something, "Puts {n} documents back to their state before the run. What somebody changed since stays."),
    deed = PutBack(Reverse),
    idempotent = true,
    tier = advanced,
    calls = [..back],
    examples = [{ "run": "{run}" }, { "run": "{run}", "document": "{doc}" }],
)]
pub struct PutBack {
    /// A run, as list_runs lists it.
    pub run: RunId,
    /// Only this document of it.
    pub document: Option<Child<DocId>>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    steps: Vec<BackStep>,
    left: Vec<LeftDocument>,
}

impl PutBack {
    fn changes_something(&self, plan: &Plan<Facts>) -> bool {
        !plan.facts.steps.is_empty()
    }
}

/// The number of changes of other things than documents and their blocks. They stay.
fn others(run: &RunRecord) -> u64 {
    let is_text = |it: &RunChange| matches!(it.what, ChangedThing::Document | ChangedThing::Block);
    run.changes.iter().filter(|it| !is_text(it)).count() as u64
}

impl Change for PutBack {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let run = runs::read(self.run.as_str(), cx).await?.ok_or_else(ToolError::not_found)?;
        // The runs of others are theirs.
        if !runs::sees_all(cx) && !runs::is_own(&run, cx) {
            return Err(ToolError::not_found());
        }
        let only = self.document.as_ref().map(|Child(id)| id);
        let (steps, left) = back::judge(&run, only, cx).await?;
        cx.require(Level::Write, steps.iter().map(|it| it.notebook.as_str()))?;
        let things = Things::of(steps.iter().map(|it| Thing::titled(&it.title).with_id(it.id.as_str())));
        let changes: Vec<DocId> = steps.iter().map(|it| it.id.clone()).collect();
        let (n, name) = (steps.len(), steps.first().map(|it| it.title.clone()).unwrap_or_default());
        let shown: Vec<Value> = steps.iter().map(BackStep::to_json).collect();
        let of = |kind| {
            let those = steps.iter().filter(|it| it.kind == kind);
            Things::of(those.map(|it| Thing::titled(&it.title).with_id(it.id.as_str())))
        };
        let (removed, moved) = (of(BackKind::Remove), of(BackKind::Move));
        let stays = Things::of(left.iter().map(LeftDocument::to_thing));
        let is_nothing = steps.is_empty() && left.is_empty();
        let others = if is_nothing { 0 } else { others(&run) };
        let plan = Plan::new("put back", Facts { steps, left }).show("documents", shown);
        let left: Vec<Value> = plan.facts.left.iter().map(LeftDocument::to_json).collect();
        let plan = plan.show("left", left).show("never", Some(others).filter(|it| *it > 0));
        let named = |things: Things, of: fn(Things) -> Consequence| (things.n > 0).then(|| of(things));
        let plan = plan
            .also(named(removed, Consequence::Removed))
            .also(named(moved, Consequence::Moved))
            .also(named(stays, Consequence::Stays))
            .also((others > 0).then_some(Consequence::Others(others)));
        Ok(plan.about(ThingKind::Document, things).changing(changes).touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { steps, left } = plan.facts;
        let mut done = Done::new();
        for step in in_order(&steps) {
            let made = step.make(cx).await;
            done.each(step.id.as_str(), made, |()| step.to_json());
        }
        let left: Vec<Value> = left.iter().map(LeftDocument::to_json).collect();
        Ok(done.reply("put_back")?.with("run", self.run.as_str()).with("left", json!(left)))
    }
}

#[cfg(test)]
#[path = "put_back_tests.rs"]
mod tests;
