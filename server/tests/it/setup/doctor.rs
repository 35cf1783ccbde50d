//! `doctor`: each fault provoked (B-103).

use serde_json::{Value, json};

use super::{HTTP_FILE, Home, said};
use crate::world::World;

/// The findings of `doctor --json` about a thing, each as its state and its words.
fn about(text: &str, about: &str) -> Vec<(String, String)> {
    let data: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"));
    let all = data["findings"].as_array().unwrap().iter().filter(|it| it["about"] == about);
    let word = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
    all.map(|it| (word(it, "state"), word(it, "says"))).collect()
}

/// B-103: each fault is found, has its exit code, and says what to do; no finding shows the token or the home folder.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_each_fault() {
    let world = World::with_token(Some("canary-token")).await;
    let home = Home::new();
    let look = |token: &str, words: &[&str]| {
        let mut command = home.command();
        command.env("SIYUAN_API_URL", world.kernel.url()).env("SIYUAN_TOKEN", token);
        let (code, text) = said(command.arg("doctor").args(words).output().unwrap());
        let place = home.folder.path().to_str().unwrap();
        assert!(!text.contains("canary") && !text.contains(place), "{text}");
        (code, text)
    };
    let (code, text) = look("canary-token", &[]);
    assert_eq!(code, 0, "{text}");
    for due in [
        "No problems found",
        "None in the search index runs more than one SELECT",
        "✓ SiYuan",
        "SIYUAN_API_URL",
        "from SIYUAN_TOKEN",
        "5 notebooks: 1 at No access",
        &format!("of {} are on", puppy_core::registry::ACTIONS.len()),
    ] {
        assert!(text.contains(due), "{due}: {text}");
    }
    assert!(text.contains("Not installed"), "B-096: {text}");
    assert!(text.lines().all(|line| line.chars().count() < 200) && !text.contains('\u{1b}'), "{text}");

    assert_eq!(look("wrong-canary", &[]).0, 4);
    assert_eq!(look("", &[]).0, 4);
    let (code, text) = look("canary-token", &["--url", "http://127.0.0.1:9", "--json"]);
    assert_eq!((code, about(&text, "SiYuan")[0].0.as_str()), (3, "bad"), "{text}");

    world.write(HTTP_FILE, "{torn").await;
    let (code, text) = look("canary-token", &["--json"]);
    assert!(code == 1 && about(&text, "settings")[0].1.contains("mcpHttpSettings is damaged"), "{text}");
    world.write(HTTP_FILE, r#"{"paused":true}"#).await;
    let (code, text) = look("canary-token", &["--json"]);
    assert_eq!((code, about(&text, "paused").len()), (0, 1), "{text}");

    let access = "/data/storage/petal/siyuan-mcp-puppy/accessSettings";
    let gone = home.path("gone");
    world.write(access, &json!({ "transfer_folder": gone }).to_string()).await;
    let (code, text) = look("canary-token", &["--json"]);
    assert_eq!((code, about(&text, "transfer folder")[0].0.as_str()), (1, "bad"), "{text}");
    world.write(access, "{}").await;

    let stale = json!({ "mcpServers": { "siyuan": { "command": gone.join("siyuan-puppy") } } });
    home.write(".cursor/mcp.json", &stale.to_string());
    let (code, text) = look("canary-token", &["--json"]);
    assert!(code == 1 && about(&text, "clients")[0].1.contains("Cursor"), "{text}");
    std::fs::remove_file(home.path(".cursor/mcp.json")).unwrap();

    home.write(".config/siyuan-mcp-puppy/config.json", r#"{"currentProfile":"gone","profiles":{}}"#);
    let (code, text) = said(home.command().args(["doctor", "--json"]).output().unwrap());
    assert!(code == 1 && about(&text, "settings")[0].1.contains("gone"), "{text}");
}

/// S0: a stored embed with a second statement is named by its place, without its text; in a closed notebook it counts.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_embeds_that_run_more_than_a_select() {
    let world = World::with_token(None).await;
    let home = Home::new();
    let (code, text) = home.on(&world, &["doctor", "--json"]);
    assert_eq!((code, about(&text, "query embeds")[0].0.as_str()), (0, "good"), "{text}");
    for (notebook, markdown) in [
        ("Garden", "{{SELECT * FROM blocks LIMIT 5}}\n\n{{//!js return []}}"),
        ("Garden", "{{SELECT 1 /*'*/; DROP TABLE canary /*'*/}}\n\n- {{SELECT 1&#59 DROP TABLE canary}}"),
        ("Private", "{{DELETE FROM canary}}"),
    ] {
        let notebook = world.notebook(notebook).await;
        let body = json!({ "notebook": notebook, "path": "/Embeds", "markdown": markdown });
        world.raw("/api/filetree/createDocWithMd", body).await;
    }
    let (code, text) = home.on(&world, &["doctor", "--json"]);
    let found = about(&text, "query embeds");
    assert_eq!((code, found.len()), (1, 2), "{text}");
    assert!(found[0].1.contains("/Garden/Embeds") && found[1].1.contains("1 notes in notebooks"), "{text}");
    assert!(!text.contains("canary") && !text.contains("Private"), "{text}");
}

