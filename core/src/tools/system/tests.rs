//! Tests of the actions of SiYuan itself: settings, messages, sync, snapshots.

use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::kernel::api::repo::PAGE;
use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::world::{self, Nobody, World, world};
use crate::testing::{FakeKernel, GARDEN, PRIVATE, call, engine};

fn system(kernel: FakeKernel, action: &str, mut arguments: Value) -> (Reply, Vec<(&'static str, Value)>) {
    arguments["action"] = json!(action);
    let engine = engine(kernel);
    (call(&engine, Tool::System, arguments), engine.kernel.asked())
}

fn in_world(engine: &Engine<World, Nobody>, action: &str, mut arguments: Value) -> Reply {
    arguments["action"] = json!(action);
    engine.kernel.pass(1_000);
    world::call(engine, Tool::System, &arguments, &Approval::Given)
}

fn data(reply: Reply) -> Value {
    Value::Object(reply.unwrap().data)
}

/// The configuration with a secret beside every setting that is shown (K15).
fn conf(box_id: &str) -> Value {
    json!({ "conf": {
        "lang": "en", "api": { "token": "secret" }, "cookieKey": "secret", "userData": "secret",
        "editor": {
            "readOnly": false, "codeTabSpaces": 4, "markdown": { "inlineSup": true }, "fontFamily": "secret",
            "virtualBlockRef": true, "virtualBlockRefInclude": "secret", "katexMacros": "secret", "generateHistoryInterval": 10,
        },
        "export": { "addTitle": true, "blockRefMode": 2, "pandocBin": "/home/secret", "includeSubDocs": ["secret"] },
        "fileTree": {
            "sort": 6, "maxListCount": 512, "refCreateSaveBox": box_id, "refCreateSavePath": "/Seeds",
            "docCreateSaveBox": "", "docCreateSavePath": format!("/{box_id}/Notes"), "shorthandSavePath": "secret",
        },
        "search": { "paragraph": true, "limit": 64, "caseSensitive": false, "words": "secret", "other": { "a": "secret" } },
        "flashcard": { "newCardLimit": 5, "reviewCardLimit": 9, "reviewMode": 1, "requestRetention": 0.8, "maximumInterval": 30, "weights": "secret" },
        "appearance": { "mode": 1, "lang": "en", "themeDark": "secret" },
        "sync": {
            "enabled": true, "mode": 1, "provider": 3, "synced": 1_700_000_000_000_u64, "stat": "Uploaded 12 files",
            "cloudName": "secret", "webdav": { "password": "secret" },
        },
        "repo": { "key": "secret" },
    } })
}

#[test]
fn get_config_returns_allowed_settings_only() {
    let kernel = |id: &'static str| FakeKernel::new().answer("/api/system/getConf", move |_| conf(id));
    let all = data(system(kernel(GARDEN), "get_config", json!({})).0);
    assert_eq!(
        all,
        json!({
            "editor": { "readOnly": false, "codeTabSpaces": 4, "markdown": { "inlineSup": true }, "virtualBlockRef": true, "generateHistoryInterval": 10 },
            "export": { "addTitle": true, "blockRefMode": 2 },
            "file_tree": { "sort": 6, "maxListCount": 512, "refCreateSavePath": "/Seeds", "docCreateSavePath": format!("/{GARDEN}/Notes") },
            "search": { "paragraph": true, "limit": 64, "caseSensitive": false },
            "flashcard": { "newCardLimit": 5, "reviewCardLimit": 9, "reviewMode": 1, "requestRetention": 0.8, "maximumInterval": 30 },
            "appearance": { "mode": "dark", "lang": "en" },
            "sync": { "enabled": true, "mode": 1, "provider": "webdav", "synced": "2023-11-14T22:13:20Z", "stat": "Uploaded # files" },
        })
    );
    // A folder in a closed notebook is left out, whichever way it is named.
    let closed = data(system(kernel(PRIVATE), "get_config", json!({ "section": "file_tree" })).0);
    assert_eq!(closed, json!({ "file_tree": { "sort": 6, "maxListCount": 512 } }));
}

/// B-055: a folder in a closed notebook looks like one that is not set.
#[test]
fn a_closed_folder_looks_like_one_that_is_not_set() {
    let told = |folder: [&str; 2]| {
        let [notebook, path] = folder.map(str::to_owned);
        let kernel = FakeKernel::new().answer("/api/system/getConf", move |_| {
            let mut conf = conf(GARDEN);
            for key in ["refCreate", "docCreate"] {
                conf["conf"]["fileTree"][format!("{key}SaveBox")] = json!(notebook);
                conf["conf"]["fileTree"][format!("{key}SavePath")] = json!(path);
            }
            conf
        });
        data(system(kernel, "get_config", json!({ "section": "file_tree" })).0)
    };
    let unset = told(["", ""]);
    assert_eq!(told([PRIVATE, "/Seeds"]), unset);
    assert_eq!(told([PRIVATE, ""]), unset);
    assert_eq!(told(["", &format!("/{PRIVATE}/Notes")]), unset);
}

#[test]
fn changelog_is_read_by_version() {
    let read = |arguments: Value| system(FakeKernel::new(), "get_changelog", arguments);
    let (reply, asked) = read(json!({ "version": env!("CARGO_PKG_VERSION") }));
    let reply = reply.unwrap();
    assert!(reply.body.unwrap().starts_with(&format!("## {}", env!("CARGO_PKG_VERSION"))));
    assert_eq!((&reply.data["shown"], asked.len()), (&json!(1), 0));
    assert_eq!(data(read(json!({ "since": "999.0" })).0)["shown"], 0);
    // Only what is newer than the version that the caller knows.
    let since = read(json!({ "since": env!("CARGO_PKG_VERSION") })).0.unwrap();
    assert!(!since.body.unwrap().contains(&format!("## {}", env!("CARGO_PKG_VERSION"))));
    for wrong in [
        json!({ "version": "0.0.0" }),
        json!({ "since": "soon" }),
        json!({ "since": "0.1", "version": "0.1.0" }),
    ] {
        assert_eq!(read(wrong.clone()).0.unwrap_err().kind, ErrorType::Validation, "{wrong}");
    }
}

/// A message is HTML for the page, so what an agent writes is escaped.
#[test]
fn notify_sends_plain_text() {
    let kernel = || {
        let told = |_: &Value| json!({ "id": "abc" });
        FakeKernel::new()
            .answer("/api/notification/pushMsg", told)
            .answer("/api/notification/pushErrMsg", told)
    };
    let (reply, asked) = system(kernel(), "notify", json!({ "message": "<b onclick='x'>a & \"b\"</b>" }));
    assert_eq!(data(reply), json!({ "shown_to": "open windows" }));
    let html = "&lt;b onclick=&#39;x&#39;&gt;a &amp; &quot;b&quot;&lt;/b&gt;";
    assert_eq!(asked, [("/api/notification/pushMsg", json!({ "msg": html, "timeout": 7_000 }))]);
    let (_, asked) = system(kernel(), "notify", json!({ "message": "a", "level": "error", "seconds": 2 }));
    assert_eq!(asked, [("/api/notification/pushErrMsg", json!({ "msg": "a", "timeout": 2_000 }))]);
    for wrong in [
        json!({ "message": " \u{200b}" }),
        json!({ "message": "" }),
        json!({ "message": "a", "seconds": 61 }),
    ] {
        let (reply, asked) = system(kernel(), "notify", wrong.clone());
        assert_eq!((reply.unwrap_err().kind, asked.len()), (ErrorType::Validation, 0), "{wrong}");
    }
    let (reply, asked) = system(kernel(), "notify", json!({ "message": "a", "preview": true }));
    assert_eq!((data(reply)["message"].clone(), asked.len()), (json!("a"), 0));
}

/// A kernel whose sync ends after some looks at it.
fn syncing(conf: Value, looks: usize) -> FakeKernel {
    let seen = std::sync::atomic::AtomicUsize::new(0);
    FakeKernel::new()
        .answer("/api/system/getConf", move |_| json!({ "conf": { "sync": conf } }))
        .answer("/api/sync/performSync", |_| Value::Null)
        .answer("/api/sync/getSyncInfo", move |_| {
            let done = seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > looks;
            let (synced, stat) = if done { (1_700_000_000_000_u64, "Sent 12 files") } else { (0, "") };
            json!({ "synced": synced, "stat": stat, "kernel": "k", "kernels": [{ "hostname": "secret" }] })
        })
}

#[test]
fn sync_waits_for_its_outcome() {
    for (looks, expected) in [
        (0, json!({ "stat": "Sent # files", "synced": "2023-11-14T22:13:20Z" })),
        (5, json!({ "stat": "Sent # files", "synced": "2023-11-14T22:13:20Z" })),
        (1_000, json!({ "unfinished": true })),
    ] {
        let engine = engine(syncing(json!({ "enabled": true, "mode": 1 }), looks));
        let reply = call(&engine, Tool::System, json!({ "action": "sync", "preview": true })).unwrap();
        assert_eq!(reply.data["would"], "sync");
        let approved = futures_util::FutureExt::now_or_never(engine.dispatch(
            crate::dispatch::Call {
                tool: Tool::System,
                arguments: json!({ "action": "sync" }).as_object().cloned().unwrap(),
                part: crate::part::Part::Whole,
                transport: crate::activity::Transport::Stdio,
                client: String::new(),
            },
            &Approval::Given,
        ));
        assert_eq!(data(approved.unwrap()), expected, "{looks}");
    }
}

/// Sync sends every notebook, so a person approves it; it is refused where it would do nothing.
#[test]
fn sync_needs_an_approval_and_must_be_switched_on() {
    for (conf, kind) in [
        (json!({ "enabled": true, "mode": 1 }), ErrorType::ConfirmationRequired),
        (json!({ "enabled": false, "mode": 1 }), ErrorType::Api),
        (json!({ "enabled": true, "mode": 3 }), ErrorType::Api),
    ] {
        let (reply, asked) = system(syncing(conf, 0), "sync", json!({}));
        assert_eq!(reply.unwrap_err().kind, kind);
        assert!(asked.iter().all(|(path, _)| !path.contains("/sync/")), "{asked:?}");
    }
}

/// A world with a repository key, and the first snapshot.
fn with_key() -> Engine<World, Nobody> {
    let world =
        world().notebook("Private", "none").doc("/Private/Letters", "cinnabar").doc("/Garden/Plants", "mint");
    world.ask("repo/initRepoKey", &json!({}));
    Engine::new(world, Nobody)
}

/// B-055: whether closed notebooks changed cannot be told from a snapshot that was not made.
#[test]
fn snapshot_is_made_whether_anything_changed_or_not() {
    let engine = with_key();
    let mut ids = Vec::new();
    for at in 0..4 {
        if at == 2 {
            let body = json!({ "id": engine.kernel.id("/Private/Letters#0"), "dataType": "markdown", "data": "anew" });
            engine.kernel.ask("block/updateBlock", &body);
        }
        let made = data(in_world(&engine, "create_snapshot", json!({ "memo": "again" })));
        assert_eq!(made["memo"], "again");
        ids.push(made["id"].to_string());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
}

#[test]
fn snapshot_tag_is_never_taken_from_another() {
    let engine = with_key();
    let made = data(in_world(&engine, "create_snapshot", json!({ "memo": "one", "tag": "spring" })));
    assert_eq!(made["tag"], "spring");
    let error = in_world(&engine, "create_snapshot", json!({ "memo": "two", "tag": "spring" })).unwrap_err();
    assert_eq!((error.kind, &error.details["id"]), (ErrorType::Conflict, &made["id"]));
    for tag in ["a/b", "..", "a:b", "", " a", "a\nb"] {
        let error = in_world(&engine, "create_snapshot", json!({ "memo": "two", "tag": tag })).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation, "{tag:?}");
    }
    assert_eq!(
        in_world(&engine, "create_snapshot", json!({ "memo": " " })).unwrap_err().kind,
        ErrorType::Validation
    );
    let listed = data(in_world(&engine, "list_snapshots", json!({ "tagged": true })));
    assert_eq!((&listed["total"], &listed["items"][0]["tag"]), (&json!(1), &json!("spring")));
    // A tag that SiYuan refuses is told beside the snapshot that was made.
    engine.kernel.fail("/api/repo/tagSnapshot", "disk full");
    let partly = data(in_world(&engine, "create_snapshot", json!({ "memo": "three", "tag": "summer" })));
    assert_eq!((&partly["done"], &partly["failed"][0]["what"]), (&json!(["snapshot"]), &json!("tag")));
}

/// B-034: a preview makes none.
#[test]
fn snapshots_are_listed_page_by_page_without_counts() {
    let engine = with_key();
    data(in_world(&engine, "create_snapshot", json!({ "memo": "preview", "preview": true })));
    for at in 0..PAGE + 8 {
        in_world(&engine, "create_snapshot", json!({ "memo": format!("m{at}") })).unwrap();
    }
    let mut memos = Vec::new();
    let mut arguments = json!({ "limit": 15 });
    for _ in 0..6 {
        let page = data(in_world(&engine, "list_snapshots", arguments.clone()));
        assert_eq!(page.get("total"), None, "{page}");
        for item in page["items"].as_array().unwrap() {
            assert!(
                item.as_object().unwrap().keys().all(|key| matches!(key.as_str(), "id" | "created" | "memo")),
                "{item}"
            );
            memos.push(item["memo"].as_str().unwrap().to_owned());
        }
        let Some(next) = page.get("next") else { break };
        arguments["cursor"] = next.clone();
    }
    let mut expected: Vec<String> = (0..PAGE + 8).rev().map(|at| format!("m{at}")).collect();
    expected.push("[Init] Init local data repo".to_owned());
    assert_eq!(memos, expected);
    let open = Engine::new(world(), Nobody);
    open.kernel.ask("repo/initRepoKey", &json!({}));
    let all = data(in_world(&open, "list_snapshots", json!({})));
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(1), Some(1)));
}

