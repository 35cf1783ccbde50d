//! The end of a token: requests, sessions, streams and approved plans end with it, and those of others go on.

use std::time::{Duration, Instant};

use puppy_core::channel::{Choice, Ruling};
use serde_json::{Value, json};

use super::Kennel;
use crate::approval::{answer, question, ruled};
use crate::channel::Page;
use crate::client::{Era, http};
use crate::gate::removals;
use crate::security::door::{call, greeting, request};
use crate::world::until;

/// The time within which everything of a token ends, with room for a busy machine: a second is promised.
const SOON: Duration = Duration::from_secs(3);

/// A change stream without a session.
async fn listening(kennel: &Kennel, token: &str) -> reqwest::Response {
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    let listen = request(1, "subscriptions/listen", wanted).to_string();
    let open = http().post(&kennel.server.url).header("MCP-Protocol-Version", "2026-07-28");
    let open = open.header("Mcp-Method", "subscriptions/listen").header("Content-Type", "application/json");
    let open = open.header("Accept", "application/json, text/event-stream").bearer_auth(token);
    open.body(listen).send().await.unwrap()
}

/// The standing stream of a session.
async fn standing(kennel: &Kennel, token: &str, session: &str) -> reqwest::Response {
    let open = http().get(&kennel.server.url).header("Mcp-Session-Id", session).bearer_auth(token);
    open.header("Accept", "text/event-stream").send().await.unwrap()
}

async fn sessions(kennel: &Kennel) -> u64 {
    let url = kennel.server.url.replace("/mcp", "/health");
    let text = http().get(url).send().await.unwrap().text().await.unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["sessions"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_is_dead_within_a_second() {
    let kennel = Kennel::new().await;
    let (gone, stays) = (kennel.agent("Gone", &["--level", "rw"]), kennel.agent("Stays", &["--level", "rw"]));
    let (session, other) = (kennel.session(Some(&gone)).await, kennel.session(Some(&stays)).await);
    let streams = [standing(&kennel, &gone, &session).await, listening(&kennel, &gone).await];
    let mut others = [standing(&kennel, &stays, &other).await, listening(&kennel, &stays).await];
    assert!(streams.iter().chain(&others).all(|it| it.status() == 200));
    assert_eq!(sessions(&kennel).await, 2);
    kennel.agents(&["revoke", "Gone"]);
    let revoked = Instant::now();
    // New requests and those in the session are refused from now on.
    let list = call(2, "notebook", &json!({ "action": "list" }));
    assert_eq!(kennel.post(&[&gone], Some(&session), &list).await.0, 401);
    assert_eq!(kennel.post(&[&gone], None, &greeting(Era::Old)).await.0, 401);
    for stream in streams {
        let ended = tokio::time::timeout(Duration::from_secs(20), stream.bytes()).await;
        assert!(ended.is_ok(), "a stream goes on");
    }
    until("the session to end", async || (sessions(&kennel).await == 1).then_some(())).await;
    assert!(revoked.elapsed() < SOON, "{:?}", revoked.elapsed());
    // The other agent goes on.
    assert_eq!(kennel.post(&[&stays], Some(&other), &list).await.0, 200);
    for stream in &mut others {
        // The beginning of a stream may be waiting to be read.
        let end = tokio::time::timeout(Duration::from_millis(100), async {
            while stream.chunk().await.unwrap().is_some() {}
        });
        assert!(end.await.is_err(), "a stream of another agent ended");
    }
    // A session that is begun with a new token ends with it too, although nobody looked meanwhile.
    kennel.agents(&["revoke", "Stays"]);
    until("the last session to end", async || (sessions(&kennel).await == 0).then_some(())).await;
    let again = kennel.agents(&["token", "Gone"]);
    kennel.session(Some(&again)).await;
    kennel.agents(&["remove", "Gone"]);
    until("the new session to end", async || (sessions(&kennel).await == 0).then_some(())).await;
}

/// A person approves a plan of an agent whose token ended while the question waited, in each way: nothing runs, also where
/// the agent has a newer token, and the person sees that it failed.
#[tokio::test(flavor = "multi_thread")]
async fn an_approved_plan_does_not_run_after_the_end_of_its_token() {
    let kennel = Kennel::new().await;
    let page = Page::open(&kennel.world, true, 1).await;
    let garden = kennel.world.notebook("Garden").await;
    let ways: [(&str, &[&[&str]]); 5] = [
        ("none", &[]),
        ("revoked", &[&["revoke", "Tidy"]]),
        ("replaced", &[&["revoke", "Tidy"], &["token", "Tidy"]]),
        ("lowered", &[&["set", "Tidy", "--level", "rw"]]),
        ("removed", &[&["remove", "Tidy"]]),
    ];
    for (way, commands) in ways {
        let token = kennel.agent("Tidy", &["--level", "rwd"]);
        let body = json!({ "notebook": garden, "path": format!("/Old {way}"), "markdown": "text" });
        let doc = kennel.world.raw("/api/filetree/createDocWithMd", body).await.as_str().unwrap().to_owned();
        kennel.world.kernel.clear_log();
        let session = kennel.session(Some(&token)).await;
        let remove = call(3, "document", &json!({ "action": "remove", "ids": [doc] }));
        let asks = async { kennel.post(&[&token], Some(&session), &remove).await };
        let answers = async {
            let seen = question(&page).await;
            let agent = seen.it.agent.clone().unwrap();
            assert!(agent.name == "Tidy" && agent.is_proved, "{agent:?}");
            commands.iter().for_each(|words| _ = kennel.agents(words));
            answer(&page, &seen, Choice::Once);
            ruled(&page, &seen).await
        };
        let (_, ruling) = futures_util::join!(asks, answers);
        let due = if way == "none" { (1, Ruling::Done) } else { (0, Ruling::Failed) };
        assert_eq!((removals(&kennel.world), ruling), due, "{way}");
    }
}

/// An errand ends with the token of its agent, although a newer token is in force.
#[tokio::test(flavor = "multi_thread")]
async fn an_errand_ends_with_its_token() {
    let kennel = Kennel::new().await;
    let page = Page::open(&kennel.world, true, 1).await;
    let token = kennel.agent("Tidy", &["--level", "rwd"]);
    let session = kennel.session(Some(&token)).await;
    let begin = json!({ "action": "begin_errand", "purpose": "tidy", "notebooks": ["Garden"], "deletes": 2 });
    let begin = call(3, "system", &begin);
    let answers = async {
        let seen = question(&page).await;
        answer(&page, &seen, Choice::Once);
        ruled(&page, &seen).await
    };
    let (_, ruling) =
        futures_util::join!(async { kennel.post(&[&token], Some(&session), &begin).await }, answers);
    assert_eq!(ruling, Ruling::Done);
    let errand = page.until("the errand", |page| page.end.errands(page.now()).into_iter().next()).await;
    assert_eq!(errand.it.agent.map(|it| it.name).as_deref(), Some("Tidy"));
    kennel.agents(&["token", "Tidy"]);
    page.until("the end of the errand", |page| page.end.errands(page.now()).is_empty().then_some(())).await;
}
