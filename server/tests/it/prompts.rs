//! Prompts and completion through the program, in both eras, over both transports (B-118, B-119).

use serde_json::{Value, json};

use crate::client::{Client, EVERY, Era, Way};
use crate::resources::doc;
use crate::world::{CANARY, World};

const BUILTIN: [&str; 5] =
    ["daily_review", "summarise_notebook", "tidy_document", "import_source", "weekly_digest"];

async fn made(world: &World, notebook: &str, path: &str, markdown: &str, tags: &str) -> String {
    let notebook = world.notebook(notebook).await;
    let body = json!({ "notebook": notebook, "path": path, "markdown": markdown });
    let id = world.raw("/api/filetree/createDocWithMd", body).await.as_str().unwrap().to_owned();
    world.raw("/api/attr/setBlockAttrs", json!({ "id": id, "attrs": { "tags": tags } })).await;
    world.raw("/api/sqlite/flushTransaction", json!({})).await;
    id
}

async fn get(client: &mut Client, name: &str, arguments: Value) -> Result<String, Value> {
    let got = client.ask("prompts/get", json!({ "name": name, "arguments": arguments })).await?;
    assert!(got["messages"].as_array().unwrap().iter().all(|it| it["role"] == "user"));
    Ok(got["messages"].to_string())
}

/// B-118: our own prompts first, then readable documents with the tag; closed ones are absent.
#[tokio::test(flavor = "multi_thread")]
async fn prompts_list_builtin_and_tagged_documents() {
    let world = World::new().await;
    made(&world, "Garden", "/Ask the Garden", "What grows \u{202e}now?", "prompt,other").await;
    made(&world, "Garden", "/Elsewhere/Ask the garden", "Again", "prompt").await;
    made(&world, "Garden", "/Not one", "Not", "prompts").await;
    made(&world, "Private", "/Ask the diary", CANARY, "prompt").await;
    for (era, way) in EVERY {
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let list = client.ask("prompts/list", json!({})).await.unwrap();
        let prompts = list["prompts"].as_array().unwrap();
        let names: Vec<&str> = prompts.iter().map(|it| it["name"].as_str().unwrap()).collect();
        assert_eq!((&names[..5], names[5], names.len()), (&BUILTIN[..], "ask_the_garden", 7), "{names:?}");
        assert!(names[6].starts_with("ask_the_garden_"), "{names:?}");
        for prompt in &prompts[..5] {
            assert!(
                prompt["arguments"]
                    .as_array()
                    .is_some_and(|it| it.iter().all(|it| it["required"].is_boolean()))
            );
            assert!(prompt["title"].is_string() && prompt["description"].is_string());
        }
        let text = get(&mut client, "ask_the_garden", json!({})).await.unwrap();
        assert!(text.contains("What grows ⟨U+202E⟩now?"), "{text}");
        let gone = get(&mut client, "ask_the_diary", json!({})).await.unwrap_err();
        let missing = get(&mut client, "ask_the_dairy", json!({})).await.unwrap_err();
        assert_eq!(gone, missing);
        assert_eq!(gone["code"], -32602);
        assert!(!list.to_string().contains("diary"));
    }
}

/// B-118: arguments are checked against their kinds, and the items they name must be readable.
#[tokio::test(flavor = "multi_thread")]
async fn prompt_arguments_are_checked() {
    let world = World::new().await;
    let mint = doc(&world, "Garden", "/Plants/Mint").await;
    let money = doc(&world, "Private", "/Money").await;
    for (era, way) in EVERY {
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let review = get(&mut client, "daily_review", json!({ "date": "2025-04-06" })).await.unwrap();
        assert!(review.contains("notes of 2025-04-06"), "{review}");
        assert!(!review.contains("in the notebook"), "{review}");
        let tidy =
            get(&mut client, "tidy_document", json!({ "document": "/Garden/Plants/Mint" })).await.unwrap();
        assert!(tidy.contains(&mint) && tidy.contains(&format!("siyuan://doc/{mint}")), "{tidy}");
        let digest = get(&mut client, "weekly_digest", json!({ "notebook": "Garden", "tag": "herb" })).await;
        assert!(digest.unwrap().contains("last 7 days of my notes in the notebook Garden"));
        for (name, arguments, field) in [
            ("daily_review", json!({ "date": "2025-02-30" }), "`date`"),
            ("daily_review", json!({ "day": "x" }), "`day`"),
            ("summarise_notebook", json!({}), "`notebook`"),
            ("summarise_notebook", json!({ "notebook": "Garden", "length": "huge" }), "short, medium, long"),
            ("weekly_digest", json!({ "days": "32" }), "1 to 31"),
        ] {
            let error = get(&mut client, name, arguments).await.unwrap_err();
            assert_eq!(error["code"], -32602);
            assert!(error["message"].as_str().unwrap().contains(field), "{error}");
        }
        let closed =
            get(&mut client, "summarise_notebook", json!({ "notebook": "Private" })).await.unwrap_err();
        let missing =
            get(&mut client, "summarise_notebook", json!({ "notebook": "Privacy" })).await.unwrap_err();
        assert_eq!(closed, missing);
        let closed = get(&mut client, "tidy_document", json!({ "document": money })).await.unwrap_err();
        let nothing = json!({ "document": "20010101000000-aaaaaaa" });
        assert_eq!(closed, get(&mut client, "tidy_document", nothing).await.unwrap_err());
    }
}

