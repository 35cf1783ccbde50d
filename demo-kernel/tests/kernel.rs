//! The kernel in process, over HTTP: fixture, access, faults, log, concurrent writers, static files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use demo_kernel::{Content, Fault, FaultKind, Options, Running, Siyuan, start};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A kernel and its workspace, which goes with it.
struct Started {
    running: Running,
    url: String,
    workspace: TempDir,
}

async fn kernel(content: Content, token: Option<&str>) -> Started {
    let workspace = tempfile::tempdir().unwrap();
    let stage = workspace.path().join("stage");
    std::fs::create_dir_all(&stage).unwrap();
    std::fs::write(stage.join("index.html"), "<p>stage").unwrap();
    let folder = workspace.path().to_owned();
    let token = token.map(str::to_owned);
    let running = start(Options {
        siyuan: Siyuan::V3_7,
        port: 0,
        workspace: folder,
        content,
        token,
        stage: Some(stage),
    })
    .await
    .unwrap();
    Started { url: running.url(), running, workspace }
}

fn fixture() -> Content {
    Content::Fixture(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixture"))
}

/// One request on a connection of its own: the head and the body, or `None` where the connection was dropped.
fn ask(url: &str, method: &str, path: &str, headers: &str, body: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.to_owned(), body.to_owned()))
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

