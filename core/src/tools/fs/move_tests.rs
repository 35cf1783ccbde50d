//! Moves by path against the demo kernel: into a place, to a new path, and what is refused.

use expect_test::expect;
use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, check, world};

fn garden() -> World {
    world()
        .docs(["/Garden/A", "/Garden/A/B", "/Garden/C"])
        .notebook("Scratch", "rw")
        .docs(["/Scratch/S"])
        .notebook("Attic", "r")
        .docs(["/Attic/D"])
        .notebook("Private", "none")
        .docs(["/Private/P"])
}

fn moves(from: &str, to: &str, expected: &expect_test::Expect) {
    check("fs.move", garden(), &json!({ "from": from, "to": to }), expected);
}

#[test]
fn move_to_a_new_path_moves_and_renames() {
    moves(
        "/Garden/A/B",
        "/Garden/C/New",
        &expect![[r#"
        getIDsByHPath getIDsByHPath getPathByID getIDsByHPath getPathByID getHPathByID getHPathByID getIDsByHPath moveDocsByID getPathByID getHPathByID renameDocByID
        {"id":"{/Garden/A/B}","from":"/Garden/A/B","changed":true,"path":"/Garden/C/New"}
    "#]],
    );
    moves(
        "{/Garden/A/B}",
        "/Garden/A/Other",
        &expect![[r#"
        getPathByID getIDsByHPath getIDsByHPath getPathByID getHPathByID getHPathByID getIDsByHPath renameDocByID
        {"id":"{/Garden/A/B}","from":"/Garden/A/B","changed":true,"path":"/Garden/A/Other"}
    "#]],
    );
    moves(
        "/Garden/A/B",
        "/Garden/B",
        &expect![[r#"
        getIDsByHPath getIDsByHPath getPathByID getHPathByID getIDsByHPath moveDocsByID getPathByID getHPathByID
        {"id":"{/Garden/A/B}","from":"/Garden/A/B","changed":true,"path":"/Garden/B"}
    "#]],
    );
}

#[test]
fn trailing_slash_moves_into_a_place() {
    moves(
        "/Garden/C",
        "/Garden/A/",
        &expect![[r#"
        getIDsByHPath getIDsByHPath getPathByID getPathByID getHPathByID getHPathByID getIDsByHPath moveDocsByID getPathByID getHPathByID
        {"id":"{/Garden/C}","from":"/Garden/C","changed":true,"path":"/Garden/A/C"}
    "#]],
    );
    moves(
        "/Garden/A/B",
        "/Garden/",
        &expect![[r#"
        getIDsByHPath getPathByID getHPathByID getIDsByHPath moveDocsByID getPathByID getHPathByID
        {"id":"{/Garden/A/B}","from":"/Garden/A/B","changed":true,"path":"/Garden/B"}
    "#]],
    );
    moves(
        "/Garden/C",
        "{/Garden/A}",
        &expect![[r#"
        getIDsByHPath getPathByID getPathByID getHPathByID getHPathByID getIDsByHPath moveDocsByID getPathByID getHPathByID
        {"id":"{/Garden/C}","from":"/Garden/C","changed":true,"path":"/Garden/A/C"}
    "#]],
    );
}

#[test]
fn move_to_where_it_is_changes_nothing() {
    moves(
        "/Garden/A/B",
        "/Garden/A/",
        &expect![[r#"
        getIDsByHPath getIDsByHPath getPathByID getPathByID getHPathByID getHPathByID getIDsByHPath
        {"id":"{/Garden/A/B}","from":"/Garden/A/B","changed":false,"path":"/Garden/A/B"}
    "#]],
    );
}

/// B-071: the other notebook's name stands in the question.
#[test]
fn moving_to_another_notebook_by_path_asks() {
    let engine = Engine::new(garden(), Nobody);
    let arguments = json!({ "action": "move", "from": "/Garden/A", "to": "/Scratch/S/" });
    let error = call(&engine, Tool::Fs, &arguments, &Approval::Missing).unwrap_err();
    assert_eq!(error.kind, ErrorType::ConfirmationRequired);
    expect![[r#"{"would":"move","id":"{/Garden/A}","from":"/Garden/A","path":"/Scratch/S/A","below":1}"#]]
        .assert_eq(&engine.kernel.unfill(&error.details["plan"].to_string()));
    let data = call(&engine, Tool::Fs, &arguments, &Approval::Given).unwrap().data;
    assert_eq!(data["path"], json!("/Scratch/S/A"));
    // The document below went along, and the references by id stay right.
    let b = engine.kernel.ask("filetree/getHPathByID", &json!({ "id": engine.kernel.id("/Garden/A/B") }));
    assert_eq!(b, json!("/S/A/B"));
}

/// B-036: a title that could not be set is reported next to the move that was made.
#[test]
fn failed_rename_after_a_move_is_reported() {
    let engine = Engine::new(garden(), Nobody);
    engine.kernel.fail("/api/filetree/renameDocByID", "locked");
    let arguments = json!({ "action": "move", "from": "/Garden/A/B", "to": "/Garden/C/New" });
    let data = call(&engine, Tool::Fs, &arguments, &Approval::Missing).unwrap().data;
    assert_eq!((&data["done"], &data["failed"][0]["what"]), (&json!(["move"]), &json!("the new title")));
}

fn refused(from: &str, to: &str) -> (ErrorType, Vec<&'static str>) {
    let engine = Engine::new(garden(), Nobody);
    let arguments =
        json!({ "action": "move", "from": engine.kernel.fill(from), "to": engine.kernel.fill(to) });
    let error = call(&engine, Tool::Fs, &arguments, &Approval::Given).unwrap_err();
    let sent: Vec<(&'static str, Value)> = engine.kernel.take_sent();
    assert!(!sent.iter().any(|(path, _)| path.ends_with("moveDocsByID") || path.ends_with("renameDocByID")));
    (error.kind, sent.into_iter().map(|(path, _)| path).collect())
}

/// B-055, B-063: both ends are checked, and what the kernel makes wrongly is not sent.
#[test]
fn wrong_moves_by_path_are_refused() {
    for (from, to, kind) in [
        ("/Garden/A", "/Garden/A/B/", ErrorType::Validation),
        ("/Garden/A", "/Garden/A/", ErrorType::Validation),
        ("/Garden", "/Scratch/", ErrorType::Validation),
        ("/Garden/A", "/", ErrorType::Validation),
        ("/Garden/A", "/Garden/C", ErrorType::Conflict),
        ("/Garden/A", "/Scratch", ErrorType::Conflict),
        ("/Garden/A", "/Garden/None/X", ErrorType::NotFound),
        ("/Garden/A", "/Garden/None/", ErrorType::NotFound),
        ("/Garden/None", "/Garden/X", ErrorType::NotFound),
        ("/Garden/A", "/Attic/", ErrorType::PermissionDenied),
        ("/Attic/D", "/Garden/", ErrorType::PermissionDenied),
    ] {
        assert_eq!(refused(from, to).0, kind, "{from} to {to}");
    }
    // A title that is taken at the destination.
    let engine = Engine::new(garden().docs(["/Scratch/C"]), Nobody);
    let arguments = json!({ "action": "move", "from": "/Garden/C", "to": "/Scratch/" });
    let error = call(&engine, Tool::Fs, &arguments, &Approval::Given).unwrap_err();
    assert_eq!(
        (error.kind, &error.details["id"]),
        (ErrorType::Conflict, &json!(engine.kernel.id("/Scratch/C")))
    );
}

/// B-055: a hidden document or notebook is answered like a missing one, after the same requests.
#[test]
fn moves_from_and_to_hidden_places_are_not_found() {
    let missing = refused("20250101000000-missing", "/Garden/X");
    assert_eq!(missing.0, ErrorType::NotFound);
    assert_eq!(refused("{/Private/P}", "/Garden/X"), missing);
    assert_eq!(refused("/Garden/A", "/Private/"), refused("/Garden/A", "/Nowhere/"));
    assert_eq!(refused("/Garden/A", "{/Private/P}"), refused("/Garden/A", "20250101000000-missing"));
}
