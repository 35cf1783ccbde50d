//! `notebook.set_open_state`: opens or closes a notebook.

use std::time::Duration;

use super::state::{is_closed, refuse_user_guide};
use crate::error::ErrorType;
use crate::prelude::*;

/// The number of looks whether an opened notebook can be read, and the time between two of them.
const LOOKS: usize = 25;
const PAUSE: Duration = Duration::from_millis(200);

/// Open or close a notebook.
#[derive(Debug, Action)]
#[action(
    notebook.set_open_state,
    danger = When(Self::closes, "Closes the notebook {name}: until it is opened again, its documents do not appear in search, the tree or databases."),
    deed = Close(Reverse),
    idempotent = true,
    calls = [
        notebook::OPEN_NOTEBOOK, notebook::CLOSE_NOTEBOOK, filetree::LIST_DOCS_BY_PATH, filetree::GET_PATH_BY_ID,
        query::FLUSH_TRANSACTION,
    ],
    tier = advanced,
    examples = [{ "notebook": "{spare}", "open": true }],
)]
pub struct SetOpenState {
    /// A notebook's id or exact name.
    #[needs(Write)]
    pub notebook: NotebookRef,
    /// True opens it, false closes it.
    pub open: Flag<true>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    changed: bool,
}

impl Change for SetOpenState {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        refuse_user_guide(&place.notebook)?;
        let changed = is_closed(&place.notebook, cx) == self.open.is_set();
        Ok(Plan::new(
            if self.open.is_set() { "open" } else { "close" },
            Facts { notebook: place.notebook.clone(), changed },
        )
        .show("notebook", place.notebook_name.as_str())
        .show("changed", changed)
        .about(ThingKind::Notebook, Things::of([Thing::titled(&place.notebook_name)]))
        .also(Consequence::Vanishes)
        .touching(1, place.notebook_name.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let (Facts { notebook, changed }, open) = (plan.facts, self.open.is_set());
        let output = Output::new().with("id", notebook.as_str()).with("open", open).with("changed", changed);
        if !changed {
            return Ok(output);
        }
        let set = match open {
            true => cx.ask(notebook::open_notebook(&notebook)).await,
            false => cx.ask(notebook::close_notebook(&notebook)).await,
        };
        cx.policy_changed(&[]).await;
        set?;
        if !open {
            return Ok(output);
        }
        Ok(match is_indexed(&notebook, cx).await {
            Ok(indexed) => output.with("indexed", indexed),
            Err(error) => {
                output.failed(vec![Failed::new(error).what("the check that its documents are found")])
            }
        })
    }
}

impl SetOpenState {
    fn closes(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.changed && !self.open.is_set()
    }
}

/// Waits until the documents of an opened notebook can be found, so that the next call finds them too; false when
/// that takes too long.
async fn is_indexed(notebook: &NotebookId, cx: &Cx<'_>) -> Result<bool, ToolError> {
    let listed = cx.visible(cx.ask(filetree::list_docs_by_path(notebook, "/")).await?).files;
    let first = listed.first().and_then(|it| DocId::parse(&it.id));
    let one = first.unwrap_or_else(|| notebook.own_document());
    for look in 0..LOOKS {
        if look > 0 {
            cx.pause(PAUSE).await;
        }
        match cx.ask(filetree::get_path_by_id(&one)).await {
            Ok(_) => return cx.ask(query::flush_transaction()).await.map(|()| true),
            // The kernel still indexes, or does not know the document yet.
            Err(error) if error.kind == ErrorType::Api => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, call, check, world};
    use crate::testing::{FakeKernel, approved, engine};

    #[test]
    fn opened_notebook_can_be_read_at_once() {
        let world = world().docs(["/Garden/Beds"]);
        world.ask("notebook/closeNotebook", &json!({ "notebook": world.id("/Garden") }));
        let engine = Engine::new(world, Nobody);
        let at = |action: &str, arguments: serde_json::Value| {
            let mut arguments = arguments;
            arguments["action"] = json!(action);
            let tool = if action == "read" { Tool::Fs } else { Tool::Notebook };
            call(&engine, tool, &arguments, &Approval::Missing)
        };
        assert_eq!(at("read", json!({ "path": "/Garden/Beds" })).unwrap_err().kind, ErrorType::NotFound);
        let opened = at("set_open_state", json!({ "notebook": "Garden", "open": true })).unwrap().data;
        assert_eq!((&opened["changed"], &opened["indexed"]), (&json!(true), &json!(true)));
        assert_eq!(at("read", json!({ "path": "/Garden/Beds" })).unwrap().data["title"], json!("Beds"));
    }

    /// B-071: closing is asked for, because it changes what the person sees; a closed one is not closed again.
    #[test]
    fn closing_asks_a_person() {
        let engine = Engine::new(world(), Nobody);
        let close = |approval| {
            let arguments = json!({ "action": "set_open_state", "notebook": "Garden", "open": false });
            call(&engine, Tool::Notebook, &arguments, &approval)
        };
        assert_eq!(close(Approval::Missing).unwrap_err().kind, ErrorType::ConfirmationRequired);
        assert_eq!(close(Approval::Given).unwrap().data["changed"], json!(true));
        assert_eq!(close(Approval::Missing).unwrap().data["changed"], json!(false));
    }

    #[test]
    fn open_notebook_is_not_opened_again() {
        check(
            "notebook.set_open_state",
            world(),
            &json!({ "notebook": "Garden", "open": true }),
            &expect![[r#"

                {"id":"{/Garden}","open":true,"changed":false}
            "#]],
        );
    }

    /// SiYuan deletes its user guide when it is closed.
    #[test]
    fn user_guide_is_not_closed() {
        for guide in super::super::state::USER_GUIDES {
            let notebook =
                json!({ "id": guide, "name": "User Guide", "icon": "", "closed": false, "encrypted": false });
            let list = json!({ "boxDocEnabled": true, "notebooks": [notebook] });
            let table = json!({ guide: "rwd" }).to_string();
            let kernel = FakeKernel::new()
                .file("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", &table)
                .answer("/api/notebook/lsNotebooks", move |_| list.clone())
                .answer("/api/notebook/closeNotebook", |_| json!(null));
            let engine = engine(kernel);
            let arguments = json!({ "action": "set_open_state", "notebook": guide, "open": false });
            let error = approved(&engine, Tool::Notebook, arguments, Approval::Given).unwrap_err();
            assert_eq!(error.kind, ErrorType::Validation, "{guide}");
            assert_eq!(engine.kernel.asked(), []);
        }
    }
}
