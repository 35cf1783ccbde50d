//! `notebook.create`: creates a notebook, with the level that the person chose for those that agents create.

use super::levels;
use crate::content::icon::Icon;
use crate::content::notebook_name::NotebookName;
use crate::error::ErrorType;
use crate::grants::MADE_FILE;
use crate::id::NotebookId;
use crate::prelude::*;

/// Create an open notebook. You may write in it at once.
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
        let level = scope.access.new_notebook_level();
        if level == Level::None {
            return Err(ToolError::disabled(
                "notebook.create is switched off: notebooks made by agents would be closed to them. A person can change that in SiYuan: Settings of the plugin MCP Puppy, Permissions, level of new notebooks.",
            ));
        }
        if let Some(taken) = scope.visible_notebooks().find(|it| it.name == name) {
            return Err(ToolError::conflict(
                "A notebook of that name exists. Use it, or choose another name.",
            )
            .with("id", taken.id.as_str()));
        }
        Ok(Plan::new(Facts { name: name.clone(), icon, level })
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
            "and removing it again failed too: an empty notebook of that name may be left. Tell the person."
        }
    };
    let message = format!(
        "The notebook was made, but its level could not be written ({}), {outcome}",
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
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, Seen, call, engine};

    type Engine = crate::dispatch::Engine<FakeKernel, Seen>;

    const NEW: &str = "20251121104500-new0000";
    const TABLE: &str = "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions";
    const MADE: &str = "/data/storage/petal/siyuan-mcp-puppy/agentNotebooks";
    const ACCESS: &str = "/data/storage/petal/siyuan-mcp-puppy/accessSettings";

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/notebook/createNotebook", |body| {
                json!({ "notebook": { "id": NEW, "name": body["name"], "icon": "", "closed": false } })
            })
            .answer("/api/notebook/setNotebookIcon", |_| Value::Null)
            .answer("/api/notebook/removeNotebook", |_| Value::Null)
    }

    fn create(engine: &Engine, mut arguments: Value) -> crate::output::Reply {
        arguments["action"] = json!("create");
        call(engine, Tool::Notebook, arguments)
    }

    fn made(engine: &Engine) -> Value {
        serde_json::from_str(&engine.kernel.text_of(MADE).unwrap()).unwrap()
    }

    fn paths(engine: &Engine) -> Vec<&'static str> {
        engine.kernel.asked().iter().map(|(path, _)| *path).collect()
    }

    /// F8: the new notebook's entry joins those of others; the person's table is not touched.
    #[test]
    fn new_notebook_entry_keeps_existing_entries() {
        let engine = engine(kernel().file(MADE, &json!({ ATTIC: "rwd" }).to_string()));
        let before = engine.kernel.text_of(TABLE);
        let reply = create(&engine, json!({ "name": " Seeds " })).unwrap();
        assert_eq!(Value::Object(reply.data), json!({ "id": NEW, "name": "Seeds", "level": "rw" }));
        assert_eq!(made(&engine), json!({ ATTIC: "rwd", NEW: "rw" }));
        assert_eq!(engine.kernel.text_of(TABLE), before);
        // B-026: no requests beyond those that the page names.
        assert_eq!(paths(&engine), ["/api/notebook/createNotebook", "/api/file/putFile"]);
    }

    #[test]
    fn notebook_icon_is_sent_in_the_kernels_form() {
        for (icon, kept) in
            [("\u{1f331}", "1f331"), ("1F331", "1f331"), ("emojis/plants/leaf.png", "plants/leaf.png")]
        {
            let engine = engine(kernel());
            create(&engine, json!({ "name": "Seeds", "icon": icon })).unwrap();
            let asked = engine.kernel.asked();
            assert_eq!(asked.last().unwrap().1, json!({ "notebook": NEW, "icon": kept }), "{icon}");
        }
        for icon in ["leaf", "emojis/../conf.png", "emojis/", "<b>\u{1f331}"] {
            let engine = engine(kernel());
            let error = create(&engine, json!({ "name": "Seeds", "icon": icon })).unwrap_err();
            assert_eq!((error.kind, paths(&engine).len()), (ErrorType::Validation, 0), "{icon}");
        }
    }

    /// A visible notebook of the same name is named in the error, a hidden one does not exist (B-055).
    #[test]
    fn only_a_visible_notebook_of_the_same_name_conflicts() {
        let engine = engine(kernel());
        let error = create(&engine, json!({ "name": "Garden" })).unwrap_err();
        assert_eq!((error.kind, &error.details["id"]), (ErrorType::Conflict, &json!(GARDEN)));
        assert!(paths(&engine).is_empty());
        assert_eq!(create(&engine, json!({ "name": "Private" })).unwrap().data["name"], "Private");
    }

    /// F1: a notebook whose name has the form of an id would stand in for the one that has this id.
    #[test]
    fn notebook_name_that_changes_or_resembles_an_id_is_refused() {
        for name in
            ["a/b", "a\nb", "   ", "", PRIVATE, " 20250101000000-plan000 ", "20250101\u{200b}000000-plan000"]
        {
            let engine = engine(kernel());
            let error = create(&engine, json!({ "name": name })).unwrap_err();
            assert_eq!(
                (error.kind, error.fields[0].field.as_str()),
                (ErrorType::Validation, "name"),
                "{name:?}"
            );
            assert!(paths(&engine).is_empty());
        }
    }

    #[test]
    fn new_notebook_setting_gives_the_level_and_none_disables_create() {
        let engine_of =
            |word: &str| engine(kernel().file(ACCESS, &json!({ "new_notebook_level": word }).to_string()));
        let engine = engine_of("r");
        assert_eq!(create(&engine, json!({ "name": "Seeds" })).unwrap().data["level"], "r");
        assert_eq!(made(&engine)[NEW], "r");
        for word in ["none", "everything"] {
            let engine = engine_of(word);
            let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
            assert_eq!((error.kind, paths(&engine).len()), (ErrorType::Disabled, 0), "{word}");
        }
    }

    #[test]
    fn failed_entry_write_removes_the_new_notebook() {
        let refused = |_: &Value| json!({ "code": -1, "msg": "disk full", "data": null });
        let engine = engine(kernel().answer("/api/file/putFile", refused));
        let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
        assert_eq!(error.kind, ErrorType::Api);
        assert!(error.message.contains("removed again"), "{}", error.message);
        let asked = engine.kernel.asked();
        assert_eq!(asked.last().unwrap(), &("/api/notebook/removeNotebook", json!({ "notebook": NEW })));
    }

    /// B-053: a table that nobody can read is not overwritten.
    #[test]
    fn broken_table_stops_notebook_create() {
        let engine = engine(kernel().file(TABLE, "{"));
        let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
        assert!(error.message.contains("notebookPermissions"), "{}", error.message);
        assert!(paths(&engine).is_empty());
        assert_eq!(engine.kernel.text_of(TABLE).unwrap(), "{");
    }

    /// F9, F21: neither is the file of agents' notebooks, if it is torn or has a doubled key.
    #[test]
    fn broken_agent_notebooks_file_is_not_overwritten() {
        for torn in ["{", "", r#"{"a":"rw","a":"r"}"#] {
            let engine = engine(kernel().file(MADE, torn));
            let error = create(&engine, json!({ "name": "Seeds" })).unwrap_err();
            assert!(error.message.contains("agentNotebooks"), "{}", error.message);
            assert!(paths(&engine).is_empty());
            assert_eq!(engine.kernel.text_of(MADE).unwrap(), torn);
        }
    }

    /// B-034.
    #[test]
    fn notebook_create_preview_creates_nothing() {
        let engine = engine(kernel());
        let reply = create(&engine, json!({ "name": "Seeds", "preview": true })).unwrap();
        let expected = json!({ "name": "Seeds", "level": "rw", "preview": true, "effect": "writes" });
        assert_eq!(Value::Object(reply.data), expected);
        assert!(paths(&engine).is_empty());
    }
}
