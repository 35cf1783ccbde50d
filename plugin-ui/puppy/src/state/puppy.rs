//! The puppy's state: events in, one scene out, with the clock as an argument (B-293, B-294).
//!
//! Only the newest of all new events counts: its acting pose is held, then its result. Earlier ones are
//! skipped, because the picture shows the present, not the past. Petting, meals, a pause or a silent kernel
//! compete with the calls; the order of [`State`] decides which of them is shown.

use puppy_core::activity::CANCELLED;
use puppy_core::activity::events::{CallStatus, Event, EventFile};
use puppy_core::activity::shop::{ItemKind, ShopItem};
use puppy_core::activity::stats::{CareFacts, Meal, Mood};
use puppy_core::agents::AgentColor;
use puppy_core::spec::Tool;

use super::collars::Collars;
use super::idle::Idle;
use super::mound::Mound;
use super::news::News;
use super::past::Past;
use puppy_ui_web::state::act::act;
use puppy_ui_web::state::scene::{Scene, State};

/// The least time of an acting pose, in milliseconds, and of a success when another call comes: with a poll
/// every 500 ms that call is still seen within 700 ms.
const HOLD: u64 = 600;
const RESULT: u64 = 1_800;
/// A call without an end (its process was killed) is given up after this.
const STUCK: u64 = 60_000;
/// Events that are in the file when it is first read are shown only if they are this young.
const FRESH: u64 = 2_000;
const SILENT: u64 = 3_000;
const PETTING: u64 = 800;
const LANDING: u64 = 180;
const MEAL: u64 = 10_000;
/// One success in eight has hearts (B-296).
const HEARTS: u8 = 8;

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

/// A picture of a call; [`State::Idle`] is none.
#[derive(Debug, Clone)]
struct ShownCall {
    state: State,
    call: Option<Call>,
    since: u64,
}

/// A meal or a toy, from a moment on.
#[derive(Debug, Clone, Copy)]
struct Treat {
    item: ShopItem,
    since: u64,
}

/// The puppy.
#[derive(Debug)]
pub struct Puppy {
    news: News,
    mound: Mound,
    collars: Collars,
    /// Whether the file was read since the page was shown.
    begun: bool,
    shown: ShownCall,
    /// The pictures to come, each with its time.
    plan: Vec<ShownCall>,
    /// The state that the bubble names, and since when.
    said: (State, u64),
    idle: Idle,
    last_event: u64,
    /// The time of the first unanswered poll.
    silent_since: Option<u64>,
    is_offline: bool,
    is_paused: bool,
    is_dragged: bool,
    /// Whether a question waits.
    is_asked: bool,
    treat: Option<Treat>,
    wears: bool,
    care: CareFacts,
    petted_until: u64,
    landed_until: u64,
    /// Whether the success that is shown or comes next has hearts.
    hearts: bool,
    calm: bool,
    rng: fastrand::Rng,
}

