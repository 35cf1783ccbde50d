//! Connecting, losing a connection, and making it again (B-202, B-203, B-208, B-209).

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::failure::Failure;
use crate::limits::{Limit, Limits};
use crate::phase::{Phase, State};
use crate::revision::{Era, Eras, Revision};
use crate::testing::{Fake, Stage, connected, lost, phases, simulate, until};

const WHOLE: [Phase; 6] =
    [Phase::Creating, Phase::Ready, Phase::Initialising, Phase::Exchanged, Phase::Listing, Phase::Connected];

/// B-202, B-203: the phases in their order with rising times; era, version, capabilities, instructions and latency.
#[test]
fn a_connection_goes_through_its_phases_in_both_eras() {
    simulate(async {
        for eras in [Eras::OnlyOlder, Eras::OnlyNewer] {
            let fake = Fake::new(eras);
            let stage = Stage::with(&[&fake], eras);
            let connection = stage.first();
            assert_eq!(connection.state(), State::Idle);
            stage.run(1);
            until("connecting", || connection.state() == State::Connecting).await;
            until("connected", || connection.state() == State::Connected).await;
            let shown = connection.shown();
            assert_eq!(phases(&shown), WHOLE, "{eras:?}");
            assert!(
                shown.steps.is_sorted_by_key(|it| it.at_ms) && shown.steps[0].at_ms < shown.steps[5].at_ms
            );
            let greeting = shown.greeting.unwrap();
            assert_eq!((greeting.server.as_str(), greeting.version.as_str()), ("fake", "1"));
            assert_eq!(greeting.instructions.as_deref(), Some("Be kind."));
            assert_eq!(greeting.capabilities["tools"]["listChanged"], true);
            assert_eq!(greeting.revision.era() == Era::Newer, eras == Eras::OnlyNewer);
            assert_eq!(shown.latency_ms, Some(5));
            let sessions = usize::from(eras == Eras::OnlyOlder);
            assert_eq!(fake.sessions(), sessions);
        }
    });
}

/// The newer era is asked for first, and a server that does not know it is greeted as before.
#[test]
fn an_older_server_is_greeted_after_the_question_for_the_newer_era() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyOlder).await;
        assert_eq!(connection.shown().greeting.unwrap().revision, Revision::November2025);
        drop(fake);
        let fake = Fake::new(Eras::Both);
        let stage = Stage::new(&[&fake]);
        stage.run(1);
        until("connected", || stage.first().state() == State::Connected).await;
        assert_eq!(fake.methods()[0], "server/discover");
        assert_eq!(stage.first().shown().greeting.unwrap().revision, Revision::July2026);
        assert!(fake.sessions() == 0);
    });
}

/// B-203: a wrong port and a wrong token end in different phases, and neither is tried again by itself.
#[test]
fn a_dead_port_and_a_wrong_token_fail_in_different_phases() {
    simulate(async {
        for (away, status, in_phase, kind) in [
            (true, None, Phase::Creating, "unreachable"),
            (false, Some(401), Phase::Initialising, "unauthorized"),
            (false, Some(403), Phase::Initialising, "forbidden"),
            (false, Some(503), Phase::Initialising, "http"),
            (false, Some(302), Phase::Initialising, "redirected"),
        ] {
            let fake = Fake::new(Eras::Both);
            fake.now().is_away = away;
            fake.now().refuses = status;
            let stage = Stage::new(&[&fake]);
            stage.first().run().await;
            let State::Failed { in_phase: reached, why } = stage.first().state() else {
                panic!("{status:?}")
            };
            assert_eq!((reached, why.kind()), (in_phase, kind));
            let last = stage.first().shown().steps.pop().unwrap();
            assert_eq!((last.phase, last.why), (Phase::Failed, Some(why)));
            assert_eq!(fake.seen().len(), 1, "{status:?}");
            // The Retry button.
            fake.now().is_away = false;
            fake.now().refuses = None;
            stage.run(1);
            until("connected", || stage.first().state() == State::Connected).await;
        }
    });
}

/// B-207: connecting has a limit, of 10 s unless a person sets another.
#[test]
fn a_server_that_never_answers_is_given_up_after_the_limit() {
    simulate(async {
        let fake = Fake::new(Eras::Both);
        fake.now().latency_ms = 3_600_000;
        let stage = Stage::new(&[&fake]);
        stage.first().run().await;
        assert!(matches!(stage.first().state(), State::Failed { why: Failure::TimedOut(10_000), .. }));
        assert_eq!(stage.first().shown().steps.last().unwrap().at_ms, 10_000);
        stage.limits.set(Limits::default().with(Limit::Connect, "25").unwrap());
        stage.first().run().await;
        assert!(matches!(stage.first().state(), State::Failed { why: Failure::TimedOut(25_000), .. }));
    });
}

/// B-208: 1, 2, 4, 8, 16, 30, 30 ... s between the attempts, ten of them, then an error with its reason.
#[test]
fn a_lost_connection_is_tried_again_with_growing_waits_and_an_end() {
    simulate(async {
        for eras in [Eras::OnlyOlder, Eras::OnlyNewer] {
            let (fake, stage, connection) = connected(eras).await;
            fake.now().is_away = true;
            fake.cut();
            until("the first wait", || matches!(connection.state(), State::Retrying { tries: 1, .. })).await;
            let State::Retrying { next_ms, .. } = connection.state() else { panic!() };
            until("the end", || matches!(connection.state(), State::Failed { .. })).await;
            let times: Vec<u64> =
                fake.seen().iter().filter(|it| it.method() != "DELETE").map(|it| it.at_ms).collect();
            let waits: Vec<u64> = times.windows(2).map(|it| it[1] - it[0]).collect();
            assert_eq!(waits[..7], [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000], "{eras:?}");
            assert_eq!(waits.len(), 10, "{eras:?}");
            assert_eq!(next_ms, times[1]);
            assert!(matches!(
                connection.state(),
                State::Failed { in_phase: Phase::Creating, why: Failure::Unreachable(_) }
            ));
            // Nothing more is tried until somebody asks.
            sleep(Duration::from_secs(600)).await;
            let requests = fake.seen().len();
            assert!(requests <= 12, "{requests}");
            fake.now().is_away = false;
            stage.run(1);
            until("the return", || connection.state() == State::Connected).await;
        }
    });
}

