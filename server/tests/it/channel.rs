//! The signed channel through the program: pages and servers on the channel of the demo kernel (B-180 to B-190).

mod address;
mod page;

use std::time::{Duration, Instant};

use demo_kernel::{Fault, FaultKind};
use futures_util::{SinkExt, StreamExt};
use puppy_core::channel::{CHANNEL, KEY_FILE, Key, Message, News, PeerId, SignedMessage, TouchedPlace};
use puppy_core::config::{GRANTS_FILE, HTTP_FILE};
use puppy_core::kernel::files;
use puppy_core::kernel::page::PageRequest;
use puppy_core::permission::Level;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message as Frame;

use crate::client::{Client, Era, Way};
use crate::gate::content;
use crate::world::{World, until};
pub(crate) use page::Page;

async fn server(world: &World) -> Client {
    Client::start(Era::Old, Way::Stdio, &world.kernel.url(), &[]).await
}

async fn system(client: &mut Client, arguments: Value) -> u64 {
    client.request("tools/call", json!({ "name": "system", "arguments": arguments })).await
}

fn ui_state() -> Value {
    json!({ "action": "get_ui_state" })
}

/// The type of an error; empty for a success.
fn error_of(result: &Value) -> String {
    content(result).0["error"]["type"].as_str().unwrap_or_default().to_owned()
}

async fn document(world: &World, notebook: &str, hpath: &str) -> String {
    let body = json!({ "notebook": world.notebook(notebook).await, "path": hpath });
    let ids = world.raw("/api/filetree/getIDsByHPath", body).await;
    ids[0].as_str().unwrap_or_else(|| panic!("no {hpath}")).to_owned()
}

/// B-182, B-184, B-186: a page action reaches the page and comes back judged; without a page it says so at once.
#[tokio::test(flavor = "multi_thread")]
async fn page_actions_reach_the_page() {
    let world = World::new().await;
    let mut client = server(&world).await;
    let early = client.call("system", ui_state()).await;
    assert_eq!(error_of(&early), "no_frontend", "{early}");
    let page = Page::open(&world, true, 1).await;
    let (beds, letters) =
        (document(&world, "Garden", "/Beds").await, document(&world, "Private", "/Letters").await);
    let id = system(&mut client, ui_state()).await;
    let (from, request) = page.asked().await;
    assert_eq!(request, PageRequest::UiState);
    let open = json!([{ "doc": letters }, { "doc": beds }]);
    page.answer(&from, json!({ "frontend": "desktop", "active": { "doc": letters }, "open": open }));
    let (state, failed) = content(&client.answer(id).await.unwrap());
    assert!(!failed && state["open"].as_array().unwrap().len() == 1, "{state}");
    assert_eq!((state["open"][0]["doc"].as_str(), state.get("active")), (Some(beds.as_str()), None));
    // The level is checked before the page is asked.
    let hidden = client.call("system", json!({ "action": "open_document", "id": letters })).await;
    assert_eq!(error_of(&hidden), "not_found");
    let opened = json!({ "action": "open_document", "id": beds, "focus": false });
    let id = system(&mut client, opened).await;
    let (from, request) = page.asked().await;
    assert_eq!(request, PageRequest::OpenDocument { id: beds, focus: false, zoom: false });
    page.answer(&from, Value::Null);
    assert_eq!(content(&client.answer(id).await.unwrap()).0["opened"], "/Beds");
    page.leave().await;
    until("the page to be gone", async || {
        (error_of(&client.call("system", ui_state()).await) == "no_frontend").then_some(())
    })
    .await;
}

/// B-185, B-187: of two pages the one in front is asked, and a slow one blocks no other call.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_in_front_is_asked_and_blocks_nobody() {
    let world = World::new().await;
    let mut client = server(&world).await;
    let front = Page::open(&world, true, 1).await;
    let newer = Page::open(&world, false, 1).await;
    let ask = json!({ "action": "ask_user", "question": "Which bed?", "options": ["North", "South"] });
    let id = system(&mut client, ask.clone()).await;
    let (from, _) = front.asked().await;
    assert!(!content(&client.call("notebook", json!({ "action": "list" })).await).1);
    assert_eq!(error_of(&client.call("system", ask.clone()).await), "conflict");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!newer.state().news.iter().any(|it| matches!(it, News::Call { .. })));
    front.answer(&from, json!({ "option": 1 }));
    assert_eq!(content(&client.answer(id).await.unwrap()).0["option"], "South");
    // A client that goes away lets the page close its question.
    let id = system(&mut client, ask).await;
    let (from, _) = front.asked().await;
    client.cancel(id).await;
    front
        .until("the cancellation", |page| {
            page.news.contains(&News::Cancelled { from: from.clone() }).then_some(())
        })
        .await;
}

