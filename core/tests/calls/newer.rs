//! Calls on SiYuan 3.8: its new blocks and views, and the types that texts keep.

use std::collections::BTreeSet;

use demo_kernel::Siyuan;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::output::Output;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, call, shown};

type OnWorld = Engine<World, Nobody>;

/// Tabs with a paragraph and a list, a quote with tabs in it, a custom block, and a mind map at the end.
const SEASONS: &str = "intro #herbs#\n\n::: tabs\n@tab Spring\n\nsow peas\n\n@tab Autumn\n\n* mulch\n\n:::\n\n\
    > ::: tabs\n> @tab Inner\n>\n> words\n>\n> :::\n\n;;;clock\n12\n;;;";
const MAP: &str = r#"<div data-type="NodeMindmap" data-subtype="u" class="mindmap"><div data-type="NodeMindmapItem" data-subtype="u" data-marker="-" class="mindmap-item"><div data-type="NodeParagraph" class="p"><div contenteditable="true">Peas</div></div></div></div>"#;

/// A garden with one document, `/Garden/Seasons`.
fn seasons(siyuan: Siyuan) -> OnWorld {
    let world = World::of(siyuan).notebook("Garden", "rwd").doc("/Garden/Seasons", SEASONS);
    let body = json!({ "parentID": world.id("/Garden/Seasons"), "dataType": "dom", "data": MAP });
    if siyuan == Siyuan::V3_8 {
        world.ask("block/appendBlock", &body);
    }
    world.ask("sqlite/flushTransaction", &json!({}));
    Engine::new(world, Nobody)
}

fn ask(engine: &OnWorld, tool: Tool, arguments: &Value) -> Result<Output, (ErrorType, String)> {
    engine.kernel.pass(1_000);
    let arguments = engine.kernel.fill(&arguments.to_string());
    let reply = call(engine, tool, &serde_json::from_str(&arguments).unwrap(), &Approval::Given);
    reply.map_err(|error| (error.kind, error.message))
}

/// The ids and types of the blocks in another.
fn inside(engine: &OnWorld, id: &str) -> Vec<(String, String)> {
    let blocks = engine.kernel.ask("block/getChildBlocks", &json!({ "id": engine.kernel.fill(id) }));
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    blocks.as_array().unwrap().iter().map(|it| (text(&it["id"]), text(&it["type"]))).collect()
}

/// The Kramdown of a block as it is stored.
fn stored(engine: &OnWorld, id: &str) -> String {
    let body = json!({ "id": engine.kernel.fill(id), "mode": "textmark" });
    engine.kernel.ask("block/getBlockKramdown", &body)["kramdown"].as_str().unwrap().to_owned()
}

/// New kinds of blocks are reported under their own names.
#[test]
fn new_kinds_of_blocks_have_names() {
    let engine = seasons(Siyuan::V3_8);
    let types: Vec<String> = inside(&engine, "{/Garden/Seasons}").into_iter().map(|it| it.1).collect();
    assert_eq!(types, ["p", "tabs", "b", "custom", "mindmap"]);
    let info = |id: &str| ask(&engine, Tool::Block, &json!({ "action": "info", "id": id })).unwrap().data;
    assert_eq!(info("{/Garden/Seasons#1}")["type"], "tabs");
    let tab = inside(&engine, "{/Garden/Seasons#1}")[0].0.clone();
    assert_eq!(info(&tab)["type"], "tab");
    let peas = inside(&engine, &tab)[0].0.clone();
    let above: Vec<Value> =
        info(&peas)["ancestors"].as_array().unwrap().iter().map(|it| it["type"].clone()).collect();
    assert_eq!(above, ["d", "tab"]);
    let map = inside(&engine, "{/Garden/Seasons}")[4].0.clone();
    let item = inside(&engine, &map)[0].0.clone();
    assert_eq!(info(&item)["type"], "mindmap_item");
    let list = ask(&engine, Tool::Block, &json!({ "action": "list", "id": "{/Garden/Seasons}" })).unwrap();
    assert!(shown(&Ok(list)).contains("custom"));
}

