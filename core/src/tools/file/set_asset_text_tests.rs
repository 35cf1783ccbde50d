//! Tests of `file.set_asset_text`: the text of an image.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::world::Nobody;
use crate::tools::file::testing::{LEAF, ask, refused, workspace};

#[test]
fn the_text_of_an_image_is_set() {
    let engine = Engine::new(workspace("rw"), Nobody);
    let set = |text: &str| {
        ask(&engine, &json!({ "action": "set_asset_text", "path": LEAF, "text": text })).unwrap().data
    };
    assert_eq!(set("a leaf")["changed"], json!(true));
    assert_eq!(set("a leaf")["changed"], json!(false));
    let info = ask(&engine, &json!({ "action": "read_asset", "path": LEAF, "as": "info" })).unwrap();
    assert_eq!(info.data["recognised"], "a leaf");
    let (kind, text) =
        refused(&engine, &json!({ "action": "set_asset_text", "path": LEAF, "recognise": true }));
    assert!(kind == ErrorType::Api && text.contains("set its text"), "{text}");
    assert_eq!(
        refused(&engine, &json!({ "action": "set_asset_text", "path": "assets/never.png", "text": "x" })).0,
        ErrorType::NotFound
    );
}
