//! `fs.list`: lists the documents directly below a path.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::content::paging::{Page, Shown, page};
use crate::content::stamp;
use crate::kernel::api::filetree::DocFile;
use crate::path::printed_segment;
use crate::permission::Place;
use crate::prelude::*;

/// List notebooks (`/`) or the documents directly below a path, in the order the user sees.
#[derive(Debug, Action)]
#[action(
    fs.list,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [filetree::GET_PATH_BY_ID, filetree::LIST_DOCS_BY_PATH],
    examples = [{ "path": "{path}" }, { "limit": 20 }],
)]
pub struct List {
    /// Workspace path such as /Notebook/Folder/Doc, or a document's id.
    #[needs(Read, else = workspace)]
    pub path: Option<WorkspacePath>,
    /// A page of the list.
    #[args]
    pub page: Paging<Shown, 100, 200>,
}

impl Run for List {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        match &self.path {
            Some(path) if !path.is_root() => self.documents(path, cx).await,
            _ => self.notebooks(cx),
        }
    }
}

impl List {
    fn notebooks(&self, cx: &Cx<'_>) -> Reply {
        let all: Vec<_> = cx.scope().visible_notebooks().collect();
        let Page { items, next } = self.page(&all, |it| it.id.as_str());
        let names = count(all.iter().map(|it| it.name.as_str()));
        let rows: Vec<Value> = items
            .iter()
            .map(|it| {
                let segment = printed_segment(&it.name, &it.id, names.get(it.name.as_str()) > Some(&1));
                Value::Object(object([
                    ("path", json!(format!("/{segment}"))),
                    ("id", json!(it.id)),
                    ("name", json!(it.name)),
                    ("level", json!(cx.grants().level_of(&it.id).word())),
                    ("documents", if it.closed { Value::Null } else { json!(it.sub_file_count) }),
                    ("closed", if it.closed { json!(true) } else { Value::Null }),
                ]))
            })
            .collect();
        Ok(Output::new().with("items", rows).with("total", all.len()).with("next", next))
    }

    async fn documents(&self, path: &WorkspacePath, cx: &Cx<'_>) -> Reply {
        let place = cx.found(path).await?;
        let below = storage_path(place, cx).await?;
        let files = cx.visible(cx.ask(filetree::list_docs_by_path(&place.notebook, &below)).await?).files;
        let Page { items, next } = self.page(&files, |it| it.id.as_str());
        let titles = count(files.iter().map(|it| it.name.as_str()));
        let rows: Vec<Value> = items
            .iter()
            .map(|it: &DocFile| {
                let segment = printed_segment(&it.name, &it.id, titles.get(it.name.as_str()) > Some(&1));
                // Below a bare id, the titles of the parents are not known, so the child's id is printed alone.
                let printed =
                    if path.bare_id().is_some() { it.id.clone() } else { path.child(&segment).to_string() };
                Value::Object(object([
                    ("path", json!(printed)),
                    ("id", json!(it.id)),
                    ("title", json!(it.name)),
                    ("children", if it.sub_file_count > 0 { json!(it.sub_file_count) } else { Value::Null }),
                    ("updated", json!(stamp::of_seconds(it.mtime))),
                    ("size", json!(it.size)),
                    ("icon", json!(it.icon)),
                ]))
            })
            .collect();
        let id = place.doc.as_ref().map(ToString::to_string);
        Ok(Output::new().with("id", id).with("items", rows).with("total", files.len()).with("next", next))
    }

    fn page<'a, T>(&self, all: &'a [T], id: impl Fn(&T) -> &str) -> Page<'a, T> {
        page(all, self.page.after(), self.page.limit.get(), id)
    }
}

/// The storage path below which a place's children lie; `/` for a notebook.
pub(super) async fn storage_path(place: &Place, cx: &Cx<'_>) -> Result<String, ToolError> {
    let doc = place.doc.as_ref().ok_or_else(ToolError::not_found)?;
    if *doc == place.notebook.own_document() {
        return Ok("/".to_owned());
    }
    match &place.storage {
        Some(storage) => Ok(storage.as_str().to_owned()),
        None => Ok(cx.ask(filetree::get_path_by_id(doc)).await?.path),
    }
}

