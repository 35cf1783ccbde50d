//! The decision: pure functions of declaration, targets and grants.

use super::denied::{below_level, no_notebook_grants, reaches_nothing};
use super::{Grants, Level, Need, Place, Rule, Scope, Where};
use crate::error::ToolError;
use crate::spec::{Access, ActionSpec, Param, Presence, Slot};

/// Refuses a target that does not grant its level: `not_found` at `none`, else `permission_denied` (B-063). Returns
/// the places that the caller may read.
pub(crate) fn check(
    spec: &ActionSpec,
    grants: &Grants,
    need: &Need,
    found: Where,
) -> Result<Where, ToolError> {
    let places = found.places();
    match need.rule() {
        // Every place that would show the change must be writable, also those that the caller may not see.
        Rule::One | Rule::Every => check_all(spec, places, need.level)?,
        Rule::Any => {
            let granted = places.iter().any(|it| it.level >= need.level);
            let readable: Vec<Place> = places.iter().filter(|it| it.level > Level::None).cloned().collect();
            if !granted {
                check_all(spec, &readable, need.level)?;
            }
        }
    }
    Ok(found.readable(|notebook| grants.level(notebook)))
}

/// Refuses the places as a whole and names every notebook that does not grant the level. No places are `not_found`.
pub(crate) fn check_all(spec: &ActionSpec, places: &[Place], level: Level) -> Result<(), ToolError> {
    if places.is_empty() || places.iter().any(|it| it.level == Level::None) {
        return Err(ToolError::not_found());
    }
    let mut below: Vec<&Place> = Vec::new();
    for place in places.iter().filter(|it| it.level < level) {
        if !below.iter().any(|it| it.notebook == place.notebook) {
            below.push(place);
        }
    }
    if below.is_empty() { Ok(()) } else { Err(below_level(spec, &below, level)) }
}

/// Judges the needs of a call beyond its targets. Places are judged one by one as they are resolved.
///
/// `Access::Some` was judged with the offer. `Access::Workspace` cannot be judged before the action knows what it would
/// touch: the rows of a reader are filtered, and a writer passes its notebooks to `Cx::require`, without which it
/// cannot write.
pub(crate) fn authorize(spec: &ActionSpec, grants: &Grants) -> Result<(), ToolError> {
    match (&grants.table, spec.level()) {
        (Err(closed), Some(_)) => Err(closed.into()),
        _ => Ok(()),
    }
}

/// Refuses an action that no notebook's level allows, whatever its arguments (B-015). It reveals nothing: a notebook at
/// `none` counts like one that does not exist. An agent that reaches nothing does not reach what needs no level either:
/// templates, new notebooks, and the person at the screen.
pub(crate) fn offered(spec: &ActionSpec, scope: &Scope) -> Result<(), ToolError> {
    if scope.grants.ceiling.level == Level::None {
        return Err(scope.agents().err().map_or_else(|| reaches_nothing(spec), ToolError::from));
    }
    let least = least_level(spec);
    // An unreadable table has an error of its own, which says how to repair it.
    if scope.grants.table.is_err() || least <= scope.highest_level() {
        return Ok(());
    }
    Err(no_notebook_grants(spec, least))
}

/// The level that some notebook must have before any call of an action can succeed: that of the arguments that every
/// call has, and of the cheapest group where there is a choice.
pub(crate) fn least_level(spec: &ActionSpec) -> Level {
    let own = match spec.access {
        Access::Targets => Level::None,
        Access::Workspace(level) | Access::Some(level) => level,
    };
    let of_slot = |slot: &Slot| match slot {
        Slot::One(param) if param.presence == Presence::Required => param.needs.level(None),
        Slot::One(_) => None,
        Slot::OneOf(groups, level) => {
            let of_group = |group: &&[Param]| {
                group.iter().filter_map(|param| param.needs.level(*level)).max().unwrap_or(Level::None)
            };
            groups.iter().map(of_group).min()
        }
    };
    spec.slots.iter().filter_map(of_slot).fold(own, Level::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::ACTIONS;

    /// B-015: an optional target withholds no action, and what needs no notebook is always there.
    #[test]
    fn the_least_level_is_that_of_the_plainest_call() {
        let least = |path: &str| ACTIONS.iter().find(|it| it.path() == path).map(|it| least_level(it));
        assert_eq!(least("fs.list"), Some(Level::Read));
        assert_eq!(least("fs.write"), Some(Level::Write));
        assert_eq!(least("document.create"), Some(Level::Write));
        assert_eq!(least("document.remove"), Some(Level::Delete));
        assert_eq!(least("tag.rename"), Some(Level::Write));
        for always in ["notebook.create", "system.get_info", "mascot.status"] {
            assert_eq!(least(always), Some(Level::None), "{always}");
        }
        assert!(ACTIONS.iter().all(|it| Some(least_level(it)) <= it.level().or(Some(Level::None))));
    }
}