/// The kernel prints tabs flat and mind maps as lists, so no text that was read that way may replace them.
#[test]
fn tabs_and_mind_maps_are_not_replaced_by_markdown() {
    let engine = seasons(Siyuan::V3_8);
    let before = stored(&engine, "{/Garden/Seasons}");
    let map = inside(&engine, "{/Garden/Seasons}")[4].0.clone();
    let item = inside(&engine, &map)[0].0.clone();
    let tab = inside(&engine, "{/Garden/Seasons#1}")[0].0.clone();
    for id in ["{/Garden/Seasons#1}", "{/Garden/Seasons#2}", &tab, &map, &item] {
        for call in [
            json!({ "action": "update", "id": id, "markdown": "new" }),
            json!({ "action": "edit", "id": id, "edits": [{ "old": "s", "new": "z", "all": true }] }),
        ] {
            let refused = ask(&engine, Tool::Block, &call);
            let kind = refused.unwrap_err().0;
            assert_eq!(kind, ErrorType::Conflict, "{call}");
        }
    }
    let whole =
        json!({ "action": "write", "path": "{/Garden/Seasons}", "markdown": "new", "mode": "overwrite" });
    assert_eq!(ask(&engine, Tool::Fs, &whole).unwrap_err().0, ErrorType::Conflict);
    let whole = json!({ "action": "update", "id": "{/Garden/Seasons}", "markdown": "new" });
    assert_eq!(ask(&engine, Tool::Block, &whole).unwrap_err().0, ErrorType::Conflict);
    let part =
        json!({ "action": "edit", "path": "{/Garden/Seasons}", "edits": [{ "old": "sow", "new": "plant" }] });
    assert_eq!(ask(&engine, Tool::Fs, &part).unwrap_err().0, ErrorType::Conflict);
    assert_eq!(stored(&engine, "{/Garden/Seasons}"), before);
}

#[test]
fn blocks_in_and_beside_tabs_change() {
    let engine = seasons(Siyuan::V3_8);
    let tab = inside(&engine, "{/Garden/Seasons#1}")[0].0.clone();
    let peas = inside(&engine, &tab)[0].0.clone();
    let update = json!({ "action": "update", "id": peas, "markdown": "sow beans" });
    ask(&engine, Tool::Block, &update).unwrap();
    let beside = json!({ "action": "edit", "path": "{/Garden/Seasons}", "edits": [{ "old": "intro", "new": "start" }] });
    ask(&engine, Tool::Fs, &beside).unwrap();
    let append = json!({ "action": "append", "id": tab, "markdown": "and peas" });
    ask(&engine, Tool::Block, &append).unwrap();
    let text = stored(&engine, "{/Garden/Seasons}");
    for part in ["@tab Spring", "sow beans", "and peas", "start ", "@tab Autumn"] {
        assert!(text.replace('\u{200b}', "").contains(part), "{part}: {text}");
    }
    // A group of tabs holds tabs only, and Markdown has none.
    let append = json!({ "action": "append", "id": "{/Garden/Seasons#1}", "markdown": "text" });
    assert_eq!(ask(&engine, Tool::Block, &append).unwrap_err().0, ErrorType::Validation);
    let moved = json!({ "action": "move", "ids": ["{/Garden/Seasons#0}"], "target": "{/Garden/Seasons#1}", "position": "last" });
    assert_eq!(ask(&engine, Tool::Block, &moved).unwrap_err().0, ErrorType::Validation);
}

