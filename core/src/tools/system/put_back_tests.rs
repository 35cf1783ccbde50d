//! Tests of `system.put_back`: notes return to the byte but for times, and what somebody changed since stays.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::testing::{keeping, made};
use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::kernel::files;
use crate::runs::Runs;
use crate::runs::record::{RunRecord, folder, id_of, path_of};
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, ready, world, world_of};

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
        ready(runs.settle(&*engine.kernel));
    }
    engine.kernel.pass(2_000);
    (engine, runs, before)
}

/// The newest run.
fn newest(engine: &Engine<World, Nobody>) -> String {
    let list = made(engine, None, Tool::System, &json!({ "action": "list_runs" })).unwrap().data;
    list["items"][0]["run"].as_str().unwrap().to_owned()
}

/// The file of a run.
fn record(engine: &Engine<World, Nobody>, run: &str) -> RunRecord {
    let bytes = ready(files::read(&*engine.kernel, &path_of(run))).unwrap().unwrap();
    RunRecord::parse(&bytes).unwrap()
}

fn put_back(engine: &Engine<World, Nobody>, runs: &Runs, session: Option<&str>, run: &str) -> Value {
    let arguments = json!({ "action": "put_back", "run": run });
    let reply = made(engine, session, Tool::System, &arguments).unwrap().data;
    ready(runs.settle(&*engine.kernel));
    engine.kernel.pass(2_000);
    Value::Object(reply)
}

fn count(reply: &Value, key: &str) -> usize {
    reply[key].as_array().map_or(0, Vec::len)
}

#[test]
fn a_run_goes_back_to_the_byte_and_so_does_putting_back() {
    let (engine, runs, before) = worked();
    let (after, run) = (notes(&engine.kernel), newest(&engine));
    assert_ne!(before, after);
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

/// A block that somebody changed since stays and is named; the rest of its document and of the run goes back.
#[test]
fn blocks_that_somebody_changed_since_stay() {
    let (engine, runs, mut before) = worked();
    let [beds, block] = ["/Garden/Beds", "/Garden/Beds#0"].map(|it| engine.kernel.id(it).to_owned());
    let body = json!({ "id": block, "dataType": "markdown", "data": "own words" });
    engine.kernel.ask("block/updateBlock", &body);
    let body = json!({ "parentID": beds, "dataType": "markdown", "data": "an own block" });
    engine.kernel.ask("block/appendBlock", &body);
    let reply = put_back(&engine, &runs, None, &newest(&engine));
    let left = json!([{ "id": beds, "title": "Beds", "why": reply["left"][0]["why"], "blocks": [block] }]);
    assert_eq!((&reply["left"], count(&reply, "failed")), (&left, 0), "{reply}");
    let mut after = notes(&engine.kernel);
    let text = after.remove(&beds).unwrap().0.to_string();
    let has = |it: &str| text.contains(it);
    assert!(has("own words") && has("an own block") && has("sage") && !has("rue"), "{text}");
    before.remove(&beds);
    assert_eq!(after, before);
}

/// One call goes back, and what the other calls of the run did stays.
#[test]
fn a_call_of_a_run_goes_back() {
    let (engine, runs, before) = worked();
    let (after, run) = (notes(&engine.kernel), newest(&engine));
    // The calls in the order of `worked`; the document of each, if it had one.
    let documents =
        ["/Garden/Beds", "/Garden/Paths", "/Garden/Old"].map(|it| engine.kernel.id(it).to_owned());
    for (call, document) in documents.iter().enumerate() {
        let arguments = json!({ "action": "put_back", "run": run, "call": call });
        let reply = made(&engine, None, Tool::System, &arguments).unwrap().data;
        assert_eq!(reply["left"], json!([]), "{reply:?}");
        ready(runs.settle(&*engine.kernel));
        engine.kernel.pass(2_000);
        let now = notes(&engine.kernel);
        match call {
            0 => {
                let text = now[document].0.to_string();
                assert!(text.contains("mint") && text.contains("rue") && !text.contains("thyme"), "{text}");
                assert!(now.iter().all(|(id, it)| id == document || after.get(id) == Some(it)));
            }
            _ => assert_eq!(now.get(document), before.get(document)),
        }
    }
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

/// The program ended between the change and its record. Nothing tells the run's change from a later one, so only a
/// person who names the document puts it back.
#[test]
fn what_a_crash_left_goes_back_when_a_person_names_it() {
    let remove = json!({ "action": "remove", "ids": ["{/Garden/Beds}"] });
    let update = json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "sage" });
    let below = json!({ "action": "move", "ids": ["{/Garden/Beds}"], "parent": "{/Garden/Shed}" });
    for (tool, arguments) in [(Tool::Block, update), (Tool::Document, remove), (Tool::Document, below)] {
        let world = World::new().notebook("Garden", "rwd").docs(["/Garden/Shed"]);
        let (engine, _) = keeping(world.doc("/Garden/Beds", "mint"));
        let before = notes(&engine.kernel);
        engine.kernel.pass(2_000);
        made(&engine, Some("s"), tool, &arguments).unwrap();
        let (engine, runs) = keeping(world_of(engine));
        let run = newest_id(&engine);
        let listed = made(&engine, None, Tool::System, &json!({ "action": "list_runs" })).unwrap().data;
        assert_eq!(listed["items"][0]["documents"][0]["was"], "unfinished", "{listed:?}");
        let reply = put_back(&engine, &runs, None, &run);
        assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (0, 1), "{reply}");
        assert!(reply["left"][0]["why"].as_str().unwrap().contains("a person"), "{reply}");
        let document = json!({ "action": "put_back", "run": run, "document": "{/Garden/Beds}" });
        let reply = made(&engine, None, Tool::System, &document).unwrap().data;
        assert_eq!(reply["put_back"].as_array().unwrap().len(), 1, "{reply:?}");
        assert_eq!(notes(&engine.kernel), before);
    }
}

