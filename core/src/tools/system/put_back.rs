//! `system.put_back`: what a run changed, as it was before, as far as nobody changed it since.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::back;
use super::back_left::{LeftDocument, calls_of, moved_json, others};
use super::back_orders::{self, BackOrdering};
use super::back_step::{BackKind, BackStep};
use crate::content::runs::{self, RunId};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Put back what a run changed.
///
/// Agents put back their own runs only. What somebody changed since stays and is named.
#[derive(Debug, Action)]
#[action(
    system.put_back,
    workspace = Write,
    effect = Destructive,
    danger = When(Self::changes_something, "Puts {n} documents back to their state before the run."),
    deed = PutBack(Reverse),
    idempotent = true,
    tier = advanced,
    calls = [..back],
    examples = [{ "run": "{run}", "unfinished": true }, { "run": "{run}", "document": "{doc}", "call": 0 }],
)]
pub struct PutBack {
    /// A run, as list_runs lists it.
    pub run: RunId,
    /// Only this document of it.
    pub document: Option<Child<DocId>>,
    /// Only this call of it.
    pub call: Option<Int<0, 1_000>>,
    /// Also documents that the server's end left unfinished, whole; for people only.
    pub unfinished: Flag<false>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    steps: Vec<BackStep>,
    left: Vec<LeftDocument>,
    /// The orders of documents, restored when these are back.
    orders: Vec<BackOrdering>,
    /// The number of changes that stay because nothing brings them back.
    others: u64,
}

impl PutBack {
    fn changes_something(&self, plan: &Plan<Facts>) -> bool {
        !plan.facts.steps.is_empty() || plan.facts.orders.iter().any(|it| !it.moves.is_empty())
    }
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
        let call = self.call.map(Int::get);
        if call.is_some_and(|it| it >= run.calls.len()) {
            return Err(ToolError::field("call", calls_of(&run)));
        }
        let is_unfinished = self.unfinished.is_set();
        let (steps, mut left) = back::judge(&run, only, (call, is_unfinished), cx).await?;
        cx.puts_back(&run.id, only.is_none() && call.is_none());
        // The order belongs to no single document.
        let (orders, unordered) = match only {
            None => back_orders::judge(&run, call, cx).await?,
            Some(_) => Default::default(),
        };
        left.extend(unordered);
        cx.require(Level::Write, steps.iter().map(|it| it.notebook.as_str()))?;
        let named: Vec<&BackStep> = steps.iter().filter(|it| !it.is_interim).collect();
        // A document that moves back and gets its text is one.
        let mut seen = BTreeSet::new();
        let each = named.iter().filter(|it| seen.insert(it.id.as_str()));
        let moves = || orders.iter().flat_map(|it| &it.moves);
        let reordered = || moves().map(|(id, title)| Thing::titled(title).with_id(id));
        let things = Things::of(each.map(|it| it.to_thing()).chain(reordered()));
        let changes: Vec<DocId> = named.iter().map(|it| it.id.clone()).collect();
        let ids = named.iter().map(|it| it.id.as_str()).chain(moves().map(|(id, _)| id.as_str()));
        let n = ids.into_set().len();
        let first = named.first().map(|it| &it.title).or_else(|| moves().next().map(|(_, title)| title));
        let name = first.cloned().unwrap_or_default();
        let shown: Vec<Value> = named.iter().map(|it| it.to_json()).chain(moves().map(moved_json)).collect();
        let of = |kind| {
            let those = named.iter().filter(|it| it.kind == kind);
            Things::of(those.map(|it| it.to_thing()))
        };
        let moved = named.iter().filter(|it| it.kind == BackKind::Move).map(|it| it.to_thing());
        let (removed, moved) = (of(BackKind::Remove), Things::of(moved.chain(reordered())));
        let unsure = named.iter().filter(|it| it.is_unsure && it.kind == BackKind::Rewrite);
        let unsure = Things::of(unsure.map(|it| it.to_thing()));
        let left_if = |is_part| {
            Things::of(left.iter().filter(|it| it.is_part() == is_part).map(LeftDocument::to_thing))
        };
        let (keeps, stays) = (left_if(true), left_if(false));
        let is_nothing = steps.is_empty() && left.is_empty() && !runs::sees_all(cx);
        let others = if is_nothing { 0 } else { others(&run, call) };
        let plan = Plan::new("put back", Facts { steps, left, orders, others }).show("documents", shown);
        let left: Vec<Value> = plan.facts.left.iter().map(LeftDocument::to_json).collect();
        let plan = plan.show("left", left).show("never", Some(others).filter(|it| *it > 0));
        let some = |things: Things, of: fn(Things) -> Consequence| (things.n > 0).then(|| of(things));
        let plan = plan
            .also(some(removed, Consequence::Removed))
            .also(some(moved, Consequence::Moved))
            .also(some(unsure, Consequence::Overwrites))
            .also(some(keeps, Consequence::Keeps))
            .also(some(stays, Consequence::Stays))
            .also((others > 0).then_some(Consequence::Others(others)));
        Ok(plan.about(ThingKind::Document, things).changing(changes).touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { steps, left, orders, others } = plan.facts;
        let mut done = Done::new();
        for step in &steps {
            let made = step.make(cx).await;
            if !step.is_interim || made.is_err() {
                done.each(step.id.as_str(), made, |()| step.to_json());
            }
        }
        for order in &orders {
            let made = order.make(cx).await;
            for it in &order.moves {
                done.each(&it.0, made.clone(), |()| moved_json(it));
            }
        }
        let left: Vec<Value> = left.iter().map(LeftDocument::to_json).collect();
        let reply = done.reply("put_back")?.with("run", self.run.as_str()).with("left", json!(left));
        Ok(reply.with("never", Some(others).filter(|it| *it > 0)))
    }
}

#[cfg(test)]
#[path = "put_back_tests.rs"]
mod tests;
