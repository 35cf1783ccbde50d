//! `document.daily_note`: today's daily note of a notebook.

use crate::content::daily_note::{self, MissingNote};
use crate::prelude::*;

/// Open a notebook's daily note for today; create it if missing.
///
/// A new note is created from the notebook's template, whose result must be text that you may write.
#[derive(Debug, Action)]
#[action(
    document.daily_note,
    danger = None,
    idempotent = true,
    calls = [filetree::CREATE_DAILY_NOTE, filetree::GET_HPATH_BY_ID, ..daily_note],
    examples = [{ "notebook": "{notebook}" }],
)]
pub struct DailyNote {
    /// A notebook's id or exact name.
    #[needs(Write)]
    pub notebook: NotebookRef,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    /// Whether the note is there, where its path is known without running a query.
    exists: Option<bool>,
    /// The note that its template makes.
    missing: Option<MissingNote>,
}

impl Change for DailyNote {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.notebook).await?;
        let settings = daily_note::settings(&place.notebook, cx).await?;
        let today = daily_note::today(&place.notebook, &settings, cx).await?;
        let rendered = today.as_ref().map(|(hpath, exists)| (hpath.as_str(), *exists));
        let missing = daily_note::missing(&place.notebook, &settings, rendered, cx).await?;
        let (hpath, exists) = today.unzip();
        let would = if exists == Some(true) { "open" } else { "create" };
        Ok(Plan::new(would, Facts { notebook: place.notebook.clone(), exists, missing })
            .show("hpath", hpath)
            .show("template", settings.template)
            .touching(1, place.notebook_name.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { notebook, exists, missing } = plan.facts;
        if let Some(missing) = missing {
            missing.create(cx).await?;
        }
        let id = cx.ask(filetree::create_daily_note(&notebook)).await?.id;
        let output = Output::new().with("id", id.as_str()).with("notebook", notebook.as_str());
        let output = output.with("created", exists.map(|exists| !exists));
        Ok(match cx.ask(filetree::get_hpath_by_id(&id)).await {
            Ok(hpath) => output.with("hpath", hpath),
            Err(error) => output.partly("document", vec![Failed::new(error).what("the path")]),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::dispatch::{Approval, Engine};
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, check, world};

    fn conf(world: &World, conf: &serde_json::Value) {
        let body = json!({ "notebook": world.id("/Garden"), "conf": conf });
        world.ask("notebook/setNotebookConf", &body);
    }

    #[test]
    fn the_note_is_created_once() {
        check(
            "document.daily_note",
            world(),
            &json!({ "notebook": "Garden", "preview": true }),
            &expect![[r#"
            getNotebookConf renderSprig getIDsByHPath
            {"would":"create","hpath":"/daily note/2025/06/2025-06-15","preview":true,"effect":"writes"}
        "#]],
        );
        check(
            "document.daily_note",
            world(),
            &json!({ "notebook": "Garden" }),
            &expect![[r#"
            getNotebookConf renderSprig getIDsByHPath createDailyNote getHPathByID
            {"id":"{new 1}","notebook":"{/Garden}","created":true,"hpath":"/daily note/2025/06/2025-06-15"}
        "#]],
        );
        let engine = Engine::new(world(), Nobody);
        let arguments = json!({ "action": "daily_note", "notebook": "Garden" });
        let mut replies = Vec::new();
        for _ in 0..2 {
            replies.push(call(&engine, Tool::Document, &arguments, &Approval::Missing).unwrap().data);
        }
        assert_eq!((&replies[0]["created"], &replies[1]["created"]), (&json!(true), &json!(false)));
        assert_eq!(replies[0]["id"], replies[1]["id"]);
    }

    /// B-055: a query in the path or in the template sees closed notebooks.
    #[test]
    fn no_query_runs_while_a_notebook_is_closed() {
        let garden = || world().notebook("Private", "none");
        let querying =
            json!({ "dailyNoteSavePath": "/{{ (index (queryBlocks \"SELECT * FROM blocks\") 0).Content }}" });
        let world = garden();
        conf(&world, &querying);
        check(
            "document.daily_note",
            world,
            &json!({ "notebook": "Garden" }),
            &expect![[r#"
            getNotebookConf
            {"error":{"type":"disabled_error","message":"The template of this notebook's daily note runs queries, which can read notebooks that are hidden from agents. A person can open the note in SiYuan, or remove the queries from the template."}}
        "#]],
        );
        let with_template = |name: &str| {
            let world = garden();
            for (file, text) in
                [("query", ".action{ querySQL \"SELECT 1\" }"), ("plain", "# .action{.title}")]
            {
                let put = world.demo.put_file(&format!("/data/templates/{file}.md"), text.as_bytes());
                assert_eq!(put.status, 200);
            }
            conf(&world, &json!({ "dailyNoteTemplatePath": name }));
            world
        };
        let arguments = json!({ "notebook": "Garden", "preview": true });
        check(
            "document.daily_note",
            with_template("/query.md"),
            &arguments,
            &expect![[r#"
            getNotebookConf getFile
            {"error":{"type":"disabled_error","message":"The template of this notebook's daily note runs queries, which can read notebooks that are hidden from agents. A person can open the note in SiYuan, or remove the queries from the template."}}
        "#]],
        );
        check(
            "document.daily_note",
            with_template("/../../conf/x.md"),
            &arguments,
            &expect![[r#"
            getNotebookConf
            {"error":{"type":"disabled_error","message":"The template of this notebook's daily note runs queries, which can read notebooks that are hidden from agents. A person can open the note in SiYuan, or remove the queries from the template."}}
        "#]],
        );
        check(
            "document.daily_note",
            with_template("/plain.md"),
            &arguments,
            &expect![[r#"
                getNotebookConf getFile renderSprig getIDsByHPath renderSprig
                {"would":"create","hpath":"/daily note/2025/06/2025-06-15","template":"/plain.md","preview":true,"effect":"writes"}
            "#]],
        );
        check(
            "document.daily_note",
            garden(),
            &json!({ "notebook": "Garden" }),
            &expect![[r#"
            getNotebookConf renderSprig getIDsByHPath createDailyNote getHPathByID
            {"id":"{new 1}","notebook":"{/Garden}","created":true,"hpath":"/daily note/2025/06/2025-06-15"}
        "#]],
        );
    }
}
