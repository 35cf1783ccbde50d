//! The program's description of itself and of its tools, in both eras, over both transports (B-001 to B-014).

use std::time::Duration;

use expect_test::expect_file;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Effect, Tool};
use serde_json::{Value, json};

use crate::client::{Client, EVERY, Era, Way};
use crate::world::World;

/// An address at which nothing listens.
const NOWHERE: &str = "http://127.0.0.1:9";

fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

/// B-013, B-014: the greeting is the same in both eras and over both transports. `UPDATE_EXPECT=1` updates it.
#[tokio::test(flavor = "multi_thread")]
async fn greeting_matches_the_golden_file() {
    for (era, way) in EVERY {
        let client = Client::start(era, way, NOWHERE, &[]).await;
        let greeting = &client.greeting;
        let server = if era == Era::New {
            assert!(greeting["supportedVersions"].as_array().unwrap().contains(&json!("2025-11-25")));
            assert_eq!(greeting["cacheScope"], "private");
            assert!(greeting["ttlMs"].is_u64());
            &greeting["_meta"]["io.modelcontextprotocol/serverInfo"]
        } else {
            assert_eq!(greeting["protocolVersion"], "2025-11-25");
            &greeting["serverInfo"]
        };
        let mut server = server.clone();
        assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
        server["version"] = json!("x");
        let said = json!({
            "server": server,
            "capabilities": greeting["capabilities"],
            "instructions": greeting["instructions"],
        });
        let said = serde_json::to_string_pretty(&said).unwrap();
        expect_file!["golden/greeting.json"].assert_eq(&format!("{said}\n"));
    }
}

/// B-001, B-002, B-006, B-011.
#[tokio::test(flavor = "multi_thread")]
async fn tool_prefix_changes_names_only() {
    let world = World::new().await;
    for (era, way) in EVERY {
        let mut plain = Client::start(era, way, &world.kernel.url(), &[]).await;
        let plain = plain.ask("tools/list", json!({})).await.unwrap();
        let mut client = Client::start(era, way, &world.kernel.url(), &["--tool-prefix", "siyuan_"]).await;
        let list = client.ask("tools/list", json!({})).await.unwrap();
        let expected: Vec<String> = names(&plain).iter().map(|name| format!("siyuan_{name}")).collect();
        assert_eq!(names(&list), expected);
        assert!(list.to_string().len() <= 13_500, "{}", list.to_string().len());
        assert_eq!((&list["cacheScope"], list["ttlMs"].is_u64()), (&json!("private"), true));
        assert_eq!(list["tools"][0]["description"], plain["tools"][0]["description"]);
        let called = client.call("siyuan_notebook", json!({ "action": "list" })).await;
        assert!(called["content"][0]["text"].as_str().unwrap().contains("Garden"), "{called}");
        let unknown = client.ask("tools/call", json!({ "name": "notebook", "arguments": {} })).await;
        let unknown = unknown.unwrap_err();
        assert_eq!(unknown["code"], -32602);
        assert!(unknown["message"].as_str().unwrap().contains("siyuan_notebook"), "{unknown}");
    }
}

/// B-007: the hints match the declared actions; each tool has a display name.
#[tokio::test(flavor = "multi_thread")]
async fn tool_hints_match_the_declarations() {
    for (era, way) in EVERY {
        let mut client = Client::start(era, way, NOWHERE, &[]).await;
        let list = client.ask("tools/list", json!({})).await.unwrap();
        for tool in list["tools"].as_array().unwrap() {
            let of_tool =
                || ACTIONS.iter().filter(|spec| spec.default_on && tool["name"] == spec.tool.name());
            let due = json!({
                "readOnlyHint": of_tool().all(|spec| spec.worst == Effect::Read),
                "destructiveHint": of_tool().any(|spec| spec.worst == Effect::Destructive),
                "idempotentHint": of_tool().all(|spec| spec.idempotent),
                "openWorldHint": of_tool().any(|spec| spec.worst == Effect::External),
            });
            assert_eq!(tool["annotations"], due, "{}", tool["name"]);
            let named = Tool::ALL.into_iter().find(|it| tool["name"] == it.name()).map(Tool::title);
            assert!(tool["title"].as_str().unwrap().starts_with(&named.unwrap()), "{tool}");
            // B-016.
            assert_eq!(tool["_meta"]["anthropic/alwaysLoad"], true, "{tool}");
            assert!(tool["_meta"]["anthropic/searchHint"].is_string(), "{tool}");
        }
    }
}

/// B-006: a compact list is small, and every tool is in it.
#[tokio::test(flavor = "multi_thread")]
async fn compact_tool_list_is_small_and_complete() {
    let mut full = Client::start(Era::New, Way::Stdio, NOWHERE, &[]).await;
    let full = full.ask("tools/list", json!({})).await.unwrap();
    let mut client = Client::start(Era::New, Way::Stdio, NOWHERE, &["--compact"]).await;
    let list = client.ask("tools/list", json!({})).await.unwrap();
    assert!(list.to_string().len() <= 8_000, "{}", list.to_string().len());
    assert!(list.to_string().len() < full.to_string().len());
    assert_eq!(names(&list), names(&full));
    for tool in list["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"].as_object().unwrap().len(), 4, "{tool}");
        assert!(tool["description"].as_str().unwrap().contains("help"));
    }
}

