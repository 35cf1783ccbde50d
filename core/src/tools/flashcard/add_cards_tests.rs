//! Tests of `flashcard.add_cards`: new and unchanged cards, decks and blocks that exist.

use expect_test::expect;
use serde_json::json;

use crate::error::ErrorType;
use crate::testing::world::check;
use crate::tools::flashcard::testing::{cards, engine, flashcard};

#[test]
fn adding_cards_tells_new_and_unchanged_ones() {
    check(
        "flashcard.add_cards",
        cards(),
        &json!({ "ids": ["{/Garden/Plants#0}", "{/Garden/Plants#2}"] }),
        &expect![[r#"
            flushTransaction sql flushTransaction getRiffCardsByBlockIDs addRiffCards flushTransaction getRiffCardsByBlockIDs
            {"added":[{"id":"{/Garden/Plants#2}","card":"{new 1}"}],"unchanged":["{/Garden/Plants#0}"]}
        "#]],
    );
}

/// A missing deck would mark the blocks, and a missing block would become a card of nothing.
#[test]
fn cards_are_added_to_existing_decks_from_existing_blocks_only() {
    let missing = "20250109000000-missing";
    for (arguments, kind) in [
        (json!({ "ids": ["{/Garden/Plants#2}"], "deck": "Nowhere" }), ErrorType::NotFound),
        (json!({ "ids": ["{/Garden/Plants#2}"], "deck": missing }), ErrorType::NotFound),
        (json!({ "ids": ["{/Garden/Plants#2}", missing] }), ErrorType::NotFound),
        (json!({ "ids": ["{/Reading/Books#0}"] }), ErrorType::PermissionDenied),
        (json!({ "ids": [] }), ErrorType::Validation),
    ] {
        let engine = engine(cards());
        let before = engine.kernel.demo.dump().unwrap();
        assert_eq!(flashcard(&engine, "add_cards", arguments.clone()).unwrap_err().kind, kind, "{arguments}");
        assert_eq!(engine.kernel.demo.dump().unwrap(), before, "{arguments}");
    }
}
