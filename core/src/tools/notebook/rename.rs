//! `notebook.rename`: renames a notebook.

use super::state::refuse_closed;
use crate::content::notebook_name::NotebookName;
use crate::prelude::*;

/// Rename a notebook.
#[derive(Debug, Action)]
#[action(
    notebook.rename,
    danger = None,
    idempotent = true,
    calls = [notebook::RENAME_NOTEBOOK],
    examples = [{ "notebook": "{notebook}", "name": "{new}" }],
)]
pub struct Rename {
    /// A notebook's id or exact name.
    #[needs(Write)]
    pub notebook: NotebookRef,
    /// Name of the notebook, without /.
    pub name: NotebookName,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    previous: String,
    name: String,
}

impl Change for Rename {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        refuse_closed(place, cx)?;
        let name = self.name.as_str();
        let is_other = |id: &str| id != place.notebook.as_str();
        let taken = cx.scope().visible_notebooks().find(|it| it.name == name && is_other(&it.id));
        if let Some(taken) = taken {
            let error = ToolError::conflict("Another notebook has that name. Choose another one.");
            return Err(error.with("id", taken.id.as_str()));
        }
        let previous = place.notebook_name.clone();
        let facts = Facts { notebook: place.notebook.clone(), previous, name: name.to_owned() };
        let previous = facts.previous.clone();
        Ok(Plan::new("rename", facts)
            .show("previous", previous.as_str())
            .show("name", name)
            .touching(1, previous))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { notebook, previous, name } = plan.facts;
        let changed = previous != name;
        if changed {
            let renamed = cx.ask(notebook::rename_notebook(&notebook, &name)).await;
            // Also after a failure, because nobody knows how far it went.
            cx.policy_changed(&[]).await;
            renamed?;
        }
        let output = Output::new().with("id", notebook.as_str()).with("name", name);
        Ok(output.with("previous", previous).with("changed", changed))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::world::{World, check, world};

    fn world_of_three() -> World {
        world().notebook("Attic", "r").notebook("Private", "none")
    }

    #[test]
    fn rename_changes_the_name() {
        check(
            "notebook.rename",
            world_of_three(),
            &json!({ "notebook": "Garden", "name": " Orchard " }),
            &expect![[r#"
                renameNotebook
                {"id":"{/Garden}","name":"Orchard","previous":"Garden","changed":true}
            "#]],
        );
    }

    /// A name that is there already costs no request.
    #[test]
    fn renaming_to_the_same_name_changes_nothing() {
        check(
            "notebook.rename",
            world_of_three(),
            &json!({ "notebook": "{/Garden}", "name": "Garden" }),
            &expect![[r#"

                {"id":"{/Garden}","name":"Garden","previous":"Garden","changed":false}
            "#]],
        );
    }

    /// B-055: a visible notebook's name is a conflict, a hidden one's is free.
    #[test]
    fn only_a_visible_notebooks_name_conflicts() {
        for (name, expected) in [
            (
                "Attic",
                expect![[r#"

            {"error":{"type":"conflict","message":"Another notebook has that name. Choose another one.","id":"{/Attic}"}}
        "#]],
            ),
            (
                "Private",
                expect![[r#"
            renameNotebook
            {"id":"{/Garden}","name":"Private","previous":"Garden","changed":true}
        "#]],
            ),
        ] {
            check(
                "notebook.rename",
                world_of_three(),
                &json!({ "notebook": "Garden", "name": name }),
                &expected,
            );
        }
    }

    #[test]
    fn closed_notebook_is_not_renamed() {
        let world = world_of_three();
        world.ask("notebook/closeNotebook", &json!({ "notebook": world.id("/Garden") }));
        check(
            "notebook.rename",
            world,
            &json!({ "notebook": "Garden", "name": "X" }),
            &expect![[r#"

            {"error":{"type":"conflict","message":"The notebook \"Garden\" is closed. Open it with notebook.set_open_state, then try again.","id":"{/Garden}"}}
        "#]],
        );
    }
}
