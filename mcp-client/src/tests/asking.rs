//! Calls, lists, prompts, resources and notifications (B-204, B-206, B-207, B-209 to B-211).

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep};

use crate::connection::{Change, Connection, Outcome, Stop, ToolAnswer, Whose};
use crate::content::Piece;
use crate::failure::Failure;
use crate::limits::{Limit, Limits};
use crate::offer::List;
use crate::phase::State;
use crate::revision::Eras;
use crate::testing::{Fake, Stage, connected, simulate, until};

const ERAS: [Eras; 2] = [Eras::OnlyOlder, Eras::OnlyNewer];

async fn call(connection: &Connection, tool: &str) -> Outcome {
    let (_stop, stopping) = Stop::new();
    let arguments: Map<String, Value> =
        [("z".to_owned(), json!(1)), ("a".to_owned(), json!("ü"))].into_iter().collect();
    connection.call(tool, arguments, stopping, Rc::new(|_| {})).await
}

fn done(outcome: Outcome) -> ToolAnswer {
    match outcome {
        Outcome::Done(called) => called,
        other => panic!("{other:?}"),
    }
}

/// B-204: three pages, in both eras, and only what the server has.
#[test]
fn lists_are_fetched_to_the_last_page() {
    simulate(async {
        for eras in ERAS {
            let fake = Fake::new(eras);
            fake.now().page = 3;
            fake.now().tools = (0..8).map(|n| format!("t{n}")).collect();
            fake.now().capabilities = json!({ "tools": {}, "resources": {} });
            let stage = Stage::new(&[&fake]);
            stage.run(1);
            until("connected", || stage.first().state() == State::Connected).await;
            let names: Vec<String> =
                stage.first().with_offer(|it| it.tools.iter().map(|it| it.name.clone()).collect());
            assert_eq!(names, (0..8).map(|n| format!("t{n}")).collect::<Vec<_>>());
            assert_eq!((fake.count("tools/list"), fake.count("prompts/list")), (3, 0));
            // The fake has no templates, though it has the capability.
            assert_eq!(fake.count("resources/templates/list"), 1);
            assert_eq!(stage.first().with_offer(|it| (it.resources.len(), it.templates.len())), (1, 0));
        }
    });
}

