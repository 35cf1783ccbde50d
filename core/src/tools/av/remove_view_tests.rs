//! Tests of `av.remove_view`: the named view goes, and the block shows its own.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, ask};
use crate::testing::world::{Nobody, World};
use crate::tools::av::testing::{views, with_three, with_two};

#[test]
fn the_named_view_is_removed_but_never_the_last() {
    let remove = |engine: &Engine<World, Nobody>, view: &str| {
        ask(engine, "remove_view", json!({ "id": PLANTS, "view": view })).map_err(|it| it.0)
    };
    assert_eq!(remove(&with_two("rw"), "Cards"), Err(ErrorType::PermissionDenied));
    let engine = with_two("rwd");
    assert!(remove(&engine, "Cards").is_ok());
    assert_eq!(views(&engine), (vec!["Table".to_owned()], "Table".to_owned()));
    assert_eq!(remove(&engine, "Table"), Err(ErrorType::Validation));
    assert_eq!(views(&engine).0, ["Table"]);
    let engine = with_two("rwd");
    assert!(remove(&engine, "Table").is_ok());
    assert_eq!(views(&engine), (vec!["Cards".to_owned()], "Cards".to_owned()));
}

/// The kernel removes the view that a block shows; the block shows its own again afterwards.
#[test]
fn a_block_shows_its_view_after_another_is_removed() {
    let engine = with_three();
    let carrier = engine.kernel.id("plants").to_owned();
    let shown = || ask(&engine, "list_rows", json!({ "id": carrier })).unwrap()["view"]["name"].take();
    assert_eq!(shown(), "List");
    ask(&engine, "remove_view", json!({ "id": PLANTS, "view": "Cards" })).unwrap();
    assert_eq!(shown(), "List");
}
