//! What the puppy shows: events in, one scene out, with the clock handed in (B-293, B-294).
//!
//! Of all events that are new, the newest counts: its acting pose is held, then its result. What came
//! before it is skipped, for the picture shows what is, not what was.

use puppy_core::activity::events::{Event, EventFile, Status};
use puppy_core::spec::Tool;

use super::act::{Act, act};
use super::idle::{Idle, Motion};

/// Any pose is held this long at least, in milliseconds. With questions every 500 ms a new call is still
/// seen within 700 ms.
const HOLD: u64 = 600;
const RESULT: u64 = 1_800;
/// A call whose end never comes (its process was killed) is given up after this.
const STUCK: u64 = 60_000;
/// Events that lie in the file when it is first read are shown only if they are this young.
const FRESH: u64 = 2_000;
const SILENT: u64 = 3_000;
const PETTING: u64 = 800;
const BUBBLE: u64 = 2_400;
/// One success in so many has hearts (B-296).
const HEARTS: u8 = 8;
/// More calls than this within a second are one burst: one pose, with a count.
const BURST: usize = 4;
/// Instances that are remembered.
const INSTANCES: usize = 64;

/// What is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing happens.
    Idle,
    /// A call runs.
    Acting(Act),
    /// A call is done.
    Success,
    /// A call failed.
    Error,
    /// A call failed because the person does not allow it.
    Denied,
    /// A call waits for a person.
    Dangerous,
    /// The kernel is silent.
    Offline,
}

impl State {
    /// The word in `data-state`.
    pub const fn word(self) -> &'static str {
        match self {
            State::Idle => "idle",
            State::Acting(Act::Reading) => "reading",
            State::Acting(Act::Writing) => "writing",
            State::Acting(Act::Moving) => "moving",
            State::Acting(Act::Deleting) => "deleting",
            State::Success => "success",
            State::Error | State::Denied => "error",
            State::Dangerous => "dangerous",
            State::Offline => "offline",
        }
    }
}

/// Everything that the picture depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scene {
    /// What is to be seen.
    pub state: State,
    /// The tool whose prop lies beside the puppy.
    pub tool: Option<Tool>,
    /// What it does while nothing happens.
    pub motion: Option<Motion>,
    /// Whether that motion is still moving.
    pub moves: bool,
    /// Whether somebody pets it.
    pub petted: bool,
    /// Whether hearts rise.
    pub hearts: bool,
    /// Whether the word is shown.
    pub bubble: bool,
    /// Calls of a burst; 0 when there is none.
    pub burst: usize,
}

/// The call that a picture belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Call {
    instance: String,
    tool: String,
    action: String,
}

impl Call {
    fn of(event: &Event) -> Call {
        Call { instance: event.instance.clone(), tool: event.tool.clone(), action: event.action.clone() }
    }
}

#[derive(Debug, Clone)]
struct Shown {
    state: State,
    call: Option<Call>,
    since: u64,
}

/// The puppy.
#[derive(Debug)]
pub struct Puppy {
    /// Newest number seen of each instance.
    seen: Vec<(String, u64)>,
    /// Whether the file was read since the page was shown.
    begun: bool,
    shown: Shown,
    /// What comes next, and when.
    plan: Vec<Shown>,
    idle: Idle,
    last_event: u64,
    /// When the kernel stopped answering.
    silent_since: Option<u64>,
    petted_until: u64,
    /// Whether the success that is shown or comes next has hearts.
    hearts: bool,
    rng: fastrand::Rng,
    calls: Vec<u64>,
    burst: usize,
}

impl Puppy {
    /// A puppy that has just come.
    pub fn new(now: u64, seed: u64, calm: bool) -> Puppy {
        Puppy {
            seen: Vec::new(),
            begun: false,
            shown: Shown { state: State::Idle, call: None, since: now },
            plan: Vec::new(),
            idle: Idle::new(now, seed, calm),
            last_event: now,
            silent_since: None,
            petted_until: 0,
            hearts: false,
            rng: fastrand::Rng::with_seed(seed),
            calls: Vec::new(),
            burst: 0,
        }
    }

    /// The page can be seen again: the newest state counts, nothing is replayed.
    pub fn resume(&mut self, now: u64) {
        self.begun = false;
        self.plan.clear();
        self.show(State::Idle, None, now);
        self.idle.disturb(now);
    }

    /// The kernel answered; `None` is a torn file, which changes nothing. A missing one has no events.
    pub fn feed(&mut self, now: u64, file: Option<&EventFile>) {
        self.silent_since = None;
        if self.shown.state == State::Offline {
            self.show(State::Idle, None, now);
            self.idle.disturb(now);
        }
        let Some(file) = file else { return };
        let is_first = !std::mem::replace(&mut self.begun, true);
        let fresh: Vec<&Event> = file
            .events
            .iter()
            .filter(|event| !self.seen.iter().any(|(one, seq)| *one == event.instance && *seq >= event.seq))
            .collect();
        if self.seen.len() > INSTANCES {
            self.seen.retain(|(one, _)| file.events.iter().any(|event| event.instance == *one));
        }
        for event in &fresh {
            match self.seen.iter_mut().find(|(one, _)| *one == event.instance) {
                Some((_, seq)) => *seq = event.seq.max(*seq),
                None => self.seen.push((event.instance.clone(), event.seq)),
            }
        }
        let newest = fresh.last().copied().filter(|event| !is_first || is_young(event, now));
        if let Some(newest) = newest {
            self.count(&fresh);
            self.last_event = now;
            self.idle.disturb(now);
            self.play(newest, now);
        }
    }

