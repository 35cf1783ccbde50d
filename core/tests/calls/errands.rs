//! Errands over whole calls: what one covers, what leaves it, how it ends, and that it is one run.

use std::sync::{Arc, Mutex};

use puppy_core::activity::Transport;
use puppy_core::agents::{AGENTS_FILE, Identity};
use puppy_core::ask::Consequence;
use puppy_core::config::CallSettings;
use puppy_core::dispatch::{
    Approval, ApprovalRequest, ApprovalState, Call, Engine, Gate, PlanQuestion, Verdict,
};
use puppy_core::errands::ErrandCost;
use puppy_core::error::ErrorType;
use puppy_core::kernel::{Boxed, files};
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::runs::Runs;
use puppy_core::runs::record::RunRecord;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, ready};

type Desk = Engine<World, Nobody>;

/// Recipes, where the errand is; Diary beside it; Private, which no agent sees.
fn kitchen() -> World {
    let long: String = (0..60).map(|at| format!("Line {at}\n\n")).collect();
    let mut world =
        World::new().notebook("Recipes", "rwd").notebook("Diary", "rwd").notebook("Private", "none");
    world = world.file("mcpToolsConfig", &crate::examples::everything());
    world =
        world.docs(["/Recipes/Soups", "/Recipes/Soups/Leek", "/Recipes/Soups/Bean", "/Recipes/Soups/Pea"]);
    world =
        world.docs(["/Recipes/Soups/Carrot", "/Recipes/Soups/Onion", "/Recipes/Cakes", "/Private/Secret"]);
    world = world.doc("/Recipes/Bread", &long).doc("/Recipes/Flour", "old flour #grain#\n\nwater");
    world = world
        .doc("/Recipes/Salt", "#grain# salt")
        .doc("/Recipes/Index", "See (({/Recipes/Bread#0} 'bread')).");
    world = world.doc("/Recipes/Starter", "sour").doc("/Recipes/Rye", "# Rye\n\nold rye");
    world = world.doc("/Diary/Monday", "old bread #meal#\n\nsecond").doc("/Diary/Long", &long);
    world = world.doc("/Recipes/Meals", "#meal# old").docs(["/Diary/Drafts", "/Diary/Drafts/One"]);
    world = world
        .doc("/Diary/Links", "See (({/Recipes/Starter} 'starter')) and (({/Recipes/Starter#0} 'sour')).");
    world
}

fn sent(engine: &Desk, session: Option<&str>, tool: Tool, arguments: &Value, gate: &dyn Gate) -> Reply {
    let arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    let arguments = arguments.as_object().cloned().unwrap();
    let (part, client) = (Part::Whole, "Claude".to_owned());
    engine.kernel.pass(1_000);
    ready(engine.dispatch_in(
        session,
        Call { tool, arguments, part, transport: Transport::Stdio, client },
        gate,
    ))
}

/// A call without an approval.
fn alone(engine: &Desk, tool: Tool, arguments: &Value) -> Reply {
    sent(engine, Some("s"), tool, arguments, &Approval::Missing)
}

fn begins(engine: &Desk, place: &Value) {
    let mut arguments =
        json!({ "action": "begin_errand", "purpose": "tidy", "changes": 40, "deletes": 5, "minutes": 20 });
    arguments.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
    sent(engine, Some("s"), Tool::System, &arguments, &Approval::Given).unwrap();
}

/// An engine on a copy of a world, with an errand in Recipes.
fn on_errand(world: &World) -> Desk {
    let engine = Engine::new(world.copy(), Nobody);
    begins(&engine, &json!({ "notebooks": ["Recipes"] }));
    engine
}

fn asks(reply: &Reply) -> bool {
    reply.as_ref().is_err_and(|it| it.kind == ErrorType::ConfirmationRequired)
}

fn used(engine: &Desk) -> ErrandCost {
    engine.errands().standing().remove(0).used
}

fn remove(path: &str) -> Value {
    json!({ "action": "remove", "ids": [format!("{{{path}}}")], "recursive": true })
}

