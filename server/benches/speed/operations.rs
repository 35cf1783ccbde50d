//! The measured calls: one of each everyday kind, in a notebook of its own, with the kernel requests it makes.

use axum::body::Bytes;
use serde_json::{Value, json};

use crate::recorder::Recorder;
use crate::wire::{Http, Raw};
use crate::{Setting, sidecar};

/// A kernel request as it went over the wire.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) media: String,
    pub(crate) body: Bytes,
}

/// The number of blocks of a large document.
const LARGE: usize = 1_000;

/// A call that can be repeated, and what it asks of the kernel each time.
#[derive(Clone)]
pub(crate) struct Operation {
    pub(crate) name: String,
    tool: &'static str,
    arguments: Value,
    pub(crate) requests: Vec<Request>,
}

impl Operation {
    /// The parameters of `tools/call`.
    pub(crate) fn call(&self) -> Value {
        json!({ "name": self.tool, "arguments": self.arguments })
    }
}

fn to_kernel(path: &str, body: &Value) -> Request {
    Request { path: path.to_owned(), media: "application/json".to_owned(), body: body.to_string().into() }
}

/// Makes a notebook with a document to work on, and learns the requests of every operation.
pub(crate) async fn prepare(setting: &Setting) -> Vec<Operation> {
    let recorder = Recorder::start(setting).await;
    let puppy = sidecar::http(setting, &recorder.url).await;
    let client = Http::session(&puppy.url).await;
    // Made by a call, so that calls may write in it.
    let create = json!({ "name": "notebook", "arguments": { "action": "create", "name": "Bench" } });
    let created = client.ask("tools/call", create).await;
    let text = created["result"]["content"][0]["text"].as_str().unwrap_or_default();
    let created: Value = serde_json::from_str(text).expect("a notebook");
    let notebook = created["id"].as_str().expect("a notebook").to_owned();
    let raw = Raw::new(setting);
    let markdown =
        (0..20).map(|n| format!("Paragraph {n} speaks of badgers and of **rain**.")).collect::<Vec<_>>();
    let body = json!({ "notebook": notebook, "path": "/Page", "markdown": markdown.join("\n\n") });
    let doc = raw.send(&to_kernel("/api/filetree/createDocWithMd", &body)).await;
    let doc = doc.as_str().expect("a document").to_owned();
    let children = raw.send(&to_kernel("/api/block/getChildBlocks", &json!({ "id": doc }))).await;
    let block = children[0]["id"].as_str().expect("a block").to_owned();

    let markdown = (0..LARGE).map(|n| format!("Paragraph {n} of **many**, with `code`.")).collect::<Vec<_>>();
    let body = json!({ "notebook": notebook, "path": "/Large", "markdown": markdown.join("\n\n") });
    raw.send(&to_kernel("/api/filetree/createDocWithMd", &body)).await;

    let operations = [
        ("notebook", json!({ "action": "info", "notebook": notebook })),
        ("notebook", json!({ "action": "list" })),
        ("fs", json!({ "action": "list", "path": "/Bench" })),
        ("fs", json!({ "action": "read", "path": "/Bench/Page" })),
        ("fs", json!({ "action": "read", "path": "/Bench/Large" })),
        ("document", json!({ "action": "info", "ids": [doc] })),
        ("block", json!({ "action": "get", "ids": [block] })),
        ("search", json!({ "action": "text", "query": "badgers" })),
        ("tag", json!({ "action": "list" })),
        ("block", json!({ "action": "update", "id": block, "markdown": "Badgers again." })),
        ("block", json!({ "action": "append", "id": doc, "markdown": "One more." })),
    ];
    let mut prepared = Vec::new();
    for (tool, arguments) in operations {
        let large = if arguments["path"] == "/Bench/Large" { ", large" } else { "" };
        let name = format!("{tool}.{}{large}", arguments["action"].as_str().unwrap_or_default());
        let mut operation = Operation { name, tool, arguments, requests: Vec::new() };
        // The first call also reads switches and levels, which are kept for a while.
        for _ in 0..2 {
            recorder.take();
            let answer = client.ask("tools/call", operation.call()).await;
            let failed = answer["result"]["isError"] == json!(true) || answer.get("result").is_none();
            assert!(!failed, "{} cannot be measured: {answer}", operation.name);
        }
        operation.requests = recorder.take();
        prepared.push(operation);
    }
    prepared
}
