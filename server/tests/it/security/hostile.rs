//! No call delays another: an ordinary call waits about as long during a hostile call as during a harmless one.
//!
//! The two calls have about the same size, and eight clients take part: one makes the call, seven make ordinary ones.
//! F10: every loop over a caller's input, or over the content of a note, is bounded or linear, and a call over much text
//! computes in a place of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::door::{call, greeting};
use crate::client::{Era, http};
use crate::process::{Running, program};
use crate::resources::doc;
use crate::world::World;

/// The allowed ratio of the longest wait of an ordinary call, between the hostile call and the harmless one.
const GENEROUS: u32 = 6;
/// The number of attempts per pair: other load on the machine may disturb the measurement.
const TRIES: usize = 4;
/// The clients that make ordinary calls.
const ORDINARY: usize = 7;
/// The time after which a call counts as blocking the thread.
const PATIENCE: Duration = Duration::from_secs(60);
/// The size of a large text in a message, in bytes; a message has at most 4 MiB.
const LARGE: usize = 1_000_000;

/// A session of a server.
pub(super) struct Session {
    url: String,
    headers: HeaderMap,
    http: reqwest::Client,
}

impl Session {
    pub(super) async fn greet(url: &str) -> Session {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "application/json".parse().unwrap());
        headers.insert("accept", "application/json, text/event-stream".parse().unwrap());
        let mut session = Session { url: url.to_owned(), headers, http: http() };
        let hello = session.send(&greeting(Era::Old)).await.expect("a greeting");
        session.headers.insert("mcp-session-id", hello.headers()["mcp-session-id"].clone());
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        session
    }

    async fn send(&self, message: &Value) -> Option<reqwest::Response> {
        let request = self.http.post(&self.url).headers(self.headers.clone());
        request.timeout(PATIENCE).body(message.to_string()).send().await.ok()
    }

    /// Sends a message and waits for the whole answer; `None` if it does not arrive in time.
    pub(super) async fn ask(&self, message: &Value) -> Option<String> {
        self.send(message).await?.text().await.ok()
    }
}

/// The longest wait of an ordinary call during a message of another client, and the time that this message took.
async fn beside(other: &Arc<Session>, message: &Value, ordinary: &[Arc<Session>]) -> (Duration, Duration) {
    let help = call(1, "notebook", &json!({ "action": "help" }));
    let is_over = Arc::new(AtomicBool::new(false));
    let calling = |session: &Arc<Session>| {
        let (session, help, is_over) = (session.clone(), help.clone(), is_over.clone());
        tokio::spawn(async move {
            let mut longest = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                let began = Instant::now();
                let Some(answer) = session.ask(&help).await else { return PATIENCE };
                assert!(answer.contains("notebook"), "{answer}");
                longest = longest.max(began.elapsed());
            }
            longest
        })
    };
    let waits: Vec<_> = ordinary.iter().map(calling).collect();
    let (other, message, began) = (other.clone(), message.clone(), Instant::now());
    let answer = tokio::spawn(async move { other.ask(&message).await }).await.unwrap();
    let took = began.elapsed();
    is_over.store(true, Ordering::Relaxed);
    let mut longest = if answer.is_some() { Duration::ZERO } else { PATIENCE };
    for wait in waits {
        longest = longest.max(wait.await.unwrap());
    }
    (longest, took)
}

/// Starts a server, and opens the session of one client and those of the ordinary ones.
async fn clients(world: &World) -> (Running, Arc<Session>, Vec<Arc<Session>>) {
    let server = Running::start(&mut program(&world.kernel.url()));
    let other = Arc::new(Session::greet(&server.url).await);
    let mut ordinary = Vec::new();
    for _ in 0..ORDINARY {
        ordinary.push(Arc::new(Session::greet(&server.url).await));
    }
    other.ask(&tool("notebook", &json!({ "action": "list" }))).await;
    (server, other, ordinary)
}

pub(super) fn tool(name: &str, arguments: &Value) -> Value {
    call(2, name, arguments)
}

fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params })
}