/// Attempts to leave an errand in Recipes, each asked or refused.
fn attempts() -> Vec<(Tool, Value)> {
    let ids = |paths: &[&str]| paths.iter().map(|it| json!(format!("{{{it}}}"))).collect::<Value>();
    vec![
        (Tool::Document, remove("/Diary/Monday")),
        (Tool::Document, json!({ "action": "remove", "ids": ids(&["/Recipes/Cakes", "/Diary/Monday"]) })),
        // Six documents, those below included, where five may go.
        (Tool::Document, remove("/Recipes/Soups")),
        (
            Tool::Document,
            json!({ "action": "remove", "ids": ids(&["/Recipes/Soups/Leek", "/Recipes/Soups/Bean", "/Recipes/Soups/Pea", "/Recipes/Soups/Carrot", "/Recipes/Cakes", "/Recipes/Salt"]) }),
        ),
        (Tool::Fs, json!({ "action": "remove", "path": "/Diary/Monday" })),
        (Tool::Document, remove("/Private/Secret")),
        (Tool::Fs, json!({ "action": "move", "from": "/Recipes/Cakes", "to": "/Diary/Cakes" })),
        (Tool::Fs, json!({ "action": "move", "from": "/Diary/Monday", "to": "/Recipes/Monday" })),
        (Tool::Document, json!({ "action": "move", "ids": ids(&["/Recipes/Cakes"]), "notebook": "Diary" })),
        (
            Tool::Document,
            json!({ "action": "move", "ids": ids(&["/Diary/Drafts"]), "parent": "{/Recipes/Cakes}" }),
        ),
        (
            Tool::Block,
            json!({ "action": "move", "ids": ids(&["/Recipes/Flour#0"]), "target": "{/Diary/Monday}", "position": "last" }),
        ),
        (
            Tool::Block,
            json!({ "action": "move", "ids": ids(&["/Diary/Monday#0"]), "target": "{/Recipes/Flour}", "position": "last" }),
        ),
        (Tool::Document, json!({ "action": "from_block", "block": "{/Recipes/Rye#0}", "notebook": "Diary" })),
        (
            Tool::Document,
            json!({ "action": "to_heading", "id": "{/Diary/Monday}", "target": "{/Recipes/Rye#0}" }),
        ),
        (
            Tool::Document,
            json!({ "action": "to_heading", "id": "{/Recipes/Cakes}", "target": "{/Diary/Monday#0}" }),
        ),
        (
            Tool::Block,
            json!({ "action": "swap_ref", "ref": "{/Diary/Links#0}", "id": "{/Recipes/Starter#0}" }),
        ),
        (
            Tool::Block,
            json!({ "action": "transfer_refs", "from": "{/Recipes/Starter#0}", "to": "{/Recipes/Salt#0}" }),
        ),
        (
            Tool::Search,
            json!({ "action": "find_replace", "find": "old", "replace": "new", "ids": ids(&["/Recipes/Flour#0", "/Diary/Monday#0"]) }),
        ),
        (
            Tool::Search,
            json!({ "action": "find_replace", "find": "old", "replace": "new", "notebook": "Diary" }),
        ),
        (Tool::Tag, json!({ "action": "remove", "label": "meal" })),
        (Tool::Tag, json!({ "action": "rename", "label": "meal", "new_label": "grain", "merge": true })),
        // References in Diary would break.
        (Tool::Document, remove("/Recipes/Starter")),
        (Tool::Block, json!({ "action": "delete", "ids": ids(&["/Recipes/Starter#0"]) })),
        (Tool::Block, json!({ "action": "delete", "ids": ids(&["/Diary/Monday#0"]) })),
        // Sixty blocks, where forty changes are left.
        (
            Tool::Fs,
            json!({ "action": "write", "path": "/Recipes/Bread", "markdown": "x", "mode": "overwrite" }),
        ),
        (Tool::Fs, json!({ "action": "write", "path": "/Diary/Long", "markdown": "x", "mode": "overwrite" })),
        (Tool::Block, json!({ "action": "update", "id": "{/Diary/Long}", "markdown": "x" })),
        (Tool::Notebook, json!({ "action": "remove", "notebook": "Recipes", "confirm_name": "Recipes" })),
        (Tool::Notebook, json!({ "action": "set_open_state", "notebook": "Recipes", "open": false })),
        (
            Tool::Notebook,
            json!({ "action": "set_conf", "notebook": "Recipes", "conf": { "daily_note_save_path": "/x" } }),
        ),
        (Tool::Notebook, json!({ "action": "set_permission", "notebook": "Recipes", "level": "r" })),
        (Tool::System, json!({ "action": "sync" })),
        (Tool::Search, json!({ "action": "semantic", "query": "bread" })),
        (Tool::File, json!({ "action": "export", "ids": ids(&["/Recipes/Bread"]), "format": "md_zip" })),
        (Tool::File, json!({ "action": "delete_assets", "all_unused": true })),
        (
            Tool::System,
            json!({ "action": "begin_errand", "purpose": "more", "notebooks": ["Diary"], "changes": 200 }),
        ),
    ]
}

