//! The refusals that name levels and notebooks.

use serde_json::{Value, json};

use super::{Level, MORE_ALLOWED, Place};
use crate::error::{ErrorType, ToolError};
use crate::spec::ActionSpec;

/// The error for a level that is missing in one notebook, or in several, each of which is listed.
pub(super) fn below_level(spec: &ActionSpec, below: &[&Place], level: Level) -> ToolError {
    const RAISED: &str =
        "A person can raise it in SiYuan: Settings of the plugin MCP Puppy, Permissions and Agents.";
    let path = spec.path();
    let notebook = |it: &Place| json!({ "id": it.notebook.as_str(), "name": it.notebook_name });
    let denied = |message: String| ToolError::new(ErrorType::PermissionDenied, message);
    let error = match below {
        [one] => denied(format!(
            "{path} needs level {level} in the notebook \"{}\", which is at {}. {RAISED}",
            one.notebook_name, one.level
        ))
        .with("notebook", notebook(one))
        .with("level", one.level.word()),
        several => {
            let names: Vec<String> =
                several.iter().map(|it| format!("\"{}\" ({})", it.notebook_name, it.level)).collect();
            let all: Vec<Value> = several
                .iter()
                .map(|it| json!({ "id": it.notebook.as_str(), "name": it.notebook_name, "level": it.level.word() }))
                .collect();
            denied(format!(
                "{path} needs level {level} in every notebook it would change; these are below: {}. {RAISED}",
                names.join(", ")
            ))
            .with("notebooks", all)
        }
    };
    error.with("required", level.word())
}

/// The error for an action that no notebook's level allows.
pub(super) fn no_notebook_grants(spec: &ActionSpec, level: Level) -> ToolError {
    let message = format!("{} needs level {level}, which no notebook has. {MORE_ALLOWED}", spec.path());
    ToolError::new(ErrorType::PermissionDenied, message).with("required", level.word())
}

/// The error for an agent whose ceiling leaves nothing.
pub(super) fn reaches_nothing(spec: &ActionSpec) -> ToolError {
    const CLOSED: &str = "A person has closed everything to this caller, or its time is over. They can change that in SiYuan: Settings of the plugin MCP Puppy, Agents.";
    ToolError::new(ErrorType::PermissionDenied, format!("{} is refused. {CLOSED}", spec.path()))
}