    /// The kernel did not answer.
    pub fn silence(&mut self, now: u64) {
        let since = *self.silent_since.get_or_insert(now);
        if now.saturating_sub(since) >= SILENT && self.shown.state != State::Offline {
            self.plan.clear();
            self.show(State::Offline, None, now);
        }
    }

    /// Somebody touched it.
    pub fn pet(&mut self, now: u64) {
        self.petted_until = now + PETTING;
        self.idle.disturb(now);
    }

    /// Goes on to this moment.
    pub fn advance(&mut self, now: u64) {
        while self.plan.first().is_some_and(|next| next.since <= now) {
            self.shown = self.plan.remove(0);
        }
        let lasts = match self.shown.state {
            State::Idle | State::Offline => None,
            State::Acting(_) if !self.plan.is_empty() => None,
            State::Acting(_) => Some(STUCK),
            _ => Some(RESULT),
        };
        if lasts.is_some_and(|lasts| now >= self.shown.since + lasts) {
            self.show(State::Idle, None, now);
        }
        if self.shown.state == State::Idle {
            self.idle.advance(now);
        }
    }

    /// When something changes by itself.
    pub fn wake_at(&self, now: u64) -> Option<u64> {
        let since = self.shown.since;
        let own = match self.shown.state {
            State::Idle => self.idle.wake_at(now),
            State::Offline => None,
            State::Acting(_) => Some(since + STUCK),
            _ => Some(since + RESULT),
        };
        [own, self.plan.first().map(|next| next.since), Some(since + BUBBLE), Some(self.petted_until)]
            .into_iter()
            .flatten()
            .filter(|at| *at > now)
            .min()
    }

    /// How long no event was seen.
    pub fn since_event(&self, now: u64) -> u64 {
        now.saturating_sub(self.last_event)
    }

    /// What is to be seen.
    pub fn scene(&self, now: u64) -> Scene {
        let state = self.shown.state;
        let is_idle = state == State::Idle;
        Scene {
            state,
            tool: self.shown.call.as_ref().and_then(|call| Tool::named(&call.tool)),
            motion: self.idle.doing().filter(|_| is_idle),
            moves: is_idle && self.idle.moves(now),
            petted: now < self.petted_until,
            hearts: now < self.petted_until || (state == State::Success && self.hearts),
            bubble: !is_idle && now < self.shown.since + BUBBLE,
            burst: if self.burst > BURST && matches!(state, State::Acting(_)) { self.burst } else { 0 },
        }
    }

    /// Plans the pictures of an event.
    fn play(&mut self, event: &Event, now: u64) {
        let call = Call::of(event);
        let acting = State::Acting(act(&event.tool, &event.action));
        let is_burst = self.burst > BURST;
        let stays = match self.shown.state {
            State::Acting(_) => is_burst || self.shown.call.as_ref() == Some(&call),
            _ => false,
        };
        // Planned anew below, unless the acting pose of this very call is just waiting its turn.
        self.plan.retain(|next| matches!(next.state, State::Acting(_)) && next.call.as_ref() == Some(&call));
        self.plan.truncate(1);
        let acting_since = if stays {
            self.plan.clear();
            self.shown.since
        } else if let Some(next) = self.plan.first() {
            next.since
        } else {
            let free = match self.shown.state {
                State::Idle | State::Offline => now,
                _ => now.max(self.shown.since + HOLD),
            };
            self.plan.push(Shown { state: acting, call: Some(call.clone()), since: free });
            free
        };
        let result = match event.status {
            Status::Running => None,
            Status::Success => Some(State::Success),
            Status::Dangerous => Some(State::Dangerous),
            Status::Error if event.error_type.as_deref() == Some("permission_denied") => Some(State::Denied),
            Status::Error => Some(State::Error),
        };
        if let Some(state) = result {
            self.hearts = self.rng.u8(0..HEARTS) == 0;
            // In a burst the result waits until the burst is over, so that the pose never restarts.
            let at = if is_burst { now + 2 * HOLD } else { now.max(acting_since + HOLD) };
            self.plan.push(Shown { state, call: Some(call), since: at });
        }
        self.advance(now);
    }

    /// Counts the calls of the last second, by the clock of who wrote them.
    fn count(&mut self, fresh: &[&Event]) {
        let new: Vec<u64> = fresh.iter().filter(|it| it.status == Status::Running).map(|it| it.ts).collect();
        self.calls.extend(&new);
        let newest = fresh.last().map_or(0, |it| it.ts);
        self.calls.retain(|ts| newest.saturating_sub(*ts) <= 1_000);
        self.burst = match self.calls.len() {
            rate if rate <= BURST => 0,
            rate if self.burst == 0 => rate,
            _ => self.burst + new.len(),
        };
    }

    fn show(&mut self, state: State, call: Option<Call>, since: u64) {
        self.shown = Shown { state, call, since };
    }
}

fn is_young(event: &Event, now: u64) -> bool {
    let limit = if event.status == Status::Running { STUCK } else { FRESH };
    now.abs_diff(event.ts) < limit
}

#[cfg(test)]
#[path = "puppy_tests.rs"]
mod tests;
