//! The order in which a list of tools spends its bytes: a ladder, climbed as far as the budget reaches (B-006).
//!
//! A lower rung helps more with a first call that is right. Two choices are not obvious. The words of an
//! argument stand in signatures before they stand in the schema, because they cost half as much there.
//! Summaries come before the sentences of arguments, because a model chooses an action before it fills it in.
//!
//! Rejected: a worth for each sentence and the best use of every byte. That packs a little more into the
//! budget, but nobody could foresee what a new declaration pushes out.

/// The rungs from the bottom up.
///
/// No list leaves out what lies below the first one: the purpose of each tool, the names of its actions,
/// the dangerous ones among them, and the basic actions with their required arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rung {
    /// The optional arguments in the signature of a basic action.
    Signatures,
    /// The property of an argument without which a basic action cannot be called.
    Required,
    /// The properties that belong to every action: `confirm`, `preview`, `topic`.
    Common,
    /// The words by which a client finds the tool among many.
    Hints,
    /// The words and fields of an argument of a basic action: nobody can guess them, but help and errors name them.
    Words,
    /// The signature of an advanced action.
    Advanced,
    /// The words and fields of an argument that only advanced actions take.
    AdvancedWords,
    /// The property of another argument of a basic action.
    Optional,
    /// The property of an argument that only advanced actions take.
    AdvancedOptional,
    /// The summary of a basic action.
    Summaries,
    /// The summary of an advanced action.
    AdvancedSummaries,
    /// The words and fields of an argument move from the signatures into its property.
    Shapes,
    /// The sentence of an argument.
    Sentences,
    /// The bounds of an argument, which help and errors name too.
    Bounds,
}

impl Rung {
    /// The number of rungs.
    const COUNT: usize = Rung::Bounds as usize + 1;
}

/// The point that a list reaches: it says everything before this point and nothing from it on. Within a rung the
/// tools take turns, one item at a time, so that they share the room fairly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListReach {
    rung: usize,
    turn: usize,
    tool: usize,
}

impl ListReach {
    /// Whether a tool's item at this turn of a rung is within reach.
    pub(super) fn covers(self, rung: Rung, turn: usize, tool: usize) -> bool {
        ListReach { rung: rung as usize, turn, tool } < self
    }
}

/// The ladder of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ladder {
    /// The maximum number of things that one tool has to say on one rung.
    pub(super) turns: usize,
    /// The number of tools.
    pub(super) tools: usize,
}

impl Ladder {
    /// The highest reach that fits; the lowest one where none does.
    pub(super) fn highest(self, fits: impl Fn(ListReach) -> bool) -> ListReach {
        let (mut low, mut high) = (0, Rung::COUNT * self.turns * self.tools);
        if fits(self.reach(high)) {
            return self.reach(high);
        }
        while low + 1 < high {
            let middle = low.midpoint(high);
            if fits(self.reach(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.reach(low)
    }

    /// The reach after a number of steps.
    fn reach(self, steps: usize) -> ListReach {
        let (tools, turns) = (self.tools.max(1), self.turns.max(1));
        ListReach { rung: steps / tools / turns, turn: steps / tools % turns, tool: steps % tools }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ladder_reaches_as_far_as_fits_and_tools_take_turns() {
        let ladder = Ladder { turns: 3, tools: 2 };
        for most in 0..=Rung::COUNT * 6 {
            let reach = ladder.highest(|it| it <= ladder.reach(most));
            assert_eq!(reach, ladder.reach(most));
        }
        let reach = ladder.highest(|it| it <= ListReach { rung: Rung::Required as usize, turn: 1, tool: 1 });
        assert!(reach.covers(Rung::Signatures, 2, 1) && reach.covers(Rung::Required, 1, 0));
        assert!(!reach.covers(Rung::Required, 1, 1) && !reach.covers(Rung::Words, 0, 0));
        assert!(!ladder.highest(|_| false).covers(Rung::Signatures, 0, 0));
        assert!(ladder.highest(|_| true).covers(Rung::Bounds, 2, 1));
    }
}
