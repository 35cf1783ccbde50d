//! Errands through the program: one question over stdio, changes without one, the end, and the command that shows them.

use puppy_core::channel::{Choice, Ruling};
use serde_json::{Value, json};

use crate::approval::{answer, question, ruled};
use crate::channel::Page;
use crate::client::{Client, Era, Way};
use crate::command_line::printed;
use crate::contract::desk_world;
use crate::gate::{asking, content, removals, remove, yes};
use crate::world::{World, until};
use puppy_core::permission::Level;

async fn documents(world: &World, notebook: &str, n: usize) -> Vec<String> {
    let mut all = Vec::new();
    for at in 0..n {
        let body = json!({ "notebook": notebook, "path": format!("/Note {at}"), "markdown": "text" });
        let id = world.raw("/api/filetree/createDocWithMd", body).await;
        all.push(id.as_str().unwrap().to_owned());
    }
    all
}

fn begin(notebook: &str) -> Value {
    json!({
        "action": "begin_errand", "purpose": "tidy the tags", "notebooks": [notebook], "changes": 40, "deletes": 5,
        "minutes": 20,
    })
}

const WORDS: &str = "wants to work in “Desk”: “tidy the tags”";
const BOUNDS: &str =
    "At most 40 changes and 5 deletions of documents, for 20 minutes, without asking each time.";

/// One yes in the client's form, five deletions without a question, and the sixth asks.
#[tokio::test(flavor = "multi_thread")]
async fn one_yes_in_the_form_covers_five_deletions() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let all = documents(&world, &notebook, 6).await;
    let mut client = Client::with(Era::Old, Way::Stdio, &world.kernel.url(), &[], asking()).await;
    let id = client.request("tools/call", json!({ "name": "system", "arguments": begin(&notebook) })).await;
    let asked = client.hear("elicitation/create").await;
    let message = asked["params"]["message"].as_str().unwrap();
    assert_eq!(message, format!("An agent {WORDS}.\n{BOUNDS}\nEverything can be put back."));
    client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": yes() })).await;
    let (said, failed) = content(&client.answer(id).await.unwrap());
    assert!(!failed && said["deletes"] == 5 && said["minutes"] == 20, "{said}");
    for doc in &all[..5] {
        let (said, failed) = content(&client.call("document", remove(doc)).await);
        assert!(!failed, "{said}");
    }
    let params = json!({ "name": "document", "arguments": remove(&all[5]) });
    let id = client.request("tools/call", params).await;
    let asked = client.hear("elicitation/create").await;
    assert!(asked["params"]["message"].as_str().unwrap().contains("delete “Note 5”"), "{asked}");
    client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "action": "decline" } })).await;
    assert!(content(&client.answer(id).await.unwrap()).1);
    assert_eq!(removals(&world), 5);
}

/// The question in SiYuan and by a token says the same; the list of the command line has the errand, and `stop` ends it.
#[tokio::test(flavor = "multi_thread")]
async fn an_errand_is_listed_and_stopped() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let all = documents(&world, &notebook, 2).await;
    let mut client = Client::start(Era::Old, Way::Stdio, &world.kernel.url(), &[]).await;
    let (said, _) = content(&client.call("system", begin(&notebook)).await);
    let danger = said["error"]["danger"].as_str().unwrap();
    assert!(danger.contains("at most 40 changes and 5 deletions, for 20 minutes"), "{said}");
    assert_eq!(said["error"]["plan"]["purpose"], "tidy the tags", "{said}");
    let page = Page::open(&world, true, 1).await;
    let id = client.request("tools/call", json!({ "name": "system", "arguments": begin(&notebook) })).await;
    let seen = question(&page).await;
    assert!(!seen.it.may_stand, "an errand offers none");
    answer(&page, &seen, Choice::Once);
    assert_eq!(ruled(&page, &seen).await, Ruling::Done);
    assert!(!content(&client.answer(id).await.unwrap()).1);
    assert!(!content(&client.call("document", remove(&all[0])).await).1);
    let errand = page
        .until("the errand", |page| {
            page.end.errands(page.now()).into_iter().find(|it| it.it.deletes.used == 1)
        })
        .await;
    assert_eq!(
        (errand.it.purpose.as_str(), &errand.it.notebooks),
        ("tidy the tags", &vec![notebook.clone()])
    );
    let url = world.kernel.url();
    let command = async |arguments: &'static [&'static str]| {
        let url = url.clone();
        tokio::task::spawn_blocking(move || printed(&url, arguments)).await.unwrap()
    };
    let listed: Value = serde_json::from_str(&command(&["errands", "--json"]).await).unwrap();
    assert_eq!(listed["errands"][0]["id"], errand.it.id, "{listed}");
    assert_eq!(listed["errands"][0]["deletes"], json!({ "used": 1, "most": 5 }));
    let text = command(&["errands"]).await;
    assert!(text.contains("tidy the tags") && text.contains("1/5") && text.contains("Desk"), "{text}");
    let text = command(&["errands", "stop"]).await;
    assert!(text.contains("Errands ended: 1"), "{text}");
    page.until("the end", |page| page.end.errands(page.now()).is_empty().then_some(())).await;
    let id = client.request("tools/call", json!({ "name": "document", "arguments": remove(&all[1]) })).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Deny);
    assert!(content(&client.answer(id).await.unwrap()).1);
    assert_eq!(removals(&world), 1);
}

/// The errand of a session ends with it; its pages hear of that.
#[tokio::test(flavor = "multi_thread")]
async fn an_errand_ends_with_its_session() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let page = Page::open(&world, true, 0).await;
    let mut client =
        Client::with(Era::Old, Way::Http, &world.kernel.url(), &["--confirm", "approve"], json!({})).await;
    let id = client.request("tools/call", json!({ "name": "system", "arguments": begin(&notebook) })).await;
    let seen = question(&page).await;
    answer(&page, &seen, Choice::Once);
    assert!(!content(&client.answer(id).await.unwrap()).1);
    page.until("the errand", |page| page.end.errands(page.now()).into_iter().next()).await;
    client.end_session().await;
    until("the end of the errand", async || {
        let state = page.state();
        state.end.errands(state.now()).is_empty().then_some(())
    })
    .await;
}
