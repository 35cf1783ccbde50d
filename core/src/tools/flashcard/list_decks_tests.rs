//! Tests of `flashcard.list_decks`: pages of decks, and few requests at once.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::slow::{Slow, ready};
use crate::testing::world::{Nobody, World, call};

fn most(world: World, path: fn(&str, &Value) -> bool, arguments: Value) -> (usize, Value) {
    let engine = Slow::engine(world, path);
    let output = ready(Slow::call(&engine, Tool::Flashcard, arguments)).unwrap();
    (engine.kernel.most.load(Ordering::Relaxed), Value::Object(output.data))
}

/// F10: however many decks and cards a caller makes, few requests wait in SiYuan at once.
#[test]
fn decks_and_cards_are_read_in_batches() {
    let world = World::new().notebook("Garden", "rw");
    for at in 0..40 {
        world.ask("riff/createRiffDeck", &json!({ "name": format!("Deck {at}") }));
    }
    let list = json!({ "action": "list_decks", "limit": 100 });
    let (at_once, data) = most(world, |path, _| path.ends_with("getRiffCards"), list);
    assert_eq!(data["items"].as_array().map(Vec::len), Some(41));
    assert!((2..=16).contains(&at_once), "{at_once}");

    let lists: Vec<String> = (0..40).map(|at| format!("## Question {at}\n\nAnswer {at}")).collect();
    let world = World::new().notebook("Garden", "rw").doc("/Garden/Cards", &lists.join("\n\n"));
    let blocks: Vec<&str> = (0..40).map(|at| world.id(&format!("/Garden/Cards#{}", at * 2))).collect();
    let deck = "20230218211946-2kw8jgx";
    world.ask("riff/addRiffCards", &json!({ "deckID": deck, "blockIDs": blocks }));
    world.ask("sqlite/flushTransaction", &json!({}));
    let list = json!({ "action": "list_cards", "limit": 100, "budget": 32_000 });
    let (at_once, data) = most(world, |path, _| path.ends_with("getChildBlocks"), list);
    assert_eq!(data["items"].as_array().map(Vec::len), Some(40), "{data}");
    let front = data["items"][0]["front"].as_str().unwrap();
    assert_eq!(data["items"][0]["back"], front.replace("Question", "Answer"));
    assert!((2..=16).contains(&at_once), "{at_once}");
}

/// F10: cards are read for the decks of a page only, and nobody makes decks without end.
#[test]
fn decks_are_counted_page_by_page_and_bounded() {
    let world = World::new().notebook("Garden", "rw");
    for at in 0..255 {
        world.ask("riff/createRiffDeck", &json!({ "name": format!("Deck {at:03}") }));
    }
    let engine = Engine::new(world, Nobody);
    let ask = |arguments: Value| call(&engine, Tool::Flashcard, &arguments, &Approval::Given);
    assert!(ask(json!({ "action": "create_deck", "name": "The last" })).is_ok());
    let error = ask(json!({ "action": "create_deck", "name": "One more" })).unwrap_err();
    assert_eq!(error.kind, ErrorType::Conflict, "{error:?}");
    engine.kernel.take_sent();
    let (mut names, mut arguments) = (Vec::new(), json!({ "action": "list_decks", "limit": 100 }));
    for page in [100, 100, 57] {
        let data = ask(arguments.clone()).unwrap().data;
        let read =
            engine.kernel.take_sent().iter().filter(|(path, _)| path.ends_with("getRiffCards")).count();
        assert_eq!((&data["total"], read), (&json!(257), page));
        names.extend(data["items"].as_array().unwrap().iter().map(|it| it["name"].to_string()));
        arguments["cursor"] = data.get("next").cloned().unwrap_or_default();
    }
    assert_eq!(arguments["cursor"], Value::Null);
    assert_eq!((names.len(), &*names[0], names[1..].is_sorted()), (257, "\"default\"", true));
}
