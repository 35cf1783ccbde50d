//! The kernel as SiYuan 3.8: strict requests, limits in replies, new blocks and views, readers of published notes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "clippy's freedoms of tests do not reach helpers"
)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use demo_kernel::{Caller, Content, Demo, Moment, Options, Siyuan, Switches, start};
use serde_json::{Value, json};

const START: Moment = Moment { ms: 1_750_000_000_000, seed: 1 };

struct Newer {
    demo: Demo,
    _folder: tempfile::TempDir,
}

fn fixture() -> Content {
    Content::Fixture(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixture"))
}

fn kernel(siyuan: Siyuan, content: Content) -> Newer {
    let folder = tempfile::tempdir().unwrap();
    Newer { demo: Demo::open_as(siyuan, folder.path(), content, START).unwrap(), _folder: folder }
}

impl Newer {
    fn envelope(&self, path: &str, body: &Value) -> Value {
        let answer = self.demo.answer(&format!("/api/{path}"), body.to_string().as_bytes());
        serde_json::from_slice(&answer.body).unwrap()
    }

    fn data(&self, path: &str, body: &Value) -> Value {
        let mut envelope = self.envelope(path, body);
        assert_eq!(envelope["code"], 0, "{path} {body}: {envelope}");
        envelope["data"].take()
    }

    fn refusal(&self, path: &str, body: &Value) -> String {
        let envelope = self.envelope(path, body);
        assert_eq!((&envelope["code"], &envelope["data"]), (&json!(-1), &Value::Null), "{path}: {envelope}");
        envelope["msg"].as_str().unwrap().to_owned()
    }

    fn rows(&self, statement: &str) -> Value {
        self.data("query/sql", &json!({ "stmt": statement, "mode": "readonly" }))
    }

    /// The blocks of a new document.
    fn document(&self, markdown: &str) -> (Value, Vec<Value>) {
        let made = self.data("notebook/createNotebook", &json!({ "name": "New" }));
        let body = json!({ "notebook": made["notebook"]["id"], "path": "/Doc", "markdown": markdown });
        let doc = self.data("filetree/createDocWithMd", &body);
        let blocks = self.data("block/getChildBlocks", &json!({ "id": doc }));
        (doc, blocks.as_array().unwrap().clone())
    }
}

#[test]
fn each_version_tells_its_number() {
    for (siyuan, number) in [(Siyuan::V3_7, "3.7.3"), (Siyuan::V3_8, "3.8.6")] {
        let kernel = kernel(siyuan, Content::Empty);
        assert_eq!(kernel.data("system/version", &json!({})), number);
        assert_eq!(
            kernel.data("system/getConf", &json!({}))["conf"]["system"]["kernelVersion"],
            siyuan.version()
        );
        let copy = tempfile::tempdir().unwrap();
        let copied = kernel.demo.copy(copy.path()).unwrap().answer("/api/system/version", b"{}");
        assert!(String::from_utf8(copied.body).unwrap().contains(number));
    }
    assert!("3.9".parse::<Siyuan>().is_err());
}

/// The assistant's settings are replaced as a whole; a server keeps the id that its name had.
#[test]
fn settings_of_the_assistant_are_kept() {
    let kernel = kernel(Siyuan::V3_8, Content::Empty);
    let ai = || kernel.data("system/getConf", &json!({}))["conf"]["ai"].clone();
    assert_eq!((&ai()["mcp"]["servers"], &ai()["embedding"]["enabled"]), (&json!([]), &json!(false)));
    let server = json!({ "name": "mine", "enabled": true, "type": "stdio", "command": "/bin/x", "args": [] });
    let set = |servers: Value| kernel.data("setting/setAI", &json!({ "mcp": { "servers": servers } }));
    let saved = set(json!([server]));
    assert_eq!(saved, ai());
    let id = &saved["mcp"]["servers"][0]["id"];
    assert!(!id.as_str().unwrap().is_empty());
    assert_eq!(&set(json!([server, { "name": "other" }]))["mcp"]["servers"][0]["id"], id);
    let wrong = json!({ "mcp": { "servers": [{ "name": 1 }] } });
    assert!(kernel.refusal("setting/setAI", &wrong).starts_with("Field [mcp] has an invalid type"));
    assert_eq!(ai()["mcp"]["servers"].as_array().unwrap().len(), 2);
}

/// A field that is missing, null or of another type is code -1; SiYuan 3.7 gave up with code 0 and no data.
#[test]
fn requests_are_decoded_strictly() {
    let (old, new) = (kernel(Siyuan::V3_7, Content::Empty), kernel(Siyuan::V3_8, Content::Empty));
    let path = "block/getBlockTreeInfos";
    assert_eq!(old.envelope(path, &json!({}))["code"], 0);
    assert_eq!(new.refusal(path, &json!({})), "Field [ids] is required");
    assert_eq!(new.refusal(path, &json!({ "ids": null })), "Field [ids] must not be null");
    assert!(new.refusal(path, &json!({ "ids": "x" })).starts_with("Field [ids] has an invalid type: "));
    assert!(new.refusal(path, &json!({ "ids": [1] })).contains("element [0]: "));
    assert_eq!(new.data(path, &json!({ "ids": [], "unknown": 1 })), json!({}));
    // An endpoint without a required field takes any body, and what only the page calls is not judged.
    assert_eq!(new.data("notebook/lsNotebooks", &json!([]))["notebooks"], json!([]));
    new.data("storage/getLocalStorage", &json!([]));
}

#[test]
fn rows_beyond_the_default_limit_are_announced() {
    let statement = |n: usize| {
        format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {n}) SELECT i FROM n"
        )
    };
    let result = |kernel: &Newer, statement: String| {
        let answer = kernel.envelope("query/sql", &json!({ "stmt": statement, "mode": "readonly" }));
        (answer["data"].as_array().unwrap().len(), answer["limit"].clone(), answer["truncated"].clone())
    };
    let (old, new) = (kernel(Siyuan::V3_7, Content::Empty), kernel(Siyuan::V3_8, Content::Empty));
    assert_eq!(result(&old, statement(70)), (64, Value::Null, Value::Null));
    assert_eq!(result(&new, statement(70)), (64, json!(64), json!(true)));
    assert_eq!(result(&new, statement(64)), (64, json!(64), json!(false)));
    assert_eq!(result(&new, statement(70) + " LIMIT 66"), (66, json!(0), json!(false)));
}

