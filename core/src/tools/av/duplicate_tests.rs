//! Tests of `av.duplicate`: every row must be writable.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, ask, garden};
use crate::testing::world::{Nobody, World};
use crate::tools::av::testing::own_plants;

/// B-055, B-056: the kernel marks the block of each row as one of the copy.
#[test]
fn a_database_is_copied_where_all_its_rows_may_be_written() {
    let copy = |engine: &Engine<World, Nobody>, after: &str, with_rows: bool| {
        let after = engine.kernel.id(after).to_owned();
        ask(engine, "duplicate", json!({ "id": PLANTS, "after": after, "with_rows": with_rows }))
            .map_err(|it| it.0)
    };
    for (with_rows, rows) in [(true, 2), (false, 0)] {
        let engine = Engine::new(own_plants("rw"), Nobody);
        let made = copy(&engine, "plants", with_rows).unwrap();
        let answer = ask(&engine, "get", json!({ "id": made["block"] })).unwrap();
        assert_eq!((&answer["id"], &answer["row_count"]), (&made["id"], &json!(rows)), "{answer}");
        assert_eq!(ask(&engine, "get", json!({ "id": PLANTS })).unwrap()["row_count"], 2);
    }
    let engine = Engine::new(garden(&[]), Nobody);
    assert_eq!(copy(&engine, "plants", true), Err(ErrorType::NotFound));
    let hidden = json!({ "avID": PLANTS, "srcIDs": ["20250601000001-rowbnd3"] });
    engine.kernel.ask("av/removeAttributeViewBlocks", &hidden);
    assert_eq!(copy(&engine, "plants", false), Err(ErrorType::PermissionDenied));
}
