//! Tests of `flashcard.create_deck`: each deck has a name of its own.

use serde_json::{Value, json};

use crate::error::ErrorType;
use crate::tools::flashcard::testing::{cards, data, engine, flashcard};

#[test]
fn new_deck_has_a_name_of_its_own() {
    let engine = engine(cards());
    let made = data(flashcard(&engine, "create_deck", json!({ "name": "Botany" })));
    assert_eq!(made["name"], "Botany");
    for (name, kind) in [
        ("Botany", ErrorType::Conflict),
        ("default", ErrorType::Conflict),
        ("", ErrorType::Validation),
        (" ", ErrorType::Validation),
        ("a\nb", ErrorType::Validation),
        ("20250109000000-missing", ErrorType::Validation),
    ] {
        assert_eq!(
            flashcard(&engine, "create_deck", json!({ "name": name })).unwrap_err().kind,
            kind,
            "{name:?}"
        );
    }
    let added = flashcard(&engine, "add_cards", json!({ "ids": ["{/Garden/Plants#2}"], "deck": "Botany" }));
    assert_eq!(data(added)["added"].as_array().map(Vec::len), Some(1));
    let decks = data(flashcard(&engine, "list_decks", json!({})));
    let counts: Vec<_> = decks["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["name"].clone(), it["cards"].clone()))
        .collect();
    assert_eq!(counts, [(json!("default"), json!(5)), (json!("Botany"), json!(1))]);
    // By name, whichever is newer.
    flashcard(&engine, "create_deck", json!({ "name": "Algae" })).unwrap();
    let decks = data(flashcard(&engine, "list_decks", json!({})));
    let names: Vec<&Value> = decks["items"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["default", "Algae", "Botany"]);
    // Two decks of one name, which SiYuan itself allows, are distinguished by their ids.
    engine.kernel.ask("riff/createRiffDeck", &json!({ "name": "Botany" }));
    let error = flashcard(&engine, "list_cards", json!({ "deck": "Botany" })).unwrap_err();
    assert!(error.message.contains(made["id"].as_str().unwrap()), "{}", error.message);
    assert_eq!(data(flashcard(&engine, "list_cards", json!({ "deck": made["id"] })))["total"], 1);
}
