//! The actions that agents are offered: switched on, and within the level of some notebook (B-003, B-015).

use super::Switches;
use crate::find::actions_of;
use crate::permission::{Level, least_level};
use crate::spec::{ActionSpec, Tool};

/// The actions that lists, help, pages and completion name. It only advertises: each call is judged anew.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Offer {
    switches: Switches,
    highest: Level,
}

impl Default for Offer {
    /// The offer when nothing is known: every action that is on by default.
    fn default() -> Offer {
        Offer::new(Switches::default(), None)
    }
}

impl Offer {
    /// The actions that are on, as far as the highest level of any notebook reaches; one that is unknown withholds
    /// nothing, because discovery works while SiYuan is closed (B-012).
    pub fn new(switches: Switches, highest: Option<Level>) -> Offer {
        Offer { switches, highest: highest.unwrap_or(Level::Delete) }
    }

    /// Whether an action is offered.
    pub fn has(&self, spec: &ActionSpec) -> bool {
        self.is_on(spec) && self.is_allowed(spec)
    }

    /// Whether anything of a tool is offered.
    pub fn has_tool(&self, tool: Tool) -> bool {
        actions_of(tool).any(|spec| self.has(spec))
    }

    /// Whether an action is switched on.
    pub fn is_on(&self, spec: &ActionSpec) -> bool {
        self.switches.is_on(spec)
    }

    /// Whether a tool is switched on.
    pub fn tool_is_on(&self, tool: Tool) -> bool {
        self.switches.tool_is_on(tool)
    }

    /// Whether some notebook has the level that an action needs at least.
    pub fn is_allowed(&self, spec: &ActionSpec) -> bool {
        least_level(spec) <= self.highest
    }

    /// Whether an action is left out for its level alone, so that a person who raises one brings it back.
    pub fn withholds(&self, spec: &ActionSpec) -> bool {
        self.is_on(spec) && !self.is_allowed(spec)
    }
}