/// An object with `many` fields.
fn fields(many: usize) -> Value {
    (0..many).map(|at| (format!("field_{at:07}"), json!(1))).collect::<serde_json::Map<_, _>>().into()
}

/// Pairs about names and forms: a label, the hostile message, and a harmless message of the same size.
fn messages() -> Vec<(&'static str, Value, Value)> {
    let long = "x".repeat(LARGE);
    let help = |note: &Value| tool("notebook", &json!({ "action": "help", "note": note }));
    let plain = help(&json!(long));
    let mut unknown = fields(40_000);
    unknown["action"] = json!("list");
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    vec![
        ("a tool's name", request("tools/call", &json!({ "name": long })), plain.clone()),
        ("an action's name", tool("notebook", &json!({ "action": long })), plain.clone()),
        ("a topic of help", tool("notebook", &json!({ "action": "help", "topic": long })), plain.clone()),
        (
            "an argument's name",
            tool("notebook", &json!({ "action": "list", long.as_str(): 1 })),
            plain.clone(),
        ),
        ("a prompt's name", request("prompts/get", &json!({ "name": long })), plain.clone()),
        (
            "a progress token",
            {
                let mut call = tool("notebook", &json!({ "action": "help" }));
                call["params"]["_meta"] = json!({ "progressToken": long });
                call
            },
            plain.clone(),
        ),
        (
            "an address",
            request("resources/read", &json!({ "uri": format!("siyuan://help/{long}") })),
            plain.clone(),
        ),
        ("many unknown arguments", tool("notebook", &unknown), help(&fields(40_000))),
        (
            "many short unknown arguments",
            {
                let mut short: serde_json::Map<_, _> =
                    (0..80_000).map(|at| (format!("{at:x}"), json!(1))).collect();
                short.insert("action".to_owned(), json!("text"));
                tool("search", &short.into())
            },
            help(&fields(40_000)),
        ),
        (
            "many wrong words",
            tool("search", &json!({ "action": "text", "query": "x", "types": vec!["z"; 125_000] })),
            help(&json!(vec!["z"; 125_000])),
        ),
        (
            "codes without an end",
            help(&json!("⟨U+".repeat(LARGE / 5))),
            help(&json!("⟨U-".repeat(LARGE / 5))),
        ),
        ("deep lists", help(&json!(vec![deep; 500])), help(&json!(vec![json!([]); 50_000]))),
    ]
}

/// Makes a document with this text and returns its address for `fs`.
pub(super) async fn document(world: &World, title: &str, markdown: &str) -> String {
    let garden = world.notebook("Garden").await;
    let made = json!({ "notebook": garden, "path": format!("/{title}"), "markdown": markdown });
    // On a busy machine a large document may take longer than the default client waits.
    let request = http().post(format!("{}/api/filetree/createDocWithMd", world.kernel.url()));
    let request = request.header("Content-Type", "application/json").timeout(PATIENCE);
    assert!(request.body(made.to_string()).send().await.unwrap().status().is_success());
    format!("/Garden/{title}")
}

/// Lines of distinct words.
pub(super) fn lines(many: usize, mark: &str, between: &str) -> String {
    (0..many).map(|at| format!("{mark}word {at} of a text with some length{between}")).collect()
}

/// The number of attribute lists on one line of a note.
const LISTS: usize = 25_000;

/// One list of many attributes, or a near miss.
fn attributes(open: char) -> String {
    let names = (0..15_000).map(|at| format!(" a{at}=\"\""));
    format!("text\n{open}:{}}}", names.collect::<String>())
}

