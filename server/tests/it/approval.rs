//! Questions that wait in SiYuan, through the program: yes, no, later, taken back, and everything that goes wrong
//! meanwhile (B-071, B-072).

use puppy_core::ask::Consequence;
use puppy_core::channel::{Choice, FromSidecar, News, OpenQuestion, Ruling};
use puppy_core::config::{GRANTS_FILE, HTTP_FILE};
use puppy_core::kernel::files;
use puppy_core::spec::Verb;
use serde_json::{Value, json};

use crate::channel::Page;
use crate::client::{Client, Era, Way};
use crate::gate::{EVENTS, asking, content, desk, removals, remove};
use crate::world::{World, until};

async fn server(world: &World) -> Client {
    Client::start(Era::Old, Way::Stdio, &world.kernel.url(), &[]).await
}

async fn ask(client: &mut Client, doc: &str) -> u64 {
    client.request("tools/call", json!({ "name": "document", "arguments": remove(doc) })).await
}

async fn set_level(client: &mut Client, notebook: &str, level: &str) -> u64 {
    let arguments = json!({ "action": "set_permission", "notebook": notebook, "level": level });
    client.request("tools/call", json!({ "name": "notebook", "arguments": arguments })).await
}

pub(crate) async fn question(page: &Page) -> FromSidecar<OpenQuestion> {
    page.until("a question", |page| page.end.questions(page.now()).into_iter().next()).await
}

pub(crate) fn answer(page: &Page, seen: &FromSidecar<OpenQuestion>, choice: Choice) {
    page.send(|end, now| end.answer(&seen.sidecar, &seen.it.id, choice, now));
}

pub(crate) async fn ruled(page: &Page, seen: &FromSidecar<OpenQuestion>) -> Ruling {
    page.until("what came of it", |page| {
        page.news.iter().find_map(|it| match it {
            News::Ruled { question, ruling } if *question == seen.it.id => Some(*ruling),
            _ => None,
        })
    })
    .await
}

async fn another(world: &World, notebook: &str, title: &str) -> String {
    let body = json!({ "notebook": notebook, "path": format!("/{title}"), "markdown": "text" });
    world.raw("/api/filetree/createDocWithMd", body).await.as_str().unwrap().to_owned()
}

async fn notebook_of(world: &World, doc: &str) -> String {
    let found = world.raw("/api/filetree/getPathByID", json!({ "id": doc })).await;
    found["notebook"].as_str().unwrap().to_owned()
}

/// B-072: both windows show what would go; of two answers one counts, and the waiting call has its result.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_in_siyuan_runs_the_plan_once() {
    let (world, doc) = desk("Old plan").await;
    let mut client = server(&world).await;
    let (one, two) = (Page::open(&world, true, 1).await, Page::open(&world, false, 1).await);
    world.kernel.clear_log();
    let id = ask(&mut client, &doc).await;
    let (seen, same) = (question(&one).await, question(&two).await);
    assert_eq!((seen.it.id.as_str(), seen.it.ask.verb), (same.it.id.as_str(), Verb::Delete));
    let [thing] = seen.it.ask.about.things.first.as_slice() else { panic!("{seen:?}") };
    assert_eq!(thing.title, "Old plan");
    assert!(thing.notebook.is_some() && thing.id.is_some(), "{thing:?}");
    assert!(seen.it.client == "test" && seen.it.may_stand && seen.it.left_ms.is_some_and(|it| it <= 600_000));
    assert_eq!(removals(&world), 0);
    answer(&one, &seen, Choice::Once);
    answer(&two, &same, Choice::Once);
    let (said, failed) = content(&client.answer(id).await.unwrap());
    assert!(!failed && said["removed"][0]["title"] == "Old plan", "{said}");
    // Either window may have been heard first.
    let rulings = [ruled(&one, &seen).await, ruled(&two, &same).await];
    assert!(rulings.contains(&Ruling::Done) && rulings.contains(&Ruling::Gone), "{rulings:?}");
    assert_eq!(removals(&world), 1);
    one.until("the end of the question", |page| page.end.questions(page.now()).is_empty().then_some(()))
        .await;
}

