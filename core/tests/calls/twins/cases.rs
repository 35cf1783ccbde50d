//! Cases that once distinguished the twins, step by step; names stand for ids.

use serde_json::{Map, Value, json};

use super::pools;
use super::twin::Twins;

/// Runs the steps in both twins.
fn cannot_be_told_apart(steps: &[Value]) {
    let mut twins = Twins::new();
    for step in steps {
        let filled: Value = serde_json::from_str(&twins.fill(&step.to_string())).unwrap();
        if let Err(why) = twins.step(&filled) {
            panic!("{step}\n{why}");
        }
    }
}

/// F1: a notebook named like a hidden document's id made the check look at the notebook and the read at the document.
#[test]
fn notebook_named_like_a_hidden_document_reads_nothing() {
    for name in [
        "{/Private/Mercury plan}",
        " {/Private/Mercury plan} ",
        "\u{200b}{/Private/Mercury plan}",
        "{/Private}",
    ] {
        let id = name.trim_matches([' ', '\u{200b}']);
        cannot_be_told_apart(&[
            json!({ "call": "notebook.create", "arguments": { "name": name } }),
            json!({ "call": "fs.read", "arguments": { "path": id, "budget": 32_000 } }),
            json!({ "call": "fs.read", "arguments": { "path": id, "tail": 5, "with_ids": true } }),
            json!({ "call": "fs.list", "arguments": { "path": id } }),
            json!({ "call": "fs.tree", "arguments": { "path": id } }),
            json!({ "call": "notebook.info", "arguments": { "notebook": id } }),
        ]);
    }
}

/// F1: the same, with a name that a person chose.
#[test]
fn persons_notebook_name_is_not_used_as_an_id() {
    cannot_be_told_apart(&[
        json!({ "person": "names" }),
        json!({ "call": "fs.read", "arguments": { "path": "{/Private/Mercury plan}" }, "after": 2_000 }),
        json!({ "call": "fs.read", "arguments": { "path": "/{/Private/Mercury plan}/Vials" } }),
        json!({ "call": "fs.write", "arguments": { "path": "{/Private/Mercury plan}", "markdown": "x", "mode": "append" } }),
        json!({ "call": "fs.write", "arguments": { "path": "/{/Private/Mercury plan}/x", "markdown": "x" } }),
        json!({ "call": "document.create", "arguments": { "notebook": "{/Private/Mercury plan}", "title": "x" } }),
        json!({ "call": "search.text", "arguments": { "query": "x", "notebook": "{/Private/Mercury plan}" } }),
    ]);
}

/// F1, with a block: its children were read in the same way.
#[test]
fn notebook_named_like_a_hidden_block_reads_nothing() {
    let id = "{/Private/Mercury plan#2}";
    cannot_be_told_apart(&[
        json!({ "call": "notebook.create", "arguments": { "name": id } }),
        json!({ "call": "fs.read", "arguments": { "path": id } }),
        json!({ "call": "fs.edit", "arguments": { "path": id, "edits": [{ "old": "quicksilver", "new": "lead" }] } }),
        json!({ "call": "fs.write", "arguments": { "path": id, "markdown": "lead", "mode": "append" } }),
    ]);
}

/// F3: a parent in the form of an id was looked up wherever it lies, even by a preview.
#[test]
fn hidden_parent_answers_like_a_missing_one() {
    for notebook in ["Garden", "Scratch", "Reading", "{/Garden}"] {
        for parent in
            ["/Private/Mercury plan", "/Private/Mercury plan#1", "/Private/Mercury plan/Vials", "/Private"]
        {
            for preview in [true, false] {
                let path = format!("/{notebook}/{{{parent}}}/x");
                cannot_be_told_apart(&[
                    json!({ "call": "fs.write", "arguments": { "path": path, "markdown": "x", "preview": preview } }),
                    json!({ "call": "fs.tree", "arguments": { "path": format!("/{notebook}") } }),
                ]);
            }
        }
    }
}