/// B-055: SiYuan makes a snapshot before it synchronizes only where something changed, perhaps in a closed notebook.
/// Such snapshots are not listed, and neither a count nor a cursor includes them.
#[test]
fn snapshots_of_sync_tell_nothing_of_closed_notebooks() {
    let (quiet, busy) = (with_key(), with_key());
    for at in 0..3 {
        for engine in [&quiet, &busy] {
            in_world(engine, "create_snapshot", json!({ "memo": format!("m{at}") })).unwrap();
        }
        for change in 0..PAGE {
            let id = busy.kernel.id("/Private/Letters#0");
            let data = format!("anew {at} {change}");
            busy.kernel.ask("block/updateBlock", &json!({ "id": id, "dataType": "markdown", "data": data }));
            busy.kernel.ask("repo/createSnapshot", &json!({ "memo": "[Sync] Cloud sync" }));
        }
    }
    for arguments in [json!({}), json!({ "limit": 2 }), json!({ "limit": 2, "cursor": "2" })] {
        let told = |engine| {
            let mut page = data(in_world(engine, "list_snapshots", arguments.clone()));
            let items = page["items"].as_array_mut().unwrap();
            let memos: Vec<Value> = items.iter_mut().map(|it| it["memo"].take()).collect();
            (memos, page.get("next").cloned(), page.get("total").cloned())
        };
        let (seen, expected) = (told(&busy), told(&quiet));
        assert!(!expected.0.is_empty());
        assert_eq!(seen, expected, "{arguments}");
    }
    let open = json!({ busy.kernel.id("/Garden"): "rw", busy.kernel.id("/Private"): "r" });
    busy.kernel.put("notebookPermissions", &open);
    assert_eq!(data(in_world(&busy, "list_snapshots", json!({})))["total"], 4 + 3 * PAGE);
}

/// The kernel reports success for a snapshot that it did not make.
#[test]
fn a_snapshot_that_was_there_before_is_not_a_new_one() {
    let list = json!({ "snapshots": [{ "id": "abc", "memo": "old", "created": 1, "tag": "" }], "pageCount": 1, "totalCount": 1 });
    let kernel = FakeKernel::new()
        .answer("/api/system/getConf", |_| json!({ "conf": { "repo": { "key": "secret" } } }))
        .answer("/api/repo/getRepoSnapshots", move |_| list.clone())
        .answer("/api/repo/createSnapshot", |_| Value::Null);
    let error = system(kernel, "create_snapshot", json!({ "memo": "again" })).0.unwrap_err();
    assert_eq!(error.kind, ErrorType::Conflict);
}

#[test]
fn snapshots_without_a_key_name_the_way_to_it() {
    let engine = Engine::new(world(), Nobody);
    for (action, arguments) in [("list_snapshots", json!({})), ("create_snapshot", json!({ "memo": "a" }))] {
        let error = in_world(&engine, action, arguments).unwrap_err();
        assert_eq!(error.kind, ErrorType::Api);
        assert!(error.message.contains("repository key"), "{}", error.message);
    }
}
