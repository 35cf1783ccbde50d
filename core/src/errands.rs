//! Errands: bounded permissions for many changes, each given with one yes.
//!
//! An errand replaces only questions: levels, switches and plans are checked for each call as usual. The number that a
//! call needs is checked and taken in one step, so that two parallel calls cannot both take the last.

mod place;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use place::{ErrandPlace, ErrandSpot};

use crate::agents::{AgentMark, Identity};
use crate::ask::ThingKind;
use crate::grants::{Ceiling, Level};
use crate::spec::Verb;

/// The most changes of an errand.
pub const MOST_CHANGES: u64 = 200;
/// The most deletions of documents of an errand.
pub const MOST_DELETES: u64 = 20;
/// The longest time of an errand, in minutes.
pub const MOST_MINUTES: u64 = 60;
/// The number of changes of the errand that a question offers.
pub const OFFERED_CHANGES: u64 = 20;
/// The time of the errand that a question offers, in minutes.
pub const OFFERED_MINUTES: u64 = 10;
/// The greatest length of a purpose, in characters.
pub const LONGEST_PURPOSE: usize = 200;
/// The longest time of an errand, in milliseconds.
pub(crate) const LONGEST_MS: u64 = MOST_MINUTES * MINUTE_MS;

const MINUTE_MS: u64 = 60_000;
/// The maximum number of active errands in a process.
const MOST_STANDING: usize = 64;
/// The maximum number of ended sessions that are remembered.
const MOST_GONE: usize = 1_024;
/// Calls read the clock side by side, so one may bring a slightly older time than another.
const JITTER_MS: u64 = 1_000;

/// Numbers of changes and of deletions of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ErrandCost {
    /// Changes other than deletions of documents.
    pub changes: u64,
    /// Deletions of documents, those below others included.
    pub deletes: u64,
}

/// The bounds of an errand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ErrandBounds {
    /// The most that it covers.
    pub most: ErrandCost,
    /// Its time, in minutes.
    pub minutes: u64,
}

/// The greatest bounds that a person allows. A bound of 0 for changes or minutes turns errands off.
pub type ErrandCeilings = ErrandBounds;

impl Default for ErrandBounds {
    fn default() -> ErrandBounds {
        ErrandBounds {
            most: ErrandCost { changes: MOST_CHANGES, deletes: MOST_DELETES },
            minutes: MOST_MINUTES,
        }
    }
}

impl ErrandBounds {
    /// Bounds that allow nothing.
    pub const NONE: ErrandBounds = ErrandBounds { most: ErrandCost { changes: 0, deletes: 0 }, minutes: 0 };

    /// Whether they allow no errand at all.
    pub const fn is_off(&self) -> bool {
        self.minutes == 0 || (self.most.changes == 0 && self.most.deletes == 0)
    }

    /// The bounds of the errand that a question about a deed offers; `None` if they allow none.
    pub fn offered(&self, deed: (Verb, ThingKind)) -> Option<ErrandBounds> {
        let cost = |most: ErrandCost| match is_document_deletion(deed) {
            true => ErrandCost { changes: 0, deletes: OFFERED_CHANGES.min(most.deletes) },
            false => ErrandCost { changes: OFFERED_CHANGES.min(most.changes), deletes: 0 },
        };
        let offered = ErrandBounds { most: cost(self.most), minutes: OFFERED_MINUTES.min(self.minutes) };
        (!offered.is_off()).then_some(offered)
    }

    fn exceeds(&self, ceilings: &ErrandCeilings) -> bool {
        self.most.changes > ceilings.most.changes
            || self.most.deletes > ceilings.most.deletes
            || self.minutes > ceilings.minutes
    }
}

/// Whether a deed makes documents disappear. A document that becomes a section of another one does so too.
pub(crate) fn is_document_deletion((verb, kind): (Verb, ThingKind)) -> bool {
    matches!((verb, kind), (Verb::Delete | Verb::Absorb, ThingKind::Document))
}