/// One call of an agent, recorded; time passes before and after it.
fn did(engine: &Engine<World, Nobody>, runs: &Runs, tool: Tool, arguments: &Value) -> String {
    engine.kernel.pass(2_000);
    made(engine, Some("s"), tool, arguments).unwrap();
    ready(runs.settle(&*engine.kernel));
    engine.kernel.pass(2_000);
    newest(engine)
}

/// Somebody's document below another one, by hpath.
fn created_by_person(world: &World, hpath: &str) -> String {
    let body = json!({ "notebook": world.id("/Garden"), "path": hpath, "markdown": "own words" });
    world.ask("filetree/createDocWithMd", &body).as_str().unwrap().to_owned()
}

/// The notebook and storage path of a document; null if it is gone.
fn place(world: &World, id: &str) -> Value {
    let body = json!({ "id": id }).to_string();
    let answer = world.demo.answer("/api/filetree/getPathByID", body.as_bytes());
    let mut envelope: Value = serde_json::from_slice(&answer.body).unwrap();
    envelope["data"].take()
}

fn move_as_person(world: &World, id: &str, to: &str) {
    let body = json!({ "fromIDs": [world.id(id)], "toID": world.id(to) });
    world.ask("filetree/moveDocsByID", &body);
}

/// SiYuan would put it below its parent, wherever that is now. The answer is that for a parent that is gone.
#[test]
fn nothing_goes_back_below_a_document_that_went_elsewhere() {
    let moving = json!({ "action": "move", "ids": ["{/Garden/Parent/Child}"], "parent": "{/Garden/Shed}" });
    let removing = json!({ "action": "remove", "ids": ["{/Garden/Parent/Child}"] });
    for arguments in [moving, removing] {
        let mut answers = Vec::new();
        for to in ["/Private", "/Attic", ""] {
            let world = World::new().notebook("Garden", "rwd").notebook("Private", "none");
            let world =
                world.notebook("Attic", "r").docs(["/Garden/Parent", "/Garden/Parent/Child", "/Garden/Shed"]);
            let (engine, runs) = keeping(world);
            let run = did(&engine, &runs, Tool::Document, &arguments);
            let child = engine.kernel.id("/Garden/Parent/Child").to_owned();
            if to.is_empty() {
                engine
                    .kernel
                    .ask("filetree/removeDocByID", &json!({ "id": engine.kernel.id("/Garden/Parent") }));
            } else {
                move_as_person(&engine.kernel, "/Garden/Parent", to);
            }
            let was = place(&engine.kernel, &child);
            let reply = put_back(&engine, &runs, Some("s"), &run);
            assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (0, 1), "{to} {reply}");
            assert_eq!(place(&engine.kernel, &child), was, "{to}");
            answers.push(engine.kernel.unfill(&reply["left"].to_string()));
        }
        assert!(answers.iter().all(|it| *it == answers[0]), "{answers:?}");
    }
}

