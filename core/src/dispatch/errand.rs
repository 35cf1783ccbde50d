//! Between steps 7 and 8: checks whether an errand covers a plan, so that no question is needed.
//!
//! The plan was made and authorized under the current levels; an errand replaces only the question. Its requests are those
//! of the pipeline, and are made only while an errand is active.

use std::collections::BTreeSet;

use super::{ApprovalState, Attempt};
use crate::ask::{Ask, Consequence, ThingKind, Things};
use crate::config::{Pause, Policy};
use crate::cx::{Cx, World};
use crate::errands::{ErrandBounds, ErrandCall, ErrandCost, ErrandSpot, TakenNumber, is_document_deletion};
use crate::permission::{Place, Places, Target};
use crate::plan::PreparedCall;
use crate::runs::touched::is_irreversible;
use crate::sorted::IntoSorted as _;
use crate::spec::{ActionSpec, Back, Effect, Verb};

/// Ends the errands that the current settings do not allow.
pub(super) fn obey(world: &World<'_>, policy: &Policy) {
    let (errands, calls) = (&world.process.errands, &policy.rules.calls);
    match calls.pause {
        // Nothing is known of settings that cannot be read, and no call runs meanwhile.
        Pause::Unknown(_) => return,
        Pause::Yes => errands.end_all(),
        Pause::No => errands.obey(&calls.errands),
    }
    if let Some(principal) = world.author.and_then(|it| it.principal()) {
        errands.obey_ceiling(principal, &policy.scope.grants.ceiling);
    }
}

/// The state of errands during one call; empty while no errand is active.
#[derive(Debug, Default)]
pub(super) struct ErrandSide {
    plan: Option<ErrandPlan>,
    spots: Option<Vec<ErrandSpot>>,
    taken: Option<TakenNumber>,
}

/// The part of a plan that errands judge.
#[derive(Debug)]
struct ErrandPlan {
    asks: bool,
    /// The deed, if an errand may cover it.
    deed: Option<(Verb, ThingKind)>,
    cost: ErrandCost,
    /// The ids of the documents that it changes.
    changes: BTreeSet<String>,
    /// The ids of the documents whose references break.
    broken: BTreeSet<String>,
    /// Whether it puts a run back: documents then move to places that the plan does not name.
    puts_back: bool,
}

impl ErrandSide {
    /// The side of a plan, which becomes a part of the run of its caller's errand.
    pub(super) fn of(spec: &ActionSpec, plan: &PreparedCall<'_>, cx: &Cx<'_>) -> ErrandSide {
        let (errands, now) = (cx.errands(), cx.now_ms());
        let is_change = matches!(plan.effect, Effect::Write | Effect::Destructive);
        if !is_change || !errands.is_any(now) {
            return ErrandSide::default();
        }
        if let Some((id, _)) = cx.principal().and_then(|it| errands.of(it, now)) {
            cx.runs_errand(id);
        }
        let deed = plan.ask.as_ref().filter(|it| is_coverable(spec, it)).map(|it| (it.verb, it.about.kind));
        let effects = plan.ask.iter().flat_map(|it| &it.about.effects);
        let plan = ErrandPlan {
            asks: plan.asks,
            deed,
            cost: cost(plan),
            changes: plan.changes.iter().map(ToString::to_string).into_set(),
            broken: effects.filter_map(broken).flatten().into_set(),
            puts_back: plan.ask.as_ref().is_some_and(|it| it.verb == Verb::PutBack),
        };
        ErrandSide { plan: Some(plan), ..ErrandSide::default() }
    }

    /// Takes the number of a plan that would ask, if an errand covers it. What a person has refused or approved is not
    /// judged again.
    pub(super) async fn cover(&mut self, attempt: &Attempt, cx: &Cx<'_>) -> bool {
        let (Some(plan), Some(principal)) = (&self.plan, cx.principal()) else { return false };
        let Some(deed) = plan.deed.filter(|_| plan.asks && attempt.standing == ApprovalState::Open) else {
            return false;
        };
        let (call, errands) = (ErrandCall { principal, deed, cost: plan.cost }, cx.errands());
        if !errands.may_cover(&call, cx.now_ms()) {
            return false;
        }
        let broken = plan.broken.clone();
        let mut spots = self.spots(attempt, cx).await;
        spots.extend(cx.spots_of(broken).await);
        self.taken = errands.take(&call, &spots, cx.now_ms());
        self.taken.is_some()
    }

