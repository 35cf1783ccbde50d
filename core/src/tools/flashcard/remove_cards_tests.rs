//! Tests of `flashcard.remove_cards`: cards go, blocks stay.

use serde_json::json;

use crate::tools::flashcard::testing::{cards, data, engine, flashcard};

#[test]
fn removing_cards_leaves_the_blocks() {
    let engine = engine(cards());
    let removed = data(flashcard(
        &engine,
        "remove_cards",
        json!({ "ids": ["{/Garden/Plants#0}", "{/Garden/Plants#2}"] }),
    ));
    assert_eq!(
        engine.kernel.unfill(&removed.to_string()),
        r#"{"removed":["{/Garden/Plants#0}"],"unchanged":["{/Garden/Plants#2}"]}"#
    );
    assert_eq!(data(flashcard(&engine, "list_cards", json!({})))["total"], 4);
    let text =
        engine.kernel.ask("block/getBlockKramdown", &json!({ "id": engine.kernel.id("/Garden/Plants#0") }));
    assert!(text["kramdown"].as_str().unwrap().starts_with("Mint ==grows=="), "{text}");
}
