//! Changes to what belongs to no notebook: they need their level in every notebook there is.

use crate::prelude::*;

/// Refuses the call unless every notebook grants the level. While one is hidden it refuses whatever the arguments
/// are, so that nothing shows what a hidden notebook uses (B-057).
pub(super) fn require(cx: &Cx<'_>, level: Level, what: &str) -> Result<(), ToolError> {
    if cx.grants().any_hidden() {
        return Err(ToolError::disabled(format!(
            "{what} belong to every notebook, and a notebook is hidden from agents. A person can do this in SiYuan."
        )));
    }
    cx.require(level, cx.scope().visible_notebooks().map(|it| it.id.as_str()))
}