impl Puppy {
    /// A puppy that has just come.
    pub fn new(now: u64, seed: u64, calm: bool) -> Puppy {
        Puppy {
            news: News::default(),
            mound: Mound::default(),
            collars: Collars::default(),
            begun: false,
            shown: ShownCall { state: State::Idle, call: None, since: now },
            plan: Vec::new(),
            said: (State::Idle, now),
            idle: Idle::new(now, seed, calm),
            last_event: now,
            silent_since: None,
            is_offline: false,
            is_paused: false,
            is_dragged: false,
            is_asked: false,
            treat: None,
            wears: false,
            care: CareFacts { active: now, ..CareFacts::default() },
            petted_until: 0,
            landed_until: 0,
            hearts: false,
            calm,
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// Resumes when the page is visible again: the newest state counts, nothing is replayed.
    pub fn resume(&mut self, now: u64) {
        self.begun = false;
        self.care.active = now;
        self.rest(now);
    }

    /// Turns motion off or on again; without it, pose and mark alone tell the state.
    pub fn set_calm(&mut self, calm: bool) {
        self.calm = calm;
        self.idle.set_calm(calm);
    }

    /// Takes an answer of the kernel; `None` is a torn file, which changes nothing. A missing one has no events.
    pub fn feed(&mut self, now: u64, file: Option<&EventFile>) {
        self.silent_since = None;
        if std::mem::take(&mut self.is_offline) {
            self.idle.disturb(now);
        }
        let Some(file) = file else { return };
        self.care.calls = self.care.calls.max(file.total_calls);
        let is_first = !std::mem::replace(&mut self.begun, true);
        let is_new = self.news.is_new();
        let fresh = self.news.read(file);
        let newest = fresh.last().copied().filter(|event| !is_first || is_young(event, now));
        // Events from the time in which the page was hidden count, those from before it was loaded do not.
        if !is_new || newest.is_some() {
            self.mound.hear(&fresh);
            self.collars.tidy(now);
            self.collars.hear(&fresh);
        }
        if let Some(newest) = newest {
            self.news.count(&fresh);
            self.last_event = now;
            self.stir(now);
            let end = self.play(newest, now);
            for item in fresh.iter().filter_map(|event| bought(event)) {
                self.give(item, end);
            }
            self.advance(now);
        }
    }

    /// Whether it wears something.
    pub const fn wears(&self) -> bool {
        self.wears
    }

    /// Whether an agent has changed notes at which nobody has looked.
    pub fn has_mound(&self) -> bool {
        self.mound.is_there()
    }

    /// The colours of the agents at work, at most two.
    pub fn collars(&self, now: u64) -> Vec<AgentColor> {
        self.collars.colors(now)
    }

    /// A person looks at what the agent changed.
    pub fn level_mound(&mut self) {
        self.mound.level();
    }

    /// Notes that the kernel did not answer.
    pub fn silence(&mut self, now: u64) {
        let since = *self.silent_since.get_or_insert(now);
        if now.saturating_sub(since) >= SILENT && !self.is_offline {
            self.is_offline = true;
            self.rest(now);
        }
    }

    /// A person touches it.
    pub fn pet(&mut self, now: u64) {
        self.petted_until = now + PETTING;
        self.stir(now);
    }

    /// A person lifts it.
    pub fn drag(&mut self, now: u64) {
        self.is_dragged = true;
        self.stir(now);
    }

    /// A person puts it down.
    pub fn land(&mut self, now: u64) {
        if std::mem::take(&mut self.is_dragged) {
            self.landed_until = now + LANDING;
            self.stir(now);
        }
    }

    /// Sets whether a question waits for the person.
    pub fn ask(&mut self, now: u64, waits: bool) {
        if std::mem::replace(&mut self.is_asked, waits) == waits {
            return;
        }
        self.idle.disturb(now);
        if !waits {
            // The answer may be a no, after which the deed must not look as if it ran. The next event has the outcome.
            let is_open = |state| matches!(state, State::Acting(_) | State::Dangerous);
            self.plan.retain(|next| !is_open(next.state));
            if is_open(self.shown.state) {
                self.show(State::Idle, now);
            }
            self.said = (State::Idle, now);
        }
    }

    /// Sets whether the person has paused every call.
    pub fn pause(&mut self, now: u64, paused: bool) {
        if std::mem::replace(&mut self.is_paused, paused) != paused {
            self.idle.disturb(now);
        }
    }

    /// Whether the person has paused every call.
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Gives it food, a toy or something to wear.
    pub fn treat(&mut self, now: u64, item: ShopItem) {
        self.give(item, now);
        self.stir(now);
    }

    /// Takes the past from before this page was loaded.
    pub fn remember(&mut self, past: Past) {
        self.wears = past.bow;
        self.care.calls = self.care.calls.max(past.calls);
        self.care.meal = past.meal.or(self.care.meal.take());
    }

    /// Its mood.
    pub fn mood(&self, now: u64) -> Mood {
        self.care.mood(now)
    }

    /// Advances to this moment.
    pub fn advance(&mut self, now: u64) {
        while self.plan.first().is_some_and(|next| next.since <= now) {
            self.shown = self.plan.remove(0);
        }
        let lasts = match self.shown.state {
            State::Idle => None,
            State::Acting(_) if !self.plan.is_empty() => None,
            State::Acting(_) => Some(STUCK),
            _ => Some(RESULT),
        };
        if lasts.is_some_and(|lasts| now >= self.shown.since + lasts) {
            self.show(State::Idle, now);
        }
        if self.treat.is_some_and(|treat| now >= treat.since + MEAL) {
            self.treat = None;
            self.idle.disturb(now);
        }
        let state = self.state(now);
        match state {
            State::Idle => {
                self.idle.advance(now, self.mood(now));
                if now >= self.said_until() {
                    self.said = (State::Idle, now);
                }
            }
            _ if state == self.shown.state => self.said = (state, self.shown.since),
            _ if state != self.said.0 => self.said = (state, now),
            _ => {}
        }
    }

    /// The time of the next change that needs no event.
    pub fn wake_at(&self, now: u64) -> Option<u64> {
        let since = self.shown.since;
        let call = match self.shown.state {
            State::Idle => None,
            State::Acting(_) => Some(since + STUCK),
            _ => Some(since + RESULT),
        };
        let idle = if self.state(now) == State::Idle { self.idle.wake_at(now) } else { None };
        let treat = self.treat.iter().flat_map(|treat| [0, RESULT, MEAL].map(|time| treat.since + time));
        [call, idle, self.plan.first().map(|next| next.since), Some(self.said_until())]
            .into_iter()
            .flatten()
            .chain(treat)
            .chain(self.care.changes())
            .chain([self.petted_until, self.landed_until])
            .filter(|at| *at > now)
            .min()
    }

    /// The time since the last event.
    pub fn since_event(&self, now: u64) -> u64 {
        now.saturating_sub(self.last_event)
    }

    /// The scene to show.
    pub fn scene(&self, now: u64) -> Scene {
        let state = self.state(now);
        let is_call = state == self.shown.state && state != State::Idle;
        let is_idle = state == State::Idle;
        let hearts = match state {
            State::Success => self.hearts,
            State::Petting => true,
            State::Eating | State::Playing => self.meal(now).is_some_and(|treat| now < treat.since + RESULT),
            _ => false,
        };
        let call = self.shown.call.as_ref().filter(|_| is_call);
        Scene {
            state,
            tool: call.and_then(|call| Tool::named(&call.tool)),
            item: self.meal(now).map(|treat| treat.item).filter(|item| State::with(*item) == state),
            mood: self.mood(now),
            motion: self.idle.doing().filter(|_| is_idle),
            wears: self.wears,
            hearts: hearts && !self.calm,
            says: Some(self.said.0).filter(|it| (is_idle || *it == state) && now < self.said_until()),
            lands: !self.calm && now < self.landed_until,
            burst: if matches!(state, State::Acting(_)) { self.news.burst() } else { 0 },
            blinks: self.idle.blinks(),
        }
    }

    /// The most important state that applies, by the order of [`State`].
    fn state(&self, now: u64) -> State {
        let holds = [
            self.is_dragged.then_some(State::Dragging),
            self.is_asked.then_some(State::Question),
            Some(self.shown.state),
            self.meal(now).map(|treat| State::with(treat.item)),
            (now < self.petted_until).then_some(State::Petting),
            self.is_offline.then_some(State::Offline),
            self.is_paused.then_some(State::Paused),
        ];
        holds.into_iter().flatten().min().unwrap_or(State::Idle)
    }

    fn give(&mut self, item: ShopItem, since: u64) {
        self.treat = Some(Treat { item, since });
        self.wears |= item.kind() == ItemKind::Wear;
        if item.kind() == ItemKind::Food {
            self.care.meal = Some(Meal { item: item.word().to_owned(), at: since, calls: self.care.calls });
        }
    }

    /// Wakes it: a person touches it, or an agent calls.
    fn stir(&mut self, now: u64) {
        self.care.active = now;
        self.idle.disturb(now);
    }

    fn meal(&self, now: u64) -> Option<Treat> {
        self.treat.filter(|treat| (treat.since..treat.since + MEAL).contains(&now))
    }

    /// The end of the bubble.
    fn said_until(&self) -> u64 {
        let (state, since) = self.said;
        since.saturating_add(state.is_said_for())
    }

    /// Plans the pictures of an event; returns the end of its acting pose.
    fn play(&mut self, event: &Event, now: u64) -> u64 {
        let call = Call::of(event);
        let acting = State::Acting(act(&event.tool, &event.action));
        let is_burst = self.news.burst() > 0;
        let is_error = event.status == CallStatus::Error;
        if is_error && !is_burst && event.error_type.as_deref().is_some_and(is_refusal) {
            return self.refuse(call, now);
        }
        let stays = match self.shown.state {
            State::Acting(_) => is_burst || self.shown.call.as_ref() == Some(&call),
            _ => false,
        };
        // The plan is made again below, unless the acting pose of this very call is waiting its turn.
        self.plan.retain(|next| matches!(next.state, State::Acting(_)) && next.call.as_ref() == Some(&call));
        self.plan.truncate(1);
        let acting_since = if stays {
            self.plan.clear();
            self.shown.since
        } else if let Some(next) = self.plan.first() {
            next.since
        } else {
            let free = match self.shown.state {
                State::Idle => now,
                State::Success | State::Acting(_) => now.max(self.shown.since + HOLD),
                _ => now.max(self.shown.since + RESULT),
            };
            self.plan.push(ShownCall { state: acting, call: Some(call.clone()), since: free });
            free
        };
        // In a burst the result waits until the burst is over, so that the pose never restarts.
        let end = if is_burst { now + 2 * HOLD } else { now.max(acting_since + HOLD) };
        let result = match event.status {
            CallStatus::Running => None,
            // The meal is the result, and shows for its whole time.
            CallStatus::Success if bought(event).is_some() => Some(State::Idle),
            // A cancelled call is neither done nor failed.
            CallStatus::Success if event.error_type.as_deref() == Some(CANCELLED) => Some(State::Idle),
            CallStatus::Success => Some(State::Success),
            CallStatus::Dangerous => Some(State::Dangerous),
            CallStatus::Error if event.error_type.as_deref().is_some_and(is_refusal) => Some(State::Denied),
            CallStatus::Error => Some(State::Error),
        };
        if let Some(state) = result {
            self.hearts = self.rng.u8(0..HEARTS) == 0;
            self.plan.push(ShownCall { state, call: Some(call), since: end });
        }
        end
    }

    /// Plans the picture of a refused call, which never ran; returns its beginning.
    fn refuse(&mut self, call: Call, now: u64) -> u64 {
        let since = match self.shown.state {
            State::Error | State::Denied => now.max(self.shown.since + RESULT),
            _ => now,
        };
        self.plan = vec![ShownCall { state: State::Denied, call: Some(call), since }];
        since
    }

    fn show(&mut self, state: State, since: u64) {
        self.shown = ShownCall { state, call: None, since };
    }

    /// Forgets every call.
    fn rest(&mut self, now: u64) {
        self.plan.clear();
        self.show(State::Idle, now);
        self.idle.disturb(now);
    }
}

/// Whether an error means that a person does not want the call.
fn is_refusal(error_type: &str) -> bool {
    matches!(error_type, "permission_denied" | "denied" | "expired" | "paused")
}

fn bought(event: &Event) -> Option<ShopItem> {
    let item = event.item.as_deref().filter(|_| event.status == CallStatus::Success)?;
    ShopItem::named(item)
}

fn is_young(event: &Event, now: u64) -> bool {
    let limit = if event.status == CallStatus::Running { STUCK } else { FRESH };
    now.abs_diff(event.ts) < limit
}

#[cfg(test)]
#[path = "puppy_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "puppy_property_tests.rs"]
mod property_tests;