/// B-024, B-025, B-027: arguments added by hosts are dropped, an unknown argument is named, and errors are results.
#[tokio::test(flavor = "multi_thread")]
async fn host_arguments_are_dropped_and_unknown_arguments_are_named() {
    let world = World::new().await;
    for (era, way) in EVERY {
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let hosts = json!({ "action": "list", "_sessionID": "s", "_meta": {}, "_requestId": 7 });
        let done = client.call("notebook", hosts).await;
        assert_ne!(done["isError"], true, "{done}");
        assert!(done.get("structuredContent").is_none());
        let failed = client.call("notebook", json!({ "action": "list", "include_close": true })).await;
        let text = failed["content"][0]["text"].as_str().unwrap();
        assert_eq!((&failed["isError"], failed.get("structuredContent")), (&json!(true), None));
        assert!(text.contains("include_close") && text.contains("include_closed"), "{text}");
    }
}

/// B-020 for lists: a cursor that no list returned is refused.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_list_cursor_is_refused() {
    let world = World::new().await;
    let mut client = Client::start(Era::Old, Way::Stdio, &world.kernel.url(), &[]).await;
    for method in ["tools/list", "resources/list", "resources/templates/list"] {
        let error = client.ask(method, json!({ "cursor": "x" })).await.expect_err(method);
        assert_eq!(error["code"], -32602, "{method}");
    }
}

/// The names that a list offers, and the tools of it that a client may call without asking.
fn offered(list: &Value) -> (Vec<String>, Vec<&str>) {
    let tools = list["tools"].as_array().unwrap();
    let of = |tool: &Value| -> Vec<String> {
        let names = tool["inputSchema"]["properties"]["action"]["enum"].as_array().unwrap().iter();
        names.map(|it| format!("{}.{}", tool["name"].as_str().unwrap(), it.as_str().unwrap())).collect()
    };
    let reads = tools.iter().filter(|it| it["annotations"]["readOnlyHint"] == true);
    (tools.iter().flat_map(of).collect(), reads.map(|it| it["name"].as_str().unwrap()).collect())
}

/// B-010, B-015: a list has what some notebook's level allows; a left-out action says the words of the list; a raised
/// level is announced and brings the action back.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_what_some_level_allows() {
    const MORE: &str =
        "A person can allow more in SiYuan: Settings of the plugin MCP Puppy, Permissions and Agents.";
    for (era, way) in [(Era::Old, Way::Stdio), (Era::New, Way::Http)] {
        let world = World::new().await;
        let garden = world.notebook("Garden").await;
        world.set_table(&world.only(&garden, "r").await).await;
        let mut client = Client::start(era, way, &world.kernel.url(), &[]).await;
        let list = client.ask("tools/list", json!({})).await.unwrap();
        let (names, reads) = offered(&list);
        assert!(
            names.contains(&"fs.read".to_owned()) && !names.contains(&"fs.write".to_owned()),
            "{names:?}"
        );
        assert!(["fs", "document", "block", "search"].iter().all(|it| reads.contains(it)), "{reads:?}");
        assert!(list["tools"][0]["description"].as_str().unwrap().ends_with(MORE), "{list}");
        let remove = json!({ "action": "remove", "ids": [garden] });
        let refused = client.call("document", remove).await.to_string();
        assert!(refused.contains("permission_denied") && refused.contains(MORE), "{refused}");
        world.set_table(&world.only(&garden, "rw").await).await;
        match era {
            Era::Old => drop(client.hear("notifications/tools/list_changed").await),
            // Nothing was subscribed to.
            Era::New => tokio::time::sleep(Duration::from_millis(1_100)).await,
        }
        let list = client.ask("tools/list", json!({})).await.unwrap();
        let (names, reads) = offered(&list);
        assert!(names.contains(&"fs.write".to_owned()), "{names:?}");
        assert!(!names.contains(&"document.remove".to_owned()), "{names:?}");
        assert!(!["fs", "document", "block", "search"].iter().any(|it| reads.contains(it)), "{reads:?}");
    }
}

/// B-015: of two halves only one can change anything, whatever a call says; arguments and answers are the same.
#[tokio::test(flavor = "multi_thread")]
async fn the_half_that_only_reads_changes_nothing() {
    let world = World::new().await;
    let garden = world.notebook("Garden").await;
    world.set_table(&world.only(&garden, "rwd").await).await;
    let arguments = ["--surface", "split", "--tool-prefix", "siyuan_"];
    let mut client = Client::start(Era::Old, Way::Stdio, &world.kernel.url(), &arguments).await;
    let list = client.ask("tools/list", json!({})).await.unwrap();
    let (names, reads) = offered(&list);
    assert!(names.contains(&"siyuan_fs.read".to_owned()), "{names:?}");
    assert!(names.contains(&"siyuan_fs_edit.write".to_owned()), "{names:?}");
    assert!(!names.contains(&"siyuan_fs.write".to_owned()), "{names:?}");
    assert!(reads.contains(&"siyuan_fs") && !reads.contains(&"siyuan_fs_edit"), "{reads:?}");
    let write = json!({ "action": "write", "path": "/Garden/Half", "markdown": "One." });
    let refused = client.call("siyuan_fs", write.clone()).await;
    let text = refused.to_string();
    assert!(refused["isError"] == true && text.contains("fs_edit"), "{text}");
    let read = json!({ "action": "read", "path": "/Garden/Half" });
    assert_eq!(client.call("siyuan_fs", read.clone()).await["isError"], true);
    assert_ne!(client.call("siyuan_fs_edit", write).await["isError"], true);
    assert_ne!(client.call("siyuan_fs", read).await["isError"], true);
}