/// F4: references to a hidden block in forms that the check of incoming text missed. The kernel writes the block's
/// text into them when it changes.
#[test]
fn planted_references_to_a_hidden_block_are_refused() {
    let id = "{/Private/Mercury plan#1}";
    let planted = [
        format!(r#"<span data-type="block-ref" data-subtype="d" Data-Id="{id}">x</span>"#),
        format!(r#"<span data-type="block-ref" data-subtype="d" DATA-ID="{id}">x</span>"#),
        format!("| a ` | (({id} 'x')) | ` b |\n|---|---|---|\n| 1 | 2 | 3 |"),
        format!("[a](`) (({id} 'x')) [b](`)"),
        format!("![a](`) (({id} 'x')) `"),
    ];
    for markdown in planted {
        cannot_be_told_apart(&[
            json!({ "call": "fs.write", "arguments": { "path": "/Garden/New", "markdown": markdown } }),
            json!({ "call": "block.append", "arguments": { "id": "{/Garden/Plants}", "markdown": markdown } }),
            json!({ "person": "writes" }),
            json!({ "call": "fs.read", "arguments": { "path": "/Garden/New" } }),
            json!({ "call": "fs.read", "arguments": { "path": "/Garden/Plants" } }),
            json!({ "call": "search.text", "arguments": { "query": "anew" } }),
        ]);
    }
}

/// F4, F5: the first digit of an id as an entity.
#[test]
fn id_written_with_an_entity_is_found() {
    let id = "{/Private/Mercury plan#1}";
    for markdown in [
        r#"<span data-type="block-ref" data-subtype="d" data-id="&#50;REST">x</span>"#,
        r#"<span data-type="block-ref" data-subtype="d" data-id="&#x32;REST">x</span>"#,
        "- {: id='&#50;REST'}text",
        r#"<div data-type="NodeAttributeView" DATA-AV-ID="&#50;REST" data-av-type="table"></div>"#,
    ] {
        let mut twins = Twins::new();
        let markdown = markdown.replace("REST", &twins.fill(id)[1..]);
        for step in [
            json!({ "call": "block.append", "arguments": { "id": twins.fill("{/Garden/Plants}"), "markdown": markdown } }),
            json!({ "person": "writes" }),
            json!({ "call": "fs.read", "arguments": { "path": "/Garden/Plants" } }),
            json!({ "call": "block.get", "arguments": { "ids": [twins.fill(id)] } }),
        ] {
            if let Err(why) = twins.step(&step) {
                panic!("{step}\n{why}");
            }
        }
    }
}

/// F17: a document that was just moved into the closed notebook is gone, whatever a stale row of the index says.
#[test]
fn document_just_moved_into_a_closed_notebook_is_missing() {
    cannot_be_told_apart(&[
        json!({ "person": "moves in" }),
        json!({ "call": "document.info", "arguments": { "ids": ["{/Garden/Beds}"] } }),
        json!({ "call": "document.info", "arguments": { "ids": ["{/Garden/Beds}", "{/Garden/Plants}"] } }),
        json!({ "call": "fs.read", "arguments": { "path": "{/Garden/Beds}" } }),
        json!({ "call": "search.text", "arguments": { "query": "bed" } }),
        json!({ "call": "document.info", "arguments": { "ids": ["{/Garden/Beds}", "{/Garden/Plants}"] }, "after": 4_000 }),
    ]);
}

/// Documents that hidden ones refer to can be moved and removed without revealing the references.
#[test]
fn references_from_the_closed_notebook_are_not_revealed() {
    cannot_be_told_apart(&[
        json!({ "call": "document.move", "arguments": { "ids": ["{/Garden/Plants}"], "parent": "{/Scratch/Old}" } }),
        json!({ "resource": "siyuan://doc/{/Garden/Plants}?depth=3", "after": 4_000 }),
        json!({ "call": "document.remove", "arguments": { "ids": ["{/Scratch/Old}"], "recursive": true } }),
        json!({ "call": "fs.tree", "arguments": { "path": "/Scratch" } }),
    ]);
}

/// Tags and bookmarks that only hidden blocks have, or that both kinds have.
#[test]
fn labels_of_the_closed_notebook_are_not_counted() {
    cannot_be_told_apart(&[
        json!({ "call": "document.create", "arguments": { "parent": "{/Garden/Plants}", "title": "Tags", "tags": ["quicksilver/plan", "herbs"] } }),
        json!({ "call": "tag.list", "arguments": {}, "after": 4_000 }),
        json!({ "call": "tag.list", "arguments": { "label": "herbs" } }),
        json!({ "call": "tag.list", "arguments": { "kind": "bookmark" } }),
        json!({ "call": "tag.list", "arguments": { "query": "quick" } }),
    ]);
}

/// Settings and levels of notebooks: what names the closed one, and what only a person may change.
#[test]
fn settings_and_levels_do_not_show_the_closed_notebook() {
    cannot_be_told_apart(&[
        json!({ "call": "notebook.set_conf", "arguments": { "notebook": "Garden", "conf": { "sort_mode": 4 } } }),
        json!({ "call": "notebook.set_conf", "arguments": { "notebook": "Garden", "conf": { "doc_create_save_box": "{/Private}", "doc_create_save_path": "/x" } } }),
        json!({ "call": "notebook.set_permission", "arguments": { "notebook": "{/Private}", "level": "rwd" } }),
        json!({ "call": "notebook.set_permission", "arguments": { "notebook": "Garden", "level": "rwd" } }),
        json!({ "call": "notebook.reorder", "arguments": { "notebooks": ["Scratch", "Garden"] } }),
        json!({ "call": "notebook.list", "arguments": {} }),
        json!({ "call": "fs.grep", "arguments": { "pattern": "quicksilver" } }),
        json!({ "call": "notebook.remove", "arguments": { "notebook": "Scratch", "confirm_name": "Scratch" } }),
        json!({ "call": "notebook.get_permissions", "arguments": {} }),
    ]);
}

/// A version that a person saved comes back beside a closed notebook, and those of the closed one do not.
#[test]
fn versions_come_back_beside_a_closed_notebook() {
    let mut twins = Twins::new();
    for (name, comes_back) in [("/Garden/Beds", true), ("/Private/Mercury plan", false)] {
        let id = twins.world().id(name).to_owned();
        let arguments = Map::from_iter([("id".to_owned(), json!(id))]);
        let version = pools::version(&twins, &arguments);
        for call in ["document.history", "document.restore"] {
            let step = json!({ "call": call, "arguments": { "id": id, "version": version } });
            assert_eq!(twins.step(&step), Ok(comes_back), "{call} {step}");
        }
    }
}
