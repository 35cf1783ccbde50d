//! Tests of `file.rename_asset`: an asset that everybody may use changes only if all uses may change.

use expect_test::expect;
use serde_json::{Value, json};

use super::MOST;
use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, check, shown};
use crate::testing::{self, ATTIC, FakeKernel, GARDEN, PRIVATE};
use crate::tools::file::testing::LEAF;

fn with_assets(world: World) -> World {
    for path in [LEAF, "assets/free.png"] {
        let put = world.demo.put_file(&format!("/data/{path}"), b"picture");
        assert_eq!(put.status, 200);
    }
    world.ask("sqlite/flushTransaction", &json!({}));
    world
}

fn picture(path: &str) -> String {
    format!("a ![leaf]({path}) leaf")
}

/// Garden at `rw` uses the leaf twice; another notebook at this level uses it once, or only mentions the file name.
fn workspace(level: &str, other: &str) -> World {
    let world = World::new()
        .notebook("Garden", "rw")
        .notebook("Other", level)
        .doc("/Garden/Beds", &format!("{}\n\nits [page]({LEAF}?p=3)", picture(LEAF)))
        .doc("/Other/Page", other);
    with_assets(world)
}

fn rename(world: World, path: &str) -> Result<Value, (ErrorType, String)> {
    let engine = Engine::new(world, Nobody);
    engine.kernel.take_sent();
    let arguments = json!({ "action": "rename_asset", "path": path, "name": "blade" });
    let reply = call(&engine, Tool::File, &arguments, &Approval::Given);
    let is_sent = engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("renameAsset"));
    assert_eq!(is_sent, reply.is_ok());
    reply.map(|it| Value::Object(it.data)).map_err(|error| (error.kind, shown(&Err(error))))
}

#[test]
fn renaming_an_asset_renames_its_references() {
    check(
        "file.rename_asset",
        workspace("rw", &picture(LEAF)),
        &json!({ "path": LEAF, "name": "blade.png" }),
        &expect![[r#"
            flushTransaction sql statAsset sql sql renameAsset flushTransaction
            {"path":"assets/blade-{new 1}.png","refs":3}
        "#]],
    );
}

/// B-057: while a notebook is closed, no answer depends on its content, and the kernel is not called.
#[test]
fn renaming_an_asset_is_refused_while_a_notebook_is_closed() {
    let mut errors: Vec<(ErrorType, String)> = Vec::new();
    for other in [picture(LEAF), "nothing".to_owned()] {
        for path in [LEAF, "assets/free.png", "assets/never.png"] {
            errors.push(rename(workspace("none", &other), path).unwrap_err());
        }
    }
    errors.dedup();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!(errors[0].0, ErrorType::Disabled);
}

/// B-057: the call is refused as a whole, and the error names the notebooks below the level.
#[test]
fn asset_reference_below_rw_refuses_the_rename() {
    // A file name changes in every text, not only in references.
    for other in [picture(LEAF), "see leaf-20250601000000-asset00.png there".to_owned()] {
        let (kind, message) = rename(workspace("r", &other), LEAF).unwrap_err();
        assert_eq!(kind, ErrorType::PermissionDenied);
        assert!(message.contains("Other") && !message.contains("Garden"), "{message}");
    }
    assert_eq!(rename(workspace("r", "nothing"), LEAF).unwrap()["refs"], 2);
}

/// An asset without references belongs to every notebook.
#[test]
fn unreferenced_asset_needs_rw_in_every_notebook() {
    let (kind, message) = rename(workspace("r", "nothing"), "assets/free.png").unwrap_err();
    assert_eq!(kind, ErrorType::PermissionDenied);
    assert!(message.contains("Other") && !message.contains("Garden"), "{message}");
    assert_eq!(rename(workspace("rw", "nothing"), "assets/free.png").unwrap()["refs"], 0);
    assert_eq!(rename(workspace("rw", "nothing"), "assets/never.png").unwrap_err().0, ErrorType::NotFound);
}

/// B-057: what a notebook that is not open uses, nobody can look up, so it must be writable too.
#[test]
fn a_notebook_that_is_not_open_needs_rw_for_the_rename() {
    for (level, expected) in [("r", Some(ErrorType::PermissionDenied)), ("rw", None)] {
        let world = workspace(level, "nothing");
        world.ask("notebook/closeNotebook", &json!({ "notebook": world.id("/Other") }));
        assert_eq!(rename(world, LEAF).err().map(|it| it.0), expected, "{level}");
    }
}

/// The kernel changes the name wherever it occurs, also inside a longer one.
#[test]
fn asset_name_contained_in_another_is_refused() {
    let world = workspace("rw", &picture("assets/clover-leaf-20250601000000-asset00.png"));
    let (kind, message) = rename(world, LEAF).unwrap_err();
    assert_eq!(kind, ErrorType::Validation);
    assert!(message.contains("clover"), "{message}");
}

/// B-034: the person sees the changes before they happen.
#[test]
fn rename_question_shows_the_counts() {
    let engine = Engine::new(workspace("rw", &picture(LEAF)), Nobody);
    let arguments = json!({ "action": "rename_asset", "path": LEAF, "name": "blade" });
    let error = call(&engine, Tool::File, &arguments, &Approval::Missing).unwrap_err();
    assert_eq!(error.kind, ErrorType::ConfirmationRequired);
    assert_eq!(
        error.details["danger"],
        json!(format!("Renames {LEAF} and changes 3 references in 2 documents."))
    );
}

/// B-059: the new name is one of a file, not a path.
#[test]
fn a_new_name_leads_nowhere() {
    for name in ["plans/blade", "..\\blade", "/blade", "blade\u{7}", "...", ".png"] {
        let engine = Engine::new(workspace("rw", "none"), Nobody);
        let arguments = json!({ "action": "rename_asset", "path": LEAF, "name": name });
        let error = call(&engine, Tool::File, &arguments, &Approval::Given).unwrap_err();
        assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "name"), "{name:?}");
        assert!(!engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("renameAsset")), "{name:?}");
    }
}

