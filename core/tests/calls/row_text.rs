//! The text of rows, which SiYuan may show as HTML: no tag that acts gets there.

use futures_util::future::join;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::databases::{PLANTS, ask, garden};
use crate::kernel::{Nobody, ready};
use crate::slow::Slow;
use crate::world::{World, call};

const TAG: &str = "`<img src=x onerror=y>`";

/// S16: SiYuan may name a group with the text of a row, and shows that name as HTML.
#[test]
fn block_with_a_tag_that_acts_becomes_no_row() {
    let engine = Engine::new(garden(&[]).doc("/Garden/Mint", "`<img src=x onerror=y>`\n\nVec<T>"), Nobody);
    let id = |name: &str| engine.kernel.id(name).to_owned();
    let add = |block: String| ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": [{ "block": block }] }));
    assert_eq!(add(id("/Garden/Mint#0")).map_err(|error| error.0), Err(ErrorType::Validation));
    assert_eq!(add(id("/Garden/Mint#1")).unwrap()["rows"].as_array().map(Vec::len), Some(1));
}

/// S16: of a list or a quote, SiYuan takes the first text inside, which may be written on its own.
#[test]
fn tag_that_acts_is_not_written_beside_rows() {
    let engine =
        Engine::new(garden(&[]).doc("/Garden/Mint", "* one\n\nlast").doc("/Garden/Fern", ""), Nobody);
    let id = |name: &str| engine.kernel.id(name).to_owned();
    let write = |action: &str, id: &str, markdown: &str| {
        engine.kernel.pass(1_000);
        let arguments = json!({ "action": action, "id": id, "markdown": markdown });
        call(&engine, Tool::Block, &arguments, &Approval::Given).map(|_| ()).map_err(|error| error.kind)
    };
    assert_eq!(write("append", &id("/Garden/Mint"), TAG), Ok(()), "no block is a row yet");
    let row = json!({ "id": PLANTS, "rows": [{ "block": id("/Garden/Mint#0") }] });
    assert_eq!(ask(&engine, "add_rows", row).unwrap()["rows"].as_array().map(Vec::len), Some(1));
    for action in ["append", "prepend"] {
        assert_eq!(write(action, &id("/Garden/Mint"), TAG), Err(ErrorType::Validation), "{action}");
        assert_eq!(write(action, &id("/Garden/Mint"), "a < b"), Ok(()), "{action}");
        assert_eq!(write(action, &id("/Garden/Fern"), TAG), Ok(()), "{action}");
    }
    assert_eq!(write("update", &id("/Garden/Mint#1"), TAG), Err(ErrorType::Validation));
}

/// S16: a person made a row of a quote that holds such text behind its first words. It may not come to the front.
#[test]
fn text_that_acts_stays_behind_the_name_of_a_row() {
    let engine = Engine::new(garden(&[]).doc("/Garden/Mint", &format!("> one\n>\n> {TAG}\n\nlast")), Nobody);
    let row = json!({ "avID": PLANTS, "srcs": [{ "id": engine.kernel.id("/Garden/Mint#0"), "isDetached": false }] });
    engine.kernel.ask("av/addAttributeViewBlocks", &row);
    let update = |markdown: &str| {
        let arguments = json!({ "action": "update", "id": "{/Garden/Mint#0}", "markdown": markdown });
        outcome(&engine, Tool::Block, &arguments)
    };
    assert_eq!(update(&format!("> {TAG}")), Err(ErrorType::Validation));
    assert_eq!(update("> two"), Ok(()));
}

/// Text that a person put into the name of a row may stay when the text around it changes.
#[test]
fn text_in_the_name_of_a_row_may_stay() {
    let code = "`Vec<Vec<u8>>`";
    let engine = Engine::new(garden(&[]).doc("/Garden/Mint", code), Nobody);
    let row = json!({ "avID": PLANTS, "srcs": [{ "id": engine.kernel.id("/Garden/Mint#0"), "isDetached": false }] });
    engine.kernel.ask("av/addAttributeViewBlocks", &row);
    let update = |markdown: String| {
        let arguments = json!({ "action": "update", "id": "{/Garden/Mint#0}", "markdown": markdown });
        outcome(&engine, Tool::Block, &arguments)
    };
    assert_eq!(update(format!("more {code}")), Ok(()));
    assert_eq!(update(format!("{code} {TAG}")), Err(ErrorType::Validation));
}