/// The findings about a thing before and after these texts were stored in notebooks, and the whole last answer. None
/// is a fault, and none shows a text or the name of a closed notebook.
async fn stored(world: &World, thing: &str, texts: &[(&str, &str)]) -> (Vec<(String, String)>, String) {
    let home = Home::new();
    let (code, text) = home.on(world, &["doctor", "--json"]);
    assert_eq!((code, about(&text, thing)), (0, Vec::new()), "{text}");
    for (notebook, markdown) in texts {
        let notebook = world.notebook(notebook).await;
        let body = json!({ "notebook": notebook, "path": "/Stored", "markdown": markdown });
        world.raw("/api/filetree/createDocWithMd", body).await;
    }
    let (code, text) = home.on(world, &["doctor", "--json"]);
    assert!(code == 0 && !text.contains("canary") && !text.contains("Private"), "{text}");
    (about(&text, thing), text)
}

/// The id of the only block whose Markdown contains this.
async fn block(world: &World, markdown: &str) -> String {
    let stmt = format!("SELECT id FROM blocks WHERE type <> 'd' AND instr(markdown, '{markdown}') > 0");
    let rows = world.raw("/api/query/sql", json!({ "stmt": stmt })).await;
    assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
    rows[0]["id"].as_str().unwrap().to_owned()
}

/// An embed that is JavaScript is named by its id; one in a closed notebook counts.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_embeds_that_are_scripts() {
    let world = World::with_token(None).await;
    let texts = [
        ("Garden", "{{//!js return canary}}\n\n{{SELECT * FROM blocks LIMIT 5}}"),
        ("Private", "{{//!js return canary}}"),
    ];
    let (found, text) = stored(&world, "script embeds", &texts).await;
    let said = "2 query embeds are JavaScript (1 in notebooks at No access): ";
    assert!(found.len() == 1 && found[0].0 == "note" && found[0].1.starts_with(said), "{text}");
    assert_eq!(found[0].1.matches(", ").count(), 0, "{text}");
}

/// S10: a code block that the page runs is named by its id; plain drawings and shown code are not.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_drawings_that_run() {
    let world = World::with_token(None).await;
    let texts = [
        (
            "Garden",
            "```echarts\n({ canary: 1 })\n```\n\n```mermaid\nflowchart LR\n  A --> B\n```\n\n```js\necharts\n```",
        ),
        ("Garden", "```abc\n%%params (canary)\nX:1\n```\n\n```abc\nX:1\n```"),
        ("Private", "```echarts\ncanary\n```"),
    ];
    let (found, text) = stored(&world, "drawings", &texts).await;
    let said = "3 code blocks run more than a plain drawing (1 in notebooks at No access): ";
    assert!(found.len() == 1 && found[0].1.starts_with(said), "{text}");
    let (chart, tune) = (block(&world, "({ canary").await, block(&world, "(canary)").await);
    assert!(found[0].1.contains(&chart) && found[0].1.contains(&tune), "{text}");
}

/// S10: a block is named whose formula links, loads or styles something; other formulas are not.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_formulas_that_link() {
    let world = World::with_token(None).await;
    let texts = [
        (
            "Garden",
            "$$\n\\href{canary}{y}\n$$\n\na $\\htmlStyle{position:fixed}{canary}$ b\n\n$\\frac{1}{2}$\n\n`\\url` for 5 $ and 6 $",
        ),
        ("Garden", "> # a $\\includegraphics{canary.png}$\n\n| a |\n|---|\n| $\\url{canary/x}$ |"),
    ];
    let (found, text) = stored(&world, "formulas", &texts).await;
    let said = "4 blocks have a command that links, loads or styles: ";
    assert!(found.len() == 1 && found[0].1.starts_with(said), "{text}");
    let one = block(&world, "href{canary").await;
    assert!(found[0].1.contains(&one) && found[0].1.matches(", ").count() == 4, "{text}");
}

