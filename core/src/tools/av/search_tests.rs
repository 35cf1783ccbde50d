//! Tests of `av.search`: names, words, and databases that closed notebooks show.

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::testing::databases::{PLANTS, ask, carrier, garden};
use crate::testing::world::Nobody;
use crate::tools::av::testing::transact;

/// B-055: databases that only closed notebooks show do not push others out of the list.
#[test]
fn databases_are_found_whatever_is_closed() {
    let mut world = garden(&[]);
    transact(&world, &json!({ "action": "setAttrViewName", "id": PLANTS, "data": "Plants of the garden" }));
    world.pass(1_000);
    for at in 0..13 {
        let id = format!("20250601000009-avsec{at:02}");
        world = carrier(world, &id, "/Private/Vial", &format!("secret {at}"));
        transact(&world, &json!({ "action": "setAttrViewName", "id": id, "data": "Plants of the attic" }));
    }
    let engine = Engine::new(world, Nobody);
    let find = |arguments: Value| ask(&engine, "search", arguments).unwrap();
    let all = find(json!({}));
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(1), Some(1)), "{all}");
    let item = &all["items"][0];
    assert_eq!((&item["id"], &item["name"]), (&json!(PLANTS), &json!("Plants of the garden")));
    assert_eq!(item["carriers"].as_array().map(Vec::len), Some(1));
    assert_eq!(find(json!({ "query": "GARDEN plants" }))["items"], all["items"]);
    assert_eq!(find(json!({ "query": "attic" }))["items"], json!([]));
    assert_eq!(find(json!({ "notebook": "Reading" }))["items"], json!([]));
}

/// Every word of a query stands in the name that is found.
#[test]
fn databases_are_found_by_every_word() {
    let mut world = garden(&[]);
    transact(&world, &json!({ "action": "setAttrViewName", "id": PLANTS, "data": "Plants of the garden" }));
    let other = "20250601000009-avother";
    world = carrier(world, other, "/Garden/Rose", "other");
    transact(&world, &json!({ "action": "setAttrViewName", "id": other, "data": "Plants in pots" }));
    let engine = Engine::new(world, Nobody);
    let found = |query: &str| {
        let answer = ask(&engine, "search", json!({ "query": query })).unwrap();
        let mut ids: Vec<String> = answer["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["id"].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(found("plants"), [PLANTS, other]);
    assert_eq!(found("pots PLANTS"), [other]);
    assert_eq!(found("pots garden"), [""; 0]);
}
