//! Tests of `av.rename`: every row must be writable.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, ask, garden};
use crate::testing::world::{Nobody, World};
use crate::tools::av::testing::{HIDDEN, stored};

/// B-055, B-056: the kernel writes the name on the block of every row, so each of them must be writable.
#[test]
fn a_database_is_renamed_where_all_its_rows_may_be_written() {
    let world = garden(&[]);
    world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": [HIDDEN] }));
    let rename = |engine: &Engine<World, Nobody>| {
        ask(engine, "rename", json!({ "id": PLANTS, "name": " Herbs " })).map_err(|it| it.0)
    };
    let engine = Engine::new(world, Nobody);
    assert_eq!(rename(&engine), Err(ErrorType::PermissionDenied));
    engine.kernel.ask(
        "av/removeAttributeViewBlocks",
        &json!({ "avID": PLANTS, "srcIDs": ["20250601000001-rowbnd2"] }),
    );
    assert_eq!(rename(&engine).unwrap()["name"], "Herbs");
    assert_eq!(stored(&engine.kernel)["av"]["name"], "Herbs");
    assert_eq!(rename(&engine).unwrap()["changed"], false);
    // With a row in a closed notebook, it is like a database that does not exist.
    let engine = Engine::new(garden(&[]), Nobody);
    assert_eq!(rename(&engine), Err(ErrorType::NotFound));
    assert_eq!(stored(&engine.kernel)["av"]["name"], "");
}
