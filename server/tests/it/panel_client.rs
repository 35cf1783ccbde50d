//! The panel's MCP client against the program: both eras, and everything that can go wrong between them.

mod network;

use std::rc::Rc;
use std::time::Duration;

use demo_kernel::{Fault, FaultKind};
use futures_util::future::LocalBoxFuture;
use puppy_mcp_client::connection::{Change, Connection, Outcome, Settings, Stop, ToolAnswer, Whose};
use puppy_mcp_client::failure::Failure;
use puppy_mcp_client::offer::List;
use puppy_mcp_client::phase::{Phase, State};
use puppy_mcp_client::pool::Pool;
use puppy_mcp_client::revision::{Eras, Revision};
use puppy_mcp_client::{Address, template};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::{LocalSet, spawn_local};

use crate::client::http;
use crate::relay::streams::Wire;
use crate::relay::{Server, free_port};
use crate::resources::doc;
use crate::world::{World, until};

const ERAS: [Eras; 2] = [Eras::OnlyOlder, Eras::OnlyNewer];
const READ: &str = "/api/block/getChildBlocks";

/// A pool with one connection, and the changes that it reported.
struct Stage {
    pool: Pool,
    connection: Connection,
    changes: mpsc::UnboundedReceiver<Change>,
}

impl Stage {
    fn new(url: &str, eras: Eras, token: Option<&str>) -> Stage {
        let (sender, changes) = mpsc::unbounded_channel();
        let pool = Pool::new(network::world(), Rc::new(move |_, change| drop(sender.send(change))));
        let headers =
            token.map(|it| ("authorization".to_owned(), format!("Bearer {it}"))).into_iter().collect();
        let address = Address { url: url.to_owned(), headers, through_kernel: false };
        let limits = Rc::default();
        let (_, connection) = pool.add(Settings { name: "notes".to_owned(), address, eras, limits });
        Stage { pool, connection, changes }
    }

    /// A stage whose connection is made.
    async fn connected(url: &str, eras: Eras) -> Stage {
        let stage = Stage::new(url, eras, None);
        stage.run();
        stage.reaches(State::Connected).await;
        stage
    }

    fn run(&self) {
        let connection = self.connection.clone();
        spawn_local(async move { connection.run().await });
    }

    async fn reaches(&self, state: State) {
        let name = format!("{state:?}");
        until(&name, async || (self.connection.state() == state).then_some(())).await;
    }

    /// Waits for a change.
    async fn hears(&mut self, change: Change) {
        let heard = async { while self.changes.recv().await.expect("the pool is there") != change {} };
        tokio::time::timeout(Duration::from_secs(20), heard)
            .await
            .unwrap_or_else(|_| panic!("no {change:?}"));
    }

    async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        let (_stop, stopping) = Stop::new();
        self.connection.call(tool, object(arguments), stopping, Rc::new(|_| {})).await
    }
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(value) = value else { panic!("{value} is no object") };
    value
}

fn done(outcome: Outcome) -> ToolAnswer {
    match outcome {
        Outcome::Done(called) => called,
        other => panic!("{other:?}"),
    }
}

fn text(called: &ToolAnswer) -> String {
    called.pieces[0].as_text()
}

fn reading() -> Value {
    json!({ "action": "read", "path": "/Garden/Welcome" })
}

fn slow(world: &World, ms: u64) {
    let path = READ.to_owned();
    world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Delay, ms: Some(ms), times: None }]);
}

/// A number of the server's health, which is open to everyone.
async fn health(url: &str, key: &str) -> u64 {
    let answer = http().get(url.replace("/mcp", "/health")).send().await.unwrap();
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer[key].as_u64().unwrap()
}

async fn local(test: LocalBoxFuture<'_, ()>) {
    LocalSet::new().run_until(test).await;
}

