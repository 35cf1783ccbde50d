//! Tests of `av.remove_rows`: whose blocks must be writable.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{LOOSE, PLANTS, ask, garden};
use crate::testing::world::Nobody;
use crate::tools::av::testing::{HIDDEN, ROSE, stored};

/// B-056: removing rows takes the mark of the database off their blocks.
#[test]
fn rows_are_removed_where_their_blocks_may_be_written() {
    let world = garden(&[]);
    let mut table = world.table();
    table.insert(world.id("/Garden").to_owned(), json!("rwd"));
    world.put("notebookPermissions", &Value::Object(table));
    let engine = Engine::new(world, Nobody);
    let remove = |rows: Value| {
        ask(&engine, "remove_rows", json!({ "id": PLANTS, "row_ids": rows })).map_err(|it| it.0)
    };
    let before = stored(&engine.kernel);
    assert_eq!(remove(json!([LOOSE, "20250601000001-rowbnd2"])), Err(ErrorType::PermissionDenied));
    let hidden = engine.kernel.id("/Private/Vial").to_owned();
    for missing in [HIDDEN, hidden.as_str(), "20250601000001-rownone"] {
        assert_eq!(remove(json!([LOOSE, missing])), Err(ErrorType::Validation));
    }
    assert_eq!(stored(&engine.kernel), before);
    let rose = engine.kernel.id("/Garden/Rose").to_owned();
    // A row and its block are one row.
    assert_eq!(remove(json!([LOOSE, rose, ROSE])).unwrap()["removed"], 2);
    let left = ask(&engine, "list_rows", json!({ "id": PLANTS })).unwrap();
    assert_eq!(
        left["items"].as_array().unwrap().iter().map(|it| it["title"].as_str()).collect::<Vec<_>>(),
        [Some("Book")]
    );
}