/// Pairs about the text of notes.
async fn notes(world: &World) -> Vec<(&'static str, Value, Value)> {
    let edit = |path: &str, edits: Value| {
        tool("fs", &json!({ "action": "edit", "path": path, "preview": true, "edits": edits }))
    };
    let write = |path: &str, markdown: &str| {
        let arguments = json!({ "action": "write", "path": path, "mode": "overwrite", "preview": true, "markdown": markdown });
        tool("fs", &arguments)
    };
    let each = |many: usize| -> Value {
        let edits = (0..many).map(|at| json!({ "old": format!("word {} of", at * 7 + 30), "new": "w" }));
        edits.collect::<Vec<_>>().into()
    };
    let text = lines(5_000, "", "\n");
    let part = &text[..90_000];
    let long = document(world, "Long", &text).await;
    let items = document(world, "Items", &lines(500, "- ", "\n")).await;
    let plain = document(world, "Plain", &lines(2_000, "", "\n")).await;
    let blocks: Vec<String> = (0..800).map(|at| format!("block {at} {}", "x".repeat(at % 40))).collect();
    let many = document(world, "Many", &blocks.join("\n\n")).await;
    let turned: Vec<String> = (0..800).map(|at| blocks[at * 333 % 800].clone()).collect();
    let twice: Vec<&str> = (0..800).map(|at| ["a", "b", "a", "c", "b"][at * at % 5]).collect();
    let same = document(world, "Same", &twice.iter().rev().copied().collect::<Vec<_>>().join("\n\n")).await;
    let line = |open: char| {
        format!("```\nfirst {}\n```", format!("{open}: id=\"20260101000000-aaaaaaa\"}} ").repeat(LISTS))
    };
    let listed = document(world, "Listed", &line('{')).await;
    let unlisted = document(world, "Unlisted", &line('(')).await;
    let first = json!([{ "old": "first", "new": "last" }]);
    vec![
        (
            "an edit of a text that is not there",
            edit(&long, json!([{ "old": part.replace('\n', " "), "new": "" }])),
            edit(&long, json!([{ "old": part, "new": "" }])),
        ),
        ("edits in a list of many items", edit(&items, each(10)), edit(&plain, each(10))),
        (
            "a letter for a long text at every place",
            edit(&plain, json!([{ "old": "o", "new": "x".repeat(20_000), "all": true }])),
            edit(&plain, json!([{ "old": "word 1 of", "new": "x".repeat(20_000), "all": true }])),
        ),
        ("blocks in another order", write(&many, &turned.join("\n\n")), write(&many, &blocks.join("\n\n"))),
        ("blocks that occur often", write(&same, &twice.join("\n\n")), write(&same, "a\n\nb")),
        ("an edit in a line of many attribute lists", edit(&listed, first.clone()), edit(&unlisted, first)),
        (
            "callouts that do not end",
            write(&plain, &"[!".repeat(100_000)),
            write(&plain, &"(!".repeat(100_000)),
        ),
        (
            "colours of formulas that do not end",
            write(&plain, &"\\color{".repeat(25_000)),
            write(&plain, &"(color{".repeat(25_000)),
        ),
        (
            "tags of a diagram that do not begin",
            write(&plain, &format!("```mermaid\n{}\n```", "< ".repeat(100_000))),
            write(&plain, &format!("```mermaid\n{}\n```", "( ".repeat(100_000))),
        ),
        (
            "segments of a path",
            write(&plain, &"/api/..".repeat(25_000)),
            write(&plain, &"-api-..".repeat(25_000)),
        ),
        (
            "addresses in brackets that do not end",
            write(&plain, &"<aaa:".repeat(50_000)),
            write(&plain, &"(aaa:".repeat(50_000)),
        ),
        (
            "links to programs that do not end",
            write(&plain, &"](x:".repeat(50_000)),
            write(&plain, &")(x:".repeat(50_000)),
        ),
        (
            "tags in a tag",
            write(&plain, &format!("{}>", "<a ".repeat(50_000))),
            write(&plain, &format!("{}>", "(a ".repeat(50_000))),
        ),
        ("one list of many attributes", write(&plain, &attributes('{')), write(&plain, &attributes('('))),
        (
            "attribute lists on one line",
            write(&plain, &"- {: a=\"b\"}".repeat(15_000)),
            write(&plain, &"- (: a='b')".repeat(15_000)),
        ),
    ]
}

