//! Tests of due cards in notebooks without documents.

use demo_kernel::Switches;
use serde_json::json;

use super::tests::{Desk, cards, closed_cards, data, engine, flashcard};
use crate::testing::world::{World, shown};

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