/// The envelope of a call.
fn call(url: &str, path: &str, body: &Value) -> Value {
    let (head, body) = ask(url, "POST", &format!("/api/{path}"), "", &body.to_string()).unwrap();
    assert_eq!(status(&head), 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

/// The data of a call that must succeed.
fn data(url: &str, path: &str, body: &Value) -> Value {
    let mut answer = call(url, path, body);
    assert_eq!(answer["code"], 0, "{path}: {answer}");
    answer["data"].take()
}

fn notebook(url: &str, name: &str) -> String {
    let listed = data(url, "notebook/lsNotebooks", &json!({}));
    let found = listed["notebooks"].as_array().unwrap().iter().find(|n| n["name"] == name).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn fixture_has_notebooks_levels_and_links() {
    let Started { running, url, workspace: _workspace } = kernel(fixture(), None).await;
    let listed = data(&url, "notebook/lsNotebooks", &json!({}));
    let names: Vec<_> =
        listed["notebooks"].as_array().unwrap().iter().map(|n| n["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Garden", "Reading", "Private", "Scratch", "Attic"]);

    let path = "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions";
    let (head, table) =
        ask(&url, "POST", "/api/file/getFile", "", &json!({ "path": path }).to_string()).unwrap();
    assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
    let table: Value = serde_json::from_str(&table).unwrap();
    let level = |name: &str| table.get(notebook(&url, name)).cloned();
    assert_eq!(level("Garden"), Some(json!("rw")));
    assert_eq!(level("Private"), Some(json!("none")));
    assert_eq!(level("Scratch"), Some(json!("rwd")));
    assert_eq!(level("Attic"), None);

    let garden = notebook(&url, "Garden");
    let ids =
        data(&url, "filetree/getIDsByHPath", &json!({ "notebook": garden, "path": "/Plants/Tomatoes" }));
    let kramdown = data(&url, "block/getBlockKramdown", &json!({ "id": ids[0] }));
    assert!(kramdown["kramdown"].as_str().unwrap().contains("'South bed'))"), "{kramdown}");
    let links = "SELECT count(*) AS n FROM refs WHERE def_block_id = ''";
    assert_eq!(data(&url, "query/sql", &json!({ "stmt": links }))[0]["n"], 0);

    let found = data(&url, "search/fullTextSearchBlock", &json!({ "query": "quicksilver" }));
    assert!(found["matchedBlockCount"].as_i64().unwrap() > 0);
    let chinese = data(&url, "search/fullTextSearchBlock", &json!({ "query": "明月" }));
    assert!(chinese["matchedBlockCount"].as_i64().unwrap() > 0, "a word inside a Chinese run");
    running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_writers_lose_nothing() {
    let Started { running: _running, url, workspace: _workspace } = kernel(Content::Empty, None).await;
    let made = data(&url, "notebook/createNotebook", &json!({ "name": "Together" }));
    let args = json!({ "notebook": made["notebook"]["id"], "path": "/Doc", "markdown": "start" });
    let document = data(&url, "filetree/createDocWithMd", &args);
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (url, document) = (&url, &document);
            scope.spawn(move || {
                for n in 0..5 {
                    let text = format!("worker {worker} line {n}");
                    data(
                        url,
                        "block/appendBlock",
                        &json!({ "dataType": "markdown", "data": text, "parentID": document }),
                    );
                    data(url, "query/sql", &json!({ "stmt": "SELECT count(*) FROM blocks" }));
                }
            });
        }
    });
    let children = data(&url, "block/getChildBlocks", &json!({ "id": document }));
    assert_eq!(children.as_array().unwrap().len(), 41);
    let rows = data(
        &url,
        "query/sql",
        &json!({ "stmt": "SELECT count(DISTINCT id) AS n FROM blocks WHERE type = 'p' AND content LIKE 'worker%'" }),
    );
    assert_eq!(rows[0]["n"], 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn configured_token_is_required() {
    let Started { running, url, workspace: _workspace } = kernel(Content::Empty, Some("secret")).await;
    let list =
        |headers: &str| status(&ask(&url, "POST", "/api/notebook/lsNotebooks", headers, "{}").unwrap().0);
    assert_eq!(list(""), 401);
    assert_eq!(list("Authorization: Token wrong\r\n"), 401);
    assert_eq!(list("Authorization: Token secret\r\n"), 200);
    assert_eq!(list("Authorization: Bearer secret\r\n"), 200);
    assert_eq!(list("Sec-Fetch-Site: same-origin\r\n"), 200, "the page that it serves is logged in");
    assert_eq!(list("Sec-Fetch-Site: cross-site\r\n"), 401);
    assert_eq!(running.token(), "secret");
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_hit_their_path_and_are_logged() {
    let Started { running, url, workspace: _workspace } = kernel(Content::Empty, None).await;
    let path = "/api/notebook/lsNotebooks";
    let fault = |kind, times| vec![Fault { path: path.into(), fault: kind, ms: Some(5), times }];
    let answer = || ask(&url, "POST", path, "", "{}");
    running.clear_log();
    for (kind, expected) in [
        (FaultKind::Unauthorized, 401),
        (FaultKind::Forbidden, 403),
        (FaultKind::Busy, 429),
        (FaultKind::Broken, 500),
        (FaultKind::Missing, 202),
        (FaultKind::Null, 200),
        (FaultKind::Empty, 200),
        (FaultKind::Delay, 200),
    ] {
        running.set_faults(fault(kind, None));
        let (head, body) = answer().unwrap();
        assert_eq!(status(&head), expected, "{kind:?}");
        assert_eq!(head.to_lowercase().contains("retry-after: 1"), kind == FaultKind::Busy);
        assert_eq!(
            body.is_empty(),
            matches!(kind, FaultKind::Forbidden | FaultKind::Busy | FaultKind::Broken | FaultKind::Empty)
        );
    }
    running.set_faults(fault(FaultKind::Drop, Some(1)));
    assert!(answer().is_none(), "the connection closes without a byte");
    assert_eq!(status(&answer().unwrap().0), 200, "the fault is used up");
    let statuses: Vec<u16> = running.log().iter().map(|entry| entry.status).collect();
    assert_eq!(statuses, [401, 403, 429, 500, 202, 200, 200, 200, 0, 200]);

    let switched = r#"[{"path": "*", "fault": "500", "times": 1}]"#;
    let json = "Content-Type: application/json\r\n";
    assert_eq!(status(&ask(&url, "POST", "/demo/faults", json, switched).unwrap().0), 204);
    assert_eq!(status(&answer().unwrap().0), 500);
    ask(&url, "POST", "/demo/log/clear", "", "").unwrap();
    assert_eq!(ask(&url, "GET", "/demo/log", "", "").unwrap().1, "[]");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_endpoint_is_501_and_files_are_served() {
    let Started { running, url, workspace: _workspace } = kernel(Content::Empty, None).await;
    let (head, body) = ask(&url, "POST", "/api/inbox/getShorthands", "", "{}").unwrap();
    assert_eq!(status(&head), 501);
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["code"], 501);
    assert_eq!(running.log().last().unwrap().status, 501);

    let workspace =
        data(&url, "system/getWorkspaceInfo", &json!({}))["workspaceDir"].as_str().unwrap().to_owned();
    let plugin = Path::new(&workspace).join("data/plugins/x");
    std::fs::create_dir_all(&plugin).unwrap();
    std::fs::write(plugin.join("plugin.json"), r#"{"name": "x", "version": "1.0.0"}"#).unwrap();
    std::fs::write(plugin.join("index.js"), "module.exports = 1;").unwrap();
    let (head, body) = ask(&url, "GET", "/plugins/x/index.js", "", "").unwrap();
    assert!(head.to_lowercase().contains("content-type: text/javascript; charset=utf-8"), "{head}");
    assert_eq!(body, "module.exports = 1;");
    let petals = data(&url, "petal/loadPetals", &json!({ "frontend": "desktop" }));
    assert_eq!((&petals[0]["name"], &petals[0]["js"]), (&json!("x"), &json!("module.exports = 1;")));
    data(
        &url,
        "petal/setPetalEnabled",
        &json!({ "packageName": "x", "enabled": false, "frontend": "desktop" }),
    );
    assert_eq!(data(&url, "petal/loadPetals", &json!({ "frontend": "desktop" })), json!([]));

    assert_eq!(ask(&url, "GET", "/stage/build/desktop/", "", "").unwrap().1, "<p>stage");
    assert_eq!(status(&ask(&url, "GET", "/plugins/x/none.js", "", "").unwrap().0), 404);
    let (head, body) = ask(&url, "GET", "/anything", "Accept-Encoding: gzip, br\r\n", "").unwrap();
    assert_eq!((status(&head), body.as_str()), (200, ""), "for every browser");
    let (head, body) = ask(&url, "GET", "/anything", "", "").unwrap();
    assert_eq!((status(&head), body.as_str()), (404, "404 page not found"));
}

/// The Markdown of a zip that was exported.
fn unpack(started: &Started, zip: &Value) -> Vec<(String, String)> {
    let file = started.workspace.path().join("temp").join(zip.as_str().unwrap().trim_start_matches('/'));
    let mut zip = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    let count = zip.len();
    let read = |at| {
        let mut entry = zip.by_index(at).unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        (entry.name().unwrap().into_owned(), text)
    };
    (0..count).map(read).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn exported_documents_link_to_each_other() {
    let started = kernel(Content::Empty, None).await;
    let url = &started.url;
    let notebook = data(url, "notebook/createNotebook", &json!({ "name": "N" }))["notebook"]["id"].take();
    let document = |path: &str, markdown: &str| {
        let asked = json!({ "notebook": notebook, "path": path, "markdown": markdown });
        data(url, "filetree/createDocWithMd", &asked)
    };
    let top = document("/Top", "text");
    let top = top.as_str().unwrap();
    let block = data(url, "block/getChildBlocks", &json!({ "id": top }))[0]["id"].take();
    let block = block.as_str().unwrap();
    document("/Top/Below", &format!("up (({top} \"doc\")) (({block} \"block\"))"));
    document("/Beside", "[a](assets/none.txt)");

    let zip = data(url, "export/exportNotebookMd", &json!({ "notebook": notebook }));
    assert_eq!(zip["name"], "N.md.zip");
    let files = unpack(&started, &zip["zip"]);
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Beside.md", "N.md", "Top/Below.md", "Top.md"]);
    assert_eq!(files[2].1, format!("# Below\n\nup [doc](../Top.md) [block](../Top.md#{block})\n"));
    let anchor = format!("<span id=\"{block}\" style=\"display: none;\"></span>");
    assert_eq!(files[3].1, format!("# Top\n\n{anchor}text\n"));

    let epub = data(url, "export/exportEPUB", &json!({ "id": top }));
    assert_eq!(unpack(&started, &epub["zip"]), [("Top/".to_owned(), String::new())]);
    assert_eq!(call(url, "export/exportMds", &json!({ "ids": [] }))["data"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn snapshots_need_a_key_and_a_change() {
    let started = kernel(Content::Empty, None).await;
    let url = &started.url;
    let refused = call(url, "repo/createSnapshot", &json!({ "memo": "m" }));
    assert_eq!(refused["code"], -1);
    assert!(refused["msg"].as_str().unwrap().contains("initialize the data repo key"), "{refused}");
    let key = data(url, "repo/initRepoKey", &json!({}))["key"].take();
    assert_eq!(data(url, "system/getConf", &json!({}))["conf"]["repo"]["key"], key);

    let memos = || {
        let list = data(url, "repo/getRepoSnapshots", &json!({ "page": 1 }));
        let shown = list["snapshots"].as_array().unwrap().iter();
        shown.map(|one| (one["id"].clone(), one["memo"].as_str().unwrap().to_owned())).collect::<Vec<_>>()
    };
    data(url, "repo/createSnapshot", &json!({ "memo": "nothing changed" }));
    assert_eq!(memos().len(), 1);
    data(url, "notebook/createNotebook", &json!({ "name": "N" }));
    data(url, "repo/createSnapshot", &json!({ "memo": "changed" }));
    let listed = memos();
    assert_eq!(
        listed.iter().map(|(_, memo)| memo.as_str()).collect::<Vec<_>>(),
        ["changed", "[Init] Init local data repo"]
    );
    for (id, _) in &listed {
        data(url, "repo/tagSnapshot", &json!({ "id": id, "name": "t" }));
    }
    let tagged = data(url, "repo/getRepoTagSnapshots", &json!({}));
    assert_eq!(tagged["snapshots"].as_array().unwrap().len(), 1, "a name moves");
    assert_eq!((&tagged["snapshots"][0]["id"], &tagged["snapshots"][0]["tag"]), (&listed[1].0, &json!("t")));
}

#[tokio::test(flavor = "multi_thread")]
async fn database_asset_is_used_renamed_and_exported() {
    let started = kernel(Content::Empty, None).await;
    let url = &started.url;
    let old = "assets/a-20260101000000-aaaaaaa.txt";
    std::fs::write(started.workspace.path().join("data").join(old), "text").unwrap();
    let unused = || data(url, "asset/getUnusedAssets", &json!({}));
    assert_eq!(unused()[0]["item"], old);

    let notebook = data(url, "notebook/createNotebook", &json!({ "name": "N" }))["notebook"]["id"].take();
    let asked = json!({ "notebook": notebook, "path": "/D", "markdown": "" });
    let document = data(url, "filetree/createDocWithMd", &asked);
    let [av, block, key] = ["20260101000000-avavava", "20260101000000-bbbbbbb", "20260101000000-kkkkkkk"];
    let dom = format!(
        "<div class=\"av\" data-node-id=\"{block}\" data-av-id=\"{av}\" data-type=\"NodeAttributeView\" \
         data-av-type=\"table\"></div>"
    );
    data(url, "block/appendBlock", &json!({ "dataType": "dom", "data": dom, "parentID": document }));
    let shown = data(url, "av/renderAttributeView", &json!({ "id": av, "blockID": block }));
    let primary = &shown["view"]["columns"][0]["id"];
    let column = json!({
        "avID": av, "keyID": key, "keyName": "Files, all", "keyType": "mAsset", "keyIcon": "",
        "previousKeyID": primary,
    });
    data(url, "av/addAttributeViewKey", &column);
    let row = json!([
        { "keyID": primary, "block": { "content": "Row" } },
        { "keyID": key, "mAsset": [{ "type": "file", "name": "a.txt", "content": old }] },
    ]);
    data(
        url,
        "av/appendAttributeViewDetachedBlocksWithValues",
        &json!({ "avID": av, "blocksValues": [row] }),
    );
    assert_eq!(unused(), json!([]));

    let renamed = data(url, "asset/renameAsset", &json!({ "oldPath": old, "newName": "b" }));
    let new = renamed["newPath"].as_str().unwrap();
    assert_eq!(unused(), json!([]), "the cell follows");
    let csv = data(url, "export/exportAttributeView", &json!({ "id": av, "blockID": block }));
    let files = unpack(&started, &csv["zip"]);
    assert_eq!(files[1], (new.to_owned(), "text".to_owned()));
    let text = &files[0].1;
    assert!(text.starts_with('\u{feff}') && text.contains(",\"Files, all\""), "{text}");
    assert!(text.contains("\nRow,") && text.contains(&format!("[a.txt]({new})")), "{text}");
}
