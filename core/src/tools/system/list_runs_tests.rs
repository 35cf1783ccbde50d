//! Tests of `system.list_runs`: agents see runs as far as their levels reach.

use serde_json::{Value, json};

use super::super::testing::{keeping, made};
use crate::dispatch::Engine;
use crate::kernel::{Ambient as _, files};
use crate::runs::record::{RunCall, RunRecord, path_of};
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, ready, world, world_of};

fn listed(engine: &Engine<World, Nobody>, session: Option<&str>) -> Vec<Value> {
    let reply = made(engine, session, Tool::System, &json!({ "action": "list_runs" })).unwrap();
    reply.data["items"].as_array().unwrap().clone()
}

fn update(text: &str) -> Value {
    json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": text })
}

#[test]
fn a_run_ends_after_ten_minutes_without_a_change() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    for (pass, text) in [(0, "one"), (9 * 60_000, "two"), (10 * 60_000, "three")] {
        engine.kernel.pass(pass + 1_000);
        made(&engine, Some("s"), Tool::Block, &update(text)).unwrap();
        ready(runs.settle(&*engine.kernel));
    }
    let items = listed(&engine, Some("s"));
    assert_eq!(items.len(), 2, "{items:?}");
    let older = &items[1];
    assert_eq!(
        (&older["author"], &older["is_own"], &older["blocks"]),
        (&json!("Mint"), &json!(true), &json!(2))
    );
    let document = &older["documents"][0];
    assert_eq!(
        (&document["id"], &document["title"], &document["was"], &older["n_documents"]),
        (&json!(engine.kernel.id("/Garden/Beds")), &json!("Beds"), &json!("changed"), &json!(1))
    );
    // Its version holds the text before.
    let version = format!("/history/{}.sy", document["version"].as_str().unwrap());
    let file = ready(files::read(&*engine.kernel, &version)).unwrap().unwrap();
    assert!(String::from_utf8_lossy(&file).contains("mint"));
    let calls = older["calls"].as_array().unwrap();
    assert_eq!((calls.len(), &calls[1]["call"], &older["n_calls"]), (2, &json!(1), &json!(2)));
    assert_eq!(
        (&calls[1]["action"], &calls[1]["documents"]),
        (&json!("block.update"), &json!([engine.kernel.id("/Garden/Beds")]))
    );
    // Another session is another agent.
    engine.kernel.pass(1_000);
    made(&engine, Some("t"), Tool::Block, &update("four")).unwrap();
    ready(runs.settle(&*engine.kernel));
    let items = listed(&engine, Some("s"));
    assert_eq!((items.len(), items[0].get("is_own")), (3, None));
}

/// A run in a notebook that was closed since shows nothing to agents; a person sees all.
#[test]
fn a_run_in_a_notebook_that_was_closed_since_is_for_people() {
    let (engine, runs) = keeping(world().notebook("Shed", "rw").doc("/Garden/Beds", "mint"));
    made(&engine, Some("s"), Tool::Block, &update("sage")).unwrap();
    ready(runs.settle(&*engine.kernel));
    assert_eq!(listed(&engine, Some("s")).len(), 1);
    engine.kernel.put(
        "notebookPermissions",
        &json!({ engine.kernel.id("/Garden"): "none", engine.kernel.id("/Shed"): "rw" }),
    );
    engine.kernel.pass(10_000);
    assert_eq!(listed(&engine, Some("s")), Vec::<Value>::new());
    let items = listed(&engine, None);
    assert_eq!((items.len(), &items[0]["n_documents"]), (1, &json!(1)));
}

/// A change costs one version per document and run and one record, reads cost nothing.
#[test]
fn the_ledger_costs_a_version_and_a_record() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    let requests = |text: &str| {
        engine.kernel.pass(2_000);
        engine.kernel.take_sent();
        made(&engine, Some("s"), Tool::Block, &update(text)).unwrap();
        let sent = engine.kernel.take_sent();
        ready(runs.settle(&*engine.kernel));
        sent.into_iter().filter_map(|(path, _)| path.rsplit('/').next()).collect::<Vec<_>>()
    };
    let with = |all: &[&str], name: &str| all.iter().filter(|it| **it == name).count();
    let first = requests("one");
    assert_eq!((with(&first, "createDocHistory"), with(&first, "putFile")), (1, 1), "{first:?}");
    let second = requests("two");
    assert_eq!((with(&second, "createDocHistory"), with(&second, "putFile")), (0, 0), "{second:?}");
    assert_eq!(with(&second, "getFile"), 1, "{second:?}");
    engine.kernel.take_sent();
    made(&engine, Some("s"), Tool::Fs, &json!({ "action": "read", "path": "/Garden/Beds" })).unwrap();
    let read = engine.kernel.take_sent();
    assert!(!runs.has_news(), "{read:?}");
    assert!(!read.iter().any(|(path, _)| path.ends_with("putFile") || path.ends_with("createDocHistory")));
}