/// B-202 to B-204, B-206, B-211, B-214: everything that the program offers, and no session left behind.
#[tokio::test(flavor = "multi_thread")]
async fn panel_client_sees_the_program_as_an_agent_does() {
    let world = World::new().await;
    let server = Server::start(&world, 0, None);
    let test = async {
        for eras in ERAS {
            let stage = Stage::connected(&server.url, eras).await;
            let shown = stage.connection.shown();
            let greeting = shown.greeting.unwrap();
            let revision = if eras == Eras::OnlyOlder { Revision::November2025 } else { Revision::July2026 };
            assert_eq!((greeting.revision, greeting.server.as_str()), (revision, "siyuan-puppy"));
            assert!(greeting.instructions.unwrap().contains("get_info") && shown.latency_ms.is_some());
            let tools = stage.pool.index();
            assert!(tools.iter().any(|it| it.name == "fs") && tools.len() > 8, "{}", tools.len());
            assert_eq!(health(&server.url, "sessions").await, u64::from(eras == Eras::OnlyOlder));
            let read = done(stage.call("fs", reading()).await);
            assert!(!read.is_error && read.raw.contains("Welcome"), "{read:?}");
            assert!(done(stage.call("fs", json!({ "action": "read" })).await).is_error);
            let Outcome::Failed(unknown) = stage.call("notebok", json!({})).await else { panic!("{eras:?}") };
            assert!(matches!(&unknown.why, Failure::Rpc(error) if error.code == -32_602), "{unknown}");
            let page = stage.connection.read("siyuan://help/tool-overview").await.unwrap();
            assert!(page.pieces[0].as_text().contains("notebook"));
            let templates = stage.connection.with_offer(|it| it.templates.clone());
            let doc = templates.iter().find(|it| it.uri_template.starts_with("siyuan://doc/")).unwrap();
            assert!(template::variables(&doc.uri_template).unwrap().contains(&"id".to_owned()));
            let action = templates.iter().find(|it| it.uri_template.contains("{tool}")).unwrap();
            let whose = Whose::Template(&action.uri_template);
            let found = stage.connection.complete(whose, "tool", "note", &[]).await.unwrap();
            assert_eq!(found.values, ["notebook"]);
            assert!(stage.connection.check().await.is_ok());
            stage.pool.close().await;
            assert_eq!(stage.connection.state(), State::Closed);
            assert_eq!(health(&server.url, "sessions").await, 0, "{eras:?}");
        }
    };
    local(Box::pin(test)).await;
}

/// B-203: a dead port and a wrong token end in different phases; with the right token it connects.
#[tokio::test(flavor = "multi_thread")]
async fn panel_client_tells_a_wrong_token_from_a_dead_port() {
    let world = World::new().await;
    let server = Server::start(&world, 0, Some("right-token-0123456789"));
    let dead = format!("http://127.0.0.1:{}/mcp", free_port());
    let test = async {
        for eras in [Eras::Both, Eras::OnlyOlder, Eras::OnlyNewer] {
            for (url, token, phase, kind) in [
                (&dead, "right-token-0123456789", Phase::Creating, "unreachable"),
                (&server.url, "wrong", Phase::Initialising, "unauthorized"),
            ] {
                let stage = Stage::new(url, eras, Some(token));
                stage.connection.run().await;
                let State::Failed { in_phase, why } = stage.connection.state() else { panic!("{eras:?}") };
                assert_eq!((in_phase, why.kind()), (phase, kind), "{eras:?}");
                assert!(!format!("{:?}", stage.connection.shown()).contains(token));
            }
            let stage = Stage::new(&server.url, eras, Some("right-token-0123456789"));
            stage.run();
            stage.reaches(State::Connected).await;
            stage.pool.close().await;
        }
    };
    local(Box::pin(test)).await;
}

/// B-207: a stopped call ends on the server too, and progress is reported meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn panel_client_stops_a_call() {
    let world = World::new().await;
    let server = Server::start(&world, 0, None);
    let test = async {
        for eras in ERAS {
            let stage = Stage::connected(&server.url, eras).await;
            slow(&world, 600_000);
            let (stop, stopping) = Stop::new();
            let (sender, mut progress) = mpsc::unbounded_channel();
            let tell = Rc::new(move |it| drop(sender.send(it)));
            let calling = stage.connection.clone();
            let call =
                spawn_local(async move { calling.call("fs", object(reading()), stopping, tell).await });
            let answer = tokio::time::timeout(Duration::from_secs(20), progress.recv()).await;
            assert!(answer.unwrap().is_some());
            assert_eq!(health(&server.url, "running_calls").await, 1);
            stop.stop();
            assert_eq!(call.await.unwrap(), Outcome::Stopped);
            until("the end of the call", async || {
                (health(&server.url, "running_calls").await == 0).then_some(())
            })
            .await;
            world.kernel.set_faults(Vec::new());
            assert!(!done(stage.call("fs", reading()).await).is_error);
            stage.pool.close().await;
        }
        assert_eq!(health(&server.url, "sessions").await, 0);
    };
    local(Box::pin(test)).await;
}