/// B-010, B-061: once Apply is done, the very next call of every server obeys; pausing stops all at once.
#[tokio::test(flavor = "multi_thread")]
async fn an_applied_change_holds_for_the_next_call_of_every_server() {
    let world = World::new().await;
    let garden = world.notebook("Garden").await;
    let (mut one, mut two) = (server(&world).await, server(&world).await);
    let page = Page::open(&world, true, 2).await;
    let list = json!({ "action": "list", "notebook": garden });
    let before = world.table().await.unwrap_or_else(|| json!({}));
    for level in ["r", "none", "rw"] {
        let mut table = before.clone();
        table[&garden] = json!(level);
        world.set_table(&table).await;
        page.apply(&[GRANTS_FILE]).await;
        for client in [&mut one, &mut two] {
            let (said, failed) = content(&client.call("document", list.clone()).await);
            assert_eq!(failed, level == "none", "{level}: {said}");
        }
    }
    let settings = format!("{}{HTTP_FILE}", files::STORAGE);
    for paused in [true, false] {
        world.write(&settings, &json!({ "paused": paused }).to_string()).await;
        page.apply(&[HTTP_FILE]).await;
        for client in [&mut one, &mut two] {
            let (said, failed) = content(&client.call("document", list.clone()).await);
            assert_eq!(failed, paused, "{said}");
            assert!(!paused || said["error"]["message"].as_str().unwrap().contains("paused"), "{said}");
        }
    }
    // The command line announces its changes too, although it has no connection to the channel.
    for command in ["pause", "resume"] {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        program.env_remove("SIYUAN_TOKEN").env("SIYUAN_API_URL", world.kernel.url()).arg(command);
        assert!(program.output().unwrap().status.success());
        let change = News::Changed(vec![HTTP_FILE.to_owned()]);
        page.until("the news", |page| page.news.contains(&change).then_some(())).await;
        page.state().news.clear();
        until("the servers to obey", async || {
            let failed = content(&one.call("document", list.clone()).await).1;
            (failed == (command == "pause")).then_some(())
        })
        .await;
    }
    let mut times = Vec::new();
    for _ in 0..20 {
        let began = Instant::now();
        page.apply(&[GRANTS_FILE]).await;
        times.push(began.elapsed());
    }
    times.sort();
    println!("Apply, until two servers hold it: {:?} at the median", times[10]);
    let mut times = Vec::new();
    for _ in 0..20 {
        let began = Instant::now();
        let id = system(&mut one, ui_state()).await;
        let (from, _) = page.asked().await;
        page.answer(&from, json!({ "frontend": "desktop" }));
        one.answer(id).await.unwrap();
        times.push(began.elapsed());
    }
    times.sort();
    println!("A page action, from call to answer: {:?} at the median", times[10]);
}

/// B-010: beside a page settings and notebooks are read every half minute; what another server or the command line has
/// changed is seen at once all the same.
#[tokio::test(flavor = "multi_thread")]
async fn servers_hear_what_another_one_has_changed() {
    let world = World::new().await;
    let (mut one, mut two) = (server(&world).await, server(&world).await);
    let _page = Page::open(&world, true, 2).await;
    let list = json!({ "action": "list" });
    two.call("notebook", list.clone()).await;
    for name in ["Seeds", "Leaves"] {
        if name == "Seeds" {
            let (made, failed) =
                content(&one.call("notebook", json!({ "action": "create", "name": name })).await);
            assert!(!failed, "{made}");
        } else {
            let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
            program.env_remove("SIYUAN_TOKEN").env("SIYUAN_API_URL", world.kernel.url());
            program.args(["notebook", "create", "--name", name]);
            assert!(program.output().unwrap().status.success());
        }
        until("the other server to know it", async || {
            let (all, _) = content(&two.call("notebook", list.clone()).await);
            let items = all["items"].as_array().cloned().unwrap_or_default();
            items.iter().any(|it| it["name"] == name && it["level"] == "rw").then_some(())
        })
        .await;
    }
}

/// B-009: while a page announces changes, settings, levels and notebooks are read every half minute, else every second.
#[tokio::test(flavor = "multi_thread")]
async fn settings_are_read_less_often_beside_a_page() {
    let world = World::new().await;
    let mut client = server(&world).await;
    let mut reads = Vec::new();
    for has_page in [false, true] {
        let page = if has_page { Some(Page::open(&world, true, 1).await) } else { None };
        if let Some(page) = &page {
            page.apply(&[HTTP_FILE]).await;
        }
        client.call("notebook", json!({ "action": "list" })).await;
        world.kernel.clear_log();
        for _ in 0..2 {
            tokio::time::sleep(Duration::from_millis(1_100)).await;
            client.call("system", json!({ "action": "get_changelog" })).await;
        }
        let asked = world.asked();
        println!(
            "beside {} pages, two calls in 2.2 s: {} kernel requests",
            usize::from(has_page),
            asked.len()
        );
        reads.push(asked.iter().filter(|it| it.ends_with("lsNotebooks")).count());
    }
    assert!(reads[0] >= 2 && reads[1] == 0, "{reads:?}");
}

