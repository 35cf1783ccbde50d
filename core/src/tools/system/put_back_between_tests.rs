//! Tests of `system.put_back`: what happened between two calls of a run, or between a call and its record.

use super::*;
use crate::kernel::{Ambient as _, KernelError};
use crate::testing::world::world_of;

/// SiYuan knows no document while it indexes, as it does right after a removal: the run still says what was removed.
#[test]
fn a_removal_is_recorded_although_siyuan_indexes() {
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Beds", "mint"));
    let before = notes(&engine.kernel);
    engine.kernel.pass(2_000);
    let remove = json!({ "action": "remove", "ids": ["{/Garden/Beds}"] });
    made(&engine, Some("s"), Tool::Document, &remove).unwrap();
    engine.kernel.fail_times("/api/filetree/getPathByID", 2, || KernelError::Indexing);
    ready(runs.settle(&*engine.kernel));
    engine.kernel.pass(2_000);
    let reply = put_back(&engine, &runs, Some("s"), &newest(&engine));
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// SiYuan ends between the change and its record: the document counts as unfinished, and not as removed.
#[test]
fn a_kernel_that_is_silent_removes_nothing() {
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Beds", "mint"));
    let before = notes(&engine.kernel);
    engine.kernel.pass(2_000);
    let update = json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "sage" });
    made(&engine, Some("s"), Tool::Block, &update).unwrap();
    engine.kernel.fail_times("/api/", usize::MAX, || KernelError::Refused);
    ready(runs.settle(&*engine.kernel));
    engine.kernel.fail_times("/api/", 0, || KernelError::Refused);
    engine.kernel.pass(2_000);
    let append = json!({ "action": "append", "id": "{/Garden/Beds}", "markdown": "rue" });
    made(&engine, Some("s"), Tool::Block, &append).unwrap();
    ready(runs.settle(&*engine.kernel));
    let listed = made(&engine, None, Tool::System, &json!({ "action": "list_runs" })).unwrap().data;
    assert_ne!(listed["items"][0]["documents"][0]["was"], "removed", "{listed:?}");
    let run = newest(&engine);
    let document = json!({ "action": "put_back", "run": run, "document": "{/Garden/Beds}" });
    made(&engine, None, Tool::System, &document).unwrap();
    assert_eq!(notes(&engine.kernel), before);
}

/// A person moves a document, or the one above it, and writes in it, while the run goes on.
#[test]
fn what_a_person_moved_between_two_calls_stays_there() {
    let update = |at: usize, markdown: &str| {
        let id = format!("{{/Garden/Shelf/Beds#{at}}}");
        json!({ "action": "update", "id": id, "markdown": markdown })
    };
    for moved in ["/Garden/Shelf/Beds", "/Garden/Shelf"] {
        let world = World::new().notebook("Garden", "rwd").docs(["/Garden/Shed", "/Garden/Shelf"]);
        let (engine, runs) = keeping(world.doc("/Garden/Shelf/Beds", "mint\n\nsage\n\nrue"));
        let first = did(&engine, &runs, Tool::Block, &update(0, "thyme"));
        move_as_person(&engine.kernel, moved, "/Garden/Shed");
        let body = json!({ "id": engine.kernel.id("/Garden/Shelf/Beds#1"), "dataType": "markdown", "data": "own words" });
        engine.kernel.ask("block/updateBlock", &body);
        let beds = engine.kernel.id("/Garden/Shelf/Beds").to_owned();
        let was = place(&engine.kernel, &beds);
        let run = did(&engine, &runs, Tool::Block, &update(2, "dill"));
        assert_eq!(run, first);
        let reply = put_back(&engine, &runs, Some("s"), &run);
        assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{moved} {reply}");
        assert_eq!(place(&engine.kernel, &beds), was, "{moved}");
        let text = notes(&engine.kernel).remove(&beds).unwrap().0.to_string();
        let has = |it: &str| text.contains(it);
        assert!(has("mint") && has("own words") && has("rue") && !has("thyme") && !has("dill"), "{text}");
    }
}

