//! `notebook.set_permission`: changes the level of a notebook. Nobody can approve that yet, so it changes nothing.

use crate::prelude::*;

/// Change the level of one notebook.
#[derive(Debug, Action)]
#[action(
    notebook.set_permission,
    effect = Write,
    danger = "Changes what AI agents may do in this notebook.",
    idempotent = true,
    calls = [],
    default = off,
    tier = advanced,
    examples = [{ "notebook": "{notebook}", "level": "r" }],
)]
pub struct SetPermission {
    /// A notebook's id or exact name.
    #[needs(Read)]
    pub notebook: NotebookRef,
    /// The new level.
    pub level: NewLevel,
}

/// A level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum NewLevel {
    /// Closed to agents.
    None,
    /// Read.
    R,
    /// Read and write.
    Rw,
    /// Read, write and delete.
    Rwd,
}

/// The facts of a plan that cannot be made yet.
#[derive(Debug, Hash)]
pub enum Never {}

impl Change for SetPermission {
    type Facts = Never;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Never>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        // Only an approval inside of SiYuan counts: an agent may sit between any other question and the person.
        Err(ToolError::disabled(format!(
            "Only a person can change the level of the notebook \"{}\", in SiYuan: Settings of the plugin MCP Puppy, Permissions.",
            place.notebook_name
        )))
    }

    async fn run(self, plan: Plan<Never>, _: &Cx<'_>) -> Reply {
        match plan.facts {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, call, world};

    /// Even switched on and approved, it changes no level, and a hidden notebook does not exist (B-055).
    #[test]
    fn no_level_is_changed() {
        let switches = json!({ "notebook": { "enabled": true, "actions": { "set_permission": true } } });
        let world = world().notebook("Private", "none").file("mcpToolsConfig", &switches);
        let engine = Engine::new(world, Nobody);
        let before = engine.kernel.table();
        for (notebook, kind) in [("Garden", ErrorType::Disabled), ("Private", ErrorType::NotFound)] {
            let arguments = json!({ "action": "set_permission", "notebook": notebook, "level": "rwd" });
            let reply = call(&engine, Tool::Notebook, &arguments, &Approval::Given);
            assert_eq!(reply.unwrap_err().kind, kind, "{notebook}");
        }
        let by_id =
            json!({ "action": "set_permission", "notebook": engine.kernel.id("/Garden"), "level": "rwd" });
        let told = call(&engine, Tool::Notebook, &by_id, &Approval::Given).unwrap_err().message;
        assert!(told.contains("\"Garden\""), "{told}");
        assert_eq!(engine.kernel.table(), before);
        assert!(engine.kernel.take_sent().is_empty());
    }
}
