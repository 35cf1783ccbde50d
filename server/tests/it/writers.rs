//! The records for the puppy and the statistics: their shapes, their sums, and words that must never be in them.

use std::collections::BTreeSet;
use std::time::Duration;

use demo_kernel::{Fault, FaultKind};
use futures_util::future::join_all;
use puppy_core::activity::coins::{PurseCache, hold, leave, sum, write};
use puppy_core::activity::events::{ENDS, KEPT};
use puppy_core::activity::stats::{Stats, Totals};
use puppy_core::activity::{CallEnd, Observer, Outcome, Record, Transport};
use puppy_core::dispatch::Engine;
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::find::action_named;
use puppy_core::kernel::{Ambient, files};
use puppy_core::output::Output;
use puppy_core::spec::Tool;
use puppy_server::kernel::HttpKernel;
use puppy_server::writers::Writers;
use serde_json::{Value, json};

use crate::client::{Client, Era, Way};
use crate::resources::doc;
use crate::world::{CANARY, World, call, until};

const EVENTS: &str = "/temp/siyuan-mcp-puppy/puppyEvents.json";
const STATS: &str = "/temp/siyuan-mcp-puppy/puppyStats.json";
const PURSES: &str = "/temp/siyuan-mcp-puppy/coins";
const CLEARED: &str = "/temp/siyuan-mcp-puppy/analyticsCleared";
const ANALYTICS: &str = "/temp/siyuan-mcp-puppy/analytics";

fn engine(world: &World) -> Engine<HttpKernel, Writers> {
    Engine::new(world.http.clone(), Writers::new(world.http.clone()))
}

/// Makes reads that succeed and fail, in an open notebook and in a closed one.
async fn mixed_run(engine: &Engine<HttpKernel, Writers>) {
    let calls = [
        (Tool::Notebook, json!({ "action": "list" })),
        (Tool::Fs, json!({ "action": "read", "path": "/Garden/Welcome" })),
        (Tool::Fs, json!({ "action": "read", "path": "/Private/Diary/A quiet day" })),
        (Tool::Fs, json!({ "action": "write", "path": "/Reading/Canarytitle", "markdown": "canarytext" })),
        (Tool::Mascot, json!({ "action": "status" })),
    ];
    for (tool, arguments) in calls {
        let _ = call(engine, tool, arguments).await;
    }
}

async fn analytics(world: &World) -> String {
    let list = world.raw("/api/file/readDir", json!({ "path": ANALYTICS })).await;
    let mut text = String::new();
    for entry in list.as_array().unwrap() {
        let path = format!("{ANALYTICS}/{}", entry["name"].as_str().unwrap());
        text.push_str(std::str::from_utf8(&world.read(&path).await.unwrap()).unwrap());
    }
    text
}

