//! `notebook.create`: creates a notebook, with the level that the person chose for those that agents create.

use super::levels;
use crate::content::icon::Icon;
use crate::content::notebook_name::NotebookName;
use crate::error::ErrorType;
use crate::grants::MADE_FILE;
use crate::id::NotebookId;
use crate::prelude::*;

/// The refusal of an agent that may write nowhere.
const ONLY_READS: &str = "notebook.create needs level rw, and this agent may at most read. A person can raise it in SiYuan: Settings of the plugin MCP Puppy, Agents.";

/// Create and open a notebook. The answer has your level in it.
#[derive(Debug, Action)]
#[action(
    notebook.create,
    effect = Write,
    danger = None,
    idempotent = false,
    calls = [
        notebook::CREATE_NOTEBOOK, notebook::SET_NOTEBOOK_ICON, notebook::REMOVE_NOTEBOOK, file::GET_FILE,
        file::PUT_FILE,
    ],
    examples = [{ "name": "{new}" }, { "name": "{new}", "icon": "🌱" }],
)]
pub struct Create {
    /// Name of the notebook, without /.
    pub name: NotebookName,
    /// An emoji, its code points in hex (1f331), or emojis/<file>.
    pub icon: Option<Icon>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    name: String,
    icon: Option<String>,
    level: Level,
}

