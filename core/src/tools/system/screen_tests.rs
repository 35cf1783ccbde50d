//! Tests of the actions that need a page, without one.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::world::Nobody;
use crate::tools::system::testing::{notes, system};

/// The arguments are judged first: what is hidden answers like what is missing, with or without a page.
#[test]
fn page_actions_without_a_page_tell_so_after_their_checks() {
    let engine = Engine::new(notes(), Nobody);
    let missing = "20250109000000-missing";
    for (action, arguments, kind) in [
        ("get_ui_state", json!({}), ErrorType::NoFrontend),
        ("ask_user", json!({ "question": "Which bed?" }), ErrorType::NoFrontend),
        ("ask_user", json!({ "question": "Which bed?", "options": ["one"] }), ErrorType::Validation),
        ("ask_user", json!({ "question": "Which bed?", "options": ["a", "a "] }), ErrorType::Validation),
        ("ask_user", json!({ "question": " " }), ErrorType::Validation),
        ("ask_user", json!({ "question": "?", "allow_text": false }), ErrorType::Validation),
        ("open_document", json!({ "id": "{/Garden/Plants}" }), ErrorType::NoFrontend),
        ("open_document", json!({ "id": "{/Private/Letters}" }), ErrorType::NotFound),
        ("open_document", json!({ "id": missing }), ErrorType::NotFound),
        ("scroll_to_block", json!({ "id": "{/Garden/Plants#1}" }), ErrorType::NoFrontend),
        ("scroll_to_block", json!({ "id": "{/Private/Letters#0}" }), ErrorType::NotFound),
        ("reload_ui", json!({}), ErrorType::NoFrontend),
        ("reload_ui", json!({ "id": "{/Private/Letters}" }), ErrorType::NotFound),
        ("reload_ui", json!({ "database": missing, "parts": ["databases"] }), ErrorType::NotFound),
        ("reload_ui", json!({ "id": "{/Garden/Plants}", "parts": ["tree"] }), ErrorType::Validation),
    ] {
        assert_eq!(system(&engine, action, &arguments).unwrap_err().kind, kind, "{action} {arguments}");
    }
}
