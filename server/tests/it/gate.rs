//! The danger gate through the program: test clients of both eras, over stdio and over HTTP (B-070 to B-076).

use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Danger};
use serde_json::{Map, Value, json};

use crate::client::{Client, EVERY, Era, Way};
use crate::contract::{changes_assets, desk_world};
use crate::desk::Desk;
use crate::world::{World, until};

/// The capabilities of a client that can show forms.
pub(crate) fn asking() -> Value {
    json!({ "elicitation": {} })
}

/// A world with a notebook in which actions may delete, and the id of a new document there.
pub(crate) async fn desk(title: &str) -> (World, String) {
    let (world, notebook) = desk_world(Level::Delete).await;
    let doc = document(&world, &notebook, title).await;
    (world, doc)
}

async fn document(world: &World, notebook: &str, title: &str) -> String {
    let body = json!({ "notebook": notebook, "path": format!("/{title}"), "markdown": "text" });
    world.raw("/api/filetree/createDocWithMd", body).await.as_str().unwrap().to_owned()
}

pub(crate) fn remove(doc: &str) -> Value {
    json!({ "action": "remove", "ids": [doc] })
}

pub(crate) fn removals(world: &World) -> usize {
    world.asked().iter().filter(|path| path.ends_with("removeDocByID")).count()
}

/// The content of a tool's answer, and whether it is an error.
pub(crate) fn content(result: &Value) -> (Value, bool) {
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"));
    (serde_json::from_str(text).unwrap(), result["isError"] == true)
}

fn error_type(result: &Value) -> String {
    content(result).0["error"]["type"].as_str().unwrap_or_default().to_owned()
}

/// Makes a call, answers its question as a person would, and returns the question and the result.
pub(crate) async fn answered(client: &mut Client, arguments: &Value, answer: &Value) -> (Value, Value) {
    let params = json!({ "name": "document", "arguments": arguments });
    if client.era == Era::Old {
        let id = client.request("tools/call", params).await;
        let question = client.hear("elicitation/create").await;
        client.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer })).await;
        return (question["params"].clone(), client.answer(id).await.unwrap());
    }
    let first = client.ask("tools/call", params.clone()).await.unwrap();
    assert_eq!(first["resultType"], "input_required", "{first}");
    let result = client.ask("tools/call", with_answer(&params, &first, answer)).await.unwrap();
    (first["inputRequests"]["confirm"]["params"].clone(), result)
}

/// The call, with the answer to the question of an earlier one.
fn with_answer(params: &Value, first: &Value, answer: &Value) -> Value {
    let mut params = params.clone();
    params["requestState"] = first["requestState"].clone();
    params["inputResponses"] = json!({ "confirm": answer });
    params
}

pub(crate) fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirm": true } })
}

/// B-073: of five clients, only the one whose person accepts and ticks the box removes anything.
#[tokio::test(flavor = "multi_thread")]
async fn only_a_ticked_accept_removes_anything() {
    let (world, notebook) = desk_world(Level::Delete).await;
    for (at, (era, way)) in EVERY.into_iter().enumerate() {
        let mut client = Client::with(era, way, &world.kernel.url(), &[], asking()).await;
        for (n, answer) in [
            json!({ "action": "accept" }),
            json!({ "action": "accept", "content": {} }),
            json!({ "action": "accept", "content": { "confirm": false } }),
            json!({ "action": "decline" }),
            json!({ "action": "cancel" }),
            yes(),
        ]
        .into_iter()
        .enumerate()
        {
            let doc = document(&world, &notebook, &format!("Note {at} {n}")).await;
            world.kernel.clear_log();
            let (question, result) = answered(&mut client, &remove(&doc), &answer).await;
            let asked = question["message"].as_str().unwrap();
            let due = format!(
                "An agent wants to delete “Note {at} {n}”.\nIn “Desk”\nYou can restore it from Data History."
            );
            assert_eq!(asked, due);
            assert_eq!(question["requestedSchema"]["required"], json!(["confirm"]));
            assert_eq!(question["requestedSchema"]["properties"]["confirm"]["type"], "boolean");
            assert!(question["requestedSchema"]["properties"]["confirm"].get("default").is_none());
            let approved = answer == yes();
            assert_eq!(removals(&world), usize::from(approved), "{era:?} {way:?} {answer}: {result}");
            let (said, failed) = content(&result);
            assert_eq!(failed, !approved, "{said}");
            if failed {
                assert_eq!(said["error"]["type"], "denied");
                assert!(said["error"].get("confirm").is_none(), "a no is final: {said}");
            }
        }
    }
}