    /// Notes that a plan runs: it counts if it needed no question, and it may cross the border of an errand.
    pub(super) async fn runs(&mut self, attempt: &Attempt, cx: &Cx<'_>) {
        let Some(plan) = &self.plan else { return };
        let (asks, changes) = (plan.asks, plan.cost.changes);
        let spots = self.spots(attempt, cx).await;
        cx.errands().crossed(&spots);
        if let Some(principal) = cx.principal().filter(|_| !asks) {
            self.taken = cx.errands().count(principal, changes, &spots, cx.now_ms());
        }
    }

    /// Records documents that were put back across the border of an errand.
    pub(super) async fn went(&self, cx: &Cx<'_>) {
        let Some(plan) = self.plan.as_ref().filter(|it| it.puts_back) else { return };
        let now = cx.spots_of(plan.changes.clone()).await;
        for before in self.spots.iter().flatten().filter(|it| !it.notebook.is_empty()) {
            let after = now.iter().find(|it| it.path.last() == before.path.last());
            cx.errands().crossed(&[before.clone(), after.cloned().unwrap_or_default()]);
        }
    }

    /// Notes the end of a run. A call that failed before its first request that writes certainly changed nothing.
    pub(super) fn ended(self, has_failed: bool, cx: &Cx<'_>) {
        if let Some(taken) = self.taken {
            if has_failed && !cx.has_begun_to_write() {
                cx.errands().give_back(&taken);
            }
            cx.errands().end_spent();
        }
    }

    /// The spots that a plan touches: its targets, and the documents that it changes.
    async fn spots(&mut self, attempt: &Attempt, cx: &Cx<'_>) -> Vec<ErrandSpot> {
        if let Some(spots) = &self.spots {
            return spots.clone();
        }
        let (mut spots, known) = of_places(attempt.places.get());
        let changes = self.plan.iter().flat_map(|it| &it.changes);
        let unknown = changes.filter(|it| !known.contains(*it)).cloned();
        let unnamed = spots.iter().filter(|it| it.notebook.is_empty()).flat_map(|it| it.path.clone());
        let unknown: BTreeSet<String> = unknown.chain(unnamed).into_set();
        spots.retain(|it| !it.notebook.is_empty());
        spots.extend(cx.spots_of(unknown).await);
        spots.extend(cx.foreseen().iter().map(|(notebook, _)| ErrandSpot::notebook(notebook.as_str())));
        self.spots = Some(spots.clone());
        spots
    }
}

/// The spots of targets, and the ids of the documents among them whose path is known. A document without a path has a
/// spot without a notebook.
fn of_places(places: Option<&Places>) -> (Vec<ErrandSpot>, BTreeSet<String>) {
    let (mut spots, mut known) = (Vec::new(), BTreeSet::new());
    for (target, found) in places.into_iter().flat_map(Places::each) {
        for place in found.places() {
            let mut spot = of_place(place);
            if let Target::Block(id) = target {
                spot.block = id.to_string();
            }
            known.extend(spot.path.last().filter(|_| !spot.notebook.is_empty()).cloned());
            spots.push(spot);
        }
        if matches!(target, Target::Av(_)) {
            // A change of a database also marks the blocks that are its rows, wherever they are.
            spots.extend(found.known_rows().map(ErrandSpot::notebook));
        }
    }
    (spots, known)
}

fn of_place(place: &Place) -> ErrandSpot {
    let doc = place.doc.as_ref().or(place.above.as_ref().and_then(|above| above.doc.as_ref()));
    match (doc, &place.storage) {
        (Some(doc), Some(storage)) if storage.doc().as_ref() == Some(doc) => {
            ErrandSpot::document(place.notebook.as_str(), storage)
        }
        // A notebook's own document stands for the notebook.
        (Some(doc), _) if *doc != place.notebook.own_document() => {
            ErrandSpot { path: vec![doc.to_string()], ..ErrandSpot::default() }
        }
        _ => ErrandSpot::notebook(place.notebook.as_str()),
    }
}