async fn proposed(client: &mut Client, of: &Value, name: &str, typed: &str, others: Value) -> Vec<String> {
    let params = json!({ "ref": of, "argument": { "name": name, "value": typed }, "context": { "arguments": others } });
    let found = client.ask("completion/complete", params).await.unwrap();
    let values = found["completion"]["values"].as_array().unwrap().clone();
    assert!(values.len() <= 100);
    values.iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

/// B-119: completion proposes notebooks, tags, documents, ids, tools and actions, but nothing unreadable.
#[tokio::test(flavor = "multi_thread")]
async fn completion_proposes_readable_items_only() {
    let world = World::new().await;
    made(&world, "Garden", "/Sage", "dry #quiet/herb#", "kitchen").await;
    made(&world, "Private", "/Sagas", "#quicksilver#", "kitchenette").await;
    let mint = doc(&world, "Garden", "/Plants/Mint").await;
    let money = doc(&world, "Private", "/Money").await;
    let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
    let template = |uri: &str| json!({ "type": "ref/resource", "uri": uri });
    let (help, document) =
        (template("siyuan://help/action/{tool}/{action}"), template("siyuan://doc/{id}{?depth}"));
    for (era, way) in EVERY {
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let none = json!({});
        assert_eq!(proposed(&mut client, &help, "tool", "f", none.clone()).await[0], "fs");
        let actions = proposed(&mut client, &help, "action", "re", json!({ "tool": "fs" })).await;
        assert_eq!(actions[0], "read");
        assert_eq!(proposed(&mut client, &document, "depth", "", none.clone()).await, ["0", "1", "2", "3"]);
        assert!(proposed(&mut client, &document, "id", "Mint", none.clone()).await.contains(&mint));
        assert!(proposed(&mut client, &document, "id", &mint[..20], none.clone()).await.contains(&mint));
        assert!(proposed(&mut client, &document, "id", &money, none.clone()).await.is_empty());
        assert!(!proposed(&mut client, &document, "id", "", none.clone()).await.contains(&money));
        let notebooks = proposed(&mut client, &prompt("weekly_digest"), "notebook", "", none.clone()).await;
        assert!(notebooks.contains(&"Garden".to_owned()) && !notebooks.contains(&"Private".to_owned()));
        let tags = proposed(&mut client, &prompt("weekly_digest"), "tag", "qui", none.clone()).await;
        assert_eq!(tags, ["quiet/herb"]);
        let paths = proposed(&mut client, &prompt("tidy_document"), "document", "sag", none.clone()).await;
        assert_eq!(paths, ["/Garden/Sage"]);
        assert_eq!(proposed(&mut client, &prompt("summarise_notebook"), "length", "l", none).await, ["long"]);
        let strange = json!({ "ref": prompt("nothing"), "argument": { "name": "x", "value": "" } });
        assert_eq!(client.ask("completion/complete", strange).await.unwrap_err()["code"], -32602);
    }
}

/// B-012: without SiYuan our own prompts are available, and tools can be completed.
#[tokio::test(flavor = "multi_thread")]
async fn builtin_prompts_work_without_siyuan() {
    let mut client = Client::start(Era::Old, Way::Stdio, "http://127.0.0.1:9", &[]).await;
    let list = client.ask("prompts/list", json!({})).await.unwrap();
    assert_eq!(list["prompts"].as_array().unwrap().len(), BUILTIN.len());
    let help = json!({ "type": "ref/resource", "uri": "siyuan://help/action/{tool}/{action}" });
    assert!(proposed(&mut client, &help, "tool", "", json!({})).await.contains(&"fs".to_owned()));
}
