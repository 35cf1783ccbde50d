//! A document of 10,000 blocks: what works in it asks the kernel as often as in one of twenty (B-028).

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, call, shown, world};

const LARGE: usize = 10_000;
const SMALL: usize = 20;

/// A document of so many blocks, every tenth a heading.
fn document(blocks: usize) -> Engine<World, Nobody> {
    let block = |at: usize| {
        if at.is_multiple_of(10) { format!("## Bed {at}") } else { format!("Row {at} of mint, number {at}.") }
    };
    let text: Vec<String> = (0..blocks).map(block).collect();
    let world = world().doc("/Garden/Field", &text.join("\n\n"));
    let ids = world.ask("block/getChildBlocks", &json!({ "id": world.id("/Garden/Field") }));
    let (heading, row) =
        (ids[10]["id"].as_str().unwrap().to_owned(), ids[11]["id"].as_str().unwrap().to_owned());
    assert_eq!(ids.as_array().unwrap().len(), blocks);
    let world = world.named("heading", heading).named("row", row);
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    ask(&engine, Tool::Notebook, &json!({ "action": "list" }));
    engine
}

/// Makes a call, which must succeed; gives the answer and the requests.
fn ask(engine: &Engine<World, Nobody>, tool: Tool, arguments: &Value) -> (Value, Vec<&'static str>) {
    let arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    engine.kernel.take_paths();
    let reply = call(engine, tool, &arguments, &Approval::Given);
    let mut paths = engine.kernel.take_paths();
    paths.sort_unstable();
    let size = shown(&reply).len();
    assert!(size < 200_000, "{arguments} gave {size} characters");
    let output = reply.unwrap_or_else(|error| panic!("{arguments}: {error:?}"));
    let mut data = Value::Object(output.data);
    data["body"] = json!(output.body);
    (data, paths)
}

/// The same for a call that tells of many blocks; the version that is kept before many go is not counted.
fn ask_large(engine: &Engine<World, Nobody>, arguments: &Value) -> (Value, Vec<&'static str>) {
    engine.kernel.take_paths();
    let arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    let output = call(engine, Tool::Fs, &arguments, &Approval::Given).unwrap();
    let mut paths = engine.kernel.take_paths();
    paths.retain(|path| !path.ends_with("createDocHistory"));
    paths.sort_unstable();
    (Value::Object(output.data), paths)
}

#[test]
fn requests_do_not_grow_with_the_document() {
    let (large, small) = (document(LARGE), document(SMALL));
    for (tool, arguments) in [
        (Tool::Fs, json!({ "action": "read", "path": "/Garden/Field" })),
        (Tool::Fs, json!({ "action": "read", "path": "/Garden/Field", "tail": 5 })),
        (Tool::Fs, json!({ "action": "read", "path": "/Garden/Field", "section": "Bed 10" })),
        (
            Tool::Fs,
            json!({ "action": "grep", "pattern": "number 11\\.", "regex": true, "path": "/Garden/Field" }),
        ),
        (Tool::Document, json!({ "action": "outline", "id": "{/Garden/Field}" })),
        (Tool::Document, json!({ "action": "info", "ids": ["{/Garden/Field}"], "counts": true })),
        (Tool::Block, json!({ "action": "list", "id": "{/Garden/Field}" })),
        (Tool::Block, json!({ "action": "get", "ids": ["{heading}", "{row}"] })),
        (Tool::Search, json!({ "action": "text", "query": "mint", "under": "{/Garden/Field}" })),
        (
            Tool::Fs,
            json!({ "action": "edit", "path": "/Garden/Field", "edits": [{ "old": "Row 11 of", "new": "Line 11 of" }] }),
        ),
        (Tool::Block, json!({ "action": "update", "id": "{row}", "markdown": "Sage." })),
        (Tool::Block, json!({ "action": "append", "id": "{/Garden/Field}", "markdown": "The end." })),
        (
            Tool::Fs,
            json!({ "action": "write", "path": "/Garden/Field", "markdown": "New.", "mode": "prepend" }),
        ),
    ] {
        let ((_, of_large), (_, of_small)) = (ask(&large, tool, &arguments), ask(&small, tool, &arguments));
        assert_eq!(of_large, of_small, "{arguments}");
    }
}

/// Many blocks are changed, judged and split with the requests of a few.
#[test]
fn requests_do_not_grow_with_the_changed_blocks() {
    let (large, small) = (document(900), document(80));
    for edit in [
        json!({ "old": "Bed", "new": "(({heading})) Bed", "all": true }),
        json!({ "old": "number 1", "new": "number\n\nand 1", "all": true }),
    ] {
        let arguments = json!({ "action": "edit", "path": "/Garden/Field", "edits": [edit] });
        let preview = json!({ "action": "edit", "path": "/Garden/Field", "edits": [edit], "preview": true });
        let (_, of_preview) = ask_large(&small, &preview);
        let (_, of_small) = ask_large(&small, &arguments);
        let (_, large_preview) = ask_large(&large, &preview);
        let (data, of_large) = ask_large(&large, &arguments);
        assert_eq!((of_large, large_preview), (of_small, of_preview), "{edit}");
        assert!(data["replacements"].as_u64().unwrap() >= 80, "{data}");
    }
    let text = large.kernel.ask("block/getChildBlocks", &json!({ "id": large.kernel.id("/Garden/Field") }));
    let all: Vec<&str> = text.as_array().unwrap().iter().map(|it| it["markdown"].as_str().unwrap()).collect();
    let at = all.iter().position(|it| *it == "Row 891 of mint, number 891.").unwrap();
    assert!(all[at - 1].starts_with("## ((") && all[at - 1].ends_with("Bed 890"), "{}", all[at - 1]);
    let split = all.iter().position(|it| it.starts_with("Row 199 of")).unwrap();
    assert_eq!(all[split..split + 2], ["Row 199 of mint, number", "and 199."]);
}