/// B-073: a client that cancels its call without an answer changes nothing, and the call ends.
#[tokio::test(flavor = "multi_thread")]
async fn cancelled_question_changes_nothing() {
    for way in [Way::Stdio, Way::Http] {
        let (world, doc) = desk("Note").await;
        let mut client = Client::with(Era::Old, way, &world.kernel.url(), &[], asking()).await;
        let id = client.request("tools/call", json!({ "name": "document", "arguments": remove(&doc) })).await;
        client.hear("elicitation/create").await;
        client.cancel(id).await;
        until("the end of the call", async || {
            let events = world.read(EVENTS).await?;
            let events: Value = serde_json::from_slice(&events).unwrap();
            let all = events["events"].as_array()?;
            let states: Vec<&str> = all.iter().map(|it| it["status"].as_str().unwrap()).collect();
            (states == ["running", "dangerous", "success"] && all[2]["error_type"] == "cancelled")
                .then_some(())
        })
        .await;
        assert_eq!(removals(&world), 0);
    }
}

pub(crate) const EVENTS: &str = "/temp/siyuan-mcp-puppy/puppyEvents.json";

/// B-290: the puppy's events show the waiting question and the end of the call.
#[tokio::test(flavor = "multi_thread")]
async fn puppy_events_show_the_question_and_the_end() {
    for (answer, end) in [(yes(), "success"), (json!({ "action": "decline" }), "error")] {
        let (world, doc) = desk("Note").await;
        let mut client = Client::with(Era::Old, Way::Stdio, &world.kernel.url(), &[], asking()).await;
        answered(&mut client, &remove(&doc), &answer).await;
        let states = until("the events", async || {
            let events: Value = serde_json::from_slice(&world.read(EVENTS).await?).unwrap();
            let states: Vec<String> = events["events"]
                .as_array()?
                .iter()
                .map(|it| it["status"].as_str().unwrap().to_owned())
                .collect();
            (states.len() == 3).then_some(states)
        })
        .await;
        assert_eq!(states, ["running", "dangerous", end]);
    }
}

/// B-075: one approval, sent several times, removes once.
#[tokio::test(flavor = "multi_thread")]
async fn repeated_approval_runs_once() {
    for (era, way) in EVERY {
        let (world, doc) = desk("Note").await;
        let mut client = Client::with(era, way, &world.kernel.url(), &[], asking()).await;
        let params = json!({ "name": "document", "arguments": remove(&doc) });
        if era == Era::Old {
            let id = client.request("tools/call", params).await;
            let question = client.hear("elicitation/create").await;
            for _ in 0..2 {
                client.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes() })).await;
            }
            assert!(!content(&client.answer(id).await.unwrap()).1);
        } else {
            let first = client.ask("tools/call", params.clone()).await.unwrap();
            let params = with_answer(&params, &first, &yes());
            let ids = [
                client.request("tools/call", params.clone()).await,
                client.request("tools/call", params).await,
            ];
            let mut done = 0;
            for id in ids {
                let result = client.answer(id).await.unwrap();
                done += usize::from(result["resultType"] == "complete" && result["isError"] != true);
            }
            assert_eq!(done, 1, "{way:?}");
        }
        // This call is answered after any work that the second approval could have started.
        client.call("notebook", json!({ "action": "list" })).await;
        assert_eq!(removals(&world), 1, "{era:?} {way:?}");
    }
}

/// B-073, B-074: the state of a question is valid for its call and with an answer; anything else asks again.
#[tokio::test(flavor = "multi_thread")]
async fn question_state_is_valid_for_its_call_only() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let (doc, other) =
        (document(&world, &notebook, "Note").await, document(&world, &notebook, "Other").await);
    for way in [Way::Stdio, Way::Http] {
        let mut client = Client::with(Era::New, way, &world.kernel.url(), &[], asking()).await;
        let params = |doc: &str| json!({ "name": "document", "arguments": remove(doc) });
        let first = client.ask("tools/call", params(&doc)).await.unwrap();
        let state = first["requestState"].as_str().unwrap();
        let last = if state.ends_with('A') { 'B' } else { 'A' };
        let tampered = json!({ "requestState": format!("{}{last}", &state[..state.len() - 1]) });
        let mut alone = params(&doc);
        alone["inputResponses"] = json!({ "confirm": yes() });
        let mut strange = with_answer(&params(&doc), &first, &yes());
        strange["inputResponses"] = json!({ "another": yes() });
        for wrong in [
            with_answer(&params(&doc), &tampered, &yes()),
            with_answer(&params(&other), &first, &yes()),
            alone,
            strange,
        ] {
            let result = client.ask("tools/call", wrong.clone()).await;
            let is_done =
                result.as_ref().is_ok_and(|it| it["resultType"] == "complete" && it["isError"] != true);
            assert!(!is_done, "{way:?} {wrong}: {result:?}");
            assert_eq!(removals(&world), 0, "{way:?} {wrong}");
        }
    }
}