/// The rows that a person added to a database would go with the document that the run made.
#[test]
fn a_new_document_stays_when_somebody_changed_its_database() {
    for is_changed in [false, true] {
        let (engine, runs) = keeping(World::new().notebook("Garden", "rwd"));
        let before = notes(&engine.kernel);
        let write = json!({ "action": "write", "path": "/Garden/New", "markdown": "new" });
        did(&engine, &runs, Tool::Fs, &write);
        let new = notes(&engine.kernel).into_keys().find(|id| !before.contains_key(id)).unwrap();
        let create =
            json!({ "action": "create", "parent": new, "name": "Seeds", "rows": [{ "title": "mint" }] });
        let run = did(&engine, &runs, Tool::Av, &create);
        if is_changed {
            let text = notes(&engine.kernel).remove(&new).unwrap().0.to_string();
            let (_, rest) = text.split_once("\"AttributeViewID\":\"").unwrap();
            let (av, _) = rest.split_once('"').unwrap();
            let row = json!({ "id": "20250101000000-ownrow0", "isDetached": true, "content": "own words" });
            engine.kernel.ask("av/addAttributeViewBlocks", &json!({ "avID": av, "srcs": [row] }));
        }
        let reply = put_back(&engine, &runs, Some("s"), &run);
        let expected = if is_changed { (0, 1) } else { (1, 0) };
        assert_eq!((count(&reply, "put_back"), count(&reply, "left")), expected, "{reply}");
        assert_eq!(notes(&engine.kernel).contains_key(&new), is_changed);
    }
}

/// A block that a person writes during a call is not the agent's, as far as its requests name their blocks.
#[test]
fn what_a_person_writes_during_a_call_stays() {
    let world = World::new().notebook("Garden", "rwd").doc("/Garden/Beds", "mint\n\nsage\n\n* rue\n* dill");
    let (engine, runs) = keeping(world);
    engine.kernel.pass(2_000);
    let update = json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "thyme\n\ncress" });
    made(&engine, Some("s"), Tool::Block, &update).unwrap();
    // The call is not recorded yet.
    let own_words =
        json!({ "id": engine.kernel.id("/Garden/Beds#1"), "dataType": "markdown", "data": "own words" });
    engine.kernel.ask("block/updateBlock", &own_words);
    ready(runs.settle(&*engine.kernel));
    engine.kernel.pass(2_000);
    let reply = put_back(&engine, &runs, Some("s"), &newest(&engine));
    assert_eq!((count(&reply, "put_back"), count(&reply, "left")), (1, 0), "{reply}");
    let beds = engine.kernel.id("/Garden/Beds").to_owned();
    let text = notes(&engine.kernel).remove(&beds).unwrap().0.to_string();
    let has = |it: &str| text.contains(it);
    assert!(has("mint") && has("own words") && has("rue") && !has("thyme") && !has("cress"), "{text}");
}

/// After a crash nobody knows what was the run's, and putting back by name says that the rest goes too.
#[test]
fn what_naming_an_unfinished_document_costs_is_said_before() {
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Beds", "mint\n\nsage"));
    engine.kernel.pass(2_000);
    let update = json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "thyme" });
    made(&engine, Some("s"), Tool::Block, &update).unwrap();
    engine.kernel.fail_times("/api/", usize::MAX, || KernelError::Refused);
    ready(runs.settle(&*engine.kernel));
    engine.kernel.fail_times("/api/", 0, || KernelError::Refused);
    let run = newest(&engine);
    let document = json!({ "action": "put_back", "run": run, "document": "{/Garden/Beds}", "preview": true });
    let preview = made(&engine, None, Tool::System, &document).unwrap().data;
    assert_eq!(preview["documents"][0]["overwrites"], true, "{preview:?}");
}

/// SiYuan makes versions of its own when blocks move, under the name of those of the same second. And documents that
/// exchanged blocks cannot both be written first: SiYuan gives new ids to blocks that are elsewhere.
#[test]
fn blocks_that_moved_in_one_second_go_back_with_their_ids() {
    // The second time the first call is recorded only after the second one ended.
    for is_recorded_late in [false, true] {
        let world = World::new().notebook("Garden", "rwd");
        let world = world.doc("/Garden/Beds", "mint\n\nsage\n\nrue").doc("/Garden/Paths", "gravel\n\nslate");
        let (engine, runs) = keeping(world);
        let before = notes(&engine.kernel);
        let (to_paths, to_beds) = (["{/Garden/Beds#0}", "{/Garden/Beds#1}"], ["{/Garden/Paths#0}"]);
        for (ids, target) in [(&to_paths[..], "{/Garden/Paths}"), (&to_beds[..], "{/Garden/Beds}")] {
            let arguments = json!({ "action": "move", "ids": ids, "target": target, "position": "last" });
            made(&engine, Some("s"), Tool::Block, &arguments).unwrap();
            if !is_recorded_late {
                ready(runs.settle(&*engine.kernel));
            }
        }
        ready(runs.settle(&*engine.kernel));
        assert_ne!(notes(&engine.kernel), before);
        let run = newest(&engine);
        let reply = put_back(&engine, &runs, Some("s"), &run);
        let counts = ["put_back", "failed", "left"].map(|key| count(&reply, key));
        assert_eq!(counts, [2, 0, 0], "{reply}");
        assert_eq!(notes(&engine.kernel), before);
    }
}