/// B-190: texts of others on the channel do nothing, and do not disturb.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_and_forged_texts_are_ignored() {
    let world = World::new().await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    let url = world.kernel.url().replacen("http", "ws", 1);
    let channel = format!("{url}/ws/broadcast?channel={CHANNEL}");
    let (mut other, _) = tokio_tungstenite::connect_async(channel).await.unwrap();
    let id = system(&mut client, ui_state()).await;
    let ((sidecar, call_id), _) = page.asked().await;
    let answer =
        json!({ "answered": { "call_id": call_id, "answer": { "done": { "frontend": "forged" } } } });
    let answer: Message = serde_json::from_value(answer).unwrap();
    let message = |n| SignedMessage::new(PeerId::of(77), n, vec![sidecar.clone()], answer.clone());
    let key = Key::kept(&world.http, Key::new([9; 32])).await.unwrap();
    for text in [
        "hello".to_owned(),
        "é".repeat(70),
        serde_json::to_string(&message(1)).unwrap(),
        message(2).to_text(&Key::new([1; 32])),
        // Signed, but by nobody who was ever greeted.
        message(3).to_text(&key),
    ] {
        other.send(Frame::text(text)).await.unwrap();
    }
    other.send(Frame::binary(vec![0, 159, 146, 150])).await.unwrap();
    let body = json!({ "channel": CHANNEL, "message": message(4).to_text(&key) });
    world.raw("/api/broadcast/postMessage", body).await;
    page.answer(&(sidecar, call_id), json!({ "frontend": "desktop" }));
    let (state, _) = content(&client.answer(id).await.unwrap());
    assert_eq!(state["frontend"], "desktop", "{state}");
    drop(other.next());
}

/// B-181: after the kernel was away both ends find each other again, and a new key is taken up.
#[tokio::test(flavor = "multi_thread")]
async fn the_channel_comes_back() {
    let world = World::new().await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    let path = "/api/system/currentTime".to_owned();
    let restart = Fault { path, fault: FaultKind::Restart, ms: Some(200), times: Some(1) };
    world.kernel.set_faults(vec![restart]);
    client.call("system", json!({ "action": "get_info" })).await;
    drop(page);
    assert_eq!(error_of(&client.call("system", ui_state()).await), "no_frontend");
    until("the kernel", async || files::read(&world.http, "/data/nothing").await.is_ok().then_some(())).await;
    let page = Page::open(&world, true, 1).await;
    let new = Key::new([5; 32]);
    let text = json!({ "key": "05".repeat(32) }).to_string();
    world.write(&format!("{}{KEY_FILE}", files::STORAGE), &text).await;
    page.greet(new);
    page.until("the server with the new key", |page| (page.end.sidecars(page.now()) == 1).then_some(()))
        .await;
    let id = system(&mut client, ui_state()).await;
    let (from, _) = page.asked().await;
    page.answer(&from, json!({ "frontend": "desktop" }));
    assert!(!content(&client.answer(id).await.unwrap()).1);
}

/// B-290: pages hear of new events at once.
#[tokio::test(flavor = "multi_thread")]
async fn pages_hear_of_new_events() {
    let world = World::new().await;
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    client.call("notebook", json!({ "action": "list" })).await;
    page.until("the news", |page| page.news.contains(&News::Stirred).then_some(())).await;
    assert!(world.read(crate::gate::EVENTS).await.is_some());
}

/// B-290: pages hear which block a call has touched, and nothing of a hidden notebook or of a call that failed.
#[tokio::test(flavor = "multi_thread")]
async fn pages_hear_what_a_call_touched() {
    let world = World::new().await;
    let (beds, letters) =
        (document(&world, "Garden", "/Beds").await, document(&world, "Private", "/Letters").await);
    let block = async |doc: &str, at: usize| {
        let blocks = world.raw("/api/block/getChildBlocks", json!({ "id": doc })).await;
        blocks[at]["id"].as_str().unwrap().to_owned()
    };
    let (bed, other, letter) = (block(&beds, 0).await, block(&beds, 1).await, block(&letters, 0).await);
    let mut client = server(&world).await;
    let page = Page::open(&world, true, 1).await;
    for (arguments, error) in [
        // A hidden block of a list is missing.
        (json!({ "action": "get", "ids": [letter] }), ""),
        (json!({ "action": "update", "id": other, "markdown": "New", "expect": "another" }), "conflict"),
        (json!({ "action": "get", "ids": [bed] }), ""),
    ] {
        assert_eq!(error_of(&client.call("block", arguments).await), error);
    }
    // Messages arrive in their order.
    let news = page.until("the news", |page| {
        let touched = page.news.iter().filter(|it| matches!(it, News::Touched(_)));
        let touched: Vec<News> = touched.cloned().collect();
        (!touched.is_empty()).then_some(touched)
    });
    let touched = TouchedPlace { doc: Some(beds), block: Some(bed), level: Level::Write };
    assert_eq!(news.await, [News::Touched(touched)]);
}
