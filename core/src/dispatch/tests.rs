//! Tests of the gate: who is asked, about what, and what runs after the answer.

use std::future::pending;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use serde_json::{Value, json};

use super::{Approval, ApprovalRequest, ApprovalState, Call, Engine, Gate, PlanQuestion, Verdict};
use crate::activity::{CallEnd, Observer, Outcome, Record, Transport};
use crate::config::CallSettings;
use crate::error::{ErrorType, ToolError};
use crate::kernel::Boxed;
use crate::output::{Output, Reply};
use crate::part::Part;
use crate::permission::ScopeSource;
use crate::spec::Tool;
use crate::testing::world::{ready, world};
use crate::testing::{ATTIC, FakeKernel, GARDEN, Seen};

const DOC: &str = "20250101000000-aaaaaaa";
const GRANTS: &str = "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions";

/// An observer that notes what it hears.
#[derive(Default)]
struct Log(Mutex<Vec<String>>, Mutex<Vec<(String, CallEnd)>>);

impl Observer for Log {
    fn started(&self, _record: &Record) {
        self.0.lock().unwrap().push("running".to_owned());
    }

    fn asked(&self, _record: &Record, so_far: &CallEnd) {
        assert_eq!(so_far.notebook.as_deref(), Some(GARDEN));
        self.0.lock().unwrap().push("asked".to_owned());
    }

    fn left(&self, record: &Record, so_far: &CallEnd, question: &str) {
        self.0.lock().unwrap().push(format!("left {question}"));
        self.1.lock().unwrap().push((record.client.to_string(), so_far.clone()));
    }

    fn ended(&self, record: &Record, ended: &CallEnd) {
        self.1.lock().unwrap().push((record.client.to_string(), ended.clone()));
        self.0.lock().unwrap().push(match ended.outcome {
            Outcome::Error(kind, _) => kind.word().to_owned(),
            other => format!("{other:?}"),
        });
    }
}

type Desk = Engine<FakeKernel, Log>;

/// One document whose title may change.
fn desk(title: &Arc<Mutex<&'static str>>) -> Desk {
    let title = title.clone();
    let kernel = FakeKernel::new()
        .file(GRANTS, &json!({ GARDEN: "rwd" }).to_string())
        .answer("/api/sqlite/flushTransaction", |_| Value::Null)
        .answer("/api/filetree/removeDocByID", |_| Value::Null)
        .answer("/api/filetree/getPathByID", |_| json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }))
        .answer("/api/query/sql", move |ask| {
            let is_refs = ask["stmt"].as_str().unwrap_or_default().contains("main.refs");
            let row =
                json!({ "id": DOC, "box": GARDEN, "path": format!("/{DOC}.sy"), "content": *title.lock().unwrap() });
            if is_refs { json!([]) } else { json!([row]) }
        });
    Engine::new(kernel, Log::default())
}

/// A gate with a standing of its own and a function that answers.
struct Person<F> {
    standing: ApprovalState,
    answer: F,
    asked: Mutex<Vec<PlanQuestion>>,
}

fn person<F: Fn() -> Option<Verdict> + Send + Sync>(answer: F) -> Person<F> {
    Person { standing: ApprovalState::Open, answer, asked: Mutex::default() }
}

impl<F> Person<F> {
    /// The questions since the last time this was called.
    fn taken(&self) -> Vec<PlanQuestion> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl<F: Fn() -> Option<Verdict> + Send + Sync> Gate for Person<F> {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        self.standing.clone()
    }

    fn waits(&self, _: &CallSettings, _: &PlanQuestion) -> bool {
        true
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(question);
            match (self.answer)() {
                Some(verdict) => verdict,
                None => pending().await,
            }
        })
    }
}

fn call(arguments: Value) -> Call {
    let Value::Object(arguments) = arguments else { unreachable!() };
    Call {
        tool: Tool::Document,
        arguments,
        part: Part::Whole,
        transport: Transport::Stdio,
        client: "Claude".to_owned(),
    }
}