/// S2: a template column that this program would not print is named by the block of its database.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_template_columns_that_it_would_not_print() {
    const AV: &str = "20250601000000-avstore";
    const KEY: &str = "20250601000001-keytemp";
    let world = World::with_token(None).await;
    let garden = world.notebook("Garden").await;
    let body = json!({ "notebook": garden, "path": "/Beds", "markdown": "x" });
    let doc = world.raw("/api/filetree/createDocWithMd", body).await;
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{AV}" data-av-type="table"></div>"#);
    let append = json!({ "parentID": doc, "dataType": "markdown", "data": element });
    let made = world.raw("/api/block/appendBlock", append).await;
    let block = made[0]["doOperations"][0]["id"].as_str().unwrap().to_owned();
    world.raw("/api/av/renderAttributeView", json!({ "id": AV, "blockID": block })).await;
    let key = json!({ "avID": AV, "keyID": KEY, "keyName": "When", "keyType": "template", "keyIcon": "", "previousKeyID": "" });
    world.raw("/api/av/addAttributeViewKey", key).await;
    let set = async |template: &str| {
        let operation = json!({ "action": "updateAttrViewColTemplate", "avID": AV, "id": KEY, "type": "template", "data": template });
        let body = json!({ "transactions": [{ "doOperations": [operation], "undoOperations": [] }], "reqId": 1, "app": "t", "session": "t" });
        world.raw("/api/transactions", body).await;
    };
    set("on .action{now | date \"2006-01-02\"}").await;
    let (found, text) = stored(&world, "template columns", &[]).await;
    assert!(found.is_empty(), "{text}");
    for odd in [".action{querySQL \"SELECT canary\"}", "<img src=x onerror=canary>", ".action{.Title}"] {
        set("").await;
        assert!(stored(&world, "template columns", &[]).await.0.is_empty());
        set(odd).await;
        let (code, text) = Home::new().on(&world, &["doctor", "--json"]);
        let found = about(&text, "template columns");
        let said = format!("1 database has a template that is not known to be harmless: {block}.");
        assert!(code == 0 && !text.contains("canary"), "{text}");
        assert_eq!(found, [("note".to_owned(), said)], "{odd}");
    }
}

/// With the plugin, its version, its switch and the differences of a newer SiYuan are reported.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_tells_of_the_plugin_and_the_version() {
    let world = World::of(demo_kernel::Siyuan::V3_8).await;
    let home = Home::new();
    let version = env!("CARGO_PKG_VERSION");
    for (version_in_manifest, state) in [(version, "good"), ("0.0.1\u{1b}[2J", "note")] {
        let about_plugin = json!({ "name": "siyuan-mcp-puppy", "version": version_in_manifest });
        world.write("/data/plugins/siyuan-mcp-puppy/plugin.json", &about_plugin.to_string()).await;
        let (code, text) = home.on(&world, &["doctor", "--json"]);
        assert_eq!((code, about(&text, "plugin")[0].0.as_str()), (0, state), "{text}");
        assert!(!text.contains("\\u001b"), "{text}");
    }
    let switched = json!([{ "name": "siyuan-mcp-puppy", "enabled": false }]);
    world.write("/data/storage/petal/petals.json", &switched.to_string()).await;
    let (_, text) = home.on(&world, &["doctor", "--json"]);
    assert!(about(&text, "plugin")[0].1.contains("turned off"), "{text}");
    assert!(!about(&text, "differences").is_empty(), "{text}");
}

/// B-103: a port that another program holds, a certificate that is over, and a client's file that cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_faults_of_this_machine() {
    let world = World::new().await;
    let home = Home::new();
    let look = || {
        let (code, text) = home.on(&world, &["doctor", "--json"]);
        let (_, for_people) = home.on(&world, &["doctor"]);
        assert!(!for_people.contains("--port") && !for_people.contains("was not changed"), "{for_people}");
        assert_eq!(code == 0, for_people.contains("No problems found"), "{for_people}");
        (code, text)
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    world.write(HTTP_FILE, &json!({ "port": port }).to_string()).await;
    let (code, text) = look();
    assert_eq!((code, about(&text, "HTTP server")[0].0.as_str()), (1, "bad"), "{text}");
    drop(listener);
    assert_eq!(look().0, 0);

    let ended = rcgen::date_time_ymd(2020, 1, 1);
    let mut certificate = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    (certificate.not_before, certificate.not_after) = (rcgen::date_time_ymd(2019, 1, 1), ended);
    let key = rcgen::KeyPair::generate().unwrap();
    let data = ".local/share/siyuan-mcp-puppy";
    if cfg!(target_os = "linux") {
        home.write(&format!("{data}/local-certificate.pem"), &certificate.self_signed(&key).unwrap().pem());
        home.write(&format!("{data}/local-key.pem"), &key.serialize_pem());
        private(&home.path(&format!("{data}/local-key.pem")));
        world.write(HTTP_FILE, &json!({ "port": port, "tls": "generate" }).to_string()).await;
        let (code, text) = look();
        assert_eq!((code, about(&text, "certificate")[0].0.as_str()), (1, "bad"), "{text}");
        world.write(HTTP_FILE, &json!({ "port": port }).to_string()).await;
        assert_eq!(look().0, 0);
    }

    home.write(".cursor/mcp.json", "{ canary");
    let (code, text) = look();
    assert!(code == 1 && about(&text, "clients")[0].0 == "bad" && !text.contains("canary"), "{text}");
}

