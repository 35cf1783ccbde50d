//! `notebook.remove`: removes a notebook with all its documents; SiYuan's file history keeps them.

use super::state::{is_closed, refuse_user_guide};
use crate::content::impact::{self, BrokenLinks};
use crate::error::ErrorType;
use crate::prelude::*;

/// Delete a notebook with all its documents.
#[derive(Debug, Action)]
#[action(
    notebook.remove,
    danger = "Deletes the notebook {name} and every document in it. Only SiYuan's Data History can restore it.",
    deed = Delete(DataHistory),
    idempotent = false,
    calls = [
        notebook::GET_NOTEBOOK_INFO, query::FLUSH_TRANSACTION, notebook::REMOVE_NOTEBOOK, notebook::LS_NOTEBOOKS,
        ..impact,
    ],
    default = off,
    tier = advanced,
    examples = [{ "notebook": "{spare}", "confirm_name": "{spare_name}" }],
)]
pub struct Remove {
    /// A notebook's id or exact name.
    #[needs(Delete)]
    pub notebook: NotebookRef,
    /// The notebook's exact name, as a guard.
    #[read_by()]
    pub confirm_name: Text<1, 512>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    name: String,
    /// Unknown for a closed notebook.
    documents: Option<u64>,
    broken: BrokenLinks,
}

impl Change for Remove {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        let (notebook, name) = (place.notebook.clone(), place.notebook_name.clone());
        if self.confirm_name.as_str() != name {
            return Err(ToolError::field("confirm_name", "the exact name of that notebook"));
        }
        refuse_user_guide(&notebook)?;
        let (mut documents, mut broken) = (None, BrokenLinks::default());
        if !is_closed(&notebook, cx) {
            documents = Some(cx.ask(notebook::get_notebook_info(&notebook)).await?.counts.documents);
            cx.ask(query::flush_transaction()).await?;
            broken = impact::broken_by_notebook(&notebook, cx).await?;
        }
        let own = notebook.own_document();
        let n = usize::try_from(documents.unwrap_or_default()).unwrap_or(usize::MAX);
        let plan = Plan::new("remove", Facts { notebook, name: name.clone(), documents, broken });
        let (documents, broken) = (plan.facts.documents, plan.facts.broken.clone());
        let plan = plan.show("name", name.as_str()).show("documents", documents);
        let below =
            documents.filter(|it| *it > 0).map(|n| Consequence::Below(Things { first: Vec::new(), n }));
        let plan = plan.about(ThingKind::Notebook, Things::of([Thing::titled(&name)])).also(below);
        Ok(broken.show(plan).changing([own]).touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { notebook, name, documents, broken } = plan.facts;
        let removed = cx.ask(notebook::remove_notebook(&notebook)).await;
        cx.policy_changed(&[]).await;
        removed?;
        let output = Output::new().with("id", notebook.as_str()).with("name", name);
        let output = output.with("documents", documents).with("broken_refs", broken.count);
        // The kernel reports success for any id.
        match cx.ask(notebook::ls_notebooks()).await.map(|it| cx.visible(it).notebooks) {
            Ok(left) if left.iter().any(|it| it.id == notebook.as_str()) => {
                cx.taken_back();
                Err(ToolError::new(
                    ErrorType::Api,
                    "SiYuan reported success, but the notebook is still there.",
                ))
            }
            Ok(_) => Ok(output),
            Err(error) => Ok(output.failed(vec![Failed::new(error).what("the check that it is deleted")])),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, world, world_of};

    fn engine() -> Engine<World, Nobody> {
        let world = world().notebook("Scratch", "rwd").notebook("Other", "rwd").notebook("Private", "none");
        let world =
            world.docs(["/Scratch/A", "/Scratch/A/B"]).doc("/Garden/Beds", "see (({/Scratch/A} 'A'))");
        let world = world.doc("/Private/C", "see (({/Scratch/A/B} 'B'))");
        Engine::new(
            world.file(
                "mcpToolsConfig",
                &json!({ "notebook": { "enabled": true, "actions": { "remove": true } } }),
            ),
            Nobody,
        )
    }

    fn remove(
        engine: &Engine<World, Nobody>,
        notebook: &str,
        name: &str,
        approval: &Approval,
    ) -> crate::output::Reply {
        engine.kernel.pass(2_000);
        let arguments = json!({ "action": "remove", "notebook": notebook, "confirm_name": name });
        call(engine, Tool::Notebook, &arguments, approval)
    }

    /// B-071: a person sees what would be lost, and which readable blocks refer to it (B-055).
    #[test]
    fn removing_a_notebook_asks_and_names_what_breaks() {
        let engine = engine();
        let error = remove(&engine, "Scratch", "Scratch", &Approval::Missing).unwrap_err();
        assert_eq!(error.kind, ErrorType::ConfirmationRequired);
        let plan = engine.kernel.unfill(&error.details["plan"].to_string());
        expect![[
            r#"{"would":"remove","name":"Scratch","documents":2,"broken_refs":1,"references":["/Beds"]}"#
        ]]
        .assert_eq(&plan);
        let data = remove(&engine, "Scratch", "Scratch", &Approval::Given).unwrap().data;
        let text = engine.kernel.unfill(&Value::Object(data).to_string());
        expect![[r#"{"id":"{/Scratch}","name":"Scratch","documents":2,"broken_refs":1}"#]].assert_eq(&text);
        let gone = remove(&engine, "Scratch", "Scratch", &Approval::Given).unwrap_err();
        assert_eq!(gone.kind, ErrorType::NotFound);
    }

    #[test]
    fn remove_is_refused_without_its_name() {
        let engine = engine();
        let error = remove(&engine, "Scratch", "scratch", &Approval::Given).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation);
        assert!(!engine.kernel.take_paths().contains(&"/api/notebook/removeNotebook"));
    }

    /// The kernel keeps no version of its user guide.
    #[test]
    fn user_guide_is_not_removed() {
        for guide in crate::tools::notebook::state::USER_GUIDES {
            let world = world_of(engine());
            world.ask("notebook/setNotebookIcon", &json!({ "notebook": guide, "icon": "" }));
            world.ask("notebook/openNotebook", &json!({ "notebook": guide }));
            let mut table = world.table();
            table.insert(guide.to_owned(), json!("rwd"));
            let world = world.file("notebookPermissions", &Value::Object(table));
            let all = world.ask("notebook/lsNotebooks", &json!({}));
            let found =
                all["notebooks"].as_array().unwrap().iter().find(|it| it["id"] == *guide).unwrap().clone();
            let engine = Engine::new(world, Nobody);
            let error =
                remove(&engine, guide, found["name"].as_str().unwrap(), &Approval::Given).unwrap_err();
            assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "notebook"));
            assert!(!engine.kernel.take_paths().contains(&"/api/notebook/removeNotebook"));
        }
    }

    /// The kernel reports success for any id.
    #[test]
    fn notebook_that_is_still_there_is_reported() {
        let engine = engine();
        engine.kernel.fail("/api/notebook/removeNotebook", "locked");
        assert_eq!(remove(&engine, "Scratch", "Scratch", &Approval::Given).unwrap_err().kind, ErrorType::Api);
    }
}
