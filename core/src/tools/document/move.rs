//! `document.move`: moves documents, with everything below them, into another document or notebook.

use futures_util::future::{join_all, join3};
use serde_json::{Value, json};

use super::destination::{self, Destination, hpath, kernel_id};
use crate::content::going::{self, Going};
use crate::content::moving;
use crate::permission::Place;
use crate::prelude::*;

/// Move documents with all below them.
#[derive(Debug, Action)]
#[action(
    document.move,
    danger = When(Self::leaves_notebook, "Moves documents into another notebook, where other people or other permissions may apply."),
    deed = Move(Reverse),
    idempotent = true,
    calls = [
        filetree::MOVE_DOCS_BY_ID, query::FLUSH_TRANSACTION, query::SQL, ..moving, ..destination,
    ],
    examples = [
        { "ids": ["{doc}"], "parent": "{other_doc}" },
        { "ids": ["{doc}", "{other_doc}"], "notebook": "{notebook}" },
    ],
)]
pub struct Move {
    /// Ids of documents.
    #[needs(Write)]
    pub ids: Ids<DocId, 64>,
    /// Below a document or at the top of a notebook.
    #[needs(Write)]
    #[one_of]
    pub destination: Destination,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    /// The documents that are not yet at the destination.
    moving: Vec<DocId>,
    unchanged: Vec<DocId>,
    to: DocId,
    leaves_notebook: bool,
    /// The documents that go along into another notebook, by the document that moves.
    along: Vec<Going>,
}

impl Facts {
    /// The text about a move into another notebook for the person who approves: the places of everything, by title.
    async fn told(
        &mut self,
        places: &[(&DocId, &Place)],
        target: &Place,
        cx: &Cx<'_>,
    ) -> Result<(Vec<Value>, String), ToolError> {
        if let [_] = places {
            // Resolving a list has already flushed the index.
            cx.ask(query::flush_transaction()).await?;
        }
        let hpaths = self.moving.iter().map(|id| cx.ask(filetree::get_hpath_by_id(id)));
        let (along, hpaths, to) =
            join3(going::documents(places, cx), join_all(hpaths), hpath(target, cx)).await;
        let mut moving = Vec::new();
        self.along = along?;
        for (((id, place), hpath), along) in places.iter().zip(hpaths).zip(&self.along) {
            let path = format!("/{}{}", place.notebook_name, hpath?);
            moving.push(json!({ "path": path, "id": id.as_str(), "below": along.below.len() }));
        }
        Ok((moving, format!("/{}{}", target.notebook_name, to?)))
    }
}

impl Move {
    fn leaves_notebook(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.leaves_notebook
    }
}