/// Tabs are read and kept, but printed flat; SiYuan 3.7 takes them for text.
#[test]
fn tabs_and_custom_blocks_are_blocks() {
    let text = "::: tabs\n@tab One\n\nfirst\n\n@tab:active Two\n\n* second\n\n:::\n\n;;;clock\n12\n;;;";
    let (_, old) = kernel(Siyuan::V3_7, Content::Empty).document(text);
    assert!(old.iter().all(|it| it["type"] != "tabs" && it["type"] != "custom"), "{old:?}");
    let new = kernel(Siyuan::V3_8, Content::Empty);
    let (_, blocks) = new.document(text);
    let types: Vec<&Value> = blocks.iter().map(|it| &it["type"]).collect();
    assert_eq!(types, ["tabs", "custom"]);
    let tabs = new.data("block/getChildBlocks", &json!({ "id": blocks[0]["id"] }));
    assert_eq!((&tabs[0]["type"], &tabs[1]["type"]), (&json!("tab"), &json!("tab")));
    let infos = new.data("block/getBlockTreeInfos", &json!({ "ids": [tabs[0]["id"]] }));
    let info = &infos[tabs[0]["id"].as_str().unwrap()];
    assert_eq!((&info["type"], &info["parentType"]), (&json!("NodeTabItem"), &json!("NodeTabs")));
    let kramdown = |mode: &str| {
        let body = json!({ "id": blocks[0]["id"], "mode": mode });
        new.data("block/getBlockKramdown", &body)["kramdown"].as_str().unwrap().to_owned()
    };
    assert!(kramdown("md").starts_with("One\n\nfirst\n{: id="), "{}", kramdown("md"));
    assert!(!kramdown("md").contains("@tab"));
    // The other mode can be read back.
    let again = new.document(&kramdown("textmark")).1;
    assert_eq!(again[0]["type"], "tabs");
    let active = new.data("attr/getBlockAttrs", &json!({ "id": blocks[0]["id"] }))["tabs-active-id"].take();
    assert_eq!(active, tabs[1]["id"]);
    // Blocks go into a tab.
    let more = json!({ "parentID": tabs[0]["id"], "dataType": "markdown", "data": "more" });
    new.data("block/appendBlock", &more);
    assert_eq!(
        new.data("block/getChildBlocks", &json!({ "id": tabs[0]["id"] })).as_array().unwrap().len(),
        2
    );
}

