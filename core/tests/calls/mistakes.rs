//! Mistakes that models make: the answer to each alone allows the right next call.
//!
//! The next call is made of the wrong one and of what its answer says, by a reader that knows nothing else.

mod recorded;

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::spec::Tool;
use serde_json::{Map, Value, json};

use self::recorded::mistakes;
use crate::databases::{LOOSE, NUMBER, PLANTS, carrier, column, rows};
use crate::world::{Nobody, World, call, shown};

/// The way from the answer to the next call.
enum Next {
    /// Its hint is the next call.
    Hint,
    /// The same call with the value at a pointer of the answer, as this argument.
    Take(&'static str, &'static str),
    /// The call needs no mending.
    Right,
    /// Only a person or another answer can help: it says how, in these words.
    Says(&'static str),
}

use self::Next::{Hint, Right, Says, Take};

/// A call: an action and its arguments; `{names}` stand for ids.
type Mistake = (&'static str, &'static str, Value, Next);

fn world() -> World {
    let world = World::new()
        .notebook("Garden", "rwd")
        .notebook("Reading", "r")
        .notebook("Private", "none")
        .doc("/Garden/Plants", "Many plants.\n\n# Herbs\n\nMint and sage.")
        .doc("/Garden/Plants/Mint", "Mint grows.")
        .doc("/Garden/Beds", "The beds are cold.\n\n# North side\n\nShade.\n\n# Weeds\n\nDock.")
        .doc("/Reading/Maps", "Old maps.\n\n## Weeds")
        .doc("/Private/Beds", "# North side\n\nquicksilver")
        .doc("/Garden/Harvest", "");
    let world = carrier(world, PLANTS, "/Garden/Harvest", "plants");
    column(&world, PLANTS, NUMBER, "Height", "number");
    rows(&world, PLANTS, "plants", &json!([{ "itemID": LOOSE, "isDetached": true, "content": "Basil" }]));
    world.ask("sqlite/flushTransaction", &json!({}));
    world.named("plants database", PLANTS.to_owned())
}

/// A call as a hint words it: `fs(action="read", path="/Garden")`.
fn call_in(hint: &str) -> (Tool, Value) {
    let (tool, mut rest) = hint.strip_suffix(')').and_then(|it| it.split_once('(')).unwrap();
    let mut arguments = Map::new();
    while let Some((name, behind)) = rest.split_once('=') {
        let mut values = serde_json::Deserializer::from_str(behind).into_iter::<Value>();
        arguments.insert(name.to_owned(), values.next().unwrap().unwrap());
        rest = behind[values.byte_offset()..].trim_start_matches(", ");
    }
    (Tool::named(tool).unwrap(), Value::Object(arguments))
}

/// The call that the answer leads to; `None` if it says in words what helps.
fn next(next: &Next, tool: Tool, sent: &Value, answer: &str) -> Result<Option<(Tool, Value)>, String> {
    let reply: Value = serde_json::from_str(answer.lines().next().unwrap_or_default()).unwrap_or_default();
    match next {
        Right => Err("it is answered already".to_owned()),
        Says(words) => {
            answer.contains(words).then_some(None).ok_or_else(|| format!("it does not say {words}"))
        }
        Hint => {
            let hint = reply.pointer("/error/hint").and_then(Value::as_str).ok_or("no hint")?;
            let (tool, call) = call_in(hint);
            let made_up = crate::world::ids_in(hint)
                .into_iter()
                .find(|it| !sent.to_string().contains(it) && !answer.replacen(hint, "", 1).contains(it));
            if let Some(id) = made_up {
                return Err(format!("{id} is made up in {hint}"));
            }
            // Nothing is dropped but what the error names.
            let fields = reply.pointer("/error/fields").unwrap_or(&Value::Null).to_string();
            let dropped = sent.as_object().unwrap().iter().find(|(name, value)| {
                let is_there = call.get(*name).is_some() || call.to_string().contains(&value.to_string());
                !is_there && !fields.contains(name.as_str())
            });
            match dropped {
                Some((name, _)) if !answer.contains(&format!("has no `{name}`")) => {
                    Err(format!("{name} is dropped in {hint}"))
                }
                _ => Ok(Some((tool, call))),
            }
        }
        Take(pointer, argument) => {
            let mut again = sent.clone();
            again[*argument] = reply.pointer(pointer).cloned().ok_or_else(|| format!("no {pointer}"))?;
            Ok(Some((tool, again)))
        }
    }
}

/// Every mistake whose answer does not lead to a call that succeeds.
#[test]
fn the_answer_to_a_mistake_leads_to_the_right_call() {
    let all = mistakes();
    assert!(all.len() >= 40, "{}", all.len());
    let mut lost = Vec::new();
    for (what, action, arguments, way) in all {
        let world = world();
        world.pass(1_000);
        let (tool, name) = action.split_once('.').unwrap();
        let tool = Tool::named(tool).unwrap();
        let mut sent: Value = serde_json::from_str(&world.fill(&arguments.to_string())).unwrap();
        sent["action"] = json!(name);
        let engine = Engine::new(world, Nobody);
        let reply = call(&engine, tool, &sent, &Approval::Given);
        let answer = shown(&reply);
        assert!(
            !answer.contains("quicksilver") && !answer.contains(engine.kernel.id("/Private/Beds")),
            "{what}: {answer}"
        );
        let is_empty = |answer: &str| answer.contains("\"items\":[]");
        match (reply.is_ok() && !is_empty(&answer), &way) {
            (true, Right) => continue,
            (true, _) => lost.push(format!("{what}: is no mistake: {answer}")),
            (false, _) => match next(&way, tool, &sent, &answer) {
                Err(why) => lost.push(format!("{what}: {why}: {answer}")),
                Ok(None) => {}
                Ok(Some((tool, again))) => {
                    let answered = call(&engine, tool, &again, &Approval::Given);
                    let shown = shown(&answered);
                    if answered.is_err() || is_empty(&shown) {
                        lost.push(format!("{what}: {answer}\n    {again}: {shown}"));
                    }
                }
            },
        }
    }
    assert!(lost.is_empty(), "{} are lost:\n{}", lost.len(), lost.join("\n"));
}

/// A heading that another document has is found among many that only contain its words, and preferred to one here that
/// is like it.
#[test]
fn a_heading_elsewhere_is_found_among_many_like_it() {
    let docs: Vec<String> = (0..25).map(|at| format!("/Garden/A{at:02}")).collect();
    let world = docs.iter().fold(world(), |world, path| world.doc(path, "# North side of this"));
    let world = world.doc("/Garden/Z", "# North tide");
    world.pass(1_000);
    let sent = json!({ "action": "read", "path": "/Garden/Z", "section": "north side" });
    let engine = Engine::new(world, Nobody);
    let answer = shown(&call(&engine, Tool::Fs, &sent, &Approval::Given));
    let reply: Value = serde_json::from_str(answer.lines().next().unwrap()).unwrap();
    assert_eq!(reply["error"]["elsewhere"][0]["path"], "/Garden/Beds", "{reply}");
    let (tool, again) = call_in(reply["error"]["hint"].as_str().unwrap());
    assert_eq!(again["path"], engine.kernel.id("/Garden/Beds"));
    assert!(call(&engine, tool, &again, &Approval::Given).is_ok());
}

fn answered(action: &str, arguments: &Value) -> Value {
    let world = world();
    world.pass(1_000);
    let (tool, name) = action.split_once('.').unwrap();
    let mut sent: Value = serde_json::from_str(&world.fill(&arguments.to_string())).unwrap();
    sent["action"] = json!(name);
    let engine = Engine::new(world, Nobody);
    let answer = shown(&call(&engine, Tool::named(tool).unwrap(), &sent, &Approval::Given));
    serde_json::from_str(answer.lines().next().unwrap()).unwrap()
}

/// The caller chooses what is lost: no hint names another target of a call that destroys, or another such call.
#[test]
fn no_hint_leads_to_a_loss() {
    for (action, arguments) in [
        ("fs.remove", json!({ "path": "/Garden/Plnts" })),
        ("fs.remove", json!({ "path": "/Gardn/Plants" })),
        ("fs.remov", json!({ "path": "/Garden/Plants" })),
        ("notebook.remove", json!({ "notebook": "Gardn" })),
        ("document.remove", json!({ "ids": ["{/Garden/Beds#0}"] })),
    ] {
        let answer = answered(action, &arguments);
        assert!(answer["error"]["message"].is_string(), "{answer}");
        assert_eq!(answer["error"].get("hint"), None, "{action}: {answer}");
    }
}

/// B-002: advice names no action that is switched off.
#[test]
fn advice_names_offered_actions_only() {
    let mut switches = puppy_core::config::Switches::default();
    let off = [
        (Tool::Document, "search"),
        (Tool::Search, "text"),
        (Tool::Fs, "list"),
        (Tool::Fs, "tree"),
        (Tool::Notebook, "list"),
    ];
    for (tool, name) in off {
        switches.set(tool, name, false);
    }
    let switches: Value = serde_json::from_str(&switches.to_json()).unwrap();
    for (tool, arguments, says) in [
        (Tool::Document, json!({ "action": "info", "id": "Plants" }), "answers of document.read: look for"),
        (
            Tool::Document,
            json!({ "action": "read", "id": "20250101000000-missing" }),
            "Ids come from answers of document.read: look there",
        ),
        (
            Tool::Fs,
            json!({ "action": "read", "path": "/Nowhere/X" }),
            "Visible notebooks are in `notebooks`. It may",
        ),
        (Tool::Fs, json!({ "action": "read", "path": "/Garden/Zzz" }), "may see. `nearest`"),
    ] {
        let engine = Engine::new(world().file("mcpToolsConfig", &switches), Nobody);
        let answer = shown(&call(&engine, tool, &arguments, &Approval::Given));
        assert!(answer.contains(says), "{arguments}: {answer}");
        for (tool, name) in off {
            let path = format!("{}.{name}", tool.name());
            assert!(!answer.contains(&path), "{path}: {answer}");
        }
    }
}

/// A preview is proposed to somebody who asked for one.
#[test]
fn hint_to_a_preview_is_a_preview() {
    let edits = json!([{ "old": "cold", "new": "warm" }]);
    for (action, arguments) in [
        ("fs.edit", json!({ "path": "/Garden/Bedz", "edits": edits, "preview": true })),
        ("fs.edit", json!({ "path": "Garden/Beds", "edits": edits, "preview": true })),
        ("fs.edti", json!({ "path": "/Garden/Beds", "edits": edits, "preview": true })),
    ] {
        let answer = answered(action, &arguments);
        let (_, call) = call_in(answer["error"]["hint"].as_str().unwrap());
        assert_eq!((&call["preview"], &call["path"]), (&json!(true), &json!("/Garden/Beds")), "{answer}");
    }
}

/// B-055: the answer to a wrong name is the same, byte for byte and after the same requests, whatever a closed
/// notebook holds.
#[test]
fn advice_does_not_tell_of_closed_notebooks() {
    let twin = |full: bool| {
        let world = world().notebook("Secret", "none");
        if full {
            world.doc("/Secret/Plnts", "# Noth\n\nx").doc("/Secret/Shopping list", "# Lost heading\n\nx")
        } else {
            world
        }
    };
    let calls = [
        ("fs.read", json!({ "path": "/Secret/Plnts" })),
        ("fs.read", json!({ "path": "/Sekret/Plnts" })),
        ("fs.read", json!({ "path": "/Plnts" })),
        ("fs.read", json!({ "path": "/Garden/Shopping list" })),
        ("fs.read", json!({ "path": "/Garden/Plants", "section": "Lost heading" })),
        ("notebook.info", json!({ "notebook": "Secret" })),
        ("notebook.info", json!({ "notebook": "Sekret" })),
        ("search.text", json!({ "query": "Noth x" })),
    ];
    for (action, arguments) in &calls {
        let (tool, name) = action.split_once('.').unwrap();
        let mut sent = arguments.clone();
        sent["action"] = json!(name);
        let [empty, full] = [false, true].map(|full| {
            let engine = Engine::new(twin(full), Nobody);
            let answer = shown(&call(&engine, Tool::named(tool).unwrap(), &sent, &Approval::Given));
            assert!(!answer.contains("did you mean \\\"Secret\\\""), "{answer}");
            (answer, engine.kernel.take_sent())
        });
        assert_eq!(empty, full, "{action} {arguments}");
    }
    // A closed notebook by its name, and one that there is not.
    let asked = |name: &str| {
        let engine = Engine::new(twin(true), Nobody);
        let sent = json!({ "action": "read", "path": format!("/{name}/Nothing like it") });
        let answer = shown(&call(&engine, Tool::Fs, &sent, &Approval::Given));
        (answer.replace(name, "NAME"), format!("{:?}", engine.kernel.take_paths()))
    };
    assert_eq!(asked("Secret"), asked("Qwerty"));
}
