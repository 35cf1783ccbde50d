//! The contract of SiYuan 3.8: consistency of the data, and strict decoding of requests.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "clippy's freedoms of tests do not reach helpers"
)]

use std::collections::{BTreeMap, BTreeSet};

use demo_kernel::contract::{Access, Body, Contract, Field, Fields, Type};
use serde_json::{Value, json};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/contract/siyuan-3.8");

fn contract() -> Contract {
    Contract::siyuan_3_8().unwrap()
}

fn shapes_of(kind: &Type, found: &mut Vec<String>) {
    match kind {
        Type::List(kind) | Type::Map(kind) | Type::OrNull(kind) => shapes_of(kind, found),
        Type::Shape(name) => found.push(name.clone()),
        _ => {}
    }
}

fn in_fields(fields: &Fields) -> Vec<String> {
    let mut found = Vec::new();
    fields.values().for_each(|it| shapes_of(&it.kind, &mut found));
    found
}

fn sound(place: &str, field: &Field) {
    let text = field.kind == Type::Text;
    assert!(text || (field.words.is_empty() && !field.filled), "{place}: only a text has words or is filled");
    assert!(!field.filled || field.words.is_empty(), "{place}: filled says nothing beside words");
    let words: BTreeSet<&String> = field.words.iter().collect();
    assert_eq!(words.len(), field.words.len(), "{place}: a word twice");
    assert!(!matches!(field.kind, Type::OrNull(_) | Type::Null), "{place}: a field says `nullable`");
}

/// Every data file is loaded; no endpoint or shape is duplicated, missing or unused.
#[test]
fn contract_data_is_consistent() {
    let mut files = 0;
    let mut all = Contract::default();
    for entry in std::fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        files += 1;
        let area = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let part: Contract = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (path, endpoint) in part.endpoints {
            let own = format!("/api/{area}");
            assert!(path == own || path.starts_with(&format!("{own}/")), "{path} stands in {area}.json");
            all.endpoints.insert(path, endpoint);
        }
        for (name, fields) in part.shapes {
            assert!(all.shapes.insert(name.clone(), fields).is_none(), "two shapes are named {name}");
        }
    }
    let read = contract();
    assert_eq!(read.endpoints.keys().collect::<Vec<_>>(), all.endpoints.keys().collect::<Vec<_>>());
    assert_eq!(read.shapes.len(), all.shapes.len(), "{files} files, and one of them is not read");

    let mut named: BTreeSet<String> = BTreeSet::new();
    for (path, endpoint) in &all.endpoints {
        endpoint.request.iter().for_each(|(name, field)| sound(&format!("{path} {name}"), field));
        named.extend(in_fields(&endpoint.request));
        let mut reply = Vec::new();
        endpoint.reply.iter().for_each(|it| shapes_of(it, &mut reply));
        named.extend(reply);
        assert!(
            endpoint.body != Body::None || endpoint.request.is_empty(),
            "{path}: fields that are not read"
        );
        // Public endpoints never write.
        assert!(endpoint.access != Access::Public || !endpoint.refused_when_readonly, "{path}");
    }
    let shapes: BTreeMap<&String, Vec<String>> =
        all.shapes.iter().map(|(name, it)| (name, in_fields(it))).collect();
    for (name, fields) in &all.shapes {
        fields.iter().for_each(|(field, it)| sound(&format!("{name}.{field}"), it));
        named.extend(shapes[name].iter().cloned());
    }
    let defined: BTreeSet<String> = all.shapes.keys().cloned().collect();
    assert_eq!(named, defined, "shapes that are named, and shapes that are described");
}

/// The README lists exactly the sources that endpoints name, each with file and commit.
#[test]
fn every_endpoint_names_its_sources() {
    let readme = std::fs::read_to_string(format!("{FOLDER}/README.md")).unwrap();
    let mut sources: BTreeMap<&str, bool> = BTreeMap::new();
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(|it| it.trim().trim_matches('`')).collect();
        let (name, file, commit) = (cells[1], cells[2], cells[3]);
        assert!(file.contains('/'), "{name}: {file}");
        assert!(commit.len() == 40 && commit.chars().all(|it| it.is_ascii_hexdigit()), "{name}: {commit}");
        assert!(sources.insert(name, false).is_none(), "{name} twice");
    }
    for (path, endpoint) in contract().endpoints {
        assert!(!endpoint.from.is_empty(), "{path}");
        for name in endpoint.from {
            *sources.get_mut(name.as_str()).unwrap_or_else(|| panic!("{path}: the README has no {name}")) =
                true;
        }
    }
    let unused: Vec<&&str> = sources.iter().filter(|(_, used)| !**used).map(|(name, _)| name).collect();
    assert!(unused.is_empty(), "nothing was read in {unused:?}");
}