/// The file has ids and hashes, and names the documents before the change.
#[test]
fn a_crash_leaves_the_documents_and_their_versions() {
    let (engine, _) = keeping(world().doc("/Garden/Beds", "secret mint"));
    // The answer came, but nothing was recorded any more.
    made(&engine, Some("s"), Tool::Block, &update("secret sage")).unwrap();
    let folder = format!("{}runs", files::TEMP);
    let listed = ready(files::list(&*engine.kernel, &folder)).unwrap();
    let bytes =
        ready(files::read(&*engine.kernel, &format!("{folder}/{}", listed[0].name))).unwrap().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains(engine.kernel.id("/Garden/Beds")) && !text.contains("secret"), "{text}");
    let run = crate::runs::record::RunRecord::parse(text.as_bytes()).unwrap();
    assert!(!run.calls[0].finished && !run.documents[0].versioned.is_empty());
}

/// Also a call of whose documents nothing is known before leaves a run when it is killed, and nothing when
/// it changed nothing.
#[test]
fn a_call_that_names_nothing_before_leaves_a_run() {
    let ensure = json!({ "action": "ensure", "notebook": "{/Garden}", "titles": ["New"] });
    let (engine, _) = keeping(world());
    made(&engine, Some("s"), Tool::Document, &ensure).unwrap();
    // Nothing is recorded any more: another process reads the run.
    let (engine, runs) = keeping(world_of(engine));
    let items = listed(&engine, None);
    assert_eq!(items.len(), 1, "{items:?}");
    assert_eq!(items[0]["calls"][0]["action"], "document.ensure", "{items:?}");
    assert_eq!(items[0]["calls"][0]["unfinished"], true, "{items:?}");
    assert_ne!(items[0]["latest"], "1970-01-01T00:00:00Z");
    assert_eq!(listed(&engine, Some("s")), Vec::<Value>::new());
    // The document is there now, so nothing is changed, and nothing stays.
    engine.kernel.pass(20 * 60_000);
    made(&engine, Some("t"), Tool::Document, &ensure).unwrap();
    ready(runs.settle(&*engine.kernel));
    assert_eq!(listed(&engine, None).len(), 1);
}

/// The version from before the run is not overwritten by one that an action asks for in the same second.
#[test]
fn no_version_is_made_twice_in_a_second() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    let edit = |old: &str, new: &str| json!({ "action": "edit", "path": "/Garden/Beds", "edits": [{ "old": old, "new": new }] });
    made(&engine, Some("s"), Tool::Fs, &edit("mint", "sage")).unwrap();
    made(&engine, Some("s"), Tool::Fs, &edit("sage", "rue")).unwrap();
    ready(runs.settle(&*engine.kernel));
    let sent = engine.kernel.take_sent();
    assert_eq!(sent.iter().filter(|(path, _)| path.ends_with("createDocHistory")).count(), 1);
}

/// The position of a page and the end of the list do not count runs that the caller may not see.
#[test]
fn hidden_runs_count_nowhere() {
    let (engine, runs) =
        keeping(world().notebook("Shed", "rw").doc("/Garden/Beds", "mint").doc("/Shed/Tools", "rake"));
    for (at, id) in
        ["{/Garden/Beds#0}", "{/Shed/Tools#0}", "{/Shed/Tools#0}", "{/Garden/Beds#0}"].into_iter().enumerate()
    {
        engine.kernel.pass(11 * 60_000);
        let arguments = json!({ "action": "update", "id": id, "markdown": format!("text {at}") });
        made(&engine, Some("s"), Tool::Block, &arguments).unwrap();
        ready(runs.settle(&*engine.kernel));
    }
    let levels = json!({ engine.kernel.id("/Garden"): "rw", engine.kernel.id("/Shed"): "none" });
    engine.kernel.put("notebookPermissions", &levels);
    engine.kernel.pass(10_000);
    let page = |cursor: &Value| {
        let mut arguments = json!({ "action": "list_runs", "limit": 1 });
        if !cursor.is_null() {
            arguments["cursor"] = cursor.clone();
        }
        made(&engine, Some("s"), Tool::System, &arguments).unwrap().data
    };
    let first = page(&Value::Null);
    assert_eq!(first["next"], first["items"][0]["run"]);
    let second = page(&first["next"]);
    assert_eq!(second["items"].as_array().unwrap().len(), 1);
    assert_ne!(second["items"][0]["run"], first["items"][0]["run"]);
    assert_eq!(second.get("next"), None);
}

/// Another process of the same client is another agent, and no name passes for a person.
#[test]
fn an_agent_is_known_by_its_process() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    made(&engine, Some("s"), Tool::Block, &update("one")).unwrap();
    ready(runs.settle(&*engine.kernel));
    assert_eq!(listed(&engine, Some("s"))[0]["is_own"], true);
    let (engine, runs) = keeping(world_of(engine));
    assert_eq!(listed(&engine, Some("s"))[0].get("is_own"), None);
    made(&engine, None, Tool::Block, &update("two")).unwrap();
    ready(runs.settle(&*engine.kernel));
    assert_eq!(listed(&engine, None)[0]["author"], "you");
    assert_eq!(listed(&engine, Some("s"))[0]["author"], "a person");
}

