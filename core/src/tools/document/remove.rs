//! `document.remove`: documents and everything below them, into the history.

use std::collections::BTreeSet;

use futures_util::future::join;
use serde_json::{Value, json};

use crate::kernel::api::query::Row;
use crate::permission::Place;
use crate::prelude::*;

/// Delete documents and everything below them.
#[derive(Debug, Action)]
#[action(
    document.remove,
    danger = "Deletes the documents and every document below them. They can be restored from the document history.",
    idempotent = false,
    calls = [query::FLUSH_TRANSACTION, query::SQL, filetree::REMOVE_DOC_BY_ID],
)]
pub struct Remove {
    /// Ids of documents.
    #[needs(Delete)]
    pub ids: Many<DocId, 1, 64>,
    /// Must be true when documents lie below.
    pub recursive: Flag<false>,
}

/// What the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    documents: Vec<Gone>,
    broken_refs: u64,
}

/// A document to be removed, or to go somewhere else, with all below it.
#[derive(Debug, Hash)]
pub(super) struct Gone {
    id: DocId,
    title: String,
    /// Storage path of each document below, which names it and those above it.
    pub(super) below: BTreeSet<String>,
}

impl Gone {
    fn told(&self) -> Value {
        json!({ "id": self.id.as_str(), "title": self.title, "below": self.below.len() })
    }
}

impl Change for Remove {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let mut places: Vec<(&DocId, &Place)> = Vec::new();
        for id in self.ids.as_slice() {
            let place = cx.found(id).await?;
            if *id == place.notebook.own_document() {
                return Err(ToolError::field("ids", "documents; a notebook is removed by notebook.remove"));
            }
            if !places.iter().any(|(it, _)| *it == id) {
                places.push((id, place));
            }
        }
        // What lies below another one goes with it.
        let top: Vec<(&DocId, &Place)> =
            places.iter().copied().filter(|one| !places.iter().any(|other| is_below(one.1, other))).collect();
        if let [_] = self.ids.as_slice() {
            // Lists are resolved after a flush already; a new child must not be missed here either.
            cx.ask(query::flush_transaction()).await?;
        }
        let (rows, refs) = join(documents(&top, cx), broken_refs(&top, cx)).await;
        let (rows, broken_refs) = (rows?, refs?);
        let documents: Vec<Gone> = top.iter().map(|(id, place)| gone(id, place, &rows)).collect();
        let below: usize = documents.iter().map(|it| it.below.len()).sum();
        if below > 0 && !self.recursive.is_set() {
            let told: Vec<Value> =
                documents.iter().filter(|it| !it.below.is_empty()).map(Gone::told).collect();
            return Err(ToolError::field(
                "recursive",
                format!("true: documents below would go too, {below} in all"),
            )
            .with("documents", told));
        }
        let n = documents.len() + below;
        let name = documents.first().map(|it| it.title.clone()).unwrap_or_default();
        let told: Vec<Value> = documents.iter().map(Gone::told).collect();
        Ok(Plan::new(Facts { documents, broken_refs })
            .show("would", "remove")
            .show("removed", told)
            .show("broken_refs", broken_refs)
            .touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { documents, broken_refs } = plan.facts;
        let (mut removed, mut failed) = (Vec::new(), Vec::new());
        for document in &documents {
            match cx.ask(filetree::remove_doc_by_id(&document.id)).await {
                Ok(()) => removed.push(document.told()),
                Err(error) if removed.is_empty() && documents.len() == 1 => return Err(error),
                Err(error) => failed.push(Failed::new(error).id(document.id.as_str())),
            }
        }
        Ok(Output::new().with("removed", removed).with("broken_refs", broken_refs).failed(failed))
    }
}

fn is_below(place: &Place, other: &(&DocId, &Place)) -> bool {
    let (Some(storage), Some(above)) = (&place.storage, &other.1.storage) else { return false };
    place.notebook == other.1.notebook && storage.as_str().starts_with(&above.below())
}