/// B-072: a no is final, and so is everything that is no yes.
#[tokio::test(flavor = "multi_thread")]
async fn a_no_in_siyuan_changes_nothing() {
    let (world, doc) = desk("Old plan").await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    let id = ask(&mut client, &doc).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Deny);
    let (said, failed) = content(&client.answer(id).await.unwrap());
    assert!(failed && said["error"]["type"] == "denied", "{said}");
    assert!(said["error"].get("confirm").is_none() && said["error"].get("waiting").is_none(), "{said}");
    // Another way to ask would be one around the person's no.
    assert!(!said["error"]["message"].as_str().unwrap().contains("--confirm"), "{said}");
    assert_eq!((ruled(&page, &seen).await, removals(&world)), (Ruling::Denied, 0));
}

/// B-072: a question outlives its call and its window; a later yes runs the plan once. Whoever sends the call again then
/// has its result, and nobody after that.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_outlives_its_call_and_its_window() {
    let (world, doc) = desk("Old plan").await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    let id = ask(&mut client, &doc).await;
    question(&page).await;
    client.cancel(id).await;
    page.leave().await;
    let page = Page::open(&world, true, 1).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Once);
    assert_eq!((ruled(&page, &seen).await, removals(&world)), (Ruling::Done, 1));
    let (said, failed) = content(&client.call("document", remove(&doc)).await);
    assert!(!failed && said["removed"][0]["title"] == "Old plan", "{said}");
    let gone = client.call("document", remove(&doc)).await;
    assert_eq!((content(&gone).0["error"]["type"].as_str(), removals(&world)), (Some("not_found"), 1));
}

/// B-072: a client that gives up and sends the same call again, in the same session, another one or none, joins the open
/// question; one answer settles all of them, and the plan runs once.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_sent_again_joins_its_open_question() {
    for (era, way) in [(Era::Old, Way::Stdio), (Era::Old, Way::Http), (Era::New, Way::Http)] {
        let (world, doc) = desk("Old plan").await;
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let page = Page::open(&world, true, 1).await;
        let first = ask(&mut client, &doc).await;
        let seen = question(&page).await;
        let second = ask(&mut client, &doc).await;
        until("both calls to wait", async || {
            let events: Value = serde_json::from_slice(&world.read(EVENTS).await?).unwrap();
            let waiting = events["events"].as_array()?.iter().filter(|it| it["status"] == "dangerous");
            (waiting.count() == 2).then_some(())
        })
        .await;
        page.apply(&[]).await;
        let shown = page.until("the question", |page| Some(page.end.questions(page.now()).len())).await;
        assert_eq!(shown, 1, "{era:?} {way:?}");
        answer(&page, &seen, Choice::Once);
        for id in [first, second] {
            let (said, failed) = content(&client.answer(id).await.unwrap());
            assert!(!failed && said["removed"][0]["title"] == "Old plan", "{era:?} {way:?}: {said}");
        }
        assert_eq!(removals(&world), 1);
    }
}

/// B-072: a plan that has changed is not run, and the window says so; nor is one of a paused agent.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_changed_is_not_run() {
    let (world, doc) = desk("Old plan").await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    let id = ask(&mut client, &doc).await;
    let seen = question(&page).await;
    world.raw("/api/filetree/renameDocByID", json!({ "id": doc, "title": "New plan" })).await;
    answer(&page, &seen, Choice::Once);
    assert_eq!(ruled(&page, &seen).await, Ruling::Stale);
    assert_eq!(content(&client.answer(id).await.unwrap()).0["error"]["type"], "conflict");
    let id = ask(&mut client, &doc).await;
    let seen = question(&page).await;
    let settings = format!("{}{HTTP_FILE}", files::STORAGE);
    world.write(&settings, &json!({ "paused": true }).to_string()).await;
    page.apply(&[HTTP_FILE]).await;
    answer(&page, &seen, Choice::Errand);
    assert_eq!(ruled(&page, &seen).await, Ruling::Failed);
    assert_eq!(content(&client.answer(id).await.unwrap()).0["error"]["type"], "paused");
    assert_eq!(removals(&world), 0);
}

