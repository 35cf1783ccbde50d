//! Tests of `system.scroll_to_block`: what the page is asked for, and documents that are not open there.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::kernel::page::PageRequest;
use crate::testing::world::Nobody;
use crate::tools::system::testing::{notes, system, with_holes};

#[test]
fn blocks_are_scrolled_to_in_the_page() {
    let engine = Engine::new(notes().page(&json!({ "visible": true })), Nobody);
    let scrolled = system(&engine, "scroll_to_block", &json!({ "id": "{/Garden/Plants#1}", "open": false }));
    assert_eq!(with_holes(&engine, scrolled), json!({ "visible": true }));
    let id = engine.kernel.id("/Garden/Plants#1").to_owned();
    assert_eq!(engine.kernel.asked_page(), [PageRequest::ScrollToBlock { id, open: false }]);
    let closed = Engine::new(notes().page(&json!({ "closed": true })), Nobody);
    let error = system(&closed, "scroll_to_block", &json!({ "id": "{/Garden/Plants#1}", "open": false }))
        .unwrap_err();
    assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "open"));
    // A preview promises nothing that no page could do.
    let preview = json!({ "id": "{/Garden/Plants}", "preview": true });
    let error = system(&Engine::new(notes(), Nobody), "scroll_to_block", &preview).unwrap_err();
    assert_eq!(error.kind, ErrorType::NoFrontend);
}