/// Tabs and mind maps are found by their own texts and titles, also while a notebook is closed and the types are named
/// to SiYuan; a callout's title is found as well, in both versions.
#[test]
fn titles_of_tabs_and_callouts_are_found() {
    for siyuan in [Siyuan::V3_7, Siyuan::V3_8] {
        for level in ["r", "none"] {
            let engine = seasons(siyuan);
            let world = engine
                .kernel
                .copy()
                .notebook("Private", level)
                .doc("/Garden/Shade", "> [!TIP] Damp corner\n> Ferns");
            world.ask("sqlite/flushTransaction", &json!({}));
            let engine = Engine::new(world, Nobody);
            let grep = |pattern: &str| {
                let data =
                    ask(&engine, Tool::Fs, &json!({ "action": "grep", "pattern": pattern })).unwrap().data;
                let items = data["items"].as_array().unwrap().clone();
                items.iter().map(|it| it["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            };
            assert_eq!(grep("damp corner"), ["[!TIP] 💡 Damp corner"]);
            assert_eq!(grep("ferns"), ["Ferns"]);
            let search = |query: &str| {
                let data =
                    ask(&engine, Tool::Search, &json!({ "action": "text", "query": query })).unwrap().data;
                let items = data["items"].as_array().unwrap().clone();
                items.iter().map(|it| it["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            };
            if siyuan == Siyuan::V3_8 {
                assert_eq!(grep("autumn"), ["Autumn"], "{level}");
                assert_eq!(grep("sow peas"), ["sow peas"], "{level}");
                assert!(
                    search("Autumn").contains(&"NodeTabItem".to_owned()),
                    "{level}: {:?}",
                    search("Autumn")
                );
                assert!(search("Peas").contains(&"NodeMindmap".to_owned()), "{level}: {:?}", search("Peas"));
            } else {
                // There the mark of a tab is text like any other.
                assert!(!search("Autumn").is_empty() && !grep("autumn").is_empty(), "{level}");
            }
        }
    }
}

/// On SiYuan 3.7 the same text is text, and changes.
#[test]
fn older_versions_have_no_tabs_to_keep() {
    let engine = seasons(Siyuan::V3_7);
    let whole = json!({ "action": "update", "id": "{/Garden/Seasons}", "markdown": "new" });
    ask(&engine, Tool::Block, &whole).unwrap();
    assert!(!stored(&engine, "{/Garden/Seasons}").contains("@tab"));
}

/// A new name of a tag and a replaced word change no block's type; where SiYuan can, the request says so.
#[test]
fn texts_that_keep_their_type_say_so() {
    for siyuan in [Siyuan::V3_7, Siyuan::V3_8] {
        let engine = seasons(siyuan);
        let locked = |tool: Tool, call: Value| {
            engine.kernel.take_sent();
            ask(&engine, tool, &call).unwrap();
            let sent = engine.kernel.take_sent();
            let text = sent.into_iter().map(|(_, body)| body.to_string()).find(|it| it.contains("dataType"));
            text.unwrap().contains("\"lockType\":true")
        };
        assert!(locked(
            Tool::Tag,
            json!({ "action": "rename", "kind": "tag", "label": "herbs", "new_label": "plants" })
        ));
        let replace = json!({ "action": "find_replace", "find": "intro", "replace": "start", "under": "{/Garden/Seasons}" });
        assert!(locked(Tool::Search, replace));
        // A paragraph may become a heading.
        let update = json!({ "action": "update", "id": "{/Garden/Seasons#0}", "markdown": "# start" });
        assert!(!locked(Tool::Block, update));
        assert_eq!(inside(&engine, "{/Garden/Seasons}")[0].1, "h");
    }
}

/// A list view, a calendar and a map are returned with their columns; no action makes one.
#[test]
fn new_views_are_told() {
    let element = r#"<div data-type="NodeAttributeView" data-av-id="20250601000000-newview" data-av-type="table"></div>"#;
    let world = World::of(Siyuan::V3_8).notebook("Garden", "rw").doc("/Garden/Plants", element);
    let (av, carrier) = ("20250601000000-newview", world.id("/Garden/Plants#0").to_owned());
    world.ask("av/renderAttributeView", &json!({ "id": av, "blockID": carrier }));
    for (at, layout) in ["list", "calendar", "map"].into_iter().enumerate() {
        let operations = json!([{ "action": "addAttrViewView", "avID": av, "blockID": carrier, "id": format!("2025060100000{at}-anyview"), "layout": layout }]);
        let body = json!({
            "transactions": [{ "doOperations": operations, "undoOperations": [] }], "reqId": 1, "app": "", "session": "",
        });
        world.ask("transactions", &body);
    }
    let engine = Engine::new(world, Nobody);
    let data = ask(&engine, Tool::Av, &json!({ "action": "get", "id": av })).unwrap().data;
    let views = data["views"].as_array().unwrap();
    let layouts: Vec<&Value> = views.iter().map(|it| &it["layout"]).collect();
    assert_eq!(layouts, ["table", "list", "calendar", "map"]);
    assert!(
        views.iter().all(|it| it["order"].as_array().is_some_and(|order| !order.is_empty())),
        "{views:?}"
    );
    // The block shows the map, whose rows have cells like those of a table.
    let rows = ask(&engine, Tool::Av, &json!({ "action": "list_rows", "id": av })).unwrap().data;
    assert_eq!(rows["view"]["layout"], "map");
}

/// Views of kinds that are new survive every change of what is known: columns, rows, cells, names and other views.
#[test]
fn new_views_survive_changes_beside_them() {
    let av = "20250601000000-newview";
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{av}" data-av-type="table"></div>"#);
    let world = World::of(Siyuan::V3_8).notebook("Garden", "rwd").doc("/Garden/Plants", &element);
    let carrier = world.id("/Garden/Plants#0").to_owned();
    world.ask("av/renderAttributeView", &json!({ "id": av, "blockID": carrier }));
    let transact = |operation: Value| {
        let body = json!({
            "transactions": [{ "doOperations": [operation], "undoOperations": [] }], "reqId": 1, "app": "", "session": "",
        });
        world.ask("transactions", &body);
    };
    for (at, layout) in ["list", "calendar"].into_iter().enumerate() {
        transact(
            json!({ "action": "addAttrViewView", "avID": av, "blockID": carrier, "id": format!("2025060100000{at}-anyview"), "layout": layout }),
        );
    }
    let first = world.ask("av/getAttributeView", &json!({ "id": av }))["av"]["views"][0]["id"].clone();
    transact(json!({ "action": "setAttrViewBlockView", "blockID": carrier, "avID": av, "id": first }));
    let engine = Engine::new(world, Nobody);
    // The views without the columns and rows that every one of them lists.
    let views = || {
        let stored = engine.kernel.ask("av/getAttributeView", &json!({ "id": av }));
        let new =
            stored["av"]["views"].as_array().unwrap().iter().filter(|it| it["type"] != "table").cloned();
        let mut new: Vec<Value> = new.collect();
        for view in &mut new {
            let view = view.as_object_mut().unwrap();
            view.remove("itemIds");
            let fields = view.values_mut().filter_map(Value::as_object_mut);
            fields.for_each(|it| it.retain(|name, _| !matches!(name.as_str(), "fields" | "columns")));
        }
        new
    };
    let before = views();
    assert_eq!(before.len(), 2, "{before:?}");
    for (action, arguments) in [
        ("add_column", json!({ "name": "Height", "type": "number" })),
        ("update_column", json!({ "column": "Height", "name": "Size" })),
        ("add_rows", json!({ "rows": [{ "title": "Mint", "cells": { "Size": 3 } }] })),
        ("rename", json!({ "name": "Herbs" })),
        ("update_view", json!({ "page_size": 20, "sorts": [{ "column": "Size" }] })),
        ("add_view", json!({ "name": "Cards", "layout": "gallery" })),
        ("remove_view", json!({ "view": "Cards" })),
        ("remove_column", json!({ "column": "Size" })),
    ] {
        let mut arguments = arguments;
        arguments["action"] = json!(action);
        arguments["id"] = json!(av);
        let data = ask(&engine, Tool::Av, &arguments).unwrap().data;
        assert_eq!(data.get("failed"), None, "{action}: {data:?}");
        let after: Vec<Value> = views().into_iter().filter(|it| it["type"] != "gallery").collect();
        assert_eq!(after, before, "{action}");
    }
    // Such a view is named, shown and removed like others; its rows are listed.
    for view in ["20250601000000-anyview", "20250601000001-anyview"] {
        let list = json!({ "action": "list_rows", "id": av, "view": view });
        assert_eq!(ask(&engine, Tool::Av, &list).unwrap().data["total"], 1, "{view}");
    }
}

/// A reference without a text gets the title of its target, on every version.
#[test]
fn bare_references_get_a_text() {
    for siyuan in [Siyuan::V3_7, Siyuan::V3_8] {
        let engine = seasons(siyuan);
        let append =
            json!({ "action": "append", "id": "{/Garden/Seasons}", "markdown": "see (({/Garden/Seasons}))" });
        ask(&engine, Tool::Block, &append).unwrap();
        let body = json!({ "id": engine.kernel.id("/Garden/Seasons"), "mode": "md" });
        let text = engine.kernel.ask("block/getBlockKramdown", &body)["kramdown"].take();
        let unfilled = engine.kernel.unfill(text.as_str().unwrap());
        assert!(unfilled.contains("(({/Garden/Seasons} 'Seasons'))"), "{unfilled}");
    }
}

/// Each way in which a note may name an asset, whatever the kernel's own list says of it: the file and the text.
const NAMED: [(&str, &str); 7] = [
    ("slash.png", "![a](/assets/slash.png)"),
    ("dot.png", "![a](./assets/dot.png)"),
    ("above.png", "![a](../assets/above.png)"),
    ("query.pdf", "[a](assets/query.pdf?p=3)"),
    ("hash.pdf", "[a](assets/hash.pdf#p4)"),
    ("two words.png", "![a](assets/two%20words.png)"),
    ("leaf.png", "<div>\n<img src=\"./assets/leaf.png#top\">\n</div>"),
];

/// A garden whose notes, cover and database name assets in every way; a document that can be unloaded names one more.
fn with_assets(siyuan: Siyuan) -> OnWorld {
    let av = "20250601000000-assetav";
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{av}" data-av-type="table"></div>"#);
    let on = json!({ "file": { "enabled": true, "actions": { "delete_assets": true } } });
    let world = World::of(siyuan)
        .notebook("Garden", "rwd")
        .doc("/Garden/Plants", &NAMED.map(|(_, text)| text).join("\n\n"))
        .doc("/Garden/Plants/Lost", "![a](assets/lost.png)")
        .doc("/Garden/Table", &element)
        .file("mcpToolsConfig", &on);
    let files = NAMED.map(|(name, _)| name);
    for name in files.iter().chain(&["cover.png", "a cell.png", "lost.png", "loose.png", "spare.png"]) {
        assert_eq!(world.demo.put_file(&format!("/data/assets/{name}"), b"x").status, 200);
    }
    let cover = json!({ "title-img": "background-image:url(\"/assets/cover.png\")" });
    world.ask("attr/setBlockAttrs", &json!({ "id": world.id("/Garden/Plants"), "attrs": cover }));
    let carrier = world.id("/Garden/Table#0").to_owned();
    world.ask("av/renderAttributeView", &json!({ "id": av, "blockID": carrier }));
    let engine = Engine::new(world, Nobody);
    for call in [
        json!({ "action": "add_column", "id": av, "name": "Note", "type": "text" }),
        json!({ "action": "add_rows", "id": av, "rows": [{ "title": "Mint", "cells": { "Note": "assets/a%20cell.png" } }] }),
    ] {
        ask(&engine, Tool::Av, &call).unwrap();
    }
    // Without a block that shows it, the index has nothing of the database.
    engine.kernel.ask("block/deleteBlock", &json!({ "id": carrier }));
    engine.kernel.ask("sqlite/flushTransaction", &json!({}));
    engine
}

/// Assets are in use however notes, covers and cells name them, and those that an unloaded document names; while one
/// is unloaded, nobody can tell which assets are unused.
#[test]
fn assets_in_use_are_not_deleted() {
    for siyuan in [Siyuan::V3_7, Siyuan::V3_8] {
        let engine = with_assets(siyuan);
        let file = |arguments: Value| ask(&engine, Tool::File, &arguments);
        let unused = || {
            let data = file(json!({ "action": "list_assets", "scope": "unused" })).unwrap().data;
            let items = data["items"].as_array().unwrap().clone();
            items.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
        };
        let free = ["loose.png", "spare.png"].map(str::to_owned);
        assert_eq!(unused(), BTreeSet::from(free.clone()), "{siyuan:?}");
        engine.kernel.demo.unload(engine.kernel.id("/Garden/Plants/Lost")).unwrap();
        engine.kernel.ask("sqlite/flushTransaction", &json!({}));
        let used = NAMED.iter().map(|(name, _)| *name).chain(["cover.png", "a cell.png", "lost.png"]);
        for name in used {
            let refused = file(json!({ "action": "delete_assets", "paths": [format!("assets/{name}")] }));
            assert_eq!(refused.unwrap_err().0, ErrorType::Conflict, "{siyuan:?} {name}");
        }
        let (kind, why) = file(json!({ "action": "delete_assets", "all_unused": true })).unwrap_err();
        assert_eq!(kind, ErrorType::Conflict, "{why}");
        assert!(why.contains("could not load"), "{why}");
        assert_eq!(unused(), BTreeSet::from(free), "{siyuan:?}");
        let done = file(json!({ "action": "delete_assets", "paths": ["assets/loose.png"] })).unwrap().data;
        assert_eq!(done["done"], json!(["assets/loose.png"]));
    }
}

/// A map view and what else is new in a database's file are returned as they are and stay as they are.
#[test]
fn map_views_are_told_and_kept() {
    let av = "20250601000000-newview";
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{av}" data-av-type="table"></div>"#);
    let world = World::of(Siyuan::V3_8).notebook("Garden", "rw").doc("/Garden/Plants", &element);
    let carrier = world.id("/Garden/Plants#0").to_owned();
    world.ask("av/renderAttributeView", &json!({ "id": av, "blockID": carrier }));
    let path = format!("/data/storage/av/{av}.json");
    let stored = |world: &World| {
        let file = world.demo.answer("/api/file/getFile", json!({ "path": path }).to_string().as_bytes());
        serde_json::from_slice::<Value>(&file.body).unwrap()
    };
    let mut database = stored(&world);
    let mut map = database["views"][0].clone();
    let table = map.as_object_mut().unwrap().remove("table").unwrap();
    map["id"] = json!("20250601000001-mapview");
    map["name"] = json!("Places");
    map["type"] = json!("map");
    map["map"] = table;
    map["map"]["settings"] =
        json!({ "serviceID": "s", "locationKeyID": "", "showRecordList": true, "later": [1] });
    map["map"]["newer"] = json!({ "than": "this" });
    database["views"].as_array_mut().unwrap().push(map.clone());
    let text = database.to_string();
    assert_eq!(world.demo.put_file(&path, text.as_bytes()).status, 200);
    let engine = Engine::new(world, Nobody);
    let call = |arguments: Value| ask(&engine, Tool::Av, &arguments).unwrap().data;
    let answer = call(json!({ "action": "get", "id": av }));
    assert_eq!(
        answer["views"].as_array().unwrap().iter().map(|it| &it["layout"]).collect::<Vec<_>>(),
        ["table", "map"]
    );
    let rows = call(json!({ "action": "list_rows", "id": av, "view": "Places" }));
    assert_eq!(rows["view"]["layout"], "map");
    call(json!({ "action": "rename", "id": av, "name": "Herbs" }));
    call(json!({ "action": "add_column", "id": av, "name": "Height", "type": "number" }));
    let after = stored(&engine.kernel);
    assert_eq!((&after["name"], &after["views"][1]["type"]), (&json!("Herbs"), &json!("map")));
    for key in ["settings", "newer"] {
        assert_eq!(after["views"][1]["map"][key], map["map"][key], "{key}");
    }
}

/// The version is reported, with its differences.
#[test]
fn version_is_told() {
    let info = |siyuan: Siyuan| {
        let engine = seasons(siyuan);
        ask(&engine, Tool::System, &json!({ "action": "get_info" })).unwrap().data
    };
    let (old, new) = (info(Siyuan::V3_7), info(Siyuan::V3_8));
    assert_eq!((&old["siyuan"], old.get("differences")), (&json!("3.7.3"), None));
    assert_eq!(new["siyuan"], "3.8.6");
    assert_eq!(new["differences"].as_array().unwrap().len(), 3);
}