/// SiYuan writes the name into the links of notes, so it holds no mark of Markdown or HTML.
#[test]
fn asset_gets_no_name_that_is_markup() {
    for name in ["<img src=x>", "a](b)", "a \"b\"", "{: x}", "a`b", "a/b", "..\\b", "-"] {
        let engine = Engine::new(workspace("rw", "text"), Nobody);
        let arguments = json!({ "action": "rename_asset", "path": LEAF, "name": name });
        let failed = call(&engine, Tool::File, &arguments, &Approval::Given).unwrap_err();
        assert_eq!(failed.kind, ErrorType::Validation, "{name}: {failed:?}");
        assert!(engine.kernel.take_sent().iter().all(|(path, _)| !path.ends_with("renameAsset")));
    }
}

/// F10: a person approves a number of references, so it must be all of them.
#[test]
fn more_uses_than_can_be_read_refuse_the_renaming() {
    for (uses, is_renamed) in [(MOST, true), (MOST + 1, false)] {
        let use_of = |at: usize| json!({ "box": GARDEN, "path": "assets/leaf.png", "root_id": format!("20250101000000-{at:07}"), "n_refs": 1 });
        let all: Value = (0..uses).map(use_of).collect();
        let place = json!([{ "asset": "assets/leaf.png", "box": GARDEN }]);
        let levels = json!({ GARDEN: "rw", PRIVATE: "rw", ATTIC: "rw" }).to_string();
        let kernel = FakeKernel::new()
            .file("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", &levels)
            .answer("/api/sqlite/flushTransaction", |_| Value::Null)
            .answer("/api/asset/statAsset", |_| json!({ "size": 1, "updated": 1 }))
            .answer("/api/asset/renameAsset", |_| json!({ "newPath": "assets/blade.png" }))
            .answer("/api/query/sql", move |ask| {
                if ask["stmt"].as_str().unwrap_or_default().contains("n_refs") {
                    all.clone()
                } else {
                    place.clone()
                }
            });
        let engine = testing::engine(kernel);
        let arguments = json!({ "action": "rename_asset", "path": "assets/leaf.png", "name": "blade" });
        let reply = testing::approved(&engine, Tool::File, arguments, Approval::Given);
        match reply {
            Ok(output) => assert_eq!((is_renamed, &output.data["refs"]), (true, &json!(MOST))),
            Err(error) => assert_eq!((is_renamed, error.kind), (false, ErrorType::Conflict)),
        }
        let sent = engine.kernel.asked().iter().any(|(path, _)| path.ends_with("renameAsset"));
        assert_eq!(sent, is_renamed);
    }
}