/// Garden with a list, the first item of which is a row, and documents without rows. Its names: `one`, `two` (items),
/// `one text`, `two text` (their paragraphs).
fn with_a_row(more: &[(&str, &str)]) -> Engine<World, Nobody> {
    let mut world = garden(&[]).doc("/Garden/Mint", "* one\n* two\n\nlast");
    for (path, text) in more {
        world = world.doc(path, text);
    }
    let children = |world: &World, id: &str| -> Vec<String> {
        let all = world.ask("block/getChildBlocks", &json!({ "id": id }));
        all.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
    };
    let items = children(&world, world.id("/Garden/Mint#0"));
    for (name, item) in ["one", "two"].into_iter().zip(items) {
        let text = children(&world, &item).remove(0);
        world = world.named(&format!("{name} text"), text).named(name, item);
    }
    let mut levels = world.table();
    levels.insert(world.id("/Garden").to_owned(), json!("rwd"));
    world.put("notebookPermissions", &Value::Object(levels));
    let engine = Engine::new(world, Nobody);
    let row = json!({ "id": PLANTS, "rows": [{ "block": engine.kernel.id("one") }] });
    assert_eq!(ask(&engine, "add_rows", row).unwrap()["rows"].as_array().map(Vec::len), Some(1));
    engine
}

/// The outcome of a call whose arguments name blocks as `{one}`.
fn outcome(engine: &Engine<World, Nobody>, tool: Tool, arguments: &Value) -> Result<(), ErrorType> {
    engine.kernel.pass(1_000);
    engine.kernel.ask("sqlite/flushTransaction", &json!({}));
    let arguments = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    call(engine, tool, &arguments, &Approval::Given).map(|_| ()).map_err(|error| error.kind)
}

/// S16: a reference that follows its target takes over a text that was never judged.
#[test]
fn block_with_a_following_reference_becomes_no_row() {
    let engine = Engine::new(
        garden(&[])
            .doc("/Garden/Fern", "frond")
            .doc("/Garden/Mint", "see (({/Garden/Fern#0} 'frond'))\n\nsee (({/Garden/Fern#0} \"frond\"))")
            .doc("/Garden/List", "* see (({/Garden/Fern#0} 'frond'))\n\n# (({/Garden/Fern#0} 'frond'))"),
        Nobody,
    );
    let add = |name: &str| {
        let row = json!([{ "block": engine.kernel.id(name) }]);
        let added = ask(&engine, "add_rows", json!({ "id": PLANTS, "rows": row.clone() })).is_ok();
        let after = engine.kernel.id("/Garden/Fern#0");
        let made = ask(&engine, "create", json!({ "after": after, "name": "New", "rows": row })).is_ok();
        assert_eq!(added, made, "{name}");
        added
    };
    assert!(!add("/Garden/Mint#0") && !add("/Garden/List#0") && !add("/Garden/List#1"));
    assert!(add("/Garden/Mint#1"));
    let document = json!({ "action": "from_block", "block": "{/Garden/List#1}" });
    assert_eq!(outcome(&engine, Tool::Document, &document), Err(ErrorType::Validation));
}

/// S16: the same reference, written into a block that is a row, or into a list or a quote around or in one.
#[test]
fn following_reference_is_not_written_into_rows() {
    let engine = with_a_row(&[("/Garden/Fern", "frond")]);
    let write = |action: &str, id: &str, reference: &str| {
        let text = format!("see {}", reference.replace("ID", "{/Garden/Fern#0}"));
        let text = if id == "/Garden/Mint#0" { format!("* {text}") } else { text };
        outcome(
            &engine,
            Tool::Block,
            &json!({ "action": action, "id": format!("{{{id}}}"), "markdown": text }),
        )
    };
    let following = [
        "((ID 'frond'))",
        "((ID))",
        "(( ID\n'frond'))",
        "**((ID 'frond'))**",
        "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"ID\">frond</span>",
    ];
    for reference in following {
        for (action, id) in
            [("update", "one text"), ("append", "one"), ("prepend", "one"), ("prepend", "/Garden/Mint#0")]
        {
            let wrong = Err(ErrorType::Validation);
            assert_eq!(write(action, id, reference), wrong, "{action} {id} {reference}");
        }
        assert_eq!(write("append", "/Garden/Fern", reference), Ok(()), "{reference}");
    }
    for (action, id) in [("update", "one text"), ("append", "one"), ("append", "/Garden/Mint")] {
        assert_eq!(write(action, id, "((ID \"frond\"))"), Ok(()), "{action} {id}");
    }
    assert_eq!(write("append", "/Garden/Mint", "((ID 'frond'))"), Ok(()), "its own text names no row");
}

