//! Tests of the titles and places in questions: what a person reads must still be so when it is carried out.

use std::sync::Mutex;

use futures_util::FutureExt;
use serde_json::{Value, json};

use crate::activity::Transport;
use crate::config::CallSettings;
use crate::dispatch::{Approval, ApprovalRequest, ApprovalState, Call, Engine, Gate, PlanQuestion, Verdict};
use crate::error::ErrorType;
use crate::kernel::Boxed;
use crate::output::Reply;
use crate::part::Part;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, ready, world};
use crate::testing::{FakeKernel, GARDEN, Seen};

const DOC: &str = "20250101000000-aaaaaaa";

type Desk = Engine<World, Nobody>;

/// A person who says yes after something else has happened.
struct Reader<F> {
    meanwhile: F,
    read: Mutex<Vec<PlanQuestion>>,
}

impl<F: Fn() + Send + Sync> Gate for Reader<F> {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Open
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            self.read.lock().unwrap().push(question);
            (self.meanwhile)();
            Verdict::Approved
        })
    }
}

fn called(tool: Tool, arguments: &Value) -> Call {
    let arguments = arguments.as_object().cloned().unwrap();
    Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: String::new() }
}

/// The reply of a call that a person reads and approves, and the question.
fn approved(
    desk: &Desk,
    tool: Tool,
    arguments: &Value,
    meanwhile: impl Fn() + Send + Sync,
) -> (Reply, PlanQuestion) {
    let filled = serde_json::from_str(&desk.kernel.fill(&arguments.to_string())).unwrap();
    let gate = Reader { meanwhile, read: Mutex::default() };
    let reply = ready(desk.dispatch(called(tool, &filled), &gate));
    let read = gate.read.into_inner().unwrap();
    assert_eq!(read.len(), 1, "{arguments}: {reply:?}");
    (reply, read.into_iter().next().unwrap())
}

fn desk() -> Desk {
    let world =
        world().notebook("Attic", "rw").docs(["/Garden/Old drafts", "/Garden/Novel", "/Garden/Shelf"]);
    Engine::new(world.doc("/Garden/Old drafts/Leaf", "a leaf"), Nobody)
}

/// Changes the workspace as an agent would, without a question.
fn agent(desk: &Desk, tool: Tool, arguments: &Value) {
    let filled = serde_json::from_str(&desk.kernel.fill(&arguments.to_string())).unwrap();
    call(desk, tool, &filled, &Approval::Missing).unwrap();
}

fn rename(desk: &Desk, document: &str, title: &str) {
    agent(desk, Tool::Document, &json!({ "action": "rename", "id": document, "title": title }));
}