/// Removes the document; `None` while a person is deciding.
fn remove(desk: &Desk, gate: &dyn Gate) -> Option<Reply> {
    desk.dispatch(call(json!({ "action": "remove", "ids": [DOC] })), gate).now_or_never()
}

fn removals(desk: &Desk) -> usize {
    desk.kernel.asked().iter().filter(|(path, _)| path.ends_with("removeDocByID")).count()
}

fn observed(desk: &Desk) -> Vec<String> {
    std::mem::take(&mut *desk.observer.0.lock().unwrap())
}

fn refusal() -> ToolError {
    ToolError::new(ErrorType::ConfirmationRequired, "no")
}

/// B-071, B-075: a person is asked once with the sentence and the plan, and the call runs once; the puppy hears of
/// the wait and of the end.
#[test]
fn approved_call_runs_once() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    let gate = person(|| Some(Verdict::Approved));
    assert!(remove(&desk, &gate).unwrap().is_ok());
    let asked = gate.taken();
    assert_eq!((asked.len(), removals(&desk)), (1, 1));
    assert_eq!(asked[0].path, "document.remove");
    assert!(asked[0].danger.contains("document history") && !asked[0].danger.contains('{'));
    assert_eq!(asked[0].plan["removed"][0]["title"], "Roses");
    assert_eq!(observed(&desk), ["running", "asked", "Success"]);
}

/// B-073: a refusal is an error of this call; an answer that is still to come is not.
#[test]
fn unapproved_call_does_not_run() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    let no = remove(&desk, &person(|| Some(Verdict::Refused(refusal())))).unwrap();
    assert_eq!(no.unwrap_err(), refusal());
    assert_eq!(observed(&desk), ["running", "asked", "confirmation_required"]);
    let later = remove(&desk, &person(|| Some(Verdict::Later { error: refusal(), question: None }))).unwrap();
    assert!(later.is_err());
    assert_eq!(observed(&desk), ["running", "asked", "Dangerous"]);
    let known = Person {
        standing: ApprovalState::Refused(Box::new(refusal())),
        ..person(|| Some(Verdict::Approved))
    };
    assert_eq!(remove(&desk, &known).unwrap().unwrap_err(), refusal());
    assert_eq!((known.taken().len(), removals(&desk)), (0, 0));
}

/// The record of a call names its client and the title of what it deleted, which nobody can look up afterwards. A call
/// that is answered while its question waits has no end yet.
#[test]
fn record_names_the_client_and_the_deleted_title() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    remove(&desk, &person(|| Some(Verdict::Approved))).unwrap().unwrap();
    let open = Some("q1".to_owned());
    let later = person(|| Some(Verdict::Later { error: refusal(), question: open.clone() }));
    assert!(remove(&desk, &later).unwrap().is_err());
    assert_eq!(observed(&desk)[3..], ["running", "asked", "left q1"]);
    let ended = desk.observer.1.lock().unwrap();
    for (client, ended) in ended.iter() {
        assert_eq!((client.as_str(), ended.title.as_deref()), ("Claude", Some("Roses")));
    }
    assert_eq!(ended.len(), 2);
}

/// Q3: of two documents of which one stays, the record names none, whether the call carried out its plan itself or waited
/// for that.
#[test]
fn record_of_a_partial_removal_names_no_title() {
    let scratch = world().notebook("Scratch", "rwd").docs(["/Scratch/Roses", "/Scratch/Tulips"]);
    let engine = Engine::new(scratch, Seen::default());
    let ids = ["/Scratch/Roses", "/Scratch/Tulips"].map(|it| engine.kernel.id(it).to_owned());
    let both = call(json!({ "action": "remove", "ids": ids.clone() }));
    engine.kernel.fail("/api/filetree/removeDocByID", "locked");
    let partial = ready(engine.dispatch(both, &Approval::Given)).unwrap();
    assert_eq!(
        (&partial.data["removed"][0]["title"], &partial.data["failed"][0]["id"]),
        (&json!("Tulips"), &json!(ids[0]))
    );
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    for (reply, title) in [(partial, None), (Output::new().with("removed", json!([])), Some("Roses"))] {
        remove(&desk, &person(|| Some(Verdict::Ran(Box::new(Ok(reply.clone())))))).unwrap().unwrap();
        assert_eq!(desk.observer.1.lock().unwrap().pop().unwrap().1.title.as_deref(), title);
    }
    let ended = engine.observer.0.lock().unwrap();
    assert_eq!((ended.len(), ended[0].outcome, &ended[0].title), (1, Outcome::Success, &None));
}

