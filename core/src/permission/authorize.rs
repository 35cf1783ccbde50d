//! The decision: pure functions of declaration, targets and grants.

use super::{Grants, Level, Need, Place, Rule, Where};
use crate::error::ToolError;
use crate::spec::{Access, ActionSpec};

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
    if below.is_empty() { Ok(()) } else { Err(ToolError::permission_denied(spec, &below, level)) }
}

/// Judges the needs of a call beyond its targets. Places are judged one by one as they are resolved.
///
/// `Access::Workspace` cannot be judged before the action knows what it would touch: the rows of a reader are
/// filtered, and a writer passes its notebooks to `Cx::require`, without which it cannot write.
pub(crate) fn authorize(spec: &ActionSpec, grants: &Grants) -> Result<(), ToolError> {
    let table = match (&grants.table, spec.level()) {
        (Ok(table), _) => table,
        (Err(_), None) => return Ok(()),
        (Err(closed), Some(_)) => return Err(closed.into()),
    };
    match spec.access {
        Access::Some(level) => {
            let best = table.entries().map(|(_, it)| it).chain([Grants::DEFAULT]).max();
            if best >= Some(level) { Ok(()) } else { Err(ToolError::no_notebook_grants(spec, level)) }
        }
        Access::Targets | Access::Workspace(_) => Ok(()),
    }
}