fn refused(path: &str, body: &Value) -> String {
    contract().check(path, body).unwrap_err()
}

/// Each reason for code -1 in SiYuan 3.8.4 and newer.
#[test]
fn contract_decodes_requests_strictly() {
    let update = "/api/block/updateBlock";
    let good = json!({ "id": "x", "dataType": "markdown", "data": "", "lockType": null, "other": [1] });
    assert_eq!(contract().check(update, &good), Ok(()));
    assert_eq!(refused(update, &json!({ "id": "x", "dataType": "dom" })), "Field [data] is required");
    assert_eq!(
        refused(update, &json!({ "id": "x", "dataType": "dom", "data": null })),
        "Field [data] must not be null"
    );
    assert_eq!(
        refused(update, &json!({ "id": " ", "dataType": "dom", "data": "" })),
        "Field [id] must not be empty"
    );
    assert!(
        refused(update, &json!({ "id": 1, "dataType": "dom", "data": "" }))
            .starts_with("Field [id] has an invalid type: 1 is not")
    );
    // Objects in a list follow the same rules.
    let several = json!({ "blocks": [good, { "id": "y", "dataType": "markdown" }] });
    assert_eq!(
        refused("/api/block/batchUpdateBlock", &several),
        "Field [blocks] has an invalid type: element [1]: Field [data] is required"
    );
    // So do the values of a map.
    let attrs = |value: Value| json!({ "id": "x", "attrs": { "custom-a": value } });
    assert_eq!(contract().check("/api/attr/setBlockAttrs", &attrs(Value::Null)), Ok(()));
    assert!(contract().check("/api/attr/setBlockAttrs", &attrs(json!(1))).is_err());
    // An optional field is not necessarily nullable.
    let transactions = |app: Value| json!({ "transactions": [], "reqId": 1, "app": app });
    assert_eq!(contract().check("/api/transactions", &transactions(json!("a"))), Ok(()));
    assert_eq!(refused("/api/transactions", &transactions(Value::Null)), "Field [app] must not be null");
    let sort =
        |order: &str| json!({ "avID": "x", "blockID": "y", "data": [{ "column": "c", "order": order }] });
    assert_eq!(contract().check("/api/av/setAttrViewSorts", &sort("ASC")), Ok(()));
    assert!(refused("/api/av/setAttrViewSorts", &sort("up")).contains("has an invalid value"));
}

/// Ignored bodies, and ignored fields of another type.
#[test]
fn contract_ignores_some_bodies_and_fields() {
    let contract = contract();
    assert_eq!(contract.check("/api/system/getConf", &Value::Null), Ok(()));
    assert_eq!(contract.check("/api/notebook/lsNotebooks", &json!("")), Ok(()));
    assert_eq!(contract.check("/api/block/getChildBlocks", &json!({ "id": "x", "notebook": 1 })), Ok(()));
    assert_eq!(
        contract.check("/api/block/getChildBlocks", &json!("")),
        Err("the body is no object".to_owned())
    );
    assert!(contract.check("/api/block/nothing", &json!({})).is_err());
}

/// Forms: a part that must be there, and one that is a text where the kernel looks for a file, or the other way round.
#[test]
fn contract_checks_forms() {
    let contract = contract();
    let put = |parts: &[(&str, bool)]| contract.check_form("/api/file/putFile", parts);
    assert_eq!(put(&[("path", false), ("isDir", false), ("file", true), ("other", true)]), Ok(()));
    assert_eq!(put(&[("path", false), ("file", false)]), Err("Field [file] is no file".to_owned()));
    assert_eq!(put(&[("path", true), ("file", true)]), Err("Field [path] is a file".to_owned()));
    assert_eq!(contract.check_form("/api/asset/upload", &[("file[]", true), ("file[]", true)]), Ok(()));
    assert!(contract.check_form("/api/query/sql", &[]).is_err());
    assert!(contract.check("/api/file/putFile", &json!({ "path": "/data/x" })).is_err());
}

/// Example replies match the contract they are built from.
#[test]
fn example_replies_match_the_contract() {
    let contract = contract();
    let mut made = 0;
    for path in contract.endpoints.keys() {
        for full in [false, true] {
            let Some(data) = contract.reply(path, full) else { continue };
            assert_eq!(contract.check_reply(path, &data), Ok(()), "{path} {data}");
            made += 1;
        }
    }
    assert!(made > contract.endpoints.len(), "{made}");
}