/// A plan that changed while a person decided does not run in place of the one they saw.
#[test]
fn call_whose_plan_changed_does_not_run() {
    let title = Arc::new(Mutex::new("Roses"));
    let desk = desk(&title);
    let gate = person(|| {
        *title.lock().unwrap() = "Tulips";
        Some(Verdict::Approved)
    });
    let error = remove(&desk, &gate).unwrap().unwrap_err();
    assert_eq!(error.kind, ErrorType::Conflict);
    assert_eq!(error.details["plan"]["removed"][0]["title"], "Tulips");
    assert_eq!(removals(&desk), 0);
    let means = gate.taken()[0].means;
    let stale = Person { standing: ApprovalState::ApprovedPlan(means), ..person(|| None) };
    assert_eq!(remove(&desk, &stale).unwrap().unwrap_err().kind, ErrorType::Conflict);
    *title.lock().unwrap() = "Roses";
    assert!(remove(&desk, &stale).unwrap().is_ok());
    assert_eq!(removals(&desk), 1);
}

/// B-009: a level that a person lowers while they are asked applies to the call.
#[test]
fn levels_are_checked_again_after_approval() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    let gate = person(|| {
        desk.kernel.put(GRANTS, &json!({ GARDEN: "r" }).to_string());
        desk.cache.forget().now_or_never();
        Some(Verdict::Approved)
    });
    assert_eq!(remove(&desk, &gate).unwrap().unwrap_err().kind, ErrorType::PermissionDenied);
    assert_eq!(removals(&desk), 0);
}

/// B-055: nobody is asked about something that the caller may not do or see; B-034: nor for a preview.
#[test]
fn person_is_not_asked_about_a_refused_call_or_preview() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    let gate = person(|| Some(Verdict::Approved));
    let preview = json!({ "action": "remove", "ids": [DOC], "preview": true });
    assert!(desk.dispatch(call(preview), &gate).now_or_never().unwrap().is_ok());
    for level in ["rw", "none"] {
        desk.kernel.put(GRANTS, &json!({ GARDEN: level }).to_string());
        desk.cache.forget().now_or_never();
        assert!(remove(&desk, &gate).unwrap().is_err(), "{level}");
    }
    assert_eq!((gate.taken().len(), removals(&desk)), (0, 0));
}

/// B-030, B-032: a call that is dropped or panics still has an end.
#[test]
fn every_started_call_reports_its_end() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    assert!(remove(&desk, &person(|| None)).is_none());
    assert_eq!(observed(&desk), ["running", "asked", "Cancelled"]);
    let broken = person(|| panic!("injected"));
    let broke = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| remove(&desk, &broken)));
    assert!(broke.is_err());
    assert_eq!(observed(&desk), ["running", "asked", "internal_error"]);
    assert_eq!(removals(&desk), 0);
}

/// `confirm` belongs to every action and must be text.
#[test]
fn confirm_must_be_text() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    let wrong = call(json!({ "action": "list", "confirm": 7 }));
    let error = desk.dispatch(wrong, &person(|| None)).now_or_never().unwrap().unwrap_err();
    assert_eq!(error.kind, ErrorType::Validation);
    let call = Call { tool: Tool::Notebook, ..call(json!({ "action": "list", "confirm": "x" })) };
    assert!(desk.dispatch(call, &person(|| None)).now_or_never().unwrap().is_ok());
}

