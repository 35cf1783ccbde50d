//! Tests of `file.read_asset`: pictures, texts, other files, and assets of closed notebooks.

use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::output::Output;
use crate::testing::world::Nobody;
use crate::tools::file::testing::{LEAF, PNG, ask, put, refused, workspace};

/// B-120: a picture comes as a picture, with its bytes and type.
#[test]
fn a_picture_is_read_as_a_picture() {
    let engine = Engine::new(workspace("rw"), Nobody);
    let Output { data, pictures, body, .. } =
        ask(&engine, &json!({ "action": "read_asset", "path": LEAF })).unwrap();
    assert_eq!(
        pictures.iter().map(|it| (it.mime, it.bytes.as_slice())).collect::<Vec<_>>(),
        [("image/png", PNG)]
    );
    assert_eq!(body, None);
    let facts = (&data["type"], &data["size"], &data["refs"]);
    assert_eq!(facts, (&json!("image/png"), &json!(PNG.len()), &json!(1)));
    let info = ask(&engine, &json!({ "action": "read_asset", "path": LEAF, "as": "info" })).unwrap();
    assert!(info.pictures.is_empty());
}

/// B-120: a picture that is too large is refused with its size.
#[test]
fn a_picture_that_is_too_large_is_refused_with_its_size() {
    let engine = Engine::new(workspace("rw"), Nobody);
    engine.kernel.take_sent();
    let read =
        |most: usize| ask(&engine, &json!({ "action": "read_asset", "path": LEAF, "max_bytes": most }));
    let error = read(PNG.len() - 1).unwrap_err();
    assert_eq!((error.kind, &error.details["size"]), (ErrorType::Validation, &json!(PNG.len())));
    // It is not even fetched.
    assert!(!engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("getFile")));
    assert_eq!(read(PNG.len()).unwrap().pictures.len(), 1);
}

#[test]
fn a_text_is_read_in_parts_and_other_files_are_not_text() {
    let world = workspace("rw");
    put(&world, "assets/page.svg", b"<svg/>");
    put(&world, "assets/fake.png", b"no picture");
    put(&world, "assets/sound.mp3", b"\xff\xfb\x90\x00\x00");
    put(&world, "assets/zeros.bin", b"letters\0and zeros");
    let engine = Engine::new(world, Nobody);
    let read = |path: &str, form: &str| {
        ask(&engine, &json!({ "action": "read_asset", "path": path, "as": form, "offset": 6, "budget": 100 }))
    };
    assert_eq!(read("assets/list.txt", "auto").unwrap().body.as_deref(), Some("thyme, 小白菜"));
    assert_eq!(read("assets/page.svg", "auto").unwrap().body.as_deref(), Some(""));
    // A name proves nothing.
    let fake = read("assets/fake.png", "auto").unwrap();
    assert!(fake.pictures.is_empty() && fake.body.is_none());
    assert_eq!(read("assets/fake.png", "image").unwrap_err().kind, ErrorType::Validation);
    assert_eq!(read("assets/list.txt", "image").unwrap_err().kind, ErrorType::Validation);
    for path in ["assets/sound.mp3", "assets/zeros.bin"] {
        assert_eq!(read(path, "auto").unwrap().body, None, "{path}");
        assert_eq!(read(path, "text").unwrap_err().kind, ErrorType::Validation, "{path}");
    }
    assert_eq!(read("assets/never.pdf", "auto").unwrap_err().kind, ErrorType::NotFound);
}

/// B-055: an asset of a closed notebook, one that nothing uses, and one that does not exist are the same beside a
/// closed notebook, after the same requests; nothing of the file is asked.
#[test]
fn assets_of_closed_notebooks_do_not_exist() {
    let engine = Engine::new(workspace("none"), Nobody);
    engine.kernel.take_sent();
    let mut answers = Vec::new();
    for path in ["assets/secret.png", "assets/old.png", "assets/never.png"] {
        let error = refused(&engine, &json!({ "action": "read_asset", "path": path }));
        let sent: Vec<&str> = engine.kernel.take_sent().into_iter().map(|(path, _)| path).collect();
        answers.push((error, sent));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
    assert_eq!(answers[0].0.0, ErrorType::NotFound);
    assert!(
        answers[0].1.iter().all(|it| it.ends_with("flushTransaction") || it.ends_with("sql")),
        "{answers:?}"
    );
    assert_eq!(ask(&engine, &json!({ "action": "read_asset", "path": LEAF })).unwrap().data["refs"], 1);
}

/// A link to a page of a file uses the file.
#[test]
fn links_to_a_page_of_a_file_count_as_its_uses() {
    let world =
        workspace("rw").doc("/Garden/More", "[2](assets/list.txt?page=2) [other](assets/list.txt.bak)");
    world.ask("sqlite/flushTransaction", &json!({}));
    let engine = Engine::new(world, Nobody);
    let reply = ask(&engine, &json!({ "action": "read_asset", "path": "assets/list.txt", "as": "info" }));
    assert_eq!(reply.unwrap().data["refs"], 2);
}