/// S16: each way in which stored text arrives in a document with rows.
#[test]
fn text_that_acts_does_not_arrive_beside_rows() {
    let engine = with_a_row(&[
        ("/Garden/Fern", &format!("{TAG}\n\nplain\n\n{TAG} again\n\n## Frond\n\nback")),
        ("/Garden/Moss", TAG),
        ("/Garden/Lichen", "grey"),
    ]);
    let mut moves = Vec::new();
    for (target, position) in [("{one}", "first"), ("{one}", "last"), ("{one text}", "before")] {
        let of =
            |block: &str| json!({ "action": "move", "ids": [block], "target": target, "position": position });
        moves.push((Tool::Block, of("{/Garden/Fern#0}")));
    }
    moves.push((
        Tool::Document,
        json!({ "action": "to_heading", "id": "{/Garden/Moss}", "target": "{one text}" }),
    ));
    let wrong: Vec<&Value> = moves
        .iter()
        .filter(|(tool, arguments)| outcome(&engine, *tool, arguments) != Err(ErrorType::Validation))
        .map(|(_, arguments)| arguments)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let allowed = [
        (
            Tool::Block,
            json!({ "action": "move", "ids": ["{/Garden/Fern#1}"], "target": "{one}", "position": "last" }),
        ),
        // Text of the document itself names no row.
        (
            Tool::Block,
            json!({ "action": "move", "ids": ["{/Garden/Fern#2}"], "target": "{/Garden/Mint}", "position": "last" }),
        ),
        (
            Tool::Document,
            json!({ "action": "to_heading", "id": "{/Garden/Lichen}", "target": "{/Garden/Mint#1}" }),
        ),
    ];
    for (tool, arguments) in allowed {
        assert_eq!(outcome(&engine, tool, &arguments), Ok(()), "{arguments}");
    }
}

/// S16: a swap puts the target where the reference is, and the reference where the target is.
#[test]
fn text_that_acts_is_not_swapped_into_rows() {
    let engine = with_a_row(&[
        ("/Garden/Fern", &format!("{TAG}\n\nplain")),
        ("/Garden/Moss", "see (({/Garden/Fern#1} \"plain\"))\n\nsee (({two text} 'two'))"),
    ]);
    let refer = json!({ "action": "update", "id": "{one text}", "markdown": "one (({/Garden/Fern#0} \"x\")) (({/Garden/Fern#1} \"x\"))" });
    assert_eq!(outcome(&engine, Tool::Block, &refer), Ok(()));
    let swap = |from: &str, to: &str| {
        outcome(&engine, Tool::Block, &json!({ "action": "swap_ref", "ref": from, "id": to }))
    };
    assert_eq!(swap("{one text}", "{/Garden/Fern#0}"), Err(ErrorType::Validation));
    assert_eq!(
        swap("{/Garden/Moss#1}", "{two text}"),
        Err(ErrorType::Validation),
        "a reference that follows"
    );
    assert_eq!(swap("{one text}", "{/Garden/Fern#1}"), Ok(()));
}

/// S16: references of rows that a person wrote follow their new target.
#[test]
fn references_of_rows_are_not_led_to_text_that_acts() {
    let engine = with_a_row(&[
        ("/Garden/Fern", &format!("{TAG}\n\nplain\n\nfrond")),
        ("/Garden/Moss", "see (({/Garden/Fern#2} 'frond'))"),
    ]);
    let person = json!({ "id": engine.kernel.id("one text"), "dataType": "markdown",
        "data": engine.kernel.fill("one (({/Garden/Fern#2} 'frond'))") });
    engine.kernel.ask("block/updateBlock", &person);
    let lead = |to: &str, refs: &str| {
        let arguments =
            json!({ "action": "transfer_refs", "from": "{/Garden/Fern#2}", "to": to, "refs": [refs] });
        outcome(&engine, Tool::Block, &arguments)
    };
    assert_eq!(lead("{/Garden/Fern#0}", "{one text}"), Err(ErrorType::Validation));
    assert_eq!(lead("{/Garden/Fern#0}", "{/Garden/Moss#0}"), Ok(()));
    assert_eq!(lead("{/Garden/Fern#1}", "{one text}"), Ok(()));
}

/// S16: the reference that a new document leaves behind follows its title.
#[test]
fn no_following_reference_is_left_beside_rows() {
    let engine = with_a_row(&[("/Garden/Fern", "## Frond\n\nback")]);
    let made = |block: &str, link: bool| {
        let arguments = json!({ "action": "from_block", "block": block, "leave_link": link });
        outcome(&engine, Tool::Document, &arguments)
    };
    assert_eq!(made("{two}", true), Err(ErrorType::Validation));
    assert_eq!(made("{two}", false), Ok(()));
    assert_eq!(made("{/Garden/Fern#0}", true), Ok(()));
}