impl Change for Move {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let target = self.destination.place(cx).await?;
        let to = kernel_id(target);
        let mut facts =
            Facts { moving: vec![], unchanged: vec![], to, leaves_notebook: false, along: vec![] };
        let mut places = Vec::new();
        for id in self.ids.as_slice() {
            let place = cx.found(id).await?;
            moving::check("ids", id, place, target)?;
            let is_there = moving::is_there(place, target);
            let list = if is_there { &mut facts.unchanged } else { &mut facts.moving };
            list.push(id.clone());
            places.extend((!is_there).then_some((id, place)));
            facts.leaves_notebook |= place.notebook != target.notebook;
        }
        if !facts.moving.is_empty() {
            moving::check_depth("parent", target)?;
        }
        let (n, unchanged) = (facts.moving.len(), words(&facts.unchanged));
        let changes = facts.moving.clone();
        let plan = if facts.leaves_notebook {
            let (moving, to) = facts.told(&places, target, cx).await?;
            Plan::new("move", facts).show("moving", moving).show("to", to)
        } else {
            let moving = words(&facts.moving);
            let plan = Plan::new("move", facts).show("ids", moving);
            plan.show("notebook", target.notebook.as_str())
        };
        let things = Things::of(changes.iter().map(|id| Thing::of(id.as_str())));
        let (below, there) = (going::below(&plan.facts.along), plan.facts.leaves_notebook);
        let plan = plan.about(Kind::Document, things).and(Thing::titled(&target.notebook_name));
        let plan = plan.also(below).also(there.then_some(Also::OtherRules));
        let plan = if unchanged.is_empty() { plan } else { plan.show("unchanged", unchanged) };
        Ok(plan.changing(changes).touching(n, target.notebook_name.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { moving, unchanged, to, .. } = plan.facts;
        let mut done = Done::new();
        unchanged.iter().for_each(|id| done.unchanged(id.as_str()));
        if let Some(all) = NonEmpty::of(&moving) {
            cx.ask(filetree::move_docs_by_id(all, &to)).await?;
            let looks = join_all(moving.iter().map(|id| moving::moved(id, &to, cx))).await;
            for (id, item) in moving.iter().zip(looks) {
                match item {
                    Ok(Some((notebook, hpath))) => {
                        done.did(json!({ "id": id.as_str(), "hpath": hpath, "notebook": notebook }));
                    }
                    Ok(None) => done.unchanged(id.as_str()),
                    // SiYuan reported that it was moved, but nobody has checked.
                    Err(error) => {
                        done.failed(Failed::new(error).id(id.as_str()).what("the look where it is now"));
                    }
                }
            }
        }
        let unchanged = (!done.changed()).then_some(false);
        Ok(done.reply("items")?.with("changed", unchanged))
    }
}

fn words(ids: &[DocId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::{Value, json};

    use crate::dispatch::Approval;
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, approved, call, engine};

    const A: &str = "20250101000000-aaaaaaa";
    const B: &str = "20250101000000-bbbbbbb";
    const SECRET: &str = "20250101000000-secret0";
    const OTHER: &str = "20250101000000-other00";

    /// `/A/B` in Garden; moved documents lie below A afterwards, or where `stays` says.
    fn kernel(table: &str, moves: bool) -> FakeKernel {
        let moved = std::sync::Arc::new(AtomicBool::new(false));
        let done = moved.clone();
        FakeKernel::new()
            .file("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", table)
            .answer("/api/filetree/getPathByID", move |ask| match ask["id"].as_str() {
                Some(A) => json!({ "notebook": GARDEN, "path": format!("/{A}.sy") }),
                Some(B) if moved.load(Ordering::Relaxed) => {
                    json!({ "notebook": ATTIC, "path": format!("/{B}.sy") })
                }
                Some(B) => json!({ "notebook": GARDEN, "path": format!("/{A}/{B}.sy") }),
                Some(OTHER) => json!({ "notebook": ATTIC, "path": format!("/{OTHER}.sy") }),
                Some(SECRET) => json!({ "notebook": PRIVATE, "path": format!("/{SECRET}.sy") }),
                Some(GARDEN) => json!({ "notebook": GARDEN, "path": format!("/{GARDEN}.sy") }),
                _ => json!({ "code": -1, "msg": "tree not found", "data": null }),
            })
            .answer("/api/filetree/getHPathByID", |_| json!("/B"))
            .answer("/api/filetree/moveDocsByID", move |_| {
                done.store(moves, Ordering::Relaxed);
                Value::Null
            })
            .answer("/api/sqlite/flushTransaction", |_| Value::Null)
            .answer("/api/query/sql", |_| json!([]))
    }

    fn table() -> String {
        json!({ GARDEN: "rw", ATTIC: "rw", PRIVATE: "none" }).to_string()
    }

    fn refused(arguments: Value, table: &str) -> crate::error::ToolError {
        let engine = engine(kernel(table, true));
        let mut arguments = arguments;
        arguments["action"] = json!("mv");
        let error = approved(&engine, Tool::Document, arguments, Approval::Given).unwrap_err();
        assert!(!engine.kernel.asked().iter().any(|(path, _)| path.ends_with("moveDocsByID")));
        error
    }

    /// B-071: the question names the titles that a person knows.
    #[test]
    fn moving_to_another_notebook_asks_a_person() {
        let engine = engine(kernel(&table(), true));
        let arguments = json!({ "action": "move", "ids": [B], "notebook": ATTIC });
        let error = call(&engine, Tool::Document, arguments.clone()).unwrap_err();
        assert_eq!(error.kind, ErrorType::ConfirmationRequired);
        let moving = json!([{ "path": "/Garden/B", "id": B, "below": 0 }]);
        let told = json!({ "would": "move", "moving": moving, "to": "/Attic" });
        assert_eq!(error.details["plan"], told);
        let data = approved(&engine, Tool::Document, arguments, Approval::Given).unwrap().data;
        assert_eq!(Value::Object(data), json!({ "items": [{ "id": B, "hpath": "/B", "notebook": ATTIC }] }));
        let (_, sent) =
            engine.kernel.asked().into_iter().find(|(path, _)| path.ends_with("moveDocsByID")).unwrap();
        assert_eq!(sent, json!({ "fromIDs": [B], "toID": ATTIC }));
    }

    /// B-036: nothing is sent for a document that is already there; moves that the kernel did not make are reported.
    #[test]
    fn move_reports_unmoved_documents() {
        let here = engine(kernel(&table(), true));
        let data =
            call(&here, Tool::Document, json!({ "action": "move", "ids": [B], "parent": A })).unwrap().data;
        assert_eq!(Value::Object(data), json!({ "items": [], "changed": false, "unchanged": [B] }));
        assert_eq!(here.kernel.asked().len(), 2);
        let stuck = engine(kernel(&table(), false));
        let arguments = json!({ "action": "move", "ids": [B], "notebook": GARDEN });
        assert_eq!(call(&stuck, Tool::Document, arguments).unwrap().data["unchanged"], json!([B]));
    }

    #[test]
    fn moving_into_itself_or_moving_a_notebook_document_is_refused() {
        assert_eq!(refused(json!({ "ids": [A], "parent": A }), &table()).kind, ErrorType::Validation);
        assert_eq!(refused(json!({ "ids": [A], "parent": B }), &table()).kind, ErrorType::Validation);
        assert_eq!(
            refused(json!({ "ids": [GARDEN], "notebook": ATTIC }), &table()).kind,
            ErrorType::Validation
        );
    }

    /// B-055, B-063: both ends are checked.
    #[test]
    fn moving_needs_rw_at_both_ends() {
        let readable = json!({ GARDEN: "rw", ATTIC: "r", PRIVATE: "none" }).to_string();
        assert_eq!(
            refused(json!({ "ids": [B], "notebook": ATTIC }), &readable).kind,
            ErrorType::PermissionDenied
        );
        assert_eq!(
            refused(json!({ "ids": [OTHER], "parent": A }), &readable).kind,
            ErrorType::PermissionDenied
        );
        let hidden = refused(json!({ "ids": [SECRET], "parent": A }), &readable);
        let missing = refused(json!({ "ids": ["20250101000000-missing"], "parent": A }), &readable);
        assert_eq!((hidden.kind, &hidden.message), (ErrorType::NotFound, &missing.message));
        assert_eq!(refused(json!({ "ids": [B], "parent": SECRET }), &readable).kind, ErrorType::NotFound);
    }
}
