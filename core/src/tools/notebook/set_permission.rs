//! `notebook.set_permission`: changes the level of a notebook, once a person in SiYuan has approved it.

use super::levels;
use crate::error::ErrorType;
use crate::grants::GRANTS_FILE;
use crate::id::NotebookId;
use crate::permission::Ceiling;
use crate::prelude::*;

/// The refusal of a caller whose own ceiling hides the level.
const CEILING: &str = "A person has limited this agent, so it cannot change the levels of notebooks, which apply to all agents. Ask the person to do it in SiYuan.";

/// Change the level of one notebook.
#[derive(Debug, Action)]
#[action(
    notebook.set_permission,
    effect = Write,
    danger = InSiyuan("Changes what AI agents may do: {name}."),
    deed = Allow(Reverse),
    idempotent = true,
    calls = [file::GET_FILE, file::PUT_FILE],
    default = off,
    tier = advanced,
    examples = [{ "notebook": "{spare}", "level": "rwd" }],
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

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    previous: Level,
    /// The notebook's entry in the person's table, if it has one.
    entry: Option<Level>,
    level: Level,
}

impl Change for SetPermission {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        // The level concerns all agents, and one below a ceiling does not know what it is.
        if cx.grants().ceiling != Ceiling::OPEN {
            return Err(ToolError::new(ErrorType::PermissionDenied, CEILING));
        }
        let table = cx.grants().table.as_ref().map_err(ToolError::from)?;
        let (previous, level) = (place.level, Level::from_word(self.level.word()));
        let entry = table.get(place.notebook.as_str());
        Ok(Plan::of_facts(Facts { notebook: place.notebook.clone(), previous, entry, level })
            // The levels come first, here and in the sentence: agents choose the name, and it may be longer than what a
            // person sees at once.
            .show("previous", previous.word())
            .show("level", level.word())
            .show("notebook", place.notebook_name.as_str())
            .about(ThingKind::Notebook, Things::of([Thing::titled(&place.notebook_name)]))
            .also(Consequence::Level { from: previous.word().to_owned(), to: level.word().to_owned() })
            .touching(1, format!("{level} instead of {previous} in the notebook {}", place.notebook_name)))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { notebook, previous, entry, level } = plan.facts;
        let set = levels::set(cx, GRANTS_FILE, &notebook, entry, level).await;
        // Also after a failure: the read-back may have failed and not the write.
        cx.policy_changed(&[GRANTS_FILE]).await;
        set?;
        let output = Output::new().with("id", notebook.as_str()).with("level", level.word());
        Ok(output.with("previous", previous.word()).with("changed", previous != level))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, world};

    fn engine() -> Engine<World, Nobody> {
        let switches = json!({ "notebook": { "enabled": true, "actions": { "set_permission": true } } });
        Engine::new(
            world().notebook("Attic", "r").notebook("Private", "none").file("mcpToolsConfig", &switches),
            Nobody,
        )
    }

    fn set(
        engine: &Engine<World, Nobody>,
        notebook: &str,
        level: &str,
        approval: Approval,
    ) -> crate::output::Reply {
        let arguments = json!({ "action": "set_permission", "notebook": notebook, "level": level });
        call(engine, Tool::Notebook, &arguments, &approval)
    }

    /// B-060, B-055: without a person's approval no level changes, and a hidden notebook does not exist.
    #[test]
    fn no_level_is_changed_without_approval() {
        let engine = engine();
        let before = engine.kernel.table();
        for (notebook, approval, kind) in [
            ("Garden", Approval::Missing, ErrorType::ConfirmationRequired),
            ("Private", Approval::Missing, ErrorType::NotFound),
            ("Private", Approval::Given, ErrorType::NotFound),
        ] {
            assert_eq!(set(&engine, notebook, "rwd", approval).unwrap_err().kind, kind, "{notebook}");
        }
        let asked = set(&engine, engine.kernel.id("/Garden"), "rwd", Approval::Missing).unwrap_err();
        let sentence = "Changes what AI agents may do: rwd instead of rw in the notebook Garden.";
        assert_eq!(asked.details["danger"], sentence);
        assert_eq!(engine.kernel.table(), before);
    }

    /// B-061: an approved level holds for the next call, and the entries of other notebooks stay.
    #[test]
    fn an_approved_level_holds_for_the_next_call() {
        let engine = engine();
        let (garden, private) =
            (engine.kernel.id("/Garden").to_owned(), engine.kernel.id("/Private").to_owned());
        let data = Value::Object(set(&engine, "Garden", "r", Approval::Given).unwrap().data);
        assert_eq!(data, json!({ "id": garden, "level": "r", "previous": "rw", "changed": true }));
        let table = engine.kernel.table();
        assert_eq!((&table[&garden], &table[&private]), (&json!("r"), &json!("none")));
        let write = json!({ "action": "create", "parent": "/Garden", "title": "New" });
        let refused = call(&engine, Tool::Document, &write, &Approval::Given).unwrap_err();
        assert_eq!(refused.kind, ErrorType::PermissionDenied, "{}", refused.message);
        set(&engine, "Garden", "none", Approval::Given).unwrap();
        let gone = set(&engine, "Garden", "rwd", Approval::Given).unwrap_err();
        assert_eq!(gone.kind, ErrorType::NotFound, "an agent cannot raise what it cannot see");
    }

    /// B-060: an entry that somebody has changed since the plan was read stays, whatever was approved.
    #[test]
    fn an_entry_that_changed_meanwhile_stays() {
        let engine = engine();
        let garden = engine.kernel.id("/Garden").to_owned();
        let info = json!({ "action": "info", "notebook": garden });
        call(&engine, Tool::Notebook, &info, &Approval::Given).unwrap();
        let mut closed = engine.kernel.table();
        closed.insert(garden.clone(), json!("none"));
        engine.kernel.put("notebookPermissions", &Value::Object(closed.clone()));
        // The levels of the call before still count for a second.
        let refused = set(&engine, &garden, "rwd", Approval::Given).unwrap_err();
        assert_eq!(refused.kind, ErrorType::Conflict, "{}", refused.message);
        assert_eq!(engine.kernel.table(), closed);
    }
}
