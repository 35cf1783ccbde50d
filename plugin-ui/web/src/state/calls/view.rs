//! The filter of the recorded calls.

use super::{Call, End};
use crate::state::day::Clock;

/// The periods to choose from, in days.
pub const PERIODS: [u16; 4] = [1, 7, 30, 365];

/// The calls that are shown, by their end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Only {
    /// All.
    #[default]
    All,
    /// Those that went well.
    Done,
    /// Those that failed or were not allowed.
    Bad,
}

impl Only {
    /// Every choice.
    pub const ALL: [Only; 3] = [Only::All, Only::Done, Only::Bad];

    /// The word in the page.
    pub const fn word(self) -> &'static str {
        match self {
            Only::All => "all",
            Only::Done => "done",
            Only::Bad => "bad",
        }
    }

    /// The choice of a word; all for any other.
    pub fn named(word: &str) -> Only {
        Only::ALL.into_iter().find(|it| it.word() == word).unwrap_or_default()
    }
}

/// The filter of the record of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The number of days, with today.
    pub days: u16,
    /// By end.
    pub only: Only,
    /// The word of a transport; empty for all.
    pub transport: String,
    /// A part of an action's name, or of the client's, in lower case; empty for all.
    pub text: String,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { days: 7, only: Only::All, transport: String::new(), text: String::new() }
    }
}

impl Filter {
    /// The same filter over a year.
    #[must_use]
    pub fn over_a_year(&self) -> Filter {
        // 53 weeks: the first one is whole.
        Filter { days: 371, ..self.clone() }
    }

    /// Whether a call is shown.
    pub fn passes(&self, call: &Call, clock: Clock) -> bool {
        let is_end = match self.only {
            Only::All => true,
            Only::Done => call.end == End::Done,
            Only::Bad => call.end.is_bad(),
        };
        is_end
            && clock.today().since(clock.day(call.at)).is_some_and(|ago| ago < usize::from(self.days))
            && (self.transport.is_empty() || self.transport == call.transport)
            && (call.action.contains(&self.text)
                || call.client.to_lowercase().contains(&self.text)
                || call.caller().to_lowercase().contains(&self.text))
    }
}