/// Lets only its owner read a file.
fn private(path: &std::path::Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    assert!(path.exists());
}

/// B-103: two records of one server, and a server whose window is gone.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_servers_that_nobody_needs() {
    let world = World::new().await;
    let home = Home::new();
    let own = std::process::id();
    let record = |file: &str, parent: u32, url: &str| {
        let record = json!({ "pid": own, "parent": parent, "url": url, "version": env!("CARGO_PKG_VERSION"), "since": 1, "made": "m" });
        home.write(&format!(".local/share/siyuan-mcp-puppy/run/{file}.json"), &record.to_string());
    };
    let look = || {
        let (code, text) = home.on(&world, &["doctor", "--json"]);
        let states: Vec<String> = about(&text, "HTTP server").into_iter().map(|it| it.0).collect();
        (code, states.join(" "), text)
    };
    let url = format!("{}/mcp", world.kernel.url());
    record("a", own, &url);
    let (code, states, text) = look();
    assert_eq!((code, states.as_str()), (0, "good"), "{text}");
    record("b", own, &url);
    let (code, states, text) = look();
    assert_eq!((code, states.as_str()), (1, "good bad"), "{text}");
    std::fs::remove_file(home.path(".local/share/siyuan-mcp-puppy/run/b.json")).unwrap();
    record("a", u32::MAX - 7, &url);
    let (code, states, text) = look();
    assert_eq!((code, states.as_str()), (1, "bad"), "{text}");
}

/// S13: a frame is named by its id; a link to a page is none.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_frames() {
    let world = World::with_token(None).await;
    let texts = [
        (
            "Garden",
            "<iframe src=\"https://canary.example/\" width=\"640\"></iframe>\n\n[a](https://e.org/iframe)",
        ),
        ("Private", "<iframe src=\"https://canary.example/\"></iframe>"),
    ];
    let (found, text) = stored(&world, "frames", &texts).await;
    let said = "2 blocks show a page in a frame (1 in notebooks at No access): ";
    assert!(found.len() == 1 && found[0].1.starts_with(said), "{text}");
    assert!(found[0].1.ends_with(&format!("{}.", block(&world, "width=").await)), "{text}");
}

/// S13 to S15: addresses that act when they are loaded or clicked are named by their ids; shown code is not.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_addresses_that_act() {
    let world = World::with_token(None).await;
    let texts = [
        (
            "Garden",
            "![canary](/es/broadcast/subscribe?channel=x)\n\n[canary](file:///bin/sh)\n\nuse `file:///bin/sh` and <https://e.org>",
        ),
        ("Private", "![canary](/api/network/proxy?u=x)"),
    ];
    let (found, text) = stored(&world, "addresses", &texts).await;
    let said = "3 blocks have an address that makes SiYuan act or starts a program (1 in notebooks";
    assert!(found.len() == 1 && found[0].1.starts_with(said), "{text}");
    assert_eq!(found[0].1.matches(", ").count(), 1, "{text}");
}

/// S16: a database whose names or cells are HTML is named by the block that shows it.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_markup_in_databases() {
    const AV: &str = "20250601000000-avmarks";
    let world = World::with_token(None).await;
    let garden = world.notebook("Garden").await;
    let body = json!({ "notebook": garden, "path": "/Beds", "markdown": "x" });
    let doc = world.raw("/api/filetree/createDocWithMd", body).await;
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{AV}" data-av-type="table"></div>"#);
    let append = json!({ "parentID": doc, "dataType": "markdown", "data": element });
    let made = world.raw("/api/block/appendBlock", append).await;
    let block = made[0]["doOperations"][0]["id"].as_str().unwrap().to_owned();
    world.raw("/api/av/renderAttributeView", json!({ "id": AV, "blockID": block })).await;
    let column = async |id: &str, name: &str| {
        let key = json!({ "avID": AV, "keyID": id, "keyName": name, "keyType": "text", "keyIcon": "", "previousKeyID": "" });
        world.raw("/api/av/addAttributeViewKey", key).await;
        let (code, text) = Home::new().on(&world, &["doctor", "--json"]);
        assert!(code == 0 && !text.contains("canary"), "{text}");
        about(&text, "database texts")
    };
    assert!(column("20250601000001-keyname", "Vec<T> & the \"best\"").await.is_empty());
    let found = column("20250601000002-keyname", "<iframe src=https://canary.example>").await;
    let said = format!("1 database has a name, description or value that is HTML: {block}.");
    assert_eq!(found, [("note".to_owned(), said)]);
}
