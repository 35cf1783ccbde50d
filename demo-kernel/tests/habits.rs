//! The real kernel's habits that tests switch on, faults that take time, and large workspaces.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use demo_kernel::{Content, Fault, FaultKind, Options, Running, Siyuan, Switches, start};
use serde_json::{Value, json};

/// The time limit of every habit, however busy the machine is.
const DEADLINE: Duration = Duration::from_secs(30);

async fn kernel() -> (Running, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().to_owned();
    let options = Options {
        siyuan: Siyuan::V3_7,
        port: 0,
        workspace,
        content: Content::Empty,
        token: None,
        stage: None,
    };
    (start(options).await.unwrap(), folder)
}

/// The head and the body, or `None` without a connection or an answer.
fn ask(url: &str, path: &str, body: &Value) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(url.trim_start_matches("http://")).ok()?;
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    );
    write!(stream, "{head}Content-Length: {length}\r\n\r\n{body}").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split_once("\r\n\r\n").map(|(head, body)| (head.to_owned(), body.to_owned()))
}

fn data(url: &str, path: &str, body: &Value) -> Value {
    let (head, body) = ask(url, &format!("/api/{path}"), body).unwrap();
    // A body in pieces has their lengths between them.
    let from = body.find('{').unwrap();
    let mut answer: Value = serde_json::from_str(&body[from..=body.rfind('}').unwrap()]).unwrap();
    assert_eq!(answer["code"], 0, "{path}: {head} {answer}");
    answer["data"].take()
}

fn document(url: &str) -> Value {
    let made = data(url, "notebook/createNotebook", &json!({ "name": "Habits" }));
    let args = json!({ "notebook": made["notebook"]["id"], "path": "/Doc", "markdown": "start" });
    data(url, "filetree/createDocWithMd", &args)
}

