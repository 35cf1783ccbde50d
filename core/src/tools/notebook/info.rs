//! `notebook.info`: one notebook with its counts, times and settings.

use futures_util::future::join;
use serde_json::{Map, Value, json};

use super::settings::shown;
use crate::content::stamp;
use crate::prelude::*;

/// One notebook: level, counts, size, times and settings.
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
        let mut told = Output::new()
            .with("id", place.notebook.as_str())
            .with("name", place.notebook_name.as_str())
            .with("level", place.level.word())
            .with("closed", closed);
        told.data.extend(counts);
        Ok(told.with("conf", shown(conf, cx.grants())))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, call, engine};

    /// A kernel that answers for each notebook; Attic is closed.
    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/notebook/getNotebookInfo", |body| match body["notebook"].as_str() {
                Some(ATTIC) => {
                    json!({ "code": -1, "msg": format!("notebook [{ATTIC}] not found"), "data": null })
                }
                id => json!({ "boxInfo": {
                    "id": id, "name": "Garden", "docCount": 7, "size": 3460, "hSize": "3.46 kB",
                    "mtime": 1_700_000_000, "ctime": 951_782_400, "hMtime": "now", "hCtime": "then",
                } }),
            })
            .answer("/api/notebook/getNotebookConf", |body| {
                json!({ "box": body["notebook"], "name": "Garden", "conf": {
                    "name": "Garden", "sort": 3, "icon": "", "closed": body["notebook"] == ATTIC,
                    "refCreateSaveBox": PRIVATE, "refCreateSavePath": "/inbox",
                    "docCreateSaveBox": GARDEN, "docCreateSavePath": "/new",
                    "dailyNoteSavePath": "/daily/{{now | date \"2006\"}}", "dailyNoteTemplatePath": "",
                    "sortMode": 15, "encrypted": true, "boxCrypt": { "salt": "s" },
                } })
            })
    }

    fn info(notebook: &str) -> Result<Value, ErrorType> {
        let reply =
            call(&engine(kernel()), Tool::Notebook, json!({ "action": "info", "notebook": notebook }));
        reply.map(|it| Value::Object(it.data)).map_err(|error| error.kind)
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
        assert_eq!(info("Garden"), Ok(expected.clone()));
        assert_eq!(info(GARDEN), Ok(expected));
    }

    /// B-055: a saving place in a hidden notebook looks like none.
    #[test]
    fn a_hidden_saving_place_looks_like_none() {
        let told = |place: [&str; 2]| {
            let [notebook, path] = place.map(str::to_owned);
            let kernel = kernel().answer("/api/notebook/getNotebookConf", move |body| {
                json!({ "box": body["notebook"], "name": "Garden", "conf": {
                    "name": "Garden", "closed": false, "refCreateSaveBox": notebook, "refCreateSavePath": path,
                    "docCreateSaveBox": notebook, "docCreateSavePath": path, "sortMode": 15,
                } })
            });
            call(&engine(kernel), Tool::Notebook, json!({ "action": "info", "notebook": GARDEN }))
                .unwrap()
                .data
        };
        let none = told(["", ""]);
        for place in [[PRIVATE, "/inbox"], [PRIVATE, ""], ["", &format!("/{PRIVATE}/inbox")]] {
            assert_eq!(told(place), none, "{place:?}");
        }
        assert_ne!(told([GARDEN, "/inbox"]), none);
    }

    #[test]
    fn closed_notebook_has_settings_only() {
        let told = info("Attic").unwrap();
        assert_eq!(told["closed"], true);
        assert_eq!(told["conf"]["sortMode"], 15);
        for count in ["documents", "size", "created", "updated"] {
            assert_eq!(told.get(count), None, "{count}");
        }
    }

    /// B-055: a hidden notebook is answered like a missing one, and the kernel is called for neither.
    #[test]
    fn info_of_a_hidden_notebook_is_not_found() {
        for notebook in ["Private", PRIVATE, "Nowhere", "20250101000000-nowhere"] {
            let engine = engine(kernel());
            let reply = call(&engine, Tool::Notebook, json!({ "action": "info", "notebook": notebook }));
            assert_eq!(reply.unwrap_err().kind, ErrorType::NotFound, "{notebook}");
            assert_eq!(engine.kernel.asked(), [], "{notebook}");
        }
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
