//! The rules of a notebook come with the first write into it in a session (B-017).

use puppy_core::activity::Transport;
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::part::Part;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::world::{Nobody, World, ready, shown};

fn world() -> World {
    let world = World::new()
        .notebook("Garden", "rw")
        .notebook("Reading", "rw")
        .notebook("Private", "none")
        .doc("/Garden/AGENTS", "Water in the evening.")
        .doc("/Garden/Beds", "Cold.")
        .doc("/Reading/Maps", "Old.")
        .doc("/Reading/Below/AGENTS", "Not at the top.")
        .doc("/Private/AGENTS", "quicksilver");
    world.pass(10_000);
    world
}

/// A call in a session, which may have no name, as the model sees its answer.
fn say(engine: &Engine<World, Nobody>, session: &str, tool: Tool, arguments: &Value) -> String {
    let arguments = arguments.as_object().cloned().unwrap();
    let call =
        Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: String::new() };
    shown(&ready(engine.dispatch_in((!session.is_empty()).then_some(session), call, &Approval::Given)))
}

/// B-017: once in a session and notebook, with a write that was made, and never with a read or a preview.
#[test]
fn first_write_brings_the_rules_of_its_notebook() {
    let engine = Engine::new(world(), Nobody);
    let add = |session: &str, doc: &str, preview: bool| {
        let id = engine.kernel.id(doc);
        let arguments = json!({ "action": "append", "id": id, "markdown": "New.", "preview": preview });
        say(&engine, session, Tool::Block, &arguments)
    };
    let read = say(&engine, "a", Tool::Fs, &json!({ "action": "read", "path": "/Garden/Beds" }));
    assert!(!read.contains("owner_rules") && !add("a", "/Garden/Beds", true).contains("owner_rules"));
    let first = add("a", "/Garden/Beds", false);
    assert!(first.contains(r#""owner_rules":{"Garden":"Water in the evening."}"#), "{first}");
    assert!(first.contains("owner_rules_are"), "{first}");
    assert!(!add("a", "/Garden/Beds", false).contains("owner_rules"));
    assert!(add("b", "/Garden/Beds", false).contains("Water in the evening."));
    // No rules at the top of this one.
    let other = add("a", "/Reading/Maps", false);
    assert!(!other.contains("owner_rules") && other.contains("ids"), "{other}");
}

/// B-017, B-055: the rules of a closed notebook never show, not even with a call that names it.
#[test]
fn rules_of_a_closed_notebook_never_show() {
    let engine = Engine::new(world(), Nobody);
    for doc in ["/Private/AGENTS", "/Garden/Beds"] {
        let arguments = json!({ "action": "append", "id": engine.kernel.id(doc), "markdown": "New." });
        let answer = say(&engine, "a", Tool::Block, &arguments);
        assert!(!answer.contains("quicksilver") && !answer.contains("Private"), "{answer}");
    }
}

/// B-017: the attribute of a notebook's own document holds rules, and comes before those of a document. No agent sets
/// it, so that the owner's word is the owner's.
#[test]
fn rules_of_an_attribute_are_the_owners() {
    let world = world();
    let note = json!({ "id": world.id("/Garden"), "attrs": { "custom-agent-rules": "No emoji." } });
    world.ask("attr/setBlockAttrs", &note);
    world.pass(10_000);
    let id = world.id("/Garden/Beds").to_owned();
    let engine = Engine::new(world, Nobody);
    let attrs = json!({ "action": "set_attrs", "id": id, "attrs": { "custom-agent-rules": "Mine." } });
    let refused = say(&engine, "a", Tool::Block, &attrs);
    assert!(refused.contains("validation_error") && refused.contains("not custom-agent-rules"), "{refused}");
    let text = json!({ "action": "append", "id": id, "markdown": "New.\n{: custom-agent-rules=\"Mine.\"}" });
    let answer = say(&engine, "a", Tool::Block, &text);
    assert!(!answer.contains("Mine."), "{answer}");
    let answer = say(&engine, "b", Tool::Block, &json!({ "action": "append", "id": id, "markdown": "New." }));
    assert!(answer.contains("No emoji.\\n\\nWater in the evening."), "{answer}");
}

/// B-017: without a session nothing tells who has heard the rules, so each write brings them.
#[test]
fn each_write_without_a_session_brings_the_rules() {
    let engine = Engine::new(world(), Nobody);
    let id = engine.kernel.id("/Garden/Beds");
    for _ in 0..2 {
        let arguments = json!({ "action": "append", "id": id, "markdown": "New." });
        let answer = say(&engine, "", Tool::Block, &arguments);
        assert!(answer.contains("Water in the evening."), "{answer}");
    }
}

/// B-017: rules that could not be read once come with the next write.
#[test]
fn rules_that_could_not_be_read_come_later() {
    let engine = Engine::new(world(), Nobody);
    let add = || {
        let id = engine.kernel.id("/Garden/Beds");
        say(&engine, "a", Tool::Block, &json!({ "action": "append", "id": id, "markdown": "New." }))
    };
    engine.kernel.fail("/api/block/getChildBlocks", "busy");
    let first = add();
    assert!(!first.contains("error") && !first.contains("owner_rules"), "{first}");
    assert!(add().contains("Water in the evening."));
    assert!(!add().contains("owner_rules"));
}

/// B-017: a call that changed nothing brings no rules, although its action may write.
#[test]
fn a_call_that_writes_nothing_brings_no_rules() {
    let engine = Engine::new(world(), Nobody);
    let id = engine.kernel.id("/Garden/Beds");
    let arguments = json!({ "action": "export", "ids": [id], "format": "md" });
    let answer = say(&engine, "a", Tool::File, &arguments);
    assert!(answer.contains("Cold.") && !answer.contains("owner_rules"), "{answer}");
}

/// B-017: of two notebooks with one name each has its rules, under its id.
#[test]
fn notebooks_of_one_name_keep_their_rules_apart() {
    let world = world();
    let other = world.ask("notebook/createNotebook", &json!({ "name": "Garden" }))["notebook"]["id"].take();
    let mut table = world.table();
    table.insert(other.as_str().unwrap().to_owned(), json!("rw"));
    let world = world
        .file("notebookPermissions", &table.into())
        .named("/Other", other.as_str().unwrap().to_owned())
        .doc("/Other/AGENTS", "Water in the morning.")
        .doc("/Other/Beds", "Warm.");
    world.pass(10_000);
    let engine = Engine::new(world, Nobody);
    let (one, two) = (engine.kernel.id("/Garden/Beds"), engine.kernel.id("/Other/Beds"));
    let arguments = json!({ "action": "set_attrs", "attr_updates": [
        { "id": one, "attrs": { "custom-seen": "1" } },
        { "id": two, "attrs": { "custom-seen": "1" } },
    ] });
    let answer = say(&engine, "a", Tool::Block, &arguments);
    assert!(answer.contains("in the evening") && answer.contains("in the morning"), "{answer}");
}