impl Change for Create {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let name = self.name.as_str().to_owned();
        let icon = self.icon.as_ref().map(|it| it.as_str().to_owned());
        let scope = cx.scope();
        // Without a readable table, nobody knows what the new entry would stand next to.
        scope.grants.table.as_ref().map_err(ToolError::from)?;
        scope.grants.made.as_ref().map_err(|_| levels::unreadable(MADE_FILE))?;
        if scope.grants.ceiling.level < Level::Write {
            return Err(ToolError::new(ErrorType::PermissionDenied, ONLY_READS));
        }
        let level = scope.access.new_notebook_level();
        if level == Level::None {
            return Err(ToolError::disabled(
                "notebook.create is turned off, because notebooks created by agents would be hidden from them. A person can change this in SiYuan: Settings of the plugin MCP Puppy, Permissions, Notebooks created by agents.",
            ));
        }
        if let Some(taken) = scope.visible_notebooks().find(|it| it.name == name) {
            return Err(ToolError::conflict(
                "A notebook with that name exists. Use it, or choose another name.",
            )
            .with("id", taken.id.as_str()));
        }
        Ok(Plan::of_facts(Facts { name: name.clone(), icon, level })
            .show("name", name.as_str())
            .show("level", level.word())
            .touching(1, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { name, icon, level } = plan.facts;
        let made = cx.ask(notebook::create_notebook(&name)).await?.notebook;
        let id = NotebookId::parse(&made.id)
            .ok_or_else(|| ToolError::internal("SiYuan named the new notebook in an unknown way"))?;
        let granted = levels::set(cx, MADE_FILE, &id, None, level).await;
        // Also after a failure, because the list of notebooks has changed.
        cx.policy_changed(&[MADE_FILE]).await;
        if let Err(error) = granted {
            return Err(undo(cx, &id, error).await);
        }
        let mut failed = Vec::new();
        if let Some(icon) = icon {
            let set = cx.ask(notebook::set_notebook_icon(&id, &icon)).await;
            failed.extend(set.err().map(|error| Failed::new(error).what("icon")));
        }
        let output = Output::new().with("id", id.as_str()).with("name", made.name);
        Ok(output.with("level", level.word()).partly("notebook", failed))
    }
}

/// Removes the notebook that could not be granted a level; it is still empty.
async fn undo(cx: &Cx<'_>, id: &NotebookId, cause: ToolError) -> ToolError {
    let removed = cx.ask(notebook::remove_notebook(id)).await;
    let outcome = match removed {
        Ok(()) => {
            cx.taken_back();
            "so it was removed again. Try again in a moment."
        }
        Err(_) => {
            "and removing it again failed too: an empty notebook with that name may be left. Tell the person."
        }
    };
    let message = format!(
        "The notebook was created, but its level could not be written ({}), {outcome}",
        cause.message.trim_end_matches('.')
    );
    ToolError {
        kind: if cause.kind == ErrorType::Internal { ErrorType::Api } else { cause.kind },
        message,
        ..cause
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::output::Reply;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, check, checks, world};

    const STORAGE: &str = "/data/storage/petal/siyuan-mcp-puppy/";
    const MADE: &str = "agentNotebooks";

    fn garden() -> World {
        world().notebook("Private", "none")
    }

    fn create(engine: &Engine<World, Nobody>, mut arguments: Value) -> Reply {
        arguments["action"] = json!("create");
        call(engine, Tool::Notebook, &arguments, &Approval::Missing)
    }

    /// A file of the plugin's storage.
    fn stored(world: &World, name: &str) -> String {
        let body = json!({ "path": format!("{STORAGE}{name}") }).to_string();
        String::from_utf8(world.demo.answer("/api/file/getFile", body.as_bytes()).body).unwrap()
    }

    /// Puts a file into the plugin's storage as it is.
    fn put(world: &World, name: &str, text: &str) {
        assert_eq!(world.demo.put_file(&format!("{STORAGE}{name}"), text.as_bytes()).status, 200);
    }

    /// F8: the new notebook's entry joins those of others; the person's table is not touched.
    #[test]
    fn new_notebook_entry_keeps_existing_entries() {
        const OTHER: &str = "20250101000000-attic00";
        let engine = Engine::new(garden().file(MADE, &json!({ OTHER: "rwd" })), Nobody);
        let before = engine.kernel.table();
        let data = create(&engine, json!({ "name": " Seeds " })).unwrap().data;
        assert_eq!((&data["name"], &data["level"]), (&json!("Seeds"), &json!("rw")));
        let made: Value = serde_json::from_str(&stored(&engine.kernel, MADE)).unwrap();
        assert_eq!(made, json!({ OTHER: "rwd", data["id"].as_str().unwrap(): "rw" }));
        assert_eq!(engine.kernel.table(), before);
    }

    /// B-026: no requests beyond those that the page names.
    #[test]
    fn notebook_and_entry_take_a_request_each() {
        check(
            "notebook.create",
            garden(),
            &json!({ "name": " Seeds " }),
            &expect![[r#"
            createNotebook putFile
            {"id":"{new 1}","name":"Seeds","level":"rw"}
        "#]],
        );
    }

    #[test]
    fn notebook_icon_is_sent_in_the_kernels_form() {
        for (icon, kept) in
            [("\u{1f331}", "1f331"), ("1F331", "1f331"), ("emojis/plants/leaf.png", "plants/leaf.png")]
        {
            let engine = Engine::new(garden(), Nobody);
            let made = create(&engine, json!({ "name": "Seeds", "icon": icon })).unwrap().data;
            let sent = engine.kernel.take_sent();
            assert_eq!(sent.last().unwrap().1, json!({ "notebook": made["id"], "icon": kept }), "{icon}");
        }
        for icon in ["leaf", "emojis/../conf.png", "emojis/", "<b>\u{1f331}"] {
            let engine = Engine::new(garden(), Nobody);
            let error = create(&engine, json!({ "name": "Seeds", "icon": icon })).unwrap_err();
            assert_eq!((error.kind, engine.kernel.take_sent().len()), (ErrorType::Validation, 0), "{icon}");
        }
    }

    /// A visible notebook of the same name is named in the error, a hidden one does not exist (B-055).
    #[test]
    fn only_a_visible_notebook_of_the_same_name_conflicts() {
        checks(
            "notebook.create",
            garden,
            ["Garden", "Private"].map(|name| json!({ "name": name })),
            &expect![[r#"

                {"error":{"type":"conflict","message":"A notebook with that name exists. Use it, or choose another name.","id":"{/Garden}"}}
                createNotebook putFile
                {"id":"{new 1}","name":"Private","level":"rw"}
            "#]],
        );
    }

    /// F1: a notebook whose name has the form of an id would stand in for the one that has this id.
    #[test]
    fn notebook_name_that_changes_or_resembles_an_id_is_refused() {
        let engine = Engine::new(garden(), Nobody);
        let private = engine.kernel.id("/Private").to_owned();
        for name in
            ["a/b", "a\nb", "   ", "", &private, " 20250101000000-plan000 ", "20250101\u{200b}000000-plan000"]
        {
            let error = create(&engine, json!({ "name": name })).unwrap_err();
            assert_eq!(
                (error.kind, error.fields[0].field.as_str()),
                (ErrorType::Validation, "name"),
                "{name:?}"
            );
            assert_eq!(engine.kernel.take_sent(), [], "{name:?}");
        }
    }

    #[test]
    fn new_notebook_setting_gives_the_level_and_none_disables_create() {
        let engine_of = |word: &str| {
            Engine::new(garden().file("accessSettings", &json!({ "new_notebook_level": word })), Nobody)
        };
        let engine = engine_of("r");
        let data = create(&engine, json!({ "name": "Seeds" })).unwrap().data;
        assert_eq!(data["level"], "r");
        let made: Value = serde_json::from_str(&stored(&engine.kernel, MADE)).unwrap();
        assert_eq!(made[data["id"].as_str().unwrap()], "r");
        for word in ["none", "everything"] {
            let engine = engine_of(word);
            let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
            assert_eq!((error.kind, engine.kernel.take_sent().len()), (ErrorType::Disabled, 0), "{word}");
        }
    }

    #[test]
    fn failed_entry_write_removes_the_new_notebook() {
        let engine = Engine::new(garden(), Nobody);
        engine.kernel.fail("/api/file/putFile", "disk full");
        let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
        assert_eq!(error.kind, ErrorType::Api);
        assert!(error.message.contains("removed again"), "{}", error.message);
        assert_eq!(engine.kernel.take_sent().last().unwrap().0, "/api/notebook/removeNotebook");
        let left = engine.kernel.ask("notebook/lsNotebooks", &json!({}));
        assert!(!left.to_string().contains("Seeds"), "{left}");
    }

    /// B-053: a table that nobody can read is not overwritten.
    #[test]
    fn broken_table_stops_notebook_create() {
        let engine = Engine::new(garden(), Nobody);
        put(&engine.kernel, "notebookPermissions", "{");
        let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
        assert!(error.message.contains("notebookPermissions"), "{}", error.message);
        assert_eq!(engine.kernel.take_sent(), []);
        assert_eq!(stored(&engine.kernel, "notebookPermissions"), "{");
    }

    /// F9, F21: neither is the file of agents' notebooks, if it is torn or has a doubled key.
    #[test]
    fn broken_agent_notebooks_file_is_not_overwritten() {
        for torn in ["{", "", r#"{"a":"rw","a":"r"}"#] {
            let engine = Engine::new(garden(), Nobody);
            put(&engine.kernel, MADE, torn);
            let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
            assert!(error.message.contains("agentNotebooks"), "{}", error.message);
            assert_eq!(engine.kernel.take_sent(), []);
            assert_eq!(stored(&engine.kernel, MADE), torn);
        }
    }

    /// B-034.
    #[test]
    fn notebook_create_preview_creates_nothing() {
        check(
            "notebook.create",
            garden(),
            &json!({ "name": "Seeds", "preview": true }),
            &expect![[r#"

                {"name":"Seeds","level":"rw","preview":true,"effect":"writes","irreversible":true}
            "#]],
        );
    }
}
