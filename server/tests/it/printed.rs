//! Answers as they are printed, for people at three widths and for programs, beside those that were printed before.
//! `UPDATE_EXPECT=1 cargo test -p puppy-server --test it printed` writes them anew.

use std::process::{Command, Stdio};
use std::time::Duration;

use expect_test::expect_file;
use regex_lite::Regex;
use serde_json::json;

use crate::world::World;

/// The widths of windows.
const WIDTHS: [u16; 3] = [60, 80, 120];

/// One answer of each shape. They only read, because each runs several times.
const ANSWERS: [(&str, &[&str]); 14] = [
    ("notebook-list", &["notebook", "list"]),
    ("fs-list", &["fs", "list", "--path", "/Desk"]),
    ("fs-tree", &["fs", "tree", "--path", "/Desk"]),
    ("fs-read", &["fs", "read", "--path", "/Desk/Long"]),
    ("fs-grep", &["fs", "grep", "--pattern", "roots", "--path", "/Desk/Long"]),
    ("document-list", &["document", "list", "--notebook", "Desk", "--depth", "3"]),
    ("document-outline", &["document", "outline", "--id", "{long}"]),
    ("document-info", &["document", "info", "--ids", "{long}"]),
    ("block-list", &["block", "list", "--id", "{long}"]),
    ("search-text", &["search", "text", "--query", "roots", "--notebook", "Desk", "--sort", "updated"]),
    ("search-text-grouped", &["search", "text", "--query", "roots", "--notebook", "Desk", "--group", "doc"]),
    ("tag-list", &["tag", "list"]),
    ("not-found", &["fs", "read", "--path", "/Desk/No such document"]),
    ("wrong-argument", &["fs", "tree", "--depth", "99"]),
];

/// The documents of the notebook Desk.
const DOCUMENTS: [(&str, &str); 4] = [
    ("/Long", LONG),
    ("/小白菜", "No roots yet."),
    ("/小白菜/Below", "Deep #roots#"),
    ("/Mint", "Roots everywhere."),
];

/// A document with all that makes columns hard to keep.
const LONG: &str = "# 小白菜\n\nWater the 小白菜 👩\u{200d}🌾 each morning, and water it again in the evening if the day was hot, for it has no roots that reach the water below.\n\n## A heading that is much longer than any window has columns, for a heading may be as long as a person likes it\n\n- one\n- two\n\nPay\u{202e}lla \u{1b}[31mred\u{1b}[0m and water.";

/// The same text on every run: ids and moments are replaced by others of the same width.
fn settled(text: &str, port: &str) -> String {
    let id = Regex::new(r"\d{14}-[0-9a-z]{7}").unwrap();
    let mut seen: Vec<String> = Vec::new();
    let text = id.replace_all(text, |found: &regex_lite::Captures<'_>| {
        let found = found[0].to_owned();
        let at = seen.iter().position(|it| *it == found).unwrap_or_else(|| {
            seen.push(found);
            seen.len() - 1
        });
        format!("20250101000000-{at:07}")
    });
    let moment = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d").unwrap();
    let text = moment.replace_all(&text, "2025-01-01T00:00:00").into_owned();
    let hash = Regex::new(r#"(hash"?: ?"?)[0-9a-f]{12}"#).unwrap();
    hash.replace_all(&text, "${1}0123456789ab").replace(port, "PORT")
}

/// B-099: what people and programs read, at widths that people have.
#[tokio::test(flavor = "multi_thread")]
async fn answers_are_printed_as_before() {
    let world = World::new().await;
    let desk = world.raw("/api/notebook/createNotebook", json!({ "name": "Desk" })).await;
    let mut long = String::new();
    for (path, markdown) in DOCUMENTS {
        let body = json!({ "notebook": desk["notebook"]["id"], "path": path, "markdown": markdown });
        let id = world.raw("/api/filetree/createDocWithMd", body).await;
        long = if markdown == LONG { id.as_str().unwrap().to_owned() } else { long };
        // Ids of one second have no order.
        tokio::time::sleep(Duration::from_millis(1_100)).await;
    }
    world.raw("/api/sqlite/flushTransaction", json!({})).await;
    let url = world.kernel.url();
    let run = |words: &[&str], columns: Option<u16>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        for name in ["SIYUAN_TOKEN", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"] {
            command.env_remove(name);
        }
        command.env("SIYUAN_API_URL", &url).env("LC_ALL", "C").stdin(Stdio::null());
        command.envs(columns.map(|it| ("COLUMNS", it.to_string())));
        let output = command.args(words.iter().map(|it| it.replace("{long}", &long))).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
    };
    for (name, words) in ANSWERS {
        let mut page = String::new();
        for columns in WIDTHS {
            let (out, err, code) = run(words, Some(columns));
            assert!(!out.contains(['\u{1b}', '\u{202e}']), "{name}: {out:?}");
            page.push_str(&format!(
                "$ siyuan-puppy {} # {columns} columns, {code}\n{out}{err}\n",
                words.join(" ")
            ));
        }
        let (out, err, code) = run(&[words, &["--json"]].concat(), None);
        assert_eq!((out.lines().count(), err.as_str()), (1, ""), "{name}");
        page.push_str(&format!("$ siyuan-puppy {} --json # {code}\n{out}", words.join(" ")));
        let port = url.rsplit(':').next().unwrap();
        expect_file![format!("golden/printed/{name}.txt")].assert_eq(&settled(&page, port));
    }
}