/// A connection cut during a call: the older era resumes the answer, the newer one says that the outcome is unknown.
#[tokio::test(flavor = "multi_thread")]
async fn panel_client_recovers_from_a_connection_cut_during_a_call() {
    let world = World::new().await;
    let server = Server::start(&world, 0, None);
    let test = async {
        for eras in ERAS {
            let wire = Wire::to(&server.url).await;
            let stage = Stage::connected(&wire.url, eras).await;
            world.kernel.clear_log();
            slow(&world, 3_000);
            let (_stop, stopping) = Stop::new();
            let (sender, mut progress) = mpsc::unbounded_channel();
            let tell = Rc::new(move |it| drop(sender.send(it)));
            let calling = stage.connection.clone();
            let call =
                spawn_local(async move { calling.call("fs", object(reading()), stopping, tell).await });
            assert!(progress.recv().await.is_some());
            wire.cut();
            match (call.await.unwrap(), eras) {
                (Outcome::Done(read), Eras::OnlyOlder) => assert!(read.raw.contains("Welcome")),
                (Outcome::Failed(failure), Eras::OnlyNewer) => assert_eq!(failure.why, Failure::Broken),
                other => panic!("{other:?}"),
            }
            let reads = world.asked().iter().filter(|it| *it == READ).count();
            // The cut may stop a call of the newer era before it has asked the kernel.
            let fewest = usize::from(eras == Eras::OnlyOlder);
            assert!((fewest..=1).contains(&reads), "{eras:?}: the call was made {reads} times");
            world.kernel.set_faults(Vec::new());
            // A request may still be given one of the connections that were cut.
            let read = until("a call that is answered", async || match stage.call("fs", reading()).await {
                Outcome::Done(read) => Some(read),
                _ => None,
            });
            assert!(!read.await.is_error);
            stage.reaches(State::Connected).await;
            stage.pool.close().await;
            assert_eq!(health(&server.url, "sessions").await, 0, "{eras:?}");
        }
    };
    local(Box::pin(test)).await;
}

/// B-208, B-209: a server that restarts between two calls, at once or after a while.
#[tokio::test(flavor = "multi_thread")]
async fn panel_client_survives_a_restart_of_the_server() {
    let world = World::new().await;
    let test = async {
        for eras in ERAS {
            let port = free_port();
            let server = Server::start(&world, port, None);
            let stage = Stage::connected(&server.url, eras).await;
            let before = text(&done(stage.call("fs", reading()).await));
            server.kill();
            let server = Server::start(&world, port, None);
            // The client may notice the loss first, and then it has to come back first.
            let again = until("an answer", async || match stage.call("fs", reading()).await {
                Outcome::Done(called) => Some(text(&called)),
                _ => None,
            });
            assert_eq!(again.await, before);
            stage.reaches(State::Connected).await;
            server.kill();
            until("the loss", async || {
                matches!(stage.connection.state(), State::Retrying { .. }).then_some(())
            })
            .await;
            let server = Server::start(&world, port, None);
            stage.reaches(State::Connected).await;
            assert_eq!(text(&done(stage.call("fs", reading()).await)), before);
            stage.pool.close().await;
            assert_eq!(health(&server.url, "sessions").await, 0, "{eras:?}");
        }
    };
    local(Box::pin(test)).await;
}

/// B-210: a switched-off tool leaves the index, and a changed document its cache.
#[tokio::test(flavor = "multi_thread")]
async fn panel_client_hears_of_changes() {
    for eras in ERAS {
        let world = World::new().await;
        let uri = format!("siyuan://doc/{}", doc(&world, "Garden", "/Plants/Mint").await);
        let server = Server::start(&world, 0, None);
        let test = async {
            let mut stage = Stage::connected(&server.url, eras).await;
            stage.connection.subscribe(&uri).await.unwrap();
            let first = stage.connection.read(&uri).await.unwrap();
            assert!(Rc::ptr_eq(&first, &stage.connection.read(&uri).await.unwrap()), "it is kept");
            // Changes count from the server's first look on.
            let looked = async || world.asked().iter().any(|it| it.ends_with("query/sql")).then_some(());
            until("the first look", looked).await;
            while stage.changes.try_recv().is_ok() {}
            world.set_switches(&json!({ "tag": { "enabled": false } })).await;
            stage.hears(Change::List(List::Tools)).await;
            assert!(!stage.pool.index().iter().any(|it| it.tool == "tag"));
            let id = uri.trim_start_matches("siyuan://doc/");
            let block = json!({ "dataType": "markdown", "data": "fresh words", "parentID": id });
            world.raw("/api/block/appendBlock", block).await;
            world.raw("/api/sqlite/flushTransaction", json!({})).await;
            stage.hears(Change::Resource(uri.clone())).await;
            let second = stage.connection.read(&uri).await.unwrap();
            assert!(second.pieces[0].as_text().contains("fresh words"), "{eras:?}");
            stage.pool.close().await;
            assert_eq!(health(&server.url, "sessions").await, 0, "{eras:?}");
        };
        local(Box::pin(test)).await;
    }
}