/// Q1: a document that the question names is renamed before the yes: nothing happens, and the window says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_title_that_changed_is_not_approved() {
    let (world, doc) = desk("Old plan").await;
    // Archives are exported only while no notebook is hidden.
    let mut table = world.table().await.unwrap();
    table.as_object_mut().unwrap().values_mut().for_each(|level| *level = json!("rwd"));
    world.set_table(&table).await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    let arguments = json!({ "action": "export", "ids": [doc], "format": "md_zip" });
    let export = json!({ "name": "file", "arguments": arguments });
    for (title, ruling) in [(Some("New plan"), Ruling::Stale), (None, Ruling::Done)] {
        let id = client.request("tools/call", export.clone()).await;
        let seen = question(&page).await;
        if let Some(title) = title {
            world.raw("/api/filetree/renameDocByID", json!({ "id": doc, "title": title })).await;
        }
        world.kernel.clear_log();
        answer(&page, &seen, Choice::Once);
        assert_eq!(ruled(&page, &seen).await, ruling);
        let (said, failed) = content(&client.answer(id).await.unwrap());
        assert_eq!(
            (failed, said["error"]["type"] == "conflict"),
            (title.is_some(), title.is_some()),
            "{said}"
        );
        let exports = world.asked().iter().filter(|path| path.ends_with("exportMds")).count();
        assert_eq!(exports, usize::from(title.is_none()));
    }
}

/// Q2: what a kept answer names is not given out under other levels, even if the call failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_kept_answer_keeps_to_the_levels_of_its_call() {
    for is_stale in [true, false] {
        let (world, doc) = desk("Old plan").await;
        let notebook = notebook_of(&world, &doc).await;
        let mut client = server(&world).await;
        let page = Page::open(&world, true, 1).await;
        let id = ask(&mut client, &doc).await;
        let seen = question(&page).await;
        let title = if is_stale { "New plan" } else { "Old plan" };
        world.raw("/api/filetree/renameDocByID", json!({ "id": doc, "title": title })).await;
        answer(&page, &seen, Choice::Once);
        assert_eq!(content(&client.answer(id).await.unwrap()).1, is_stale);
        let mut again = remove(&doc);
        again["confirm"] = json!(seen.it.id);
        let first = client.call("document", again.clone()).await.to_string();
        assert!(first.contains(title), "{first}");
        let mut table = world.table().await.unwrap();
        let other = world.notebook("Garden").await;
        let before = table[&other].clone();
        table[&other] = json!(if before == "none" { "r" } else { "none" });
        table[&notebook] = json!("rwd");
        world.set_table(&table).await;
        page.apply(&[GRANTS_FILE]).await;
        let said = client.call("document", again.clone()).await.to_string();
        assert!(!said.contains(title), "{said}");
        assert_eq!(removals(&world), usize::from(!is_stale));
    }
}

/// B-072: an errand that a question offered covers the deed of this caller in this notebook, and ends when it is taken back.
#[tokio::test(flavor = "multi_thread")]
async fn an_offered_errand_is_narrow_and_is_taken_back() {
    let (world, doc) = desk("One").await;
    let notebook = notebook_of(&world, &doc).await;
    let mut client = server(&world).await;
    let mut other = server(&world).await;
    let page = Page::open(&world, true, 2).await;
    let id = ask(&mut client, &doc).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Errand);
    assert!(!content(&client.answer(id).await.unwrap()).1);
    let next = another(&world, &notebook, "Two").await;
    assert!(!content(&client.call("document", remove(&next)).await).1);
    let errand = page.until("the errand", |page| page.end.errands(page.now()).into_iter().next()).await;
    assert_eq!((errand.it.notebooks.as_slice(), removals(&world)), ([notebook.clone()].as_slice(), 2));
    // Another client is another caller.
    let third = another(&world, &notebook, "Three").await;
    let id = ask(&mut other, &third).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Deny);
    assert!(content(&other.answer(id).await.unwrap()).1);
    page.send(|end, _| end.revoke(&errand.sidecar, &errand.it.id));
    page.until("the end of the errand", |page| page.end.errands(page.now()).is_empty().then_some(())).await;
    let id = ask(&mut client, &third).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Deny);
    assert!(content(&client.answer(id).await.unwrap()).1);
    assert_eq!(removals(&world), 2);
}