/// The number that a plan needs: things as it says them, and never less than the documents that it changes.
fn cost(plan: &PreparedCall<'_>) -> ErrandCost {
    let documents = plan.changes.len() as u64;
    let Some(ask) = &plan.ask else {
        return ErrandCost { changes: (plan.n as u64).max(documents).max(1), deletes: 0 };
    };
    let about = &ask.about;
    let things = about.things.n.saturating_add(about.below());
    if is_document_deletion((ask.verb, about.kind)) && plan.asks {
        return ErrandCost { changes: 0, deletes: things.max(1) };
    }
    let effects = about.effects.iter().map(|it| match it {
        Consequence::Blocks(n) | Consequence::Values(n) => *n,
        Consequence::Across { blocks, documents, .. } => (*blocks).max(*documents),
        _ => 0,
    });
    let most = effects.chain([plan.n as u64, documents, things, 1]).max();
    ErrandCost { changes: most.unwrap_or(1), deletes: 0 }
}

/// Whether errands can cover a question: the change can be put back, concerns notes only, and its plan names everything
/// that it touches.
fn is_coverable(spec: &ActionSpec, ask: &Ask) -> bool {
    let is_deed = match ask.verb {
        Verb::Delete
        | Verb::Overwrite
        | Verb::Replace
        | Verb::Restore
        | Verb::Move
        | Verb::Extract
        | Verb::Absorb
        | Verb::Swap
        | Verb::Redirect
        | Verb::Rename => true,
        // Putting back is a run of its own.
        Verb::PutBack
        | Verb::Send
        | Verb::Sync
        | Verb::Export
        | Verb::Upload
        | Verb::Reset
        | Verb::Close
        | Verb::Set
        | Verb::Allow
        | Verb::Errand => false,
    };
    let is_kind = match ask.about.kind {
        ThingKind::Document
        | ThingKind::Block
        | ThingKind::Choice
        | ThingKind::View
        | ThingKind::Tag
        | ThingKind::Bookmark
        | ThingKind::Reference
        | ThingKind::Text => true,
        // A row or a column may also change databases that relate to its own, which no plan names.
        ThingKind::Row
        | ThingKind::Column
        | ThingKind::Workspace
        | ThingKind::Notebook
        | ThingKind::Database
        | ThingKind::Card
        | ThingKind::File
        | ThingKind::Template => false,
    };
    let can_return = ask.back != Back::Never && !is_irreversible(spec);
    let is_for_siyuan = spec.danger.is_for_siyuan() || spec.worst == Effect::External;
    is_deed && is_kind && can_return && !is_for_siyuan && ask.about.effects.iter().all(is_known)
}

/// Whether everything that an effect touches is named, and can be put back.
fn is_known(effect: &Consequence) -> bool {
    match effect {
        Consequence::Below(_)
        | Consequence::Across { .. }
        | Consequence::Blocks(_)
        | Consequence::Values(_)
        | Consequence::Goes(_)
        | Consequence::Comes(_)
        | Consequence::Changes(_)
        | Consequence::Look
        | Consequence::OtherRules => true,
        Consequence::Breaks { documents, .. } => is_whole(documents),
        Consequence::Removed(_)
        | Consequence::Moved(_)
        | Consequence::Stays(_)
        | Consequence::Keeps(_)
        | Consequence::Overwrites(_)
        | Consequence::Others(_)
        | Consequence::Irreversible
        | Consequence::Rows(_)
        | Consequence::Vanishes
        | Consequence::Merges
        | Consequence::Learning
        | Consequence::Level { .. }
        | Consequence::Size(_)
        | Consequence::Format(_)
        | Consequence::Bounds { .. }
        | Consequence::Setting { .. } => false,
    }
}

/// Whether all things of a list are named by their ids.
fn is_whole(things: &Things) -> bool {
    things.n > 0 && things.more() == 0 && things.first.iter().all(|it| it.id.is_some())
}

/// The ids of the documents whose references break.
fn broken(effect: &Consequence) -> Option<impl Iterator<Item = String>> {
    let Consequence::Breaks { documents, .. } = effect else { return None };
    Some(documents.first.iter().filter_map(|it| it.id.clone()))
}

/// The bounds of the errand that a question offers: more of the same in the same notebooks. A caller with an errand, and
/// one that others may pass for, is offered none.
pub(super) fn offer(spec: &ActionSpec, ask: &Ask, attempt: &Attempt, cx: &Cx<'_>) -> Option<ErrandBounds> {
    let principal = cx.author()?.session.as_deref().and(cx.principal())?;
    let is_free = cx.errands().of(principal, cx.now_ms()).is_none();
    let bounds = attempt.ceilings.offered((ask.verb, ask.about.kind))?;
    (is_free && is_coverable(spec, ask)).then_some(bounds)
}