/// A crash between a move across documents and its record: neither goes back without the other.
#[test]
fn all_that_a_crash_left_unfinished_goes_back_at_once() {
    let world = World::new().notebook("Garden", "rwd");
    let world = world.doc("/Garden/Beds", "mint\n\nsage\n\nrue").doc("/Garden/Paths", "gravel\n\nslate");
    let (engine, _) = keeping(world);
    let before = notes(&engine.kernel);
    engine.kernel.pass(2_000);
    let moving = json!({ "action": "move", "ids": ["{/Garden/Beds#1}"], "target": "{/Garden/Paths}", "position": "last" });
    made(&engine, Some("s"), Tool::Block, &moving).unwrap();
    let (engine, runs) = keeping(world_of(engine));
    let arguments = json!({ "action": "put_back", "run": newest_id(&engine), "unfinished": true });
    let preview =
        json!({ "action": "put_back", "run": newest_id(&engine), "unfinished": true, "preview": true });
    let preview = made(&engine, None, Tool::System, &preview).unwrap().data;
    assert_eq!(preview["documents"][1]["overwrites"], true, "{preview:?}");
    // No agent decides about what others may have written since.
    let reply = made(&engine, Some("t"), Tool::System, &arguments).unwrap_err();
    assert_eq!(reply.kind, ErrorType::NotFound);
    let reply = made(&engine, None, Tool::System, &arguments).unwrap().data;
    ready(runs.settle(&*engine.kernel));
    let reply = Value::Object(reply);
    assert_eq!(["put_back", "failed", "left"].map(|key| count(&reply, key)), [2, 0, 0], "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// A document that somebody removed since is named as its version has it.
#[test]
fn a_document_that_is_gone_is_named() {
    let world = World::new().notebook("Garden", "rwd").doc("/Garden/Beds", "mint");
    let (engine, runs) = keeping(world);
    let update = json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "sage" });
    let run = did(&engine, &runs, Tool::Block, &update);
    engine.kernel.ask("filetree/removeDocByID", &json!({ "id": engine.kernel.id("/Garden/Beds") }));
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!(reply["left"][0]["title"], "Beds", "{reply}");
    // An agent learns nothing of what it may not read any more.
    let levels = json!({ engine.kernel.id("/Garden"): "none" });
    engine.kernel.put("notebookPermissions", &levels);
    engine.kernel.pass(10_000);
    let arguments = json!({ "action": "put_back", "run": run });
    let reply = made(&engine, Some("s"), Tool::System, &arguments);
    assert!(!format!("{reply:?}").contains("Beds"), "{reply:?}");
}