/// S16: a replacement makes a tag of harmless text, or lets a reference follow its target.
#[test]
fn no_replacement_makes_a_row_act() {
    let engine = with_a_row(&[("/Garden/Fern", "frond")]);
    let write = |text: &str| {
        let update = json!({ "action": "update", "id": "{one text}", "markdown": text });
        assert_eq!(outcome(&engine, Tool::Block, &update), Ok(()), "{text}");
    };
    let replace = |find: &str, by: &str| {
        let arguments =
            json!({ "action": "find_replace", "find": find, "replace": by, "ids": ["{one text}"] });
        outcome(&engine, Tool::Search, &arguments)
    };
    write("`img src=x onerror=y>`");
    assert_eq!(replace("img", "<img"), Err(ErrorType::Validation));
    write("see (({/Garden/Fern#0} \"frond\"))");
    assert_eq!(replace("\"", "'"), Err(ErrorType::Validation));
    assert_eq!(replace("see", "look"), Ok(()));
}

/// S16: a version brings back text from before a block became a row.
#[test]
fn no_version_brings_text_that_acts_back_into_rows() {
    let engine = Engine::new(garden(&[]).doc("/Garden/Mint", &format!("* {TAG}\n\nlast")), Nobody);
    let list = engine.kernel.id("/Garden/Mint#0").to_owned();
    engine.kernel.ask("history/createDocHistory", &json!({ "id": engine.kernel.id("/Garden/Mint") }));
    let edit = json!({ "action": "edit", "id": list, "edits": [{ "old": TAG, "new": "one" }] });
    assert_eq!(outcome(&engine, Tool::Block, &edit), Ok(()));
    let item = engine.kernel.ask("block/getChildBlocks", &json!({ "id": list }))[0]["id"].take();
    let history = json!({ "action": "history", "id": "{/Garden/Mint}" });
    let history = serde_json::from_str(&engine.kernel.fill(&history.to_string())).unwrap();
    let versions = call(&engine, Tool::Document, &history, &Approval::Given).unwrap();
    let version = versions.data["items"][0]["version"].clone();
    let restore = json!({ "action": "restore", "id": "{/Garden/Mint}", "version": version });
    let row = json!({ "id": PLANTS, "rows": [{ "block": item }] });
    assert!(ask(&engine, "add_rows", row).is_ok());
    assert_eq!(outcome(&engine, Tool::Document, &restore), Err(ErrorType::Validation));
}

/// S16: a deletion or a move lets the next text of a list or a quote name its row.
#[test]
fn no_text_that_acts_comes_to_the_front_of_a_row() {
    let engine = with_a_row(&[]);
    // A person writes the text, in which nothing names a row yet.
    let behind = json!({ "previousID": engine.kernel.id("one text"), "dataType": "markdown", "data": TAG });
    engine.kernel.ask("block/insertBlock", &behind);
    for arguments in [
        json!({ "action": "delete", "ids": ["{one text}"] }),
        json!({ "action": "move", "ids": ["{one text}"], "target": "{/Garden/Mint}", "position": "last" }),
        json!({ "action": "move", "ids": ["{one text}"], "target": "{two text}" }),
    ] {
        assert_eq!(outcome(&engine, Tool::Block, &arguments), Err(ErrorType::Validation), "{arguments}");
    }
    for arguments in [
        json!({ "action": "delete", "ids": ["{two text}"] }),
        json!({ "action": "delete", "ids": ["{one}"] }),
    ] {
        assert_eq!(outcome(&engine, Tool::Block, &arguments), Ok(()), "{arguments}");
    }
}

/// S16: a call that rewrites a block at the same moment takes no mark of a row away.
#[test]
fn block_that_is_rewritten_meanwhile_stays_a_row() {
    for delay in ["/api/block/updateBlock", "/api/av/addAttributeViewBlocks"] {
        let late: fn(&str, &Value) -> bool = match delay {
            "/api/block/updateBlock" => |path, _| path == "/api/block/updateBlock",
            _ => |path, _| path == "/api/av/addAttributeViewBlocks",
        };
        let engine = Slow::engine(garden(&[]).doc("/Garden/Mint", "one\n\ntwo"), late);
        let id = engine.kernel.world.id("/Garden/Mint#0").to_owned();
        let update = json!({ "action": "update", "id": id, "markdown": "three" });
        let add = json!({ "action": "add_rows", "id": PLANTS, "rows": [{ "block": id }] });
        let both = join(Slow::call(&engine, Tool::Block, update), Slow::call(&engine, Tool::Av, add));
        let (updated, added) = ready(both);
        assert!(updated.is_ok() && added.is_ok());
        let kramdown = engine.kernel.world.ask("block/getBlockKramdown", &json!({ "id": id }));
        let kramdown = kramdown["kramdown"].as_str().unwrap();
        assert!(kramdown.contains("three") && kramdown.contains("custom-avs"), "{delay}: {kramdown}");
    }
}