/// B-015: clients do not ask a person about the half of a tool that only reads, so no change passes there, however
/// it is spelt.
#[test]
fn no_change_passes_the_half_that_reads() {
    let desk = desk(&Arc::new(Mutex::new("Roses")));
    for action in ["remove", "rm", "Delete", "create"] {
        let call = Call { part: Part::Reads, ..call(json!({ "action": action, "ids": [DOC] })) };
        let error = desk.dispatch(call, &person(|| None)).now_or_never().unwrap().unwrap_err();
        assert!(error.message.contains("`document_edit`"), "{}", error.message);
    }
    assert!(desk.kernel.asked().is_empty() && observed(&desk).is_empty());
}

/// An answer to a body, before and after the change.
type Changing = Box<dyn Fn(&Value, bool) -> Value + Send + Sync>;

/// A workspace whose rows and texts change while a person decides.
fn changing(answers: Vec<(&'static str, Changing)>) -> (Desk, Arc<Mutex<bool>>) {
    let is_changed = Arc::new(Mutex::new(false));
    let mut kernel = FakeKernel::new()
        .file(GRANTS, &json!({ GARDEN: "rwd", ATTIC: "rwd" }).to_string())
        .answer("/api/sqlite/flushTransaction", |_| Value::Null)
        .answer("/api/history/createDocHistory", |_| Value::Null);
    for (path, answer) in answers {
        let is_changed = is_changed.clone();
        kernel = kernel.answer(path, move |ask| answer(ask, *is_changed.lock().unwrap()));
    }
    (Engine::new(kernel, Log::default()), is_changed)
}

/// The outcome of a call for a person who approves what they saw, with or without a change after it.
fn approved_after(desk: &Desk, is_changed: &Arc<Mutex<bool>>, change: bool, call: Call) -> Reply {
    *is_changed.lock().unwrap() = false;
    let gate = person(|| {
        *is_changed.lock().unwrap() = change;
        Some(Verdict::Approved)
    });
    let reply = desk.dispatch(call, &gate).now_or_never().unwrap();
    assert_eq!(gate.taken().len(), 1);
    reply
}

/// F7: three documents below are not any three documents, and documents that move along are part of the plan too.
#[test]
fn changed_descendants_change_the_plan() {
    let row = |id: &str, path: &str| json!({ "id": id, "box": GARDEN, "path": path, "content": "Roses" });
    let (desk, is_changed) = changing(vec![
        ("/api/filetree/removeDocByID", Box::new(|_, _| Value::Null)),
        ("/api/filetree/moveDocsByID", Box::new(|_, _| Value::Null)),
        ("/api/filetree/getHPathByID", Box::new(|_, _| json!("/Roses"))),
        (
            "/api/filetree/getPathByID",
            Box::new(|_, _| json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") })),
        ),
        (
            "/api/query/sql",
            Box::new(move |ask, is_changed| {
                if ask["stmt"].as_str().unwrap_or_default().contains("main.refs") {
                    return json!([]);
                }
                let below = if is_changed { "20250101000000-precius" } else { "20250101000000-wrthles" };
                json!([row(DOC, &format!("/{DOC}.sy")), row(below, &format!("/{DOC}/{below}.sy"))])
            }),
        ),
    ]);
    for (arguments, write) in [
        (json!({ "action": "remove", "ids": [DOC], "recursive": true }), "removeDocByID"),
        (json!({ "action": "move", "ids": [DOC], "notebook": ATTIC }), "moveDocsByID"),
    ] {
        let writes = || desk.kernel.asked().iter().filter(|(path, _)| path.ends_with(write)).count();
        let error = approved_after(&desk, &is_changed, true, call(arguments.clone())).unwrap_err();
        assert_eq!((error.kind, writes()), (ErrorType::Conflict, 0), "{write}");
        // The same plan runs. Its answer is not tested here, because the fake kernel does not move on.
        let _ = approved_after(&desk, &is_changed, false, call(arguments));
        assert_eq!(writes(), 1, "{write}");
    }
}

/// F7: a text is approved to its end, not to its 120th character, with everything inside it; the order in which the
/// kernel prints attributes makes no difference.
#[test]
fn changed_text_changes_the_plan() {
    const BLOCK: &str = "20250101000000-block00";
    let text = |is_changed: bool, asked: usize| {
        let long = "x".repeat(200);
        let end = if is_changed { "precious" } else { "worthless" };
        let attributes = [format!("id=\"{BLOCK}\""), "custom-a=\"1\"".to_owned()];
        let (first, second) = if asked.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        format!("{long} {end}\n{{: {} {}}}", attributes[first], attributes[second])
    };
    let items = |is_changed: bool| {
        let item = |at: usize| {
            format!("- {{: id=\"20250101000000-i{at:06}\"}}{at}\n  {{: id=\"20250101000000-p{at:06}\"}}")
        };
        let items: Vec<String> = (0..60 + usize::from(is_changed)).map(item).collect();
        format!("{}\n{{: id=\"{BLOCK}\"}}", items.join("\n"))
    };
    let (asked, asked_again) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
    let count = move |count: &Arc<Mutex<usize>>| {
        *count.lock().unwrap() += 1;
        *count.lock().unwrap()
    };
    let (desk, is_changed) = changing(vec![
        (
            "/api/filetree/getPathByID",
            Box::new(|_, _| json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") })),
        ),
        ("/api/query/sql", Box::new(|_, _| json!([]))),
        ("/api/transactions", Box::new(|_, _| json!([{ "doOperations": [] }]))),
        ("/api/block/checkBlocksExist", Box::new(|_, _| json!({ BLOCK: false }))),
        ("/api/block/getBlockTreeInfos", Box::new(|_, _| json!({}))),
        (
            "/api/block/getBlockKramdowns",
            Box::new(move |_, is_changed| json!({ BLOCK: text(is_changed, count(&asked)) })),
        ),
        (
            "/api/block/getBlockKramdown",
            Box::new(move |_, is_changed| {
                let list = items(is_changed);
                // Here too the kernel prints the attributes in another order.
                let swapped = format!("{{: updated=\"1\" id=\"{BLOCK}\"}}");
                let list = list.replace(
                    &format!("{{: id=\"{BLOCK}\"}}"),
                    &format!("{{: id=\"{BLOCK}\" updated=\"1\"}}"),
                );
                let is_odd = count(&asked_again) % 2 == 1;
                let printed = if is_odd {
                    list
                } else {
                    list.replace(&format!("{{: id=\"{BLOCK}\" updated=\"1\"}}"), &swapped)
                };
                json!({ "id": BLOCK, "kramdown": printed })
            }),
        ),
        (
            "/api/block/updateBlock",
            Box::new(|_, _| {
                let dom = format!(
                    "<div data-node-id=\"{BLOCK}\" data-node-index=\"1\" data-type=\"NodeList\"></div>"
                );
                json!([{ "doOperations": [{ "id": BLOCK, "data": dom }] }])
            }),
        ),
    ]);
    for (arguments, write) in [
        (json!({ "action": "delete", "ids": [BLOCK] }), "transactions"),
        // One block, with more than 50 inside it: a person is asked, and a version is kept.
        (json!({ "action": "update", "id": BLOCK, "markdown": "- new" }), "updateBlock"),
    ] {
        let of_block = |arguments: &Value| Call { tool: Tool::Block, ..call(arguments.clone()) };
        let writes = || desk.kernel.asked().iter().filter(|(path, _)| path.ends_with(write)).count();
        let error = approved_after(&desk, &is_changed, true, of_block(&arguments)).unwrap_err();
        assert_eq!((error.kind, writes()), (ErrorType::Conflict, 0), "{write}: {error:?}");
        approved_after(&desk, &is_changed, false, of_block(&arguments)).unwrap();
        assert_eq!(writes(), 1, "{write}");
    }
    let versions = desk.kernel.asked().iter().filter(|(path, _)| path.ends_with("createDocHistory")).count();
    assert_eq!(versions, 2);
}
