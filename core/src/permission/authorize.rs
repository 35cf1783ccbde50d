//! The decision: a pure function of declaration, targets and grants.

use super::{Grants, Level, Place};
use crate::error::ToolError;
use crate::spec::{Access, ActionSpec};

/// Refuses a place that does not grant the level: `not_found` at `none`, else `permission_denied` (B-063).
pub(super) fn check_place(spec: &ActionSpec, place: &Place, level: Level) -> Result<(), ToolError> {
    if place.level == Level::None {
        return Err(ToolError::not_found());
    }
    if place.level < level {
        return Err(ToolError::permission_denied(spec, place, level));
    }
    Ok(())
}

/// Judges what a call asks without a target; places are judged one by one as they are found.
///
/// `Access::Workspace` is left to the action: a reader's rows are filtered, a writer's plan lists
/// the notebooks it would change.
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