/// Pairs about names that are compared with titles.
async fn names(world: &World) -> Vec<(&'static str, Value, Value)> {
    let garden = world.notebook("Garden").await;
    for at in 0..200 {
        let title = format!("/abc{}{at}", "y".repeat(490));
        let made = json!({ "notebook": garden, "path": title, "markdown": "" });
        world.raw("/api/filetree/createDocWithMd", made).await;
    }
    world.raw("/api/sqlite/flushTransaction", json!({})).await;
    let read = |letters: usize| {
        let path = format!("/Garden/abc{}", "x".repeat(letters - 3));
        tool("fs", &json!({ "action": "read", "path": path }))
    };
    let search = |query: &str| tool("search", &json!({ "action": "text", "query": query }));
    let words: Vec<String> = (0..7).map(|at| format!("abc{}{at}", "x".repeat(60))).collect();
    vec![
        // For a longer one nothing similar is sought.
        ("a path like many long titles", read(64), read(65)),
        ("words like many long titles", search(&words.join(" ")), search("abc1 abc2")),
        ("a word like many long titles", search(&format!("abc{}", "x".repeat(490))), search("abc1 abc2")),
    ]
}

/// The number of rows of each database, of columns of each kind, and of rows that each row is related to.
const ROWS: usize = 100;
const COLUMNS: usize = 6;
const RELATED: usize = 30;

