//! Tests of `system.get_config`: the settings that are shown, and folders in closed notebooks.

use serde_json::{Value, json};

use crate::testing::{FakeKernel, GARDEN, PRIVATE};
use crate::tools::system::testing::{data, faked};

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
    let all = data(faked(kernel(GARDEN), "get_config", json!({})).0);
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
    let closed = data(faked(kernel(PRIVATE), "get_config", json!({ "section": "file_tree" })).0);
    assert_eq!(closed, json!({ "file_tree": { "sort": 6, "maxListCount": 512 } }));
}

/// B-055: a folder in a closed notebook looks like one that is not set.
#[test]
fn a_closed_folder_looks_like_one_that_is_not_set() {
    let answer = |folder: [&str; 2]| {
        let [notebook, path] = folder.map(str::to_owned);
        let kernel = FakeKernel::new().answer("/api/system/getConf", move |_| {
            let mut conf = conf(GARDEN);
            for key in ["refCreate", "docCreate"] {
                conf["conf"]["fileTree"][format!("{key}SaveBox")] = json!(notebook);
                conf["conf"]["fileTree"][format!("{key}SavePath")] = json!(path);
            }
            conf
        });
        data(faked(kernel, "get_config", json!({ "section": "file_tree" })).0)
    };
    let unset = answer(["", ""]);
    assert_eq!(answer([PRIVATE, "/Seeds"]), unset);
    assert_eq!(answer([PRIVATE, ""]), unset);
    assert_eq!(answer(["", &format!("/{PRIVATE}/Notes")]), unset);
}