/// B-206, B-207: the arguments arrive as they are, the answer comes back as it is, with its time.
#[test]
fn a_call_is_answered() {
    simulate(async {
        for eras in ERAS {
            let (fake, _stage, connection) = connected(eras).await;
            let called = done(call(&connection, "echo").await);
            assert_eq!(called.pieces, [Piece::Text(r#"{"z":1,"a":"ü"}"#.into())]);
            assert!(!called.is_error && called.took_ms == 5, "{called:?}");
            assert!(called.raw.starts_with(r#"{"jsonrpc":"2.0","id":"#));
            let seen = fake.seen();
            assert_eq!(seen[0].request.header("authorization"), Some("Bearer secret"));
            assert_eq!(seen[0].request.header("mcp-name"), (eras == Eras::OnlyNewer).then_some("echo"));
            assert_eq!(seen[0].request.header("mcp-session-id").is_some(), eras == Eras::OnlyOlder);
            let failed = done(call(&connection, "fails").await);
            assert!(failed.is_error && failed.pieces == [Piece::Text("no".into())]);
        }
    });
}

/// B-207: stopped is not failed; the server hears of it in the way of the era, and the connection goes on.
#[test]
fn a_call_can_be_stopped() {
    simulate(async {
        for eras in ERAS {
            let (fake, _stage, connection) = connected(eras).await;
            let (stop, stopping) = Stop::new();
            let calling = connection.clone();
            let call_of =
                spawn_local(
                    async move { calling.call("never", Map::new(), stopping, Rc::new(|_| {})).await },
                );
            sleep(Duration::from_secs(1)).await;
            stop.stop();
            assert_eq!(call_of.await.unwrap(), Outcome::Stopped);
            let seen = fake.seen();
            let cancelled: Vec<_> =
                seen.iter().filter(|it| it.method() == "notifications/cancelled").collect();
            match eras {
                Eras::OnlyOlder => {
                    assert_eq!(cancelled[0].message["params"]["requestId"], seen[0].message["id"]);
                }
                _ => assert!(cancelled.is_empty(), "the closed stream is the cancellation"),
            }
            stop.stop();
            assert_eq!(connection.state(), State::Connected);
            done(call(&connection, "echo").await);
        }
    });
}

/// B-207: a call has a limit, of 300 s unless a person sets another; a failure names tool, server and kind.
#[test]
fn a_call_without_an_answer_fails_by_name_after_its_limit() {
    simulate(async {
        for eras in ERAS {
            let (fake, stage, connection) = connected(eras).await;
            stage.limits.set(Limits::default().with(Limit::Call, "7").unwrap());
            let Outcome::Failed(failure) = call(&connection, "never").await else { panic!() };
            assert_eq!(failure.why, Failure::TimedOut(7_000));
            stage.limits.set(Limits::default());
            let began = Instant::now();
            let Outcome::Failed(failure) = call(&connection, "never").await else { panic!() };
            assert_eq!(began.elapsed().as_secs(), 300);
            assert_eq!(failure.why, Failure::TimedOut(300_000));
            let text = failure.to_string();
            assert!(["never", "server 0", "timed_out"].iter().all(|it| text.contains(it)), "{text}");
            assert_eq!(fake.count("notifications/cancelled"), 2 * usize::from(eras == Eras::OnlyOlder));
            for (tool, kind) in [("input", "needs_input"), ("html", "unreadable")] {
                let Outcome::Failed(failure) = call(&connection, tool).await else { panic!("{tool}") };
                assert_eq!(failure.why.kind(), kind);
            }
        }
    });
}

/// A stream that breaks during a call is resumed where it broke in the older era; in the newer one the outcome is
/// unknown, and nothing is repeated.
#[test]
fn a_stream_that_breaks_during_a_call_is_resumed_or_told() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyOlder).await;
        let called = done(call(&connection, "cut").await);
        assert_eq!(called.pieces, [Piece::Text("resumed".into())]);
        assert_eq!(called.took_ms, 5 + 200 + 5, "the wait that the server asked for");
        assert_eq!(fake.count("tools/call"), 1);
        assert!(
            matches!(call(&connection, "cut for ever").await, Outcome::Failed(it) if it.why == Failure::Broken)
        );
        let (fake, _stage, connection) = connected(Eras::OnlyNewer).await;
        let Outcome::Failed(failure) = call(&connection, "cut").await else { panic!() };
        assert!(failure.why == Failure::Broken && failure.to_string().contains("unknown whether"));
        assert_eq!(fake.count("tools/call"), 1);
        sleep(Duration::from_secs(60)).await;
        assert_eq!(connection.state(), State::Connected, "the server itself is there");
    });
}

/// Progress, notifications and questions on the stream of a call are all heard.
#[test]
fn a_stream_of_an_answer_carries_more_than_the_answer() {
    simulate(async {
        for eras in ERAS {
            let (fake, stage, connection) = connected(eras).await;
            stage.changes.borrow_mut().clear();
            let heard: Rc<RefCell<Vec<_>>> = Rc::default();
            let (hear, (_stop, stopping)) = (heard.clone(), Stop::new());
            let tell = Rc::new(move |progress| hear.borrow_mut().push(progress));
            done(connection.call("progress", Map::new(), stopping, tell).await);
            assert_eq!(
                (heard.borrow().len(), heard.borrow()[0].done, heard.borrow()[0].total),
                (1, 1.0, Some(4.0))
            );
            until("the list", || stage.changes.borrow().contains(&(0, Change::List(List::Tools)))).await;
            let seen = fake.seen();
            let replies =
                seen.iter().filter(|it| it.message["id"] == "q" && it.message["result"] == json!({}));
            assert_eq!(replies.count(), usize::from(eras == Eras::OnlyOlder));
        }
    });
}

/// B-209: after a restart the session is begun anew and the call repeated once; the lists are fetched again.
#[test]
fn a_lost_session_is_begun_anew_and_the_call_repeated_once() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyOlder).await;
        connection.subscribe("x://a").await.unwrap();
        fake.now().sessions.clear();
        fake.now().tools.push("new".to_owned());
        fake.methods();
        done(call(&connection, "echo").await);
        let methods: Vec<String> = fake.methods().into_iter().take(5).collect();
        let expected =
            ["tools/call", "server/discover", "initialize", "notifications/initialized", "tools/call"];
        assert_eq!(methods, expected);
        until("the lists", || connection.with_offer(|it| it.tools.len()) == 3).await;
        until("the subscription", || fake.count("resources/subscribe") == 1).await;
        assert_eq!((fake.sessions(), connection.state()), (1, State::Connected));
        // Two calls at once make one session.
        fake.now().sessions.clear();
        let (one, two) = futures_util::join!(call(&connection, "echo"), call(&connection, "search"));
        done(one);
        done(two);
        assert_eq!(fake.sessions(), 1);
    });
}