impl ErrandCost {
    fn plus(self, other: ErrandCost) -> ErrandCost {
        ErrandCost {
            changes: self.changes.saturating_add(other.changes),
            deletes: self.deletes.saturating_add(other.deletes),
        }
    }

    const fn fits(self, most: ErrandCost) -> bool {
        self.changes <= most.changes && self.deletes <= most.deletes
    }
}

/// An errand that a person has just allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewErrand {
    /// Its caller, in one session.
    pub principal: String,
    /// The way in which the caller is known.
    pub identity: Identity,
    /// The ceiling of the caller; the errand ends when it is another. `None` until a call brings it.
    pub ceiling: Option<Ceiling>,
    /// The name that the client gave itself, cleaned.
    pub client: String,
    /// The agent as which the caller is known.
    pub agent: Option<AgentMark>,
    /// The agent's own sentence, cleaned; empty where a question offered the errand.
    pub purpose: String,
    /// Its place.
    pub place: ErrandPlace,
    /// The only deed that it covers, where a question offered it.
    pub deed: Option<(Verb, ThingKind)>,
    /// Its bounds.
    pub bounds: ErrandBounds,
}

/// An active errand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingErrand {
    /// Its id.
    pub id: String,
    /// The errand.
    pub new: NewErrand,
    /// The part of its bounds that is used.
    pub used: ErrandCost,
    /// The time until it ends, in milliseconds.
    pub left_ms: u64,
}

/// The reason why an errand does not begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotBegun {
    /// The caller already has an errand, for this many milliseconds.
    Another(u64),
    /// Too many errands are active.
    Full,
    /// The session of the caller is over.
    Gone,
}

/// A number that a call has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenNumber {
    errand: String,
    cost: ErrandCost,
}

/// A call with what it would need of an errand.
#[derive(Debug, Clone)]
pub struct ErrandCall<'a> {
    /// Its caller.
    pub principal: &'a str,
    /// Its deed.
    pub deed: (Verb, ThingKind),
    /// Its number.
    pub cost: ErrandCost,
}

/// The errands of a process.
#[derive(Debug, Default)]
pub struct Errands(Mutex<ErrandsState>);

#[derive(Debug, Default)]
struct ErrandsState {
    all: Vec<ErrandEntry>,
    /// The latest time that any call reported.
    latest: u64,
    /// Rises with every change that a page shows.
    revision: u64,
    /// The callers whose sessions ended last. A later approval begins no errand for them.
    gone: VecDeque<String>,
}

#[derive(Debug)]
struct ErrandEntry {
    id: String,
    new: NewErrand,
    used: ErrandCost,
    until: u64,
    /// The documents and blocks that moved in or out. Neither they nor documents below them are covered.
    foreign: BTreeSet<String>,
    /// The documents that took something from outside, without those below.
    mixed: BTreeSet<String>,
}

impl ErrandEntry {
    fn left(&self) -> ErrandCost {
        let most = self.new.bounds.most;
        ErrandCost {
            changes: most.changes.saturating_sub(self.used.changes),
            deletes: most.deletes.saturating_sub(self.used.deletes),
        }
    }

    fn is_spent(&self) -> bool {
        self.left() == ErrandCost::default()
    }

    fn is_of(&self, call: &ErrandCall<'_>) -> bool {
        let is_deed = self.new.deed.is_none_or(|it| it == call.deed);
        self.new.principal == call.principal && is_deed
    }

    /// Whether it covers a spot: inside the place, and not brought there meanwhile.
    fn covers(&self, spot: &ErrandSpot) -> bool {
        let is_mixed = spot.path.last().is_some_and(|it| self.mixed.contains(it));
        let is_foreign = spot.path.iter().chain([&spot.block]).any(|it| self.foreign.contains(it));
        self.new.place.holds(spot) && !is_mixed && !is_foreign
    }
}

