//! Tests of `system.put_back`: notes return to the byte but for times, and what somebody changed since stays.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::testing::{keeping, made};
use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::kernel::files;
use crate::runs::Runs;
use crate::runs::record::{folder, id_of};
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, ready, world};

type Notes = BTreeMap<String, (Value, String)>;

/// The text and the place of every document, without times.
fn notes(world: &World) -> Notes {
    let rows = world
        .ask("query/sql", &json!({ "stmt": "SELECT id, box, path FROM blocks WHERE type = 'd' LIMIT 1000" }));
    let mut notes = BTreeMap::new();
    for row in rows.as_array().unwrap() {
        let place = format!("{}{}", row["box"].as_str().unwrap(), row["path"].as_str().unwrap());
        let body = json!({ "path": format!("/data/{place}") });
        let file = world.demo.answer("/api/file/getFile", body.to_string().as_bytes());
        let mut tree: Value = serde_json::from_slice(&file.body).unwrap();
        without_times(&mut tree);
        notes.insert(row["id"].as_str().unwrap().to_owned(), (tree, place));
    }
    notes
}

fn without_times(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            fields.shift_remove("updated");
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// Documents of which one is changed, one moved and one removed with its child; a new one is created.
fn worked() -> (Engine<World, Nobody>, Arc<Runs>, Notes) {
    let world =
        World::new().notebook("Garden", "rwd").docs(["/Garden/Old", "/Garden/Old/Below", "/Garden/Shed"]);
    let (engine, runs) = keeping(world.doc("/Garden/Beds", "mint\n\nsage").doc("/Garden/Paths", "gravel"));
    let before = notes(&engine.kernel);
    for (tool, arguments) in [
        (Tool::Block, json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "thyme" })),
        (Tool::Document, json!({ "action": "move", "ids": ["{/Garden/Paths}"], "parent": "{/Garden/Shed}" })),
        (Tool::Document, json!({ "action": "remove", "ids": ["{/Garden/Old}"], "recursive": true })),
        (Tool::Fs, json!({ "action": "write", "path": "/Garden/New", "markdown": "new" })),
        (Tool::Block, json!({ "action": "append", "id": "{/Garden/Beds}", "markdown": "rue" })),
    ] {
        engine.kernel.pass(2_000);
        made(&engine, Some("s"), tool, &arguments).unwrap();
        ready(runs.settle(&engine.kernel));
    }
    engine.kernel.pass(2_000);
    (engine, runs, before)
}

/// The newest run.
fn newest(engine: &Engine<World, Nobody>) -> String {
    let list = made(engine, None, Tool::System, &json!({ "action": "list_runs" })).unwrap().data;
    list["items"][0]["run"].as_str().unwrap().to_owned()
}

fn put_back(engine: &Engine<World, Nobody>, runs: &Runs, session: Option<&str>, run: &str) -> Value {
    let arguments = json!({ "action": "put_back", "run": run });
    let reply = made(engine, session, Tool::System, &arguments).unwrap().data;
    ready(runs.settle(&engine.kernel));
    engine.kernel.pass(2_000);
    Value::Object(reply)
}

fn count(reply: &Value, key: &str) -> usize {
    reply[key].as_array().map_or(0, Vec::len)
}

#[test]
fn a_run_goes_back_to_the_byte_and_so_does_putting_back() {
    let (engine, runs, before) = worked();
    let after = notes(&engine.kernel);
    assert_ne!(before, after);
    let run = newest(&engine);
    let reply = put_back(&engine, &runs, Some("s"), &run);
    assert_eq!((count(&reply, "failed"), count(&reply, "left")), (0, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), before);
    // A second time there is nothing to do.
    let again = put_back(&engine, &runs, Some("s"), &run);
    assert_eq!(count(&again, "put_back"), 0, "{again}");
    assert_eq!(notes(&engine.kernel), before);
    // Putting back is a run of its own.
    let back = newest(&engine);
    assert_ne!(back, run);
    let reply = put_back(&engine, &runs, Some("s"), &back);
    assert_eq!((count(&reply, "failed"), count(&reply, "left")), (0, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), after);
}

/// A document that somebody changed since stays and is named; the rest goes back.
#[test]
fn a_document_that_somebody_changed_since_stays() {
    let (engine, runs, before) = worked();
    let body =
        json!({ "parentID": engine.kernel.id("/Garden/Beds"), "dataType": "markdown", "data": "by hand" });
    engine.kernel.ask("block/appendBlock", &body);
    let beds = engine.kernel.id("/Garden/Beds").to_owned();
    let touched = notes(&engine.kernel);
    let reply = put_back(&engine, &runs, None, &newest(&engine));
    assert_eq!(count(&reply, "left"), 1, "{reply}");
    assert_eq!((&reply["left"][0]["id"], &reply["left"][0]["title"]), (&json!(beds), &json!("Beds")));
    let mut expected = before;
    expected.insert(beds.clone(), touched[&beds].clone());
    assert_eq!(notes(&engine.kernel), expected);
}

/// The runs of other sessions are theirs, and look like missing ones.
#[test]
fn agents_put_back_their_own_runs_only() {
    let (engine, _, _) = worked();
    let run = newest(&engine);
    let ask = |run: &str| {
        made(&engine, Some("t"), Tool::System, &json!({ "action": "put_back", "run": run })).unwrap_err()
    };
    assert_eq!(ask(&run), ask("1-2"));
    assert_eq!(ask(&run).kind, ErrorType::NotFound);
}

/// The program ended between the change and its record; another one puts it back.
#[test]
fn a_run_that_a_crash_ended_goes_back() {
    let (engine, _) = keeping(world().doc("/Garden/Beds", "mint"));
    let before = notes(&engine.kernel);
    let update = json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "sage" });
    made(&engine, Some("s"), Tool::Block, &update).unwrap();
    let (engine, runs) = keeping(engine.kernel);
    let reply = put_back(&engine, &runs, None, &newest_id(&engine));
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// The id in the name of the only file of a run.
fn newest_id(engine: &Engine<World, Nobody>) -> String {
    let listed = ready(files::list(&engine.kernel, &folder())).unwrap();
    id_of(&listed[0].name).unwrap().to_owned()
}