pub(super) fn gone(id: &DocId, place: &Place, rows: &[Row]) -> Gone {
    let below = place.storage.as_ref().map(crate::permission::StoragePath::below).unwrap_or_default();
    let in_notebook = || rows.iter().filter(|row| row.text("box") == place.notebook.as_str());
    let title =
        in_notebook().find(|row| row.text("id") == id.as_str()).map(|row| row.text("content").to_owned());
    let inside = in_notebook().map(|row| row.text("path"));
    let below =
        inside.filter(|path| !below.is_empty() && path.starts_with(&below)).map(str::to_owned).collect();
    Gone { id: id.clone(), title: title.unwrap_or_default(), below }
}

/// A condition that holds for the documents and all below them; ids and paths of ids need no escaping in LIKE.
fn within(top: &[(&DocId, &Place)], notebook: &str, path: &str) -> String {
    let each = top.iter().map(|(_, place)| {
        let below = place.storage.as_ref().map(crate::permission::StoragePath::below).unwrap_or_default();
        let own = place.storage.as_ref().map(|it| it.as_str().to_owned()).unwrap_or_default();
        format!(
            "({notebook} = {} AND ({path} = {} OR {path} LIKE {}))",
            sql::text(place.notebook.as_str()),
            sql::text(&own),
            sql::text(&format!("{below}%")),
        )
    });
    format!("({})", each.collect::<Vec<_>>().join(" OR "))
}

/// The documents and all below them, as the index has them (`SQL`).
pub(super) async fn documents(top: &[(&DocId, &Place)], cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
    let stmt = format!(
        "SELECT id, box, path, content FROM blocks WHERE type = 'd' AND {} GROUP BY id LIMIT 100000",
        within(top, "box", "path")
    );
    Ok(cx.visible(cx.ask(query::sql(&stmt)).await?))
}