/// A run that was put back says so, until that is put back too; the other one says of which run it is.
#[test]
fn runs_say_which_one_they_put_back() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    made(&engine, Some("s"), Tool::Block, &update("one")).unwrap();
    ready(runs.settle(&*engine.kernel));
    let back = |run: &Value| {
        engine.kernel.pass(2_000);
        let arguments = json!({ "action": "put_back", "run": run });
        made(&engine, Some("s"), Tool::System, &arguments).unwrap();
        ready(runs.settle(&*engine.kernel));
        listed(&engine, Some("s"))
    };
    let first = listed(&engine, Some("s"))[0]["run"].clone();
    let items = back(&first);
    assert_eq!((&items[0]["puts_back"], &items[1]["is_put_back"]), (&first, &json!(true)), "{items:?}");
    assert_eq!((items[1].get("puts_back"), items[0].get("is_put_back")), (None, None), "{items:?}");
    let second = items[0]["run"].clone();
    let items = back(&second);
    assert_eq!((&items[0]["puts_back"], &items[1]["is_put_back"]), (&second, &json!(true)), "{items:?}");
    assert_eq!(items[2].get("is_put_back"), None, "{items:?}");
}

/// A page of runs asks once for the titles of all its documents.
#[test]
fn a_page_of_runs_reads_its_titles_at_once() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint").doc("/Garden/Paths", "gravel"));
    for at in 0..4 {
        engine.kernel.pass(11 * 60_000);
        let id = ["{/Garden/Beds#0}", "{/Garden/Paths#0}"][at % 2];
        let arguments = json!({ "action": "update", "id": id, "markdown": format!("text {at}") });
        made(&engine, Some("s"), Tool::Block, &arguments).unwrap();
        ready(runs.settle(&*engine.kernel));
    }
    engine.kernel.take_sent();
    assert_eq!(listed(&engine, Some("s")).len(), 4);
    let sent = engine.kernel.take_sent();
    assert_eq!(sent.iter().filter(|(path, _)| path.ends_with("/sql")).count(), 1, "{sent:?}");
}

/// The brief reads no more of the runs than about half a megabyte, and says then that it does not know the rest.
#[test]
fn the_brief_reads_few_bytes_of_runs() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    made(&engine, Some("s"), Tool::Block, &update("one")).unwrap();
    ready(runs.settle(&*engine.kernel));
    let now = engine.kernel.now_ms();
    for at in 0..20 {
        let calls = vec![RunCall { at: now, action: "block.update".to_owned(), finished: true }; 5_000];
        let id = format!("{:x}-{at:08x}", now + 1 + at);
        let run = RunRecord {
            id: id.clone(),
            client: "Mint".to_owned(),
            started: now,
            latest: now,
            calls,
            ..RunRecord::default()
        };
        let bytes = serde_json::to_vec(&run).unwrap();
        assert!(bytes.len() > 200_000);
        ready(files::write(&*engine.kernel, &path_of(&id), bytes)).unwrap();
    }
    engine.kernel.take_sent();
    let brief = made(&engine, Some("s"), Tool::System, &json!({ "action": "get_info" })).unwrap().data;
    let sent = engine.kernel.take_sent();
    let read =
        sent.iter().filter(|(path, body)| path.ends_with("getFile") && body.to_string().contains("/runs/"));
    assert_eq!(read.count(), 4);
    let changed = brief["changed_since_yesterday"].as_array().unwrap();
    assert_eq!((changed.len(), &changed[0]["by"]), (1, &json!("somebody")), "{changed:?}");
}

/// The record of a run is bounded.
#[test]
fn a_run_with_very_many_calls_is_followed_by_another() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    for at in 0..1_001 {
        made(&engine, Some("s"), Tool::Block, &update(&format!("text {at}"))).unwrap();
    }
    ready(runs.settle(&*engine.kernel));
    assert_eq!(listed(&engine, Some("s")).len(), 2);
}

/// Changes since a day.
#[test]
fn runs_before_the_day_are_left_out() {
    let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
    for text in ["one", "two"] {
        made(&engine, Some("s"), Tool::Block, &update(text)).unwrap();
        ready(runs.settle(&*engine.kernel));
        engine.kernel.pass(24 * 60 * 60 * 1_000);
    }
    let changed_from = |day: &str| {
        let arguments = json!({ "action": "list_runs", "from": day });
        made(&engine, Some("s"), Tool::System, &arguments).unwrap().data["items"].as_array().unwrap().len()
    };
    assert_eq!(["2025-06-15", "2025-06-16", "2025-06-17"].map(changed_from), [2, 1, 0]);
    let brief = made(&engine, Some("s"), Tool::System, &json!({ "action": "get_info" })).unwrap().data;
    assert_eq!(brief["changed_since_yesterday"], json!([{ "by": "Mint", "documents": 1 }]));
}
