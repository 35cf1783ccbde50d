//! Every action that takes Markdown sends what the gate returned, or nothing.

use serde_json::{Value, json};

use crate::error::ErrorType;
use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::{FakeKernel, GARDEN, PRIVATE, call, engine};

const DOC: &str = "20250101000000-doc0000";
const BLOCK: &str = "20250101000000-block00";
const HIDDEN: &str = "20250101000000-hidden0";

fn kernel() -> FakeKernel {
    let kramdown = |id: &str| match id {
        DOC => format!("old text\n{{: id=\"{BLOCK}\"}}\n\n{{: id=\"{DOC}\" title=\"T\" type=\"doc\"}}"),
        id => format!("old text\n{{: id=\"{id}\"}}"),
    };
    let done = |_: &Value| json!([{ "doOperations": [{ "action": "insert", "id": BLOCK, "data": format!("<div data-node-id=\"{BLOCK}\" data-node-index=\"1\" data-type=\"NodeParagraph\"></div>") }] }]);
    FakeKernel::new()
        .answer("/api/filetree/getPathByID", |ask| match ask["id"].as_str() {
            Some(HIDDEN) => json!({ "notebook": PRIVATE, "path": format!("/{HIDDEN}.sy") }),
            _ => json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }),
        })
        .answer("/api/filetree/getIDsByHPath", |ask| match ask["path"].as_str() {
            Some("/Old") => json!([DOC]),
            _ => json!([]),
        })
        .answer("/api/filetree/getHPathByID", |_| json!("/Old"))
        .answer("/api/query/sql", |_| json!([]))
        .answer("/api/sqlite/flushTransaction", |_| Value::Null)
        .answer(
            "/api/block/getChildBlocks",
            |_| json!([{ "id": BLOCK, "type": "p", "markdown": "old text" }]),
        )
        .answer(
            "/api/block/getBlockKramdown",
            move |ask| json!({ "kramdown": kramdown(ask["id"].as_str().unwrap_or_default()) }),
        )
        .answer("/api/block/getBlockKramdowns", move |ask| {
            let ids = ask["ids"].as_array().cloned().unwrap_or_default();
            ids.iter()
                .filter_map(Value::as_str)
                .map(|id| (id.to_owned(), json!(kramdown(id))))
                .collect::<serde_json::Map<_, _>>()
                .into()
        })
        .answer("/api/history/createDocHistory", |_| Value::Null)
        .answer("/api/filetree/createDocWithMd", |ask| ask["id"].clone())
        .answer("/api/block/appendBlock", done)
        .answer("/api/block/prependBlock", done)
        .answer("/api/block/updateBlock", done)
        .answer("/api/block/batchUpdateBlock", done)
        .answer("/api/block/insertBlock", done)
}

/// Each way to send Markdown, with the text that reached the kernel.
fn sent(markdown: &str) -> Vec<(&'static str, Reply, Option<String>)> {
    let calls = [
        (
            "fs.write create",
            Tool::Fs,
            json!({ "action": "write", "path": "/Garden/New", "markdown": markdown }),
        ),
        (
            "fs.write append",
            Tool::Fs,
            json!({ "action": "write", "path": "/Garden/Old", "mode": "append", "markdown": markdown }),
        ),
        (
            "fs.write prepend",
            Tool::Fs,
            json!({ "action": "write", "path": "/Garden/Old", "mode": "prepend", "markdown": markdown }),
        ),
        (
            "fs.write overwrite",
            Tool::Fs,
            json!({ "action": "write", "path": "/Garden/Old", "mode": "overwrite", "markdown": markdown }),
        ),
        (
            "fs.edit",
            Tool::Fs,
            json!({ "action": "edit", "path": "/Garden/Old", "edits": [{ "old": "old text", "new": markdown }] }),
        ),
        (
            "document.create",
            Tool::Document,
            json!({ "action": "create", "notebook": GARDEN, "title": "New", "markdown": markdown }),
        ),
        ("block.append", Tool::Block, json!({ "action": "append", "id": DOC, "markdown": markdown })),
        ("block.update", Tool::Block, json!({ "action": "update", "id": BLOCK, "markdown": markdown })),
        (
            "block.update several",
            Tool::Block,
            json!({ "action": "update", "updates": [{ "id": BLOCK, "markdown": markdown }] }),
        ),
        (
            "block.update document",
            Tool::Block,
            json!({ "action": "update", "id": DOC, "markdown": markdown }),
        ),
    ];
    let all = calls.into_iter().map(|(name, tool, arguments)| {
        let engine = engine(kernel());
        let reply = call(&engine, tool, arguments);
        let text = engine.kernel.asked().into_iter().find_map(|(path, body)| match path {
            "/api/filetree/createDocWithMd" => Some(body["markdown"].as_str()?.to_owned()),
            "/api/block/batchUpdateBlock" => Some(body["blocks"][0]["data"].as_str()?.to_owned()),
            "/api/block/appendBlock" | "/api/block/prependBlock" | "/api/block/updateBlock" => {
                Some(body["data"].as_str()?.to_owned())
            }
            _ => None,
        });
        (name, reply, text)
    });
    all.collect()
}

/// F2, F4 and F5: active content, references to closed notes, and embeds of a closed database.
#[test]
fn every_action_refuses_markdown_that_the_check_refuses() {
    for (markdown, kind) in [
        ("x\n{: onmouseover=\"y\"}".to_owned(), ErrorType::Validation),
        ("<u>&lt;img src=x onerror=y&gt;</u>".to_owned(), ErrorType::Validation),
        ("> [!x\" onmouseover=\"y]\n> z".to_owned(), ErrorType::Validation),
        ("```&lt;img/src=x/onerror=y&gt;\nz\n```".to_owned(), ErrorType::Validation),
        (
            format!(
                "<div data-type=\"NodeAttributeView\" DATA-AV-ID=\"{HIDDEN}\" data-av-type=\"table\"></div>"
            ),
            ErrorType::NotFound,
        ),
        (
            format!("<span data-type=\"block-ref\" data-subtype=\"d\" Data-Id=\"{HIDDEN}\">x</span>"),
            ErrorType::NotFound,
        ),
        (
            "<span data-type=\"block-ref\" data-id=\"&#50;0250101000000-hidden0\">x</span>".to_owned(),
            ErrorType::NotFound,
        ),
        (format!("[a](`) (({HIDDEN} 'x')) [b](`)"), ErrorType::NotFound),
        (format!("- {{: id='{HIDDEN}'}}x"), ErrorType::NotFound),
    ] {
        for (name, reply, text) in sent(&markdown) {
            let error = reply.expect_err(name);
            let closed = [kind, ErrorType::Validation].contains(&error.kind);
            assert!(closed && text.is_none(), "{name}: {markdown}: {error:?} {text:?}");
        }
    }
}

#[test]
fn every_action_sends_the_checked_markdown() {
    for (name, reply, text) in sent("new {: x } text\r\n{: onclick }") {
        let (reply, text) = (reply.map(|it| it.data), text.unwrap_or_default());
        assert!(
            reply.is_ok() && text.starts_with("new \\{: x } text\n\\{: onclick }"),
            "{name}: {reply:?} {text:?}"
        );
    }
}