/// Three documents that gave a block to the next one, in a ring, and a fourth that only got one.
#[test]
fn blocks_that_went_around_in_a_ring_go_back() {
    let world = World::new().notebook("Garden", "rwd");
    let world = ["A", "B", "C", "D"].into_iter().fold(world, |world, name| {
        world.doc(&format!("/Garden/{name}"), &format!("one of {name}\n\ntwo of {name}\n\nthree of {name}"))
    });
    let (engine, runs) = keeping(world);
    let before = notes(&engine.kernel);
    for (block, target) in [("A#0", "B"), ("B#0", "C"), ("C#0", "A"), ("A#1", "D")] {
        let ids = [format!("{{/Garden/{block}}}")];
        let target = format!("{{/Garden/{target}}}");
        let arguments = json!({ "action": "move", "ids": ids, "target": target, "position": "last" });
        did(&engine, &runs, Tool::Block, &arguments);
    }
    let reply = put_back(&engine, &runs, Some("s"), &newest(&engine));
    let counts = ["put_back", "failed", "left"].map(|key| count(&reply, key));
    assert_eq!(counts, [4, 0, 0], "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// A person's edit of a later document, while an earlier one goes back, is neither overwritten nor lost.
#[test]
fn what_somebody_changes_during_putting_back_stays() {
    let world = World::new().notebook("Garden", "rwd").doc("/Garden/Beds", "mint");
    let (engine, runs) = keeping(world.doc("/Garden/Paths", "gravel"));
    did(
        &engine,
        &runs,
        Tool::Block,
        &json!({ "action": "update", "id": "{/Garden/Beds#0}", "markdown": "x" }),
    );
    let run = did(
        &engine,
        &runs,
        Tool::Block,
        &json!({ "action": "update", "id": "{/Garden/Paths#0}", "markdown": "x" }),
    );
    engine.kernel.interrupt("/api/history/rollbackDocHistory", |world| {
        let body =
            json!({ "parentID": world.id("/Garden/Paths"), "dataType": "markdown", "data": "own words" });
        world.ask("block/appendBlock", &body);
    });
    let reply = put_back(&engine, &runs, None, &run);
    assert_eq!((count(&reply, "put_back"), count(&reply, "failed")), (1, 1), "{reply}");
    let after = notes(&engine.kernel);
    let text = after[engine.kernel.id("/Garden/Paths")].0.to_string();
    assert!(text.contains("own words"), "{text}");
}

/// The changes that SiYuan can take back with Ctrl+Z go back with their run, too. When blocks move, SiYuan makes a
/// version of its own, which replaces none from before the run.
#[test]
fn changes_with_a_way_back_go_back_with_their_run() {
    let text = "mint\n\n# Sage\n\nrue\n\n# Thyme\n\ndill\n\n* [ ] weed\n* dig";
    let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Beds", text));
    let before = notes(&engine.kernel);
    let is_undone = |engine: &Engine<World, Nobody>| {
        let state = json!({ "rootID": engine.kernel.id("/Garden/Beds") });
        engine.kernel.ask("transactions/undoState", &state)["canUndo"] == false
    };
    let item = |at: usize| json!({ "id": format!("{{/Garden/Beds#{at}}}"), "attrs": { "memo": "new" } });
    for (action, mut arguments) in [
        ("update", json!({ "id": "{/Garden/Beds#0}", "markdown": "balm" })),
        ("move", json!({ "ids": ["{/Garden/Beds#2}", "{/Garden/Beds#0}"], "target": "{/Garden/Beds#4}" })),
        ("move_section", json!({ "id": "{/Garden/Beds#1}", "after": "{/Garden/Beds#3}" })),
        ("set_attrs", json!({ "attr_updates": [item(1), item(4)] })),
        ("set_heading_level", json!({ "id": "{/Garden/Beds#1}", "level": 2 })),
        ("delete", json!({ "ids": ["{/Garden/Beds#4}", "{/Garden/Beds#0}"] })),
    ] {
        assert_eq!(is_undone(&engine), action == "update" || action == "move", "before {action}");
        arguments["action"] = json!(action);
        made(&engine, Some("s"), Tool::Block, &arguments).unwrap();
    }
    ready(runs.settle(&*engine.kernel));
    assert_ne!(notes(&engine.kernel), before);
    let reply = put_back(&engine, &runs, Some("s"), &newest(&engine));
    let counts = ["put_back", "failed", "left"].map(|key| count(&reply, key));
    assert_eq!(counts, [1, 0, 0], "{reply}");
    assert_eq!(notes(&engine.kernel), before);
}

/// The version that SiYuan makes for the first change of a run equals the one that was just made. And a move past fewer
/// blocks than move looks like a move of those.
#[test]
fn the_first_move_of_a_run_waits_for_no_second() {
    for moves in [
        json!({ "action": "move", "ids": ["{/Garden/Beds#0}"], "target": "{/Garden/Beds#1}" }),
        json!({ "action": "move_section", "id": "{/Garden/Beds#1}", "after": "{/Garden/Beds#4}" }),
    ] {
        let text = "mint\n\n# Sage\n\nrue\n\nbalm\n\n# Dill";
        let (engine, runs) = keeping(World::new().notebook("Garden", "rwd").doc("/Garden/Beds", text));
        let (before, start) = (notes(&engine.kernel), engine.kernel.now_ms());
        made(&engine, Some("s"), Tool::Block, &moves).unwrap();
        assert_eq!(engine.kernel.now_ms(), start);
        let state = json!({ "rootID": engine.kernel.id("/Garden/Beds") });
        assert_eq!(engine.kernel.ask("transactions/undoState", &state)["canUndo"], true);
        ready(runs.settle(&*engine.kernel));
        assert_ne!(notes(&engine.kernel), before);
        put_back(&engine, &runs, Some("s"), &newest(&engine));
        assert_eq!(notes(&engine.kernel), before);
    }
}