/// B-074: a client that cannot ask gets a token, valid for this call, once, and only while the plan is the same.
#[tokio::test(flavor = "multi_thread")]
async fn client_without_elicitation_confirms_by_token() {
    let (world, notebook) = desk_world(Level::Delete).await;
    for (at, (era, way)) in EVERY.into_iter().enumerate() {
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let doc = document(&world, &notebook, &format!("Note {at}")).await;
        let other = document(&world, &notebook, &format!("Other {at}")).await;
        world.kernel.clear_log();
        let token = async |client: &mut Client, arguments: &Value| {
            let (said, failed) = content(&client.call("document", arguments.clone()).await);
            assert!(failed && said["error"]["type"] == "confirmation_required", "{said}");
            assert!(said["error"]["plan"]["removed"][0]["title"].is_string(), "{said}");
            said["error"]["confirm"].as_str().expect("a token").to_owned()
        };
        let with = |mut arguments: Value, token: &str| {
            arguments["confirm"] = json!(token);
            arguments
        };
        let given = token(&mut client, &remove(&doc)).await;
        let last = if given.ends_with('A') { 'B' } else { 'A' };
        let tampered = format!("{}{last}", &given[..given.len() - 1]);
        for wrong in [with(remove(&other), &given), with(remove(&doc), &tampered), with(remove(&doc), "")] {
            token(&mut client, &wrong).await;
        }
        assert_eq!(removals(&world), 0);
        // The document gets another title, so the approved plan no longer applies.
        world.raw("/api/filetree/renameDocByID", json!({ "id": doc, "title": format!("New {at}") })).await;
        let changed = client.call("document", with(remove(&doc), &given)).await;
        assert_eq!(error_type(&changed), "conflict", "{changed}");
        let fresh = token(&mut client, &remove(&doc)).await;
        let preview =
            client.call("document", json!({ "action": "remove", "ids": [doc], "preview": true })).await;
        assert!(!content(&preview).1);
        let done = client.call("document", with(remove(&doc), &fresh)).await;
        assert!(!content(&done).1, "{done}");
        token(&mut client, &with(remove(&other), &fresh)).await;
        assert_eq!(removals(&world), 1, "{era:?} {way:?}");
    }
}

/// B-071: the person's order comes from the command line or from the setting, which takes effect within a second.
#[tokio::test(flavor = "multi_thread")]
async fn confirmation_order_is_configurable() {
    let (world, doc) = desk("Note").await;
    let url = world.kernel.url();
    let mut blocked = Client::start(Era::Old, Way::Stdio, &url, &["--confirm", "ask,block"]).await;
    let (said, _) = content(&blocked.call("document", remove(&doc)).await);
    assert!(
        said["error"].get("confirm").is_none()
            && said["error"]["message"].as_str().unwrap().contains("--confirm")
    );
    // The gate uses a token although the client could show a form.
    let mut by_token = Client::with(Era::New, Way::Http, &url, &["--confirm", "token"], asking()).await;
    assert!(content(&by_token.call("document", remove(&doc)).await).0["error"]["confirm"].is_string());
    let mut client = Client::start(Era::Old, Way::Stdio, &url, &[]).await;
    assert!(content(&client.call("document", remove(&doc)).await).0["error"]["confirm"].is_string());
    let file = "/data/storage/petal/siyuan-mcp-puppy/mcpHttpSettings";
    world.write(file, &json!({ "confirm": ["block"] }).to_string()).await;
    until("the setting", async || {
        let (said, _) = content(&client.call("document", remove(&doc)).await);
        said["error"].get("confirm").is_none().then_some(())
    })
    .await;
    assert_eq!(removals(&world), 0);
}

/// B-070, B-071, B-074: every action that is always dangerous stops, and runs with the token it returned.
#[tokio::test(flavor = "multi_thread")]
async fn every_dangerous_action_stops_and_runs_with_its_token() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let mut client = Client::start(Era::New, Way::Stdio, &world.kernel.url(), &[]).await;
    let mut wrong = Vec::new();
    let asks = |it: &&&ActionSpec| matches!(it.danger, Danger::Always(_)) && !changes_assets(it);
    let dangerous: Vec<_> = ACTIONS.iter().filter(asks).collect();
    assert!(!dangerous.is_empty());
    for spec in dangerous {
        let desk = Desk::new(&world, &notebook, &spec.path().replace('.', " "), spec.examples[0]).await;
        let mut arguments: Map<String, Value> = desk.arguments(spec);
        let first = client.call(spec.tool.name(), Value::Object(arguments.clone())).await;
        let (said, failed) = content(&first);
        let Some(token) = said["error"]["confirm"].as_str().filter(|_| failed) else {
            wrong.push(format!("{} did not stop: {said}", spec.path()));
            continue;
        };
        let plan = said["error"]["plan"].as_object();
        if plan.is_none_or(Map::is_empty)
            || said["error"]["danger"].as_str().unwrap_or_default().contains('{')
        {
            wrong.push(format!("{} does not say what it would do: {said}", spec.path()));
        }
        arguments.insert("confirm".to_owned(), json!(token));
        let second = client.call(spec.tool.name(), Value::Object(arguments)).await;
        if second["isError"] == true {
            wrong.push(format!("{} did not run when confirmed: {second}", spec.path()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