/// How many blocks elsewhere refer to what would go; only those the caller may read count.
async fn broken_refs(top: &[(&DocId, &Place)], cx: &Cx<'_>) -> Result<u64, ToolError> {
    let going = format!("SELECT id FROM blocks WHERE type = 'd' AND {}", within(top, "box", "path"));
    let stmt = format!(
        "SELECT box, COUNT(DISTINCT block_id) AS n FROM refs WHERE def_block_root_id IN ({going}) AND NOT {} GROUP BY box LIMIT 4096",
        within(top, "box", "path")
    );
    let rows = cx.visible(cx.ask(query::sql(&stmt)).await?);
    Ok(rows.iter().map(|row| row.number("n")).sum())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, Seen, approved, call, engine};

    const A: &str = "20250101000000-aaaaaaa";
    const B: &str = "20250101000000-bbbbbbb";
    const C: &str = "20250101000000-ccccccc";
    const SECRET: &str = "20250101000000-secret0";

    /// `/A/B` and `/C` in Garden, which is at `rwd`.
    fn kernel() -> FakeKernel {
        let place = |id: &str| match id {
            A => Some((GARDEN, format!("/{A}.sy"))),
            B => Some((GARDEN, format!("/{A}/{B}.sy"))),
            C => Some((GARDEN, format!("/{C}.sy"))),
            SECRET => Some((PRIVATE, format!("/{SECRET}.sy"))),
            ATTIC => Some((ATTIC, format!("/{ATTIC}.sy"))),
            GARDEN => Some((GARDEN, format!("/{GARDEN}.sy"))),
            _ => None,
        };
        FakeKernel::new()
            .file(
                "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions",
                &json!({ GARDEN: "rwd", PRIVATE: "none", ATTIC: "rw" }).to_string(),
            )
            .answer("/api/sqlite/flushTransaction", |_| Value::Null)
            .answer("/api/filetree/removeDocByID", |_| Value::Null)
            .answer("/api/filetree/getPathByID", move |ask| {
                place(ask["id"].as_str().unwrap_or_default()).map_or(
                    json!({ "code": -1, "msg": "tree not found", "data": null }),
                    |(notebook, path)| json!({ "notebook": notebook, "path": path }),
                )
            })
            .answer("/api/query/sql", move |ask| {
                let stmt = ask["stmt"].as_str().unwrap_or_default();
                if stmt.contains("FROM refs") {
                    return json!([{ "box": GARDEN, "n": 2 }, { "box": PRIVATE, "n": 5 }]);
                }
                let rows = [A, B, C].into_iter().filter(|id| {
                    let (_, path) = place(id).unwrap_or_default();
                    stmt.contains(*id) || (stmt.contains(&format!("/{A}/%")) && path.starts_with(&format!("/{A}/")))
                });
                rows.map(|id| json!({ "id": id, "box": GARDEN, "path": place(id).unwrap().1, "content": id[15..16].to_uppercase() })).collect()
            })
    }

    fn remove(engine: &Engine<FakeKernel, Seen>, mut arguments: Value) -> crate::output::Reply {
        arguments["action"] = json!("delete");
        approved(engine, Tool::Document, arguments, Approval::Given)
    }

    fn removed(engine: &Engine<FakeKernel, Seen>) -> Vec<Value> {
        let asked = engine.kernel.asked().into_iter();
        asked
            .filter(|(path, _)| path.ends_with("removeDocByID"))
            .map(|(_, body)| body["id"].clone())
            .collect()
    }

    /// What lies below goes with its parent and is not sent by itself; references from hidden places do not count.
    #[test]
    fn parents_take_what_is_below_with_them() {
        let engine = engine(kernel());
        let data = remove(&engine, json!({ "ids": [B, A, C], "recursive": true })).unwrap().data;
        let expected = json!({
            "removed": [{ "id": A, "title": "A", "below": 1 }, { "id": C, "title": "C", "below": 0 }],
            "broken_refs": 2,
        });
        assert_eq!((Value::Object(data), removed(&engine)), (expected, vec![json!(A), json!(C)]));
    }

    #[test]
    fn what_has_documents_below_needs_recursive() {
        let engine = engine(kernel());
        let error = remove(&engine, json!({ "ids": [A] })).unwrap_err();
        assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "recursive"));
        assert_eq!(error.details["documents"], json!([{ "id": A, "title": "A", "below": 1 }]));
        assert!(removed(&engine).is_empty());
    }

    /// B-071: nothing is gone before a person agreed, and the plan says what would be.
    #[test]
    fn a_person_is_asked_with_the_titles() {
        let engine = engine(kernel());
        let error = call(&engine, Tool::Document, json!({ "action": "remove", "ids": [C] })).unwrap_err();
        assert_eq!(error.kind, ErrorType::ConfirmationRequired);
        assert_eq!(error.details["plan"]["removed"][0]["title"], json!("C"));
        assert!(removed(&engine).is_empty());
        let asked: Vec<&str> =
            engine.kernel.asked().iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
        assert_eq!(asked, ["getPathByID", "flushTransaction", "sql", "sql"]);
    }

    /// B-055, B-063.
    #[test]
    fn levels_and_notebooks() {
        let kind = |ids: Value| {
            let engine = engine(kernel());
            let error = remove(&engine, json!({ "ids": ids })).unwrap_err();
            assert!(removed(&engine).is_empty());
            error
        };
        let (hidden, missing) = (kind(json!([SECRET])), kind(json!(["20250101000000-missing"])));
        assert_eq!((hidden.kind, &hidden.message), (ErrorType::NotFound, &missing.message));
        assert_eq!(kind(json!([ATTIC])).kind, ErrorType::PermissionDenied);
        assert_eq!(kind(json!([GARDEN])).kind, ErrorType::Validation);
    }

    /// B-036.
    #[test]
    fn a_part_that_failed_is_told() {
        let kernel = kernel().answer("/api/filetree/removeDocByID", |ask| {
            if ask["id"] == A { json!({ "code": -1, "msg": "locked" }) } else { Value::Null }
        });
        let engine = engine(kernel);
        let data = remove(&engine, json!({ "ids": [A, C], "recursive": true })).unwrap().data;
        assert_eq!((&data["failed"][0]["id"], &data["removed"][0]["id"]), (&json!(A), &json!(C)));
        assert_eq!(
            remove(&engine, json!({ "ids": [A], "recursive": true })).unwrap_err().kind,
            ErrorType::Api
        );
    }
}
