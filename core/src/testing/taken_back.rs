//! Actions taken back as Ctrl+Z in SiYuan does, and brought again.

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
    let (tool, name) = action.split_once('.').unwrap();
    let mut arguments: Value = serde_json::from_str(&world.fill(&arguments.to_string())).unwrap();
    arguments["action"] = json!(name);
    let engine = Engine::new(world, Nobody);
    let step = |path: &str| {
        let answer = engine.kernel.ask(path, &json!({ "rootID": engine.kernel.id(documents[0]) }));
        assert_eq!(answer["failed"], Value::Null, "{path}: {answer}");
        answer
    };
    let seen = |world: &World| documents.map(|path| text_of(world, path));
    let before = seen(&engine.kernel);
    engine.kernel.pass(1_000);
    let reply = call(&engine, Tool::named(tool).unwrap(), &arguments, &Approval::Given);
    let output = reply.unwrap_or_else(|error| panic!("{action}: {error:?}"));
    assert!(output.data.get("failed").is_none(), "{action}: {:?}", output.data);
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

/// The kramdown of a document without the times of changes, the attributes of each list in order.
fn text_of(world: &World, document: &str) -> String {
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
