//! The input of a picture of the puppy: its state, its tool, and the small things that come with them.

use puppy_core::activity::shop::{ItemKind, ShopItem};
use puppy_core::activity::stats::Mood;
use puppy_core::spec::Tool;

use super::act::Act;
use super::motion::Motion;

/// The state that is shown. The order is the order of importance: of several that apply, the first is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// A person carries it.
    Dragging,
    /// A question waits for the person.
    Question,
    /// A call waits for a confirmation.
    Dangerous,
    /// A call failed.
    Error,
    /// A call failed because the person does not allow it.
    Denied,
    /// A call is done.
    Success,
    /// A call runs.
    Acting(Act),
    /// The puppy eats.
    Eating,
    /// The puppy plays, or wears something new.
    Playing,
    /// A person pets it.
    Petting,
    /// The kernel is silent, or the server has ended.
    Offline,
    /// The person has paused every call.
    Paused,
    /// Nothing happens.
    Idle,
}

impl State {
    /// Every state.
    pub const ALL: [State; 16] = [
        State::Dragging,
        State::Question,
        State::Dangerous,
        State::Error,
        State::Denied,
        State::Success,
        State::Acting(Act::Reading),
        State::Acting(Act::Writing),
        State::Acting(Act::Moving),
        State::Acting(Act::Deleting),
        State::Eating,
        State::Playing,
        State::Petting,
        State::Offline,
        State::Paused,
        State::Idle,
    ];

    /// The state that a gift leads to.
    pub const fn with(item: ShopItem) -> State {
        match item.kind() {
            ItemKind::Food => State::Eating,
            ItemKind::Toy | ItemKind::Wear => State::Playing,
        }
    }

    /// The time that the bubble names it, in milliseconds; a person's own doings are not named.
    pub const fn is_said_for(self) -> u64 {
        match self {
            State::Idle | State::Petting | State::Dragging => 0,
            State::Question => u64::MAX,
            State::Error | State::Denied => 5_000,
            _ => 2_400,
        }
    }

    /// The word in `data-state`.
    pub const fn word(self) -> &'static str {
        match self {
            State::Dragging => "dragging",
            State::Question => "question",
            State::Dangerous => "dangerous",
            State::Error => "error",
            State::Denied => "denied",
            State::Success => "success",
            State::Acting(Act::Reading) => "reading",
            State::Acting(Act::Writing) => "writing",
            State::Acting(Act::Moving) => "moving",
            State::Acting(Act::Deleting) => "deleting",
            State::Eating => "eating",
            State::Playing => "playing",
            State::Petting => "petting",
            State::Offline => "offline",
            State::Paused => "paused",
            State::Idle => "idle",
        }
    }
}

/// Everything that the picture depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scene {
    /// The state that is shown.
    pub state: State,
    /// The tool whose prop the puppy has.
    pub tool: Option<Tool>,
    /// The food or toy.
    pub item: Option<ShopItem>,
    /// Whether it wears its bow.
    pub wears: bool,
    /// The mood, which shows while nothing happens.
    pub mood: Mood,
    /// The motion while nothing happens.
    pub motion: Option<Motion>,
    /// Whether hearts rise.
    pub hearts: bool,
    /// The state that the bubble names: this one, or the last one for a while.
    pub says: Option<State>,
    /// Whether it has just been put down.
    pub lands: bool,
    /// Calls of a burst; 0 when there is none.
    pub burst: usize,
    /// The number of blinks so far.
    pub blinks: u32,
}

impl Scene {
    /// A state without anything else.
    pub const fn of(state: State) -> Scene {
        Scene {
            state,
            tool: None,
            item: None,
            mood: Mood::Content,
            motion: None,
            wears: false,
            hearts: false,
            says: None,
            lands: false,
            burst: 0,
            blinks: 0,
        }
    }
}