fn count(url: &str, word: &str) -> Value {
    let statement =
        format!("SELECT count(*) AS n, count(DISTINCT id) AS ids FROM blocks WHERE content = '{word}'");
    data(url, "query/sql", &json!({ "stmt": statement }))[0].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn index_lags_until_due_or_flushed() {
    let (running, _folder) = kernel().await;
    let url = running.url();
    let parent = document(&url);
    let append = |word: &str| {
        let args = json!({ "dataType": "markdown", "data": word, "parentID": parent });
        data(&url, "block/appendBlock", &args)[0]["doOperations"][0]["id"].clone()
    };
    running.set_switches(Switches { index_lag: 3_600_000, ..Switches::default() }).unwrap();
    let id = append("unseen");
    let found = || {
        data(&url, "search/fullTextSearchBlock", &json!({ "query": "unseen" }))["matchedBlockCount"].clone()
    };
    assert_eq!((count(&url, "unseen")["n"].clone(), found()), (json!(0), json!(0)), "not seen yet");
    assert_eq!(data(&url, "block/getBlockKramdown", &json!({ "id": id }))["id"], id, "but there");
    append(&format!("later (({} 'first'))", parent.as_str().unwrap()));
    let references = || {
        let found =
            data(&url, "block/getRefIDs", &json!({ "id": parent }))["refDefs"].as_array().unwrap().len();
        (found, data(&url, "block/getDocInfo", &json!({ "id": parent }))["refCount"].clone())
    };
    assert_eq!(references(), (0, json!(0)), "nor in what is made from the index");
    data(&url, "sqlite/flushTransaction", &json!({}));
    assert_eq!((count(&url, "unseen")["n"].clone(), found()), (json!(1), json!(1)));
    assert_eq!(references(), (1, json!(1)));

    let switches = json!({ "index_lag": 50 });
    assert!(ask(&url, "/demo/switches", &switches).unwrap().0.contains("204"));
    append("late");
    let since = Instant::now();
    while count(&url, "late")["n"] == 0 {
        assert!(since.elapsed() < DEADLINE, "it is due by itself");
        std::thread::sleep(Duration::from_millis(10));
    }
    let wrong = json!({ "index_log": 5 });
    assert!(!ask(&url, "/demo/switches", &wrong).unwrap().0.contains("204"), "a name that is no switch");
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicated_index_rows_are_added_and_removed_together() {
    let (running, _folder) = kernel().await;
    let url = running.url();
    running.set_switches(Switches { twice: true, ..Switches::default() }).unwrap();
    let parent = document(&url);
    assert_eq!(count(&url, "start"), json!({ "n": 2, "ids": 1 }));
    running.set_switches(Switches::default()).unwrap();
    data(&url, "block/updateBlock", &json!({ "dataType": "markdown", "data": "# changed", "id": parent }));
    assert_eq!(count(&url, "start")["n"], 0);
    assert_eq!(count(&url, "changed"), json!({ "n": 1, "ids": 1 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn restart_refuses_then_reports_starting_then_serves() {
    let (running, _folder) = kernel().await;
    let url = running.url();
    let parent = document(&url);
    let path = "/api/notebook/lsNotebooks";
    let since = Instant::now();
    let restart = |ms| {
        running.clear_log();
        let fault = Fault { path: path.into(), fault: FaultKind::Restart, ms: Some(ms), times: Some(1) };
        running.set_faults(vec![fault]);
        assert!(ask(&url, path, &json!({})).is_none(), "no answer to the request that it hits");
        let (mut refused, mut starting) = (0, 0);
        loop {
            match ask(&url, path, &json!({})) {
                None => refused += 1,
                Some((head, _)) if head.contains("503") => starting += 1,
                Some((head, _)) => break assert!(head.contains("200"), "{head}"),
            }
            assert!(since.elapsed() < DEADLINE, "{refused} refused, {starting} while starting");
            std::thread::sleep(Duration::from_millis(10));
        }
        refused > 0 && starting > 0
    };
    // On a busy machine nobody may look while a short one lasts.
    let seen = [400, 1_600, 6_400].into_iter().any(restart);
    assert!(seen, "refused and starting are not both seen");
    assert_eq!(data(&url, "block/getChildBlocks", &json!({ "id": parent })).as_array().unwrap().len(), 1);
    let statuses: Vec<u16> = running.log().iter().map(|entry| entry.status).collect();
    assert_eq!(statuses[..2], [0, 503], "what was refused never came in");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_body_is_complete_and_retry_after_is_set() {
    let (running, _folder) = kernel().await;
    let url = running.url();
    let path = "/api/notebook/lsNotebooks";
    let fault = |fault, ms| vec![Fault { path: path.into(), fault, ms: Some(ms), times: Some(1) }];
    running.set_faults(fault(FaultKind::Slow, 80));
    let (head, body) = ask(&url, path, &json!({})).unwrap();
    assert!(head.contains("200") && head.to_lowercase().contains("transfer-encoding: chunked"), "{head}");
    assert!(body.trim_end().ends_with("0"), "the last piece came: {body}");
    running.set_faults(fault(FaultKind::Busy, 7000));
    assert!(ask(&url, path, &json!({})).unwrap().0.to_lowercase().contains("retry-after: 7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn bulk_documents_are_created_and_found() {
    let (running, _folder) = kernel().await;
    let url = running.url();
    let notebook = running.bulk(120, 600).unwrap();
    let statement = format!(
        "SELECT type, count(*) AS n FROM blocks WHERE box = '{notebook}' AND type IN ('d', 'h') GROUP BY type ORDER BY type"
    );
    let rows = data(&url, "query/sql", &json!({ "stmt": statement }));
    // Two folders and the notebook's own document come on top.
    assert_eq!(rows, json!([{ "type": "d", "n": 123 }, { "type": "h", "n": 120 }]));
    let found = data(&url, "search/fullTextSearchBlock", &json!({ "query": "juniper", "paths": [notebook] }));
    assert!(found["matchedBlockCount"].as_i64().unwrap() > 100, "{}", found["matchedBlockCount"]);
}
