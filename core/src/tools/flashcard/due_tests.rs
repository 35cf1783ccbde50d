//! Tests of due cards where SiYuan finds no blocks and hands out the whole deck.

use demo_kernel::Switches;
use serde_json::{Value, json};

use super::tests::{Desk, cards, closed_cards, data, engine, flashcard};
use crate::spec::Tool;
use crate::testing::world::{World, shown};
use crate::testing::{self, FakeKernel, GARDEN};

/// B-055: of a notebook without any document SiYuan restricts nothing and hands out the whole deck, closed notebooks
/// included, before the limits of the day.
#[test]
fn empty_notebook_has_no_due_cards() {
    let with_empty = |world: World| {
        let switches = Switches { notebook_documents: false, ..Switches::default() };
        world.demo.set_switches(switches).unwrap();
        world.notebook("Empty", "rw")
    };
    let (empty, full) = (with_empty(cards()), closed_cards(with_empty(cards())));
    empty.pass(25_000);
    let (empty, full) = (engine(empty), engine(full));
    for arguments in [
        json!({ "notebook": "Empty" }),
        json!({ "notebook": "Empty", "only": "new", "limit": 1 }),
        json!({ "limit": 50 }),
        json!({ "notebook": "Garden" }),
    ] {
        let told = |engine: &Desk| {
            engine.kernel.take_sent();
            let reply = shown(&flashcard(engine, "list_due", arguments.clone()));
            let paths: Vec<&str> = engine.kernel.take_sent().iter().map(|(path, _)| *path).collect();
            (engine.kernel.unfill(&reply), paths)
        };
        assert_eq!(told(&full), told(&empty), "{arguments}");
    }
    assert_eq!(data(flashcard(&full, "list_due", json!({ "notebook": "Empty" })))["due"], 0);
    assert_eq!(data(flashcard(&full, "list_due", json!({})))["due"], 5);
}

/// Of a document that is removed between the check and the request SiYuan knows no blocks, and hands out cards of
/// other documents too.
#[test]
fn only_cards_below_the_document_are_due_there() {
    const DOC: &str = "20250101000000-doc0000";
    let blocks = [
        ("20250101000000-own0000", format!("/{DOC}.sy")),
        ("20250101000000-below00", format!("/{DOC}/20250101000000-child00.sy")),
        ("20250101000000-beside0", "/20250101000000-other00.sy".to_owned()),
    ];
    let card = |(id, _): &(&str, String)| json!({ "deckID": "d", "cardID": id.replace("000000-", "000001-"), "blockID": id, "lapses": 0, "reps": 0, "state": 0, "lastReview": 0, "nextDues": {} });
    let row = |(id, path): &(&str, String)| json!({ "id": id, "box": GARDEN, "path": path, "type": "p", "root_id": DOC, "hpath": "/Doc", "content": "Mint" });
    let (cards, rows): (Vec<Value>, Vec<Value>) =
        (blocks.iter().map(card).collect(), blocks.iter().map(row).collect());
    let kernel = FakeKernel::new()
        .answer("/api/filetree/getPathByID", |_| json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }))
        .answer("/api/riff/getTreeRiffDueCards", move |_| json!({ "cards": cards, "unreviewedCount": 3, "unreviewedNewCardCount": 3, "unreviewedOldCardCount": 0 }))
        .answer("/api/query/sql", move |_| json!(rows))
        .answer("/api/block/getChildBlocks", |_| json!([]))
        .answer("/api/block/getBlockKramdowns", |_| json!({}));
    let engine = testing::engine(kernel);
    let arguments = json!({ "action": "list_due", "under": DOC });
    let reply = testing::call(&engine, Tool::Flashcard, arguments).unwrap();
    assert_eq!(reply.data["due"], 2, "{:?}", reply.data);
}
