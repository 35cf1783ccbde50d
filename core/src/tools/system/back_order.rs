//! The order of the steps of putting back: a parent comes before its children and goes after them, and a block leaves one
//! document before it comes into another.

use std::collections::{BTreeMap, BTreeSet};

use super::back_step::{BackKind, BackStep};
use crate::content::restoring;
use crate::sorted::IntoSorted as _;

/// Steps that wait for each other.
struct BackOrder {
    /// Each until it is taken.
    steps: Vec<Option<BackStep>>,
    /// The numbers of the steps for which each waits.
    waits: Vec<BTreeSet<usize>>,
    /// The numbers of the steps that wait for each.
    holds: Vec<BTreeSet<usize>>,
    /// The numbers of the steps that wait for nothing.
    free: BTreeSet<usize>,
    sorted: Vec<BackStep>,
}

/// The steps in the order in which they are made.
pub(super) fn in_order(mut steps: Vec<BackStep>) -> Vec<BackStep> {
    steps.sort_by_key(|it| {
        let depth = it.path.depth();
        (it.kind, if it.kind == BackKind::Remove { usize::MAX - depth } else { depth })
    });
    let waits = waits(&steps);
    let mut holds = vec![BTreeSet::new(); steps.len()];
    for (at, on) in waits.iter().enumerate() {
        for it in on {
            holds.get_mut(*it).into_iter().for_each(|it| _ = it.insert(at));
        }
    }
    let free = waits.iter().enumerate().filter(|(_, on)| on.is_empty()).map(|(at, _)| at).into_set();
    let mut order =
        BackOrder { steps: steps.into_iter().map(Some).collect(), waits, holds, free, sorted: Vec::new() };
    for at in 0..order.steps.len() {
        order.take_free();
        // The rest waits in a circle: documents have exchanged blocks.
        order.break_circle(at);
    }
    order.take_free();
    order.sorted
}

/// The numbers of the steps for which each waits: those that make its parent, and those that free the ids of its blocks.
fn waits(steps: &[BackStep]) -> Vec<BTreeSet<usize>> {
    let (mut makers, mut holders) = (BTreeMap::new(), BTreeMap::new());
    for (at, it) in steps.iter().enumerate() {
        if it.places() {
            makers.insert((&it.notebook, it.path.as_str().to_owned()), at);
        } else if it.kind == BackKind::Rewrite {
            holders.extend(it.loses.iter().map(|id| (id, at)));
        }
    }
    let of = |at: usize, it: &BackStep| -> BTreeSet<usize> {
        let above = restoring::above(&it.notebook, &it.path).filter(|_| it.places());
        let maker = above.and_then(|above| makers.get(&(&it.notebook, above.as_str().to_owned())).copied());
        let gains = it.gains.iter().filter(|_| it.kind == BackKind::Rewrite);
        gains.filter_map(|id| holders.get(id).copied()).chain(maker).filter(|on| *on != at).into_set()
    };
    steps.iter().enumerate().map(|(at, it)| of(at, it)).collect()
}

impl BackOrder {
    /// Takes all steps that wait for nothing, in their order.
    fn take_free(&mut self) {
        while let Some(at) = self.free.pop_first() {
            if let Some(step) = self.steps.get_mut(at).and_then(Option::take) {
                self.sorted.push(step);
                self.release(at);
            }
        }
    }

    /// Lets those that waited for a step go on.
    fn release(&mut self, at: usize) {
        for waiting in self.holds.get_mut(at).map(std::mem::take).unwrap_or_default() {
            if let Some(on) = self.waits.get_mut(waiting)
                && on.remove(&at)
                && on.is_empty()
            {
                self.free.insert(waiting);
            }
        }
    }

    /// Lets a document give its own blocks up before it gets those of others.
    fn break_circle(&mut self, at: usize) {
        if self.holds.get(at).is_none_or(BTreeSet::is_empty) {
            return;
        }
        let Some(step) = self.steps.get_mut(at).and_then(Option::take) else { return };
        let on = self.waits.get(at).into_iter().flatten();
        let held = on.filter_map(|it| self.steps.get(*it)?.as_ref()).flat_map(|it| it.loses.iter().cloned());
        match step.without_blocks(&held.into_set()) {
            Some(interim) => {
                let hashes = (interim.hashes.1.clone(), step.hashes.1.clone());
                self.sorted.push(interim);
                let rest = BackStep { hashes, loses: BTreeSet::new(), ..step };
                self.steps.get_mut(at).into_iter().for_each(|it| *it = Some(rest.clone()));
            }
            None => self.sorted.push(step),
        }
        self.release(at);
    }
}