/// B-060, B-061: a level changes when a person in SiYuan agrees, each time anew, and holds for the next call of every
/// server; a client that would say yes is not asked.
#[tokio::test(flavor = "multi_thread")]
async fn a_level_changes_only_in_siyuan_and_holds_everywhere() {
    let world = World::new().await;
    let garden = world.notebook("Garden").await;
    world.set_table(&json!({ (garden.clone()): "rw" })).await;
    world
        .set_switches(&json!({ "notebook": { "enabled": true, "actions": { "set_permission": true } } }))
        .await;
    let url = world.kernel.url();
    let flags = ["--confirm", "ask,token"];
    let mut one = Client::with(Era::Old, Way::Stdio, &url, &flags, asking()).await;
    let mut two = server(&world).await;
    let page = Page::open(&world, true, 2).await;
    let create = json!({ "action": "create", "parent": garden, "title": "New", "preview": true });
    for (choice, level, before) in
        [(Choice::Deny, "r", "rw"), (Choice::Errand, "r", "rw"), (Choice::Once, "rw", "r")]
    {
        let id = set_level(&mut one, "Garden", level).await;
        let seen = question(&page).await;
        let change = Consequence::Level { from: before.to_owned(), to: level.to_owned() };
        assert!(!seen.it.may_stand, "{seen:?}");
        assert_eq!((seen.it.ask.verb, &seen.it.ask.about.effects[..]), (Verb::Allow, &[change][..]));
        assert_eq!(content(&two.call("document", create.clone()).await).1, before == "r", "{choice:?}");
        answer(&page, &seen, choice);
        let (said, failed) = content(&one.answer(id).await.unwrap());
        assert_eq!(failed, choice == Choice::Deny, "{said}");
        let table = world.table().await.unwrap();
        assert_eq!(table[&garden], if failed { before } else { level });
        until("the other server to obey", async || {
            let (said, failed) = content(&two.call("document", create.clone()).await);
            (failed == (table[&garden] == "r")).then_some(said)
        })
        .await;
    }
    let state = page.state();
    assert!(state.end.errands(state.now()).is_empty());
}

/// B-072: the questions of a server that ends are withdrawn, and a yes that comes too late does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn questions_end_with_their_server() {
    let (world, doc) = desk("Old plan").await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    ask(&mut client, &doc).await;
    let seen = question(&page).await;
    let late = {
        let mut state = page.state();
        let now = state.now();
        state.end.answer(&seen.sidecar, &seen.it.id, Choice::Once, now)
    };
    drop(client);
    let mut again = server(&world).await;
    until("the new server", async || {
        let state = page.state();
        (state.end.sidecars(state.now()) == 1 && state.end.questions(state.now()).is_empty()).then_some(())
    })
    .await;
    page.send(|_, _| late);
    // This call is answered after any work that the late answer could have started.
    assert!(!content(&again.call("notebook", json!({ "action": "list" })).await).1);
    assert_eq!(removals(&world), 0);
}

/// B-071: without a window the next way is taken; where there is no other, the question waits for one.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_window_the_next_way_is_taken() {
    let (world, doc) = desk("Old plan").await;
    let mut client = server(&world).await;
    let (said, _) = content(&client.call("document", remove(&doc)).await);
    assert!(said["error"]["confirm"].is_string() && said["error"].get("waiting").is_none(), "{said}");
    let flags = ["--confirm", "approve,block"];
    let mut patient = Client::start(Era::New, Way::Stdio, &world.kernel.url(), &flags).await;
    let id = ask(&mut patient, &doc).await;
    let page = Page::open(&world, true, 2).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Once);
    let (said, failed): (Value, bool) = content(&patient.answer(id).await.unwrap());
    assert!(!failed, "{said}");
    assert_eq!(removals(&world), 1);
}

/// S7: over HTTP only a session that exists is offered an errand, not a caller without one that claims one.
#[tokio::test(flavor = "multi_thread")]
async fn callers_without_a_session_are_offered_no_errand() {
    let (world, doc) = desk("Old plan").await;
    for (era, claimed, may_stand) in
        [(Era::Old, None, true), (Era::New, None, false), (Era::New, Some("mine"), false)]
    {
        let mut client = Client::start(era, Way::Http, &world.kernel.url(), &[]).await;
        if let Some(session) = claimed {
            client.claim(session);
        }
        let page = Page::open(&world, true, 1).await;
        let id = ask(&mut client, &doc).await;
        let seen = question(&page).await;
        assert_eq!(seen.it.may_stand, may_stand, "{era:?} {claimed:?}");
        answer(&page, &seen, Choice::Deny);
        assert!(content(&client.answer(id).await.unwrap()).1);
        page.leave().await;
    }
    assert_eq!(removals(&world), 0);
}
