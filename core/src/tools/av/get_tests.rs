//! Tests of `av.get`: carriers and rows of closed notebooks, columns, relations, rollups.

use expect_test::expect;
use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::databases::{LOOSE, PLANTS, SECRETS, ask, column, garden};
use crate::testing::world::{Nobody, World, check};
use crate::tools::av::testing::{
    IN_POT, ROLLED, STATE, engine, level, own_plants, primary, transact, with_rollup,
};

/// B-055, B-056: for a database that an open and a closed notebook show, the closed one and its row do not exist.
#[test]
fn database_omits_rows_of_closed_notebooks() {
    check(
        "av.get",
        garden(&["/Private/Vial"]),
        &json!({ "id": PLANTS }),
        &expect![[r#"
            flushTransaction sql getAttributeView sql
            {"id":"{plants database}","columns":[{"id":"{new 1}","name":"Primary Key","type":"block"},{"id":"{new 2}","name":"Select","type":"select"},{"id":"{new 3}","name":"Height","type":"number"},{"id":"{new 4}","name":"Due","type":"date"}],"views":[{"id":"{new 5}","name":"Table","layout":"table","order":["Due","Height","Primary Key","Select"],"page_size":50}],"carriers":[{"block":"{plants}","hpath":"/Beds","notebook":"{/Garden}"}],"row_count":3,"hash":"8a495c30c13d"}
        "#]],
    );
}

/// B-055: a database that only a closed notebook shows looks like a missing one, after the same requests.
#[test]
fn hidden_database_answers_like_a_missing_one() {
    let engine = Engine::new(garden(&["/Private/Vial"]), Nobody);
    let hidden_carrier = engine.kernel.id("plants in /Private/Vial").to_owned();
    let secret_carrier = engine.kernel.id("secrets").to_owned();
    let missing = "20250601000000-avnever";
    let mut answers = Vec::new();
    for action in ["get", "set_cells"] {
        for id in [missing, SECRETS, &secret_carrier, &hidden_carrier] {
            let mut arguments = json!({ "id": id });
            if action == "set_cells" {
                arguments["cells"] = json!([{ "row": LOOSE, "column": "Height", "value": 3 }]);
            }
            let (kind, message) = ask(&engine, action, arguments).unwrap_err();
            assert_eq!(kind, ErrorType::NotFound);
            let paths: Vec<&str> = engine.kernel.take_sent().into_iter().map(|(path, _)| path).collect();
            answers.push((message, paths));
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
}

/// A block that shows a database stands for it.
#[test]
fn database_block_id_resolves_to_its_database() {
    let engine = Engine::new(garden(&[]), Nobody);
    let carrier = engine.kernel.id("plants").to_owned();
    let by_block = ask(&engine, "get", json!({ "id": carrier })).unwrap();
    assert_eq!(by_block["id"], PLANTS);
    assert_eq!(by_block, ask(&engine, "get", json!({ "id": PLANTS })).unwrap());
    let view = by_block["views"][0]["name"].as_str().unwrap().to_owned();
    let one = ask(&engine, "get", json!({ "id": PLANTS, "view": view })).unwrap();
    assert_eq!(one["views"], by_block["views"]);
    let (kind, message) = ask(&engine, "get", json!({ "id": PLANTS, "view": "None" })).unwrap_err();
    assert_eq!(kind, ErrorType::Validation);
    assert!(message.contains(&view), "{message}");
}

/// B-055: many carriers in closed notebooks do not push those of open ones out of the answer.
#[test]
fn carriers_are_listed_however_many_are_closed() {
    let world = garden(&["/Private/Vial"]);
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{PLANTS}" data-av-type="table"></div>"#);
    let many = vec![element; 1_001].join("\n\n");
    let body = json!({ "parentID": world.id("/Private/Vial"), "dataType": "markdown", "data": many });
    world.ask("block/prependBlock", &body);
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    let reply = ask(&engine, "get", json!({ "id": PLANTS })).unwrap();
    assert_eq!(reply["carriers"].as_array().map(Vec::len), Some(1));
    assert_eq!(reply["carriers"][0]["block"], engine.kernel.id("plants"));
}

/// B-055: a relation names only a database that the caller may see.
#[test]
fn a_relation_to_a_hidden_database_names_none() {
    for (to, expected) in [(SECRETS, None), (PLANTS, Some(PLANTS))] {
        let world = own_plants("rw");
        column(&world, PLANTS, STATE, "Mates", "relation");
        let operation = json!({
            "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": STATE, "id": to, "isTwoWay": false,
            "backRelationKeyID": "", "name": "", "format": "Mates",
        });
        transact(&world, &operation);
        let reply = ask(&engine(world), "get", json!({ "id": PLANTS })).unwrap();
        let mates = reply["columns"].as_array().unwrap().iter().find(|it| it["name"] == "Mates").unwrap();
        assert_eq!(mates["relation"].get("id"), expected.map(|id| json!(id)).as_ref(), "{mates}");
    }
}

/// B-055: of a database that only closed notebooks show, a relation and a rollup name nothing.
#[test]
fn relations_to_closed_databases_tell_nothing_of_them() {
    let engine = |level_of_private: &str| {
        let world = garden(&[]);
        column(&world, PLANTS, IN_POT, "Pot", "relation");
        let relate = json!({ "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": IN_POT, "id": SECRETS, "isTwoWay": true, "backRelationKeyID": "20250601000002-keyback", "name": "Plants", "format": "Pot" });
        transact(&world, &relate);
        let world = with_rollup(world, SECRETS);
        level(&world, "/Private", level_of_private);
        Engine::new(world, Nobody)
    };
    let column = |engine: &Engine<World, Nobody>, id: &str| {
        let answer = ask(engine, "get", json!({ "id": PLANTS })).unwrap();
        answer["columns"].as_array().unwrap().iter().find(|it| it["id"] == *id).unwrap().clone()
    };
    let closed = engine("none");
    let (relation, rollup) = (column(&closed, IN_POT), column(&closed, ROLLED));
    assert_eq!(relation.get("relation"), None, "{relation}");
    assert_eq!(rollup["rollup"].get("column"), None, "{rollup}");
    assert_eq!(rollup["rollup"]["relation"], "Pot");
    let open = engine("r");
    assert_eq!(column(&open, IN_POT)["relation"], json!({ "id": SECRETS, "two_way": true }));
    assert_eq!(column(&open, ROLLED)["rollup"]["column"], primary(&open.kernel, SECRETS));
}