#[test]
fn no_attempt_leaves_an_errand() {
    let world = kitchen();
    let all = attempts();
    assert!(all.len() >= 30);
    let mut wrong = Vec::new();
    for (tool, arguments) in &all {
        let engine = on_errand(&world);
        let before = used(&engine);
        let reply = alone(&engine, *tool, arguments);
        if reply.is_ok() || used(&engine) != before {
            wrong.push(format!("{arguments}: {reply:?}"));
        }
        let is_slip = reply.as_ref().is_err_and(|it| it.kind == ErrorType::Internal || !it.fields.is_empty());
        if is_slip && arguments["action"] != "delete_assets" {
            wrong.push(format!("{arguments} is no attempt: {reply:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Inside its bounds nothing is asked, whichever action it is, and each counts its things.
#[test]
fn changes_inside_need_no_question() {
    let world = kitchen();
    for (tool, arguments, cost) in [
        (Tool::Document, remove("/Recipes/Cakes"), (0, 1)),
        (Tool::Fs, json!({ "action": "remove", "path": "/Recipes/Cakes" }), (0, 1)),
        (
            Tool::Document,
            json!({ "action": "to_heading", "id": "{/Recipes/Cakes}", "target": "{/Recipes/Rye#0}" }),
            (0, 1),
        ),
        (Tool::Block, json!({ "action": "delete", "ids": ["{/Recipes/Flour#0}"] }), (1, 0)),
        (
            Tool::Search,
            json!({ "action": "find_replace", "find": "old", "replace": "new", "notebook": "Recipes" }),
            (3, 0),
        ),
        (Tool::Tag, json!({ "action": "remove", "label": "grain" }), (2, 0)),
        // A change that never asks counts too.
        (Tool::Document, json!({ "action": "rename", "id": "{/Recipes/Cakes}", "title": "Cake" }), (1, 0)),
        (Tool::Document, json!({ "action": "rename", "id": "{/Diary/Monday}", "title": "Day" }), (0, 0)),
    ] {
        let engine = on_errand(&world);
        let reply = alone(&engine, tool, &arguments);
        assert!(reply.is_ok(), "{arguments}: {reply:?}");
        let used = used(&engine);
        assert_eq!((used.changes, used.deletes), cost, "{arguments}");
        // Without an errand it asks as always.
        engine.errands().end_all();
    }
}

/// Callers without an errand are asked: another session, one without a session, and the caller before and after.
#[test]
fn only_the_caller_has_its_errand() {
    let world = kitchen();
    let engine = Engine::new(world.copy(), Nobody);
    assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Cakes"))));
    begins(&engine, &json!({ "notebooks": ["Recipes"] }));
    for session in [Some("t"), None, Some("")] {
        let reply = sent(&engine, session, Tool::Document, &remove("/Recipes/Cakes"), &Approval::Missing);
        assert!(asks(&reply), "{session:?}: {reply:?}");
    }
    for path in ["Leek", "Bean", "Pea", "Carrot", "Onion"] {
        alone(&engine, Tool::Document, &remove(&format!("/Recipes/Soups/{path}"))).unwrap();
    }
    assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Cakes"))), "the sixth");
    assert_eq!(used(&engine), ErrandCost { changes: 0, deletes: 5 });
}

/// An errand on documents: a document that is moved in meanwhile is not covered, whichever caller moves it.
#[test]
fn what_is_brought_in_is_asked_about() {
    let world = kitchen();
    for session in ["s", "accomplice"] {
        let engine = Engine::new(world.copy(), Nobody);
        begins(&engine, &json!({ "documents": ["{/Recipes/Soups}"] }));
        assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Cakes"))));
        let into =
            json!({ "action": "move", "ids": ["{/Recipes/Cakes}"], "parent": "{/Recipes/Soups/Leek}" });
        sent(&engine, Some(session), Tool::Document, &into, &Approval::Missing).unwrap();
        assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Cakes"))), "{session}");
        assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Soups/Leek"))), "{session}");
        let blocks = json!({ "action": "move", "ids": ["{/Recipes/Flour#0}"], "target": "{/Recipes/Soups/Bean}", "position": "last" });
        sent(&engine, Some(session), Tool::Block, &blocks, &Approval::Missing).unwrap();
        assert!(asks(&alone(
            &engine,
            Tool::Block,
            &json!({ "action": "delete", "ids": ["{/Recipes/Flour#0}"] })
        )));
        assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Soups/Bean"))), "{session}");
        assert!(alone(&engine, Tool::Document, &remove("/Recipes/Soups/Pea")).is_ok());
    }
}

/// A person who approves while a document moves below Soups, and the number of documents below in their question.
struct Slow<'a>(&'a Desk, Mutex<u64>);

impl Gate for Slow<'_> {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Open
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        let below = |it: &Consequence| if let Consequence::Below(below) = it { below.n } else { 0 };
        *self.1.lock().unwrap() = question.ask.about.effects.iter().map(below).sum();
        let kernel = &self.0.kernel;
        let body =
            json!({ "fromIDs": [kernel.id("/Recipes/Cakes")], "toID": kernel.id("/Recipes/Soups/Leek") });
        kernel.ask("filetree/moveDocsByID", &body);
        Box::pin(async { Verdict::Approved })
    }
}

/// The question names the documents below; no errand begins when others came there before the answer.
#[test]
fn what_comes_below_before_the_answer_begins_no_errand() {
    let engine = Engine::new(kitchen(), Nobody);
    let begin = json!({ "action": "begin_errand", "purpose": "tidy", "documents": ["{/Recipes/Soups}"], "deletes": 5 });
    let slow = Slow(&engine, Mutex::default());
    let error = sent(&engine, Some("s"), Tool::System, &begin, &slow).unwrap_err();
    assert_eq!(error.kind, ErrorType::Conflict, "{error:?}");
    assert_eq!((*slow.1.lock().unwrap(), engine.errands().standing().len()), (5, 0));
    // Nothing moves any longer.
    sent(&engine, Some("s"), Tool::System, &begin, &slow).unwrap();
    assert_eq!((*slow.1.lock().unwrap(), engine.errands().standing().len()), (6, 1));
}

/// A run from before that is put back during an errand brings documents in too, although no argument names their place.
#[test]
fn what_is_put_back_into_an_errand_is_asked_about() {
    let runs = Arc::new(Runs::default());
    let engine = Engine::new(kitchen(), Nobody).keeping(Arc::clone(&runs));
    let out = json!({ "action": "move", "ids": ["{/Recipes/Cakes}"], "notebook": "Diary" });
    sent(&engine, Some("s"), Tool::Document, &out, &Approval::Given).unwrap();
    ready(runs.settle(&*engine.kernel));
    let listed = alone(&engine, Tool::System, &json!({ "action": "list_runs" })).unwrap();
    begins(&engine, &json!({ "notebooks": ["Recipes"] }));
    let back = json!({ "action": "put_back", "run": listed.data["items"][0]["run"] });
    let done = sent(&engine, Some("s"), Tool::System, &back, &Approval::Given).unwrap();
    assert_eq!(done.data["put_back"].as_array().map(Vec::len), Some(1), "{:?}", done.data);
    assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Cakes"))));
    assert!(alone(&engine, Tool::Document, &remove("/Recipes/Salt")).is_ok());
}

/// A block from outside that becomes a document inside, alone or within a block of the place, is not covered: its text is
/// from outside.
#[test]
fn a_document_made_of_an_outside_block_is_asked_about() {
    let world = kitchen();
    for session in ["s", "accomplice"] {
        let engine = Engine::new(world.copy(), Nobody);
        begins(&engine, &json!({ "documents": ["{/Recipes/Soups}"] }));
        let made =
            json!({ "action": "from_block", "block": "{/Recipes/Rye#0}", "parent": "{/Recipes/Soups/Leek}" });
        sent(&engine, Some(session), Tool::Document, &made, &Approval::Missing).unwrap();
        assert!(asks(&alone(&engine, Tool::Document, &remove("/Recipes/Rye#0"))), "{session}");
        // A heading of the place takes what was moved below it along.
        let heading = json!({ "action": "append", "id": "{/Recipes/Soups/Pea}", "markdown": "# Pod" });
        let pod = alone(&engine, Tool::Block, &heading).unwrap().data["ids"][0].as_str().unwrap().to_owned();
        let into = json!({ "action": "move", "ids": ["{/Recipes/Flour#0}"], "target": "{/Recipes/Soups/Pea}", "position": "last" });
        sent(&engine, Some(session), Tool::Block, &into, &Approval::Missing).unwrap();
        let made = json!({ "action": "from_block", "block": pod, "parent": "{/Recipes/Soups/Onion}" });
        alone(&engine, Tool::Document, &made).unwrap();
        let gone = json!({ "action": "remove", "ids": [pod], "recursive": true });
        assert!(asks(&alone(&engine, Tool::Document, &gone)), "{session}");
        // A document that was inside from the start is covered.
        assert!(alone(&engine, Tool::Document, &remove("/Recipes/Soups/Bean")).is_ok(), "{session}");
    }
}

/// Pause, time, a clock that was set back, a lower ceiling of the person and of the agent end an errand; afterwards
/// nothing of it is left when the reason is gone.
#[test]
fn an_errand_ends_for_good() {
    let world = kitchen();
    let asks_now = |engine: &Desk| asks(&alone(engine, Tool::Document, &remove("/Recipes/Cakes")));
    let settings: [(&str, Value, Value); 4] = [
        ("mcpHttpSettings", json!({ "paused": true }), json!({})),
        ("mcpHttpSettings", json!({ "errand_minutes": 0 }), json!({})),
        ("mcpHttpSettings", json!({ "errand_deletes": 4 }), json!({})),
        ("mcpHttpSettings", json!({ "errand_changes": 39 }), json!({ "errand_changes": 40 })),
    ];
    for (file, during, after) in settings {
        let engine = on_errand(&world);
        engine.kernel.put(file, &during);
        engine.kernel.pass(2_000);
        let _ = alone(&engine, Tool::Notebook, &json!({ "action": "list" }));
        engine.kernel.put(file, &after);
        engine.kernel.pass(2_000);
        assert!(asks_now(&engine), "{during}");
    }
    for ms in [20 * 60_000, -60_000] {
        let engine = on_errand(&world);
        engine.kernel.pass(ms);
        assert!(asks_now(&engine), "{ms}");
        assert!(engine.errands().standing().is_empty());
    }
    let engine = on_errand(&world);
    let id = engine.errands().standing().remove(0).id;
    engine.errands().revoke(&id);
    assert!(asks_now(&engine));
    let agents = |level: &str| json!({ "agents": { "a": { "name": "A", "level": level } } });
    let engine = Engine::new(world.copy(), Nobody).known_as(Identity::Proved("a".to_owned()));
    engine.kernel.put(AGENTS_FILE, &agents("rwd"));
    begins(&engine, &json!({ "notebooks": ["Recipes"] }));
    engine.kernel.put(AGENTS_FILE, &agents("rw"));
    engine.kernel.pass(2_000);
    ready(engine.review_errands());
    assert!(engine.errands().standing().is_empty());
    engine.kernel.put(AGENTS_FILE, &agents("rwd"));
    engine.kernel.pass(2_000);
    assert!(asks_now(&engine));
}

/// Current levels apply: an errand replaces only the question.
#[test]
fn levels_hold_inside_an_errand() {
    let world = kitchen();
    for (level, kind) in [("rw", ErrorType::PermissionDenied), ("none", ErrorType::NotFound)] {
        let engine = on_errand(&world);
        let mut table = engine.kernel.table();
        table.insert(engine.kernel.id("/Recipes").to_owned(), json!(level));
        engine.kernel.put("notebookPermissions", &Value::Object(table));
        engine.kernel.pass(2_000);
        assert_eq!(alone(&engine, Tool::Document, &remove("/Recipes/Cakes")).unwrap_err().kind, kind);
        assert_eq!(used(&engine), ErrandCost::default(), "nothing is taken");
    }
}

/// A call that may have changed something keeps its number.
#[test]
fn a_failed_call_keeps_its_number() {
    let engine = on_errand(&kitchen());
    engine.kernel.fail("/api/filetree/removeDocByID", "locked");
    assert!(alone(&engine, Tool::Document, &remove("/Recipes/Cakes")).is_err());
    assert_eq!(used(&engine).deletes, 1);
}

/// An errand is one run: what came before and comes after is in others, and putting it back takes all of it back.
#[test]
fn an_errand_is_one_run() {
    let runs = Arc::new(Runs::default());
    let engine = Engine::new(kitchen(), Nobody).keeping(Arc::clone(&runs));
    let rename = |path: &str, title: &str| {
        let arguments = json!({ "action": "rename", "id": format!("{{{path}}}"), "title": title });
        alone(&engine, Tool::Document, &arguments).unwrap();
    };
    rename("/Diary/Monday", "Before");
    begins(&engine, &json!({ "notebooks": ["Recipes"] }));
    alone(&engine, Tool::Document, &remove("/Recipes/Cakes")).unwrap();
    // A rest that would end another run.
    engine.kernel.pass(15 * 60_000);
    alone(&engine, Tool::Document, &remove("/Recipes/Salt")).unwrap();
    let errand = engine.errands().standing().remove(0).id;
    engine.errands().end_all();
    rename("/Diary/Monday", "After");
    ready(runs.settle(&*engine.kernel));
    let folder = format!("{}runs", files::TEMP);
    let listed = ready(files::list(&*engine.kernel, &folder)).unwrap();
    let read =
        |name: &str| ready(files::read(&*engine.kernel, &format!("{folder}/{name}"))).unwrap().unwrap();
    let mut all: Vec<RunRecord> =
        listed.iter().map(|it| RunRecord::parse(&read(&it.name)).unwrap()).collect();
    all.sort_by_key(|it| it.started);
    let seen: Vec<(&str, usize)> = all.iter().map(|it| (it.errand.as_str(), it.documents.len())).collect();
    assert_eq!(seen, [("", 1), (errand.as_str(), 2), ("", 1)]);
    assert!(!serde_json::to_string(&all).unwrap().contains("tidy"), "no text in the ledger");
    let back = json!({ "action": "put_back", "run": all[1].id });
    assert!(asks(&alone(&engine, Tool::System, &back)));
    let done = sent(&engine, Some("s"), Tool::System, &back, &Approval::Given).unwrap();
    assert_eq!(done.data["put_back"].as_array().map(Vec::len), Some(2), "{:?}", done.data);
}
