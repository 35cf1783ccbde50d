//! `block.add_to_daily_note`: Markdown in today's daily note.

use super::adding::{check_text, new_ids};
use crate::content::daily_note::{self, MissingNote};
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::written;
use crate::prelude::*;

/// Add Markdown to today's daily note, created if missing.
#[derive(Debug, Action)]
#[action(
    block.add_to_daily_note,
    danger = None,
    idempotent = false,
    calls = [
        block::APPEND_DAILY_NOTE_BLOCK, block::PREPEND_DAILY_NOTE_BLOCK, filetree::GET_HPATH_BY_ID, ..daily_note,
        ..incoming,
    ],
    examples = [{ "notebook": "{notebook}", "markdown": "Mint grows again.", "at_start": true }],
)]
pub struct AddToDailyNote {
    /// Only in this notebook, by id or exact name.
    #[needs(Write)]
    pub notebook: NotebookRef,
    /// The text, as Markdown.
    pub markdown: Markdown,
    /// Whether to add it at the start of the note.
    pub at_start: Flag<false>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    incoming: Incoming,
    notebook: NotebookId,
    /// The note that its template makes.
    missing: Option<MissingNote>,
}

impl Change for AddToDailyNote {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        check_text("markdown", &self.markdown)?;
        let place = cx.found(&self.notebook).await?;
        let settings = daily_note::settings(&place.notebook, cx).await?;
        let mut missing = None;
        if settings.text.is_some() {
            let today = daily_note::today(&place.notebook, &settings, cx).await?;
            let rendered = today.as_ref().map(|(hpath, exists)| (hpath.as_str(), *exists));
            missing = daily_note::missing(&place.notebook, &settings, rendered, cx).await?;
        } else if cx.ledger().is_some() {
            // The ledger learns where the note will be; without that it counts as one that was there.
            let _ = daily_note::today(&place.notebook, &settings, cx).await;
        }
        let incoming = incoming::check(cx, self.markdown.as_str(), &ReplacedContent::nothing()).await?;
        let characters = incoming.markdown.chars().count();
        Ok(Plan::new("add to the daily note", Facts { incoming, notebook: place.notebook.clone(), missing })
            .show("notebook", place.notebook_name.as_str())
            .show("characters", characters)
            .touching(1, place.notebook_name.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { incoming, notebook, missing } = plan.facts;
        if let Some(missing) = missing {
            missing.create(cx).await?;
        }
        let text = incoming.markdown.as_str();
        let added = match self.at_start.is_set() {
            true => cx.ask(block::prepend_daily_note_block(&notebook, text)).await?,
            false => cx.ask(block::append_daily_note_block(&notebook, text)).await?,
        };
        let ids = new_ids(written::elements(&added)?, false);
        let mut operations = added.iter().flat_map(|it| &it.do_operations);
        let doc = operations.find_map(|it| DocId::parse(&it.parent));
        let output = Output::new().with("ids", ids).list("ids_dropped", incoming.ids_dropped);
        let Some(doc) = doc else { return Ok(output) };
        let output = output.with("doc", doc.as_str());
        Ok(match cx.ask(filetree::get_hpath_by_id(&doc)).await {
            Ok(hpath) => output.with("hpath", hpath),
            Err(error) => output.failed(vec![Failed::new(error).what("hpath")]),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::world::{World, check, check_then, world};

    fn plants() -> World {
        world().doc("/Garden/Plants", "mint")
    }

    /// The settings of the notebook with these daily notes.
    fn with(world: World, path: &str, template: &str) -> World {
        let mut conf = world.ask("notebook/getNotebookConf", &json!({ "notebook": world.id("/Garden") }));
        conf["conf"]["dailyNoteSavePath"] = json!(path);
        conf["conf"]["dailyNoteTemplatePath"] = json!(template);
        world.ask(
            "notebook/setNotebookConf",
            &json!({ "notebook": world.id("/Garden"), "conf": conf["conf"] }),
        );
        world
    }

    #[test]
    fn the_note_is_made_when_it_is_missing() {
        check(
            "block.add_to_daily_note",
            plants(),
            &json!({ "notebook": "Garden", "markdown": "one\n\ntwo" }),
            &expect![[r#"
                getNotebookConf appendDailyNoteBlock getHPathByID
                {"ids":["{new 1}","{new 2}"],"doc":"{new 3}","hpath":"/daily note/2025/06/2025-06-15"}
            "#]],
        );
        check_then(
            "block.add_to_daily_note",
            with(plants(), "/Plants", ""),
            &json!({ "notebook": "Garden", "markdown": "one", "at_start": true }),
            ["/Garden/Plants"],
            &expect![[r#"
                getNotebookConf prependDailyNoteBlock getHPathByID
                {"ids":["{new 1}"],"doc":"{/Garden/Plants}","hpath":"/Plants"}
                {new 1} one
                {/Garden/Plants#0} mint
            "#]],
        );
        check(
            "block.add_to_daily_note",
            plants(),
            &json!({ "notebook": "Garden", "markdown": " " }),
            &expect![[r#"

                {"error":{"type":"validation_error","message":"`markdown` must be text to add.","fields":{"markdown":"text to add"}}}
            "#]],
        );
    }

    /// The kernel runs them over every notebook, and the agent would read the results in the new note.
    #[test]
    fn templates_that_read_notes_do_not_run_while_a_notebook_is_closed() {
        check(
            "block.add_to_daily_note",
            plants().notebook("Private", "none"),
            &json!({ "notebook": "Garden", "markdown": "one" }),
            &expect![[r#"
                getNotebookConf appendDailyNoteBlock getHPathByID
                {"ids":["{new 1}"],"doc":"{new 2}","hpath":"/daily note/2025/06/2025-06-15"}
            "#]],
        );
        check(
            "block.add_to_daily_note",
            with(
                plants().notebook("Private", "none"),
                "/{{ (index (queryBlocks \"SELECT * FROM blocks\") 0).Content }}",
                "",
            ),
            &json!({ "notebook": "Garden", "markdown": "one" }),
            &expect![[r#"
                getNotebookConf
                {"error":{"type":"disabled_error","message":"The template of this notebook's daily note runs queries, which can read notebooks that are hidden from agents. A person can open the note in SiYuan, or remove the queries from the template."}}
            "#]],
        );
        let template = with(plants().notebook("Private", "none"), "/{{now | date \"2006\"}}", "/daily.md");
        let text = b".action{ (index (queryBlocks \"SELECT * FROM blocks\") 0).Content }";
        assert_eq!(template.demo.put_file("/data/templates/daily.md", text).status, 200);
        check(
            "block.add_to_daily_note",
            template,
            &json!({ "notebook": "Garden", "markdown": "one" }),
            &expect![[r#"
                getNotebookConf getFile
                {"error":{"type":"disabled_error","message":"The template of this notebook's daily note runs queries, which can read notebooks that are hidden from agents. A person can open the note in SiYuan, or remove the queries from the template."}}
            "#]],
        );
    }
}
