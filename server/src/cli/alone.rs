//! `siyuan-puppy runs` and `put-back`: actions that people type without their tool.

use clap::Command;
use puppy_core::find::action_named;
use puppy_core::spec::{ActionSpec, Tool};

/// The name of each with its action.
const ALONE: [(&str, Tool, &str); 2] =
    [("runs", Tool::System, "list_runs"), ("put-back", Tool::System, "put_back")];

/// The commands, made as those below the tools are.
pub(super) fn commands(
    make: impl Fn(&'static ActionSpec, &'static str) -> Command,
) -> impl Iterator<Item = Command> {
    ALONE.into_iter().filter_map(move |(name, ..)| Some(make(action(name)?, name)))
}

/// The action of a command.
pub(super) fn action(name: &str) -> Option<&'static ActionSpec> {
    let (_, tool, action) = ALONE.iter().find(|(it, ..)| *it == name)?;
    action_named(*tool, action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_such_command_has_its_action() {
        for (name, _, wanted) in ALONE {
            assert_eq!(action(name).map(|it| it.name), Some(wanted));
        }
        assert!(action("list_runs").is_none());
    }
}