fn count<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{FakeKernel, GARDEN, call, engine};

    const BEDS: &str = "20250101000001-beds000";
    const NORTH: &str = "20250101000002-north00";
    const SOUTH: &str = "20250101000003-south00";

    fn kernel() -> FakeKernel {
        let file = |id: &str, name: &str| json!({ "id": id, "name": name, "path": format!("/{BEDS}/{id}.sy"), "icon": "", "size": 9, "mtime": 1_700_000_000, "subFileCount": 0 });
        FakeKernel::new()
            .answer("/api/filetree/getIDsByHPath", |ask| if ask["path"] == "/Beds" { json!([BEDS]) } else { json!([]) })
            .answer("/api/filetree/getPathByID", |_| json!({ "notebook": GARDEN, "path": format!("/{BEDS}.sy") }))
            .answer("/api/filetree/listDocsByPath", move |_| json!({ "box": GARDEN, "path": "x", "files": [file(NORTH, "Bed"), file(SOUTH, "Bed")] }))
    }

    #[test]
    fn documents_with_the_same_title_are_listed_by_id() {
        let engine = engine(kernel());
        let reply =
            call(&engine, Tool::Fs, json!({ "action": "list", "path": "/Garden/Beds", "limit": 1 })).unwrap();
        assert_eq!(reply.data["items"][0]["path"], json!(format!("/Garden/Beds/{NORTH}")));
        assert_eq!((&reply.data["total"], &reply.data["next"]), (&json!(2), &json!(format!("1.{NORTH}"))));
        let asked: Vec<&str> = engine.kernel.asked().iter().map(|(path, _)| *path).collect();
        assert_eq!(
            asked,
            ["/api/filetree/getIDsByHPath", "/api/filetree/getPathByID", "/api/filetree/listDocsByPath"]
        );
        let list = &engine.kernel.asked()[2].1;
        assert_eq!((&list["maxListCount"], &list["ignoreMaxListHint"]), (&json!(0), &json!(true)));
    }

    /// The titles of the documents above an id are not known, so those below it are printed by their ids.
    #[test]
    fn documents_below_an_id_are_printed_by_their_ids() {
        let engine = engine(kernel());
        let reply = call(&engine, Tool::Fs, json!({ "action": "list", "path": BEDS })).unwrap();
        let paths: Vec<&Value> =
            reply.data["items"].as_array().unwrap().iter().map(|it| &it["path"]).collect();
        assert_eq!(paths, [NORTH, SOUTH]);
    }

    /// B-055: a notebook at `none` answers like one that does not exist, after the same requests.
    #[test]
    fn listing_a_hidden_notebook_answers_like_a_missing_one() {
        let answers: Vec<(Value, Vec<_>)> = ["/Private/Diary", "/Nowhere/Diary"]
            .into_iter()
            .map(|path| {
                let engine = engine(kernel());
                let error = call(&engine, Tool::Fs, json!({ "action": "list", "path": path })).unwrap_err();
                assert_eq!(error.kind, ErrorType::NotFound);
                (
                    crate::render::result::error(&error, crate::render::result::Audience::Model),
                    engine.kernel.asked(),
                )
            })
            .collect();
        assert_eq!(answers[0], answers[1]);
        // Titles like the one that was sent are sought in readable notebooks alone.
        assert!(answers[0].1.iter().all(|(path, body)| {
            path.ends_with("/query/sql") && !body.to_string().contains(crate::testing::PRIVATE)
        }));
    }

    #[test]
    fn listing_the_root_makes_no_request() {
        let engine = engine(FakeKernel::new());
        let reply = call(&engine, Tool::Fs, json!({ "action": "ls" })).unwrap();
        let paths: Vec<&Value> =
            reply.data["items"].as_array().unwrap().iter().map(|it| &it["path"]).collect();
        assert_eq!(paths, [&json!("/Garden"), &json!("/Attic")]);
        assert_eq!(engine.kernel.asked(), []);
    }
}