#[test]
fn nested_tabs_and_their_dom_are_read_back() {
    let text = ":::: tabs\n@tab Outer\n\n::: tabs\n@tab Inner\n\n```\n@tab no\n:::\n```\n\n:::\n\n@tab Last\n\nend\n\n::::";
    let new = kernel(Siyuan::V3_8, Content::Empty);
    let (doc, written) = new.document(text);
    let types = |doc: &Value| {
        let rows = new.rows(
            &format!("SELECT type FROM blocks WHERE root_id = {doc} ORDER BY type LIMIT 99")
                .replace('"', "'"),
        );
        rows.as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let expected = ["c", "d", "p", "tab", "tab", "tab", "tabs", "tabs"];
    assert_eq!(types(&doc), expected);
    let dom = new.data("block/getBlockDOM", &json!({ "id": written[0]["id"] }))["dom"].take();
    let (other, blocks) = new.document("");
    let body = json!({ "id": other, "dataType": "dom", "data": dom });
    assert_eq!(blocks.len(), 1);
    new.data("block/updateBlock", &body);
    assert_eq!(types(&other), expected);
}

#[test]
fn a_locked_type_is_kept() {
    let (old, new) = (kernel(Siyuan::V3_7, Content::Empty), kernel(Siyuan::V3_8, Content::Empty));
    let update = |id: &Value, text: &str, lock: bool| json!({ "id": id, "dataType": "markdown", "data": text, "lockType": lock });
    let (_, blocks) = old.document("text");
    old.data("block/updateBlock", &update(&blocks[0]["id"], "# Heading", true));
    let (_, blocks) = new.document("text\n\n* item");
    let (text, list) = (&blocks[0]["id"], &blocks[1]["id"]);
    let result = new.refusal("block/updateBlock", &update(text, "# Heading", true));
    assert_eq!(
        result,
        format!("block [{}] type is locked: expected NodeParagraph, got NodeHeading", text.as_str().unwrap())
    );
    new.data("block/updateBlock", &update(text, "other text", true));
    new.data("block/updateBlock", &update(text, "# Heading", false));
    let item = new.data("block/getChildBlocks", &json!({ "id": list }))[0]["id"].take();
    new.data("block/updateBlock", &update(&item, "* other item", true));
}

/// The fixture has the new kinds of blocks and views, and only here.
#[test]
fn the_fixture_holds_what_is_new() {
    let new = kernel(Siyuan::V3_8, fixture());
    let kinds =
        "SELECT DISTINCT type FROM blocks WHERE type IN ('tabs', 'tab', 'mindmap', 'mindmap_item', 'custom')";
    assert_eq!(new.rows(&format!("{kinds} LIMIT 9")).as_array().unwrap().len(), 5);
    let old = kernel(Siyuan::V3_7, fixture());
    assert_eq!(old.rows(&format!("{kinds} LIMIT 9")), json!([]));
    let shown = |kernel: &Newer| {
        let carrier = kernel.rows("SELECT id, markdown FROM blocks WHERE type = 'av' LIMIT 1")[0].take();
        let av = carrier["markdown"].as_str().unwrap().split("data-av-id=\"").nth(1).unwrap();
        let body = json!({ "id": av.split('"').next(), "blockID": carrier["id"], "createIfNotExist": false });
        kernel.data("av/renderAttributeView", &body)
    };
    let layouts = |kernel: &Newer| {
        let shown = shown(kernel);
        assert_eq!(shown["viewType"], "table");
        let views = shown["views"].as_array().unwrap().clone();
        views.into_iter().map(|mut it| it["type"].take()).collect::<Vec<_>>()
    };
    assert_eq!(layouts(&new), ["table", "list", "calendar"]);
    assert_eq!(layouts(&old), ["table"]);
}

/// Readers of published notes are refused what an administrator alone may call, and every write.
#[tokio::test(flavor = "multi_thread")]
async fn readers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        siyuan: Siyuan::V3_8,
        port: 0,
        workspace: folder.path().to_owned(),
        content: Content::Empty,
        token: None,
        stage: None,
    };
    let running = start(options).await.unwrap();
    let status = |path: &str| {
        let mut stream = TcpStream::connect(running.url().trim_start_matches("http://")).unwrap();
        let head = "Host: localhost\r\nConnection: close\r\nContent-Length: 2";
        write!(stream, "POST /api/{path} HTTP/1.1\r\n{head}\r\n\r\n{{}}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status("sqlite/flushTransaction"), "200");
    running.set_switches(Switches { caller: Caller::Reader, ..Switches::default() }).unwrap();
    assert_eq!(status("sqlite/flushTransaction"), "403");
    assert_eq!(status("system/version"), "200");
}
