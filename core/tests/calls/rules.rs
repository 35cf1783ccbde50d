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

/// A call in a session, as the model sees its answer.
fn say(engine: &Engine<World, Nobody>, session: &str, tool: Tool, arguments: &Value) -> String {
    let arguments = arguments.as_object().cloned().unwrap();
    let call = Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio };
    shown(&ready(engine.dispatch_in(session, call, &Approval::Given)))
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
