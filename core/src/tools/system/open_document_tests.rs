//! Tests of `system.open_document`: what the page is asked for.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::kernel::page::PageRequest;
use crate::testing::world::Nobody;
use crate::tools::system::testing::{notes, system, with_holes};

#[test]
fn documents_are_opened_in_the_page() {
    let engine = Engine::new(notes().page(&json!({ "visible": true })), Nobody);
    let opened = system(&engine, "open_document", &json!({ "id": "{/Garden/Plants#0}", "zoom": true }));
    assert_eq!(with_holes(&engine, opened), json!({ "opened": "/Plants" }));
    let preview = system(&engine, "open_document", &json!({ "id": "{/Garden/Plants}", "preview": true }));
    assert_eq!(with_holes(&engine, preview)["hpath"], "/Plants");
    let id = engine.kernel.id("/Garden/Plants#0").to_owned();
    assert_eq!(engine.kernel.asked_page(), [PageRequest::OpenDocument { id, focus: true, zoom: true }]);
    // A preview promises nothing that no page could do.
    let preview = json!({ "id": "{/Garden/Plants}", "preview": true });
    let error = system(&Engine::new(notes(), Nobody), "open_document", &preview).unwrap_err();
    assert_eq!(error.kind, ErrorType::NoFrontend);
}
