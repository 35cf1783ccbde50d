//! The parts of a tool that clients see as tools of their own (B-015).

use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Effect, Tool};

/// The grouping of actions into the tools that a client sees.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Grouping {
    /// One tool for all actions on one kind of thing.
    #[default]
    Grouped,
    /// Two tools where there are both reads and changes, because clients judge a tool as a whole: one that can change
    /// something makes them ask a person before each of its reads.
    Split,
}

impl Grouping {
    /// Every grouping.
    pub const ALL: [Grouping; 2] = [Grouping::Grouped, Grouping::Split];

    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Grouping::Grouped => "grouped",
            Grouping::Split => "split",
        }
    }

    /// The grouping with that word.
    pub fn named(word: &str) -> Option<Grouping> {
        Grouping::ALL.into_iter().find(|it| it.word() == word)
    }

    /// The parts of a tool, in order. They follow from the declarations alone, so that no switch and no level renames
    /// a tool.
    pub fn parts(self, tool: Tool) -> &'static [Part] {
        let of_tool = || ACTIONS.iter().filter(|spec| spec.tool == tool);
        match self {
            Grouping::Split if of_tool().any(|it| only_reads(it)) && !of_tool().all(|it| only_reads(it)) => {
                &[Part::Reads, Part::Changes]
            }
            _ => &[Part::Whole],
        }
    }

    /// The part that offers an action.
    pub fn part_of(self, spec: &ActionSpec) -> Part {
        match self.parts(spec.tool) {
            [_, _] if only_reads(spec) => Part::Reads,
            [_, _] => Part::Changes,
            _ => Part::Whole,
        }
    }
}

/// A tool, or one half of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// The actions that only read.
    Reads,
    /// The actions that can do more than read.
    Changes,
}

impl Part {
    /// The end of the tool's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Part::Whole | Part::Reads => "",
            Part::Changes => "_edit",
        }
    }

    /// Whether an action can be called here. A client runs what only reads without asking, so nothing else may pass
    /// there; a read that comes to the other half does no harm.
    pub fn takes(self, spec: &ActionSpec) -> bool {
        self != Part::Reads || only_reads(spec)
    }
}

/// Whether no call of an action does more than read.
fn only_reads(spec: &ActionSpec) -> bool {
    spec.worst == Effect::Read
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-015: only what only reads passes the half that clients do not ask about.
    #[test]
    fn the_half_that_reads_takes_no_change() {
        for spec in ACTIONS {
            let part = Grouping::Split.part_of(spec);
            assert!(part.takes(spec) && Grouping::Split.parts(spec.tool).contains(&part), "{}", spec.path());
            assert_eq!(Part::Reads.takes(spec), spec.worst == Effect::Read, "{}", spec.path());
            assert_eq!(Grouping::Grouped.part_of(spec), Part::Whole);
        }
        assert_eq!(Grouping::Split.parts(Tool::Document), [Part::Reads, Part::Changes]);
        assert_eq!(Grouping::Grouped.parts(Tool::Document), [Part::Whole]);
        assert_eq!(Grouping::named("split"), Some(Grouping::Split));
    }
}
