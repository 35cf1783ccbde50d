//! Actions taken back as Ctrl+Z in SiYuan does, and brought again; long after, too.

use serde_json::{Value, json};

use super::world::{Nobody, World, call};
use crate::dispatch::{Approval, Engine};
use crate::spec::Tool;

/// Runs an action with a person's approval and takes it back as Ctrl+Z in this document does: these documents are then
/// what they were, and after Ctrl+Y what the action made of them. It was one transaction.
pub(crate) fn check_taken_back<const N: usize>(
    action: &str,
    world: World,
    arguments: &Value,
    documents: [&str; N],
) {
    let engine = Engine::new(world, Nobody);
    let step = |path: &str| step(&engine.kernel, path, documents[0]);
    let seen = |world: &World| documents.map(|path| text_of(world, path));
    let before = seen(&engine.kernel);
    engine.kernel.pass(1_000);
    run(&engine, action, arguments);
    let after = seen(&engine.kernel);
    assert_ne!(before, after, "{action} changed nothing");
    for _ in 0..2 {
        engine.kernel.pass(1_000);
        let undone = step("transactions/undo");
        assert_eq!(seen(&engine.kernel), before, "after Ctrl+Z");
        assert_eq!(undone["canUndo"], false, "{action} was more than one transaction");
        step("transactions/redo");
        assert_eq!(seen(&engine.kernel), after, "after Ctrl+Y");
    }
}

/// Runs an action with a person's approval; all of it succeeds.
pub(crate) fn run(engine: &Engine<World, Nobody>, action: &str, arguments: &Value) {
    let (tool, name) = action.split_once('.').unwrap();
    let mut arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    arguments["action"] = json!(name);
    let reply = call(engine, Tool::named(tool).unwrap(), &arguments, &Approval::Given);
    let output = reply.unwrap_or_else(|error| panic!("{action}: {error:?}"));
    assert!(output.data.get("failed").is_none(), "{action}: {:?}", output.data);
}

/// Takes the newest step of a document back (`transactions/undo`), or brings it again (`transactions/redo`).
pub(crate) fn step(world: &World, path: &str, document: &str) -> Value {
    let answer = world.ask(path, &json!({ "rootID": world.id(document) }));
    assert_eq!(answer["failed"], Value::Null, "{path}: {answer}");
    answer
}

/// Runs an action with a person's approval, which changes these documents and adds no step to their undo logs.
pub(crate) fn check_no_step<const N: usize>(
    action: &str,
    world: World,
    arguments: &Value,
    documents: [&str; N],
) {
    let engine = Engine::new(world, Nobody);
    let seen = |world: &World| documents.map(|path| text_of(world, path));
    let before = seen(&engine.kernel);
    run(&engine, action, arguments);
    assert_ne!(before, seen(&engine.kernel), "{action} changed nothing");
    for document in documents {
        let state =
            engine.kernel.ask("transactions/undoState", &json!({ "rootID": engine.kernel.id(document) }));
        assert_eq!(state["canUndo"], false, "{action} {arguments}: {document}");
    }
}

/// The kramdown of a document without the times of changes, the attributes of each list in order.
pub(crate) fn text_of(world: &World, document: &str) -> String {
    let answer = world.ask("block/getBlockKramdown", &json!({ "id": world.id(document) }));
    let lines = answer["kramdown"].as_str().unwrap().split("{: ").map(|part| {
        let Some((list, rest)) = part.split_once('}') else { return part.to_owned() };
        let mut attributes: Vec<&str> = list
            .split("\" ")
            .filter(|it| !it.starts_with("updated="))
            .map(|it| it.trim_end_matches('"'))
            .collect();
        attributes.sort_unstable();
        format!("{}}}{rest}", attributes.join(" "))
    });
    lines.collect::<Vec<_>>().join("{: ")
}