/// A pair about rollups: with a notebook closed, the sidecar itself puts together what they show. The harmless call
/// lists texts of the same size from the same rows.
async fn rollups(world: &World) -> (&'static str, Value, Value) {
    const RELATION: &str = "20250601000002-keyrela";
    let path = document(world, "Databases", "Beds").await;
    let beds = doc(world, "Garden", path.strip_prefix("/Garden").unwrap_or_default()).await;
    let database = async |av: &str| {
        let element =
            format!(r#"<div data-type="NodeAttributeView" data-av-id="{av}" data-av-type="table"></div>"#);
        let append = json!({ "parentID": beds, "dataType": "markdown", "data": element });
        let made = world.raw("/api/block/appendBlock", append).await;
        let block = made[0]["doOperations"][0]["id"].clone();
        world.raw("/api/av/renderAttributeView", json!({ "id": av, "blockID": block })).await;
        let row = |at: usize| json!({ "itemID": row(av, at), "isDetached": true, "content": format!("Row {at} of mint") });
        let rows: Vec<Value> = (0..ROWS).map(row).collect();
        world
            .raw("/api/av/addAttributeViewBlocks", json!({ "avID": av, "blockID": block, "srcs": rows }))
            .await;
        let read = world.raw("/api/av/getAttributeView", json!({ "id": av })).await;
        let columns = read["av"]["keyValues"].as_array().unwrap().clone();
        columns.iter().find(|it| it["key"]["type"] == "block").unwrap()["key"]["id"].clone()
    };
    database(PLANTS).await;
    let primary = database(POTS).await;
    let column = async |id: &str, name: &str, kind: &str| {
        let key = json!({ "avID": PLANTS, "keyID": id, "keyName": name, "keyType": kind, "keyIcon": "", "previousKeyID": "" });
        world.raw("/api/av/addAttributeViewKey", key).await;
    };
    let transact = async |operation: Value| {
        let body = json!({ "transactions": [{ "doOperations": [operation], "undoOperations": [] }], "reqId": 1, "app": "t", "session": "t" });
        world.raw("/api/transactions", body).await;
    };
    column(RELATION, "Pots", "relation").await;
    transact(json!({ "action": "updateAttrViewColRelation", "avID": PLANTS, "keyID": RELATION, "id": POTS, "isTwoWay": false, "backRelationKeyID": "", "name": "", "format": "Pots" })).await;
    let set = async |cells: Vec<Value>| {
        let body = json!({ "avID": PLANTS, "values": cells });
        world.raw("/api/av/batchSetAttributeViewBlockAttrs", body).await;
    };
    let related = |at: usize| (at..at + RELATED).map(|other| row(POTS, other % ROWS)).collect::<Vec<_>>();
    set((0..ROWS).map(|at| json!({ "keyID": RELATION, "itemID": row(PLANTS, at), "value": { "relation": { "blockIDs": related(at) } } })).collect()).await;
    let text = json!("Row 100 of mint, ".repeat(RELATED));
    for number in 0..COLUMNS {
        let (rolled, plain) =
            (format!("20250601000002-roll{number:03}"), format!("20250601000002-text{number:03}"));
        column(&rolled, &format!("Rolled {number}"), "rollup").await;
        transact(json!({ "action": "updateAttrViewColRollup", "avID": PLANTS, "id": rolled, "parentID": RELATION, "keyID": primary, "data": { "calc": { "operator": "", "result": null } } })).await;
        column(&plain, &format!("Plain {number}"), "text").await;
        set((0..ROWS).map(|at| json!({ "keyID": plain, "itemID": row(PLANTS, at), "value": { "text": { "content": text } } })).collect()).await;
    }
    world.raw("/api/sqlite/flushTransaction", json!({})).await;
    let list = |columns: &str| {
        let columns: Vec<String> = (0..COLUMNS).map(|at| format!("{columns} {at}")).collect();
        // For words that no row has, the cells of all rows are put together.
        tool("av", &json!({ "action": "list_rows", "id": PLANTS, "only_columns": columns, "query": "sage" }))
    };
    ("rollups over one relation", list("Rolled"), list("Plain"))
}

const PLANTS: &str = "20250601000000-avplant";
const POTS: &str = "20250601000000-avpots0";

/// The id of a row.
fn row(av: &str, at: usize) -> String {
    format!("202506010{at:05}-row{}", &av[av.len() - 4..])
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_message_does_not_delay_other_clients() {
    undelayed(&World::new().await, messages()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_text_does_not_delay_other_clients() {
    let world = World::new().await;
    undelayed(&world, notes(&world).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_name_does_not_delay_other_clients() {
    let world = World::new().await;
    undelayed(&world, names(&world).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_rollup_does_not_delay_other_clients() {
    let world = World::new().await;
    undelayed(&world, vec![rollups(&world).await]).await;
}

/// A call over much text computes in a place of its own, whether the text is its own or an answer of SiYuan's: an
/// ordinary call waits for a small part of the time that it takes.
#[tokio::test(flavor = "multi_thread")]
async fn ordinary_calls_do_not_wait_for_the_end_of_a_long_one() {
    let world = World::new().await;
    let plain = document(&world, "Plain", &lines(20, "", "\n")).await;
    let long = document(&world, "Long", &lines(20_000, "", "\n")).await;
    let write = |markdown: &str| {
        tool(
            "fs",
            &json!({ "action": "write", "path": plain, "mode": "overwrite", "preview": true, "markdown": markdown }),
        )
    };
    let absent = json!([{ "old": "a text that is not there", "new": "" }]);
    for (what, message) in [
        ("a long text", write(&"- {: a=\"b\"}".repeat(15_000))),
        (
            "a long document",
            tool("fs", &json!({ "action": "edit", "path": long, "preview": true, "edits": absent })),
        ),
    ] {
        let (_server, other, ordinary) = clients(&world).await;
        let mut seen = Vec::new();
        while seen.len() < TRIES && seen.last().is_none_or(|(wait, took)| *wait * 3 > *took) {
            seen.push(beside(&other, &message, &ordinary).await);
        }
        println!("{what}: {seen:?}");
        assert!(seen.last().is_some_and(|(wait, took)| *wait * 3 <= *took), "{what}: {seen:?}");
    }
}

/// Measures each pair.
pub(super) async fn undelayed(world: &World, pairs: Vec<(&'static str, Value, Value)>) {
    let mut wrong = Vec::new();
    for (what, hostile, harmless) in pairs {
        // A separate server for each pair, so that no call affects the next one.
        let (_server, other, ordinary) = clients(world).await;
        let mut seen = Vec::new();
        while seen.len() < TRIES {
            let (due, _) = beside(&other, &harmless, &ordinary).await;
            let (took, _) = beside(&other, &hostile, &ordinary).await;
            seen.push((took, due));
            if took <= due * GENEROUS {
                break;
            }
        }
        println!("{what}: {seen:?}");
        if seen.iter().all(|(took, due)| *took > *due * GENEROUS) {
            wrong.push((what, seen));
        }
    }
    assert!(wrong.is_empty(), "longest waits beside the hostile and the harmless call: {wrong:#?}");
}