/// B-209: a restart between two calls breaks the streams too. Some servers refuse a session that they lost with 400.
#[test]
fn a_restart_between_two_calls_goes_unnoticed() {
    simulate(async {
        for (eras, status) in [(Eras::OnlyOlder, 404), (Eras::OnlyOlder, 400), (Eras::OnlyNewer, 404)] {
            let (fake, stage, connection) = connected(eras).await;
            fake.now().forgotten = status;
            done(call(&connection, "echo").await);
            fake.restart();
            done(call(&connection, "echo").await);
            until("the stream", || fake.open_streams() == 1).await;
            stage.pool.close().await;
            assert_eq!(fake.sessions(), 0, "{eras:?}");
        }
    });
}

/// B-210: a changed list is fetched again and rebuilds the index.
#[test]
fn a_changed_list_rebuilds_the_index() {
    simulate(async {
        for eras in ERAS {
            let (fake, stage, _connection) = connected(eras).await;
            let names = || stage.pool.index().into_iter().map(|it| it.name).collect::<Vec<_>>();
            assert_eq!(names(), ["echo", "search"]);
            fake.now().tools = vec!["other".to_owned()];
            fake.say("notifications/tools/list_changed", &json!({}));
            until("the index", || names() == ["other"]).await;
            assert_eq!(fake.methods(), ["tools/list"]);
            fake.say("notifications/resources/list_changed", &json!({}));
            until("both lists", || fake.seen().len() == 2).await;
            assert_eq!(fake.methods(), ["resources/list", "resources/templates/list"]);
        }
    });
}

/// B-210: a resource is read once, until the server says that it changed.
#[test]
fn an_updated_resource_is_read_again() {
    simulate(async {
        for eras in ERAS {
            let (fake, stage, connection) = connected(eras).await;
            connection.subscribe("x://a").await.unwrap();
            until("the stream", || fake.open_streams() == 1 && !fake.seen().is_empty()).await;
            let text = async || connection.read("x://a").await.unwrap().pieces[0].as_text();
            assert_eq!((text().await, text().await), ("one".to_owned(), "one".to_owned()));
            assert_eq!(fake.count("resources/read"), 1);
            fake.now().text = "two".to_owned();
            fake.say("notifications/resources/updated", &json!({ "uri": "x://a" }));
            until("the news", || stage.changes.borrow().contains(&(0, Change::Resource("x://a".into()))))
                .await;
            assert_eq!(text().await, "two");
            let seen = fake.seen();
            let wanted = seen.iter().rev().find(|it| it.method() == "subscriptions/listen");
            match eras {
                Eras::OnlyOlder => assert_eq!(fake.count("resources/subscribe"), 1),
                _ => assert_eq!(
                    wanted.unwrap().message["params"]["notifications"]["resourceSubscriptions"],
                    json!(["x://a"])
                ),
            }
            connection.unsubscribe("x://a").await.unwrap();
            connection.unsubscribe("x://a").await.unwrap();
        }
    });
}

/// A resource that nobody tells of is kept for a moment only.
#[test]
fn a_resource_without_a_term_or_a_subscription_is_kept_for_a_moment() {
    simulate(async {
        let (fake, _stage, connection) = connected(Eras::OnlyOlder).await;
        connection.read("x://a").await.unwrap();
        connection.read("x://a").await.unwrap();
        assert_eq!(fake.count("resources/read"), 1);
        sleep(Duration::from_secs(11)).await;
        connection.read("x://a").await.unwrap();
        assert_eq!(fake.count("resources/read"), 2);
    });
}

/// B-211: a prompt is filled, and its argument completed with the others as context.
#[test]
fn a_prompt_is_filled_and_its_arguments_completed() {
    simulate(async {
        for eras in ERAS {
            let (fake, _stage, connection) = connected(eras).await;
            let form = connection.with_offer(|it| it.prompts[0].arguments.clone());
            assert_eq!((form[0].name.as_str(), form[0].required), ("topic", true));
            let filled = connection.prompt("plan", &[("topic".into(), "mint".into())]).await.unwrap();
            assert_eq!(filled.messages[0].role, "user");
            assert_eq!(filled.messages[0].pieces, [Piece::Text("mint".into())]);
            let others = [("other".to_owned(), "x".to_owned())];
            let found = connection.complete(Whose::Prompt("plan"), "topic", "mi", &others).await.unwrap();
            assert_eq!((found.values, found.has_more), (vec!["mi!".to_owned()], true));
            let seen = fake.seen();
            let asked = &seen.last().unwrap().message["params"];
            assert_eq!(asked["ref"], json!({ "type": "ref/prompt", "name": "plan" }));
            assert_eq!(asked["context"]["arguments"]["other"], "x");
        }
    });
}
