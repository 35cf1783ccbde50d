//! Messages during a call, through the relay and over a connection that breaks (B-010, B-031, B-135, B-189).

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::{ERAS, Server, relayed};
use crate::client::Era;
use crate::lifecycle::listen;
use crate::resources::doc;
use crate::world::{World, until};
use demo_kernel::{Fault, FaultKind};

const READ: &str = "/api/block/getChildBlocks";

/// A connection to a server that can be cut while the server lives.
pub(crate) struct Wire {
    pub(crate) url: String,
    cut: watch::Sender<()>,
}

impl Wire {
    pub(crate) async fn to(server: &str) -> Wire {
        let behind = server.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (cut, cuts) = watch::channel(());
        tokio::spawn(async move {
            while let Ok((mut outer, _)) = listener.accept().await {
                let (mut cuts, behind) = (cuts.clone(), behind.clone());
                cuts.mark_unchanged();
                tokio::spawn(async move {
                    let mut inner = TcpStream::connect(&behind).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut outer, &mut inner) => {}
                        _ = cuts.changed() => {}
                    }
                });
            }
        });
        Wire { url, cut }
    }

    pub(crate) fn cut(&self) {
        self.cut.send(()).unwrap();
    }
}

fn slow(world: &World, ms: u64) {
    let path = READ.to_owned();
    world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Delay, ms: Some(ms), times: None }]);
}

/// A call that reads one document and asks for progress.
fn reading() -> Value {
    let read = json!({ "action": "read", "path": "/Garden/Welcome" });
    json!({ "name": "fs", "arguments": read, "_meta": { "progressToken": "p1" } })
}

#[tokio::test(flavor = "multi_thread")]
async fn relay_passes_progress() {
    let world = World::new().await;
    let server = Server::start(&world, 0, None);
    for era in ERAS {
        let mut client = relayed(era, &server.url, json!({})).await;
        slow(&world, 2_500);
        let id = client.request("tools/call", reading()).await;
        let sign = client.hear("notifications/progress").await;
        assert_eq!(sign["params"]["progressToken"], "p1", "{era:?}");
        assert!(client.answer(id).await.unwrap().to_string().contains("Welcome"), "{era:?}");
        world.kernel.set_faults(Vec::new());
    }
}

/// In the older era the answer arrives over the resumed stream, and the call ran once. In the newer one the outcome is
/// unknown, and the client gets an error that says so.
#[tokio::test(flavor = "multi_thread")]
async fn relay_recovers_from_a_broken_connection_during_a_call() {
    for era in ERAS {
        let world = World::new().await;
        let server = Server::start(&world, 0, None);
        let wire = Wire::to(&server.url).await;
        let mut client = relayed(era, &wire.url, json!({})).await;
        slow(&world, 3_000);
        let id = client.request("tools/call", reading()).await;
        client.hear("notifications/progress").await;
        wire.cut();
        let answer = client.answer(id).await;
        match era {
            Era::Old => {
                assert!(answer.unwrap().to_string().contains("Welcome"));
                let read = world.asked().iter().filter(|it| *it == READ).count();
                assert_eq!(read, 1, "the call was repeated");
            }
            Era::New => assert!(answer.unwrap_err().to_string().contains("unknown whether it was done")),
        }
        world.kernel.set_faults(Vec::new());
        let next = client.ask("tools/call", reading()).await.unwrap();
        assert!(next.to_string().contains("Welcome"), "{era:?} {next}");
        let again = client.heard.iter().filter(|it| it["id"] == id && it["method"].is_null());
        assert_eq!(again.count(), 0, "{era:?}: answered twice");
    }
}

/// B-116: a listener still receives changes after its connection broke.
#[tokio::test(flavor = "multi_thread")]
async fn relay_passes_changes_after_a_broken_connection() {
    for era in ERAS {
        let world = World::new().await;
        let mint = doc(&world, "Garden", "/Plants/Mint").await;
        let uri = format!("siyuan://doc/{mint}");
        let server = Server::start(&world, 0, None);
        let wire = Wire::to(&server.url).await;
        let mut client = relayed(era, &wire.url, json!({})).await;
        listen(&mut client, &uri).await;
        // Later polls are compared with the first one.
        let looked = async || world.asked().iter().any(|it| it.ends_with("query/sql")).then_some(());
        until("the first look", looked).await;
        world.set_switches(&json!({ "tag": { "enabled": false } })).await;
        client.hear("notifications/tools/list_changed").await;
        wire.cut();
        if era == Era::New {
            // The subscription is opened again, which the server acknowledges.
            client.hear("notifications/subscriptions/acknowledged").await;
        }
        // A change before the first poll of a new subscription is not announced, so the test makes further changes. No
        // logged request distinguishes that poll from one for the listener that was cut off.
        let notification = until("the change", async || {
            let block = json!({ "dataType": "markdown", "data": "fresh", "parentID": mint });
            world.raw("/api/block/appendBlock", block).await;
            world.raw("/api/sqlite/flushTransaction", json!({})).await;
            client.hear_soon("notifications/resources/updated", Duration::from_secs(3)).await
        });
        assert_eq!(notification.await["params"]["uri"], uri, "{era:?}");
    }
}
