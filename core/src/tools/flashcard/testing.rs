//! Cards of the tests of this tool, in open and in closed notebooks, and its calls.

use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::id::DeckId;
use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, world};

pub(super) type Desk = Engine<World, Nobody>;

/// Cards of four kinds in Garden, one in Reading, which is only readable, and none in Private, which is closed.
pub(super) fn cards() -> World {
    let world = world()
        .notebook("Reading", "r")
        .notebook("Private", "none")
        .doc("/Garden/Plants", "Mint ==grows== in `==spring==`.\n\n## Summer\n\nMint flowers.\n\nSo does sage.\n\n---\n\n# List\n\n* Thyme\n* Rosemary\n\n> No card")
        .doc("/Garden/Plants/Basil", "Basil likes sun.")
        .doc("/Reading/Books", "Ink")
        .doc("/Private/Letters", &"cinnabar\n\n".repeat(25));
    let world = add(world, &["/Garden/Plants#0", "/Garden/Plants#1", "/Garden/Plants#6"]);
    let world = add(world, &["/Garden/Plants/Basil#0"]);
    add(world, &["/Reading/Books#0"])
}

/// Makes cards past core, one moment each, so that their order is known.
pub(super) fn add(world: World, blocks: &[&str]) -> World {
    let deck = DeckId::built_in();
    blocks.iter().fold(world, |world, block| add_to(world, deck.as_str(), block))
}

pub(super) fn add_to(world: World, deck: &str, block: &str) -> World {
    world.pass(1_000);
    let id = world.id(block).to_owned();
    world.ask("riff/addRiffCards", &json!({ "deckID": deck, "blockIDs": [id] }));
    world.ask("sqlite/flushTransaction", &json!({}));
    let cards = world.ask("riff/getRiffCards", &json!({ "id": deck, "page": 1, "pageSize": 500 }));
    let card = cards["blocks"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap();
    let card = card["riffCardID"].as_str().unwrap().to_owned();
    world.named(&format!("card {block}"), card)
}

/// The same with a card for each of the 25 blocks of the closed notebook, more than SiYuan hands out in a day.
pub(super) fn closed_cards(world: World) -> World {
    let names: Vec<String> = (0..25).map(|at| format!("/Private/Letters#{at}")).collect();
    add(world, &names.iter().map(String::as_str).collect::<Vec<_>>())
}

pub(super) fn engine(world: World) -> Desk {
    world.pass(60_000);
    Engine::new(world, Nobody)
}

#[expect(clippy::needless_pass_by_value, reason = "a call reads better with its arguments in place")]
pub(super) fn flashcard(engine: &Desk, action: &str, arguments: Value) -> Reply {
    let mut arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    arguments["action"] = json!(action);
    engine.kernel.pass(1_000);
    call(engine, Tool::Flashcard, &arguments, &Approval::Given)
}

pub(super) fn data(reply: Reply) -> Value {
    Value::Object(reply.unwrap().data)
}

pub(super) fn fronts(reply: &Value) -> Vec<&str> {
    reply["items"].as_array().unwrap().iter().map(|it| it["front"].as_str().unwrap()).collect()
}