/// B-208: each try has 15 s.
#[test]
fn an_attempt_to_reconnect_has_fifteen_seconds() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyNewer).await;
        lost(&fake, &connection).await;
        fake.now().is_away = false;
        fake.now().latency_ms = 3_600_000;
        until("the second try", || matches!(connection.state(), State::Retrying { tries: 2, .. })).await;
        let steps = connection.shown().steps;
        let last = |phase| steps.iter().rev().find(|it| it.phase == phase).unwrap();
        assert_eq!(last(Phase::Disconnected).at_ms - last(Phase::Creating).at_ms, 15_000);
        assert_eq!(last(Phase::Disconnected).why, Some(Failure::TimedOut(15_000)));
    });
}

/// B-208: a connection that comes back is whole again, and a session that outlived it is used again.
#[test]
fn a_connection_that_comes_back_keeps_its_session_and_fetches_its_lists() {
    simulate(async {
        for eras in [Eras::OnlyOlder, Eras::OnlyNewer] {
            let (fake, _stage, connection) = connected(eras).await;
            lost(&fake, &connection).await;
            fake.now().tools.push("new".to_owned());
            fake.now().is_away = false;
            until("the return", || connection.state() == State::Connected).await;
            assert_eq!(connection.with_offer(|it| it.tools.len()), 3);
            assert_eq!(fake.count("initialize"), 0, "{eras:?}");
            assert_eq!(fake.sessions(), usize::from(eras == Eras::OnlyOlder));
            let shown = phases(&connection.shown());
            assert_eq!(shown.iter().filter(|it| **it == Phase::Disconnected).count(), 1);
        }
    });
}

/// A server that refuses the token after its restart is not asked ten times.
#[test]
fn a_refusal_ends_the_attempts() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyNewer).await;
        lost(&fake, &connection).await;
        fake.now().is_away = false;
        fake.now().refuses = Some(401);
        until("the end", || matches!(connection.state(), State::Failed { .. })).await;
        assert_eq!(fake.count("server/discover"), 1);
    });
}

/// B-208: a server that accepts and hangs up at once comes to its end too.
#[test]
fn a_connection_that_never_lasts_is_given_up() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyNewer).await;
        let flapping = fake.clone();
        let loses = tokio::task::spawn_local(async move {
            loop {
                flapping.now().is_away = true;
                flapping.cut();
                sleep(Duration::from_millis(100)).await;
                flapping.now().is_away = false;
                sleep(Duration::from_millis(900)).await;
            }
        });
        until("the end", || matches!(connection.state(), State::Failed { .. })).await;
        loses.abort();
    });
}

/// A stream that the server closes now and then is opened again, where it ended, and nothing is lost.
#[test]
fn a_stream_that_ends_is_opened_again_where_it_ended() {
    simulate(async {
        let (fake, stage, connection) = connected(Eras::OnlyOlder).await;
        fake.say("notifications/message", &json!({ "data": 1 }));
        until("the message", || {
            stage.changes.borrow().iter().any(|it| matches!(&it.1, crate::connection::Change::Log(_)))
        })
        .await;
        fake.cut();
        until("another stream", || fake.open_streams() == 1).await;
        let seen = fake.seen();
        let again = seen.iter().find(|it| it.method() == "GET").unwrap();
        assert_eq!(again.request.header("last-event-id"), Some("9"));
        assert_eq!((connection.state(), fake.count("initialize")), (State::Connected, 0));
    });
}

/// A server without a stream stays connected, and its loss is noticed by the next call.
#[test]
fn a_server_without_a_stream_is_missed_by_the_next_call() {
    simulate(async {
        for (eras, status) in
            [(Eras::OnlyOlder, 405), (Eras::OnlyOlder, 501), (Eras::OnlyOlder, 429), (Eras::OnlyNewer, 0)]
        {
            let fake = Fake::new(eras);
            fake.now().mute = Some(status);
            fake.now().capabilities = json!({ "tools": {} });
            let stage = Stage::new(&[&fake]);
            let connection = stage.first();
            stage.run(1);
            until("connected", || connection.state() == State::Connected).await;
            sleep(Duration::from_secs(3_600)).await;
            assert_eq!(connection.state(), State::Connected, "{eras:?} {status}");
            assert!(fake.count("GET") < 200, "it asks too often");
            fake.now().is_away = true;
            assert!(connection.prompt("plan", &[]).await.is_err());
            until("the loss", || matches!(connection.state(), State::Retrying { .. })).await;
            fake.now().is_away = false;
            until("the return", || connection.state() == State::Connected).await;
        }
    });
}

/// B-202: a health check tells the latency and does not disturb.
#[test]
fn a_health_check_measures_the_latency() {
    simulate(async {
        for eras in [Eras::OnlyOlder, Eras::OnlyNewer] {
            let (fake, _stage, connection) = connected(eras).await;
            fake.now().latency_ms = 42;
            assert_eq!(connection.check().await, Ok(42));
            assert_eq!(connection.shown().latency_ms, Some(42));
            let expected = if eras == Eras::OnlyOlder { "ping" } else { "server/discover" };
            assert_eq!(fake.methods(), [expected]);
        }
    });
}