const EXPORT: (Tool, &str) = (
    Tool::File,
    r#"{ "action": "export", "ids": ["{/Garden/Old drafts}", "{/Garden/Novel}"], "format": "md_zip" }"#,
);
const EXPORT_NOTEBOOK: (Tool, &str) =
    (Tool::File, r#"{ "action": "export", "notebook": "{/Attic}", "format": "md_zip" }"#);
const REPLACE: (Tool, &str) = (
    Tool::Search,
    r#"{ "action": "find_replace", "find": "leaf", "replace": "page", "notebook": "{/Garden}" }"#,
);

/// Q1: the call fails with a conflict and changes nothing if a document in the question, its parent or its notebook was
/// renamed or moved before the person approved it.
#[test]
fn what_a_person_read_must_still_be_so() {
    type Change = fn(&Desk);
    let changes: [((Tool, &str), Change); 6] = [
        (EXPORT, |desk| rename(desk, "{/Garden/Old drafts}", "Novel, final")),
        (EXPORT, |desk| {
            agent(
                desk,
                Tool::Document,
                &json!({ "action": "move", "ids": ["{/Garden/Novel}"], "parent": "{/Garden/Shelf}" }),
            );
        }),
        (EXPORT_NOTEBOOK, |desk| {
            agent(
                desk,
                Tool::Notebook,
                &json!({ "action": "rename", "notebook": "{/Attic}", "name": "Diary" }),
            );
        }),
        (REPLACE, |desk| rename(desk, "{/Garden/Old drafts/Leaf}", "Novel, final")),
        (REPLACE, |desk| rename(desk, "{/Garden/Old drafts}", "Novel, final")),
        (REPLACE, |desk| {
            agent(
                desk,
                Tool::Document,
                &json!({ "action": "move", "ids": ["{/Garden/Old drafts/Leaf}"], "parent": "{/Garden/Shelf}" }),
            );
        }),
    ];
    for (at, ((tool, arguments), change)) in changes.into_iter().enumerate() {
        let arguments = serde_json::from_str(arguments).unwrap();
        let desk = desk();
        let (reply, before) = approved(&desk, tool, &arguments, || change(&desk));
        let error = reply.unwrap_err();
        assert_eq!(error.kind, ErrorType::Conflict, "{at} {error:?}");
        // The page shows such an error as a plan that has changed.
        assert!(
            error.details.contains_key("plan") && error.message.contains("title or place"),
            "{at} {error:?}"
        );
        // Sent again, the call asks with the new words and runs.
        let (reply, after) = approved(&desk, tool, &arguments, || {});
        assert_ne!((before.means, &before.ask), (after.means, &after.ask), "{at}");
        reply.unwrap();
    }
}

/// A title that is back when the person says yes is the one that they read.
#[test]
fn words_that_are_as_they_were_are_approved() {
    for (tool, arguments) in [EXPORT, REPLACE] {
        let arguments = serde_json::from_str(arguments).unwrap();
        let desk = desk();
        let (reply, _) = approved(&desk, tool, &arguments, || {
            for title in ["Novel, final", "Old drafts"] {
                rename(&desk, "{/Garden/Old drafts}", title);
            }
        });
        reply.unwrap();
    }
}

/// Two calls share a question only if a person would read the same words, whichever way the question goes.
#[test]
fn another_title_makes_another_question() {
    let desk = desk();
    let arguments = serde_json::from_str(EXPORT.1).unwrap();
    let means = || approved(&desk, EXPORT.0, &arguments, || {}).1.means;
    let first = means();
    assert_eq!(first, means());
    rename(&desk, "{/Garden/Novel}", "Novel, final");
    assert_ne!(first, means());
}

/// The look-up after the approval sees a title that still waits for the index. A call that asks nobody looks nothing up.
#[test]
fn late_titles_are_looked_up_after_the_approval() {
    let (title, shown) =
        (std::sync::Arc::new(Mutex::new("Old drafts")), std::sync::Arc::new(Mutex::new("Old drafts")));
    let (now, index) = (title.clone(), shown.clone());
    let kernel = FakeKernel::new()
        .file("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", &json!({ GARDEN: "rw" }).to_string())
        .answer("/api/sqlite/flushTransaction", move |_| {
            *index.lock().unwrap() = *now.lock().unwrap();
            Value::Null
        })
        .answer("/api/filetree/getPathByID", |_| json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }))
        .answer("/api/query/sql", move |_| {
            json!([{ "id": DOC, "box": GARDEN, "path": format!("/{DOC}.sy"), "type": "d", "content": *shown.lock().unwrap() }])
        });
    let engine = Engine::new(kernel, Seen::default());
    let export = json!({ "action": "export", "ids": [DOC], "format": "md_zip" });
    let paths = || {
        engine
            .kernel
            .asked()
            .into_iter()
            .map(|(path, _)| path.rsplit('/').next().unwrap())
            .collect::<Vec<_>>()
    };
    let gate = Reader { meanwhile: || *title.lock().unwrap() = "Novel", read: Mutex::default() };
    let reply = engine.dispatch(called(Tool::File, &export), &gate).now_or_never().unwrap();
    assert_eq!(reply.unwrap_err().kind, ErrorType::Conflict);
    let asked = gate.read.lock().unwrap().remove(0);
    assert_eq!(asked.ask.about.things.first[0].title, "Old drafts");
    assert_eq!(paths(), ["getPathByID", "sql", "getPathByID", "flushTransaction", "sql"]);
    let typed = engine.dispatch(called(Tool::File, &export), &Approval::Given).now_or_never().unwrap();
    assert!(typed.is_err(), "the kernel of this test exports nothing");
    assert_eq!(paths()[5..], ["getPathByID", "exportMds"]);
}
