//! Tests of `system.get_ui_state`: the documents that the page shows.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::world::Nobody;
use crate::tools::system::testing::{notes, system, with_holes};

/// B-055: documents of closed notebooks are neither among the open ones nor in front, whatever the page says.
#[test]
fn ui_state_shows_readable_documents_only() {
    let tabs = json!([
        { "doc": "{/Private/Letters}", "pinned": true }, { "doc": "{/Garden/Beds}", "pinned": true },
        { "doc": "{/Garden/Plants}" }, { "doc": "nonsense" }, { "doc": "{/Garden/Plants#0}" },
    ]);
    let active = json!({
        "doc": "{/Garden/Plants}", "block": "{/Garden/Plants#1}", "zoomed": "{/Private/Letters#0}",
        "selected": ["{/Garden/Plants#0}", "{/Private/Letters#0}", "{/Garden/Beds#0}"],
    });
    let engine =
        Engine::new(notes().page(&json!({ "frontend": "desktop", "open": tabs, "active": active })), Nobody);
    let expected = json!({
        "frontend": "desktop",
        "active": {
            "doc": "{/Garden/Plants}", "title": "Plants", "hpath": "/Plants", "notebook": "{/Garden}",
            "block": "{/Garden/Plants#1}", "selected": [{ "id": "{/Garden/Plants#0}", "type": "p", "text": "mint" }],
        },
        "open": [
            { "doc": "{/Garden/Beds}", "title": "Beds", "hpath": "/Beds", "notebook": "{/Garden}", "pinned": true },
            { "doc": "{/Garden/Plants}", "title": "Plants", "hpath": "/Plants", "notebook": "{/Garden}" },
        ],
    });
    assert_eq!(with_holes(&engine, system(&engine, "get_ui_state", &json!({}))), expected);
    let hidden = json!({ "frontend": "desktop", "active": { "doc": "{/Private/Letters}", "selected": ["{/Private/Letters#0}"] } });
    let engine = Engine::new(notes().page(&hidden), Nobody);
    assert_eq!(
        with_holes(&engine, system(&engine, "get_ui_state", &json!({}))),
        json!({ "frontend": "desktop", "open": [] })
    );
}

#[test]
fn a_page_that_is_silent_or_odd_is_an_error() {
    let state = |page: &Value| {
        let engine = Engine::new(notes().page(page), Nobody);
        system(&engine, "get_ui_state", &json!({})).unwrap_err().kind
    };
    assert_eq!(state(&Value::Null), ErrorType::NoFrontend);
    assert_eq!(state(&json!({ "open": "everything" })), ErrorType::Internal);
}