/// The parent leaves between the plan and its step.
#[test]
fn nothing_goes_back_below_a_document_that_leaves_meanwhile() {
    let world = World::new().notebook("Garden", "rwd").notebook("Private", "none");
    let (engine, runs) = keeping(world.docs(["/Garden/Parent", "/Garden/Parent/Child"]));
    let removing = json!({ "action": "remove", "ids": ["{/Garden/Parent/Child}"] });
    let run = did(&engine, &runs, Tool::Document, &removing);
    // The pipeline asks for a version after the plan and before the first step.
    engine.kernel.interrupt("/api/history/createDocHistory", |world| {
        move_as_person(world, "/Garden/Parent", "/Private");
    });
    let arguments = json!({ "action": "put_back", "run": run });
    let error = made(&engine, Some("s"), Tool::System, &arguments).unwrap_err();
    assert_eq!(error.kind, ErrorType::Conflict, "{error:?}");
    assert_eq!(place(&engine.kernel, engine.kernel.id("/Garden/Parent/Child")), Value::Null);
}

/// Answers disclose nothing about a document that is hidden now, even if the run removed it.
#[test]
fn a_document_that_is_hidden_since_is_not_named() {
    let world = World::new().notebook("Garden", "rwd").notebook("Private", "none");
    let (engine, runs) = keeping(world.doc("/Garden/Letter", "hello"));
    let run =
        did(&engine, &runs, Tool::Document, &json!({ "action": "remove", "ids": ["{/Garden/Letter}"] }));
    let record = record(&engine, &run);
    let version = json!({ "historyPath": record.documents[0].version });
    engine.kernel.ask("history/rollbackDocHistory", &version);
    move_as_person(&engine.kernel, "/Garden/Letter", "/Private");
    let secret = json!({ "id": engine.kernel.id("/Garden/Letter"), "title": "quicksilver" });
    engine.kernel.ask("filetree/renameDocByID", &secret);
    let reply = put_back(&engine, &runs, Some("s"), &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (0, 0), "{reply}");
    let listed = made(&engine, Some("s"), Tool::System, &json!({ "action": "list_runs" })).unwrap().data;
    let answers = format!("{reply}{listed:?}");
    assert!(!answers.contains("quicksilver"), "{answers}");
    // A person may bring it back, and is told that it is there.
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!(count(&reply, "left"), 1, "{reply}");
}

/// A document with documents of a person below it stays, and so does everything above.
#[test]
fn documents_above_those_of_others_stay() {
    let write = |path: &str| json!({ "action": "write", "path": path, "markdown": "new" });
    for is_hidden in [false, true] {
        let (engine, runs) = keeping(World::new().notebook("Garden", "rwd"));
        did(&engine, &runs, Tool::Fs, &write("/Garden/A"));
        did(&engine, &runs, Tool::Fs, &write("/Garden/A/B"));
        let run = did(&engine, &runs, Tool::Fs, &write("/Garden/Other"));
        let own = created_by_person(&engine.kernel, "/A/B/C");
        if is_hidden {
            let body = json!({ "id": own, "attrs": { "custom-hidden": "true" } });
            engine.kernel.ask("attr/setBlockAttrs", &body);
        }
        let reply = put_back(&engine, &runs, None, &run);
        assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 2), "{reply}");
        assert_ne!(place(&engine.kernel, &own), Value::Null);
    }
}

/// The second run of a second waits for a name of its own, in this process and in another one.
#[test]
fn no_run_destroys_the_version_of_another() {
    for is_other_process in [false, true] {
        let (engine, runs) = keeping(world().doc("/Garden/Beds", "mint"));
        let before = notes(&engine.kernel);
        let update = |text: &str| json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": text });
        made(&engine, Some("s"), Tool::Block, &update("one")).unwrap();
        ready(runs.settle(&*engine.kernel));
        let first = newest(&engine);
        let (engine, runs) = match is_other_process {
            true => {
                let runs = Arc::new(Runs::default());
                (Engine::new(world_of(engine), Nobody).keeping(Arc::clone(&runs)), runs)
            }
            false => (engine, runs),
        };
        made(&engine, Some("t"), Tool::Block, &update("two")).unwrap();
        ready(runs.settle(&*engine.kernel));
        engine.kernel.pass(2_000);
        // Both began at the same moment, so their order is that of chance.
        let listed = made(&engine, None, Tool::System, &json!({ "action": "list_runs" })).unwrap().data;
        let ids = listed["items"].as_array().unwrap().iter().map(|it| it["run"].as_str().unwrap().to_owned());
        let second = ids.into_iter().find(|it| *it != first).unwrap();
        for run in [second, first] {
            let reply = put_back(&engine, &runs, None, &run);
            assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{reply}");
        }
        assert_eq!(notes(&engine.kernel), before, "{is_other_process}");
    }
}

