//! Leaving (B-214): running calls get their time, nothing reconnects, and no session stays on a server.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Map;
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep};

use crate::connection::{Connection, Outcome, Stop};
use crate::failure::Failure;
use crate::phase::{Phase, State};
use crate::revision::Eras;
use crate::testing::{Fake, Stage, connected, lost, simulate, until};

async fn call(connection: &Connection, tool: &str) -> Outcome {
    let (_stop, stopping) = Stop::new();
    connection.call(tool, Map::new(), stopping, Rc::new(|_| {})).await
}

/// B-214: each session is ended, and connections, index and resources are forgotten.
#[test]
fn leaving_ends_every_session_and_forgets_everything() {
    simulate(async {
        for eras in [Eras::OnlyOlder, Eras::OnlyNewer] {
            let (fake, stage, connection) = connected(eras).await;
            connection.read("x://a").await.unwrap();
            fake.methods();
            stage.pool.close().await;
            let ended: &[&str] = if eras == Eras::OnlyOlder { &["DELETE"] } else { &[] };
            assert_eq!(fake.methods(), ended);
            assert_eq!(fake.sessions(), 0);
            until("the end of the stream", || fake.open_streams() == 0).await;
            assert!(stage.pool.index().is_empty() && stage.pool.get(0).is_none());
            let shown = connection.shown();
            assert_eq!((shown.state, shown.greeting), (State::Closed, None));
            assert_eq!(shown.steps.last().unwrap().phase, Phase::Disconnected);
            assert_eq!(connection.read("x://a").await, Err(Failure::NotConnected));
            sleep(Duration::from_secs(600)).await;
            assert!(fake.methods().is_empty(), "it came back");
        }
    });
}

/// B-214: a call that ends in time is answered; one that does not is stopped after 5 s.
#[test]
fn leaving_waits_for_running_calls_for_five_seconds() {
    simulate(async {
        for (latency, tool, waited) in [(3_000, "echo", 3), (5, "never", 5)] {
            let (fake, stage, connection) = connected(Eras::OnlyOlder).await;
            let calling = connection.clone();
            fake.now().latency_ms = latency;
            let running = spawn_local(async move { call(&calling, tool).await });
            sleep(Duration::from_millis(1)).await;
            fake.now().latency_ms = 5;
            let began = Instant::now();
            let later = async {
                sleep(Duration::from_secs(1)).await;
                call(&connection, "echo").await
            };
            let ((), later) = futures_util::join!(stage.pool.close(), later);
            assert_eq!((began.elapsed().as_secs(), later), (waited, Outcome::Stopped));
            let ended = running.await.unwrap();
            assert_eq!(matches!(ended, Outcome::Done(_)), tool == "echo", "{ended:?}");
            assert!(fake.sessions() == 0);
        }
    });
}

/// B-214: a stream that breaks while the client leaves is not opened again, and a retry under way is given up.
#[test]
fn nothing_reconnects_while_leaving() {
    simulate(async {
        let (fake, stage, connection) = connected(Eras::OnlyOlder).await;
        let calling = connection.clone();
        spawn_local(async move { call(&calling, "never").await });
        sleep(Duration::from_millis(100)).await;
        fake.methods();
        let cutting = async {
            sleep(Duration::from_secs(1)).await;
            fake.now().is_away = true;
            fake.cut();
            sleep(Duration::from_secs(1)).await;
            fake.now().is_away = false;
        };
        futures_util::join!(stage.pool.close(), cutting);
        assert_eq!(fake.count("initialize") + fake.count("ping"), 0);
        assert!(fake.sessions() == 0);
        let (fake, stage, connection) = connected(Eras::OnlyOlder).await;
        lost(&fake, &connection).await;
        stage.pool.close().await;
        fake.methods();
        sleep(Duration::from_secs(600)).await;
        assert!(fake.methods().is_empty() && connection.state() == State::Closed);
    });
}

/// B-214: a session that is just being made is ended too.
#[test]
fn leaving_while_connecting_leaves_no_session() {
    simulate(async {
        let fake = Fake::new(Eras::OnlyOlder);
        fake.now().latency_ms = 400;
        let stage = Stage::new(&[&fake]);
        stage.run(1);
        until("the greeting", || fake.count("initialize") == 1).await;
        stage.pool.close().await;
        assert!(fake.sessions() == 0);
    });
}

/// A session whose connecting failed later is not left behind.
#[test]
fn a_failed_attempt_leaves_no_session() {
    simulate(async {
        let fake = Fake::new(Eras::OnlyOlder);
        let stage = Stage::new(&[&fake]);
        // The time is over just after the session was begun.
        fake.now().latency_ms = 4_900;
        let easing = fake.clone();
        spawn_local(async move {
            until("the next request", || easing.count("notifications/initialized") == 1).await;
            easing.now().latency_ms = 5;
        });
        stage.first().run().await;
        assert!(matches!(stage.first().state(), State::Failed { .. }));
        assert_eq!((fake.count("DELETE"), fake.sessions()), (1, 0));
    });
}

/// A connection that was closed can be made again.
#[test]
fn a_closed_connection_can_be_opened_again() {
    simulate(async {
        let (fake, stage, connection) = connected(Eras::OnlyOlder).await;
        connection.close(5_000).await;
        assert_eq!((connection.state(), fake.sessions()), (State::Closed, 0));
        stage.run(1);
        until("connected", || connection.state() == State::Connected).await;
        assert!(matches!(call(&connection, "echo").await, Outcome::Done(_)));
    });
}
