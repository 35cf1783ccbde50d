//! The puppy's pose for an action, derived from the action's declaration.

use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Effect, Tool};

/// The kinds of work that have poses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// Looks at something.
    Reading,
    /// Makes or changes something.
    Writing,
    /// Carries something elsewhere, or gives it another name.
    Moving,
    /// Takes something away.
    Deleting,
}

/// The part of a declaration that shows.
#[derive(Clone, Copy)]
struct DeclaredAction {
    tool: Tool,
    name: &'static str,
    effect: Effect,
}

/// Copied at compile time, so that the module at the page's start contains no text of the declarations.
static DECLARED: [DeclaredAction; ACTIONS.len()] = declared();

#[allow(clippy::indexing_slicing, reason = "runs while compiling, where a wrong index is a build error")]
const fn declared() -> [DeclaredAction; ACTIONS.len()] {
    let mut declared = [DeclaredAction { tool: Tool::Fs, name: "", effect: Effect::Read }; ACTIONS.len()];
    let mut at = 0;
    while at < ACTIONS.len() {
        let spec = ACTIONS[at];
        declared[at] = DeclaredAction { tool: spec.tool, name: spec.name, effect: spec.effect };
        at += 1;
    }
    declared
}

/// The pose for an action. One that this version does not know looks harmless: it is shown, not judged.
pub fn act(tool: &str, action: &str) -> Act {
    let Some(declared) = DECLARED.iter().find(|it| it.tool.name() == tool && it.name == action) else {
        return Act::Reading;
    };
    match declared.effect {
        Effect::Read | Effect::Screen => Act::Reading,
        Effect::Destructive => Act::Deleting,
        Effect::Write | Effect::External => match declared.name.split('_').next() {
            Some("move" | "rename") => Act::Moving,
            _ => Act::Writing,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-294.
    #[test]
    fn every_action_has_a_pose() {
        for spec in ACTIONS {
            let seen = act(spec.tool.name(), spec.name);
            match spec.effect {
                Effect::Read | Effect::Screen => assert_eq!(seen, Act::Reading, "{}", spec.path()),
                Effect::Destructive => assert_eq!(seen, Act::Deleting, "{}", spec.path()),
                Effect::Write | Effect::External => {
                    let moves = spec.name.starts_with("move") || spec.name.starts_with("rename");
                    assert_eq!(seen == Act::Moving, moves, "{}", spec.path());
                    assert_ne!(seen, Act::Deleting, "{}", spec.path());
                }
            }
        }
        assert_eq!(act("notebook", "list"), Act::Reading);
        assert_eq!(act("tool_of_tomorrow", "explode"), Act::Reading);
    }
}