/// The server's clock is behind the kernel's, and a version fails: neither makes a document the run's.
#[test]
fn a_persons_document_is_never_a_creation_of_a_run() {
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd"));
    let own = created_by_person(&engine.kernel, "/Novel");
    let before = notes(&engine.kernel);
    engine.kernel.lag(8);
    let write = json!({ "action": "write", "path": "/Garden/Novel/Note", "markdown": "new" });
    let run = did(&engine, &runs, Tool::Fs, &write);
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), before);
    engine.kernel.lag(0);
    engine.kernel.pass(11 * 60_000);
    engine.kernel.fail("/api/history/createDocHistory", "no space left on device");
    let append = json!({ "action": "append", "id": own, "markdown": "more" });
    let run = did(&engine, &runs, Tool::Block, &append);
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (0, 1), "{reply}");
    assert_ne!(place(&engine.kernel, &own), Value::Null);
}

/// Documents that SiYuan made above a new one, and today's note, go with it.
#[test]
fn documents_that_the_kernel_made_go_too() {
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd"));
    let before = notes(&engine.kernel);
    did(
        &engine,
        &runs,
        Tool::Fs,
        &json!({ "action": "write", "path": "/Garden/One/Two/Three", "markdown": "new" }),
    );
    let note = json!({ "action": "add_to_daily_note", "notebook": "{/Garden}", "markdown": "rue" });
    let run = did(&engine, &runs, Tool::Block, &note);
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!((count(&reply, "failed"), count(&reply, "left")), (0, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// An agent brings back nothing that `document.restore` refuses.
#[test]
fn agents_bring_back_nothing_that_they_could_not_write() {
    let text = "{{SELECT 1 /*'*/; DROP TABLE x /*'*/}}\n\nend";
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Ask", text));
    let before = notes(&engine.kernel);
    let remove = json!({ "action": "remove", "ids": ["{/Garden/Ask}"] });
    let run = did(&engine, &runs, Tool::Document, &remove);
    let reply = put_back(&engine, &runs, Some("s"), &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (0, 1), "{reply}");
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// A notebook that permits no change keeps its documents; the others go back.
#[test]
fn a_notebook_that_is_read_only_since_keeps_its_documents() {
    let world = World::new().notebook("Garden", "rwd").notebook("Shed", "rwd");
    let (engine, runs) = keeping(world.doc("/Garden/Beds", "mint").doc("/Shed/Tools", "rake"));
    let update = |id: &str| json!({ "action": "update", "id": id, "markdown": "x" });
    did(&engine, &runs, Tool::Block, &update("{/Garden/Beds#0}"));
    let run = did(&engine, &runs, Tool::Block, &update("{/Shed/Tools#0}"));
    for level in ["r", "none"] {
        let levels = json!({ engine.kernel.id("/Garden"): "rwd", engine.kernel.id("/Shed"): level });
        engine.kernel.put("notebookPermissions", &levels);
        engine.kernel.pass(10_000);
        let arguments = json!({ "action": "put_back", "run": run, "preview": true });
        let preview = made(&engine, None, Tool::System, &arguments).unwrap().data;
        let counts = ["documents", "left"].map(|key| preview[key].as_array().map_or(0, Vec::len));
        assert_eq!(counts, [1, 1], "{level} {preview:?}");
    }
}

/// A record leads to no other place, whatever is written into it.
#[test]
fn no_path_of_a_record_leads_elsewhere() {
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Letter", "hello"));
    let remove = json!({ "action": "remove", "ids": ["{/Garden/Letter}"] });
    let run = did(&engine, &runs, Tool::Document, &remove);
    let mut record = record(&engine, &run);
    record.documents[0].path = format!("/../../../data/storage/{}.sy", record.documents[0].id);
    let bytes = serde_json::to_vec(&record).unwrap();
    ready(files::write(&*engine.kernel, &crate::runs::record::path_of(&run), bytes)).unwrap();
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (0, 1), "{reply}");
}

/// The id in the name of the only file of a run.
fn newest_id(engine: &Engine<World, Nobody>) -> String {
    let listed = ready(files::list(&*engine.kernel, &folder())).unwrap();
    id_of(&listed[0].name).unwrap().to_owned()
}

#[path = "put_back_between_tests.rs"]
mod between;

#[path = "put_back_order_tests.rs"]
mod order;
