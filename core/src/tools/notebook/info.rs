//! `notebook.info`: one notebook with its counts, times and settings.

use futures_util::future::join;
use serde_json::{Map, Value, json};

use super::settings::shown;
use crate::content::stamp;
use crate::prelude::*;

/// Show a notebook's level, counts, size, times and settings.
#[derive(Debug, Action)]
#[action(
    notebook.info,
    danger = None,
    idempotent = true,
    calls = [notebook::GET_NOTEBOOK_INFO, notebook::GET_NOTEBOOK_CONF],
    examples = [{ "notebook": "{notebook}" }],
)]
pub struct Info {
    /// A notebook's id or exact name.
    #[needs(Read)]
    pub notebook: NotebookRef,
}

impl Run for Info {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let place = cx.found(&self.notebook).await?;
        let info = cx.ask(notebook::get_notebook_info(&place.notebook));
        let (info, conf) = join(info, cx.ask(notebook::get_notebook_conf(&place.notebook))).await;
        let conf = conf?.conf;
        let closed = conf.get("closed") == Some(&Value::Bool(true));
        let counts = match info {
            Ok(info) => object([
                ("documents", json!(info.counts.documents)),
                ("size", json!(info.counts.size)),
                ("created", json!(stamp::of_seconds(info.counts.created))),
                ("updated", json!(stamp::of_seconds(info.counts.updated))),
            ]),
            // The kernel counts open notebooks only and reports others as missing.
            Err(_) if closed => Map::new(),
            Err(error) => return Err(error),
        };
        let mut output = Output::new()
            .with("id", place.notebook.as_str())
            .with("name", place.notebook_name.as_str())
            .with("level", place.level.word())
            .with("closed", closed);
        output.data.extend(counts);
        Ok(output.with("conf", shown(conf, cx.grants())))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{World, check, world};
    use crate::testing::{FakeKernel, GARDEN, PRIVATE, call, engine};

    /// A kernel with an encrypted notebook, which the demo kernel cannot make.
    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/notebook/getNotebookInfo", |body| {
                json!({ "boxInfo": {
                    "id": body["notebook"], "name": "Garden", "docCount": 7, "size": 3460, "hSize": "3.46 kB",
                    "mtime": 1_700_000_000, "ctime": 951_782_400, "hMtime": "now", "hCtime": "then",
                } })
            })
            .answer("/api/notebook/getNotebookConf", |body| {
                json!({ "box": body["notebook"], "name": "Garden", "conf": {
                    "name": "Garden", "sort": 3, "icon": "", "closed": false,
                    "refCreateSaveBox": PRIVATE, "refCreateSavePath": "/inbox",
                    "docCreateSaveBox": GARDEN, "docCreateSavePath": "/new",
                    "dailyNoteSavePath": "/daily/{{now | date \"2006\"}}", "dailyNoteTemplatePath": "",
                    "sortMode": 15, "encrypted": true, "boxCrypt": { "salt": "s" },
                } })
            })
    }

    /// Encryption settings are never shown, and neither are a hidden notebook's id and the path in it (B-055, F14).
    #[test]
    fn open_notebook_has_counts_and_settings() {
        let expected = json!({
            "id": GARDEN, "name": "Garden", "level": "rw", "closed": false,
            "documents": 7, "size": 3460,
            "created": "2000-02-29T00:00:00Z", "updated": "2023-11-14T22:13:20Z",
            "conf": {
                "dailyNoteSavePath": "/daily/{{now | date \"2006\"}}",
                "docCreateSaveBox": GARDEN,
                "docCreateSavePath": "/new",
                "sortMode": 15,
            },
        });
        for notebook in ["Garden", GARDEN] {
            let arguments = json!({ "action": "info", "notebook": notebook });
            let output = call(&engine(kernel()), Tool::Notebook, arguments).unwrap();
            assert_eq!(Value::Object(output.data), expected, "{notebook}");
        }
    }

    /// Garden, whose new documents go to this notebook and path.
    fn saving(notebook: &str, path: &str) -> World {
        let world = world().notebook("Private", "none");
        let (notebook, path) = (world.fill(notebook), world.fill(path));
        let conf = json!({
            "refCreateSaveBox": notebook, "refCreateSavePath": path,
            "docCreateSaveBox": notebook, "docCreateSavePath": path,
        });
        world.ask("notebook/setNotebookConf", &json!({ "notebook": world.id("/Garden"), "conf": conf }));
        world
    }

    /// B-055: a saving place in a hidden notebook looks like none.
    #[test]
    fn a_hidden_saving_place_looks_like_none() {
        let none = expect![[r#"
            getNotebookInfo getNotebookConf
            {"id":"{/Garden}","name":"Garden","level":"rw","closed":false,"documents":0,"size":225,"created":"2025-06-15T15:06:40Z","updated":"2025-06-15T15:06:41Z","conf":{"dailyNoteSavePath":"/daily note/{{now | date \"2006/01\"}}/{{now | date \"2006-01-02\"}}","sortMode":15}}
        "#]];
        for (notebook, path) in
            [("", ""), ("{/Private}", "/inbox"), ("{/Private}", ""), ("", "/{/Private}/inbox")]
        {
            check("notebook.info", saving(notebook, path), &json!({ "notebook": "Garden" }), &none);
        }
        check(
            "notebook.info",
            saving("{/Garden}", "/inbox"),
            &json!({ "notebook": "Garden" }),
            &expect![[r#"
                getNotebookInfo getNotebookConf
                {"id":"{/Garden}","name":"Garden","level":"rw","closed":false,"documents":0,"size":225,"created":"2025-06-15T15:06:40Z","updated":"2025-06-15T15:06:41Z","conf":{"dailyNoteSavePath":"/daily note/{{now | date \"2006/01\"}}/{{now | date \"2006-01-02\"}}","docCreateSaveBox":"{/Garden}","docCreateSavePath":"/inbox","refCreateSaveBox":"{/Garden}","refCreateSavePath":"/inbox","sortMode":15}}
            "#]],
        );
    }

    #[test]
    fn closed_notebook_has_settings_only() {
        let world = world();
        world.ask("notebook/closeNotebook", &json!({ "notebook": world.id("/Garden") }));
        check(
            "notebook.info",
            world,
            &json!({ "notebook": "Garden" }),
            &expect![[r#"
            getNotebookInfo getNotebookConf
            {"id":"{/Garden}","name":"Garden","level":"rw","closed":true,"conf":{"dailyNoteSavePath":"/daily note/{{now | date \"2006/01\"}}/{{now | date \"2006-01-02\"}}","sortMode":15}}
        "#]],
        );
    }

    /// Only a closed notebook may lack its counts.
    #[test]
    fn refusal_for_an_open_notebook_is_reported() {
        let kernel = kernel()
            .answer("/api/notebook/getNotebookInfo", |_| json!({ "code": -1, "msg": "no", "data": null }));
        let reply = call(&engine(kernel), Tool::Notebook, json!({ "action": "info", "notebook": "Garden" }));
        assert_eq!(reply.unwrap_err().kind, ErrorType::Api);
    }
}
