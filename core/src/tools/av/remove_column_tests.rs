//! Tests of `av.remove_column`: whose rows and other databases must be writable.

use serde_json::json;

use crate::error::ErrorType;
use crate::testing::databases::{PLANTS, ask, carrier, garden};
use crate::tools::av::testing::{
    POTS, STATE, engine, level, own_plants, refused, stored, with_pots, with_state,
};

/// B-055, B-056: a column goes with its values, where every row may be written.
#[test]
fn a_column_is_removed_where_all_rows_may_be_written() {
    let remove = |column: &str| json!({ "id": PLANTS, "column": column });
    let mine = engine(with_state(own_plants("rwd")));
    let answer = ask(&mine, "remove_column", remove("State")).unwrap();
    assert_eq!((&answer["column"], &answer["removed"]), (&json!("State"), &json!(1)));
    assert!(!stored(&mine.kernel).to_string().contains(STATE));
    let (kind, message) = refused(&mine, "remove_column", remove("Primary Key"));
    assert!(kind == ErrorType::Validation && message.contains("`column`"), "{message}");

    let at_rw = engine(own_plants("rw"));
    assert_eq!(refused(&at_rw, "remove_column", remove("Height")).0, ErrorType::PermissionDenied);
    let world = garden(&[]);
    level(&world, "/Garden", "rwd");
    let shared = engine(world);
    assert_eq!(refused(&shared, "remove_column", remove("Height")).0, ErrorType::NotFound);
    let hidden = json!({ "avID": PLANTS, "srcIDs": ["20250601000001-rowbnd3"] });
    shared.kernel.ask("av/removeAttributeViewBlocks", &hidden);
    assert_eq!(refused(&shared, "remove_column", remove("Height")).0, ErrorType::PermissionDenied);
}

/// B-056: where a column of another database leads back, that database changes too.
#[test]
fn a_two_way_relation_changes_where_the_other_database_may_be_written() {
    let relations = |reading: &str| {
        let world = with_pots(true);
        let rows = ["20250601000001-rowbnd2", "20250601000001-rowbnd3"];
        world.ask("av/removeAttributeViewBlocks", &json!({ "avID": PLANTS, "srcIDs": rows }));
        // Pots is shown in Reading as well.
        let world = carrier(world, POTS, "/Reading/Book", "pots of reading");
        world.ask("sqlite/flushTransaction", &json!({}));
        level(&world, "/Garden", "rwd");
        level(&world, "/Reading", reading);
        engine(world)
    };
    let to_text = json!({ "id": PLANTS, "column": "Pot", "type": "text" });
    let go = |both: bool| json!({ "id": PLANTS, "column": "Pot", "remove_back_column": both });
    for (action, arguments) in [("update_column", &to_text), ("remove_column", &go(false))] {
        let engine = relations("r");
        assert_eq!(refused(&engine, action, arguments.clone()).0, ErrorType::PermissionDenied, "{action}");
        let reply = ask(&relations("rw"), action, arguments.clone());
        assert!(reply.is_ok(), "{action}: {reply:?}");
    }
    assert_eq!(refused(&relations("rw"), "remove_column", go(true)).0, ErrorType::PermissionDenied);
    // Vial, a row of Pots, lies in a closed notebook.
    assert_eq!(refused(&relations("rwd"), "remove_column", go(true)).0, ErrorType::NotFound);
}