/// Many texts are checked, written, split and read again with the requests of a few.
#[test]
fn requests_do_not_grow_with_the_texts_of_a_call() {
    let engine = document(400);
    let world = &engine.kernel;
    let ids = world.ask("block/getChildBlocks", &json!({ "id": world.id("/Garden/Field") }));
    let ids: Vec<&str> = ids.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    // Each text refers to a block of its own and becomes two blocks.
    let text = |at: usize| format!("New {at} (({} 'a row'))\n\nand more", ids[at + 200]);
    let asked = |from: usize, many: usize| {
        let each = || (from..).step_by(3).take(many);
        let updates: Vec<Value> = each().map(|at| json!({ "id": ids[at], "markdown": text(at) })).collect();
        let inserts: Vec<Value> = each()
            .map(|at| json!({ "target": ids[at], "position": "after", "markdown": text(at) }))
            .collect();
        engine.kernel.pass(2_000);
        let (updated, first) = ask(&engine, Tool::Block, &json!({ "action": "update", "updates": updates }));
        let items = updated["items"].as_array().unwrap();
        assert!(items.iter().all(|it| it["added"].as_array().is_some_and(|it| it.len() == 1)), "{updated}");
        engine.kernel.pass(2_000);
        let (_, second) = ask(&engine, Tool::Block, &json!({ "action": "insert", "inserts": inserts }));
        (first, second)
    };
    // The first call asks for the version of SiYuan, too.
    asked(2, 1);
    assert_eq!(asked(101, 30), asked(1, 10));
    let text = engine.kernel.ask("block/getChildBlocks", &json!({ "id": engine.kernel.id("/Garden/Field") }));
    let all: Vec<&str> = text.as_array().unwrap().iter().map(|it| it["markdown"].as_str().unwrap()).collect();
    let at = all.iter().position(|it| it.starts_with("New 104 ")).unwrap();
    // The inserted text stands behind the block, before what the update put there.
    assert!(all[at + 1].starts_with("New 104 "), "{:?}", &all[at..at + 4]);
    assert_eq!(all[at + 2..at + 4], ["and more", "and more"]);
}

/// A call for 200 rows makes as many requests as one for two: one for each kind of step.
#[test]
fn requests_do_not_grow_with_the_rows() {
    let requests = [2, 200].map(|rows| {
        let engine = Engine::new(world().docs(["/Garden/Beds"]), Nobody);
        let beds = engine.kernel.id("/Garden/Beds").to_owned();
        let columns = json!([{ "name": "Height", "type": "number" }, { "name": "Done", "type": "checkbox" }]);
        let create = json!({ "action": "create", "parent": beds, "name": "Plants", "columns": columns });
        let made = ask(&engine, Tool::Av, &create).0["id"].clone();
        let row =
            |at: usize| json!({ "title": format!("Plant {at}"), "cells": { "Height": at, "Done": true } });
        let all: Vec<Value> = (0..rows).map(row).collect();
        engine.kernel.pass(2_000);
        let (added, first) =
            ask(&engine, Tool::Av, &json!({ "action": "add_rows", "id": made, "rows": all }));
        let ids = added["rows"].as_array().unwrap().clone();
        assert_eq!(ids.len(), rows, "{added}");
        let cell = |row: &Value| json!({ "row": row, "column": "Height", "value": 7 });
        let cells: Vec<Value> = ids.iter().map(cell).collect();
        engine.kernel.pass(2_000);
        let (_, second) =
            ask(&engine, Tool::Av, &json!({ "action": "set_cells", "id": made, "cells": cells }));
        (first, second)
    });
    assert_eq!(requests[0], requests[1]);
}

/// B-029: following `next` shows every block once.
#[test]
fn a_large_document_is_read_to_its_end() {
    let engine = document(LARGE);
    let mut arguments = json!({ "action": "read", "path": "/Garden/Field", "limit": 500, "budget": 32_000 });
    let (mut text, mut pages) = (Vec::new(), 0);
    loop {
        let (page, paths) = ask(&engine, Tool::Fs, &arguments);
        assert!(paths.len() <= 3, "{paths:?}");
        pages += 1;
        text.push(page["body"].as_str().unwrap().to_owned());
        match page["next"].as_str() {
            Some(next) => arguments["cursor"] = json!(next),
            None => break,
        }
    }
    let text = text.join("\n\n");
    let read: Vec<&str> = text.split("\n\n").collect();
    assert_eq!((read.len(), read[9_999]), (LARGE, "Row 9999 of mint, number 9999."));
    assert!(read.windows(2).all(|pair| pair[0] != pair[1]) && pages <= 21, "{pages} pages");
}
