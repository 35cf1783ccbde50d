//! The mistakes that models make, each with the call that was meant.

use serde_json::json;

use super::{Hint, Mistake, Right, Says, Take};

pub(super) fn mistakes() -> Vec<Mistake> {
    vec![
        // Paths and names.
        ("a path without its slash", "fs.read", json!({ "path": "Garden/Plants" }), Hint),
        ("a notebook in another case", "fs.read", json!({ "path": "/garden/Plants" }), Hint),
        ("a notebook misspelt", "fs.tree", json!({ "path": "/Gardn" }), Hint),
        ("the notebook left out", "fs.read", json!({ "path": "/Plants/Mint" }), Hint),
        ("the wrong notebook", "fs.read", json!({ "path": "/Reading/Beds" }), Hint),
        ("a title misspelt", "fs.read", json!({ "path": "/Garden/Plnts" }), Hint),
        ("a title in another case", "fs.read", json!({ "path": "/Garden/beds" }), Hint),
        (
            "an edit of a title misspelt",
            "fs.edit",
            json!({ "path": "/Garden/Bedz", "edits": [{ "old": "cold", "new": "warm" }] }),
            Hint,
        ),
        (
            "a path to nothing",
            "fs.read",
            json!({ "path": "/Garden/Shopping list" }),
            Says("fs.list with path \\\"/Garden\\\" shows what is there"),
        ),
        ("the root as a document", "fs.read", json!({ "path": "/" }), Hint),
        (
            "an address of SiYuan as a path",
            "fs.read",
            json!({ "path": "siyuan://blocks/{/Garden/Beds}" }),
            Hint,
        ),
        ("a notebook's name misspelt", "notebook.info", json!({ "notebook": "Raeding" }), Hint),
        (
            "a notebook's name made up",
            "notebook.info",
            json!({ "notebook": "My notes" }),
            Take("/error/notebooks/0", "notebook"),
        ),
        (
            "a search in a notebook misspelt",
            "search.text",
            json!({ "query": "cold", "notebook": "garden" }),
            Hint,
        ),
        // Ids.
        (
            "a title where ids are due",
            "document.info",
            json!({ "ids": ["Mint"] }),
            Says("look for \\\"Mint\\\" there."),
        ),
        ("one id where ids are due", "document.info", json!({ "ids": "{/Garden/Beds}" }), Hint),
        ("`id` where `ids` is due", "document.info", json!({ "id": "{/Garden/Beds}" }), Hint),
        ("`documentId`", "document.info", json!({ "documentId": ["{/Garden/Beds}"] }), Right),
        ("`blockID`", "block.append", json!({ "blockID": "{/Garden/Beds}", "markdown": "New." }), Right),
        ("`blockIDs` as one id", "block.get", json!({ "blockID": "{/Garden/Beds#0}" }), Hint),
        (
            "a reference where an id is due",
            "block.get",
            json!({ "ids": ["(({/Garden/Beds#0} 'cold'))"] }),
            Hint,
        ),
        (
            "a stale id",
            "block.update",
            json!({ "id": "20200101000000-missing", "markdown": "New." }),
            Says(
                "Nothing that you may see matches `id`. Ids come from answers of document.search, search.text, fs.list",
            ),
        ),
        (
            "a stale id in a list",
            "document.remove",
            json!({ "ids": ["20200101000000-missing"] }),
            Says("matches `ids`"),
        ),
        (
            "a stale id of a history",
            "document.history",
            json!({ "id": "20200101000000-missing" }),
            Says("matches `id`. Ids come from answers of document.search"),
        ),
        (
            "a stale parent",
            "document.create",
            json!({ "parent": "20200101000000-missing", "title": "New" }),
            Says("matches `parent`"),
        ),
        (
            "a heading where a document is due",
            "document.create",
            json!({ "parent": "{/Garden/Beds#1}", "title": "New" }),
            Hint,
        ),
        (
            "a block where a document is due",
            "document.move",
            json!({ "ids": ["{/Garden/Plants/Mint}"], "parent": "{/Garden/Beds#0}" }),
            Hint,
        ),
        (
            "a row's title where its id is due",
            "av.set_cells",
            json!({ "id": "{plants database}", "cells": [{ "row": "Basil", "column": "Height", "value": 3 }] }),
            Hint,
        ),
        (
            "a row's title among ids",
            "av.remove_rows",
            json!({ "id": "{plants database}", "row_ids": ["Basil"] }),
            Hint,
        ),
        // Types.
        ("a list as JSON in a string", "document.info", json!({ "ids": "[\"{/Garden/Beds}\"]" }), Hint),
        (
            "edits as JSON in a string",
            "fs.edit",
            json!({ "path": "/Garden/Beds", "edits": "[{\"old\":\"cold\",\"new\":\"warm\"}]" }),
            Hint,
        ),
        (
            "one edit where edits are due",
            "fs.edit",
            json!({ "path": "/Garden/Beds", "edits": { "old": "cold", "new": "warm" } }),
            Hint,
        ),
        ("a number as text", "fs.read", json!({ "path": "/Garden/Beds", "limit": "20" }), Hint),
        ("a number too large", "search.text", json!({ "query": "cold", "limit": 5_000 }), Hint),
        (
            "a date in words",
            "block.recent",
            json!({ "since": "yesterday" }),
            Says("since=\\\"<a day such as 2026-11-21>\\\""),
        ),
        ("a boolean in words", "fs.read", json!({ "path": "/Garden/Beds", "with_ids": "yes" }), Hint),
        ("a wrong word of a choice", "search.text", json!({ "query": "cold", "match": "regexp" }), Hint),
        // Arguments.
        ("an argument misspelt", "search.text", json!({ "querry": "cold" }), Hint),
        (
            "an argument that there is not",
            "fs.read",
            json!({ "path": "/Garden/Beds", "format": "html" }),
            Hint,
        ),
        (
            "an argument left out",
            "block.append",
            json!({ "id": "{/Garden/Beds}" }),
            Says("markdown=\\\"<text>\\\""),
        ),
        (
            "two targets at once",
            "document.create",
            json!({ "parent": "{/Garden/Beds}", "notebook": "Garden", "title": "New" }),
            Hint,
        ),
        ("a preview of a read", "fs.list", json!({ "path": "/Garden", "preview": true }), Hint),
        // Actions.
        ("an action of another tool", "document.text", json!({ "query": "cold" }), Hint),
        ("an action of another tool that is a noun here", "block.search", json!({ "query": "cold" }), Hint),
        ("an action misspelt", "fs.raed", json!({ "path": "/Garden/Beds" }), Hint),
        ("an action with its tool", "fs.search.text", json!({ "query": "cold" }), Hint),
        // Contents.
        ("a sentence as a query", "search.text", json!({ "query": "Which beds are cold in winter?" }), Right),
        (
            "a search for what is nowhere",
            "search.text",
            json!({ "query": "zeppelins" }),
            Says("fewer or other words, such as the beginning of one; fs.tree shows what there is"),
        ),
        (
            "a search too narrow",
            "search.text",
            json!({ "query": "cold", "types": ["code"] }),
            Says("the same call without `types`"),
        ),
        (
            "a heading of another document",
            "fs.read",
            json!({ "path": "/Garden/Plants", "section": "North side" }),
            Hint,
        ),
        (
            "a heading of two other documents",
            "fs.read",
            json!({ "path": "/Garden/Plants", "section": "Weeds" }),
            Take("/error/elsewhere/0/path", "path"),
        ),
        ("a heading misspelt", "fs.read", json!({ "path": "/Garden/Beds", "section": "Noth side" }), Hint),
        (
            "a paragraph as a container",
            "block.append",
            json!({ "id": "{/Garden/Beds#0}", "markdown": "New." }),
            Hint,
        ),
        (
            "the hash of an older text",
            "block.update",
            json!({ "id": "{/Garden/Beds#0}", "markdown": "New.", "expect": "000000000000" }),
            Take("/error/hash", "expect"),
        ),
        (
            "a write where only reading is allowed",
            "fs.write",
            json!({ "path": "/Reading/New", "markdown": "New." }),
            Says("A person can raise it in SiYuan"),
        ),
    ]
}