impl Errands {
    fn state(&self) -> MutexGuard<'_, ErrandsState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state at a time, without errands that have ended. A clock that went back ends all of them.
    fn at(&self, now: u64) -> MutexGuard<'_, ErrandsState> {
        let mut state = self.state();
        let is_back = now.saturating_add(JITTER_MS) < state.latest;
        state.latest = if is_back { now } else { state.latest.max(now) };
        let latest = state.latest;
        state.end(|it| is_back || it.until <= latest);
        state
    }

    /// Notes the time, in milliseconds since 1970.
    pub fn pass(&self, now: u64) {
        drop(self.at(now));
    }

    /// Begins an errand at the latest time that was noted; `random` makes its id, which nobody guesses.
    ///
    /// # Errors
    /// If the caller has an errand, if too many are active, or if its session is over.
    pub fn begin(&self, new: NewErrand, random: [u64; 2]) -> Result<String, NotBegun> {
        let mut state = self.state();
        let now = state.latest;
        if let Some(other) = state.all.iter().find(|it| it.new.principal == new.principal) {
            return Err(NotBegun::Another(other.until.saturating_sub(now)));
        }
        if state.gone.contains(&new.principal) {
            return Err(NotBegun::Gone);
        }
        if state.all.len() >= MOST_STANDING {
            return Err(NotBegun::Full);
        }
        let [high, low] = random;
        let id = format!("{high:016x}{low:016x}");
        let until = now.saturating_add(new.bounds.minutes.saturating_mul(MINUTE_MS));
        let (used, foreign, mixed) = Default::default();
        state.all.push(ErrandEntry { id: id.clone(), new, used, until, foreign, mixed });
        state.revision += 1;
        Ok(id)
    }

    /// The active errand of a caller, with the milliseconds until it ends.
    pub fn of(&self, principal: &str, now: u64) -> Option<(String, u64)> {
        let state = self.at(now);
        let errand = state.all.iter().find(|it| it.new.principal == principal)?;
        Some((errand.id.clone(), errand.until.saturating_sub(state.latest)))
    }

    /// Whether any errand is active at a time.
    pub fn is_any(&self, now: u64) -> bool {
        !self.at(now).all.is_empty()
    }

    /// Whether an errand covers the deed and the number of a call, whose place is not known yet.
    pub fn may_cover(&self, call: &ErrandCall<'_>, now: u64) -> bool {
        self.at(now).all.iter().any(|it| it.is_of(call) && call.cost.fits(it.left()))
    }

    /// Takes the number of a call whose every spot lies inside an errand of its caller; `None` if none covers it.
    pub fn take(&self, call: &ErrandCall<'_>, spots: &[ErrandSpot], now: u64) -> Option<TakenNumber> {
        let mut state = self.at(now);
        let covers = |it: &ErrandEntry| {
            it.is_of(call)
                && call.cost.fits(it.left())
                && !spots.is_empty()
                && spots.iter().all(|spot| it.covers(spot))
        };
        let errand = state.all.iter_mut().find(|it| covers(it))?;
        errand.used = errand.used.plus(call.cost);
        let taken = TakenNumber { errand: errand.id.clone(), cost: call.cost };
        state.revision += 1;
        Some(taken)
    }

    /// Counts a change that needed no question, if a part of it lies inside an errand of its caller. One that exceeds
    /// the bounds ends the errand, because their sum is what the person agreed to.
    pub fn count(
        &self,
        principal: &str,
        changes: u64,
        spots: &[ErrandSpot],
        now: u64,
    ) -> Option<TakenNumber> {
        let mut state = self.at(now);
        let counts = |it: &ErrandEntry| {
            it.new.principal == principal
                && it.new.deed.is_none()
                && spots.iter().any(|spot| it.new.place.holds(spot))
        };
        let errand = state.all.iter_mut().find(|it| counts(it))?;
        let cost = ErrandCost { changes, deletes: 0 };
        let (id, fits) = (errand.id.clone(), cost.fits(errand.left()));
        errand.used = errand.used.plus(cost);
        state.revision += 1;
        if !fits {
            state.end(|it| it.id == id);
        }
        Some(TakenNumber { errand: id, cost })
    }

    /// Gives a number back, because its call certainly changed nothing.
    pub fn give_back(&self, taken: &TakenNumber) {
        let mut state = self.state();
        if let Some(errand) = state.all.iter_mut().find(|it| it.id == taken.errand) {
            errand.used.changes = errand.used.changes.saturating_sub(taken.cost.changes);
            errand.used.deletes = errand.used.deletes.saturating_sub(taken.cost.deletes);
            state.revision += 1;
        }
    }

    /// Ends an errand of which nothing is left, after the call that took the last of it.
    pub fn end_spent(&self) {
        self.state().end(ErrandEntry::is_spent);
    }

    /// Records a change by any caller that touches documents inside and outside an errand's place. The person did not
    /// allow changes of what crosses its border, so neither the documents outside nor those inside are covered any longer.
    pub fn crossed(&self, spots: &[ErrandSpot]) {
        let mut state = self.state();
        for errand in &mut state.all {
            let (inside, outside): (Vec<&ErrandSpot>, Vec<&ErrandSpot>) =
                spots.iter().partition(|spot| errand.covers(spot));
            if inside.is_empty() || outside.is_empty() {
                continue;
            }
            errand.foreign.extend(outside.iter().filter_map(|it| it.named().cloned()));
            errand.mixed.extend(inside.iter().filter_map(|it| it.path.last().cloned()));
        }
    }

    /// Ends an errand.
    pub fn revoke(&self, id: &str) {
        self.state().end(|it| it.id == id);
    }

    /// Ends every errand.
    pub fn end_all(&self) {
        self.state().end(|_| true);
    }

    /// Ends the errands of a caller, whose session is over.
    pub fn end_of(&self, principal: &str) {
        let mut state = self.state();
        state.end(|it| it.new.principal == principal);
        state.gone.push_back(principal.to_owned());
        if state.gone.len() > MOST_GONE {
            state.gone.pop_front();
        }
    }

    /// Ends the errands that exceed what a person allows now.
    pub fn obey(&self, ceilings: &ErrandCeilings) {
        self.state().end(|it| ceilings.is_off() || it.new.bounds.exceeds(ceilings));
    }

    /// Ends the errands of a caller whose ceiling is lower than it was when they began.
    pub fn obey_ceiling(&self, principal: &str, now: &Ceiling) {
        let mut state = self.state();
        for errand in state.all.iter_mut().filter(|it| it.new.principal == principal) {
            errand.new.ceiling.get_or_insert_with(|| now.clone());
        }
        let is_lower = |it: &ErrandEntry| it.new.ceiling.as_ref().is_some_and(|then| is_lower(now, then));
        state.end(|it| it.new.principal == principal && is_lower(it));
    }

    /// The callers that have errands, and how each is known.
    pub fn callers(&self) -> Vec<(String, Identity)> {
        self.state().all.iter().map(|it| (it.new.principal.clone(), it.new.identity.clone())).collect()
    }

    /// A number that changes with everything that pages show.
    pub fn revision(&self) -> u64 {
        self.state().revision
    }

    /// The active errands, oldest first.
    pub fn standing(&self) -> Vec<StandingErrand> {
        let state = self.state();
        let standing = |it: &ErrandEntry| StandingErrand {
            id: it.id.clone(),
            new: it.new.clone(),
            used: it.used,
            left_ms: it.until.saturating_sub(state.latest),
        };
        state.all.iter().map(standing).collect()
    }
}

impl ErrandsState {
    fn end(&mut self, is_over: impl Fn(&ErrandEntry) -> bool) {
        let before = self.all.len();
        self.all.retain(|it| !is_over(it));
        self.revision += u64::from(self.all.len() != before);
    }
}

/// Whether a ceiling allows less than another one did.
fn is_lower(now: &Ceiling, then: &Ceiling) -> bool {
    let is_narrower = match (&now.notebooks, &then.notebooks) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(now), Some(then)) => !then.is_subset(now),
    };
    now.level < then.level || (is_narrower && then.level > Level::None)
}