/// B-290, B-291: every call is recorded, first running and then with its outcome; the puppy's own tool earns nothing.
#[tokio::test(flavor = "multi_thread")]
async fn events_record_each_call_without_private_data() {
    let world = World::new().await;
    let engine = engine(&world);
    engine.observer.start();
    mixed_run(&engine).await;
    let file = until("ten events", async || {
        let bytes = world.read(EVENTS).await?;
        let file: Value = serde_json::from_slice(&bytes).ok()?;
        (file["events"].as_array()?.len() == 10).then_some(file)
    })
    .await;
    let events = file["events"].as_array().unwrap();
    let steps: Vec<String> = events
        .iter()
        .map(|it| {
            format!(
                "{}.{} {}",
                it["tool"].as_str().unwrap(),
                it["action"].as_str().unwrap(),
                it["status"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        steps,
        [
            "notebook.list running",
            "notebook.list success",
            "fs.read running",
            "fs.read success",
            "fs.read running",
            "fs.read error",
            "fs.write running",
            "fs.write error",
            "mascot.status running",
            "mascot.status success",
        ]
    );
    let seqs: Vec<u64> = events.iter().map(|it| it["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=10).collect::<Vec<_>>());
    assert_eq!((&file["balance"], &file["total_calls"]), (&json!(4), &json!(5)));
    let known: BTreeSet<&str> = [
        "seq",
        "instance",
        "tool",
        "action",
        "status",
        "ts",
        "duration_ms",
        "notebook",
        "doc",
        "item",
        "error_type",
    ]
    .into();
    for event in events {
        let keys = event.as_object().unwrap().keys();
        assert!(keys.clone().all(|key| known.contains(key.as_str())), "{event}");
    }
    assert_eq!(events[3]["notebook"], json!(world.notebook("Garden").await));
    assert!(events[3]["doc"].is_string());
    assert!(events[5]["notebook"].is_null() && events[5]["doc"].is_null(), "{}", events[5]);
    assert_eq!(events[7]["error_type"], "permission_denied");
    engine.observer.finish().await;
}

/// B-257: a record that a person has cleared stays cleared, while the process that wrote it goes on.
#[tokio::test(flavor = "multi_thread")]
async fn cleared_analytics_do_not_come_back() {
    let world = World::new().await;
    let engine = engine(&world);
    engine.observer.start();
    let lines = async |count| {
        let written = async || {
            let written = !files::list(&world.http, ANALYTICS).await.unwrap().is_empty();
            let text = if written { analytics(&world).await } else { String::new() };
            (text.lines().count() == count).then_some(text)
        };
        until("written lines", written).await
    };
    mixed_run(&engine).await;
    lines(5).await;
    let now = world.raw("/api/system/currentTime", json!({})).await;
    let cleared = files::write(&world.http, CLEARED, now.to_string().into_bytes());
    cleared.await.unwrap();
    let _ = call(&engine, Tool::Notebook, json!({ "action": "list" })).await;
    let text = lines(1).await;
    assert!(text.contains(r#""action":"list""#), "{text}");
    engine.observer.finish().await;
    assert_eq!(analytics(&world).await, text);
}

/// B-118, B-290: a document attached to a prompt is recorded as a read; an unreadable one leaves no record.
#[tokio::test(flavor = "multi_thread")]
async fn document_attached_to_a_prompt_is_recorded_as_a_read() {
    let world = World::new().await;
    let (mint, money) = (doc(&world, "Garden", "/Plants/Mint").await, doc(&world, "Private", "/Money").await);
    let engine = engine(&world);
    engine.observer.start();
    for id in [&money, &mint] {
        let given = json!({ "document": id }).as_object().cloned().unwrap();
        let filled = engine.prompt("tidy_document", &given, Transport::Stdio).await;
        assert_eq!(filled.is_ok(), *id == mint, "{filled:?}");
    }
    engine.observer.finish().await;
    let events = until("the end of the read", async || {
        let file: Value = serde_json::from_slice(&world.read(EVENTS).await?).ok()?;
        let events = file["events"].as_array()?.iter();
        let events: Vec<Value> =
            events.map(|it| json!([it["tool"], it["action"], it["status"], it["doc"]])).collect();
        (events.len() >= 2).then_some(events)
    })
    .await;
    assert_eq!(events, [json!(["fs", "read", "running", null]), json!(["fs", "read", "success", mint])]);
}

/// The content of the coin files.
async fn coins(world: &World) -> Stats {
    sum(&world.http, &mut PurseCache::default()).await.unwrap()
}

/// The names of the purses.
async fn purses(world: &World) -> Vec<String> {
    let list = world.raw("/api/file/readDir", json!({ "path": PURSES })).await;
    list.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// Runs four processes at once, each with `calls` calls, from their start to their end.
async fn four_processes(world: &World, calls: usize) {
    let engines: Vec<_> = (0..4).map(|_| engine(world)).collect();
    join_all(engines.iter().map(async |engine| {
        engine.observer.start();
        for _ in 0..calls {
            call(engine, Tool::Notebook, json!({ "action": "list" })).await.unwrap();
        }
    }))
    .await;
    join_all(engines.iter().map(|engine| engine.observer.finish())).await;
}

/// B-291: after four processes with fifty calls each, no coin is missing.
#[tokio::test(flavor = "multi_thread")]
async fn four_processes_lose_no_coin() {
    let world = World::new().await;
    four_processes(&world, 50).await;
    let stats = coins(&world).await;
    assert_eq!((stats.total_calls, stats.balance), (200, 200));
    let events = world.read_json(EVENTS).await;
    let events = events["events"].as_array().unwrap();
    let ends = events.iter().filter(|it| it["status"] == "success").count();
    assert!(ends == ENDS && events.len() <= KEPT + ENDS, "{ends} ends of {} events", events.len());
}

/// B-291: coins from before the purses existed are kept, and a purchase made meanwhile is paid once.
#[tokio::test(flavor = "multi_thread")]
async fn coins_from_before_purses_are_kept() {
    let world = World::new().await;
    let parts = json!({ "a": { "earned": 5, "calls": 5, "at": 7, "ended": true } });
    let base = json!({ "earned": 30, "spent": 10, "calls": 33 });
    let old = json!({ "balance": 25, "base": base, "parts": parts, "fed": { "milk": 1 } });
    world.write(STATS, &old.to_string()).await;
    for round in 1..=3 {
        four_processes(&world, 5).await;
        let shopper = engine(&world);
        call(&shopper, Tool::Mascot, json!({ "action": "buy", "item": "bone" })).await.unwrap();
        shopper.observer.finish().await;
        let stats = coins(&world).await;
        let expected = (35 + 20 * round, 25 + 17 * round, 38 + 21 * round);
        assert_eq!((stats.total_earned, stats.balance, stats.total_calls), expected, "round {round}");
        assert_eq!((stats.fed["bone"], stats.fed["milk"]), (round, 1));
    }
}

/// B-291: a new process continues a released purse, so there are never more purses than concurrent processes. If
/// several want the same one, only one gets it.
#[tokio::test(flavor = "multi_thread")]
async fn released_purse_is_reused_by_a_new_process() {
    let world = World::new().await;
    let earn = async |holder: String| {
        let mut purse = hold(&world.http, &holder).await.unwrap();
        purse.totals.earned += 1;
        write(&world.http, &holder, &purse).await.unwrap();
        leave(&world.http, &holder).await.unwrap();
    };
    for round in 0..10 {
        join_all((0..4).map(|at| earn(format!("{round}-{at}")))).await;
    }
    assert_eq!(coins(&world).await.balance, 40);
    let purses = purses(&world).await;
    assert!((1..=4).contains(&purses.len()), "{purses:?}");
    assert!(purses.iter().all(|name| name.ends_with(".free.json")), "{purses:?}");
}

/// B-291: the purse of a killed process keeps the coins already written, and no other process takes it at once.
#[tokio::test(flavor = "multi_thread")]
async fn coins_of_a_killed_process_are_kept() {
    let world = World::new().await;
    world.write(&format!("{PURSES}/killed.json"), r#"{ "earned": 7, "calls": 9 }"#).await;
    four_processes(&world, 1).await;
    assert_eq!(coins(&world).await.totals(), Totals { earned: 11, spent: 0, calls: 13 });
    assert!(purses(&world).await.contains(&"killed.json".to_owned()));
}

/// B-291: a process that ends after long silence writes nothing into the purse that another one has taken over.
#[tokio::test(flavor = "multi_thread")]
async fn a_purse_that_another_process_took_is_left_alone() {
    let world = World::new().await;
    let engine = engine(&world);
    engine.observer.start();
    call(&engine, Tool::Notebook, json!({ "action": "list" })).await.unwrap();
    until("the coin is written", async || (coins(&world).await.total_calls == 1).then_some(())).await;
    let purses = purses(&world).await;
    let [purse] = purses.as_slice() else { panic!("{purses:?}") };
    let (from, to) = (format!("{PURSES}/{purse}"), format!("{PURSES}/another.json"));
    world.raw("/api/file/renameFile", json!({ "path": from, "newPath": to })).await;
    engine.observer.finish().await;
    assert_eq!(coins(&world).await.total_calls, 1);
}

/// B-250, B-253: one line per call with its keys, and never a word of a note, a title, an argument or an id.
#[tokio::test(flavor = "multi_thread")]
async fn analytics_contain_counts_only() {
    let world = World::new().await;
    let engine = engine(&world);
    engine.observer.start();
    mixed_run(&engine).await;
    engine.observer.finish().await;
    let text = analytics(&world).await;
    let allowed: BTreeSet<&str> = [
        "timestamp",
        "transport",
        "category",
        "action",
        "duration_ms",
        "status",
        "request_approx_tokens",
        "response_approx_tokens",
        "result_size_hint",
        "error_type",
        "error_code",
        "waited_ms",
        "client",
    ]
    .into();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5);
    for line in &lines {
        assert!(line.as_object().unwrap().keys().all(|key| allowed.contains(key.as_str())), "{line}");
        assert_eq!(line["transport"], "stdio");
    }
    let garden = world.notebook("Garden").await;
    let events = String::from_utf8(world.read(EVENTS).await.unwrap()).unwrap();
    for word in [CANARY, "Garden", "Welcome", "Private", "Canarytitle", "canarytext"] {
        assert!(!text.contains(word) && !events.contains(word), "{word}");
    }
    assert!(!text.contains(&garden));
}

/// A call that was answered while its question waits has one line: with the person's late answer, or at the end of the
/// process, when nobody can answer any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_answer_ends_the_record_of_its_call() {
    let world = World::new().await;
    let engine = engine(&world);
    let spec = action_named(Tool::Document, "remove").unwrap();
    // A document stays whose title may be the one that the question named (Q3).
    let partial = Output::new().with("failed", json!([{ "id": "one", "error": "locked" }]));
    let left = |question: &str, started_ms: u64| {
        let record =
            Record { spec, transport: Transport::Stdio, started_ms, client: "Claude".into(), agent: None };
        let so_far = CallEnd {
            outcome: Outcome::Dangerous,
            duration_ms: 50_004,
            waited_ms: 50_000,
            title: Some("Basil".to_owned()),
            notebook: None,
            doc: None,
            block: None,
            level: None,
            item: None,
            request_chars: 4,
            response_chars: 4,
        };
        engine.observer.started(&record);
        engine.observer.left(&record, &so_far, question);
    };
    let now = engine.kernel.now_ms();
    left("denied", now - 60_000);
    left("open", now - 60_001);
    left("done", now - 60_002);
    left("partly done", now - 60_003);
    engine.observer.settle("denied", &Err(ToolError::new(ErrorType::Denied, "")));
    engine.observer.settle("denied", &Ok(Output::new()));
    engine.observer.settle("done", &Ok(Output::new()));
    engine.observer.settle("partly done", &Ok(partial));
    engine.observer.finish().await;
    let lines: Vec<Value> =
        analytics(&world).await.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&str> = lines.iter().map(|it| it["error_type"].as_str().unwrap_or("none")).collect();
    assert_eq!(events, ["denied", "none", "none", "expired"]);
    for line in &lines {
        let [took, waited] = ["duration_ms", "waited_ms"].map(|key| line[key].as_u64().unwrap());
        assert_eq!((took - waited, &line["client"]), (4, &json!("Claude")));
        assert!(waited >= 59_990, "{line}");
    }
    let file: Value = serde_json::from_slice(&world.read(EVENTS).await.unwrap()).unwrap();
    let of = |ts: u64| {
        let events = file["events"].as_array().unwrap().iter();
        let at =
            |it: &&Value| it["ts"].as_u64().unwrap() - it["duration_ms"].as_u64().unwrap_or_default() == ts;
        let entry = |it: &Value| {
            format!("{} {}", it["status"].as_str().unwrap(), it["title"].as_str().unwrap_or("-"))
        };
        events.filter(at).map(entry).collect::<Vec<_>>()
    };
    assert_eq!(of(now - 60_000), ["running -", "dangerous -", "error -"]);
    assert_eq!(of(now - 60_002), ["running -", "dangerous -", "success Basil"]);
    assert_eq!(of(now - 60_003), ["running -", "dangerous -", "success -"]);
}

/// B-037, B-255: a kernel that refuses all our writes changes no answer.
#[tokio::test(flavor = "multi_thread")]
async fn failed_activity_writes_change_no_answer() {
    let world = World::new().await;
    let engine = engine(&world);
    engine.observer.start();
    let path = "/api/file/putFile".to_owned();
    world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Broken, ms: None, times: None }]);
    for _ in 0..5 {
        call(&engine, Tool::Notebook, json!({ "action": "list" })).await.unwrap();
    }
    engine.observer.finish().await;
    world.kernel.set_faults(Vec::new());
    assert_eq!(world.read(EVENTS).await, None);
}

/// A process that answered no call leaves no file.
#[tokio::test(flavor = "multi_thread")]
async fn process_without_calls_writes_no_file() {
    let world = World::new().await;
    let engine = engine(&world);
    engine.observer.start();
    engine.observer.finish().await;
    assert!(!world.asked().iter().any(|path| path == "/api/file/putFile"));
}

/// Waits until the server sends no more requests.
async fn quiet(world: &World) {
    let silent = async || {
        world.kernel.clear_log();
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        world.asked().is_empty().then_some(())
    };
    until("silence", silent).await;
}

/// Settings and activity take three requests before an answer and four after it.
#[tokio::test(flavor = "multi_thread")]
async fn settings_and_activity_take_few_requests() {
    let world = World::new().await;
    let mut client = Client::start(Era::New, Way::Http, &world.kernel.url(), &[]).await;
    // The first calls write the default switches, take a purse, and read each file once its second is over.
    for _ in 0..3 {
        client.call("notebook", json!({ "action": "list" })).await;
        tokio::time::sleep(Duration::from_millis(2_100)).await;
    }
    let mut seen = Vec::new();
    // On a busy machine a call may be written in two parts.
    for _ in 0..5 {
        quiet(&world).await;
        client.call("notebook", json!({ "action": "list" })).await;
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        let mut asked = world.asked();
        asked.sort_unstable();
        seen.push(asked);
    }
    let (get, put) = ("/api/file/getFile", "/api/file/putFile");
    // One file has the token of callers over HTTP, one the newest events.
    let few = [get, get, put, put, put, "/api/file/readDir", "/api/notebook/lsNotebooks"];
    let parts = [get, get, get, put, put, put, put, "/api/file/readDir", "/api/notebook/lsNotebooks"];
    assert!(seen.iter().any(|it| *it == few || *it == parts), "{seen:?}");
}
