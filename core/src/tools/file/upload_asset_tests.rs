//! Tests of `file.upload_asset`: names, folders, content, the transfer folder, and links to pages.

use expect_test::expect;
use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::world::{Nobody, call, check};
use crate::tools::file::testing::{PNG, ask, refused, workspace};

#[test]
fn a_text_is_uploaded_and_linked() {
    check(
        "file.upload_asset",
        workspace("rw"),
        &json!({ "id": "{/Garden/Beds}", "name": "../My list.TXT", "text": "mint", "folder": "lists", "append": true }),
        &expect![[r#"
            getPathByID putFile appendBlock
            {"path":"assets/lists/My_list-{new 1}.txt","markdown":"[My_list](assets/lists/My_list-{new 1}.txt)","size":4,"block":"{new 2}"}
        "#]],
    );
}

/// The kernel would answer the path of a file with the same content, of whatever notebook it is.
#[test]
fn an_upload_does_not_tell_who_has_the_same_file() {
    let engine = Engine::new(workspace("none"), Nobody);
    let upload = || {
        let sent = json!({ "action": "upload_asset", "id": "{/Garden/Beds}", "name": "secret.png", "base64": "iVBORw0KGgpyZXN0IG9mIGEgcGljdHVyZQ==" });
        ask(&engine, &sent).unwrap().data
    };
    let (one, two) = (upload(), upload());
    assert_ne!(one["path"], two["path"]);
    assert!(one["markdown"].as_str().unwrap().starts_with("![secret](assets/secret-"), "{one:?}");
    let body = json!({ "path": format!("/data/{}", one["path"].as_str().unwrap()) });
    let stored = engine.kernel.demo.answer("/api/file/getFile", body.to_string().as_bytes());
    assert_eq!(stored.body, PNG);
}

/// B-059: no name and no folder leads out of the folder of assets; pages that run scripts are not stored.
#[test]
fn hostile_uploads_are_refused() {
    let engine = Engine::new(workspace("rw"), Nobody);
    let upload = |more: Value| {
        let mut sent =
            json!({ "action": "upload_asset", "id": "{/Garden/Beds}", "name": "a.txt", "text": "x" });
        for (key, value) in more.as_object().unwrap() {
            sent[key] = value.clone();
        }
        ask(&engine, &sent)
    };
    for folder in [
        "..",
        "../conf",
        "a/../../conf",
        "/etc",
        "a//b",
        "a/",
        ".",
        "a/.hidden",
        "a\\..\\b",
        "a:b",
        "C:",
        "a b",
        "a%2f..",
        "a\u{0}",
        "a\nb",
        "~",
        "storage?x",
        " ",
        "x/.",
    ] {
        assert_eq!(
            upload(json!({ "folder": folder })).unwrap_err().kind,
            ErrorType::Validation,
            "{folder:?}"
        );
    }
    for name in ["plan", ".png", "a.", "../..", "//"] {
        assert_eq!(upload(json!({ "name": name })).unwrap_err().kind, ErrorType::Validation, "{name:?}");
    }
    let svg = "<svg onload=\"alert(1)\"/>";
    // A browser takes a file of an unknown type for a page if it begins like one.
    let page = "<!doctype html><script>alert(1)</script>";
    let late = format!("{}<p onclick=\"alert(1)\">", "\u{feff} \n\t".repeat(300));
    for (name, text, goes) in [
        ("a.svg", "<svg/>", true),
        ("a.svg", svg, false),
        ("a.svg", "<svg><rect><animate attributeName=\"opacity\" values=\"0;1\"/></rect></svg>", true),
        (
            "a.svg",
            "<svg><a><animate attributeName=\"href\" values=\"#;javascript:alert(1)\"/></a></svg>",
            false,
        ),
        ("a.svg", "<svg xmlns:s=\"x\"><s:script>alert(1)</s:script></svg>", false),
        // ISO-2022-JP decodes the escape sequence to nothing, so the element is `script`.
        (
            "a.svg",
            "<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?><svg><scr\u{1b}(Bipt>x</script></svg>",
            false,
        ),
        ("a.HTML", "x", false),
        ("a.xml", "x", false),
        ("plan.q1", "x", false),
        ("plan.csv", page, false),
        ("plan.txt", page, false),
        ("plan.rss", "<?xml version=\"1.0\"?><rss/>", false),
        ("plan.png", "\u{feff} <body>", false),
        ("plan.csv", late.as_str(), false),
        ("plan.csv", "<\0h\0t\0m\0l", false),
        ("plan.csv", "1 < 2", true),
        ("plan.txt", "<3 of all", true),
        ("plan.md", "<div>a note</div>", true),
        ("plan.json", page, true),
    ] {
        for append in [true, false] {
            let uploaded = upload(json!({ "name": name, "text": text, "append": append }));
            assert_eq!(uploaded.is_ok(), goes, "{name} {text} {append}");
        }
    }
    let no_base64 = ask(
        &engine,
        &json!({ "action": "upload_asset", "id": "{/Garden/Beds}", "name": "a.txt", "base64": "%%" }),
    );
    assert_eq!(no_base64.unwrap_err().kind, ErrorType::Validation);
}

/// The transfer folder: nothing without one, nothing outside of it, and a person is asked.
#[test]
fn a_local_file_comes_from_the_transfer_folder() {
    let with_folder =
        || workspace("rw").file("accessSettings", &json!({ "transfer_folder": "/home/ana/transfer" }));
    let sent = |path: &str| json!({ "action": "upload_asset", "id": "{/Garden/Beds}", "name": "plan.png", "local_path": path });
    let engine = Engine::new(workspace("rw"), Nobody);
    assert_eq!(refused(&engine, &sent("plan.png")).0, ErrorType::Disabled);
    let engine = Engine::new(with_folder(), Nobody);
    engine.kernel.local.0.lock().unwrap().insert("scans/plan.png".to_owned(), PNG.to_vec());
    for path in [
        "../plan.png",
        "/home/ana/transfer/scans/plan.png",
        "scans\\plan.png",
        "C:plan.png",
        "scans//plan.png",
    ] {
        let (kind, text) = refused(&engine, &sent(path));
        assert!(kind == ErrorType::Validation && !text.contains("/home/ana/transfer\""), "{text}");
    }
    let (kind, text) = refused(&engine, &sent("other.png"));
    assert!(kind == ErrorType::NotFound && !text.contains("ana"), "{text}");
    let filled: Value =
        serde_json::from_str(&engine.kernel.fill(&sent("scans/plan.png").to_string())).unwrap();
    let error = call(&engine, Tool::File, &filled, &Approval::Missing).unwrap_err();
    let danger = format!("Copies the local file scans/plan.png ({} bytes) into the workspace.", PNG.len());
    assert_eq!(error.details["danger"], danger);
    assert_eq!(ask(&engine, &sent("scans/plan.png")).unwrap().data["size"], PNG.len());
}

/// A click on a link to a page among the assets would run it in SiYuan's window.
#[test]
fn no_new_link_leads_to_a_page() {
    let engine = Engine::new(workspace("rw"), Nobody);
    for (markdown, goes) in [
        ("[plan](assets/plan.html)", false),
        ("[plan](/%61ssets/plan.XHTML?x)", false),
        ("[plan](assets/plan.md)", true),
    ] {
        let insert = json!({ "action": "insert", "target": engine.kernel.id("/Garden/Beds"), "position": "last", "markdown": markdown });
        let reply = call(&engine, Tool::Block, &insert, &Approval::Given);
        assert_eq!(reply.is_ok(), goes, "{markdown}: {reply:?}");
    }
}

/// Nothing is uploaded without content.
#[test]
fn empty_uploads_are_refused() {
    let engine = Engine::new(workspace("rw"), Nobody);
    let upload =
        json!({ "action": "upload_asset", "id": "{/Garden/Beds}", "name": "a.txt", "base64": " \n " });
    let (kind, message) = refused(&engine, &upload);
    assert!(kind == ErrorType::Validation && message.contains("base64"), "{message}");
    assert!(!engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("putFile")));
}
